export { rewrite } from './rewrite';
export { sslIntoTrees } from './ssltrees';
export type { Restated, Rewrite } from './take';
