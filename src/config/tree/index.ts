export { type AccessNames, accessNamesByHost } from './access-names';
export {
  asksForOlder,
  bothRead,
  type Condition,
  conditionOf,
  isConditional,
  hostAround,
  placeCondition,
  versionHolds,
} from './conditions';
export { isDebianLink } from './debian-link';
export {
  asksForOneVersion,
  isCompleteFor22,
  isModuleLacked,
  mayHaveCompat,
  isBuiltInOrNot,
  moduleLacked,
  moduleTakenForBuiltIn,
  surelyHasCompat,
} from './modules-lacked';
export { problemsByLine } from './problem-lines';
export { readingOf, readsTheSameIn22 } from './reading';
export { nameOfHost, serverNamesOf } from './server-names';
export {
  conditionIn,
  lastInForce,
  linesOf,
  type Server,
  type ServerLine,
  Servers,
  serversOf,
  insertionPointFor,
} from './servers';
export { isMerging, type SlashMerging, slashesLines, slashMergingIn } from './slashes';
export { visitTree } from './walk';
export { type ServerState, serverStateOf } from './server-state';
