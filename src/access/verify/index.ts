export { askedRequests } from './asked';
export {
  type AppliedRewrite,
  VersionBlocks,
  differencesLeft,
  differingBlocks,
  differingGroups,
} from './check';
export { type AnswerDifference, differencesWhereAbsent } from './compare';
export { type VersionBranch, areTwins, branchFor24, branchesAgree } from './version-branches';
export { NewlyRefused } from './newly-refused';
export { clientsFrom, isMadeUp, valuesToTry } from './clients';
export { HostsToAsk, globalScopes, neighbours } from './surroundings';
export { anyTargets, conditionalSettings, type RequestTarget, targetsFor } from './test-requests';
