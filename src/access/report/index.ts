/**
 * Words the findings about access: what was rewritten, what was left as it is and why, what a person should know. It writes no
 * Require line.
 *
 * - `refusals`: each reason to leave a section as it is, with its words and all that follows from it
 * - `unconverted`: findings about sections that are left as they are
 * - `conversions`: findings about sections that change, and the lines that they leave out
 * - `assumptions`: what a conversion takes for granted, in words
 * - `outcome`: what is known of a group that has been decided
 * - `remarks`: notes on single lines, and on what comes of a section in some state of a request
 * - `differences`: findings about requests that 2.4 answers in another way
 * - `findings`: the list of findings of a run
 * - `lines`: findings about single lines: dead or misplaced
 * - `run-context`: `AccessRun`, what holds for a whole run; it stands here because this is the lowest room that reads it
 * - `overrides`: what AllowOverride keeps a `.htaccess` of the result from saying
 * - `shut-directories`: directories shut for a `.htaccess` that could not be written, as long as they are
 * - `strict-form`: sections in the strictest form
 * - `mixed-question`: the question what a section with lines of both kinds is to say
 */
export * from './assumptions';
export { reportConversions } from './conversions';
export { blocksDiffer, checkBlocks, checkRewrites, differenceFindings } from './differences';
export * from './lines';
export {
  type AccessFinding,
  Findings,
  type RewrittenScope,
  moveGuards,
  reportOverrideLists,
  shutFile,
} from './findings';
export { questionRefusal, settledFinding } from './mixed-question';
export type { GivenGroup, GroupOutcome, SectionConversion } from './outcome';
export { ACCESS_RULE, type AccessRun } from './run-context';
export {
  type Refusal,
  hasStrictForm,
  isOfLines,
  isOfOverride,
  isRefusedBy22,
  mayBeKeptAlone,
  refusalText,
  unknownPart,
} from './refusals';
export { authTypeNoneRemark, fileOf } from './remarks';
export { type StrictForm, strictSummary } from './strict-form';
export { checkServed, htaccessProblems } from './overrides';
export { isShut, shutSections } from './shut-directories';
export { reportRefusals, WHO_GETS_IN } from './unconverted';
