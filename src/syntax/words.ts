import { APOSTROPHE, BACKSLASH, QUOTE, isSpace } from './chars';

/** One word of a logical line: where it stands in it (quotes included, half-open) and what httpd makes of it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * Reads the word at or after `at` in the way of `ap_getword_conf` (server/util.c, the same in 2.2 and 2.4). Blanks before it are
 * skipped; undefined at the end of the line. An unterminated quote runs to the end of the line.
 */
export function readWord(line: string, at: number): Word | undefined {
  let start = at;
  while (start < line.length && isSpace(line.charCodeAt(start))) start++;
  if (start >= line.length) return undefined;
  const first = line.charCodeAt(start);
  if (first === QUOTE || first === APOSTROPHE) return readQuoted(line, start, first);
  let end = start;
  let escaped = false;
  while (end < line.length && !isSpace(line.charCodeAt(end))) {
    if (line.charCodeAt(end) === BACKSLASH && line.charCodeAt(end + 1) === BACKSLASH) {
      escaped = true;
      end++;
    }
    end++;
  }
  const raw = line.slice(start, end);
  return { start, end, value: escaped ? raw.replace(/\\\\/g, '\\') : raw };
}

function readQuoted(line: string, start: number, quote: number): Word {
  let value = '';
  let at = start + 1;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code === quote) return { start, end: at + 1, value };
    const next = line.charCodeAt(at + 1);
    if (code === BACKSLASH && (next === BACKSLASH || next === quote)) at++;
    value += line.charAt(at);
    at++;
  }
  return { start, end: line.length, value };
}

/** All words of `line` from `at` on. */
export function readWords(line: string, at = 0): Word[] {
  const words: Word[] = [];
  for (let word = readWord(line, at); word !== undefined; word = readWord(line, word.end)) words.push(word);
  return words;
}

/** Writes `value` so that `ap_getword_conf` reads it back: bare where that is possible, else in double quotes. */
export function quoteWord(value: string): string {
  const bare =
    value !== '' &&
    !/[ \t\v\f\r\n]/.test(value) &&
    !/^["']/.test(value) &&
    !value.includes('\\\\') &&
    !value.endsWith('\\');
  if (bare) return value;
  return `"${value.replace(/\\(?=[\\"]|$)|"/g, '\\$&')}"`;
}
