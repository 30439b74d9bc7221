export { hunksOf } from './hunks';
export { diffPath, unifiedDiff } from './unified';
export { diffWords } from './words';
