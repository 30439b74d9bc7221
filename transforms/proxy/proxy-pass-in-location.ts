import { type TransformContext, defineTransform } from '../../src/engine';
import { type Mapping, inReadingOrder, mappingsOf, pathAndAbove } from './proxy-lines';

export default defineTransform({
  id: 'proxy-pass-in-location',
  changes: ['P06'],
  title: 'ProxyPass inside <Location> takes precedence',
  why: "In 2.2, a ProxyPass inside <Location> is one of the server's: the first match in the file serves the request. In 2.4, the last matching <Location> decides, and the server's lines count only if none has a ProxyPass.",
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: proxy_trans'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    for (const mappings of mappingsOf(context).values()) {
      const earlier = new Earlier();
      for (const mapping of inReadingOrder(context, mappings)) {
        if (mapping.isRegex) continue;
        const first = mapping.inLocation ? earlier.meeting(mapping) : undefined;
        if (first !== undefined) tell(context, first, mapping);
        earlier.add(mapping);
      }
    }
  },
});

function tell(context: TransformContext, first: Mapping, { node, place, path, url }: Mapping): void {
  const { line } = first.place.file.document.positionAt(first.node.from);
  const longer = first.path.length > path.length ? first.path : path;
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    safety: 'manual',
    message: `2.2 sent ${longer} to ${first.url === '!' ? 'no backend' : first.url} (${first.place.file.name}:${line} comes first); 2.4 sends it here, to ${url}: put the <Location> with the longer path last, or ProxyPass outside of <Location>`,
    edits: [],
  });
}

interface Ranked {
  readonly rank: number;
  readonly mapping: Mapping;
}

/** The mappings read so far, by path and by the paths above: for each the first, and the first to another backend than that. */
class Earlier {
  private count = 0;
  private readonly at = new Map<string, Ranked[]>();
  private readonly below = new Map<string, Ranked[]>();

  add(mapping: Mapping): void {
    const ranked = { rank: this.count++, mapping };
    const [own = '', ...above] = pathAndAbove(mapping.path);
    keep(this.at, own, ranked);
    for (const path of above) keep(this.below, path, ranked);
  }

  /** The first that a request can match too, one path beginning with the other, and that goes to another backend. */
  meeting({ path, url }: Mapping): Mapping | undefined {
    const paths = pathAndAbove(path);
    const found = [...paths.flatMap((one) => this.at.get(one) ?? []), ...(this.below.get(paths[0]!) ?? [])];
    const others = found.filter(({ mapping }) => mapping.url !== url);
    return others.sort((a, b) => a.rank - b.rank)[0]?.mapping;
  }
}

function keep(map: Map<string, Ranked[]>, path: string, ranked: Ranked): void {
  const list = map.get(path);
  if (list === undefined) map.set(path, [ranked]);
  else if (list.length === 1 && list[0]!.mapping.url !== ranked.mapping.url) list.push(ranked);
}
