import { ANY_BYTE, bytes, ignoringCase, NO_LINE_END } from './byte-sets';
import { byteAt, setOf, UnreadPattern } from './escapes';
import type { PatternNode, ReadPattern } from './nodes';
import { readClass } from './read-class';

/** Groups in groups: as deep as PCRE lets them nest by default (PARENS_NEST_LIMIT). */
const MAX_NESTING = 250;
/** PCRE refuses more. */
const MAX_TIMES = 65_535;

const QUANTIFIER = /(?:[*+?]|\{(?:[0-9]+)(?:,[0-9]*)?\})/y;
/** Text to some releases of PCRE, and a number of times to others (PCRE2 10.43). */
const UNSURE_QUANTIFIER = /\{[ \t]*(?:[0-9]+[ \t]*(?:,[ \t]*[0-9]*)?|,[ \t]*[0-9]+)[ \t]*\}/y;
const OPTIONS = /\(\?([imsUJ]*)(?:-([imsUJ]*))?([:)])/y;
const NAMED_GROUP = /\(\?(?:P?<[A-Za-z_]\w*>|'[A-Za-z_]\w*')/y;
/** A group that was defined elsewhere, by number or name: its text again, or its pattern. */
const REFERENCE = /\(\?(?:R|[+-]?[0-9]+|&\w+|P[>=]\w+)\)/y;
const REFERENCE_ESCAPE = /\\(?:g(?:[+-]?[0-9]+|\{[+-]?\w+\}|<[^>]*>|'[^']*')|k(?:\{\w+\}|<\w+>|'\w+'))/y;
const CONDITION = /\(\?\((?:[+-]?[0-9]+|<\w+>|'\w+'|R[0-9]*|R&\w+|DEFINE|\w+)\)/y;
const COMMENT = /\(\?(?:#[^)]*|C[0-9]*)\)/y;
const FAIL = /\(\?!\)/y;
const GROUP = /\((?:\?(?:[:|>]|<?[=!]))?/y;
const PROPERTY = /\\[pP](?:\{\^?\w+\}|[A-Z])/y;
const POSIX_OUTSIDE = /\[([:.=])[^\]]*\1\]/y;

const ANY_TEXT: PatternNode = {
  kind: 'repeat',
  part: { kind: 'byte', set: ANY_BYTE },
  least: 0,
  most: Infinity,
};
const NOTHING: PatternNode = { kind: 'row', parts: [] };
/** `(?!)`: no text goes on here. */
const NEVER: PatternNode = { kind: 'byte', set: bytes() };

/** What stands inside of a group that captures. */
function insideOf(group: number, node: PatternNode): PatternNode {
  const isFree = (node.kind === 'row' || node.kind === 'choice') && node.group === undefined;
  return isFree ? { ...node, group } : { kind: 'row', parts: [node], group };
}

interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly multiLine: boolean;
}

/**
 * Reads a pattern as PCRE does (pcrepattern(3), releases 8 and 2): look-around and atomic groups are left out, and a reference
 * stands for any text, so that what is read matches wherever the pattern does.
 * @returns undefined for what PCRE refuses, for what its releases read in two ways, and for what is not read here
 */
export function readPattern(pattern: string, ignoreCase: boolean): ReadPattern | undefined {
  try {
    return new RegexReader(pattern, ignoreCase).read();
  } catch (error) {
    if (error instanceof UnreadPattern) return undefined;
    throw error;
  }
}

class RegexReader {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #groups = 0;
  #options: PatternOptions;
  #isExact = true;
  #asksForLastLineEnd = false;
  #asksForLineEnds = false;
  #asksForBlanks = false;

  constructor(pattern: string, ignoreCase: boolean) {
    this.#pattern = pattern;
    this.#options = { ignoreCase, dotAll: false, multiLine: false };
  }

  read(): ReadPattern {
    // httpd's own strings end at a NUL.
    if (this.#pattern.includes('\0')) throw new UnreadPattern();
    const node = this.#choice();
    if (this.#at < this.#pattern.length) throw new UnreadPattern();
    return {
      node,
      isExact: this.#isExact,
      asksForLastLineEnd: this.#asksForLastLineEnd,
      asksForLineEnds: this.#asksForLineEnds,
      asksForBlanks: this.#asksForBlanks,
    };
  }

  #match(regex: RegExp): RegExpExecArray | null {
    regex.lastIndex = this.#at;
    const found = regex.exec(this.#pattern);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  /** Up to the end, or the parenthesis that closes the group. Options that are set in it hold for the alternatives after it. */
  #choice(): PatternNode {
    const alternatives: PatternNode[] = [];
    for (;;) {
      alternatives.push(this.#row());
      if (this.#pattern.charAt(this.#at) !== '|') break;
      this.#at++;
    }
    return alternatives.length === 1 ? alternatives[0]! : { kind: 'choice', parts: alternatives };
  }

  #row(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at))) {
      const first = parts.length;
      const mayRepeat = this.#item(parts);
      const repeat = this.#quantifier();
      if (repeat === undefined) continue;
      // What stands before it must be one thing, and no place.
      if (!mayRepeat || parts.length === first) throw new UnreadPattern();
      const part = parts.pop()!;
      parts.push({ kind: 'repeat', part, ...repeat });
      if (this.#quantifier() !== undefined) throw new UnreadPattern();
    }
    return parts.length === 1 ? parts[0]! : { kind: 'row', parts };
  }

  #quantifier(): { least: number; most: number } | undefined {
    const text = this.#match(QUANTIFIER)?.[0];
    if (text === undefined) {
      UNSURE_QUANTIFIER.lastIndex = this.#at;
      if (UNSURE_QUANTIFIER.test(this.#pattern)) throw new UnreadPattern();
      return undefined;
    }
    const sign = this.#pattern.charAt(this.#at);
    if (sign === '+') this.#isExact = false;
    if (sign === '+' || sign === '?') this.#at++;
    if (text === '*') return { least: 0, most: Infinity };
    if (text === '+') return { least: 1, most: Infinity };
    if (text === '?') return { least: 0, most: 1 };
    const [least = '', most] = text.slice(1, -1).split(',');
    const times = {
      least: Number(least),
      most: most === undefined ? Number(least) : most === '' ? Infinity : Number(most),
    };
    const isRefused = times.least > MAX_TIMES || (times.most !== Infinity && times.most > MAX_TIMES);
    if (isRefused || times.least > times.most) throw new UnreadPattern();
    return times;
  }

  /** Adds the next item. @returns whether a quantifier may follow it */
  #item(parts: PatternNode[]): boolean {
    const char = this.#pattern.charAt(this.#at);
    switch (char) {
      case '\\':
        return this.#escape(parts);
      case '(':
        return this.#group(parts);
      case '[':
        parts.push(this.#class());
        return true;
      case '^':
        this.#at++;
        this.#asksForLineEnds ||= this.#options.multiLine;
        parts.push({ kind: 'place', place: '^' });
        return false;
      case '$':
        this.#at++;
        this.#asksForLastLineEnd = true;
        this.#asksForLineEnds ||= this.#options.multiLine;
        parts.push({ kind: 'place', place: '$' });
        return false;
      case '.':
        this.#at++;
        parts.push({ kind: 'byte', set: this.#options.dotAll ? ANY_BYTE : NO_LINE_END });
        return true;
      case '*':
      case '+':
      case '?':
        throw new UnreadPattern();
      default:
        if (char === '{' && this.#quantifier() !== undefined) throw new UnreadPattern();
        this.#at++;
        this.#literal(parts, char.charCodeAt(0));
        return true;
    }
  }

  #literal(parts: PatternNode[], code: number): void {
    if (code > 255) throw new UnreadPattern();
    const set = bytes([code, code]);
    parts.push({ kind: 'byte', set: this.#options.ignoreCase ? ignoringCase(set) : set });
  }

  /** What cannot be said is taken to match anything. */
  #anyText(parts: PatternNode[]): boolean {
    this.#isExact = false;
    parts.push(ANY_TEXT);
    return true;
  }

  #class(): PatternNode {
    POSIX_OUTSIDE.lastIndex = this.#at;
    if (POSIX_OUTSIDE.test(this.#pattern)) throw new UnreadPattern();
    const { set, end, asksForBlanks } = readClass(this.#pattern, this.#at, this.#options.ignoreCase);
    this.#at = end;
    this.#asksForBlanks ||= asksForBlanks;
    return { kind: 'byte', set };
  }

  /** @returns whether a quantifier may follow */
  #escape(parts: PatternNode[]): boolean {
    const letter = this.#pattern.charAt(this.#at + 1);
    if (this.#match(REFERENCE_ESCAPE) !== null || this.#match(PROPERTY) !== null) return this.#anyText(parts);
    if (/[1-9]/.test(letter)) {
      // A reference, or a code in octal digits.
      while (/[0-9]/.test(this.#pattern.charAt(this.#at + 1))) this.#at++;
      this.#at++;
      return this.#anyText(parts);
    }
    const escaped = byteAt(this.#pattern, this.#at);
    if (escaped !== undefined) {
      this.#at = escaped.end;
      this.#literal(parts, escaped.byte);
      return true;
    }
    this.#at += 2;
    const set = setOf(letter);
    if (set !== undefined) {
      this.#asksForBlanks ||= letter === 's' || letter === 'S';
      parts.push({ kind: 'byte', set });
      return true;
    }
    switch (letter) {
      case 'Q':
        this.#quoted(parts);
        return true;
      case 'E':
      case 'K':
        return false;
      case 'b':
      case 'B':
        parts.push({ kind: 'place', place: letter === 'b' ? '\\b' : '\\B' });
        return false;
      case 'A':
      case 'G':
        parts.push({ kind: 'place', place: '^' });
        return false;
      case 'Z':
        this.#asksForLastLineEnd = true;
        parts.push({ kind: 'place', place: '$' });
        return false;
      case 'z':
        parts.push({ kind: 'place', place: '$' });
        return false;
      case 'N':
        parts.push({ kind: 'byte', set: NO_LINE_END });
        return true;
      case 'C':
        parts.push({ kind: 'byte', set: ANY_BYTE });
        return true;
      case 'R':
      case 'X':
        return this.#anyText(parts);
      default:
        // Other letters mean nothing, or something else in each release.
        if (letter === '' || /[A-Za-z0-9]/.test(letter)) throw new UnreadPattern();
        this.#literal(parts, letter.charCodeAt(0));
        return true;
    }
  }

  #quoted(parts: PatternNode[]): void {
    const close = this.#pattern.indexOf('\\E', this.#at);
    const end = close < 0 ? this.#pattern.length : close;
    for (; this.#at < end; this.#at++) this.#literal(parts, this.#pattern.charCodeAt(this.#at));
    this.#at = close < 0 ? end : close + 2;
  }

  /** @returns whether a quantifier may follow */
  #group(parts: PatternNode[]): boolean {
    if (this.#match(COMMENT) !== null) return false;
    if (this.#match(FAIL) !== null) {
      parts.push(NEVER);
      return true;
    }
    if (this.#match(REFERENCE) !== null) return this.#anyText(parts);
    const options = this.#match(OPTIONS);
    if (options !== null) {
      const [, enabled = '', disabled = '', close] = options;
      const before = this.#options;
      this.#options = {
        ignoreCase: (before.ignoreCase || enabled.includes('i')) && !disabled.includes('i'),
        dotAll: (before.dotAll || enabled.includes('s')) && !disabled.includes('s'),
        multiLine: (before.multiLine || enabled.includes('m')) && !disabled.includes('m'),
      };
      if (close === ')') return false;
      parts.push(this.#inside());
      this.#options = before;
      return true;
    }
    if (this.#match(CONDITION) !== null) {
      parts.push(this.#conditional());
      return true;
    }
    if (this.#pattern.startsWith('(?(', this.#at)) {
      // The condition is a look-around.
      this.#at += 2;
      this.#group([]);
      parts.push(this.#conditional());
      return true;
    }
    const opening = this.#match(NAMED_GROUP)?.[0] ?? this.#match(GROUP)![0];
    // Not a group: a verb, or one that is not known.
    if (opening === '(' && /[?*]/.test(this.#pattern.charAt(this.#at))) throw new UnreadPattern();
    if (opening === '(' || /\w[>']$/.test(opening)) {
      const group = ++this.#groups;
      parts.push(insideOf(group, this.#optionsKept()));
      return true;
    }
    const inside = this.#optionsKept();
    const isLookAround = /[=!]$/.test(opening);
    if (opening === '(?>' || isLookAround) this.#isExact = false;
    parts.push(isLookAround ? NOTHING : inside);
    return true;
  }

  /** Either of its two parts, the second of which may be missing. */
  #conditional(): PatternNode {
    this.#isExact = false;
    return { kind: 'choice', parts: [this.#optionsKept(), NOTHING] };
  }

  /** Up to the parenthesis that closes it; options that are set inside end there. */
  #optionsKept(): PatternNode {
    const before = this.#options;
    const inside = this.#inside();
    this.#options = before;
    return inside;
  }

  #inside(): PatternNode {
    if (++this.#depth > MAX_NESTING) throw new UnreadPattern();
    const inside = this.#choice();
    if (this.#pattern.charAt(this.#at) !== ')') throw new UnreadPattern();
    this.#at++;
    this.#depth--;
    return inside;
  }
}
