export type { AccessGroup, GivenGroup } from './group';
export { sectionsInConflict } from './conflicts';
export { PASSES, begin, decideGroup } from './passes';
export { isTwin, overrideRefusal } from './refuse';
export { sectionFor24 } from './version-branches';
