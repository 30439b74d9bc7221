/**
 * What is said of a run, in any format.
 *
 * - `state`: what a finding asks of the reader
 * - `parts`: a run in the order in which people read of it
 * - `order`: findings sorted, equal ones merged
 * - `assumptions`: what the run assumes, each once
 * - `described`: findings and the verdict as data, for programs that show them
 * - `below`: files counted by the place below which they lie
 * - `log`: what the requests of logs say of a run
 * - `log-findings`: what they say at the lines of files
 * - `omitted`: what changes leave out, with the reason
 * - `places`: a file and a line, as text
 * - `tasks`: what to do, in the order of the work, with findings that ask for the same as one item
 * - `verdict`: the first lines: what changes, whether 2.4 starts, who gets in
 */
export { filesByPlace } from './below';
export { type LogContent, logSummary } from './log';
export { LOG_RULE, addedText, findingsWithLog } from './log-findings';
export { briefMessage } from './assumptions';
export {
  countLevels,
  type MergedFinding,
  mergeEqualFindings,
  needsPerson,
  NOTHING,
  type ReportedRun,
  sortedOutcomes,
} from './order';
export { type ContentOptions, contentOf, type NextStep, planLine, type ReportContent } from './parts';
export { type DescribedFinding, describeFinding, type RunSummary, summarize } from './described';
export { omittedTexts } from './omitted';
export { otherPlaces, placesText, placeText, sourceLine } from './places';
export {
  failsRun,
  type FindingState,
  isBlocker,
  nameTraitsOf,
  notAppliedText,
  stateOf,
  stateWord,
} from './state';
export { foldTasks, type TaskOfRun, headingOf } from './tasks';
export type { PlanStage } from './verdict';
