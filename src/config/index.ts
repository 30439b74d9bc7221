export {
  type Condition,
  asksForOlder,
  asksForOneVersion,
  conditionOf,
  isConditional,
  isModuleLacked,
  moduleLacked,
  placeCondition,
  readingOf,
  readsTheSame,
  conditionIn,
  lastInForce,
  linesOf,
  type Server,
  type ServerLine,
  Servers,
  nameOfHost,
  serverNamesOf,
  serversOf,
  type ServerInsertionPoint,
  insertionPointFor,
  visitNotGiven,
  visitTree,
} from './tree';
export { expand, hasVariable, loadTree, type LoadOptions } from './include';
export { checkSize, compilePathPattern, resolvePath, adding, memory, overlay, remember } from './source';
export * from './types';
