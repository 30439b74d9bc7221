export { addressIn, addressMatches, edgesOf, inDomain, rangesMeet } from './address';
export {
  AT_LAST_NAME,
  type Expr,
  FALSE,
  TRUE,
  and,
  atom,
  exprKey,
  hasOpenChoice,
  matchAtom,
  not,
  or,
} from './expression';
export { EMPTY_LIST, EMPTY_SET, added } from './lists';
export {
  PathList,
  type SectionPattern,
  areDisjoint,
  depthOf,
  globEndings,
  globMatches,
  globPrefixMatches,
  isGlob,
  isPlainGlob,
  isSamePattern,
  isTemplatePath,
  isWithin,
  locationCovers,
  locationsMeet,
  nestsDeeply,
  normalisePath,
  parentOf,
  prefixOf,
  regexEndings,
  regexMayMatch,
  globMayMatch,
} from './paths';
export {
  ALL_METHODS,
  type AccessAnswer,
  type AccessRequest,
  type MethodClass,
  type MethodMask,
  OTHER_METHODS,
  covers,
  coversAll,
  isRegistered,
  methodMask,
} from './request';
export { areEquivalent, implies } from './equivalence';
export { strictest } from './strictest';
