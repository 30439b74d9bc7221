export { GitError } from './error';
export { installHook, type Program, uninstallHook } from './install';
export { restage } from './restage';
export { Staged } from './staged';
