/**
 * Writes a section's decision as lines of 2.4 and places them. Who gets in is decided in `policy`; it adds no finding.
 *
 * - `rewrite`: a section's new lines: exact, or those for 2.4 alone
 * - `cases`: the decision where it depends on how the request came
 * - `regions`: what is asked of requests of one kind, in few and short questions
 * - `request-tests`: what is asked of a request to tell such cases apart
 * - `server-tests`: what is asked of the server to tell such cases apart
 * - `host-copies`: a section once more in the virtual hosts in which it decides differently
 * - `strict-form`: the strictest form, for all or in each directory
 * - `emit`: the lines of a decision
 * - `layout`: where the lines stand in the text
 * - `placement`: where the new lines go and which old lines leave
 * - `removed-lines`: the body that new lines are laid in
 * - `ssl`: SSLRequireSSL as a Require line, which needs to know which sections meet
 * - `tls-lines`: what else mod_ssl asks, in an `<If>` where 2.2 asked it after the host lists
 * - `problems`: why a section has no rewrite
 */
export { isContainer } from './emit';
export { NOTHING_WRITTEN, type RewriteEdit, SHUT_LINES, type Written, writeShut } from './layout';
export { rewriteByHost } from './host-copies';
export {
  type HostCopy,
  type IncludedRemoval,
  type Rewrite,
  type RewrittenSection,
  type ShutDirectory,
  allEdits,
  editsIn,
} from './placement';
export type { InheritedPart, RewriteProblem } from './problems';
export {
  type InheritedToJoin,
  type RequestsToSection,
  type TextForm,
  rewrite,
  rewriteBranch,
} from './rewrite';
export { mergedStates, rewriteStrictly, strictestByDirectory } from './strict-form';
export { type TlsPlan, planTlsLines } from './tls-lines';
export { joinRegions } from './regions';
export { type KeptCheck, checksAmongMixed, withSslInTrees } from './ssl';
