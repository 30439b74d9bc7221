/** Stands in a folded text for words that differ. */
const GAP = '…';

/** So much of the longer text two messages have to share to be one message about different things. */
const SHARED = 0.5;

/**
 * Texts made from the same sentence, folded into one: the words that all have, in their order, with `…` for those that differ.
 * Texts that share less than half of their words stay apart. In the order of the first text of each.
 */
export function folded(texts: readonly string[]): readonly string[] {
  const templates: string[][] = [];
  for (const text of texts) {
    const words = text.split(' ');
    const all = templates.map((template) => common(template, words));
    const best = all.findIndex(
      (shared, i) => count(shared) >= SHARED * Math.max(count(templates[i]!), words.length),
    );
    if (best < 0) templates.push(words);
    else templates[best] = all[best]!;
  }
  return templates.map((template) => template.join(' '));
}

const count = (words: readonly string[]): number => words.filter((word) => word !== GAP).length;

/** The longest sequence of words that both have, with a gap wherever one of them has more. */
function common(a: readonly string[], b: readonly string[]): string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] =
        a[i] === b[j] && a[i] !== GAP
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const shared: string[] = [];
  const addGap = (): void => void (shared.at(-1) === GAP || shared.push(GAP));
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length)
    if (a[i] === b[j] && a[i] !== GAP) {
      shared.push(a[i]!);
      i++;
      j++;
    } else {
      addGap();
      if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
      else j++;
    }
  if (i < a.length || j < b.length) addGap();
  return shared;
}
