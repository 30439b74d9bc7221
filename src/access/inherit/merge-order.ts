import { appendAll, type Section } from '../../syntax';
import { type Target, directoriesReached, pathStarts, startsMeet } from '../mapping';
import { type Scope, type State, directoryOf, regexOf } from '../policy';
import { LocationsByUrl } from './locations';
import {
  EMPTY_LIST,
  type PathList,
  depthOf,
  globMatches,
  globPrefixMatches,
  hasDrive,
  isPlainGlob,
  isWithin,
  parentOf,
  patternDepth,
  memo,
  groupBy,
  addTo,
} from '../primitives';

/** Files the sections of the main server, or of one virtual host, by how they are merged. */
export function layerOf(scopes: readonly Scope[]) {
  const layer = {
    /** Directory sections by literal path, in merge order. */
    directories: new Map<string, Scope[]>(),
    access: new Map<string, Scope[]>(),
    globs: [] as Scope[],
    /** Sections with wildcards by the level at which they are merged. */
    globsAt: new Map<number, Scope[]>(),
    /** Directory sections whose path is not known: they may apply at any level. */
    anywhere: [] as Scope[],
    /** `.htaccess` files that any Directory may hold. */
    placeUnknown: [] as Scope[],
    regexes: [] as Scope[],
    /** Files sections in no directory, or in one that is no literal path. */
    files: [] as Scope[],
    /** Files sections in a Directory with wildcards, by the level at which that is merged. */
    filesInGlobs: new Map<number, Scope[]>(),
    /** Files sections by the literal Directory they are nested in. */
    nested: new Map<string, Scope[]>(),
    /** Files sections of `.htaccess` files, by the directory these stand in. */
    nestedInAccess: new Map<string, Scope[]>(),
    locations: [] as Scope[],
    proxies: [] as Scope[],
  };
  // They are filed in the order in which they are read, but for what was taken to stand elsewhere.
  for (const scope of [...scopes].sort((a, b) => a.order - b.order)) {
    const { pattern, parent } = scope;
    switch (scope.kind) {
      case 'directory':
        if (pattern.kind === 'path') addTo(layer.directories, pattern.path, scope);
        else (pattern.kind === 'glob' ? layer.globs : layer.anywhere).push(scope);
        if (pattern.kind === 'glob') addTo(layer.globsAt, patternDepth(pattern), scope);
        break;
      case 'htaccess':
        if (pattern.kind === 'path') addTo(layer.access, pattern.path, scope);
        if (scope.placeUnknown) layer.placeUnknown.push(scope);
        break;
      case 'directory-match':
        layer.regexes.push(scope);
        break;
      case 'files':
        if (parent?.pattern.kind === 'path')
          addTo(parent.kind === 'htaccess' ? layer.nestedInAccess : layer.nested, parent.pattern.path, scope);
        else layer.files.push(scope);
        if (parent?.pattern.kind === 'glob') addTo(layer.filesInGlobs, patternDepth(parent.pattern), scope);
        break;
      case 'location':
        layer.locations.push(scope);
        break;
      case 'proxy':
        layer.proxies.push(scope);
        break;
    }
  }
  return layer;
}

/** Sections of the main server or of one virtual host, filed by how they are merged. */
export type SectionLayer = Readonly<ReturnType<typeof layerOf>>;

export function pathsIn({ directories, access, nested, nestedInAccess }: SectionLayer): readonly string[] {
  return [directories, access, nested, nestedInAccess].flatMap((filed) => [...filed.keys()]);
}

/** The places of all sections of a layer that Directory, Files or a `.htaccess` can meet; undefined where one has none. */
export function placesOf(layer: SectionLayer): readonly Target[] | undefined {
  const { globs, anywhere, placeUnknown, regexes, files } = layer;
  if (globs.length + anywhere.length + placeUnknown.length + regexes.length + files.length > 0)
    return undefined;
  return pathsIn(layer).map((path) => ({ kind: 'directory', path }));
}

/** Targets of many servers, as users' homes: without sections of its own there a server meets what the main server does. */
interface WideTargets {
  readonly main: ServerSections;
  readonly targets: readonly Target[];
  /** The directories where its own sections may count. */
  readonly ofHost: readonly string[];
  /** Targets of the virtual host where its own sections do not count. */
  readonly others: readonly Target[];
}

/** The main server alone, or with one virtual host: the sections that one request can meet. */
export interface ServerSections {
  readonly vhost: Section | undefined;
  /** Whose requests meet these; the main server's are also met by those of virtual hosts without sections of their own. */
  readonly hosts: readonly (Section | undefined)[];
  /** The directories that these requests come to; undefined where the configuration does not say. */
  readonly targets: readonly Target[] | undefined;
  /** Main server first: its sections come before those of the virtual host. */
  readonly layers: readonly SectionLayer[];
  readonly paths: PathList;
  /** Targets that it shares with many servers, if it has any. */
  readonly wide: WideTargets | undefined;
  /** In merge order. */
  readonly regexes: readonly Scope[];
  /** Every Directory section and `.htaccess` has a place of its own: in a directory that is not listed nothing stands. */
  readonly plain: boolean;
  readonly memos: Map<StateMemoKind, StateMemo>;
}

/** The ways to directories, what they end in, there, below and in wide targets; by regexes, and by what URLs are mapped to. */
export type StateMemoKind = 'chain' | 'ends' | 'below' | 'wide' | 'regex' | 'mapped';

/** By directory, by several, or by what a regex begins with, and by the number of what is asked of them. */
export type StateMemo = Map<string, (readonly State[] | 'too-many' | undefined)[]>;

/** The Directory sections with wildcards in merge order: level by level, at each the main server's first. */
const globsOf = memo(({ layers }: ServerSections): readonly Scope[] =>
  layers.flatMap(({ globs }) => globs).sort((a, b) => patternDepth(a.pattern) - patternDepth(b.pattern)),
);

/** The Directory sections with wildcards that a file deeper than a directory can meet at levels below that, in merge order. */
export function globsBelow(server: ServerSections, path: string): readonly Scope[] {
  const depth = depthOf(path);
  return globsOf(server).filter((scope) => patternDepth(scope.pattern) > depth && matchesPrefix(scope, path));
}

/** Whether a Directory with wildcards surely matches around every directory that another pattern is for. */
export function isAroundGlob(scope: Scope, glob: string): boolean {
  return scope.pattern.kind === 'glob' && surelyMatches(scope) && isWithin(glob, scope.pattern.glob);
}

/** Whether a Directory section or a `.htaccess` is for a directory by its name, be it one that requests come to or not. */
export function standsAt({ layers }: ServerSections, path: string): boolean {
  return layers.some(({ directories, access }) => directories.has(path) || access.has(path));
}

/** The Directory sections that are merged at one level, in merge order: each section that comes after others there asks. */
export const directoriesAt = memo((layer: SectionLayer) =>
  memo((path: string): readonly Scope[] => {
    const exact = layer.directories.get(path) ?? EMPTY_LIST;
    const sameDepth = layer.globsAt.get(depthOf(path)) ?? EMPTY_LIST;
    const globs = sameDepth.filter((scope) => matchesPrefix(scope, path));
    if (globs.length + layer.anywhere.length === 0) return exact;
    return [...exact, ...globs, ...layer.anywhere].sort((a, b) => a.order - b.order);
  }, new Map()),
);

/**
 * Files sections that a file in `path` can meet, in merge order: those in no directory, then each level's, and those of the regex
 * directories (server/request.c: ap_directory_walk).
 */
export function filesDownTo(server: ServerSections, path: string): Scope[] {
  const { layers } = server;
  const anywhere = layers.flatMap((layer) => layer.files.filter(isAnywhere));
  const found = layers.flatMap((layer) => layer.files.filter(({ parent }) => parent === undefined));
  appendAll(found, anywhere);
  if (layers.some((layer) => layer.nested.size + layer.nestedInAccess.size + layer.filesInGlobs.size > 0)) {
    // From the innermost level up, the last side first: that is the merge order backwards.
    const levels: (readonly Scope[])[] = [];
    for (let at = path; ; at = parentOf(at)) {
      for (let i = layers.length - 1; i >= 0; i--)
        levels.push(layers[i]!.nestedInAccess.get(at) ?? EMPTY_LIST);
      for (let i = layers.length - 1; i >= 0; i--) levels.push(directoryFilesAt(layers[i]!, at));
      if (at === '/') break;
    }
    for (let i = levels.length - 1; i >= 0; i--) appendAll(found, levels[i]!);
  }
  const depths = new Set(layers.flatMap(({ filesInGlobs }) => [...filesInGlobs.keys()]));
  for (const depth of [...depths].sort((a, b) => a - b))
    if (depth > depthOf(path)) for (const layer of layers) appendAll(found, globFilesAt(layer, depth, path));
  for (const holder of server.regexes)
    if (mayMatchBelow(holder, path)) appendAll(found, filesOf(server, holder));
  return [...found, ...anywhere];
}

/** Whether it is not known in which directory the section that holds this one is merged. */
function isAnywhere({ parent }: Scope): boolean {
  return parent !== undefined && parent.kind !== 'directory-match' && parent.pattern.kind === 'any';
}

/** The Files sections in the Directory sections that are merged at one level, in merge order. */
function directoryFilesAt(layer: SectionLayer, path: string): readonly Scope[] {
  const exact = layer.nested.get(path) ?? EMPTY_LIST;
  const inGlobs = globFilesAt(layer, depthOf(path), path);
  if (inGlobs.length === 0) return exact;
  return [...exact, ...inGlobs].sort((a, b) => a.order - b.order);
}

/** The Files sections in directories with wildcards that are merged at a level, and that a path may lie in, or lead to. */
function globFilesAt({ filesInGlobs }: SectionLayer, depth: number, path: string): readonly Scope[] {
  return filesInGlobs.get(depth)?.filter(({ parent }) => matchesPrefix(parent!, path)) ?? EMPTY_LIST;
}

/** The sections for directories by regex, and those around Files sections which say nothing themselves. */
export function regexesIn({ regexes, files }: SectionLayer): readonly Scope[] {
  const found = new Map(regexes.map((scope) => [scope.order, scope]));
  for (const { parent } of files)
    if (parent?.kind === 'directory-match' && !found.has(parent.order)) found.set(parent.order, parent);
  return [...found.values()];
}

/** The Files sections in a regex directory, in merge order. */
function filesOf(server: ServerSections, holder: Scope): readonly Scope[] {
  return filesByRegex(server).get(holder.order) ?? EMPTY_LIST;
}

/** By the `order` of the section around them. */
const filesByRegex = memo(({ layers }: ServerSections) =>
  groupBy(
    layers.flatMap(({ files }) => files.filter(({ parent }) => parent?.kind === 'directory-match')),
    ({ parent }) => parent!.order,
  ),
);

/** The Files sections that a file in one directory can meet, by name: a `.htaccess` may have ten thousand. */
class FiledByName {
  readonly #positions: ReadonlyMap<Scope, number>;
  readonly #byName = new Map<string, Scope[]>();
  /** Sections that are for more names than a single one. */
  readonly #patterns: Scope[] = [];

  /** @param all in merge order */
  constructor(readonly all: readonly Scope[]) {
    this.#positions = new Map(all.map((scope, i) => [scope, i]));
    for (const scope of all)
      if (scope.pattern.kind === 'path') addTo(this.#byName, scope.pattern.path, scope);
      else this.#patterns.push(scope);
  }

  /** The sections that are merged before a section, without those that are for one other name. */
  before(scope: Scope): readonly Scope[] {
    const at = this.#positions.get(scope) ?? this.all.length;
    const { pattern } = scope;
    if (pattern.kind !== 'path') return this.all.slice(0, at);
    const isBefore = (other: Scope): boolean => this.#positions.get(other)! < at;
    return [...(this.#byName.get(pattern.path) ?? EMPTY_LIST), ...this.#patterns]
      .filter(isBefore)
      .sort((a, b) => this.#positions.get(a)! - this.#positions.get(b)!);
  }
}

/** Files sections as in {@link filesDownTo}, filed once for each path. */
export const filesInto = memo((server: ServerSections) =>
  memo((path: string) => new FiledByName(filesDownTo(server, path)), new Map()),
);

const filedInNone = memo(
  ({ layers }: ServerSections) =>
    new FiledByName(layers.flatMap(({ files }) => files.filter(({ parent }) => parent === undefined))),
);

/** Files sections that may come before one in no directory, or in a Directory for a pattern, in merge order. */
export function filesAnywhere(server: ServerSections, scope: Scope): readonly Scope[] {
  const { layers, regexes } = server;
  const { parent } = scope;
  if (parent === undefined) return filedInNone(server).before(scope);
  const plain = filedInNone(server).all;
  const anywhere = layers.flatMap(({ files }) => files.filter(isAnywhere));
  const isRegex = parent.kind === 'directory-match';
  const found = [...plain, ...anywhere, ...filesAtLevels(layers, parent)];
  if (parent.pattern.kind === 'glob') return mergedBefore(scope, found);
  for (const holder of regexes) appendAll(found, filesOf(server, holder));
  return isRegex ? mergedBefore(scope, found) : found.filter((other) => other !== scope);
}

/** What is merged before a section. @param merged in merge order */
export function mergedBefore(scope: Scope, merged: readonly Scope[]): readonly Scope[] {
  const at = merged.indexOf(scope);
  return at < 0 ? merged : merged.slice(0, at);
}

/** The Files sections of all levels, in merge order; of a Directory with wildcards, those that may meet it. */
function filesAtLevels(layers: readonly SectionLayer[], { pattern }: Scope): readonly Scope[] {
  const ranked: { readonly scope: Scope; readonly depth: number; readonly side: number }[] = [];
  const mayMeet = (path: string): boolean => pattern.kind !== 'glob' || globPrefixMatches(path, pattern.glob);
  layers.forEach(({ nested, nestedInAccess, filesInGlobs }, side) => {
    for (const [filed, at] of [
      [nested, side],
      [nestedInAccess, layers.length],
    ] as const)
      for (const [path, list] of filed)
        if (mayMeet(path)) for (const scope of list) ranked.push({ scope, depth: depthOf(path), side: at });
    for (const [depth, list] of filesInGlobs) for (const scope of list) ranked.push({ scope, depth, side });
  });
  ranked.sort((a, b) => a.depth - b.depth || a.side - b.side || a.scope.order - b.scope.order);
  return ranked.map(({ scope }) => scope);
}

/**
 * The directories that requests of a server come to, but for those of its wide targets where only the main server's sections are
 * met; all sections without a place ask for them.
 */
export const directoriesReachedIn = memo(({ paths, targets, wide }: ServerSections): readonly string[] =>
  wide === undefined
    ? directoriesReached(paths, targets)
    : [...new Set([...directoriesReached(paths, wide.others), ...wide.ofHost])],
);

export function surelyMatches({ pattern }: Scope): boolean {
  return pattern.kind === 'path' || (pattern.kind === 'glob' && isPlainGlob(pattern.glob));
}

export function matchesPrefix({ pattern }: Scope, path: string): boolean {
  return pattern.kind === 'glob' && globPrefixMatches(path, pattern.glob);
}

/** The Proxy sections of a server, in merge order. */
export const proxiesOf = memo((server: ServerSections): readonly Scope[] =>
  server.layers.flatMap((layer) => layer.proxies),
);

export const locationsOf = memo(
  (server: ServerSections) => new LocationsByUrl(server.layers.flatMap((layer) => layer.locations)),
);

/** Whether every file that meets a Files section meets another one, which is merged before it, for its name and its place. */
export function surelyMetBefore(other: Scope, scope: Scope): boolean {
  return hasNamesOf(other, scope) && (other.parent === scope.parent || isAround(other.parent, scope));
}

function hasNamesOf({ pattern: outer }: Scope, { pattern: inner }: Scope): boolean {
  if (outer.kind === 'path') return inner.kind === 'path' && outer.path === inner.path;
  if (outer.kind !== 'glob') return false;
  // Of a directory the name is empty, and it matches that too (server/request.c: ap_file_walk).
  if (outer.glob === '*') return true;
  return inner.kind === 'path' && isPlainGlob(outer.glob) && globMatches(outer.glob, inner.path);
}

/** Whether all files that a section is for lie where another one is for: anywhere, or in a directory that surely holds them. */
function isAround(holder: Scope | undefined, scope: Scope): boolean {
  if (holder === undefined) return true;
  const place = directoryOf(scope);
  if (place === undefined || holder.placeUnknown || !surelyMatches(holder)) return false;
  return holder.pattern.kind === 'path'
    ? isWithin(place, holder.pattern.path)
    : patternDepth(holder.pattern) <= depthOf(place) && matchesPrefix(holder, place);
}

/** What the names of all directories begin with that a DirectoryMatch is for: one of these. */
export const beginningsOf = memo((scope: Scope): readonly string[] => pathStarts(regexOf(scope) ?? ''));

/** Whether a DirectoryMatch can be for a directory, or one below it, by {@link beginningsOf}; true for other sections. */
export function mayMatchBelow(scope: Scope | undefined, path: string): boolean {
  // On Windows a regex is asked of `C:/www`, whether the configuration has that letter or not.
  if (scope?.kind !== 'directory-match' || hasDrive(path.slice(1))) return true;
  return beginningsOf(scope).some(
    (text) => /^.:/.test(text) || startsMeet(path === '/' ? path : `${path}/`, text),
  );
}
