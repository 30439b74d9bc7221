import type { ConfigFile, Place } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { type TransformContext, type TreeIndex, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { containersOf, eachLine, isAtServerLevel, isCarriedOver, isUnknown } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';
import { startsOf } from '../../src/regex';
import { getOrInsert } from '../../src/maps';
import { mappingsOf } from './proxy-lines';

/** Lines of one server that stand together, behind the last of which the new section goes. */
interface ExtensionFilterLines {
  readonly file: ConfigFile;
  readonly nodes: Directive[];
}

export default defineTransform({
  id: 'proxy-filter-by-extension',
  changes: ['P23'],
  title: 'AddOutputFilter and what comes from backends',
  why: '2.2 gives filters by extension to its own files alone. 2.4 gives them to what backends send and get, too, by the extension in the URL: with AddOutputFilter INCLUDES .shtml, a backend has the directives of its pages carried out here. A <Proxy *> section takes that back for lines of the server; those in a Location come after it.',
  docs: ['mod_mime: AddOutputFilter, RemoveOutputFilter', 'modules/http/mod_mime.c: find_ct, PROXYREQ_NONE'],
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    if (!hasBackends(context.index)) return;
    const removed = removedForBackends(context.index);
    for (const { file, nodes } of linesOfServers(context)) {
      const left = nodes.filter((node) =>
        extensionsOf(node).some((name) => !removed.has(`${node.key} ${name}`)),
      );
      const last = left.at(-1);
      if (last === undefined) continue;
      context.report({
        file,
        at: left[0]!.from,
        level: left.every(isCompression) ? 'info' : 'warning',
        safety: 'safe',
        message: `2.4 applies ${namesOf(left)} to what backends send and get, too, where the URL has an extension such as ${extensionsOf(left[0]!)[0]}: a <Proxy *> section takes that back`,
        edits: [insertAfter(file.document, last, sectionFor(left))],
      });
    }
    reportLocations(context);
  },
});

/** Reports lines of Locations in which a backend answers: what takes them back for backends would stand before them. */
function reportLocations(context: TransformContext): void {
  const mappings = [...mappingsOf(context).values()].flat();
  const starts = (pattern: string, isRegex: boolean): readonly string[] =>
    isRegex ? startsOf(pattern).map(({ text }) => text) : [pattern];
  eachLine(context, FILTER_OF_EXTENSION, (node, place) => {
    const section = containersOf(place).at(-1)?.section;
    if (section?.key.startsWith('location') !== true || extensionsOf(node).length === 0) return;
    const isRegex = section.key === 'locationmatch' || section.args.length > 1;
    const urls = starts(section.args.at(-1)?.value ?? '', isRegex);
    const covers = (path: string): boolean => urls.every((url) => url.startsWith(path));
    if (mappings.some(({ url, path, isRegex: isPattern }) => url === '!' && !isPattern && covers(path)))
      return;
    const met = mappings.find(
      (mapping) =>
        mapping.url !== '!' &&
        starts(mapping.path, mapping.isRegex).some((path) =>
          urls.some((url) => url.startsWith(path) || path.startsWith(url)),
        ),
    );
    if (met === undefined) return;
    context.report({
      file: place.file,
      at: node.from,
      level: isCompression(node) ? 'info' : 'warning',
      message: `2.4 applies this ${node.name} to what ${met.url} sends, too, where the URL has an extension such as ${extensionsOf(node)[0]}; 2.2 did so for its own files alone: remove it if none of those are served here`,
    });
  });
}

/** Whether requests go to backends, other than by rules of directories: their files have their filters by then. */
function hasBackends(index: TreeIndex): boolean {
  return index.someDirective(
    ['ProxyPass', 'ProxyPassMatch', 'ProxyRequests', 'RewriteRule'],
    (node, place) => {
      if (!isCarriedOver(place)) return false;
      if (node.key === 'proxyrequests') return /^on$/i.test(node.args[0]?.value ?? '');
      if (node.key !== 'rewriterule') return node.args.some(({ value }) => value.includes('://'));
      return (
        isAtServerLevel(place) &&
        flagsOf(rewriteWords(node)[2]).some(({ key }) => key === 'p' || key === 'proxy')
      );
    },
  );
}

const FILTER_OF_EXTENSION = ['AddOutputFilter', 'AddInputFilter'];

function linesOfServers(context: TransformContext): Iterable<ExtensionFilterLines> {
  const groups = new Map<object, ExtensionFilterLines>();
  eachLine(context, FILTER_OF_EXTENSION, (node, place) => {
    if (!isAtServerLevel(place) || extensionsOf(node).length === 0) return;
    getOrInsert(groups, place.chain.at(-1)?.section ?? place.file, () => ({
      file: place.file,
      nodes: [],
    })).nodes.push(node);
  });
  return groups.values();
}

/** The extensions of a line, as they are written. */
function extensionsOf({ args }: Directive): readonly string[] {
  return args
    .slice(1)
    .map(({ value }) => value)
    .filter((value) => !isUnknown(value));
}

/** What sections for backends take back already: the line that it takes back, and the extension. */
function removedForBackends(index: TreeIndex): ReadonlySet<string> {
  const removed = new Set<string>();
  const look = (node: Directive, place: Place): false => {
    if (containersOf(place).some(({ section }) => section.key === 'proxy' && section.args[0]?.value === '*'))
      for (const { value } of node.args) removed.add(`${node.key.replace('remove', 'add')} ${value}`);
    return false;
  };
  index.someDirective(['RemoveOutputFilter', 'RemoveInputFilter'], look);
  return removed;
}

const isCompression = ({ key, args }: Directive): boolean =>
  key === 'addoutputfilter' && args[0]?.value.toUpperCase() === 'DEFLATE';

const namesOf = (nodes: readonly Directive[]): string =>
  [...new Set(nodes.map(({ name }) => name))].join(' and ');

function sectionFor(nodes: readonly Directive[]): string[] {
  const lines = FILTER_OF_EXTENSION.flatMap((name) => {
    const ofName = nodes.filter(({ key }) => key === name.toLowerCase());
    const extensions = [...new Set(ofName.flatMap((node) => extensionsOf(node)))];
    return extensions.length === 0
      ? []
      : [`        ${name.replace('Add', 'Remove')} ${extensions.join(' ')}`];
  });
  return ['<IfModule mod_proxy.c>', '    <Proxy *>', ...lines, '    </Proxy>', '</IfModule>'];
}
