import fc from 'fast-check';
import { type RandomTree, randomTree, splitTree } from '../access/random-trees';
import { text } from '../shapes/bodies';
import { KIND_NAMES } from '../shapes/kinds';
import { URIS, treeOf } from '../shapes/layout';
import { treesAtRandom } from '../shapes/run';
import type { ShapeTree } from '../shapes/tree';

/**
 * The servers that mutants convert: so many of each kind of shape, and of each generator of access lines. The same seed always
 * gives the same.
 */
export function serversToConvert(seed: number, count: number): readonly ShapeTree[] {
  const shapes = KIND_NAMES.flatMap((kind) => [...treesAtRandom(kind, seed, count)]);
  const random = Object.entries({ random: randomTree, split: splitTree }).flatMap(([name, trees]) =>
    fc.sample(trees, { numRuns: 2 * count, seed }).map((tree, i) => asServer(`${name}-${seed}-${i}`, tree)),
  );
  return [...shapes, ...random];
}

/** The clients of the shapes for those that the random access lines name. */
const CLIENTS: Readonly<Record<string, string>> = {
  '127.0.0.2': '192.168.1.5',
  '127.1': '10.1',
  '127.2': '10.2',
};

function asServer(name: string, { conf, htaccess, defines }: RandomTree): ShapeTree {
  const linesOf = (given: string): string[] =>
    given
      .replaceAll('@DOCROOT@', '@B@/htdocs')
      .replace(/env=!?\w+/g, '172.16')
      .replace(/127\.0\.0\.2|127\.[12]/g, (address) => CLIENTS[address]!)
      .split('\n');
  const files = Object.entries(htaccess).map(([at, given]) => {
    const path = ['htdocs', ...(at === '' ? [] : [at]), '.htaccess'].join('/');
    return [path, linesOf(given)] as const;
  });
  const server = linesOf(conf);
  return treeOf({
    name,
    server,
    files: Object.fromEntries(files),
    uris: URIS,
    root: ['Options FollowSymLinks', 'AllowOverride All'],
    methods: /<Limit/i.test(conf + text(files.flatMap(([, lines]) => lines))) ? ['GET', 'POST'] : ['GET'],
    ...(defines === undefined ? {} : { defines }),
  });
}
