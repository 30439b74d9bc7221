export { treeFor } from './collect';
export { TreeIndex } from './tree-index';
export { LoadOrder } from './load-order';
export { checkRegistry, defineTransform } from './transform';
export { findingsOf, run } from './run';
export { subjectIn } from './wanted/subject';
export { withEdits, type WrittenByHand } from './with-edits';
export type * from './types';
export { type Reread } from './verify';
