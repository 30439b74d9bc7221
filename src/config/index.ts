export { type Condition, asksForOlder, conditionOf, isConditional, placeCondition } from './conditions';
export { expand, hasVariable } from './expand';
export { loadTree, type LoadOptions } from './load';
export { readingOf, readsTheSame } from './reading';
export { resolvePath } from './paths';
export { adding, memory, overlay, remember } from './memory';
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
} from './servers';
export { visitTree } from './walk';
