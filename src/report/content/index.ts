/**
 * What is said of a run, in any format.
 *
 * - `state`: what a finding asks of the reader
 * - `parts`: a run in the order in which people read of it
 * - `order`: findings sorted, equal ones merged
 * - `assumptions`: what the run assumes, each once
 * - `places`: a file and a line, as text
 */
export { assumptionsOf, briefMessage } from './assumptions';
export {
  countLevels,
  type MergedFinding,
  mergeEqualFindings,
  needsPerson,
  NOTHING,
  type ReportedRun,
  sortedOutcomes,
} from './order';
export { partsOf, type ReportParts } from './parts';
export { placeText, sourceLine } from './places';
export { failsRun, type FindingState, isBlocker, markOf, notAppliedText, stateOf, stateWord } from './state';
