import { decode, encode } from '../encoding';
import { diffWords } from '../diff';

const SGR: Readonly<Record<string, string>> = {
  '@': '\x1b[36m',
  '-': '\x1b[31m',
  '+': '\x1b[32m',
};
const END = '\x1b[m';
/** Inverse, and back: within the colour of the line. */
const MARK = '\x1b[7m';
const UNMARK = '\x1b[27m';

/** Blocks above this many characters are not compared word by word: nobody reads that much of it. */
const LONGEST = 4000;
/** Below this share of words in common, marked words would be most of the block. */
const IN_COMMON = 0.4;

/**
 * Colours unified diffs the way git does by default, and marks the words that differ where lines are replaced by similar ones.
 * For a person: it no longer applies.
 */
export function colourDiff(diff: string): string {
  const lines = diff.split('\n');
  const coloured: string[] = [];
  let header = false;
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    // No line of a hunk begins with a letter.
    if (line.startsWith('diff --git ')) header = true;
    else if (line.startsWith('@@ ')) header = false;
    if (header || line === '' || (line[0] !== '-' && line[0] !== '+')) {
      coloured.push(line === '' ? '' : paint(header ? '\x1b[1m' : SGR[line.charAt(0)], line));
      i++;
      continue;
    }
    const removed = linesFrom(lines, i, '-');
    const added = linesFrom(lines, i + removed.length, '+');
    i += removed.length + added.length;
    coloured.push(...colourBlock(removed, added));
  }
  return coloured.join('\n');
}

function linesFrom(lines: readonly string[], from: number, sign: '-' | '+'): readonly string[] {
  let end = from;
  while (lines[end]?.startsWith(sign) === true) end++;
  return lines.slice(from, end);
}

function paint(sgr: string | undefined, text: string): string {
  return sgr === undefined ? text : `${sgr}${text}${END}`;
}

function colourBlock(removed: readonly string[], added: readonly string[]): string[] {
  const [before, after] = markWords(body(removed), body(added));
  return [
    ...before.map((text) => paint(SGR['-'], `-${text}`)),
    ...after.map((text) => paint(SGR['+'], `+${text}`)),
  ];
}

function body(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.slice(1));
}

/** Both sides with the words marked that only they have; as they are where they have little in common. */
function markWords(
  removed: readonly string[],
  added: readonly string[],
): readonly [before: readonly string[], after: readonly string[]] {
  const [old, now] = [decode(removed.join('\n')), decode(added.join('\n'))];
  if (old === '' || now === '' || old.length + now.length > LONGEST) return [removed, added];
  const parts = diffWords(old, now);
  const words = (text: string): number => text.match(/[^ \t\n]+/g)?.length ?? 0;
  const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : words(part.value)), 0);
  if (common < IN_COMMON * Math.max(words(old), words(now))) return [removed, added];
  const side = (leftOut: 'added' | 'removed', marked: 'added' | 'removed'): string[] =>
    encode(
      parts
        .filter((part) => !part[leftOut])
        .map(({ value, ...part }) => (part[marked] ? value.replace(/[^\n]+/g, `${MARK}$&${UNMARK}`) : value))
        .join(''),
    ).split('\n');
  return [side('added', 'removed'), side('removed', 'added')];
}
