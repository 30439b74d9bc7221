import { type Verdict, judgeTree, kindOf } from './judge';
import type { ServedTree } from './tree';

/**
 * Makes a failing tree small: takes away files, sections, the lines around what stands in a section, and single lines, as long as it fails
 * in the same way. What is left are one request and the lines that it takes.
 * @param most how many smaller trees to try
 */
export function shrink(tree: ServedTree, verdict: Verdict, dual: boolean, most = 600): ServedTree {
  let left = most;
  const fails = (candidate: ServedTree): boolean =>
    left-- > 0 && judgeTree(candidate, dual).verdict === verdict;
  let least = withFailingRequest(tree, verdict, dual, fails);
  for (;;) {
    const next = smaller(least).find(fails);
    if (next === undefined) return least;
    least = next;
  }
}

/** One request is enough, unless the tree then fails in another way. */
function withFailingRequest(
  tree: ServedTree,
  verdict: Verdict,
  dual: boolean,
  fails: (tree: ServedTree) => boolean,
): ServedTree {
  const alone = judgeTree(tree, dual).differences.filter((difference) => kindOf([difference]) === verdict);
  const candidates = alone.map(({ request }) => ({ ...tree, requests: [request] }));
  return candidates.slice(0, 20).find(fails) ?? tree;
}

/** All trees that are smaller by one step, the biggest steps first. */
function smaller(tree: ServedTree): ServedTree[] {
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
