/**
 * Asks the rules about the tree and about the result, and adds what was noticed while the tree was read.
 *
 * - `collect`: runs each rule over the tree
 * - `finding-collector`: the findings of one run, with levels and ignore comments applied
 * - `problems`: the engine's own findings
 * - `result`: runs the rules about the result
 * - `skipped-blocks`: blocks that only one version reads
 * - `trouble`: turns an exception in a rule into a finding
 */
export { treeAfter, treeFor } from './collect';
export { FindingCollector } from './finding-collector';
export { CHECK_IDS, problemFinding } from './problems';
export { originIn } from './result';
export { faultOf } from './trouble';
