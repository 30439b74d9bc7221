export {
  type AppliedRewrite,
  VersionBlocks,
  differencesLeft,
  differingBlocks,
  differingGroups,
  hasVersionBlocks,
} from './check';
export { type AnswerDifference, differencesWhereAbsent } from './compare';
export { type VersionHalf, areTwins, halfFor24, halvesAgree } from './halves';
export { NewlyRefused } from './newly-refused';
export {
  anyTargets,
  clientsFrom,
  conditionalSettings,
  isMadeUp,
  type RequestTarget,
  targetsFor,
  valuesToTry,
} from './test-requests';
