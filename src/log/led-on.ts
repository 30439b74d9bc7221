import { type ConfigTree, visitTree } from '../config';

/** What leads a request, or a part of its answer, to another file than its URL names, in a way that a log does not show. */
const LEADING = new Set([
  'action', 'checkspelling', 'errordocument', 'fallbackresource', 'script', 'xbithack',
]); // prettier-ignore
const ALIASES = new Set(['alias', 'aliasmatch', 'scriptalias', 'scriptaliasmatch']);
const LEADING_WORD = /^[+]?(?:multiviews|server-parsed|type-map)$|\bincludes/i;

/** The names of index files that a configuration gives; undefined where requests may be led to files in other ways, too. */
export function indexFilesAlone(tree: ConfigTree): readonly string[] | undefined {
  const names = new Set(['index.html']);
  let isLed = false;
  visitTree(tree, (node) => {
    if (node.kind !== 'directive') return;
    const words = node.args.map(({ value }) => value);
    if (node.key === 'directoryindex') for (const word of words) names.add(word);
    isLed ||= LEADING.has(node.key) || words.some((word) => LEADING_WORD.test(word));
    // An alias of a file: its name has another extension than the URL.
    isLed ||= ALIASES.has(node.key) && /\.[^./]*$/.test(words.at(-1) ?? '');
  });
  return isLed || [...names].some((name) => name.startsWith('/')) ? undefined : [...names];
}
