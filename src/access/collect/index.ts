export { type Collected, type MisplacedLine, collect, isRunBy22 } from './collect';
export { factsOf, hadAuthnDefault } from './facts';
export { LINE_KEYS, isOld, setsState } from './lines';
export { SCOPES, refusesEverybody, regexEdits, regexIn22, serverDirectory } from './sections';
export { SslLines } from './ssl';
