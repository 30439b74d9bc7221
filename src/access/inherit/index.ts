export { InheritedStates } from './inherited-states';
export { type MixedSections, findMixedSections, hasCounterpart, meetingGroups } from './meeting';
export { StateSet } from './state-set';
