/**
 * Holds a rewrite against the original: asks both models the same requests and compares the answers. It looks only at how the
 * result reads, never at how it was made.
 *
 * - `check`: takes back the groups whose answers differ
 * - `compare`: asks both models and finds the first difference
 * - `asked`: the requests that were compared, for display
 * - `section-choice`: which sections of a large run are asked about
 * - `surroundings`: what else a request meets beside the section in question
 * - `test-requests`: where a test request goes
 * - `clients`: which client sends it
 * - `host-pairs`: pairs of virtual hosts that the same request may reach
 * - `directory-requests`: requests for a directory itself
 * - `pattern-samples`: texts that a pattern matches
 * - `question-text`: a section as text without names, to recognise equal questions
 * - `halves`: whether lines for 2.2 and lines for 2.4 say the same
 * - `newly-refused`: looks for a request that only the rewrite refuses
 * - `asked-again`: sections that 2.2 asks again for an index file, where 2.4 does not
 * - `asked-on-redirect`: whether 2.2 asked about the URL that an internal redirect leads to
 * - `index-elsewhere`: index files that lie in another directory
 * - `error-pages`: error pages that are refused themselves
 */
export { type AskedAgain, sectionsAskedAgain } from './asked-again';
export { asksAboutEachUrl } from './asked-on-redirect';
export { IndexFilesElsewhere } from './index-elsewhere';
export { askedRequests } from './asked';
export {
  type AppliedRewrite,
  VersionBlocks,
  differencesLeft,
  differingBlocks,
  differingGroups,
  hasVersionBlocks,
} from './check';
export { type AnswerDifference, differencesWhereAbsent } from './compare';
export { type ErrorPage, isErrorPageRefused } from './error-pages';
export { type VersionHalf, areTwins, halfFor24, halvesAgree } from './halves';
export { NewlyRefused } from './newly-refused';
export { clientsFrom, isMadeUp, valuesToTry } from './clients';
export { anyTargets, conditionalSettings, type RequestTarget, targetsFor } from './test-requests';
