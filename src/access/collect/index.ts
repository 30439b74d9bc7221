export { type Collected, type Misplaced, collect } from './collect';
export { defaultHadLastWord, factsOf, isComplete } from './facts';
export { isOld, setsState } from './lines';
export { regexEdits, withoutEnd } from './sections';
export { SslLines } from './ssl';
