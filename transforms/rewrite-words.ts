import type { Directive, Span } from '../src/syntax';

/** One argument of RewriteCond or RewriteRule: its text as mod_rewrite takes it, and where that stands, without quotes. */
export interface RewriteWord extends Span {
  readonly text: string;
}

/**
 * The up to three arguments of RewriteCond and RewriteRule. mod_rewrite splits them itself (parseargline): a quote counts at the
 * beginning of a word only and is not escaped inside; a backslash keeps a blank in a word.
 */
export function rewriteWords(node: Directive): readonly RewriteWord[] {
  let words = known.get(node);
  if (words === undefined) known.set(node, (words = splitLine(node)));
  return words;
}

/** Several rules ask about the same lines. */
const known = new WeakMap<Directive, readonly RewriteWord[]>();

function splitLine({ logical, rest }: Directive): readonly RewriteWord[] {
  const { text } = logical;
  const words: RewriteWord[] = [];
  let at = text.length - rest.length;
  while (words.length < 3) {
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) break;
    const first = text.charCodeAt(at);
    const quote = first === QUOTE || first === APOSTROPHE ? first : undefined;
    const start = quote === undefined ? at : at + 1;
    const stop = endOf(text, start, quote);
    const span = logical.span(start, stop);
    words.push({ start: span.start, end: span.end, text: text.slice(start, stop) });
    at = stop + 1;
  }
  return words;
}

const QUOTE = 34;
const APOSTROPHE = 39;
const BACKSLASH = 92;

/** Blank, or one of the control characters from tab to carriage return; not the NaN behind the end of a text. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function endOf(text: string, start: number, quote: number | undefined): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote === undefined ? isBlank(code) : code === quote) return at;
    if (code === BACKSLASH && isBlank(text.charCodeAt(at + 1))) at++;
  }
  return text.length;
}

/** The flags of `[NC,R=301]`, without brackets: key and value. */
export function flagsOf(word: RewriteWord | undefined): { readonly key: string; readonly value: string }[] {
  if (word === undefined) return [];
  const inner = /^\[(.*)\]$/.exec(word.text)?.[1] ?? '';
  return inner
    .split(',')
    .filter((flag) => flag.trim() !== '')
    .map((flag) => {
      const [key = '', value = ''] = flag.trim().split(/=(.*)/s);
      return { key: key.toLowerCase(), value };
    });
}
