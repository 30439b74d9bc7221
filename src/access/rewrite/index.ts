export type { Restated, Rewrite } from './placement';
export { rewrite } from './rewrite';
export { sslIntoTrees } from './ssl';
