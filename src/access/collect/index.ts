export { type Collected, type MisplacedLine, collect, isRunBy22 } from './collect';
export { factsOf, hadAuthnDefault } from './facts';
export { isOld, setsState } from './lines';
export { regexEdits, regexIn22 } from './sections';
export { SslLines } from './ssl';
