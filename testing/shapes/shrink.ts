import { type Judged, judgeTree, kindOf } from './judge';
import type { ShapeTree } from './tree';

/** Makes a failing tree small: one request where one is enough, and the lines that it takes to fail in the same way. */
export function shrunk({ tree, verdict, differences }: Judged, dual: boolean): Judged {
  const fails = (candidate: ShapeTree): boolean => judgeTree(candidate, dual).verdict === verdict;
  const alone = differences.filter((difference) => kindOf([difference]) === verdict);
  const candidates = alone.map(({ request }): ShapeTree => ({ ...tree, requests: [request] }));
  return judgeTree(shrink(candidates.slice(0, 20).find(fails) ?? tree, fails), dual);
}

/**
 * Takes away files, sections, the lines around what stands in a section, and single lines, as long as something holds of the
 * tree.
 * @param most how many smaller trees to try
 */
export function shrink(tree: ShapeTree, holds: (tree: ShapeTree) => boolean, most = 600): ShapeTree {
  let left = most;
  let least = tree;
  for (;;) {
    const next = smaller(least).find((candidate) => left-- > 0 && holds(candidate));
    if (next === undefined) return least;
    least = next;
  }
}

/** All trees that are smaller by one step, the biggest steps first. */
function smaller(tree: ShapeTree): ShapeTree[] {
  const { files } = tree;
  const needed = /^conf\/(?:httpd|modules)\.conf$|htpasswd|htgroup|mime/;
  const dropped = Object.keys(files)
    .filter((path) => !needed.test(path))
    .map((path) => ({
      ...tree,
      files: Object.fromEntries(Object.entries(files).filter(([name]) => name !== path)),
    }));
  const edited = Object.entries(files)
    .filter(
      ([path, content]) =>
        typeof content === 'string' && /\.(?:conf|htaccess)$/.test(path) && path !== 'conf/modules.conf',
    )
    .flatMap(([path, content]) =>
      smallerTexts(content as string).map((text) => ({ ...tree, files: { ...files, [path]: text } })),
    );
  return [...dropped, ...edited];
}

function smallerTexts(text: string): string[] {
  const lines = text.split('\n');
  const without = (...gone: readonly (readonly [number, number])[]): string =>
    lines.filter((_, i) => !gone.some(([from, to]) => from <= i && i <= to)).join('\n');
  const sections = lines.flatMap((line, from) => {
    if (!/^ *<[^/]/.test(line)) return [];
    const indent = line.search(/[^ ]/);
    const to = lines.findIndex(
      (other, i) => i > from && other.search(/[^ ]/) === indent && /^ *<\//.test(other),
    );
    return to < 0 ? [] : [[from, to] as const];
  });
  return [
    ...sections.map((whole) => without(whole)),
    ...sections.map(([from, to]) => without([from, from], [to, to])),
    ...lines.flatMap((line, i) =>
      line === '' || /^ *<|^(?:Listen 80|ServerRoot|Include conf\/modules)/.test(line)
        ? []
        : [without([i, i])],
    ),
  ];
}
