import type { PatternChangeKind } from '../../src/httpd/pcre2';
import { hasPlaceholder } from '../../src/syntax';
import { byText } from './by-text';

/** A part of a pattern that PCRE2 refuses, or takes for something else than PCRE 8 did; offsets into the pattern. */
export interface PatternPart {
  readonly kind: PatternChangeKind;
  readonly start: number;
  readonly end: number;
  /** What says the same to all releases in place of the part; undefined where its meaning is not certain. */
  readonly text?: string | undefined;
  /** What a person is shown. */
  readonly found: string;
}

/** In the order of the pattern; none where PCRE refuses it in any release, or it is a template to be filled in. */
export const patternParts = byText((pattern) =>
  /\\[A-Za-z89]|\{|\(\?|\[\[?:/.test(pattern) && !hasPlaceholder(pattern)
    ? new PatternReader(pattern).read()
    : [],
);

/** The pattern as all releases read it alike; undefined where that is not certain. */
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

/** Letters that PCRE 8 took for themselves after a backslash. */
const PLAIN = 'FIJMOTYijmqy';
/** In brackets also those that say where to match, or more than one character. */
const PLAIN_IN_CLASS = `${PLAIN}ABCGKRXZkz`;

/** `{n}`, `{n,}` or `{n,m}`, in any release. */
const TIMES = /\{[0-9]+(?:,[0-9]*)?\}/y;
/** What else counts since 10.43. */
const NEW_TIMES = /\{[ \t]*(?:[0-9]+[ \t]*(?:,[ \t]*[0-9]*)?|,[ \t]*[0-9]+)[ \t]*\}/y;
const CALL = /\(\?(?:R|[+-]?[0-9]+|&\w+|P>\w+)\)/y;
const CALL_BY_ESCAPE = /\\g(?:<[^>]*>|'[^']*')/y;
const OPTIONS = /\(\?([imsxJUX]*)(?:-([imsxJUX]*))?([:)])/y;
const BRACED = /\\[xpPogkN]\{[^}]*\}/y;
/** Refused since PCRE 8.34. */
const NO_CODE = /\\x\{(?![0-9A-Fa-f]+\})/y;
const POSIX = /\[:\^?[a-z]+:\]/y;

interface Group {
  readonly asserts: boolean;
  extended: boolean;
}

class PatternReader {
  readonly #pattern: string;
  readonly #parts: PatternPart[] = [];
  readonly #groups: Group[] = [];
  #at = 0;
  #captures = 0;
  #extended = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): readonly PatternPart[] {
    const pattern = this.#pattern;
    while (this.#at < pattern.length) {
      const char = pattern.charAt(this.#at);
      if (char === '\\') {
        if (!this.#escape()) return [];
      } else if (char === '[') {
        if (!this.#class()) return [];
      } else if (char === '(') {
        if (!this.#open()) return [];
      } else if (char === ')') {
        const group = this.#groups.pop();
        if (group === undefined) return [];
        this.#extended = group.extended;
        this.#at++;
      } else if (char === '{') this.#brace();
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

  #match(regex: RegExp, at = this.#at): RegExpExecArray | null {
    regex.lastIndex = at;
    return regex.exec(this.#pattern);
  }

  #add(kind: PatternChangeKind, end: number, text?: string, start = this.#at): void {
    this.#parts.push({ kind, start, end, text, found: this.#pattern.slice(start, end) });
  }

  /** @returns false where every release refuses the pattern */
  #escape(): boolean {
    const pattern = this.#pattern;
    const at = this.#at;
    const letter = pattern.charAt(at + 1);
    if (letter === '' || this.#match(NO_CODE) !== null) return false;
    if (letter === 'Q') {
      const end = pattern.indexOf('\\E', at);
      this.#at = end < 0 ? pattern.length : end + 2;
      return true;
    }
    const call = this.#match(CALL_BY_ESCAPE)?.[0];
    if (call !== undefined) {
      this.#add('recursion', at + call.length);
      this.#at += call.length;
      return true;
    }
    const end = this.#escapeEnd();
    if (PLAIN.includes(letter) || (/[ogk]/.test(letter) && end === at + 2)) this.#plain();
    else if (letter === 'K' && this.#groups.some(({ asserts }) => asserts))
      this.#add('keep-in-assertion', end);
    else if (letter === '8' || letter === '9') {
      // Alone it was the digit; before more digits not in all releases.
      const code = `\\x${letter.charCodeAt(0).toString(16)}`;
      this.#add('reference-digit', end, end === at + 2 ? code : undefined);
    } else if (letter === 'g' && Number(/[0-9]+/.exec(pattern.slice(at, end))?.[0] ?? 0) > 65535)
      this.#add('group-number', end);
    else this.#inBoth(end);
    this.#at = end;
    return true;
  }

  /** What holds within brackets and without. */
  #inBoth(end: number): void {
    const letter = this.#pattern.charAt(this.#at + 1);
    if (letter === 'x' && end === this.#at + 2) this.#add('hex-digits', end, '\\x00');
    if (letter === 'c' && end === this.#at + 3 && /[^ -~]/.test(this.#pattern.charAt(end - 1)))
      this.#add('control', end);
  }

  /** A letter without its backslash, unless it would become a digit of what stands before, or a name of a class. */
  #plain(): void {
    const at = this.#at;
    const letter = this.#pattern.charAt(at + 1);
    const joins = /(?:\\x[0-9A-Fa-f]?|:\^?)$/.test(this.#pattern.slice(Math.max(0, at - 3), at));
    this.#add('escape', at + 2, joins ? `\\x${letter.charCodeAt(0).toString(16)}` : letter);
  }

  /** Where the escape ends that begins here. */
  #escapeEnd(): number {
    const at = this.#at;
    const braced = this.#match(BRACED);
    if (braced !== null) return at + braced[0].length;
    const rest = this.#pattern.slice(at + 1, at + 12);
    const length = /^(?:x[0-9A-Fa-f]{0,2}|c[^]|g[+-]?[0-9]+|[89][0-9]*|[1-7][0-9]{0,2}|0[0-7]{0,2}|[pP]\^?[^]|k(?:<[^>]*>|'[^']*'))/.exec(rest)?.[0].length; // prettier-ignore
    return at + 1 + (length ?? 1);
  }

  #brace(): void {
    const times = this.#match(TIMES)?.[0];
    const fresh = times === undefined ? this.#match(NEW_TIMES)?.[0] : undefined;
    if (fresh !== undefined)
      this.#parts.push({ kind: 'brace', start: this.#at, end: this.#at, text: '\\', found: fresh });
    this.#at += (times ?? fresh ?? '{').length;
  }

  #open(): boolean {
    const pattern = this.#pattern;
    const at = this.#at;
    const asserts = /^\(\?<?[=!]/.test(pattern.slice(at, at + 4));
    if (/^\(\*[A-Z:]/.test(pattern.slice(at, at + 3)) || pattern.startsWith('(?#', at)) {
      const end = pattern.indexOf(')', at);
      this.#at = end + 1;
      return end >= 0;
    }
    const call = this.#match(CALL)?.[0];
    if (call !== undefined) {
      this.#add('recursion', at + call.length);
      this.#at += call.length;
      return true;
    }
    const options = this.#match(OPTIONS);
    if (options !== null) {
      const [all, on = '', off = '', close] = options;
      if (`${on}${off}`.includes('X')) this.#add('option-extra', at + all.length, withoutExtra(all));
      if (close === ':') this.#groups.push({ asserts: false, extended: this.#extended });
      if (on.includes('x')) this.#extended = true;
      if (off.includes('x')) this.#extended = false;
      this.#at += all.length;
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
  #class(): boolean {
    const pattern = this.#pattern;
    this.#at++;
    if (pattern.charAt(this.#at) === '^') this.#at++;
    /** What a range could begin with: a code, or a set of characters, of which none can. */
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
          this.#hyphen(start);
          // A hyphen that stands for itself may begin a range.
          before = 45;
          continue;
        }
        if (pattern.charAt(this.#at) === ']' || pattern.startsWith('\\Q', this.#at)) {
          before = undefined;
          continue;
        }
        const index = this.#parts.length;
        const last = this.#item();
        if (last === undefined) return false;
        if (last === 'set') this.#hyphen(start, index);
        else if (last < before) return false;
        else this.#uncertainEnd(index);
        before = last === 'set' ? 'set' : undefined;
        continue;
      }
      before = this.#item();
      if (before === undefined) return false;
    }
    return false;
  }

  /** Not all releases took what says where to match for the end of a range. */
  #uncertainEnd(index: number): void {
    const part = this.#parts[index];
    if (part?.kind === 'escape' && !PLAIN.includes(part.found.charAt(1)))
      this.#parts[index] = { ...part, text: undefined };
  }

  #skipEnds(): void {
    while (this.#pattern.startsWith('\\E', this.#at)) this.#at += 2;
  }

  /** A hyphen beside a set of characters; what was found after it comes later. */
  #hyphen(at: number, index = this.#parts.length): void {
    const found = /.(?:\\.|\[:\^?[a-z]+:\]|\\[pP]\{[^}]*\})?/.exec(this.#pattern.slice(at))![0];
    const before = /(?:\\[pP]\{[^}]*\}|\\?.|\[:\^?[a-z]+:\])$/.exec(this.#pattern.slice(0, at))?.[0] ?? '';
    const next = found.length > 1 ? found : this.#pattern.slice(at, at + 2);
    this.#parts.splice(index, 0, {
      kind: 'class-range',
      start: at,
      end: at,
      text: '\\',
      found: before + next,
    });
  }

  /** One member of a class: its code, or that it is a set of characters; undefined where no release takes it. */
  #item(): number | 'set' | undefined {
    const pattern = this.#pattern;
    const at = this.#at;
    const posix = this.#match(POSIX);
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
    if (letter === '' || 'NLlUu'.includes(letter) || this.#match(NO_CODE) !== null) return undefined;
    const end = this.#escapeEnd();
    if (PLAIN_IN_CLASS.includes(letter) || (letter === 'o' && end === at + 2)) {
      this.#plain();
      this.#at += 2;
      return letter.charCodeAt(0);
    }
    if ('dDsSwWhHvV'.includes(letter) || 'pP'.includes(letter)) {
      this.#at = end;
      return 'set';
    }
    this.#inBoth(end);
    this.#at = 'gk89'.includes(letter) ? at + 2 : end;
    return codeOf(pattern.slice(at, this.#at));
  }
}

const CODES: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** The character an escape stands for. */
function codeOf(escape: string): number {
  const letter = escape.charAt(1);
  if (letter === 'x') return Number.parseInt(escape.replace(/[^0-9A-Fa-f]/g, '') || '0', 16);
  if (letter === 'c') return escape.charAt(2).toUpperCase().charCodeAt(0) ^ 64;
  if (/[0-7]/.test(letter)) return Number.parseInt(/[0-7]{1,3}/.exec(escape)![0], 8) & 255;
  return CODES[letter] ?? letter.charCodeAt(0);
}

/** The same options without X. */
function withoutExtra(group: string): string {
  const text = group.replaceAll('X', '').replace(/-(?=[:)])/, '');
  return text === '(?)' ? '' : text;
}
