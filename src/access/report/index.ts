/**
 * Words the findings about access: what was rewritten, what was left as it is and why, what a person should know. It writes no
 * Require line.
 *
 * - `refusals`: the words of each refusal
 * - `reasons`: why a section cannot be rewritten, whatever it meets
 * - `messages`: the findings of a group that is rewritten, or left as it is
 * - `remarks`: notes on single lines
 * - `differences`: findings about requests that 2.4 answers in another way
 * - `findings`: the list of findings of a run, and what they assume
 * - `lines`: findings about single lines: dead, misplaced, above the directories given
 * - `run-context`: `AccessRun`, what holds for a whole run; it stands here because this is the lowest room that reads it
 * - `overrides`: what AllowOverride keeps a `.htaccess` of the result from saying
 * - `placed`: whether it is known where a server reads a section
 * - `strict-form`: sections in the strictest form
 * - `lets-nobody-in`: sections that let nobody in, in both versions
 * - `mixed-question`: the question what a section with lines of both kinds is to say
 */
export {
  blocksDiffer,
  checkBlocks,
  checkRewrites,
  differenceFindings,
  requestsCompared,
} from './differences';
export { misplacedFindings, reportDeadLine, reportHomes, reportOldLineFor24 } from './lines';
export { type AccessFinding, ASSUMPTION_KEYS, Findings, moveGuards } from './findings';
export { reportRefusals, reportRewrites } from './messages';
export { type SectionInQuestion, questionRefusal, settledFinding } from './mixed-question';
export { isTwin, needsHostsNotSeen, overrideRefusal, sectionRefusal } from './reasons';
export { type Refusal, refusalText, scopeWithPlace } from './refusals';
export { authTypeNoneRemark } from './remarks';
export { ACCESS_RULE, type AccessRun } from './run-context';
export { type StrictForm, strictSummary } from './strict-form';
export { type HtaccessProblem, htaccessProblems } from './overrides';
