export { type AppliedRewrite, Sides, checkRewrites, isApart } from './check';
export { axesOf, clientsFrom, settingsOf, targetsFor } from './test-requests';
