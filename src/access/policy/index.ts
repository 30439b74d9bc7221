/**
 * What a section says, the state that a request is in, and the decision in that state. It does not know what comes before a
 * section.
 *
 * - `scope`: `Scope`, the section that all rooms speak of: `collect` fills it, `rewrite/ssl` completes it
 * - `access-lines`: the access lines of a section, and who reads each
 * - `policy`: the parts of what a section says
 * - `state`: `mergePolicy` merges a section into a state; `decisionIn` says who gets in
 * - `host-lists`: Order, Allow and Deny, and each word after `from`
 * - `requires`: each word after `Require`
 * - `require-tree`: Require lines as the tree that 2.4 reads
 * - `two-passes`: what 2.4 decides before the user is known
 * - `conditionals`: IfModule, IfDefine and IfVersion as questions
 * - `problems`: why a word or a section cannot be restated
 * - `handlers`: handlers that answer without a file
 * - `file-names`: Files sections whose names exclude each other
 * - `host-tests`: what is asked of the server around a section
 * - `ssl-expression`: what SSLRequire asks in the words of `Require expr`
 * - `unused-parts`: parts of the configuration that no server reads, before and after a rewrite
 */
export {
  type Guard,
  type ReadCondition,
  STOCK_MODULES,
  asksForCompat,
  conditionUnder,
  conditionalTests,
  guardOf,
  loadsStockModule,
  missingGuardModule,
  moduleAsked,
} from './conditionals';
export { setsHandlerWithoutFile } from './handlers';
export {
  type AccessDirective,
  linesByReader,
  IN_24,
  type LineWithReaders,
  NO_ACCESS_LINES,
  type ScopeLine,
} from './access-lines';
export { UnusedPartPairs } from './unused-parts';
export { sslRequireTest } from './ssl-expression';
export { excludeEachOther, excludesGlob } from './file-names';
export { testsAroundHost, testsExclude } from './host-tests';
export { type HostProblem, type SectionProblem, type SslObstacle } from './problems';
export { hostsExpr, isAddress, mayBeFilledIn, parseHostSpec } from './host-lists';
export {
  type Authorizer,
  type AuthorizerConfig,
  type AuthzConfig,
  type HostLine,
  type HostPolicy,
  type HostSpec,
  type Order,
  type OrderLine,
  type RequireLine,
  type RequireNode,
  type Satisfy,
  type SatisfyLine,
  type SectionPolicy,
  type SslCheck,
  type TlsLine,
  type TlsPolicy,
  asksTlsInTree,
  orderFor,
} from './policy';
export {
  authMergingOf,
  authTypeOf,
  authzExpr,
  authzOf,
  isRead,
  mergeAuthz,
  requireNodes,
  requireTreeOf,
  testNames24,
} from './require-tree';
export {
  type EffectiveRequires,
  UNANSWERED,
  type RequireWords,
  type Undecided,
  assumedOrder,
  assumesOrder,
  authorizerOf,
  authorizerOrder,
  authorizersOf,
  effectiveRequires,
  isAnswered,
  moduleIdentifier,
  readRequire,
  wouldEscapeAgain,
} from './requires';
export {
  type ConditionalTest,
  type NodeProblem,
  type OverrideLine,
  type PolicyVariant,
  type Reading,
  type Scope,
  type ScopeKind,
  type ScopeNote,
  type SslLine,
  changesAccess,
  changesState,
  directoryOf,
  hasVersionBlocks,
  isReadFor24Alone,
  includedScopes,
  openTestNames,
  policyUnder,
  policyVariants,
  regexArgument,
  regexOf,
  saysSatisfyAny,
  scopeName,
  scopesByUnusedPart,
  setsAccess,
  setsSomething,
  testNames,
} from './scope';
export {
  type Decision,
  type Facts,
  INITIAL,
  type ReachCondition,
  type State,
  decisionIn,
  decisionOrRefusal,
  decisionKey,
  isMissingRequire,
  isReadAs24,
  mergePolicy,
  stateKey,
  surelyLetIn,
  withConditions,
} from './state';
