export { type PatternMatcher, findsPattern, forgetPatterns, patternMatcher } from './match';
export { startsOf, type TextStart } from './starts';
