export { defaultHadLastWord } from './collect';
export { lackedBy } from './policy';
export { type AccessFinding, checkRewrites } from './report';
export { tellSides, translateAccess } from './translate-tree';
export type { AppliedRewrite } from './verify';
