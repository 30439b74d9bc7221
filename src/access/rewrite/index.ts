export { NOTHING_WRITTEN, type RewriteEdit, type Written, isContainer } from './emit';
export { type IncludedRemoval, type Rewrite, type RewrittenSection, allEdits, editsIn } from './placement';
export type { InheritedPart, RewriteProblem } from './problems';
export { type InheritedToJoin, type TextForm, rewrite, rewriteBranch, rewriteStrictly } from './rewrite';
export { type LineInIf, type TlsPlan, planTlsLines } from './tls-lines';
export { type CheckThatStays, checksAmongMixed, withSslInTrees } from './ssl';
