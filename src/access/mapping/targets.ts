import {
  type PathList,
  depthOf,
  directoriesAbove,
  globPrefixMatches,
  isBelowAny,
  isGlob,
  isWithin,
  locationCovers,
  normalisePath,
  parentOf,
  prefixOf,
  mayBeOnOneWay,
} from '../primitives';
import type { UrlSet } from './url-sets';

/** Where requests can come to in the file system: these directories, and what lies below them. */
export type Target =
  | { readonly kind: 'directory'; readonly path: string }
  /** One directory for each name that stands for a `*`: `VirtualDocumentRoot /srv/%0` and the like. */
  | { readonly kind: 'glob'; readonly glob: string }
  /**
   * A directory of this name in the home directory of every user (`UserDir public_html`). The configuration does not say where
   * homes are; they are taken to lie outside of what is served otherwise, `besides`.
   */
  | { readonly kind: 'home'; readonly name: string; readonly besides: ReadonlySet<string> };

/** Whether a section for `path` can apply to a request that comes to the target: `path` lies at, above or below it. */
export function reaches(target: Target, path: string): boolean {
  switch (target.kind) {
    case 'directory':
      return mayBeOnOneWay(target.path, path);
    case 'glob':
      return globPrefixMatches(path, target.glob);
    case 'home':
      return (
        path === '/' ||
        path.split('/').includes(target.name.split('/')[0]!) ||
        !isBelowAny(path, target.besides)
      );
  }
}

/** Whether a file lies in a directory of the target. */
export function targetHolds(target: Target, filename: string): boolean {
  switch (target.kind) {
    case 'directory':
      return isWithin(filename, target.path);
    case 'glob':
      return depthOf(filename) >= depthOf(target.glob) && globPrefixMatches(filename, target.glob);
    case 'home':
      return `${filename}/`.indexOf(`/${target.name}/`) > 0;
  }
}

/** The listed directories whose sections can be the last for a request to one of the targets; all without targets. */
export function directoriesReached(paths: PathList, targets?: readonly Target[]): readonly string[] {
  if (targets === undefined) return paths.below('/');
  const found = new Set<string>();
  for (const target of targets) {
    const top = topOf(target);
    let nearest = top;
    while (nearest !== '/' && !paths.has(nearest)) nearest = parentOf(nearest);
    found.add(nearest);
    for (const path of paths.below(top)) if (path !== top && reaches(target, path)) found.add(path);
  }
  return [...found];
}

/** The listed directories with sections that can apply to such a request: those, and all above them. */
export function directoriesOnTheWay(paths: PathList, targets?: readonly Target[]): readonly string[] {
  if (targets === undefined) return paths.all;
  const found = new Set<string>();
  for (const target of targets) {
    const top = topOf(target);
    for (const at of [top, ...directoriesAbove(top)]) if (paths.has(at)) found.add(at);
    for (const path of paths.below(top)) if (paths.has(path) && reaches(target, path)) found.add(path);
  }
  return [...found];
}

/** Directories of the target that a request can be made up for: a listed one where there is one. */
export function examplesOf(target: Target, listed: readonly string[]): readonly string[] {
  if (target.kind === 'directory') return [target.path];
  const examples = listed.filter((path) => targetHolds(target, path));
  if (examples.length > 0) return examples;
  return [target.kind === 'glob' ? target.glob.replace(/[*?]/g, 'w') : `/home/w/${target.name}`];
}

/** The lowest directory above all that the target stands for. */
export function topOf(target: Target): string {
  if (target.kind === 'directory') return target.path;
  if (target.kind === 'home') return '/';
  const fixed = target.glob.slice(0, target.glob.search(/[*?[\\]/));
  return fixed.slice(0, fixed.lastIndexOf('/')) || '/';
}

/** Equal for the same target. */
export function keyOf(target: Target): string {
  return `${target.kind} ${target.kind === 'directory' ? target.path : target.kind === 'glob' ? target.glob : target.name}`;
}

export function directory(path: string): Target {
  return { kind: 'directory', path: normalisePath(path) };
}

/** What URLs come to where `prefix` leads to a target, and their rest follows it there; undefined for nothing. */
export function targetBelow(target: Target, prefix: string, urls: UrlSet): Target | undefined {
  if (urls.kind === 'path') {
    const asked = urls.path.replace(/\/+$/, '');
    if (locationCovers(asked, prefix)) return inTarget(target, '');
    return prefix === '' || locationCovers(prefix, asked)
      ? inTarget(target, asked.slice(prefix.length))
      : undefined;
  }
  const [asked, served] = [urls.text.toLowerCase(), prefix.toLowerCase()];
  if (served.startsWith(asked)) return inTarget(target, '');
  // `GET *` is served from the document root; no other URL begins without a slash (server/core.c: ap_core_translate).
  if (prefix === '' && !asked.startsWith('/')) return target;
  if (!locationCovers(served, asked)) return undefined;
  const rest = urls.text.slice(prefix.length);
  const path = target.kind === 'directory' ? target.path : undefined;
  // Sections are looked up by their names as they are written.
  if (urls.ignoresCase || isGlob(rest) || (path !== undefined && isGlob(path))) return inTarget(target, '');
  return inTarget(path === undefined ? target : { kind: 'glob', glob: path }, `${rest}*`);
}

function inTarget(target: Target, path: string): Target {
  if (target.kind === 'directory') return directory(`${target.path}/${path}`);
  if (target.kind === 'home' || path === '' || /[[\\]/.test(path)) return target;
  return { kind: 'glob', glob: normalisePath(`${target.glob}/${path}`) };
}

/** The directory of a target that a file lies in, as far down as the target says. */
export function topFor(target: Target, filename: string): string {
  if (target.kind === 'directory') return target.path;
  return target.kind === 'glob' ? prefixOf(filename, depthOf(target.glob)) : topOf(target);
}
