export { collect } from './collect';
export type { Collected, Misplaced } from './collected';
export { regexEdits, withoutEnd } from './deadregex';
export { factsOf, isComplete } from './facts';
export { defaultHadLastWord } from './lastword';
export { isOld, setsState } from './lines';
export { SslLines } from './ssl';
