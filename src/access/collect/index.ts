export { type Collected, type MisplacedLine, collect } from './collect';
export { factsOf, hadAuthnDefault } from './facts';
export { isOld, setsState } from './lines';
export { regexEdits, regexIn22 } from './sections';
export { SslLines } from './ssl';
