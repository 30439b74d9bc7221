/**
 * The unified diff, cut from the edits instead of found by comparison.
 *
 * - `hunks`: cuts the hunks: `hunksOf` and `HunkBuilder`
 * - `unified`: prints them as git does
 * - `lines`: lines of a text by offset
 * - `words`: what changed within a line
 * - `load`, `jsdiff`: jsdiff, loaded when a diff of words is first asked for
 */
export { hunksOf } from './hunks';
export { diffPath, unifiedDiff } from './unified';
export { diffWords } from './words';
