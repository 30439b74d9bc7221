import { findsPattern, type PatternNode, readPattern } from '../../src/regex';
import { byText } from '../common/words';

/** Characters that stand for a part of a pattern which matches one of them. */
const SAMPLES = ['x', '0', 'X', '-', '_', '.', '/', '=', '&', ' '];

/** So often may a part be repeated, and so long may a text become. */
const MAX_TURNS = 20;
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
  const node = readPattern(pattern, false)?.node;
  if (node === undefined) return undefined;
  for (const singles of [false, true]) {
    const text = new Drafter(Number(key.slice(1, slash)), singles).draft(node);
    if (text !== undefined && findsPattern(pattern, text, key.startsWith('i')) !== false) return text;
  }
  return undefined;
});

/** Writes one text that a pattern is likely to match. */
class Drafter {
  #isPlaced = false;

  constructor(
    private readonly wanted: number,
    /** Whether a blank may stand for what matches a single character. */
    private readonly singles: boolean,
  ) {}

  draft(node: PatternNode): string | undefined {
    const text = this.#textOf(node, this.wanted === 0);
    return this.#isPlaced && text.length <= MAX_TEXT ? text : undefined;
  }

  /** @param isInside of the group that is wanted */
  #textOf(node: PatternNode, isInside: boolean): string {
    switch (node.kind) {
      case 'place':
        return '';
      case 'byte':
        return this.#repeated(node, 1, 1, isInside);
      case 'repeat':
        return this.#repeated(node.part, node.least, node.most, isInside);
      case 'row':
      case 'choice': {
        const isWanted = isInside || node.group === this.wanted;
        return node.kind === 'choice'
          ? this.#alternative(node.parts, isWanted)
          : node.parts.reduce((text, part) => bounded(text + this.#textOf(part, isWanted)), '');
      }
    }
  }

  /** The first of some alternatives, or the first that puts the blank in. */
  #alternative(parts: readonly PatternNode[], isInside: boolean): string {
    let best: string | undefined;
    for (const part of parts) {
      const before = this.#isPlaced;
      const text = this.#textOf(part, isInside);
      if (best === undefined || this.#isPlaced !== before) best = text;
    }
    return best ?? '';
  }

  #repeated(part: PatternNode, least: number, most: number, isInside: boolean): string {
    const isPlaced = this.#isPlaced;
    if (part.kind !== 'byte') {
      const text = this.#textOf(part, isInside);
      // A turn that puts the blank in is taken.
      return bounded(text.repeat(turns(least, this.#isPlaced !== isPlaced)));
    }
    const sample = sampleOf(part.set);
    if (isInside && sample === ' ' && least > 0) {
      this.#isPlaced = true;
      return sample.repeat(turns(least, true));
    }
    if (isInside && !isPlaced && (this.singles || most > 1) && part.set[BLANK] === 1) {
      this.#isPlaced = true;
      return most > 2 ? aroundBlank(part.set, sample) : ' ';
    }
    return sample.repeat(turns(least, most === Infinity && sample !== ' '));
  }
}

const BLANK = 32;

function bounded(text: string): string {
  return text.slice(0, MAX_TEXT + 1);
}

/** Two characters of a set, and a blank between them. */
function aroundBlank(set: Uint8Array, sample: string): string {
  return sample === 'x' && set['y'.charCodeAt(0)] === 1 ? 'x y' : `${sample} ${sample}`;
}

/** How often a part is written. */
function turns(least: number, isTaken: boolean): number {
  return Math.min(Math.max(least, isTaken ? 1 : 0), MAX_TURNS);
}

/** One character of a set: a letter in small where the set has both of its forms and no other sample. */
function sampleOf(set: Uint8Array): string {
  const sample = SAMPLES.find((char) => set[char.charCodeAt(0)] === 1);
  if (sample !== undefined) return sample;
  const first = String.fromCharCode(Math.max(set.indexOf(1), 0));
  const small = first.toLowerCase();
  return set[small.charCodeAt(0)] === 1 ? small : first;
}
