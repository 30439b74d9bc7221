export { hadAuthnDefault } from './collect';
export { missingGuardModule } from './policy';
export { type AccessFinding, checkRewrites } from './report';
export { reportBlockDifferences, translateAccess } from './translate-tree';
export type { AppliedRewrite } from './verify';
