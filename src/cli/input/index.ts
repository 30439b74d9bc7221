export { withListedPaths } from './files-from';
export { filesToLeave } from './ignored';
export { withProject } from './project';
export { findTarget, type TargetServer as Target } from './target';
export { type Loaded, loadPaths, loadStdin } from './tree';
