import { type Place, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import type { Directive } from '../../src/syntax';
import { containersOf, eachLine } from '../common/lines';
import { meetsBefore } from '../common/meeting-sections';
import { flagsOf, rewriteWords } from '../common/rewrite-words';

/** With these, answers that are not httpd's own may have any status. */
const PROGRAM_DIRECTIVES = [
  'Action', 'AddHandler', 'FcgidWrapper', 'ProxyPass', 'ProxyPassMatch', 'Script', 'ScriptAlias', 'ScriptAliasMatch',
  'SetHandler', 'WSGIScriptAlias',
]; // prettier-ignore

interface ByTypeLine {
  readonly node: Directive;
  readonly place: Place;
}

export default defineTransform({
  id: 'by-type-status',
  changes: ['F22'],
  title: 'AddOutputFilterByType on error pages',
  why: '2.2 filters pages of any status. In 2.4 the filters of AddOutputFilterByType see answers with status 200 only, unless the variable filter-errordocs is set: other pages are not compressed, and pages with server-side includes are sent as source.',
  docs: ['mod_filter: AddOutputFilterByType', 'modules/filters/mod_filter.c: filter_harness'],
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const lines: ByTypeLine[] = [];
    eachLine(context, ['AddOutputFilterByType'], (node, place) => void lines.push({ node, place }));
    if (lines.length === 0 || isDealtWith(context) || !mayHaveOtherStatus(context)) return;
    const servers = serversOf(context.tree);
    const scopes = new Map<unknown, ByTypeLine>();
    for (const line of lines) {
      const { place } = line;
      const server = servers.of(place);
      scopes.set(containersOf(place).at(-1)?.section ?? server.section ?? server, line);
    }
    const last = [...scopes.values()];
    for (const line of last)
      if (!last.some((outer) => meetsBefore(outer.place, line.place, servers) === 'always'))
        reportLine(context, line);
  },
});

function reportLine(context: TransformContext, { node, place }: ByTypeLine): void {
  const { file, root } = place;
  const what =
    "2.4 filters only answers with status 200 by their type: error pages no longer, httpd's own short messages in no case";
  // Filters of a FilterChain see only status 200 in 2.2 as well, and the variable is for them, too.
  const hasChain = context.index.directives(['FilterChain']).length > 0;
  const isAlone = root.role === 'htaccess' && serversOf(context.tree).main?.whole !== true;
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: hasChain ? 'manual' : isAlone ? 'review' : 'safe',
    message: hasChain
      ? `${what}: add SetEnv filter-errordocs 1, if the filters of FilterChain may run there too`
      : `${what}, unless filter-errordocs is set${isAlone ? '; this assumes that mod_env is loaded' : ''}`,
    edits: hasChain ? [] : [insertAfter(file.document, node, ['SetEnv filter-errordocs 1'])],
  });
}

/** Whether the variable is set anywhere. */
function isDealtWith(context: TransformContext): boolean {
  return context.index.someDirective(['SetEnv', 'SetEnvIf', 'SetEnvIfNoCase', 'PassEnv'], ({ args }) =>
    args.some(({ value }) => /^filter-errordocs(?:=|$)/.test(value)),
  );
}

/**
 * Whether some page that is not httpd's own message may have another status than 200: pages of ErrorDocument, programs, backends. Its own
 * messages are filtered in no case.
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
