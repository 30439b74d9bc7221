export { type Condition, conditionOf, isConditional, placeCondition } from './conditions';
export { expand, hasVariable } from './expand';
export { loadTree, type LoadOptions } from './load';
export { memory, overlay, remember } from './memory';
export * from './types';
export { visitTree } from './walk';
