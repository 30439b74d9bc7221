export { hadAuthnDefault } from './collect';
export { missingGuardModule } from './policy';
export { type AccessFinding, checkBlocks, checkRewrites, differenceFindings } from './report';
export { blocksToKeep, reportBlockDifferences, translateAccess } from './translate-tree';
export type { AppliedRewrite } from './verify';
