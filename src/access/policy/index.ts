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
 * - `require-tree`: Require lines as the tree that 2.4 reads, also before the user is known
 * - `conditionals`: IfModule, IfDefine and IfVersion as questions, also around a virtual host
 * - `problems`: why a word or a section cannot be restated
 * - `handlers`: handlers that answer without a file
 * - `file-names`: Files sections whose names exclude each other, and sections whose order may decide
 * - `ssl-expression`: what SSLRequire asks in the words of `Require expr`
 * - `unused-parts`: parts of the configuration that no server reads, before and after a rewrite
 */
export * from './access-lines';
export * from './conditionals';
export * from './file-names';
export * from './handlers';
export * from './host-lists';
export * from './policy';
export * from './problems';
export {
  allDenied,
  authMergingOf,
  authTypeOf,
  authzExpr,
  authzOf,
  isLineRead,
  mergeAuthz,
  requireNodes,
  requireTreeOf,
  testNames24,
} from './require-tree';
export * from './requires';
export * from './scope';
export * from './ssl-expression';
export * from './state';
export * from './unused-parts';
