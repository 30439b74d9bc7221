export { checkSize } from './file-size';
export {
  compilePathPattern,
  directoriesMatching,
  inAnyCase,
  isPattern,
  includeTargets,
  MAX_INCLUDE_DEPTH,
  type IncludeTarget,
} from './glob';
export { type LinkedPath, MAX_PATHS, PathsByLinks, linkedPathsAlong } from './links';
export { adding, memory, overlay, remember } from './memory';
export { hasVariable, replaceVariables } from './variables';
export { DirectorySet, basename, below, byBytes, dirname, join, resolvePath } from './paths';
