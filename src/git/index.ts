export { GitError } from './error';
export { installHook, type Program, uninstallHook } from './install';
export { prepareRestaging, type RestagedFile, type Restaging } from './restage';
export { Staged } from './staged';
export { notTakenBackText, takeBackStaged } from './take-back';
