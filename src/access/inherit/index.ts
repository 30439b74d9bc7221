export { InheritedStates } from './inherited-states';
export { type MixedSections, findMixedSections, meetingGroups } from './meeting';
export { StateSet } from './state-set';
