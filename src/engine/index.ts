export { treeFor } from './collect';
export { TreeIndex } from './tree-index';
export { LoadOrder } from './load-order';
export { checkRegistry, defineTransform } from './transform';
export { findingsOf, run } from './run';
export type * from './types';
export { type Reread } from './verify';
