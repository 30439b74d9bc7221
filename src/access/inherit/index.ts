export { InheritedStates } from './inherited-states';
export {
  type MixedSections,
  findMixedSections,
  hasBothKinds,
  hasCounterpart,
  meetingGroups,
} from './meeting';
export { StateSet } from './state-set';
