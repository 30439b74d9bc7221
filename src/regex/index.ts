export { type PatternMatcher, findsNothing, findsPattern, forgetPatterns, patternMatcher } from './match';
export { neighboursIn } from './neighbours';
export { startsOf } from './starts';
export { readPattern } from './read';
export type { PatternNode } from './nodes';
