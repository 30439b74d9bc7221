/**
 * Where the files of a server lie, on this machine or in a copy of another one, and which of them is its configuration. It reads
 * nothing but what tells that.
 *
 * - `bases`: what a relative path in a file is read against
 * - `copies`: links that a copy has lost, and what is said of places outside of it
 * - `layout`: the main file of a server, parts of a configuration, and texts that are none
 * - `move`: where in a copy the paths of its server are
 */
export { type IncludeBases, PART_DIRECTORIES, isAbsolute, isOurs, likelyTops, resolveInclude } from './bases';
export { elsewhereMessage, lostLink } from './copies';
export {
  NOT_CONFIG,
  hasDirective,
  hasMainName,
  hasSpareAccessName,
  holdsServerSection,
  isBinary,
  isPart,
  isSpareAccessFile,
  looksLikeConfig,
  mainFiles,
  serversBelow,
  whyNotConfig,
} from './layout';
export {
  type ConfigurationPlace,
  type CopiedPlace,
  isAtHome,
  isHere,
  localPath,
  directoryTest,
  moveBySurroundings,
  surroundingsTest,
  moveOf,
  restOf,
  serverPath,
} from './move';
