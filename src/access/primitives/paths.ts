import { firstWhere } from '../../syntax';

/** Where a section applies, as far as its argument tells. */
export type Pattern =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'glob'; readonly glob: string }
  /** A regex, an unresolved variable, a relative path: taken to match anything. */
  | { readonly kind: 'any' };

/** `/a/b/` → `/a/b`; doubled slashes are one, `.` and `..` are resolved as apr_filepath_merge does; the root stays `/`. */
export function normalisePath(path: string): string {
  // Most paths are as they should be, which is seen without a regex.
  if (!path.includes('//') && !path.includes('/.'))
    return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (path.startsWith('/') && /\/\.{1,2}(?:\/|$)/.test(path)) {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }
  const clean = path.replace(/\/+/g, '/');
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

/** Number of path components: what `<Directory>` sections are ordered by (server/core.c: core_reorder_directories). */
export function depthOf(path: string): number {
  let depth = 0;
  if (path !== '/') for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** True if `path` is `ancestor` or lies below it. */
export function isWithin(path: string, ancestor: string): boolean {
  if (ancestor === '/') return path.startsWith('/');
  return (
    path.startsWith(ancestor) && (path.length === ancestor.length || path.charAt(ancestor.length) === '/')
  );
}

/** The first `depth` components of a path. */
export function prefixOf(path: string, depth: number): string {
  if (depth === 0) return '/';
  let end = path.indexOf('/');
  for (let n = 0; n < depth && end >= 0; n++) end = path.indexOf('/', end + 1);
  return end < 0 ? path : path.slice(0, end);
}

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/**
 * Whether the first components of `path` match those of `glob`, one by one, over as many as both have: `true`/`false`. A component
 * with a bracket or an escape is taken to match.
 */
export function unifies(path: string, glob: string): boolean {
  const parts = path === '/' ? [] : path.split('/').slice(1);
  const globs = glob === '/' ? [] : glob.split('/').slice(1);
  return globs.every((one, i) => parts[i] === undefined || componentMatches(parts[i], one));
}

function componentMatches(name: string, glob: string): boolean {
  if (/[[\\]/.test(glob)) return true;
  const regex = glob
    .replace(/[.+^${}()|\]]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${regex}$`, 's').test(name);
}

/** Matches a whole text as `apr_fnmatch` does for sections: `*` and `?` stop at a slash. */
export function globMatches(glob: string, text: string): boolean {
  let matcher = matchers.get(glob);
  if (matcher === undefined) {
    if (matchers.size >= MAX_MATCHERS) matchers.clear();
    matchers.set(glob, (matcher = matcherOf(glob)));
  }
  return matcher !== null && matcher.test(text);
}

/** What a large run asks again and again. */
const matchers = new Map<string, RegExp | null>();
const MAX_MATCHERS = 4096;

/** Null for a glob that JavaScript takes for no class of characters. */
function matcherOf(glob: string): RegExp | null {
  const regex = glob.replace(/\\(.)|\[!?[^\]]*\]|[*?]|[.+^${}()|]/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(/[.*+?^${}()|[\]\\]/, '\\$&');
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.startsWith('[') ? part.replace(/^\[!/, '[^') : `\\${part}`;
  });
  try {
    return new RegExp(`^${regex}$`, 's');
  } catch {
    return null;
  }
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
  readonly all: readonly string[];
  readonly #set: ReadonlySet<string>;

  constructor(paths: Iterable<string>) {
    this.#set = new Set(paths);
    this.all = [...this.#set].sort();
  }

  has(path: string): boolean {
    return this.#set.has(path);
  }

  /** `path` itself, listed or not, and every listed path below it. */
  below(path: string): string[] {
    if (path === '/') return ['/', ...this.all.filter((one) => one !== '/')];
    const prefix = `${path}/`;
    const found = [path];
    for (
      let i = firstWhere(this.all, (one) => one >= prefix);
      i < this.all.length && isWithin(this.all[i]!, path);
      i++
    )
      found.push(this.all[i]!);
    return found;
  }
}
