export { evaluateExpr } from './expressions';
export {
  answer22,
  classOf,
  decide22,
  decider22,
  hostLineHits,
  hostsAdmit,
  refusesEveryUser,
  state22,
} from './httpd22';
export {
  type State24,
  answer24,
  answerCompat,
  asCompat,
  decide24,
  decideCompat,
  questionOf,
  state24,
  stateCompat,
} from './httpd24';
export {
  type HostScopes,
  ScopeIndex,
  fileMatches,
  isUnsure,
  hostKey,
  matchScopes,
  placeOf,
  placedScopes,
  scopesRead,
  slashesIn,
} from './matching';
