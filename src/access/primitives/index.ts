/**
 * What the other rooms reckon with: addresses, paths, methods, decisions as expressions. It does not know a section.
 *
 * - `address`: IPv4 and IPv6 addresses and ranges
 * - `paths`: paths, and where a section applies by its argument
 * - `request`: a request and its method
 * - `lists`: small things to do with lists, sets and words
 * - `expression`: a decision as a boolean expression
 * - `equivalence`: whether two expressions decide alike, and the short one that lets in no more than several
 */
export * from './address';
export * from './equivalence';
export * from './expression';
export * from './lists';
export * from './paths';
export * from './request';
export { dirname as parentOf } from '../../config';
export { BoundedMap, addTo, detached, getOrInsert, groupBy, lazy, memo, memoOfFew } from '../../maps';
