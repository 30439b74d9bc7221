/**
 * What AllowOverride lets a `.htaccess` say, and the AllowOverrideList that a rewrite needs. It adds no finding.
 *
 * - `allow-override`: what is allowed in each directory, for each host
 * - `files-by-host`: `.htaccess` files that only some virtual hosts read
 * - `in-force`: AllowOverride, Options and AllowOverrideList as they are in force
 * - `htaccess-lines`: why a version refuses a line in a `.htaccess`
 * - `let-in`: files that such a list would let too much into, and how they are kept from it
 * - `override-lists`: the AllowOverrideList lines that a rewrite needs, or what is written for both versions
 * - `override-sections`: Directory sections with lines about overrides
 * - `refused`: files that AllowOverride refuses
 * - `requests-to-file`: whether the requests that a line is for come to the directory of a `.htaccess`
 * - `split`: sections by what AllowOverride makes of their files
 * - `unseen`: directories whose `.htaccess` the run has not seen
 */
export {
  AllowOverrideIndex,
  type TreeOverrides,
  forReading,
  overridesOf,
  statesByTerms,
} from './allow-override';
export {
  type FileReading,
  readingOf,
  type HtaccessDifference,
  argumentsDifference,
  htaccessDifference,
  servedAnew,
  takesOptions,
} from './htaccess-lines';
export type { OverrideReader, OverrideState } from './in-force';
export { type FilesLetIn, LIST_OF_NONE, canKeepOut, sectionsLetIn } from './let-in';
export * from './override-lists';
export { type LinesFate, fateOfLines, fatesOf, forbiddenIn } from './refused';
export { requestsMayComeTo } from './requests-to-file';
export { liveAmong, splitUnread } from './split';
export { notGivenDirectories, unseenDirectories } from './unseen';
export type { FilesByHost } from './files-by-host';
