export { InheritedStates } from './inherited-states';
export { LocationsByUrl, urlsOf } from './locations';
export {
  type MixedReading,
  type MixedSections,
  findMixedSections,
  hasBothKinds,
  hasCounterpart,
  meetingGroups,
} from './meeting';
export { StateSet } from './state-set';
export {
  AS_TODAY,
  AS_WRITTEN,
  type MixedQuestion,
  answerAbout,
  questionAbout,
  wantedAsWritten,
} from './wanted-reading';
