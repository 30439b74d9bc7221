import type { PatternChangeKind } from '../../../src/httpd/pcre2';
import { hasPlaceholder } from '../../../src/syntax';
import { byText } from './by-text';

/** A part of a pattern that PCRE2 refuses, or reads in another way than PCRE 8; offsets into the pattern. */
export interface PatternPart {
  readonly kind: PatternChangeKind;
  readonly start: number;
  readonly end: number;
  /** A replacement that means the same in all releases; undefined where the meaning is uncertain. */
  readonly text?: string | undefined;
  /** The part as messages show it. */
  readonly found: string;
}

/** The parts in the order of the pattern; none if every release refuses the pattern, or if it is a template. */
export const patternParts = byText((pattern) =>
  /\\[A-Za-z89]|\{|\(\?|\[\[?:/.test(pattern) && !hasPlaceholder(pattern)
    ? new PatternReader(pattern).read()
    : [],
);

/** The pattern in a form that means the same in all releases; undefined where its meaning is uncertain. */
export function patternForPcre2(pattern: string): string | undefined {
  let text = '';
  let from = 0;
  for (const part of patternParts(pattern)) {
    if (part.text === undefined) return undefined;
    text += pattern.slice(from, part.start) + part.text;
    from = part.end;
  }
  return text + pattern.slice(from);
}

/** Letters that stand for themselves after a backslash in PCRE 8. */
const LITERAL_LETTERS = 'FIJMOTYijmqy';
/** In brackets, also the letters that outside of them are assertions or match several characters. */
const LITERAL_LETTERS_IN_CLASS = `${LITERAL_LETTERS}ABCGKRXZkz`;

/** `{n}`, `{n,}` or `{n,m}`: quantifiers in every release. */
const QUANTIFIER = /\{[0-9]+(?:,[0-9]*)?\}/y;
/** Quantifiers since 10.43. */
const NEW_QUANTIFIER = /\{[ \t]*(?:[0-9]+[ \t]*(?:,[ \t]*[0-9]*)?|,[ \t]*[0-9]+)[ \t]*\}/y;
const SUBROUTINE_CALL = /\(\?(?:R|[+-]?[0-9]+|&\w+|P>\w+)\)/y;
const SUBROUTINE_ESCAPE = /\\g(?:<[^>]*>|'[^']*')/y;
const INLINE_OPTIONS = /\(\?([imsxJUX]*)(?:-([imsxJUX]*))?([:)])/y;
const BRACED_ESCAPE = /\\[xpPogkN]\{[^}]*\}/y;
/** Refused since PCRE 8.34. */
const BAD_HEX_CODE = /\\x\{(?![0-9A-Fa-f]+\})/y;
const POSIX_CLASS = /\[:\^?[a-z]+:\]/y;

interface PatternGroup {
  readonly asserts: boolean;
  extended: boolean;
}

class PatternReader {
  readonly #parts: PatternPart[] = [];
  readonly #groups: PatternGroup[] = [];
  #at = 0;
  #captures = 0;
  #extended = false;

  constructor(private readonly pattern: string) {}

  read(): readonly PatternPart[] {
    const pattern = this.pattern;
    while (this.#at < pattern.length) {
      const char = pattern.charAt(this.#at);
      if (char === '\\') {
        if (!this.#readEscape()) return [];
      } else if (char === '[') {
        if (!this.#readClass()) return [];
      } else if (char === '(') {
        if (!this.#openGroup()) return [];
      } else if (char === ')') {
        const group = this.#groups.pop();
        if (group === undefined) return [];
        this.#extended = group.extended;
        this.#at++;
      } else if (char === '{') this.#quantifier();
      else if (char === '#' && this.#extended) {
        const end = pattern.indexOf('\n', this.#at);
        this.#at = end < 0 ? pattern.length : end;
      } else this.#at++;
    }
    if (this.#groups.length > 0) return [];
    return this.#parts.filter(
      ({ kind, found }) => kind !== 'reference-digit' || Number(found.slice(1)) > this.#captures,
    );
  }

  #match(regex: RegExp): RegExpExecArray | null {
    regex.lastIndex = this.#at;
    return regex.exec(this.pattern);
  }

  #addPart(kind: PatternChangeKind, end: number, text?: string): void {
    const start = this.#at;
    this.#parts.push({ kind, start, end, text, found: this.pattern.slice(start, end) });
  }

  /** @returns false where every release refuses the pattern */
  #readEscape(): boolean {
    const pattern = this.pattern;
    const at = this.#at;
    const letter = pattern.charAt(at + 1);
    if (letter === '' || this.#match(BAD_HEX_CODE) !== null) return false;
    if (letter === 'Q') {
      const end = pattern.indexOf('\\E', at);
      this.#at = end < 0 ? pattern.length : end + 2;
      return true;
    }
    const call = this.#match(SUBROUTINE_ESCAPE)?.[0];
    if (call !== undefined) {
      this.#addPart('recursion', at + call.length);
      this.#at += call.length;
      return true;
    }
    const end = this.#escapeEnd();
    if (LITERAL_LETTERS.includes(letter) || (/[ogk]/.test(letter) && end === at + 2)) this.#literal();
    else if (letter === 'K' && this.#groups.some(({ asserts }) => asserts))
      this.#addPart('keep-in-assertion', end);
    else if (letter === '8' || letter === '9') {
      // Alone it was the digit; before more digits not in all releases.
      const code = `\\x${letter.charCodeAt(0).toString(16)}`;
      this.#addPart('reference-digit', end, end === at + 2 ? code : undefined);
    } else if (letter === 'g' && Number(/[0-9]+/.exec(pattern.slice(at, end))?.[0] ?? 0) > 65535)
      this.#addPart('group-number', end);
    else this.#codeEscape(end);
    this.#at = end;
    return true;
  }

  /** Escapes that are the same inside and outside of brackets. */
  #codeEscape(end: number): void {
    const letter = this.pattern.charAt(this.#at + 1);
    if (letter === 'x' && end === this.#at + 2) this.#addPart('hex-digits', end, '\\x00');
    if (letter === 'c' && end === this.#at + 3 && /[^ -~]/.test(this.pattern.charAt(end - 1)))
      this.#addPart('control', end);
  }

  /** Removes the backslash of a letter, unless the letter would join a hexadecimal code or a class name before it. */
  #literal(): void {
    const at = this.#at;
    const letter = this.pattern.charAt(at + 1);
    const joins = /(?:\\x[0-9A-Fa-f]?|:\^?)$/.test(this.pattern.slice(Math.max(0, at - 3), at));
    this.#addPart('escape', at + 2, joins ? `\\x${letter.charCodeAt(0).toString(16)}` : letter);
  }

  #escapeEnd(): number {
    const at = this.#at;
    const braced = this.#match(BRACED_ESCAPE);
    if (braced !== null) return at + braced[0].length;
    const rest = this.pattern.slice(at + 1, at + 12);
    const length =
      /^(?:x[0-9A-Fa-f]{0,2}|c[^]|g[+-]?[0-9]+|[89][0-9]*|[1-7][0-9]{0,2}|0[0-7]{0,2}|[pP]\^?[^]|k(?:<[^>]*>|'[^']*'))/.exec(
        rest,
      )?.[0].length;
    return at + 1 + (length ?? 1);
  }

  #quantifier(): void {
    const quantifier = this.#match(QUANTIFIER)?.[0];
    const newQuantifier = quantifier === undefined ? this.#match(NEW_QUANTIFIER)?.[0] : undefined;
    if (newQuantifier !== undefined)
      this.#parts.push({ kind: 'brace', start: this.#at, end: this.#at, text: '\\', found: newQuantifier });
    this.#at += (quantifier ?? newQuantifier ?? '{').length;
  }

  #openGroup(): boolean {
    const pattern = this.pattern;
    const at = this.#at;
    const asserts = /^\(\?<?[=!]/.test(pattern.slice(at, at + 4));
    if (/^\(\*[A-Z:]/.test(pattern.slice(at, at + 3)) || pattern.startsWith('(?#', at)) {
      const end = pattern.indexOf(')', at);
      this.#at = end + 1;
      return end >= 0;
    }
    const call = this.#match(SUBROUTINE_CALL)?.[0];
    if (call !== undefined) {
      this.#addPart('recursion', at + call.length);
      this.#at += call.length;
      return true;
    }
    const options = this.#match(INLINE_OPTIONS);
    if (options !== null) {
      const [group, enabled = '', disabled = '', close] = options;
      if (`${enabled}${disabled}`.includes('X'))
        this.#addPart('option-extra', at + group.length, withoutExtra(group));
      if (close === ':') this.#groups.push({ asserts: false, extended: this.#extended });
      if (enabled.includes('x')) this.#extended = true;
      if (disabled.includes('x')) this.#extended = false;
      this.#at += group.length;
      return true;
    }
    this.#groups.push({ asserts, extended: this.#extended });
    if (pattern.startsWith('(?(', at)) {
      // A condition: an assertion is read as such, anything else is a name or a number.
      const end = pattern.indexOf(')', at);
      this.#at = pattern.charAt(at + 3) === '?' ? at + 2 : end + 1;
      return end >= 0;
    }
    const named = /^\(\?(?:P?<\w|'\w)/.test(pattern.slice(at, at + 5));
    if (named || pattern.charAt(at + 1) !== '?') this.#captures++;
    this.#at += pattern.charAt(at + 1) === '?' ? 2 : 1;
    return true;
  }

  /** @returns false where the brackets are not closed, or are refused by every release */
  #readClass(): boolean {
    const pattern = this.pattern;
    this.#at++;
    if (pattern.charAt(this.#at) === '^') this.#at++;
    /** The member before: the code of a character, which may begin a range, or a set of characters, which may not. */
    let before: number | 'set' | undefined;
    let first = true;
    let quoted = false;
    while (this.#at < pattern.length) {
      const start = this.#at;
      if (pattern.startsWith(quoted ? '\\E' : '\\Q', start)) {
        quoted = !quoted;
        this.#at += 2;
        continue;
      }
      if (quoted) {
        before = pattern.charCodeAt(this.#at++);
        first = false;
        continue;
      }
      if (pattern.startsWith('\\E', start)) {
        this.#at += 2;
        continue;
      }
      const char = pattern.charAt(start);
      if (char === ']' && !first) {
        this.#at++;
        return true;
      }
      first = false;
      if (char === '-' && before !== undefined && pattern.charAt(start + 1) !== ']') {
        this.#at++;
        this.#skipEnds();
        if (before === 'set') {
          this.#addHyphen(start);
          // A hyphen that stands for itself may begin a range.
          before = 45;
          continue;
        }
        if (pattern.charAt(this.#at) === ']' || pattern.startsWith('\\Q', this.#at)) {
          before = undefined;
          continue;
        }
        const index = this.#parts.length;
        const last = this.#readClassMember();
        if (last === undefined) return false;
        if (last === 'set') this.#addHyphen(start, index);
        else if (last < before) return false;
        else this.#markUncertainEnd(index);
        before = last === 'set' ? 'set' : undefined;
        continue;
      }
      before = this.#readClassMember();
      if (before === undefined) return false;
    }
    return false;
  }

  /** Not all releases accept an assertion as the end of a range. */
  #markUncertainEnd(index: number): void {
    const part = this.#parts[index];
    if (part?.kind === 'escape' && !LITERAL_LETTERS.includes(part.found.charAt(1)))
      this.#parts[index] = { ...part, text: undefined };
  }

  #skipEnds(): void {
    while (this.pattern.startsWith('\\E', this.#at)) this.#at += 2;
  }

  /** Escapes a hyphen beside a set of characters. Parts that follow the hyphen come after it in the list. */
  #addHyphen(at: number, index = this.#parts.length): void {
    const found = /.(?:\\.|\[:\^?[a-z]+:\]|\\[pP]\{[^}]*\})?/.exec(this.pattern.slice(at))![0];
    const previous = /(?:\\[pP]\{[^}]*\}|\\?.|\[:\^?[a-z]+:\])$/.exec(this.pattern.slice(0, at))?.[0] ?? '';
    const next = found.length > 1 ? found : this.pattern.slice(at, at + 2);
    this.#parts.splice(index, 0, {
      kind: 'class-range',
      start: at,
      end: at,
      text: '\\',
      found: previous + next,
    });
  }

  /** @returns the code of the next member of a class, `set` for a set of characters, or undefined if every release refuses it */
  #readClassMember(): number | 'set' | undefined {
    const pattern = this.pattern;
    const at = this.#at;
    const posix = this.#match(POSIX_CLASS);
    if (posix !== null) {
      this.#at += posix[0].length;
      return 'set';
    }
    const char = pattern.charAt(at);
    if (char !== '\\') {
      this.#at++;
      return char.charCodeAt(0);
    }
    const letter = pattern.charAt(at + 1);
    if (letter === '' || 'NLlUu'.includes(letter) || this.#match(BAD_HEX_CODE) !== null) return undefined;
    const end = this.#escapeEnd();
    if (LITERAL_LETTERS_IN_CLASS.includes(letter) || (letter === 'o' && end === at + 2)) {
      this.#literal();
      this.#at += 2;
      return letter.charCodeAt(0);
    }
    if ('dDsSwWhHvV'.includes(letter) || 'pP'.includes(letter)) {
      this.#at = end;
      return 'set';
    }
    this.#codeEscape(end);
    this.#at = 'gk89'.includes(letter) ? at + 2 : end;
    return codeOf(pattern.slice(at, this.#at));
  }
}

const CODES: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** The code of the character that an escape stands for. */
function codeOf(escape: string): number {
  const letter = escape.charAt(1);
  if (letter === 'x') return Number.parseInt(escape.replace(/[^0-9A-Fa-f]/g, '') || '0', 16);
  if (letter === 'c') return escape.charAt(2).toUpperCase().charCodeAt(0) ^ 64;
  if (/[0-7]/.test(letter)) return Number.parseInt(/[0-7]{1,3}/.exec(escape)![0], 8) & 255;
  return CODES[letter] ?? letter.charCodeAt(0);
}

function withoutExtra(group: string): string {
  const text = group.replaceAll('X', '').replace(/-(?=[:)])/, '');
  return text === '(?)' ? '' : text;
}
