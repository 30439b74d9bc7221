export { answer22, classOf, decide22, hostLineHits, hostsAdmit, isBarred, state22 } from './httpd22';
export {
  type State24,
  answer24,
  answerCompat,
  decide24,
  decideCompat,
  evaluateExpr,
  state24,
  stateCompat,
} from './httpd24';
export {
  type HostScopes,
  ScopeIndex,
  configured,
  hostKey,
  matchScopes,
  placeOf,
  placedScopes,
  sectionRegex,
  slashesIn,
} from './matching';
