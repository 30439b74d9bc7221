/** A set of bytes: 1 at the index of each that is in it. */
export type ByteSet = Uint8Array;

const BYTES = 256;

/** @param ranges pairs of the first and the last byte */
export function bytes(...ranges: readonly (readonly [first: number, last: number])[]): ByteSet {
  const set = new Uint8Array(BYTES);
  for (const [first, last] of ranges) set.fill(1, first, last + 1);
  return set;
}

export function union(...sets: readonly ByteSet[]): ByteSet {
  const all = new Uint8Array(BYTES);
  for (const set of sets) for (let byte = 0; byte < BYTES; byte++) all[byte]! |= set[byte]!;
  return all;
}

export function complement(set: ByteSet): ByteSet {
  return set.map((isIn) => 1 - isIn);
}

const CASE = 32;
const isLetter = (byte: number): boolean => (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

/** The set with both cases of every ASCII letter in it: httpd gives PCRE no table for other letters. */
export function ignoringCase(set: ByteSet): ByteSet {
  const all = set.slice();
  for (let byte = 0; byte < BYTES; byte++) if (set[byte] === 1 && isLetter(byte)) all[byte ^ CASE] = 1;
  return all;
}

const code = (text: string): number => text.charCodeAt(0);
const between = (first: string, last: string): [number, number] => [code(first), code(last)];

const DIGITS = bytes(between('0', '9'));
const LETTERS = bytes(between('a', 'z'), between('A', 'Z'));
const ALPHANUMERIC = union(DIGITS, LETTERS);
const WORD = union(ALPHANUMERIC, bytes(between('_', '_')));
const SPACE = bytes([9, 13], [32, 32]);
const GRAPHIC = bytes([33, 126]);
export const ANY_BYTE = bytes([0, 255]);
export const NO_LINE_END = complement(bytes([10, 10]));

/** `\d` and the like, each also with a capital letter for all other bytes (pcrepattern: Generic character types). */
export const ESCAPED_SETS: Readonly<Record<string, ByteSet>> = {
  d: DIGITS,
  w: WORD,
  s: SPACE,
  h: bytes([9, 9], [32, 32], [0xa0, 0xa0]),
  v: bytes([10, 13], [0x85, 0x85]),
};

/** `[:alpha:]` and the like in the C locale (pcrepattern: POSIX character classes). */
export const NAMED_SETS: Readonly<Record<string, ByteSet>> = {
  __proto__: null!,
  alnum: ALPHANUMERIC,
  alpha: LETTERS,
  ascii: bytes([0, 127]),
  blank: bytes([9, 9], [32, 32]),
  cntrl: bytes([0, 31], [127, 127]),
  digit: DIGITS,
  graph: GRAPHIC,
  lower: bytes(between('a', 'z')),
  print: bytes([32, 126]),
  punct: GRAPHIC.map((isIn, byte) => isIn & (1 - ALPHANUMERIC[byte]!)),
  space: SPACE,
  upper: bytes(between('A', 'Z')),
  word: WORD,
  xdigit: bytes(between('0', '9'), between('a', 'f'), between('A', 'F')),
};
