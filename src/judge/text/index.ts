/**
 * What a configuration says, read apart from `src/syntax`: lines and their words, and what the word of a pattern or of an address
 * matches.
 *
 * - `addresses`: which addresses a word of a host list covers
 * - `lines`: lines, sections and words of a text, and what is raised where they cannot be read
 * - `patterns`: whether a glob or a regular expression of a section matches a name
 * - `samples`: texts that a glob or a regular expression matches
 * - `template-versions`: lines of a template that ask for the version
 */
export { addressesAround, inRange } from './addresses';
export {
  type Line,
  ReadError,
  TEMPLATE,
  Unreadable,
  everyLine,
  isOfTemplate,
  linesOf,
  refusesAtLast,
} from './lines';
export { finds, globMatches, isGlob } from './patterns';
export { sampleOfGlob, samplesOfRegex } from './samples';
