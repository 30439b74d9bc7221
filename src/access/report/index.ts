export {
  blocksDiffer,
  checkBlocks,
  checkRewrites,
  differenceFindings,
  requestsCompared,
} from './differences';
export { misplacedFindings, reportDeadLine, reportHomes, reportLineAbove, reportOldLineFor24 } from './lines';
export { type AccessFinding, ASSUMPTION_KEYS, Findings, moveGuards } from './findings';
export { reportRefusals, reportRewrites } from './messages';
export { type SectionInQuestion, questionRefusal, settledFinding } from './mixed-question';
export { isTwin, needsHostsNotSeen, overrideRefusal, sectionRefusal } from './reasons';
export { type Refusal, refusalText, scopeWithPlace } from './refusals';
export { authTypeNoneRemark } from './remarks';
export { ACCESS_RULE, type AccessRun } from './run-context';
export { type StrictForm, strictSummary } from './strict-form';
export { type HtaccessProblem, htaccessProblems } from './overrides';
