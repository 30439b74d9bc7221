export { TreeIndex, treeFor } from './collect';
export { LoadOrder } from './loadorder';
export { checkRegistry, defineTransform } from './transform';
export { findingsOf, run } from './run';
export type * from './types';
export { type Reread } from './verify';
