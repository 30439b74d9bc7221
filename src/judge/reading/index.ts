/**
 * What each version reads of a text: included files, lines that conditionals hold, and lines that AllowOverride keeps out. It
 * decides nothing about requests.
 *
 * - `reader`: the lines that a version reads, Includes and conditionals followed
 * - `override`: AllowOverride: which lines of an access file a version reads, and which it refuses
 * - `readable`: whether the judge knows what the lines of a section mean
 */
export {
  ALL_CLASSES,
  type KnownModules,
  type Override,
  isKnown,
  isRead,
  isWellFormed,
  overrideBelow,
  refusedLine,
  uselessRequire,
} from './override';
export { checkReadable, checkWellFormed, decidesAccess } from './readable';
export { type AccessFileLines, type ReadVersion, Reader, type TextFile } from './reader';
