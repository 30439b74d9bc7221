export { type PatternMatcher, findsPattern, forgetPatterns, patternMatcher } from './match';
export { startsOf } from './starts';
