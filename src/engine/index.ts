export { TreeIndex } from './collect';
export { checkRegistry } from './registry';
export { run } from './run';
export { defineTransform } from './transform';
export type * from './types';
export { type Reread } from './verify';
