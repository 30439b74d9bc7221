import type { Directive, Span } from '../src/syntax';

/** One argument of RewriteCond or RewriteRule: its text as mod_rewrite takes it, and where that stands, without quotes. */
export interface RewriteWord extends Span {
  readonly text: string;
}

/**
 * The up to three arguments of RewriteCond and RewriteRule. mod_rewrite splits them itself (parseargline): a quote counts at the
 * beginning of a word only and is not escaped inside; a backslash keeps a blank in a word.
 */
export function rewriteWords(node: Directive): RewriteWord[] {
  const { logical, rest } = node;
  const words: RewriteWord[] = [];
  let at = logical.text.length - rest.length;
  while (words.length < 3) {
    while (isBlank(logical.text.charAt(at))) at++;
    if (at >= logical.text.length) break;
    const first = logical.text.charAt(at);
    const quote = first === '"' || first === "'" ? first : '';
    const start = at + quote.length;
    const end = endOf(logical.text, start, quote);
    words.push({ ...logical.span(start, end), text: logical.text.slice(start, end) });
    at = end + 1;
  }
  return words;
}

const isBlank = (char: string): boolean => char !== '' && ' \t\v\f\r\n'.includes(char);

function endOf(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote === '' ? isBlank(char) : char === quote) return at;
    if (char === '\\' && isBlank(text.charAt(at + 1))) at++;
  }
  return text.length;
}

/** The flags of `[NC,R=301]`, without brackets: key and value. */
export function flagsOf(word: RewriteWord | undefined): { readonly key: string; readonly value: string }[] {
  const inner = /^\[(.*)\]$/.exec(word?.text ?? '')?.[1] ?? '';
  return inner
    .split(',')
    .filter((flag) => flag.trim() !== '')
    .map((flag) => {
      const [key = '', value = ''] = flag.trim().split(/=(.*)/s);
      return { key: key.toLowerCase(), value };
    });
}
