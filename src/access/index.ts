export { type AppliedRewrite, checkRewrites } from './check';
export { type AccessFinding } from './findings';
export { translateAccess } from './translate';
