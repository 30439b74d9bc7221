export { addressIn, addressMatches, inDomain } from './address';
export { areDisjoint, globEndings, regexEndings } from './endings';
export { type Expr, FALSE, TRUE, and, atom, keyOf, not, or } from './expr';
export { EMPTY, NONE, plus, withOne } from './lists';
export {
  ALL_METHODS,
  type MethodClass,
  type MethodMask,
  OTHER_METHODS,
  covers,
  coversAll,
  isRegistered,
  methodMask,
} from './methods';
export {
  PathList,
  type Pattern,
  depthOf,
  globMatches,
  isGlob,
  isPlainGlob,
  isWithin,
  locationCovers,
  locationsMeet,
  normalisePath,
  parentOf,
  prefixOf,
  unifies,
} from './paths';
export type { AccessRequest, Answer } from './request';
