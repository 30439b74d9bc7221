export { type PatternMatcher, findsNothing, findsPattern, forgetPatterns, patternMatcher } from './match';
export { startsOf } from './starts';
