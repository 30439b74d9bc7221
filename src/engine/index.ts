export { TreeIndex } from './collect';
export { LoadOrder } from './loadorder';
export { checkRegistry } from './registry';
export { run } from './run';
export { defineTransform } from './transform';
export type * from './types';
export { type Reread } from './verify';
