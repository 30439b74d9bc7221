import { placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { hasPlaceholder } from '../../src/syntax';
import { byText } from '../common/words';
import { eachPattern } from './regex-words';

export default defineTransform({
  id: 'regex-refused',
  changes: [],
  title: 'Regular expressions that httpd refuses',
  why: 'httpd does not start with a regular expression that PCRE cannot read, and answers 500 if it is in a .htaccess. 2.2 does the same, so such a line has not been in use here. A single * is a file name pattern, not a regular expression.',
  docs: ['core: <FilesMatch>', 'server/core.c: filesection', 'server/util_pcre.c: ap_regcomp'],
  advisory: true,
  task: () => ({ text: 'correct the regular expressions that httpd refuses, as 2.2 did' }),
  run(context) {
    eachPattern(context, ({ text: regex, expression }, node, { chain, file }) => {
      if (regex === '' || expression === true) return;
      const flaw = regexFlaw(regex);
      if (flaw === undefined || placeCondition(chain, context.tree.defines).on24 === false) return;
      context.report({
        file,
        at: (node.kind === 'section' ? node.open : node).from,
        level: 'error',
        message: `httpd refuses the regular expression ${regex}, as 2.2 did: ${flaw}; ${regex === '*' ? 'write .* to match everything' : 'correct or remove it'}`,
      });
    });
  },
});

/** Why every release of PCRE refuses a regex; undefined if one accepts it, or that is not certain: httpd tells then. */
export const regexFlaw = byText((regex) => {
  // A regex without any of these characters has no such flaw.
  return /[\\[()*+?]/.test(regex) ? findFlaw(regex) : undefined;
});

function findFlaw(regex: string): string | undefined {
  // Quoted parts, comments and verbs have rules of their own, and a template is not a regex yet.
  if (/\\[QE]|\(\?[#x^(]|\(\?[a-z]*x|^\(\*|%\{/.test(regex) || hasPlaceholder(regex)) return undefined;
  let depth = 0;
  /** Whether the item before can be repeated; undefined if that is not certain. */
  let canRepeat: boolean | undefined = false;
  for (let at = 0; at < regex.length; at++) {
    const char = regex.charAt(at);
    if (char === '\\') {
      if (at + 1 === regex.length) return 'it ends in a backslash';
      at++;
      canRepeat = /[A-Za-z0-9]/.test(regex.charAt(at)) ? undefined : true;
    } else if (char === '[') {
      const end = classEnd(regex, at);
      if (end < 0) return 'a [ is not closed';
      at = end;
      canRepeat = true;
    } else if (char === '(') {
      const length = openingLength(regex, at);
      if (length === undefined) return undefined;
      depth++;
      at += length - 1;
      canRepeat = false;
    } else if (char === ')') {
      if (depth-- === 0) return 'a ) has no ( before it';
      canRepeat = true;
    } else if (char === '|') canRepeat = false;
    else if (char === '*' || char === '+' || char === '?') {
      if (canRepeat === false) return `there is nothing before the ${char} that it could repeat`;
      // A second sign makes the first one lazy or possessive. Some releases refuse a third.
      const next = regex.charAt(at + 1);
      if (next === '?' || next === '+') at++;
      canRepeat = regex.charAt(at + 1) === '*' && canRepeat === true ? false : undefined;
    } else canRepeat = '$^{}'.includes(char) ? undefined : true;
  }
  return depth > 0 ? 'a ( is not closed' : undefined;
}

/** How long the opening of the group at `at` is; undefined for a verb, or a kind of group that not every release knows. */
function openingLength(regex: string, at: number): number | undefined {
  const next = regex.charAt(at + 1);
  if (next === '*') return undefined;
  if (next !== '?') return 1;
  const [opening] = /^\(\?(?:<?[=!]|[:>|]|P?<\w+>)?/.exec(regex.slice(at))!;
  return opening === '(?' ? undefined : opening.length;
}

/** The offset of the ] that ends the class of characters at `start`; -1 if none does. */
function classEnd(regex: string, start: number): number {
  let at = start + 1;
  if (regex.charAt(at) === '^') at++;
  // A ] at the beginning is an ordinary character.
  if (regex.charAt(at) === ']') at++;
  for (; at < regex.length; at++) {
    const char = regex.charAt(at);
    if (char === ']') return at;
    if (char === '\\') at++;
    else if (char === '[') at += (/^\[([:.=])[^\]]*\1\]/.exec(regex.slice(at))?.[0].length ?? 1) - 1;
  }
  return -1;
}
