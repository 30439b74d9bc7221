import { findsPattern } from '../../src/regex';
import { byText } from '../common/words';

/** Characters that stand for a part of a pattern which matches one of them. */
const SAMPLES = ['x', '0', 'X', '-', '_', '.', '/', '=', '&'];

/** So deep may groups be nested, and so long may a text become. */
const MAX_DEPTH = 20;
const MAX_TEXT = 200;

/**
 * A text that a regular expression matches and in which one of its groups has a blank: group 0 is the whole. Literals as they
 * stand, the first alternative, one turn of a loop.
 * @returns undefined where none is found
 */
export function textWithBlank(pattern: string, group: number, ignoreCase = false): string | undefined {
  return textsByGroup(`${ignoreCase ? 'i' : ' '}${group}/${pattern}`);
}

const textsByGroup = byText((key): string | undefined => {
  const slash = key.indexOf('/');
  const pattern = key.slice(slash + 1);
  const group = Number(key.slice(1, slash));
  for (const singles of [false, true]) {
    const text = new Drafter(pattern, group, singles).draft();
    if (text !== undefined && findsPattern(pattern, text, key.startsWith('i')) !== false) return text;
  }
  return undefined;
});

/** Writes one text that a pattern is likely to match. */
class Drafter {
  #at = 0;
  #groups = 0;
  #isPlaced = false;

  constructor(
    private readonly pattern: string,
    private readonly wanted: number,
    /** Whether a blank may stand for what matches a single character. */
    private readonly singles: boolean,
  ) {}

  draft(): string | undefined {
    const text = this.#alternatives(this.wanted === 0, 0);
    return this.#isPlaced && this.#at >= this.pattern.length ? text : undefined;
  }

  /** @param isInside of the group that is wanted */
  #alternatives(isInside: boolean, depth: number): string {
    let best: string | undefined;
    let hasBlank = false;
    for (;;) {
      const before = this.#isPlaced;
      const text = this.#branch(isInside, depth);
      const isBetter = best === undefined || (!hasBlank && this.#isPlaced && !before);
      if (isBetter) {
        best = text;
        hasBlank = this.#isPlaced && !before;
      }
      if (this.pattern.charAt(this.#at) !== '|') return best!;
      this.#at++;
    }
  }

  #branch(isInside: boolean, depth: number): string {
    let text = '';
    while (this.#at < this.pattern.length && !'|)'.includes(this.pattern.charAt(this.#at))) {
      const before = this.#isPlaced;
      const atom = this.#atom(isInside, depth);
      const [least, most] = this.#quantifier();
      // A turn that puts the blank in is taken.
      if (atom.group) text += atom.text.repeat(turns(least, this.#isPlaced !== before));
      else if (isInside && atom.text === ' ' && least > 0) {
        this.#isPlaced = true;
        text += atom.text.repeat(turns(least, true));
      } else if (isInside && !this.#isPlaced && atom.text !== '' && this.#placesBlank(atom.source, most)) {
        this.#isPlaced = true;
        text += most > 2 ? aroundBlank(atom) : ' ';
      } else text += atom.text.repeat(turns(least, most === MANY && atom.text !== ' '));
      if (text.length > MAX_TEXT) this.#at = Number.POSITIVE_INFINITY;
    }
    return text;
  }

  #placesBlank(source: string, most: number): boolean {
    return source !== '' && (this.singles || most > 1) && matches(source, ' ');
  }

  #atom(isInside: boolean, depth: number): DraftedPart {
    const char = this.pattern.charAt(this.#at);
    if (char === '(') return { text: this.#group(isInside, depth), source: '', group: true };
    const source = this.#source(char);
    this.#at += source.length;
    if (source === '^' || source === '$' || /^\\[bBAzZ]$/.test(source)) return NOTHING;
    return { text: sampleOf(source), source, group: false };
  }

  #group(isInside: boolean, depth: number): string {
    this.#at++;
    const look = /^\?(?:<?[=!])/.exec(this.pattern.slice(this.#at, this.#at + 3));
    const other = /^\?(?:[a-z-]*:|P?<\w+>|[>|])/.exec(this.pattern.slice(this.#at, this.#at + 40));
    const isNamed = other?.[0].endsWith('>') === true && other[0].length > 2;
    const number = look === null && (other === null || isNamed) ? ++this.#groups : undefined;
    this.#at += other?.[0].length ?? look?.[0].length ?? 0;
    const text =
      depth < MAX_DEPTH
        ? this.#alternatives(look === null && (isInside || number === this.wanted), depth + 1)
        : '';
    if (this.pattern.charAt(this.#at) === ')') this.#at++;
    else this.#at = Number.POSITIVE_INFINITY;
    return look === null ? text : '';
  }

  /** The text of one atom. */
  #source(char: string): string {
    if (char === '\\') return this.pattern.slice(this.#at, this.#at + 2);
    if (char !== '[') return char;
    const end = /^\[\^?\]?(?:\[:[a-z]+:\]|\\[^]|[^\]\\])*\]/.exec(
      this.pattern.slice(this.#at, this.#at + MAX_TEXT),
    );
    return end?.[0] ?? char;
  }

  /** How often the last atom is repeated, at least and at most. */
  #quantifier(): readonly [least: number, most: number] {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})[?+]?/.exec(this.pattern.slice(this.#at, this.#at + 16));
    if (found === null) return [1, 1];
    this.#at += found[0].length;
    const [text, least, comma, most] = found;
    if (least !== undefined)
      return [Number(least), comma === undefined ? Number(least) : most === '' ? MANY : Number(most)];
    if (text.startsWith('?')) return [0, 1];
    return [text.startsWith('+') ? 1 : 0, MANY];
  }
}

interface DraftedPart {
  readonly text: string;
  readonly source: string;
  readonly group: boolean;
}

const NOTHING: DraftedPart = { text: '', source: '', group: false };
const MANY = 1000;

/** Two characters that an atom matches, and a blank between them. */
function aroundBlank({ text, source }: DraftedPart): string {
  return matches(source, 'y') && text === 'x' ? 'x y' : `${text} ${text}`;
}

/** How often a part is written. */
function turns(least: number, isTaken: boolean): number {
  return Math.min(Math.max(least, isTaken ? 1 : 0), MAX_DEPTH);
}

function matches(source: string, sample: string): boolean {
  return findsPattern(`^(?:${source})$`, sample) === true;
}

/** One character that an atom matches. */
const sampleOf = byText((source): string => {
  if (source.length === 1 && source !== '.') return source;
  return [...SAMPLES, ' '].find((sample) => matches(source, sample)) ?? source.slice(1, 2);
});
