import { APOSTROPHE, BACKSLASH, QUOTE, SPACE, isSpace } from './chars';

/** One word of a logical line: where it stands in it (quotes included, half-open) and what httpd makes of it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * Reads the word at or after `at` in the way of `ap_getword_conf` (server/util.c, the same in 2.2 and 2.4). Blanks before it are
 * skipped; undefined at the end of the line, which is at `to`. An unterminated quote runs to the end of the line.
 */
export function readWord(line: string, at: number, to = line.length): Word | undefined {
  let start = at;
  while (start < to && isSpace(line.charCodeAt(start))) start++;
  if (start >= to) return undefined;
  const first = line.charCodeAt(start);
  if (first === QUOTE || first === APOSTROPHE) return readQuoted(line, start, first, to);
  let end = start;
  let escaped = false;
  for (; end < to; end++) {
    const code = line.charCodeAt(end);
    if (code <= SPACE && isSpace(code)) break;
    if (code === BACKSLASH && end + 1 < to && line.charCodeAt(end + 1) === BACKSLASH) {
      escaped = true;
      end++;
    }
  }
  const raw = line.slice(start, end);
  return { start, end, value: escaped ? raw.replace(/\\\\/g, '\\') : raw };
}

function readQuoted(line: string, start: number, quote: number, to: number): Word {
  let value = '';
  let from = start + 1;
  let at = from;
  for (; at < to; at++) {
    const code = line.charCodeAt(at);
    if (code === quote) return { start, end: at + 1, value: value + line.slice(from, at) };
    if (code !== BACKSLASH || at + 1 >= to) continue;
    const next = line.charCodeAt(at + 1);
    if (next !== BACKSLASH && next !== quote) continue;
    value += line.slice(from, at);
    from = ++at;
  }
  return { start, end: to, value: value + line.slice(from, to) };
}

/** All words of `line` from `at` on, up to `to`. */
export function readWords(line: string, at = 0, to = line.length): Word[] {
  const first = readWord(line, at, to);
  if (first === undefined) return [];
  const second = readWord(line, first.end, to);
  // An array that grows has room for many: most lines have one word or two, and a tree keeps them all.
  if (second === undefined) return [first];
  const third = readWord(line, second.end, to);
  if (third === undefined) return [first, second];
  const words: Word[] = [first, second, third];
  for (let word = readWord(line, third.end, to); word !== undefined; word = readWord(line, word.end, to))
    words.push(word);
  return words.length === 3 ? words : words.slice();
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
