export { ignoredFiles } from './ignored';
export { withProject } from './project';
export { readTarget, type Loaded, loadPaths, loadStdin } from './tree';
