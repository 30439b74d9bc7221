import type { PatternNode } from './nodes';
import { readPattern } from './read';

/** How many beginnings are told apart. */
const MAX_STARTS = 32;

/** How a text begins that a pattern matches. */
export interface TextStart {
  readonly text: string;
  /** Capitals stand for its letters too, or for some. */
  readonly ignoresCase: boolean;
  /** The text, perhaps with a line end behind it, is all. */
  readonly isWhole: boolean;
}

/** What is known of a match up to some part of the pattern. */
interface Beginning extends TextStart {
  /** The match is at the start of the text. */
  readonly isAnchored: boolean;
  /** Anything may follow. */
  readonly isOpen: boolean;
}

const ANYTHING: readonly TextStart[] = [{ text: '', ignoresCase: false, isWhole: false }];

/**
 * How every text begins that PCRE finds a pattern in: one of these, in small letters where the pattern takes capitals
 * too. Where nothing is certain it is the empty beginning.
 */
export function startsOf(pattern: string): readonly TextStart[] {
  let starts = startsByPattern.get(pattern);
  if (starts === undefined) startsByPattern.set(pattern, (starts = findStarts(pattern)));
  return starts;
}

const startsByPattern = new Map<string, readonly TextStart[]>();

export function forgetStarts(): void {
  startsByPattern.clear();
}

function findStarts(pattern: string): readonly TextStart[] {
  const read = readPattern(pattern, false);
  if (read === undefined || read.asksForLineEnds) return ANYTHING;
  const from: Beginning = { ...ANYTHING[0]!, isAnchored: false, isOpen: false };
  const found = new Map<string, TextStart>();
  for (const { text, ignoresCase, isWhole, isAnchored } of extend([from], read.node)) {
    if (!isAnchored || text === '') return ANYTHING;
    const known = found.get(text);
    found.set(text, {
      text,
      ignoresCase: ignoresCase || known?.ignoresCase === true,
      isWhole: isWhole && known?.isWhole !== false,
    });
  }
  const starts = [...found.values()];
  return starts.length === 0
    ? ANYTHING
    : starts.filter((start) => !starts.some((other) => other !== start && covers(other, start)));
}

/** Whether all that begins as one says begins as the other says, too. */
function covers(wider: TextStart, start: TextStart): boolean {
  return !wider.isWhole && (wider.ignoresCase || !start.ignoresCase) && start.text.startsWith(wider.text);
}

function extend(beginnings: readonly Beginning[], node: PatternNode): readonly Beginning[] {
  const done = beginnings.filter(({ isOpen, isWhole }) => isOpen || isWhole);
  const going = beginnings.filter(({ isOpen, isWhole }) => !isOpen && !isWhole);
  if (going.length === 0) return beginnings;
  const opened = (list: readonly Beginning[]): Beginning[] =>
    list.map((start) => (start.isWhole ? start : { ...start, isOpen: true }));
  const more = extended(going, node);
  return [...done, ...(more === undefined || done.length + more.length > MAX_STARTS ? opened(going) : more)];

  /** Undefined where too many things may follow. */
  function extended(starts: readonly Beginning[], part: PatternNode): readonly Beginning[] | undefined {
    switch (part.kind) {
      case 'place':
        if (part.place === '^')
          return starts.flatMap((start) => (start.text === '' ? { ...start, isAnchored: true } : []));
        return part.place === '$' ? starts.map((start) => ({ ...start, isWhole: start.isAnchored })) : starts;
      case 'byte': {
        const letters = lettersOf(part.set);
        return letters?.flatMap(({ letter, hasBoth }) =>
          starts.map((start) =>
            start.isAnchored
              ? { ...start, text: start.text + letter, ignoresCase: start.ignoresCase || hasBoth }
              : { ...start, isOpen: true },
          ),
        );
      }
      case 'row': {
        let list = starts;
        for (const child of part.parts) list = extend(list, child);
        return list;
      }
      case 'choice':
        return part.parts.flatMap((child) => extend(starts, child));
      case 'repeat': {
        if (part.most === 0) return starts;
        const once = extend(starts, part.part);
        const after = part.most === 1 ? once : opened(once);
        return part.least === 0 ? [...starts, ...after] : after;
      }
    }
  }
}

/** The bytes of a set, both cases of a letter as the small one; undefined for many. */
function lettersOf(set: Uint8Array): readonly { letter: string; hasBoth: boolean }[] | undefined {
  const found = [];
  for (let byte = set.indexOf(1); byte >= 0; byte = set.indexOf(1, byte + 1)) {
    const letter = String.fromCharCode(byte);
    const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()];
    const hasBoth =
      byte < 128 && small !== capital && set[small.charCodeAt(0)] === 1 && set[capital.charCodeAt(0)] === 1;
    if (hasBoth && letter === capital) continue;
    found.push({ letter, hasBoth });
    if (found.length > 8) return undefined;
  }
  return found;
}
