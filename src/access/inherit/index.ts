export { Bases } from './bases';
export { meetingGroups } from './groups';
export { type Mixed, mixedIn } from './mixed';
export { StateSet } from './stateset';
