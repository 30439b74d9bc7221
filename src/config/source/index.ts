export { isPattern, includeTargets, MAX_INCLUDE_DEPTH, type Target } from './glob';
export { pathsTo, type Way, waysAlong } from './links';
export { adding, memory, overlay, remember } from './memory';
export { basename, below, byBytes, dirname, join, resolvePath } from './paths';
