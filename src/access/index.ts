export { type AppliedRewrite, checkRewrites } from './check';
export { type AccessFinding } from './findings';
export { lackedBy } from './guards';
export { defaultHadLastWord } from './lastword';
export { translateAccess } from './translate';
export { tellSides } from './tellsides';
