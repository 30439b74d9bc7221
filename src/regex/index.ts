export { findsPattern, forgetPatterns } from './match';
export { startsOf, type TextStart } from './starts';
