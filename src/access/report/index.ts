export { ASSUMPTION_KEYS, type SectionAssumption } from './assumptions';
export { reportConversions } from './conversions';
export {
  blocksDiffer,
  checkBlocks,
  checkRewrites,
  differenceFindings,
  requestsCompared,
} from './differences';
export { misplacedFindings, reportDeadLine, reportHomes, reportLineAbove, reportOldLineFor24 } from './lines';
export {
  type AccessFinding,
  Findings,
  type RewrittenScope,
  moveGuards,
  reportOverrideLists,
} from './findings';
export type { SectionConversion, GroupOutcome } from './outcome';
export {
  type Refusal,
  hasStrictForm,
  isOfLines,
  isRefusedBy22,
  mayBeKeptAlone,
  refusalText,
  scopeWithPlace,
  unknownPart,
} from './refusals';
export { authTypeNoneRemark } from './remarks';
export { ACCESS_RULE, type AccessRun } from './run-context';
export { type StrictForm, strictSummary } from './strict-form';
export { type HtaccessProblem, htaccessProblems } from './overrides';
export { reportRefusals } from './unconverted';
