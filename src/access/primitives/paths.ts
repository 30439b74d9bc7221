import { BoundedMap, memo } from '../../maps';
import { compilePathPattern, dirname as parentOf } from '../../config';
import { type PatternNode, findsPattern, readPattern } from '../../regex';
import { firstWhere, hasPlaceholder, quoteWord } from '../../syntax';
import { EMPTY_LIST } from './lists';

/** Where a section applies, as far as its argument shows. */
export type SectionPattern =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'glob'; readonly glob: string }
  /** A regex, an unresolved variable, a relative path: taken to match anything. */
  | { readonly kind: 'any' };

export function isSamePattern(a: SectionPattern, b: SectionPattern): boolean {
  if (a.kind === 'path') return b.kind === 'path' && a.path === b.path;
  return a.kind === 'glob' ? b.kind === 'glob' && a.glob === b.glob : b.kind === 'any';
}

/** `/a/b/` → `/a/b`; doubled slashes are one, `.` and `..` are resolved as apr_filepath_merge does; the root stays `/`. */
export function normalisePath(path: string): string {
  if (path.startsWith('/') && /\/\.{1,2}(?:\/|$)/.test(path)) {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }
  const clean = path.includes('//') ? path.replace(/\/+/g, '/') : path;
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

/**
 * A path of a configuration, as paths are compared. On Windows, where letter case does not count and httpd runs in its ServerRoot
 * (2.2 mpm_winnt.c: winnt_rewrite_args), `C:/www` is `/c:/www`.
 * @param serverRoot of the configuration, if it is known: the letter of its drive shows a server on Windows
 * @returns undefined where it is not known which path it is
 */
export function absolutePath(path: string, serverRoot: string | undefined): string | undefined {
  const drive = /^[A-Za-z]:(?=\/)/.exec(serverRoot ?? '')?.[0];
  if (drive === undefined) return path.startsWith('/') ? normalisePath(path) : undefined;
  if (path === '/') return path;
  if (path === '' || path.startsWith('//') || path.includes('\\')) return undefined;
  const whole = hasDrive(path) ? path : path.startsWith('/') ? drive + path : `${serverRoot}/${path}`;
  return normalisePath(`/${whole.toLowerCase()}`);
}

export function hasDrive(path: string): boolean {
  return /^[A-Za-z]:\//.test(path);
}

/** An {@link absolutePath} as people write it. */
export function shownPath(path: string): string {
  return hasDrive(path.slice(1)) ? path.slice(1) : path;
}

/**
 * How a Directory section names a directory and no other: what could be read as a wildcard or as a variable stands in brackets.
 * Undefined for the name of a drive, which is none on other systems.
 */
export function directoryArgument(path: string): string | undefined {
  if (path.includes(':') && hasDrive(path.slice(1))) return undefined;
  if (!/[*?[<>{}$%@\\\n]/.test(path)) return quoteWord(path);
  // No line can hold the end of one.
  const inBrackets = (char: string): string =>
    char === '\n' ? '[\t-\v]' : `[${char === '\\' ? '\\\\' : char}]`;
  return quoteWord(path.replace(/[*?[<>{}$%@\\\n]/g, inBrackets));
}

/** Number of path components: what `<Directory>` sections are ordered by (server/core.c: core_reorder_directories). */
export function depthOf(path: string): number {
  let depth = 0;
  if (path !== '/') for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}

/** How deep the directories lie that a section is for; 0 where that is not known. */
export function patternDepth(pattern: SectionPattern): number {
  if (pattern.kind === 'any') return 0;
  return depthOf(pattern.kind === 'path' ? pattern.path : pattern.glob);
}

/** True if `path` is `ancestor` or lies below it. */
export function isWithin(path: string, ancestor: string): boolean {
  if (ancestor === '/') return path.startsWith('/');
  return (
    path.startsWith(ancestor) && (path.length === ancestor.length || path.charAt(ancestor.length) === '/')
  );
}

/** The directories above one, the nearest first. */
export function directoriesAbove(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path; at !== '/' && at !== '';) found.push((at = parentOf(at)));
  return found;
}

/** True if one request can come through both directories: where one is not known, it may. */
export function mayBeOnOneWay(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || isWithin(a, b) || isWithin(b, a);
}

export function prefixOf(path: string, depth: number): string {
  if (depth === 0) return '/';
  let end = path.indexOf('/');
  for (let n = 0; n < depth && end >= 0; n++) end = path.indexOf('/', end + 1);
  return end < 0 ? path : path.slice(0, end);
}

/** Whether a template puts something in place of a part of a path, or of a name: where it leads is not known. */
export function isTemplatePath(path: string): boolean {
  return (
    hasPlaceholder(path) ||
    /[<>]|(?:^|\/)(?:\$[A-Za-z_(]|%[A-Za-z_]\w*%|\{[A-Za-z_]\w*\}(?:\/|$))|^@[A-Za-z_]/.test(path)
  );
}

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/**
 * Whether the first components of `path` match those of `glob`, one by one, over as many as both have: `true`/`false`. A
 * component with a bracket or an escape is taken to match.
 */
export function globPrefixMatches(path: string, glob: string): boolean {
  if (path === '/') return true;
  let start = path.indexOf('/') + 1;
  if (start === 0) return true;
  for (const matches of componentsOf(glob)) {
    if (start > path.length) return true;
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    if (!matches(path, start, end)) return false;
    start = end + 1;
  }
  return true;
}

type ComponentTest = (path: string, start: number, end: number) => boolean;

/** What a large run asks again and again. */
const MAX_MATCHERS = 4096;

const componentsOf = memo(
  (glob: string): readonly ComponentTest[] =>
    glob === '/' ? EMPTY_LIST : glob.split('/').slice(1).map(componentTest),
  new BoundedMap(MAX_MATCHERS),
);

/** What is no pattern is compared where it stands: a large run compares many. */
function componentTest(glob: string): ComponentTest {
  if (glob === '*' || /[[\\]/.test(glob)) return () => true;
  if (isGlob(glob)) return (path, start, end) => globMatches(glob, path.slice(start, end));
  return (path, start, end) => end - start === glob.length && path.startsWith(glob, start);
}

/** Matches a whole text as `apr_fnmatch` does for sections: `*` and `?` stop at a slash. */
export function globMatches(glob: string, text: string): boolean {
  return matcherOf(glob)(text);
}

const matcherOf = memo(compilePathPattern, new BoundedMap(MAX_MATCHERS));

/** Whether a pattern matches a directory or one above it. */
export function globCovers(glob: string, directory: string): boolean {
  const depth = depthOf(glob);
  return depthOf(directory) >= depth && globMatches(glob, prefixOf(directory, depth));
}

/** A glob that surely matches wherever it unifies: no bracket, no escape. */
export function isPlainGlob(glob: string): boolean {
  return !/[[\\]/.test(glob);
}

/** `<Location /a>` takes `/a` and what lies below it; `/a/` takes only what lies below. */
export function locationCovers(outer: string, inner: string): boolean {
  if (!inner.startsWith(outer)) return false;
  return inner.length === outer.length || outer.endsWith('/') || inner.charAt(outer.length) === '/';
}

/** True if one URL can lie in both. */
export function locationsMeet(a: string, b: string): boolean {
  return locationCovers(a, b) || locationCovers(b, a);
}

/** Literal paths in byte order, for finding all below one. */
export class PathList {
  readonly #sorted: readonly string[];
  readonly #set: ReadonlySet<string>;
  #all: readonly string[] | undefined;
  #fromRoot: readonly string[] | undefined;

  /** @param others lists whose paths are listed too; they are shared, as copies of them would take much room */
  constructor(
    paths: Iterable<string>,
    private readonly others: readonly PathList[] = [],
  ) {
    this.#set = new Set(paths);
    this.#sorted = [...this.#set].sort();
  }

  get all(): readonly string[] {
    if (this.others.length === 0) return this.#sorted;
    this.#all ??= [...new Set([this.#sorted, ...this.others.map(({ all }) => all)].flat())].sort();
    return this.#all;
  }

  has(path: string): boolean {
    return this.#set.has(path) || this.others.some((other) => other.has(path));
  }

  /** Whether a listed path is `path` or lies above it. */
  covers(path: string): boolean {
    return this.all.length > 0 && isBelowAny(path, this);
  }

  /** Whether a listed path is `path` or lies below it. */
  liesIn(path: string): boolean {
    return this.has(path) || this.liesBelow(path);
  }

  liesBelow(path: string): boolean {
    const prefix = path === '/' ? path : `${path}/`;
    const next = this.#sorted[firstWhere(this.#sorted, (listed) => listed > prefix)];
    return next?.startsWith(prefix) === true || this.others.some((other) => other.liesBelow(path));
  }

  get #belowRoot(): readonly string[] {
    this.#fromRoot ??= this.all[0] === '/' ? this.all : ['/', ...this.all.filter((path) => path !== '/')];
    return this.#fromRoot;
  }

  /** `path` itself, listed or not, and every listed path below it. */
  below(path: string): readonly string[] {
    if (path === '/') return this.#belowRoot;
    // What begins with the path and a slash stands together, before what begins with it and the next letter.
    const [first, end] = [`${path}/`, `${path}0`].map((bound) =>
      firstWhere(this.#sorted, (listed) => listed >= bound),
    );
    const found = [path, ...this.#sorted.slice(first, end)];
    if (this.others.length === 0) return found;
    return [...new Set([...found, ...this.others.flatMap((other) => other.below(path))])];
  }
}

/** More endings than this are not looked at. */
const MANY = 64;

/**
 * How every text ends that a regex matches, in lower case; undefined where that is not certain. What comes before the endings may
 * be anything. PCRE's `$` also matches before a last line end, which all endings then have behind them.
 */
export const regexEndings = memo((regex: string): readonly string[] | undefined => {
  const { node, asksForLineEnds = true } = readPattern(regex, false) ?? {};
  const parts = node?.kind === 'row' && !asksForLineEnds ? node.parts : EMPTY_LIST;
  const last = parts.at(-1);
  if (last?.kind !== 'place' || last.place !== '$') return undefined;
  const { texts } = endingsWith({ kind: 'row', parts: parts.slice(0, -1) }, ['']);
  return texts.includes('') ? undefined : texts;
  // Most regexes stand in many files: sites have the same applications.
}, new BoundedMap(1000));

/** How texts end, of which a part that may be anything stands before these ends if they are open. */
interface TextEnds {
  readonly texts: readonly string[];
  readonly isOpen: boolean;
}

/** How texts end in which one of these stands behind what a part of a pattern matches. */
function endingsWith(node: PatternNode, ends: readonly string[]): TextEnds {
  const open: TextEnds = { texts: ends, isOpen: true };
  const anyOf = (found: readonly TextEnds[]): TextEnds => {
    const texts = [...new Set(found.flatMap((each) => each.texts))];
    return texts.length > MANY ? open : { texts, isOpen: found.some(({ isOpen }) => isOpen) };
  };
  switch (node.kind) {
    case 'place':
      return open;
    case 'byte': {
      const letters = lettersOf(node.set);
      return letters.length > MANY_LETTERS
        ? open
        : anyOf(letters.map((letter) => ({ texts: ends.map((end) => letter + end), isOpen: false })));
    }
    case 'row': {
      let found: TextEnds = { texts: ends, isOpen: false };
      for (let i = node.parts.length - 1; i >= 0 && !found.isOpen; i--)
        found = endingsWith(node.parts[i]!, found.texts);
      return found;
    }
    case 'choice':
      return anyOf(node.parts.map((part) => endingsWith(part, ends)));
    case 'repeat':
      if (node.most !== 1) return open;
      return anyOf([
        endingsWith(node.part, ends),
        ...(node.least === 0 ? [{ texts: ends, isOpen: false }] : []),
      ]);
  }
}

/** Letters of one place in a text, at most, that are told apart. */
const MANY_LETTERS = 9;

function lettersOf(set: Uint8Array): readonly string[] {
  const found = new Set<string>();
  for (let byte = set.indexOf(1); byte >= 0; byte = set.indexOf(1, byte + 1))
    found.add(String.fromCharCode(byte).toLowerCase());
  return [...found];
}

/** Whether a regex matches a name, or may, with capitals and small letters the same, as some file systems have it. */
export function regexMayMatch(regex: string, name: string): boolean {
  return findsPattern(regex, name, true) !== false;
}

/** Whether a path is one of these, or lies below one. */
export function isBelowAny(path: string, directories: Pick<ReadonlySet<string>, 'has'>): boolean {
  for (let at = path; ; at = parentOf(at)) {
    if (directories.has(at)) return true;
    if (at === '/') return false;
  }
}

/** Whether a pattern with wildcards may match a name. */
export function globMayMatch(glob: string, name: string): boolean {
  return !isPlainGlob(glob) || globMatches(glob.toLowerCase(), name.toLowerCase());
}

/** How every text ends that a pattern with wildcards matches; undefined where that is not certain. */
export function globEndings(glob: string): readonly string[] | undefined {
  const literal = /[^*?[\]\\]*$/.exec(glob)![0].toLowerCase();
  return literal === '' || /\\/.test(glob) ? undefined : [literal];
}

/** True where nothing can end in one of these and in one of those. */
export function areDisjoint(a: readonly string[], b: readonly string[]): boolean {
  return a.every((endingA) => b.every((endingB) => !endingA.endsWith(endingB) && !endingB.endsWith(endingA)));
}
