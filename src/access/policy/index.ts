export { authzExpr } from './authzexpr';
export { type Guard, STOCK, guardOf, lackedBy, loadsStock } from './guards';
export { hostsExpr } from './hosts';
export { classifyHostWord, isAddress } from './hostword';
export {
  type Authorizer,
  type AuthorizerConfig,
  type Authz24,
  type HostLine,
  type HostPolicy,
  type HostWord,
  type Node24,
  type Order,
  type OrderLine,
  type OwnPolicy,
  type RequireLine,
  type Satisfy,
  type SatisfyLine,
  orderFor,
} from './policy';
export { type ReadCondition, conditionUnder, configTests, meet } from './reading';
export {
  type LiveRequires,
  type RequireWords,
  assumedOrder,
  assumesOrder,
  authorizerOf,
  authorizerOrder,
  authorizersOf,
  isAnswered,
  isUnstable,
  liveRequires,
  moduleIdentifier,
  readRequire,
} from './requires';
export {
  type ConfigTest,
  type OverrideLine,
  type Reading,
  type Scope,
  type ScopeKind,
  type ScopeLine,
  type Setting,
  changesState,
  hasAccess,
  newScope,
  scopeName,
  setsSomething,
} from './scope';
export { openTestNames, ownUnder, settingsOfScope, testNames } from './settings';
export {
  type Decision,
  type Facts,
  INITIAL,
  type State,
  type Test,
  decide,
  decisionKey,
  isMissingRequire,
  merge,
  stateKey,
  withTests,
} from './state';
export {
  authTypeOf,
  authzOf,
  isRead,
  mergeAuthz,
  mergingOf,
  negatesTwice,
  requireNodes,
  treeOf,
} from './tree24';
