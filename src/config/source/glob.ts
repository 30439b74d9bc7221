import { compilePattern, isPattern } from './fnmatch';
import { byBytes, join } from './paths';
import type { Entry, FileSource } from '../types';

/** How deep Includes, and directories within one Include, may nest (2.2 http_config.h: AP_MAX_INCLUDE_DEPTH). */
export const MAX_INCLUDE_DEPTH = 128;

/** A file an Include leads to; `direct` when the listing it came from says that it is no link. */
export interface Target {
  readonly path: string;
  readonly direct: boolean;
}

/**
 * The files that an Include of an absolute path reads, in order; undefined when the path, or the directory a pattern stands in, is
 * not there. 2.2 allows patterns in the last component only, 2.4 in any (2.2 server/config.c: ap_process_resource_config).
 * @throws SourceError for a directory that cannot be listed
 */
export function includeTargets(source: FileSource, path: string): Target[] | undefined {
  const parts = path.split('/').slice(1);
  const fixed = parts.findIndex(isPattern);
  const targets: Target[] = [];
  if (fixed < 0) {
    const kind = source.kind(path);
    if (kind === undefined) return undefined;
    if (kind === 'directory') collect(source, path, [], targets);
    else targets.push({ path, direct: false });
    return targets;
  }
  const start = `/${parts.slice(0, fixed).join('/')}`;
  if (source.kind(start) !== 'directory') return undefined;
  matches(source, start, parts.slice(fixed), targets);
  return targets;
}

function matches(source: FileSource, directory: string, parts: readonly string[], targets: Target[]): void {
  const [part = '', ...rest] = parts;
  if (!isPattern(part)) {
    const path = join(directory, part);
    const kind = source.kind(path);
    if (kind === 'directory' && rest.length > 0) matches(source, path, rest, targets);
    else if (kind === 'directory') collect(source, path, [], targets);
    else if (kind !== undefined && rest.length === 0) targets.push({ path, direct: false });
    return;
  }
  const matching = compilePattern(part);
  for (const entry of sorted(source, directory).filter(({ name }) => matching(name))) {
    const path = join(directory, entry.name);
    if (!isDirectory(source, path, entry)) {
      if (rest.length === 0) targets.push({ path, direct: entry.kind === 'file' });
    } else if (rest.length > 0) matches(source, path, rest, targets);
    else collect(source, path, [], targets);
  }
}

/** Everything below a directory, dot files and backups too: httpd reads them all. */
function collect(source: FileSource, directory: string, above: readonly string[], targets: Target[]): void {
  const real = source.real(directory);
  if (above.includes(real) || above.length >= MAX_INCLUDE_DEPTH) return;
  for (const entry of sorted(source, directory)) {
    const path = join(directory, entry.name);
    if (isDirectory(source, path, entry)) collect(source, path, [...above, real], targets);
    else targets.push({ path, direct: entry.kind === 'file' });
  }
}

function sorted(source: FileSource, directory: string): readonly Entry[] {
  return source.list(directory).toSorted((a, b) => byBytes(a.name, b.name));
}

function isDirectory(source: FileSource, path: string, entry: Entry): boolean {
  return entry.kind === 'directory' || (entry.kind === 'link' && source.kind(path) === 'directory');
}
