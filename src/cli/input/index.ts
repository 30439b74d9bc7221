export { ignoredFiles } from './ignored';
export { withProject } from './project';
export { readTarget } from './target';
export { type Loaded, loadPaths, loadStdin } from './tree';
