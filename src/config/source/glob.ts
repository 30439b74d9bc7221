import { type DirectoryEntry, type FileSource, SourceError } from '../types';
import { byBytes, join } from './paths';

/** How deep Includes, and directories within one Include, may nest (2.2 http_config.h: AP_MAX_INCLUDE_DEPTH). */
export const MAX_INCLUDE_DEPTH = 128;

/** A file an Include leads to; `direct` when the listing it came from says that it is no link. */
export interface IncludeTarget {
  readonly path: string;
  readonly direct: boolean;
}

/**
 * The files that an Include of an absolute path reads, in order; undefined when the path, or the directory a pattern stands in,
 * is not there. 2.2 allows patterns in the last component only, 2.4 in any (2.2 server/config.c: ap_process_resource_config).
 * @throws SourceError for a directory that cannot be listed
 */
export function includeTargets(source: FileSource, path: string): IncludeTarget[] | undefined {
  const parts = path.split('/').slice(1);
  const fixed = parts.findIndex(isPattern);
  const targets: IncludeTarget[] = [];
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

function matches(
  source: FileSource,
  directory: string,
  parts: readonly string[],
  targets: IncludeTarget[],
): void {
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

/**
 * The directories that match a pattern of a section or of UserDir, in order.
 * @param base where the pattern begins
 * @param most directories to find
 */
export function directoriesMatching(
  source: FileSource,
  base: string,
  parts: readonly string[],
  most: number,
): string[] {
  let found = [base];
  for (const part of parts) {
    const matching = isPattern(part) ? compilePathPattern(part) : undefined;
    found = found
      .flatMap((directory) =>
        matching === undefined
          ? [join(directory, part)]
          : subdirectories(source, directory)
              .filter((name) => matching(name))
              .map((name) => join(directory, name)),
      )
      .filter((path) => source.kind(path) === 'directory')
      .slice(0, most);
  }
  return found;
}

/**
 * A path as the names are written here, where it is of a system that does not tell capitals from small letters. What is not there
 * stays as it is, and so does what stands behind a pattern.
 */
export function inAnyCase(source: FileSource, path: string): string {
  if (source.kind(path) !== undefined) return path;
  const parts = path.split('/').slice(1);
  let at = '/';
  for (const [i, part] of parts.entries()) {
    const name =
      isPattern(part) || source.kind(join(at, part)) !== undefined
        ? part
        : namesIn(source, at).find((other) => other.toLowerCase() === part.toLowerCase());
    if (name === undefined || isPattern(part)) return join(at, parts.slice(i).join('/'));
    at = join(at, name);
  }
  return at;
}

function namesIn(source: FileSource, directory: string): string[] {
  try {
    return source.kind(directory) === 'directory' ? sorted(source, directory).map(({ name }) => name) : [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}

/** Links left out: who has a home may make one. None of what cannot be listed. */
function subdirectories(source: FileSource, directory: string): string[] {
  try {
    return sorted(source, directory).flatMap(({ name, kind }) => (kind === 'directory' ? [name] : []));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}

/** Everything below a directory, dot files and backups too: httpd reads them all. */
function collect(
  source: FileSource,
  directory: string,
  above: readonly string[],
  targets: IncludeTarget[],
): void {
  const real = source.real(directory);
  if (above.includes(real) || above.length >= MAX_INCLUDE_DEPTH) return;
  for (const entry of sorted(source, directory)) {
    const path = join(directory, entry.name);
    if (isDirectory(source, path, entry)) collect(source, path, [...above, real], targets);
    else targets.push({ path, direct: entry.kind === 'file' });
  }
}

function sorted(source: FileSource, directory: string): readonly DirectoryEntry[] {
  return [...source.list(directory)].sort((a, b) => byBytes(a.name, b.name));
}

function isDirectory(source: FileSource, path: string, entry: DirectoryEntry): boolean {
  return entry.kind === 'directory' || (entry.kind === 'link' && source.kind(path) === 'directory');
}

type PatternToken = '*' | ((code: number) => boolean);

/** Whether a path component is a pattern at all (apr-1.5 strings/apr_fnmatch.c: apr_fnmatch_test). */
export function isPattern(text: string): boolean {
  let isInSet = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '?' || char === '*' || (char === ']' && isInSet)) return true;
    if (char === '[') isInSet = true;
    else if (char === '\\') at++;
  }
  return false;
}

/**
 * Compiles one path component as httpd matches it for Include: apr_fnmatch with APR_FNM_PERIOD. `*`, `?`, `[a-z]`, `[!a]`,
 * backslash escapes; a leading dot is matched by a dot only; letter case counts.
 */
export function compilePattern(pattern: string): (name: string) => boolean {
  const tokens = tokenize(pattern);
  const dots = pattern.startsWith('.') || pattern.startsWith('\\.');
  return (name) => (dots || !name.startsWith('.')) && match(tokens, name);
}

const SLASH = 47;

/**
 * Compiles a whole path as httpd matches it for sections: apr_fnmatch with APR_FNM_PATHNAME. As {@link compilePattern}, but
 * nothing except a slash matches one, and a leading dot is like any other.
 */
export function compilePathPattern(pattern: string): (path: string) => boolean {
  const tokens = tokenize(pattern, SLASH);
  return (path) => match(tokens, path, SLASH);
}

/**
 * Linear with one point of return, the last `*`: no pattern can make it run long.
 * @param stop a character that `*` does not match
 */
function match(tokens: readonly PatternToken[], name: string, stop?: number): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let mark = 0;
  while (at < name.length) {
    const test = tokens[token];
    if (test === '*') {
      star = token++;
      mark = at;
    } else if (test !== undefined && test(name.charCodeAt(at))) {
      token++;
      at++;
    } else if (star >= 0 && name.charCodeAt(mark) !== stop) {
      token = star + 1;
      at = ++mark;
    } else {
      return false;
    }
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

/** @param stop a character that only itself matches */
function tokenize(pattern: string, stop?: number): PatternToken[] {
  const tokens: PatternToken[] = [];
  // Where one set is not closed, none behind it is.
  let mayClose = true;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    const set = char === '[' && mayClose ? readSet(pattern, at + 1) : undefined;
    if (char === '[' && set === undefined) mayClose = false;
    if (set !== undefined) {
      const { test } = set;
      tokens.push((code) => code !== stop && test(code));
      at = set.end;
    } else if (char === '*') {
      tokens.push('*');
    } else if (char === '?') {
      tokens.push((code) => code !== stop);
    } else {
      const code = pattern.charCodeAt(char === '\\' && at + 1 < pattern.length ? ++at : at);
      tokens.push((other) => other === code);
    }
  }
  return tokens;
}

/** A `[set]` whose inside begins at `start`; undefined when it is not closed, for then `[` stands for itself. */
function readSet(
  pattern: string,
  start: number,
): { test: (code: number) => boolean; end: number } | undefined {
  let at = start;
  const negated = pattern.charAt(at) === '!' || pattern.charAt(at) === '^';
  if (negated) at++;
  const ranges: [number, number][] = [];
  for (let first = true; at < pattern.length; first = false) {
    if (pattern.charAt(at) === ']' && !first) {
      return {
        test: (code) => ranges.some(([low, high]) => code >= low && code <= high) !== negated,
        end: at,
      };
    }
    if (pattern.charAt(at) === '\\' && ++at >= pattern.length) return undefined;
    const low = pattern.charCodeAt(at++);
    if (pattern.charAt(at) === '-' && at + 1 < pattern.length && pattern.charAt(at + 1) !== ']') {
      if (pattern.charAt(++at) === '\\' && ++at >= pattern.length) return undefined;
      ranges.push([low, pattern.charCodeAt(at++)]);
    } else {
      ranges.push([low, low]);
    }
  }
  return undefined;
}
