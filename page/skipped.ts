/** Directories of what is never configuration, and may hold a million files. */
const SKIPPED = new Set(['.git', '.svn', 'node_modules', '__MACOSX']);

/** Whether a name leads into a directory that is never configuration. */
export function isSkipped(path: string): boolean {
  return path.split('/').some((part) => SKIPPED.has(part));
}
