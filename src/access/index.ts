export { type AppliedRewrite, checkRewrites } from './check';
export { type AccessFinding, translateAccess } from './translate';
