export { hadAuthnDefault } from './collect';
export { missingGuardModule } from './policy';
export { overridesOf, takesOptions } from './override';
export { type AccessFinding, checkRewrites, htaccessProblems } from './report';
export { reportBlockDifferences, translateAccess } from './translate-tree';
export type { AppliedRewrite } from './verify';
