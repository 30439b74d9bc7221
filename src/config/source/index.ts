export { isPattern, includeTargets, MAX_INCLUDE_DEPTH, type IncludeTarget } from './glob';
export { pathsTo, type LinkedPath, linkedPathsAlong } from './links';
export { adding, memory, overlay, remember } from './memory';
export { basename, below, byBytes, dirname, join, resolvePath } from './paths';
