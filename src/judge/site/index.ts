/**
 * Where a request leads on a server: from the URL to the file, and through the sections and access files on the way.
 *
 * - `walk`: the way of a request to its file, and what it meets there
 * - `tree-site`: the files of a run as a server: its directories, modules and access files
 */
export { AccessFiles, type Assumptions, TreeSite, compatSettings, linesIn, modulesNamed } from './tree-site';
export {
  type AccessFile,
  type JudgedSite,
  type MetOnWay,
  documentRootOf,
  filenameOf,
  servedBy,
  startsWith,
  urlsFor,
  wayOf,
} from './walk';
