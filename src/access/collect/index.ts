export { collectAsWritten } from './as-written';
export { type Collected, type MisplacedLine, type PerRequestLine, collect, isRunBy22 } from './collect';
export { factsOf, hadAuthnDefault } from './facts';
export { LINE_KEYS, isOld, setsState } from './lines';
export { SCOPES, refusesEverybody, regexEdits, regexIn22, serverDirectory } from './sections';
export { SslLines } from './ssl';
