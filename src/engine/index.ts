export { TreeIndex } from './collect';
export { LoadOrder } from './load-order';
export { checkRegistry, defineTransform } from './transform';
export { run } from './run';
export type * from './types';
export { type Reread } from './verify';
