import { type TransformContext, defineTransform } from '../../src/engine';
import { findsPattern, startsOf } from '../../src/regex';
import { type Mapping, inReadingOrder, mappingsOf, pathAndAbove } from './proxy-lines';

export default defineTransform({
  id: 'proxy-pass-in-location',
  changes: ['P06'],
  title: 'ProxyPass inside <Location> takes precedence',
  why: "In 2.2, a ProxyPass inside <Location> counts as one of the server's, and the first match in the file serves the request. In 2.4, the last matching <Location> decides, and the server's lines count only if no matching <Location> has a ProxyPass.",
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: proxy_trans'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    for (const mappings of mappingsOf(context).values()) {
      const earlier = new EarlierMappings();
      const patterns: Mapping[] = [];
      for (const mapping of inReadingOrder(context, mappings)) {
        if (mapping.isRegex) {
          if (mapping.node.key === 'proxypassmatch' && patterns.length < MAX_PATTERNS) patterns.push(mapping);
          continue;
        }
        const first = mapping.inLocation
          ? (earlier.firstConflict(mapping) ?? patterns.find((pattern) => mayMatchBoth(pattern, mapping)))
          : undefined;
        if (first !== undefined) reportConflict(context, first, mapping);
        earlier.add(mapping);
      }
    }
  },
});

/** How many patterns of a server are compared with each section. */
const MAX_PATTERNS = 100;

/** Whether a request below a path may match a pattern that leads to another backend. */
function mayMatchBoth(pattern: Mapping, { path, url }: Mapping): boolean {
  if (pattern.url === url) return false;
  const top = path.replace(/\/+$/, '');
  if (startsOf(pattern.path).some(({ text }) => text.startsWith(`${top}/`) || text === top)) return true;
  const endings = [...pattern.path.matchAll(/\\\.(?:\((?:\?:)?)?(\w+)/g)].map(([, ending]) => `/x.${ending}`);
  return ['', '/', '/x', '/x/y', ...endings].some(
    (below) => findsPattern(pattern.path, top + below) !== false,
  );
}

function reportConflict(
  context: TransformContext,
  first: Mapping,
  { node, place, path, url }: Mapping,
): void {
  const { line } = first.place.file.document.positionAt(first.node.from);
  const longer = !first.isRegex && first.path.length > path.length ? first.path : path;
  const remedy = first.isRegex
    ? 'move ProxyPass out of <Location>, behind that line'
    : 'put the <Location> with the longer path last, or move ProxyPass out of <Location>';
  const matching = first.isRegex ? ` that match ${first.path}` : '';
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    message: `2.2 sent requests for ${longer}${matching} to ${backendName(first.url)} (${first.place.file.name}:${line} comes first); 2.4 sends them to ${backendName(url)}: ${remedy}`,
  });
}

function backendName(url: string): string {
  return url === '!' ? 'no backend' : url;
}

interface RankedMapping {
  readonly rank: number;
  readonly mapping: Mapping;
}

/** The mappings read so far, by path and the paths above: for each the first, and the first to another backend. */
class EarlierMappings {
  private count = 0;
  private readonly byPath = new Map<string, RankedMapping[]>();
  private readonly byParentPath = new Map<string, RankedMapping[]>();

  add(mapping: Mapping): void {
    const ranked = { rank: this.count++, mapping };
    const [ownPath = '', ...above] = pathAndAbove(mapping.path);
    addRanked(this.byPath, ownPath, ranked);
    for (const path of above) addRanked(this.byParentPath, path, ranked);
  }

  /** The first mapping to another backend that the same request can match, because one path begins with the other. */
  firstConflict({ path, url }: Mapping): Mapping | undefined {
    const paths = pathAndAbove(path);
    const found = [
      ...paths.flatMap((pathOrParent) => this.byPath.get(pathOrParent) ?? []),
      ...(this.byParentPath.get(paths[0]!) ?? []),
    ];
    const others = found.filter(({ mapping }) => mapping.url !== url);
    return others.sort((a, b) => a.rank - b.rank)[0]?.mapping;
  }
}

function addRanked(map: Map<string, RankedMapping[]>, path: string, ranked: RankedMapping): void {
  const list = map.get(path);
  if (list === undefined) map.set(path, [ranked]);
  else if (list.length === 1 && list[0]!.mapping.url !== ranked.mapping.url) list.push(ranked);
}
