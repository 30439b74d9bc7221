export { defaultHadLastWord } from './collect';
export { lackedBy } from './policy';
export type { AccessFinding } from './report';
export { tellSides, translateAccess } from './translate-tree';
export { type AppliedRewrite, checkRewrites } from './verify';
