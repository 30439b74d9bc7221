import type { Edit } from '../../src/edit';
import { type Argument, type Directive, type Section, readWord } from '../../src/syntax';
import { rewriteWords } from '../shared/rewrite-words';
import { replaceValue } from '../shared/lines';
import { type PatternPart, patternParts } from '../shared/pattern';

/** A regular expression in a line. */
export interface Pattern {
  readonly text: string;
  /** Where it begins in the word that holds it. */
  readonly from: number;
  readonly word: Argument;
  /** mod_rewrite takes its words as they stand. */
  readonly verbatim: boolean;
}

type Pick = (node: Directive | Section) => readonly (Pattern | undefined)[];

const whole = (word: Argument | undefined): Pattern | undefined =>
  word && { text: word.value, from: 0, word, verbatim: false };
const first: Pick = ({ args }) => [whole(args[0])];
const afterTilde: Pick = ({ args }) => (args[0]?.value === '~' ? [whole(args[1])] : []);

/** Of a header that is edited, or sent back. */
const ofHeader: Pick = ({ args }) => {
  const words = args.map(({ value }) => value.toLowerCase());
  const at = words[0] === 'always' || words[0] === 'onsuccess' ? 1 : 0;
  if (words[at] === 'echo') return [whole(args[at + 1])];
  return words[at] === 'edit' || words[at] === 'edit*' ? [whole(args[at + 2])] : [];
};

const ofSetEnvIf: Pick = ({ args: [name, value] }) => [
  // What is no plain name matches names of headers (mod_setenvif.c: is_header_regex).
  name !== undefined && /[^-A-Za-z0-9_]/.test(name.value) && !/^oid\(/i.test(name.value)
    ? whole(name)
    : undefined,
  whole(value),
];

const ofSubstitute: Pick = ({ args: [word] }) => {
  const [, from, , flags] = word?.value.split(word.value.charAt(1)) ?? [];
  if (word === undefined || !/^s/i.test(word.value) || from === undefined || /n/i.test(flags ?? ''))
    return [];
  return [{ text: from, from: 2, word, verbatim: false }];
};

const ofRewrite =
  (at: 0 | 1): Pick =>
  (node) => {
    const words = rewriteWords(node as Directive);
    const word = words[at];
    if (word === undefined) return [];
    const from = word.text.startsWith('!') ? 1 : 0;
    const text = word.text.slice(from);
    // In a condition, what begins like an operator may be one, and so may anything after "expr".
    if (at === 1 && (words[0]!.text === 'expr' || /^[-<>=]/.test(text))) return [];
    return [{ text, from, word: { value: word.text, start: word.start, end: word.end }, verbatim: true }];
  };

/** The sections whose argument is a regular expression, or may be one. */
export const PATTERN_SECTIONS: Readonly<Record<string, Pick>> = {
  Directory: afterTilde,
  DirectoryMatch: first,
  Files: afterTilde,
  FilesMatch: first,
  Location: afterTilde,
  LocationMatch: first,
  Proxy: afterTilde,
  ProxyMatch: first,
};

/** The directives with one; SSLRequire and FilterProvider, which become expressions, have rules of their own. */
export const PATTERN_DIRECTIVES: Readonly<Record<string, Pick>> = {
  AliasMatch: first,
  ScriptAliasMatch: first,
  ProxyRemoteMatch: first,
  // Within a section the pattern is the section's.
  ProxyPassMatch: (node) => (node.args[0]?.value.startsWith('http') === true ? [] : first(node)),
  ProxyHTMLURLMap: ({ args }) => (args[2]?.value.includes('R') === true ? [whole(args[0])] : []),
  RedirectMatch: ({ args }) => [
    whole(args[/^(?:[0-9]+|permanent|temp|seeother|gone)$/i.test(args[0]?.value ?? '') ? 1 : 0]),
  ],
  BrowserMatch: first,
  BrowserMatchNoCase: first,
  SetEnvIf: ofSetEnvIf,
  SetEnvIfNoCase: ofSetEnvIf,
  Header: ofHeader,
  RequestHeader: ofHeader,
  Substitute: ofSubstitute,
  RewriteRule: ofRewrite(0),
  RewriteCond: ofRewrite(1),
};

/** Edits that write every part of a pattern in its other form, in the quotes that the word has; each part must have one. */
export function patternEdits(
  text: string,
  { text: pattern, from, word, verbatim }: Pattern,
): readonly Edit[] {
  const parts = patternParts(pattern);
  const value = word.value.slice(0, from) + written(pattern, parts) + word.value.slice(from + pattern.length);
  const raw = text.slice(word.start, word.end);
  const quote = !verbatim && /^["']/.test(raw) ? 1 : 0;
  const start = word.start + quote + from;
  const local = parts.map((part) => ({
    start: start + part.start,
    end: start + part.end,
    text: part.text ?? '',
  }));
  const inside = text.slice(word.start + quote, word.start + quote + word.value.length);
  const edited = raw.slice(0, quote) + value + raw.slice(quote + word.value.length);
  if (inside === word.value && (verbatim || readWord(edited, 0)?.value === value)) return local;
  return [verbatim ? { start: word.start, end: word.end, text: value } : replaceValue(text, word, value)];
}

function written(pattern: string, parts: readonly PatternPart[]): string {
  let made = '';
  let from = 0;
  for (const { start, end, text = '' } of parts) {
    made += pattern.slice(from, start) + text;
    from = end;
  }
  return made + pattern.slice(from);
}
