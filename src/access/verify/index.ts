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
