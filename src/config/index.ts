export {
  type Condition,
  asksForOlder,
  conditionOf,
  isConditional,
  placeCondition,
  readingOf,
  readsTheSame,
  conditionIn,
  lastInForce,
  linesOf,
  type Server,
  type ServerLine,
  Servers,
  serversOf,
  type ServerInsertionPoint,
  insertionPointFor,
  visitNotGiven,
  visitTree,
} from './tree';
export { expand, hasVariable, loadTree, type LoadOptions } from './include';
export { resolvePath, adding, memory, overlay, remember } from './source';
export * from './types';
