import { findsPattern } from '../../regex';
import { BoundedMap, memo } from '../primitives';

/** How many texts are made of a regex at most. */
const MAX_SAMPLES = 4;

/**
 * Texts that a regex matches, or may match, for asking what a section behind it decides: literals as they stand, each
 * alternative, the first member of a class, one turn of a loop. None where that fails.
 */
export function samplesOf(regex: string): readonly string[] {
  return draftsFor(regex).filter((text) => text !== '' && findsPattern(regex, text) !== false);
}

/** Most regexes stand in many files: sites have the same applications. */
const draftsFor = memo(
  (regex: string) => (nestsDeeply(regex) ? [] : drafts(regex.replace(/^\(\?i\)/, ''))),
  new BoundedMap(1000),
);

/** More parentheses in each other than PCRE takes: what goes through them may call itself for each. */
function nestsDeeply(regex: string): boolean {
  let [depth, most] = [0, 0];
  for (let at = 0; at < regex.length; at++) {
    const char = regex.charAt(at);
    if (char === '(') most = Math.max(most, ++depth);
    else if (char === ')') depth--;
  }
  return most > MAX_NESTING;
}

const MAX_NESTING = 250;

function drafts(source: string): string[] {
  const texts: string[] = [];
  for (let start = 0; start <= source.length && texts.length < MAX_SAMPLES;) {
    const end = alternativeEnd(source, start);
    texts.push(...draftsOfBranch(source.slice(start, end)));
    start = end + 1;
  }
  return [...new Set(texts)].slice(0, MAX_SAMPLES);
}

/** Where an alternative ends: at the next bar that is in no group or class. */
function alternativeEnd(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '|') return at;
    if (char === '\\') at++;
    else if (char === '(' || char === '[') {
      const end = char === '(' ? closing(source, at) : source.indexOf(']', at + 2);
      if (end < 0) return source.length;
      at = end;
    }
  }
  return source.length;
}

function draftsOfBranch(source: string): readonly string[] {
  let texts: readonly string[] = [''];
  /** Without the last part, for what says that it may be missing. */
  let without = texts;
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '^' || char === '$') continue;
    if (char === '*' || char === '?') {
      texts = without;
      continue;
    }
    if (char === '+') continue;
    if (char === '{') {
      at = source.indexOf('}', at);
      if (at < 0) break;
      continue;
    }
    let parts: readonly string[] = [char === '.' ? 'w' : char];
    if (char === '\\') parts = [escapedSample(source.charAt(++at))];
    else if (char === '[') {
      const end = source.indexOf(']', at + 2);
      if (end < 0) break;
      const first = source.charAt(at + 1);
      parts = [first === '^' ? 'w' : first === '\\' ? source.charAt(at + 2) : first];
      at = end;
    } else if (char === '(') {
      const end = closing(source, at);
      if (end < 0) break;
      parts = drafts(source.slice(at + 1, end).replace(/^\?[:=!]/, ''));
      at = end;
    }
    without = texts;
    texts = texts.flatMap((text) => parts.map((part) => text + part)).slice(0, MAX_SAMPLES);
  }
  return texts;
}

function escapedSample(char: string): string {
  if (char === 'd') return '0';
  if (char === 's') return ' ';
  return /[bBAzZ]/.test(char) ? '' : char;
}

function closing(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at++) {
    if (source.charAt(at) === '\\') at++;
    else if (source.charAt(at) === '(') depth++;
    else if (source.charAt(at) === ')' && --depth === 0) return at;
  }
  return -1;
}

export function sampleOfGlob(glob: string): string {
  const plain = glob.replace(/\\(.)/g, '$1');
  // Behind the last bracket that closes, none is looked for.
  const end = plain.lastIndexOf(']') + 1;
  return (plain.slice(0, end).replace(/\[!?(.)[^\]]*\]/g, '$1') + plain.slice(end)).replace(/[*?]/g, 'w');
}
