import { findsPattern } from '../../regex';
import { Unreadable } from './lines';

/** Whether a regular expression of the configuration finds something. @throws Unreadable where that is not certain */
export function finds(pattern: string, text: string, ignoreCase = false): boolean {
  const found = findsPattern(pattern, text, ignoreCase);
  if (found === undefined) throw new Unreadable(pattern);
  return found;
}

export const isGlob = (word: string): boolean => /[*?[]/.test(word);

/** Characters of a pattern times those of a text. */
const MAX_STEPS = 1_000_000;

/**
 * Whether a whole text is what a pattern of names is for (apr_fnmatch.c). Goes back to the last `*` alone, so it takes no longer
 * than one text times the other.
 * @throws Unreadable where that is too long
 * @param path nothing but a slash stands for a slash
 */
export function globMatches(glob: string, text: string, path = false): boolean {
  if (glob.length * text.length > MAX_STEPS) throw new Unreadable(glob.slice(0, 80));
  let [g, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    const used = glob[g] === '*' ? 0 : matchOne(glob, g, text[t]!, path);
    if (glob[g] === '*') {
      star = g++;
      mark = t;
    } else if (used > 0) {
      g += used;
      t++;
    } else if (star >= 0 && !(path && text[mark] === '/')) {
      g = star + 1;
      t = ++mark;
    } else return false;
  }
  while (glob[g] === '*') g++;
  return g >= glob.length;
}

/** How much of a pattern stands for a character; 0 where it is for another. */
function matchOne(glob: string, at: number, char: string, path: boolean): number {
  const first = glob[at];
  if (first === undefined) return 0;
  if (first === '?') return path && char === '/' ? 0 : 1;
  if (first === '\\' && at + 1 < glob.length) return glob[at + 1] === char ? 2 : 0;
  if (first !== '[') return first === char ? 1 : 0;
  const end = glob.indexOf(']', at + 2);
  if (end < 0) return char === '[' ? 1 : 0;
  if (path && char === '/') return 0;
  const negated = glob[at + 1] === '!' || glob[at + 1] === '^';
  let hit = false;
  for (let i = at + (negated ? 2 : 1); i < end; i++) {
    if (glob[i + 1] === '-' && i + 2 < end) {
      hit ||= glob[i]! <= char && char <= glob[i + 2]!;
      i += 2;
    } else hit ||= glob[i] === char;
  }
  return hit === negated ? 0 : end + 1 - at;
}
