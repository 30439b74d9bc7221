import { type ByteSet, bytes, complement, ignoringCase, NAMED_SETS, union } from './byte-sets';
import { byteAt, setOf, UnreadPattern } from './escapes';

const NAMED = /\[([:.=])(\^?)([^\]]*?)\1\]/y;
const OCTAL = /\\[0-7]{1,3}/y;

interface ReadClass {
  readonly set: ByteSet;
  /** Behind the bracket that closes it. */
  readonly end: number;
  /** Whether it has `\s` or `\S`. */
  readonly asksForBlanks: boolean;
}

/**
 * Reads the brackets at `start` (pcrepattern: Square brackets and character classes).
 * @throws UnreadPattern for brackets that are not closed, or that the releases of PCRE do not read in one way
 */
export function readClass(pattern: string, start: number, ignoreCase: boolean): ReadClass {
  let at = start + 1;
  const isNegated = pattern.charAt(at) === '^';
  if (isNegated) at++;
  const sets: ByteSet[] = [];
  let asksForBlanks = false;
  /** The member before, if it may begin a range. */
  let before: number | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const char = pattern.charAt(at);
    if (char === '') throw new UnreadPattern();
    if (char === ']' && !isFirst) {
      const set = union(...sets);
      const folded = ignoreCase ? ignoringCase(set) : set;
      return { set: isNegated ? complement(folded) : folded, end: at + 1, asksForBlanks };
    }
    if (char === '-' && before !== undefined && pattern.charAt(at + 1) !== ']') {
      const last = readMember(pattern, at + 1, ignoreCase);
      // A hyphen before a set stands for itself, or is an error.
      if (typeof last.member !== 'number' || last.member < before) throw new UnreadPattern();
      sets.push(bytes([before, last.member]));
      before = undefined;
      at = last.end;
      continue;
    }
    const { member, end } = readMember(pattern, at, ignoreCase);
    asksForBlanks ||= char === '\\' && /[sS]/.test(pattern.charAt(at + 1));
    sets.push(typeof member === 'number' ? bytes([member, member]) : member);
    before = typeof member === 'number' ? member : undefined;
    at = end;
  }
}

function readMember(
  pattern: string,
  at: number,
  ignoreCase: boolean,
): { member: number | ByteSet; end: number } {
  NAMED.lastIndex = at;
  const named = NAMED.exec(pattern);
  if (named !== null) {
    const [text, kind, negation, name = ''] = named;
    const isCase = name === 'upper' || name === 'lower';
    const set = NAMED_SETS[ignoreCase && isCase ? 'alpha' : name];
    if (kind !== ':' || set === undefined) throw new UnreadPattern();
    return { member: negation === '^' ? complement(set) : set, end: at + text.length };
  }
  const char = pattern.charAt(at);
  if (char !== '\\') {
    const code = char.charCodeAt(0);
    if (!(code <= 255)) throw new UnreadPattern();
    return { member: code, end: at + 1 };
  }
  const letter = pattern.charAt(at + 1);
  if (letter === 'b') return { member: 8, end: at + 2 };
  const octal = octalAt(pattern, at);
  if (octal !== undefined) return octal;
  const escaped = byteAt(pattern, at);
  if (escaped !== undefined) return { member: escaped.byte, end: escaped.end };
  const set = setOf(letter);
  if (set !== undefined) return { member: set, end: at + 2 };
  if (letter === '' || /[A-Za-z0-9]/.test(letter)) throw new UnreadPattern();
  return { member: letter.charCodeAt(0), end: at + 2 };
}

function octalAt(pattern: string, at: number): { member: number; end: number } | undefined {
  OCTAL.lastIndex = at;
  const text = OCTAL.exec(pattern)?.[0];
  if (text === undefined) return undefined;
  const member = Number.parseInt(text.slice(1), 8);
  if (member > 255) throw new UnreadPattern();
  return { member, end: at + text.length };
}
