/**
 * The files of a run, each read once, with what is wrong in each.
 *
 * - `files`: reads and parses a file, and keeps it
 * - `size-limit`: how much a run reads at the most
 * - `syntax-problems`: what httpd would refuse in a file whatever its directives mean
 */
export { type FileOrigin, Files, type FilesOptions, type LoadedFile, sortProblems } from './files';
export { TOO_MUCH } from './size-limit';
export { isTemplateName, templateKind } from './syntax-problems';
