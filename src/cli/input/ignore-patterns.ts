import { compilePathPattern } from '../../config';

/** Bytes of a pattern: longer ones are no names of files. */
const MAX_PATTERN = 500;
const MAX_PATTERNS = 1000;

/** A line of a list that is not used. */
export interface UnusedPattern {
  readonly line: number;
  readonly why: string;
}

interface IgnorePattern {
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
  /** The pattern is for the whole path, not for the last name in it. */
  readonly isAnchored: boolean;
  /** The pattern has a part that stands for any number of directories. */
  readonly isAnyDepth: boolean;
  readonly parts: readonly PathPart[];
}

/** Between slashes: any number of directories, or a test of one name. */
type PathPart = '**' | ((name: string) => boolean);

/**
 * A list of paths in the syntax of `.gitignore`. No pattern becomes a regular expression of JavaScript: whoever writes the list
 * must not decide how long a run takes.
 */
export class IgnoreList {
  /** In the order of their lines. */
  readonly unused: readonly UnusedPattern[];
  readonly #patterns: readonly IgnorePattern[];
  readonly #directories = new Map<string, boolean>([['', false]]);

  /** @param lines byte strings */
  constructor(lines: readonly string[]) {
    const patterns: IgnorePattern[] = [];
    const unused: UnusedPattern[] = [];
    for (const [i, line] of lines.entries()) {
      const pattern = readPattern(line);
      if (pattern === undefined) continue;
      if (typeof pattern !== 'string' && patterns.length < MAX_PATTERNS) patterns.push(pattern);
      else
        unused.push({
          line: i + 1,
          why: typeof pattern === 'string' ? pattern : 'there are too many patterns',
        });
    }
    this.#patterns = patterns;
    this.unused = unused;
  }

  /** @param path of a file, relative to where the list stands */
  ignores(path: string): boolean {
    const slash = path.lastIndexOf('/');
    return (slash > 0 && this.#isDirectoryIgnored(path.slice(0, slash))) || this.#names(path, false);
  }

  /** What is in a directory that is ignored is, too, whatever the patterns say of it. */
  #isDirectoryIgnored(directory: string): boolean {
    let end = directory.length;
    while (end > 0 && !this.#directories.has(directory.slice(0, end)))
      end = directory.lastIndexOf('/', end - 1);
    let isIgnored = this.#directories.get(directory.slice(0, Math.max(0, end)))!;
    while (end < directory.length) {
      const next = directory.indexOf('/', Math.max(0, end) + 1);
      end = next < 0 ? directory.length : next;
      const path = directory.slice(0, end);
      isIgnored ||= this.#names(path, true);
      this.#directories.set(path, isIgnored);
    }
    return isIgnored;
  }

  /** Whether the last pattern that a path matches says so. */
  #names(path: string, isDirectory: boolean): boolean {
    const names = path.split('/');
    const lastName = names.slice(-1);
    const last = this.#patterns.findLast(({ onlyDirectories, isAnchored, isAnyDepth, parts }) => {
      if (onlyDirectories && !isDirectory) return false;
      if (!isAnchored) return matchNames(parts, lastName);
      return (isAnyDepth || parts.length === names.length) && matchNames(parts, names);
    });
    return last !== undefined && !last.isNegated;
  }
}

/** @returns undefined for a line without a pattern; why, for one that is not used */
function readPattern(given: string): IgnorePattern | string | undefined {
  const line = given.endsWith('\r') ? given.slice(0, -1) : given;
  if (line.length > MAX_PATTERN)
    return line.startsWith('#') ? undefined : `the pattern is longer than ${MAX_PATTERN} bytes`;
  let text = withoutBlanksBehind(line);
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const onlyDirectories = text.endsWith('/');
  if (onlyDirectories) text = text.slice(0, -1);
  const isAnchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return 'the pattern names nothing';
  const parts: PathPart[] = [];
  for (const part of text.split('/')) {
    const problem = problemOf(part);
    if (problem !== undefined) return problem;
    if (part !== '**') parts.push(compilePathPattern(part));
    else if (parts.at(-1) !== '**') parts.push('**');
  }
  // What is in a directory, and not the directory itself.
  if (parts.length > 1 && parts.at(-1) === '**') parts.push(() => true);
  return { isNegated, onlyDirectories, isAnchored, isAnyDepth: parts.includes('**'), parts };
}

/** Blanks at the end count where a backslash stands before them. */
function withoutBlanksBehind(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t'.includes(line[end - 1]!)) end--;
  if (end === line.length) return line;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** Why git would not find anything by a part of a pattern. */
function problemOf(part: string): string | undefined {
  for (let at = 0; at < part.length; at++) {
    if (part[at] === '\\') {
      if (++at === part.length) return 'the pattern ends in a backslash';
      continue;
    }
    if (part[at] !== '[') continue;
    if (part.startsWith('[:', at + 1)) return 'the pattern has a class of characters by name';
    // What stands first in a set does not close it.
    const from = '!^'.includes(part[at + 1] ?? ' ') ? at + 3 : at + 2;
    const end = part.indexOf(']', from);
    if (end < 0) return 'the pattern has a [ that is not closed';
    at = end;
  }
  return undefined;
}

/** Linear with one point of return, the last `**`, as names in a part are matched. */
function matchNames(parts: readonly PathPart[], names: readonly string[]): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let mark = 0;
  while (at < names.length) {
    const test = parts[part];
    if (test === '**') {
      star = part++;
      mark = at;
    } else if (test !== undefined && test(names[at]!)) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++mark;
    } else return false;
  }
  while (parts[part] === '**') part++;
  return part === parts.length;
}
