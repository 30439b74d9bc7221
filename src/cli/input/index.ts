export { completeOptions } from './complete';
export { withListedPaths } from './files-from';
export { withLogPaths } from './log-paths';
export { ignoringOf } from './ignored';
export { withProject } from './project';
export { findTarget, type TargetServer as Target } from './target';
export { checkBesideTree, type Loaded, loadPaths, loadStdin, placeOf } from './tree';
