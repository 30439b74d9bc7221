/**
 * Finds the files that no Include names: those given, and the access files of what is served.
 *
 * - `given-paths`: what the paths of the command line name
 * - `given-singly`: access files that are given without a server
 * - `place`: where the paths of the server lie in what is read
 * - `discover`: walks a directory for access files and configurations
 * - `walk-bounds`: how many directories of a user are looked into
 * - `named-directories`: the directories that the configuration has served
 * - `find-files`: the files of a run, in the order in which they are looked for
 * - `served`: the access files of what is served, given or not
 * - `unused`: files that were given and that nothing loads
 * - `templates-beside`: templates of the same project, for how they are written
 */
export { filesAbove, findFiles, linkOfAnother } from './find-files';
export { type GivenPaths, boundaryOf, isAccessFile, readGiven, refusalOf } from './given-paths';
export { ServerPlace } from './place';
export { findServed } from './served';
export { templatesBeside } from './templates-beside';
export { notInUse } from './unused';
