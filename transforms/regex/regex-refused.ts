import { hasPlaceholder } from '../../src/syntax';
import { type ConfigFile, type Frame, placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { byText } from '../shared/by-text';
import { PATTERN_DIRECTIVES, PATTERN_SECTIONS } from './regex-words';

export default defineTransform({
  id: 'regex-refused',
  changes: [],
  title: 'Regular expressions that httpd refuses',
  why: 'httpd does not start with a regular expression that PCRE cannot read, and answers 500 if it is in a .htaccess. 2.2 does the same, so such a line has not been in use here. A single * is a file name pattern, not a regular expression.',
  docs: ['core: <FilesMatch>', 'server/core.c: filesection', 'server/util_pcre.c: ap_regcomp'],
  advisory: true,
  directives: [],
  run(context) {
    const tell = (node: Directive | Section, chain: readonly Frame[], file: ConfigFile, regex: string): void => {
      const why = regex === '' ? undefined : regexFlaw(regex);
      if (why === undefined || placeCondition(chain, context.tree.defines).on24 === false) return;
      context.report({
        file,
        at: (node.kind === 'section' ? node.open : node).from,
        level: 'error',
        safety: 'manual',
        message: `httpd refuses the regular expression ${regex}, as 2.2 did: ${why}${regex === '*' ? '; .* matches everything' : ''}`,
        edits: [],
      });
    }; // prettier-ignore
    for (const [name, pick] of Object.entries(PATTERN_SECTIONS))
      context.sections([name], (node, { chain, file }) => {
        for (const pattern of pick(node)) if (pattern !== undefined) tell(node, chain, file, pattern.text);
      });
    for (const [name, pick] of Object.entries(PATTERN_DIRECTIVES))
      context.directives([name], (node, { chain, file }) => {
        for (const pattern of pick(node))
          if (pattern !== undefined && pattern.expression !== true) tell(node, chain, file, pattern.text);
      });
  },
});

/**
 * Why PCRE refuses a regex, for the flaws that every release of it refuses; undefined where it takes it, or that is not sure. Other flaws
 * than these are httpd's own to find.
 */
export const regexFlaw = byText((regex) => {
  // Only one of these can be wrong where it stands.
  return /[\\[()*+?]/.test(regex) ? findFlaw(regex) : undefined;
});

function findFlaw(regex: string): string | undefined {
  // Quoted parts, comments and verbs have rules of their own; and a text to be filled in is no regex yet.
  if (/\\[QE]|\(\?[#x^(]|\(\?[a-z]*x|^\(\*|%\{/.test(regex) || hasPlaceholder(regex)) return undefined;
  let depth = 0;
  /** Whether what stands before can be repeated: undefined where that is another's to say. */
  let item: boolean | undefined = false;
  for (let at = 0; at < regex.length; at++) {
    const char = regex.charAt(at);
    if (char === '\\') {
      if (at + 1 === regex.length) return 'it ends in a backslash';
      at++;
      item = /[A-Za-z0-9]/.test(regex.charAt(at)) ? undefined : true;
    } else if (char === '[') {
      const end = classEnd(regex, at);
      if (end < 0) return 'a [ is not closed';
      at = end;
      item = true;
    } else if (char === '(') {
      if (regex.charAt(at + 1) === '*') return undefined;
      depth++;
      const sign =
        regex.charAt(at + 1) === '?' ? /^\(\?(?:<?[=!]|[:>|]|P?<\w+>)?/.exec(regex.slice(at))![0] : '(';
      if (sign === '(?') return undefined;
      at += sign.length - 1;
      item = false;
    } else if (char === ')') {
      if (depth-- === 0) return 'a ) has no ( before it';
      item = true;
    } else if (char === '|') item = false;
    else if (char === '*' || char === '+' || char === '?') {
      if (item === false) return `nothing stands before the ${char} that it could repeat`;
      // A second sign makes the first one lazy or possessive; a third is one too many, but not in all releases.
      const next = regex.charAt(at + 1);
      if (next === '?' || next === '+') at++;
      item = regex.charAt(at + 1) === '*' && item === true ? false : undefined;
    } else item = char === '$' || char === '^' || char === '{' || char === '}' ? undefined : true;
  }
  return depth > 0 ? 'a ( is not closed' : undefined;
}

/** Where a class of characters ends that begins at `start`; -1 where it does not. */
function classEnd(regex: string, start: number): number {
  let at = start + 1;
  if (regex.charAt(at) === '^') at++;
  // Right at the beginning it is a character like any other.
  if (regex.charAt(at) === ']') at++;
  for (; at < regex.length; at++) {
    const char = regex.charAt(at);
    if (char === ']') return at;
    if (char === '\\') at++;
    else if (char === '[') at += (/^\[([:.=])[^\]]*\1\]/.exec(regex.slice(at))?.[0].length ?? 1) - 1;
  }
  return -1;
}
