export { axesOf, clientsFrom } from './axes';
export { type AppliedRewrite, checkRewrites } from './check';
export { Sides, isApart } from './sides';
export { settingsOf, targetsFor } from './witness';
