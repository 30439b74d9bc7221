export { addressIn, addressMatches, inDomain } from './address';
export { type Expr, FALSE, TRUE, and, atom, keyOf, matchAtom, not, or } from './expression';
export { EMPTY, NONE, added } from './lists';
export {
  PathList,
  type Pattern,
  areDisjoint,
  depthOf,
  globEndings,
  globMatches,
  isGlob,
  isPlainGlob,
  isSamePattern,
  isWithin,
  locationCovers,
  locationsMeet,
  normalisePath,
  parentOf,
  prefixOf,
  regexEndings,
  unifies,
} from './paths';
export {
  ALL_METHODS,
  type AccessRequest,
  type Answer,
  type MethodClass,
  type MethodMask,
  OTHER_METHODS,
  covers,
  coversAll,
  isRegistered,
  methodMask,
} from './request';
