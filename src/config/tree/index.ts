export { asksForOlder, type Condition, conditionOf, isConditional, placeCondition } from './conditions';
export { isModuleLacked, moduleLacked } from './modules-lacked';
export { readingOf, readsTheSame } from './reading';
export {
  conditionalsAround,
  conditionIn,
  lastInForce,
  linesOf,
  type Server,
  type ServerLine,
  Servers,
  serversOf,
  type ServerInsertionPoint,
  insertionPointAfter,
  insertionPointFor,
} from './servers';
export { visitNotGiven, visitTree } from './walk';
