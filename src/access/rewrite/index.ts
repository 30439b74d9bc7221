export { NOTHING_WRITTEN, type RewriteEdit, type Written, isContainer } from './emit';
export type { Rewrite, RewrittenSection } from './placement';
export type { InheritedPart, RewriteProblem } from './problems';
export { type InheritedToJoin, rewrite, rewriteHalf, rewriteStrictly } from './rewrite';
export { withSslInTrees } from './ssl';
