export { type Condition, asksForOlder, conditionOf, isConditional, placeCondition } from './tree/conditions';
export { expand, hasVariable } from './include/expand';
export { loadTree, type LoadOptions } from './include/load';
export { readingOf, readsTheSame } from './tree/reading';
export { resolvePath } from './source/paths';
export { adding, memory, overlay, remember } from './source/memory';
export * from './types';
export {
  conditionalsAround,
  conditionIn,
  lastInForce,
  linesOf,
  type Server,
  type ServerLine,
  Servers,
  serversOf,
  type Spot,
  spotAfter,
  spotFor,
} from './tree/servers';
export { visitTree } from './tree/walk';
