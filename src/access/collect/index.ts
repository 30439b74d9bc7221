export { type Collected, type MisplacedLine, collect } from './collect';
export { factsOf, hadAuthnDefault } from './facts';
export { LINE_KEYS, isOld, setsState } from './lines';
export { SCOPES, regexEdits, regexIn22 } from './sections';
export { SslLines } from './ssl';
