import type { Edit } from '../../../src/edit';
import type { TransformContext } from '../../../src/engine';
import type { Directive, Document, Span } from '../../../src/syntax';
import { byText } from './by-text';
import { memo } from '../../../src/maps';

/** One argument of RewriteCond or RewriteRule: its text as mod_rewrite reads it, and its position, without quotes. */
export class RewriteWord implements Span {
  /** @param at offset in the logical line */
  constructor(
    private readonly node: Directive,
    private readonly at: number,
    readonly text: string,
  ) {}

  get start(): number {
    return this.#span.start;
  }

  get end(): number {
    return this.#span.end;
  }

  get #span(): Span {
    return this.node.logical.span(this.at, this.at + this.text.length);
  }
}

/**
 * The first three arguments of RewriteCond or RewriteRule. mod_rewrite splits the line itself (parseargline): a quote counts only
 * at the beginning of a word and cannot be escaped inside of it; a backslash keeps a blank in a word. Several rules ask about the
 * same lines.
 */
export const rewriteWords = memo((node: Directive): readonly RewriteWord[] => {
  const { text } = node.logical;
  const words: RewriteWord[] = [];
  // A name without quotes takes up exactly its own length.
  const isBareName = isBlank(text.charCodeAt(node.name.length)) && text.startsWith(node.name);
  let at = isBareName ? node.name.length : text.length - node.rest.length;
  while (words.length < 3) {
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) break;
    const first = text.charCodeAt(at);
    const quote = first === QUOTE || first === APOSTROPHE ? first : undefined;
    const start = quote === undefined ? at : at + 1;
    const end = wordEnd(text, start, quote);
    words.push(new RewriteWord(node, start, text.slice(start, end)));
    at = end + 1;
  }
  return words;
});

const QUOTE = 34;
const APOSTROPHE = 39;
const BACKSLASH = 92;

/** Whether a code is a space or a control character from tab to carriage return; false for the NaN after the end of a text. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function wordEnd(text: string, start: number, quote: number | undefined): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 32 && code !== BACKSLASH && code !== quote) continue;
    if (quote === undefined ? isBlank(code) : code === quote) return at;
    if (code === BACKSLASH && isBlank(text.charCodeAt(at + 1))) at++;
  }
  return text.length;
}

/** One of the flags of `[NC,R=301]`, with its key in lower case. */
export interface RewriteFlag {
  readonly key: string;
  readonly value: string;
}

const NO_FLAGS: readonly RewriteFlag[] = [];

/** The flags of a rule or a condition: the parts of an argument in brackets. */
export function flagsOf(word: RewriteWord | undefined): readonly RewriteFlag[] {
  return word === undefined ? NO_FLAGS : flagsIn(word.text);
}

const flagsIn = byText(readFlags);

function readFlags(text: string): readonly RewriteFlag[] {
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? '';
  return inner
    .split(',')
    .filter((flag) => flag.trim() !== '')
    .map((flag) => {
      const [key = '', value = ''] = flag.trim().split(/=(.*)/s);
      return { key: key.toLowerCase(), value };
    });
}

/** Puts a flag behind the others of a rule whose flags, if there are any, stand in brackets. */
export function withFlag(
  { text }: Document,
  substitution: RewriteWord,
  flags: RewriteWord | undefined,
  flag: string,
): Edit {
  if (flags !== undefined)
    return { start: flags.end - 1, end: flags.end - 1, text: flags.text === '[]' ? flag : `,${flag}` };
  // A closing quote stands behind the word.
  const at = substitution.end + (/["']/.test(text[substitution.end] ?? '') ? 1 : 0);
  // Replaces a byte, so that edits of two rules overlap rather than write two blocks of flags.
  return { start: at - 1, end: at, text: `${text.slice(at - 1, at)} [${flag}]` };
}

/**
 * What stands behind the name of a RewriteMap, in lower case; undefined where the name has sources of different kinds, as each
 * virtual host has maps of its own.
 */
export function rewriteMapOf(index: TransformContext['index']): (name: string) => string | undefined {
  const maps = new Map<string, string | undefined>();
  index.visitDirectives(['RewriteMap'], ({ args: [name, source] }) => {
    if (name === undefined || source === undefined) return;
    const value = source.value.toLowerCase();
    const isOther = maps.has(name.value) && kindOf(maps.get(name.value)) !== kindOf(value);
    maps.set(name.value, isOther ? undefined : value);
  });
  return (name) => maps.get(name);
}

/** What the answers of a map depend on: its type, and for `int:` the function. */
function kindOf(source: string | undefined): string | undefined {
  return source?.startsWith('int:') === true ? source : source?.replace(/:.*/s, '');
}
