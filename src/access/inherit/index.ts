export { InheritedStates } from './bases';
export { type MixedSections, findMixedSections, meetingGroups } from './meeting';
export { StateSet } from './state-set';
