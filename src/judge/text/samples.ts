import { isGlob } from './patterns';

/** How many ways through a pattern are tried. */
const MAX_SAMPLES = 6;
/** Groups in groups. */
const MAX_DEPTH = 20;

/** A text that a pattern of names is for. */
export function sampleOfGlob(glob: string): string {
  // A set ends at the next bracket of either kind: a name of many "[" takes no time for each of them.
  return isGlob(glob) ? glob.replace(/\[!?([^\][])[^\][]*\]/g, '$1').replace(/[*?]/g, 'w') : glob;
}

/**
 * Texts that a regular expression may find itself in: whoever uses one holds it against the expression again. Each alternative is
 * taken, what is repeated comes once, and what may be left out is there.
 */
export function samplesOfRegex(regex: string): string[] {
  return new Sampler(regex).samples();
}

class Sampler {
  #at = 0;

  constructor(private readonly text: string) {}

  samples(): string[] {
    return [...new Set(this.#choice())].slice(0, MAX_SAMPLES);
  }

  #choice(depth = 0): string[] {
    let all: string[] = [];
    let row = [''];
    if (depth > MAX_DEPTH) return [];
    while (this.#at < this.text.length) {
      const char = this.text[this.#at++]!;
      if (char === ')') break;
      if (char === '|') {
        all = [...all, ...row].slice(0, MAX_SAMPLES);
        row = [''];
        continue;
      }
      const parts = this.#atom(char, depth);
      this.#skipCount();
      row = row.flatMap((start) => parts.map((part) => start + part)).slice(0, MAX_SAMPLES);
    }
    return [...all, ...row].slice(0, MAX_SAMPLES);
  }

  #atom(char: string, depth: number): string[] {
    switch (char) {
      case '^':
      case '$':
        return [''];
      case '.':
        return ['w'];
      case '(': {
        const [mark = ''] = /^\?(?:[:i-]+|[=!<]*)/.exec(this.text.slice(this.#at, this.#at + 8)) ?? [];
        this.#at += mark.length;
        const inner = this.#choice(depth + 1);
        return /[=!]/.test(mark) ? [''] : inner;
      }
      case '[': {
        const end = this.text.indexOf(']', this.#at + 1);
        const body = this.text.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.text.length : end + 1;
        return body.startsWith('^')
          ? ['w']
          : [body.replace(/^\\(?=[^dws])/, '').replace(/^\\[dws]/, '0')[0] ?? ''];
      }
      case '\\': {
        const next = this.text[this.#at++] ?? '';
        return [
          next === 'd'
            ? '0'
            : /[wS]/.test(next)
              ? 'w'
              : next === 's'
                ? ' '
                : /[bBAZz]/.test(next)
                  ? ''
                  : next,
        ];
      }
      default:
        return [char];
    }
  }

  /** What stands behind an atom and says how often it comes. */
  #skipCount(): void {
    const [count = ''] = /^(?:[*+?]|\{\d*,?\d*\})[?+]?/.exec(this.text.slice(this.#at, this.#at + 12)) ?? [];
    this.#at += count.length;
  }
}
