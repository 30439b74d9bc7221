export { NOTHING_WRITTEN, type RewriteEdit, type Written, isContainer } from './emit';
export type { Rewrite, RewrittenSection } from './placement';
export type { InheritedPart, RewriteProblem } from './problems';
export { rewrite, rewriteHalf } from './rewrite';
export { withSslInTrees } from './ssl';
