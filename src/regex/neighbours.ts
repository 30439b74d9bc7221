import type { PatternNode } from './nodes';
import { readPattern } from './read';

/** What the texts that a part of a pattern matches have of one byte. */
interface PartBytes {
  readonly mayBeEmpty: boolean;
  readonly mayBegin: boolean;
  readonly mayEnd: boolean;
  readonly mayHave: boolean;
  /** Twice in a row. */
  readonly mayDouble: boolean;
}

const EMPTY: PartBytes = {
  mayBeEmpty: true,
  mayBegin: false,
  mayEnd: false,
  mayHave: false,
  mayDouble: false,
};

/**
 * Whether a text that a pattern finds may have a byte, and may have it twice in a row: where it has not, the pattern finds
 * it as well in a text with each row of that byte cut to one. What is not read may do both.
 */
export function neighboursIn(pattern: string, byte: number): Pick<PartBytes, 'mayHave' | 'mayDouble'> {
  const read = readPattern(pattern, false);
  return read?.isExact === true && !asksForWords(read.node)
    ? partOf(read.node, byte)
    : { mayHave: true, mayDouble: true };
}

/** Whether a pattern looks at what stands beside a match. */
function asksForWords(node: PatternNode): boolean {
  if (node.kind === 'place') return node.place !== '^' && node.place !== '$';
  if (node.kind === 'byte') return false;
  return node.kind === 'repeat' ? asksForWords(node.part) : node.parts.some(asksForWords);
}

function partOf(node: PatternNode, byte: number): PartBytes {
  switch (node.kind) {
    case 'place':
      return EMPTY;
    case 'byte': {
      const isIn = node.set[byte] === 1;
      return { mayBeEmpty: false, mayBegin: isIn, mayEnd: isIn, mayHave: isIn, mayDouble: false };
    }
    case 'row':
      return node.parts.map((part) => partOf(part, byte)).reduce(inRow, EMPTY);
    case 'choice': {
      const parts = node.parts.map((part) => partOf(part, byte));
      const some = (key: keyof PartBytes): boolean => parts.some((part) => part[key]);
      return {
        mayBeEmpty: some('mayBeEmpty'),
        mayBegin: some('mayBegin'),
        mayEnd: some('mayEnd'),
        mayHave: some('mayHave'),
        mayDouble: some('mayDouble'),
      };
    }
    case 'repeat': {
      if (node.most === 0) return EMPTY;
      const part = partOf(node.part, byte);
      const repeated = node.most > 1 ? inRow(part, part) : part;
      return { ...repeated, mayBeEmpty: part.mayBeEmpty || node.least === 0 };
    }
  }
}

function inRow(a: PartBytes, b: PartBytes): PartBytes {
  return {
    mayBeEmpty: a.mayBeEmpty && b.mayBeEmpty,
    mayBegin: a.mayBegin || (a.mayBeEmpty && b.mayBegin),
    mayEnd: b.mayEnd || (b.mayBeEmpty && a.mayEnd),
    mayHave: a.mayHave || b.mayHave,
    mayDouble: a.mayDouble || b.mayDouble || (a.mayEnd && b.mayBegin),
  };
}
