import type { Place } from '../../src/config';
import { applyEdits, type Edit } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import type { Argument, Directive, Section } from '../../src/syntax';
import { replaceParts } from '../common/lines';
import { patternParts, rewriteWords } from '../common/words';

/** A regular expression in a line. */
export interface Pattern {
  readonly text: string;
  /** The offset at which it begins in its word. */
  readonly from: number;
  readonly word: Argument;
  /** True for mod_rewrite, which reads its words without unescaping them. */
  readonly verbatim: boolean;
  /** True if the word is an expression in 2.4; in 2.2 it was the pattern. */
  readonly expression?: boolean;
}

type PatternFinder = (node: Directive | Section) => readonly (Pattern | undefined)[];

const wholeWord = (word: Argument | undefined): Pattern | undefined =>
  word && { text: word.value, from: 0, word, verbatim: false };
const firstArgument: PatternFinder = ({ args }) => [wholeWord(args[0])];
const argumentAfterTilde: PatternFinder = ({ args }) => (args[0]?.value === '~' ? [wholeWord(args[1])] : []);

const headerPatterns: PatternFinder = ({ args }) => {
  const words = args.map(({ value }) => value.toLowerCase());
  const at = words[0] === 'always' || words[0] === 'onsuccess' ? 1 : 0;
  if (words[at] === 'echo') return [wholeWord(args[at + 1])];
  return words[at] === 'edit' || words[at] === 'edit*' ? [wholeWord(args[at + 2])] : [];
};

const setEnvIfPatterns: PatternFinder = ({ args: [name, value] }) => [
  // A name with other characters is a pattern for names of headers (mod_setenvif.c: is_header_regex).
  name !== undefined && /[^-A-Za-z0-9_]/.test(name.value) && !/^oid\(/i.test(name.value)
    ? wholeWord(name)
    : undefined,
  wholeWord(value),
];

const substitutePatterns: PatternFinder = ({ args: [word] }) => {
  const [, from, , flags] = word?.value.split(word.value.charAt(1)) ?? [];
  if (word === undefined || !/^s/i.test(word.value) || from === undefined || /n/i.test(flags ?? ''))
    return [];
  return [{ text: from, from: 2, word, verbatim: false }];
};

const rewritePatterns =
  (at: 0 | 1): PatternFinder =>
  (node) => {
    const words = rewriteWords(node as Directive);
    const word = words[at];
    if (word === undefined) return [];
    const from = word.text.startsWith('!') ? 1 : 0;
    const text = word.text.slice(from);
    // A condition that begins like an operator may be one.
    if (at === 1 && /^(?:[<>=]|-[^]$)/.test(text)) return [];
    const expression = at === 1 && words[0]!.text.toLowerCase() === 'expr';
    return [
      {
        text,
        from,
        word: { value: word.text, start: word.start, end: word.end },
        verbatim: true,
        expression,
      },
    ];
  };

/** The sections whose argument is a regular expression, or may be one. */
const PATTERN_SECTIONS: Readonly<Record<string, PatternFinder>> = {
  __proto__: null!,
  Directory: argumentAfterTilde,
  DirectoryMatch: firstArgument,
  Files: argumentAfterTilde,
  FilesMatch: firstArgument,
  Location: argumentAfterTilde,
  LocationMatch: firstArgument,
  Proxy: argumentAfterTilde,
  ProxyMatch: firstArgument,
};

/** The directives that take a regular expression, except SSLRequire and FilterProvider, which have rules of their own. */
const PATTERN_DIRECTIVES: Readonly<Record<string, PatternFinder>> = {
  __proto__: null!,
  AliasMatch: firstArgument,
  ScriptAliasMatch: firstArgument,
  ProxyRemoteMatch: firstArgument,
  // Inside a section, the section has the pattern.
  ProxyPassMatch: (node) => (node.args[0]?.value.startsWith('http') === true ? [] : firstArgument(node)),
  ProxyHTMLURLMap: ({ args }) => (args[2]?.value.includes('R') === true ? [wholeWord(args[0])] : []),
  RedirectMatch: ({ args }) => [
    wholeWord(args[/^(?:[0-9]+|permanent|temp|seeother|gone)$/i.test(args[0]?.value ?? '') ? 1 : 0]),
  ],
  BrowserMatch: firstArgument,
  BrowserMatchNoCase: firstArgument,
  SetEnvIf: setEnvIfPatterns,
  SetEnvIfNoCase: setEnvIfPatterns,
  Header: headerPatterns,
  RequestHeader: headerPatterns,
  Substitute: substitutePatterns,
  RewriteRule: rewritePatterns(0),
  RewriteCond: rewritePatterns(1),
};

/** Visits every regular expression in the sections and directives of the two tables above. */
export function eachPattern(
  context: TransformContext,
  visit: (pattern: Pattern, node: Directive | Section, place: Place) => void,
): void {
  const visitPatterns = (patternsIn: PatternFinder, node: Directive | Section, place: Place): void => {
    for (const pattern of patternsIn(node)) if (pattern !== undefined) visit(pattern, node, place);
  };
  for (const [name, patternsIn] of Object.entries(PATTERN_SECTIONS))
    context.sections([name], (node, place) => visitPatterns(patternsIn, node, place));
  for (const [name, patternsIn] of Object.entries(PATTERN_DIRECTIVES))
    context.directives([name], (node, place) => visitPatterns(patternsIn, node, place));
}

/** Edits that replace every part of a pattern with its `text`, which each part must have. */
export function patternEdits(
  text: string,
  { text: pattern, from, word, verbatim }: Pattern,
): readonly Edit[] {
  const parts = patternParts(pattern).map((part) => ({
    start: from + part.start,
    end: from + part.end,
    text: part.text ?? '',
  }));
  if (!verbatim) return replaceParts(text, word, parts);
  // A word that continues on the next line is written anew as a whole.
  if (text.slice(word.start, word.end) !== word.value)
    return [{ start: word.start, end: word.end, text: applyEdits(word.value, parts) }];
  return parts.map((part) => ({ ...part, start: word.start + part.start, end: word.start + part.end }));
}
