export { evaluateExpr } from './apexpr';
export { configured, matchScopes, placedScopes, sectionRegex, slashesIn } from './match';
export { answer22, classOf, decide22, hostLineHits, hostsAdmit, isBarred, state22 } from './model22';
export { type State24, answer24, decide24, state24 } from './model24';
export { answerCompat, decideCompat, stateCompat } from './modelcompat';
export { type HostScopes, ScopeIndex, hostKey, placeOf } from './scopeindex';
