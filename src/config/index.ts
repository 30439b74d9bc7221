export {
  type Condition,
  asksForOlder,
  asksForOneVersion,
  conditionOf,
  isConditional,
  isDebianLink,
  isModuleLacked,
  mayHaveCompat,
  moduleLacked,
  placeCondition,
  readingOf,
  readsTheSame,
  conditionIn,
  type ServerState,
  serverStateOf,
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
  visitTree,
} from './tree';
export { expand, loadRereadable, loadTree, type LoadOptions, serversBelow } from './include';
export {
  adding, below, checkSize, compilePathPattern, dirname, hasVariable, memory, overlay, remember, replaceVariables, resolvePath,
} from './source'; // prettier-ignore
export * from './types';
