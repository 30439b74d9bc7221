export { defaultHadLastWord } from './collect';
export { lackedBy } from './policy';
export type { AccessFinding } from './report';
export { tellSides } from './tellsides';
export { translateAccess } from './translate';
export { type AppliedRewrite, checkRewrites } from './verify';
