export { asksForOlder, type Condition, conditionOf, isConditional, placeCondition } from './conditions';
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
  type Spot,
  spotAfter,
  spotFor,
} from './servers';
export { visitTree } from './walk';
