import { type ByteSet, complement, ESCAPED_SETS } from './byte-sets';

/** Thrown while a pattern is read, and caught by the reader: PCRE refuses it, or it is not read here. */
export class UnreadPattern extends Error {}

const HEX = /\\x(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{1,2}))/y;
const OCTAL = /\\0[0-7]{0,2}/y;
const CONTROL = /\\c[ -~]/y;

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** The set that a letter behind a backslash stands for. */
export function setOf(letter: string): ByteSet | undefined {
  const set = ESCAPED_SETS[letter.toLowerCase()];
  return set !== undefined && letter !== letter.toLowerCase() ? complement(set) : set;
}

/**
 * The byte that the escape at an offset stands for, and where the escape ends; undefined for another escape.
 * @throws UnreadPattern for one without its digits, or for more than a byte
 */
export function byteAt(pattern: string, at: number): { byte: number; end: number } | undefined {
  const letter = pattern.charAt(at + 1);
  const control = CONTROLS[letter];
  if (control !== undefined) return { byte: control, end: at + 2 };
  if (!'x0co'.includes(letter) || letter === '') return undefined;
  const exec = (regex: RegExp): RegExpExecArray | null => {
    regex.lastIndex = at;
    return regex.exec(pattern);
  };
  const found = exec(HEX) ?? exec(OCTAL) ?? exec(CONTROL);
  if (found === null) throw new UnreadPattern();
  const [text, braced, digits] = found;
  const byte =
    letter === 'c'
      ? text.charCodeAt(2) ^ (/[a-z]/.test(text.charAt(2)) ? 96 : 64)
      : letter === '0'
        ? Number.parseInt(text.slice(1), 8)
        : Number.parseInt((braced ?? digits)!, 16);
  if (byte > 255) throw new UnreadPattern();
  return { byte, end: at + text.length };
}
