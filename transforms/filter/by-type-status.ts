import { type ConfigTree, type Place, type Servers, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import type { Directive } from '../../src/syntax';
import { containersOf, eachLine } from '../common/lines';
import { PlacesMet } from '../common/meeting-sections';
import { withStatus } from '../common/seen-requests';
import { flagsOf, rewriteWords } from '../common/words';

/** With these, answers that are not httpd's own may have any status. */
const PROGRAM_DIRECTIVES = [
  'Action', 'AddHandler', 'FcgidWrapper', 'ProxyPass', 'ProxyPassMatch', 'Script', 'ScriptAlias', 'ScriptAliasMatch',
  'SetHandler', 'WSGIScriptAlias',
]; // prettier-ignore

interface ByTypeLine {
  readonly node: Directive;
  readonly place: Place;
  readonly filters: readonly string[];
}

export default defineTransform({
  id: 'by-type-status',
  changes: ['F22'],
  title: 'AddOutputFilterByType on error pages',
  why: '2.2 filters pages of any status. In 2.4 the filters of AddOutputFilterByType see answers with status 200 only, unless the variable filter-errordocs is set: other pages are not compressed, and those with server-side includes are sent as source. It is set where a filter changes what a page says.',
  docs: ['mod_filter: AddOutputFilterByType', 'modules/filters/mod_filter.c: filter_harness'],
  onlyWhenUpgrading: true,
  run(context) {
    const lines: ByTypeLine[] = [];
    eachLine(context, ['AddOutputFilterByType'], (node, place) => {
      const filters = (node.args[0]?.value ?? '').split(';').filter((filter) => filter !== '');
      lines.push({ node, place, filters });
    });
    if (lines.length === 0 || isDealtWith(context) || !mayHaveOtherStatus(context)) return;
    const servers = serversOf(context.tree);
    const changesText = lines.filter(({ filters }) => !filters.every(isEncoding));
    const setting = outermost(changesText, context.tree);
    for (const line of setting) reportLine(context, line);
    const scopesSet = new Set(setting.map(({ place }) => scopeOf(place, servers)));
    const isInherited = inheritsFrom(setting, context.tree);
    const isSet = ({ place }: ByTypeLine): boolean =>
      scopesSet.has(scopeOf(place, servers)) || isInherited(place);
    const encoding = lines.filter((line) => line.filters.every(isEncoding) && !isSet(line));
    for (const line of outermost(encoding, context.tree)) reportEncoding(context, line);
  },
});

/** Whether a filter changes only how a page is encoded: without it, clients read the same. */
function isEncoding(filter: string): boolean {
  return /^(?:deflate|inflate|brotli_compress)$/i.test(filter);
}

/** The last line of each section or level that does not inherit from another of these. */
function outermost(lines: readonly ByTypeLine[], tree: ConfigTree): readonly ByTypeLine[] {
  const servers = serversOf(tree);
  const last = [...new Map(lines.map((line) => [scopeOf(line.place, servers), line])).values()];
  const isInherited = inheritsFrom(last, tree);
  return last.filter(({ place }) => !isInherited(place));
}

/** Whether a request that meets a place has met one of these lines before, in every case. */
function inheritsFrom(lines: readonly ByTypeLine[], tree: ConfigTree): (place: Place) => boolean {
  const places = new PlacesMet(lines, ({ place }) => place, tree);
  return (place) => places.before(place).some(({ meeting }) => meeting === 'always');
}

function scopeOf(place: Place, servers: Servers): unknown {
  const server = servers.of(place);
  return containersOf(place).at(-1)?.section ?? server.section ?? server;
}

function reportLine(context: TransformContext, { node, place, filters }: ByTypeLine): void {
  const { file, root } = place;
  const what = `2.4 applies ${filters.join(' and ')} only to answers with status 200, and no longer to error pages`;
  const hasChain = setsChain(context);
  const isAlone = root.role === 'htaccess' && serversOf(context.tree).main?.whole !== true;
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: hasChain ? 'manual' : isAlone ? 'review' : 'safe',
    message: hasChain
      ? `${what}: add SetEnv filter-errordocs 1, if the filters of FilterChain may run there too`
      : `${what}: SetEnv filter-errordocs 1 restores that, but for httpd's own short messages${isAlone ? ' (this assumes that mod_env is loaded)' : ''}`,
    concerns: ON_ERROR,
    edits: hasChain ? [] : [insertAfter(file.document, node, ['SetEnv filter-errordocs 1'])],
  });
}

function reportEncoding(context: TransformContext, { node, place, filters }: ByTypeLine): void {
  context.report({
    file: place.file,
    at: node.from,
    level: 'info',
    message: `2.4 applies ${filters.join(' and ')} only to answers with status 200, and no longer to error pages, which clients read all the same: add SetEnv filter-errordocs 1 if it matters${setsChain(context) ? ', and if the filters of FilterChain may run there too' : ''}`,
    concerns: ON_ERROR,
  });
}

const ON_ERROR = withStatus(400, 599);

/** The filters of a FilterChain see only status 200 in 2.2 as well, and the variable is for them, too. */
function setsChain({ index }: TransformContext): boolean {
  return index.directives(['FilterChain']).length > 0;
}

/** Whether the variable is set anywhere. */
function isDealtWith(context: TransformContext): boolean {
  return context.index.someDirective(['SetEnv', 'SetEnvIf', 'SetEnvIfNoCase', 'PassEnv'], ({ args }) =>
    args.some(({ value }) => /^filter-errordocs(?:=|$)/.test(value)),
  );
}

/**
 * Whether some page that is not httpd's own message may have another status than 200: pages of ErrorDocument, programs, backends.
 * Its own messages are filtered in no case.
 */
function mayHaveOtherStatus(context: TransformContext): boolean {
  const { index, tree } = context;
  if (serversOf(tree).main?.whole !== true) return true;
  return (
    index.someDirective(PROGRAM_DIRECTIVES, () => true) ||
    index.someDirective(['ErrorDocument'], ({ args }) => args[1]?.value.startsWith('/') === true) ||
    index.someDirective(['AddType'], ({ args }) => /^application\/x-httpd-/i.test(args[0]?.value ?? '')) ||
    index.someDirective(['RewriteRule'], (node) =>
      flagsOf(rewriteWords(node)[2]).some(({ key }) => /^(?:p|proxy|h|handler)$/.test(key)),
    ) ||
    index.someDirective(['LoadModule'], ({ args }) => findModule(args[0]?.value ?? '') === undefined)
  );
}
