/**
 * What holds for a whole server, or for the target of the run.
 *
 * - `backends`: lines that send requests to backends
 * - `packaged-modules`: the modules that the packages of the target bring
 * - `programs`: lines that have programs run
 * - `root-directory`: the section of the root directory, and what it sets
 * - `server-directives`: the line of a directive that a server has in force, and whether it loads a module
 * - `ssl-servers`: the servers that speak TLS
 * - `tls13`: whether a server offers TLS 1.3
 */
export { hasBackend, hasOtherAnswers, isForBackend } from './backends';
export { isRunBy24, packagedFor24 } from './packaged-modules';
export {
  type ProgramLine,
  firstKnownProgramLine,
  firstLineWhere,
  firstProgramLine,
  hasAction,
} from './programs';
export { isSaidWhereServed, rootLines, rootSections, setsOptions, setsOptionsInside } from './root-directory';
export { hasDirective, hasOwnDirective, isSurelyLoaded, lastDirective } from './server-directives';
export { sslServers } from './ssl-servers';
export { mayUseTls, offersTls13 } from './tls13';
