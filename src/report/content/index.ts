export { assumptionsOf, briefMessage } from './assumptions';
export {
  countLevels,
  groupBy,
  type MergedFinding,
  mergeEqualFindings,
  needsPerson,
  NOTHING,
  type ReportedRun,
  sortedOutcomes,
} from './order';
export { type ContentOptions, contentOf, type NextStep, planLine, type ReportContent } from './parts';
export { otherPlaces, placesText, placeText, sourceLine } from './places';
export { failsRun, type FindingState, isBlocker, markOf, notAppliedText, stateOf, stateWord } from './state';
export { foldTasks, type ReportedRule, type TaskOfRun } from './tasks';
export type { PlanStage } from './verdict';
