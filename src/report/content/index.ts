export { placesOf } from './below';
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
