export { InheritedStates } from './inherited-states';
export { LocationsByUrl, urlsOf } from './locations';
export {
  type MixedSections,
  findMixedSections,
  hasBothKinds,
  hasCounterpart,
  meetingGroups,
} from './meeting';
export { StateSet } from './state-set';
