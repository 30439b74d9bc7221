/**
 * What the words of a directive mean. It knows no place of a line.
 *
 * - `by-text`: computes something of a text once
 * - `filters`: whether a line adds a filter, or has pages parsed
 * - `groups`: the groups of a regular expression
 * - `mutex`: the words of `Mutex` and of the directives that it replaces
 * - `pattern`: a regular expression in parts, and as PCRE2 takes it
 * - `request-headers`: the header that a variable has the value of
 * - `rewrite-words`: the words and flags of mod_rewrite
 * - `ssl-require-22`: the words of an SSLRequire as 2.2 reads them
 * - `variables`: the variables that a line sets
 */
export { byText } from './by-text';
export { FILTER_DIRECTIVES, INCLUDES_DIRECTIVES, addsFilter, parsesIncludes } from './filters';
export { groupsOf } from './groups';
export { isMechanism, isUsualPlace, mutexLine, needsFile } from './mutex';
export { patternForPcre2, patternParts } from './pattern';
export { headerOf } from './request-headers';
export {
  type RewriteFlag,
  type RewriteWord,
  flagsOf,
  rewriteMapOf,
  rewriteWords,
  withFlag,
} from './rewrite-words';
export { CONDITIONAL_VARIABLES, VARIABLE_DIRECTIVES, variablesSetBy } from './variables';
export { type Token22, isExpression22, readTokens22 } from './ssl-require-22';
