import { defineTransform } from '../src/engine';
import { type Mapping, inReadingOrder, mappingsOf } from './proxy-lines';

export default defineTransform({
  id: 'proxy-pass-in-location',
  seed: ['P06'],
  title: 'ProxyPass inside <Location> comes before all others',
  why: '2.2 put a ProxyPass inside <Location> in line with those of the server: of all that match, the first in the file served the request. In 2.4 the last <Location> that matches decides, and only where none has a ProxyPass do those of the server count.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: proxy_trans'],
  directives: [],
  run(context) {
    for (const mappings of mappingsOf(context).values()) {
      const plain = inReadingOrder(context, mappings).filter(({ isRegex }) => !isRegex);
      plain.forEach((later, i) => {
        if (!later.inLocation) return;
        const earlier = plain.slice(0, i).find((one) => one.url !== later.url && meet(one, later));
        if (earlier === undefined) return;
        const { line } = earlier.place.file.document.positionAt(earlier.node.from);
        const longer = earlier.path.length > later.path.length ? earlier.path : later.path;
        context.report({
          file: later.place.file,
          at: later.node.from,
          level: 'warning',
          safety: 'manual',
          message: `2.2 sent ${longer} to ${earlier.url === '!' ? 'no backend' : earlier.url} (${earlier.place.file.name}:${line} comes first); 2.4 sends it here, to ${later.url}: put the <Location> with the longer path last, or ProxyPass outside of <Location>`,
          edits: [],
        });
      });
    }
  },
});

/** Whether a request can match both: one path begins with the other. */
function meet(a: Mapping, b: Mapping): boolean {
  const [x, y] = [a.path.replace(/\/+$/, ''), b.path.replace(/\/+$/, '')];
  return x === y || x.startsWith(`${y}/`) || y.startsWith(`${x}/`);
}
