export { type AppliedRewrite, Sides, differingGroups, isApart } from './check';
export type { Difference } from './compare';
export { axesOf, clientsFrom, isMadeUp, settingsOf, targetsFor } from './test-requests';
