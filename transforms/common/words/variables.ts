import type { Directive } from '../../../src/syntax';
import { flagsOf, rewriteWords } from './rewrite-words';

/** Lines that set variables of a request. */
export const VARIABLE_DIRECTIVES = [
  'SetEnv', 'SetEnvIf', 'SetEnvIfNoCase', 'BrowserMatch', 'BrowserMatchNoCase', 'RewriteRule',
]; // prettier-ignore

/** Lines that set variables by what is asked for, in either version (mod_setenvif, mod_rewrite). */
export const CONDITIONAL_VARIABLES = [
  'SetEnvIf', 'SetEnvIfNoCase', 'SetEnvIfExpr', 'BrowserMatch', 'BrowserMatchNoCase', 'RewriteRule',
]; // prettier-ignore

/** The variables that one of these lines sets, without those that it takes back. */
export function variablesSetBy(node: Directive): readonly string[] {
  if (node.key === 'rewriterule')
    return flagsOf(rewriteWords(node)[2])
      .filter(({ key, value }) => (key === 'e' || key === 'env') && !value.startsWith('!'))
      .map(({ value }) => value.replace(/:.*/s, ''));
  const values = node.args.map(({ value }) => value);
  if (node.key === 'setenv') return values.slice(0, 1);
  return values
    .slice(node.key.startsWith('browser') ? 1 : 2)
    .filter((value) => !value.startsWith('!'))
    .map((value) => value.replace(/=.*/s, ''));
}
