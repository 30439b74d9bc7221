export { type PatternMatcher, findsNothing, findsPattern, forgetPatterns, patternMatcher } from './match';
export { startsOf, type TextStart } from './starts';
