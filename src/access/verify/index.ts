export { type AppliedRewrite, VersionBlocks, differingGroups, hasVersionBlocks } from './check';
export type { AnswerDifference } from './compare';
export { clientsFrom, conditionalSettings, isMadeUp, targetsFor, valuesToTry } from './test-requests';
