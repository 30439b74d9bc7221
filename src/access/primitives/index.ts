/**
 * What the other rooms reckon with: addresses, paths, methods, decisions as expressions. It does not know a section.
 *
 * - `address`: IPv4 and IPv6 addresses and ranges
 * - `paths`: paths, and where a section applies by its argument
 * - `request`: a request and its method
 * - `lists`: small things to do with lists, sets and words
 * - `expression`: a decision as a boolean expression
 * - `equivalence`: whether two expressions decide alike
 * - `strictest`: the short expression that lets in no more than several decisions
 */
export { addressIn, addressMatches, edgesOf, inDomain, rangesAround, rangesMeet } from './address';
export {
  AT_LAST_NAME,
  DIRECTORY,
  type Expr,
  FALSE,
  TRUE,
  and,
  atom,
  atomsOf,
  exprKey,
  hasOpenChoice,
  equalAtom,
  serverNameAtom,
  matchAtom,
  not,
  or,
} from './expression';
export { EMPTY_LIST, EMPTY_SET, added, areSameLists, shortened, subsetsOf } from './lists';
export { dirname as parentOf } from '../../config';
export { addTo, detached, getOrInsert, groupBy, memo } from '../../maps';
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
  absolutePath,
  hasDrive,
  normalisePath,
  shownPath,
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
  type NameTraits,
  type ServerTraits,
  covers,
  coversAll,
  methodMask,
  moduleQuestion,
} from './request';
export { areEquivalent, implies } from './equivalence';
export { strictest } from './strictest';
