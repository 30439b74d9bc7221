export { Bases } from './bases';
export { type Mixed, meetingGroups, mixedIn } from './meeting';
export { StateSet } from './state-set';
