import { basename, hasVariable } from '../../config';
import { type Section, appendAll } from '../../syntax';
import { type PatternMatcher, patternMatcher, startsOf } from '../../regex';
import { isDeadRegex, isNeverMetBy22, regexIn22 } from '../collect';
import { type Scope, hostRank, regexOf } from '../policy';
import {
  type Config,
  type RequestPlace,
  EMPTY_LIST,
  addTo,
  getOrInsert,
  globCovers,
  globMatches,
  hasDrive,
  isWithin,
  locationCovers,
  memo,
  parentOf,
  patternDepth,
} from '../primitives';

/**
 * The sections that lie on a request's way, also those that may as far as their regex shows, in merge order
 * (docs/facts/access-2.2.md; server/request.c of both versions): directories by depth with each level's `.htaccess`, regex
 * directories, files, locations; the main server's before the virtual host's.
 */
export function placedScopes(scopes: readonly Scope[], request: RequestPlace): Scope[] {
  const directory = request.filename.slice(0, request.filename.lastIndexOf('/')) || '/';
  const base = basename(request.filename);
  return scopes
    .filter((scope) => isMet(scope, request, directory, base))
    .map((scope) => ({ scope, rank: rankOf(scope) }))
    .sort((a, b) => a.rank - b.rank || a.scope.order - b.scope.order)
    .map(({ scope }) => scope);
}

/** The sections that a version reads, as conditionals say. */
export function scopesRead(scopes: readonly Scope[], config: Config, version: '2.2' | '2.4'): Scope[] {
  return scopes.filter((scope) =>
    version === '2.2'
      ? !isNeverMetBy22(scope) && scope.aroundLines.every(({ name, is }) => config(name) === is)
      : scope.aroundSection.every(({ name, is, on24 }) => on24 ?? config(name) === is),
  );
}

function isMet(scope: Scope, request: RequestPlace, directory: string, base: string): boolean {
  const { parent } = scope;
  switch (scope.kind) {
    case 'directory':
    case 'htaccess':
      return isForDirectory(scope, directory);
    case 'directory-match':
      return regexMatches(scope, request.filename);
    case 'files':
      if (!fileMatches(scope, base)) return false;
      if (parent?.kind === 'directory-match') return regexMatches(parent, request.filename);
      return parent === undefined || isForDirectory(parent, directory);
    case 'location':
      return locationMatches(scope, request.uri);
    case 'proxy':
      return false;
  }
}

/** Whether a request meets a section by where it lies: `may` where that hangs on a regex of which it is not certain. */
export function meets(scope: Scope, target: RequestPlace): 'yes' | 'no' | 'may' {
  if (placedScopes([scope], target).length === 0) return 'no';
  return isUnsure(scope, target) ? 'may' : 'yes';
}

/** Where a section comes in the merge; those with the same number come in the order of the run. */
const rankOf = memo((scope: Scope): number => {
  const { walk, depth, side } = positionOf(scope);
  return (walk * DEEPEST + depth) * SIDES + side;
});

/** More than a path in a file that is read has components. */
const DEEPEST = 2 ** 40;
const SIDES = 4;

/** By which of httpd's walks a section is merged, how deep it stands there, and what comes first of one depth. */
function positionOf(scope: Scope): { readonly walk: number; readonly depth: number; readonly side: number } {
  const host = hostRank(scope);
  const { parent } = scope;
  const side = parent?.kind === 'htaccess' ? 2 : host;
  switch (scope.kind) {
    case 'directory':
      return { walk: 0, depth: patternDepth(scope.pattern), side: host };
    case 'htaccess':
      return { walk: 0, depth: patternDepth(scope.pattern), side: 2 };
    case 'directory-match':
      return { walk: 1, depth: slashesIn(scope), side: host };
    case 'files':
      if (parent === undefined) return { walk: 2, depth: 0, side: host };
      if (parent.kind === 'directory-match') return { walk: 2, depth: 1001 + slashesIn(parent), side: host };
      return { walk: 2, depth: 1 + patternDepth(parent.pattern), side };
    case 'location':
    case 'proxy':
      return { walk: 3, depth: 0, side: host };
  }
}

function isForDirectory({ pattern }: Scope, directory: string): boolean {
  if (pattern.kind === 'path') return isWithin(directory, pattern.path);
  return pattern.kind === 'glob' && globCovers(pattern.glob, directory);
}

/** @param base what stands behind the last slash: nothing of a directory, which `*` matches too (request.c: ap_file_walk) */
export function fileMatches(scope: Scope, base: string): boolean {
  const { pattern } = scope;
  if (pattern.kind === 'path') return pattern.path === base;
  if (pattern.kind === 'glob') return globMatches(pattern.glob, base);
  return regexMatches(scope, base);
}

/** Only a regex sees several slashes of a URL (server/request.c of both versions: ap_location_walk). */
function locationMatches(scope: Scope, uri: string): boolean {
  const { pattern } = scope;
  if (pattern.kind === 'path')
    return pattern.path === '/' || locationCovers(pattern.path, withMergedSlashes(uri));
  if (pattern.kind === 'glob') return globMatches(pattern.glob, withMergedSlashes(uri));
  return regexMatches(scope, uri);
}

/** A URL in which several slashes are one. */
export function withMergedSlashes(uri: string): string {
  return uri.includes('//') ? uri.replace(/\/{2,}/g, '/') : uri;
}

/** Regex directories are ordered by the slashes in their text, as literal ones are (server/core.c: reorder_sorter). */
export function slashesIn(scope: Scope): number {
  return (regexOf(scope) ?? '').split('/').length - 1;
}

/** Whether the regex of a section, which is held against many requests, matches a text; undefined where that is not certain. */
const matcherOf = memo((scope: Scope): PatternMatcher => {
  const asWritten = regexOf(scope);
  if (asWritten === undefined || hasVariable(asWritten)) return notKnown;
  if (scope.kind !== 'directory-match') return patternMatcher(asWritten);
  // On Windows httpd asks it of `C:/www`, whether the configuration has that letter or not, and letter case does not count.
  if (mayNameDrive(asWritten)) return notKnown;
  // One that 2.2 never met may come alive in 2.4.
  const matches = patternMatcher(isDeadRegex(asWritten) ? asWritten : regexIn22(asWritten));
  return (text) => (text.includes(':') && hasDrive(text.slice(1)) ? undefined : matches(text));
});

/** Whether a regex may ask for the one letter of a drive before a colon; that of `proxy:` does not. */
function mayNameDrive(regex: string): boolean {
  return /(?:^|[^A-Za-z])[A-Za-z]:|[.\])?*+}]:/.test(regex);
}

const notKnown: PatternMatcher = () => undefined;

function regexMatches(scope: Scope, text: string): boolean {
  return matcherOf(scope)(text) !== false;
}

/** Whether a section is met only if a regex matches of which that is not certain. */
export function isUnsure(scope: Scope, { uri, filename }: RequestPlace): boolean {
  const { parent } = scope;
  if (parent?.kind === 'directory-match' && matcherOf(parent)(filename) === undefined) return true;
  if (scope.pattern.kind !== 'any') return false;
  switch (scope.kind) {
    case 'directory-match':
      return matcherOf(scope)(filename) === undefined;
    case 'files':
      return matcherOf(scope)(basename(filename)) === undefined;
    case 'location':
      return matcherOf(scope)(uri) === undefined;
    default:
      return false;
  }
}

/** The scopes of one server, main or virtual, by the literal path they sit at. */
export interface HostScopes {
  readonly directories: ReadonlyMap<string, readonly Scope[]>;
  readonly locations: ReadonlyMap<string, readonly Scope[]>;
  /** Sections that sit at none of the directories. */
  readonly others: readonly Scope[];
}

const noScopes = () => ({
  directories: new Map<string, Scope[]>(),
  locations: new Map<string, Scope[]>(),
  others: [] as Scope[],
});

const NOWHERE: HostScopes = noScopes();

/** Fewer than these are gone through. */
const MANY = 100;

/** Hands over all that may match a request, and some that do not. */
type Candidates = (request: RequestPlace, addAll: (scopes: readonly Scope[]) => void) => void;

/** Files scopes with a regex by how all that it matches begins, apart from those of which that is not known. */
function scopesByStart(scopes: readonly Scope[]): Candidates {
  const paths = new Map<string, Scope[]>();
  const urls = new Map<string, Scope[]>();
  const others: Scope[] = [];
  for (const scope of scopes) {
    const start = beginningOf(scope);
    if (start === '') others.push(scope);
    else addTo(scope.kind === 'location' ? urls : paths, start, scope);
  }
  return ({ filename, uri }, addAll) => {
    addAll(others);
    addStartingAs(filename, paths, addAll);
    addStartingAs(uri, urls, addAll);
  };
}

/** In small letters; empty where nothing is known. */
function beginningOf(scope: Scope): string {
  const regex = scope.pattern.kind === 'any' ? regexOf(scope) : undefined;
  if (regex === undefined) return '';
  const isDirectory = scope.kind === 'directory-match';
  if (isDirectory ? mayNameDrive(regex) : scope.kind !== 'location') return '';
  const starts = startsOf(isDirectory ? regexIn22(regex) : regex).map(({ text }) => text.toLowerCase());
  return starts.reduce((common, start) => {
    let same = 0;
    while (same < common.length && common[same] === start[same]) same++;
    return common.slice(0, same);
  });
}

function addStartingAs(
  text: string,
  filed: ReadonlyMap<string, readonly Scope[]>,
  addAll: (scopes: readonly Scope[]) => void,
): void {
  if (filed.size === 0) return;
  const small = text.slice(0, longestOf(filed)).toLowerCase();
  // What a regex makes of the letter of a drive is not known.
  const lists = text.includes(':')
    ? [...filed.values()]
    : Array.from(small, (_, i) => filed.get(small.slice(0, i + 1)));
  for (const list of lists) if (list !== undefined) addAll(list);
}

/** Scopes by where they sit, so that a request need not be held against every section of a large server. */
export class ScopeIndex {
  readonly #hosts = new Map<string, ReturnType<typeof noScopes>>();
  readonly #patterns = new Map<HostScopes, Candidates>();
  /** The last question, which may be asked for the other version, too. */
  #last:
    | { readonly request: RequestPlace; readonly vhost: Scope['vhost']; readonly met: readonly Scope[] }
    | undefined;

  constructor(scopes: readonly Scope[]) {
    let vhost: Scope['vhost'];
    let host: ReturnType<typeof noScopes> | undefined;
    for (const scope of scopes) {
      // Those of a host mostly stand together.
      if (host === undefined || scope.vhost !== vhost) {
        ({ vhost } = scope);
        host = getOrInsert(this.#hosts, hostKey(vhost), noScopes);
      }
      const place = filedAt(scope);
      if (place === undefined) host.others.push(scope);
      else addTo(place.kind === 'location' ? host.locations : host.directories, place.path, scope);
    }
  }

  /** All of them, by {@link hostKey}. */
  get hosts(): ReadonlyMap<string, HostScopes> {
    return this.#hosts;
  }

  /** The sections of the virtual host with this {@link hostKey}; not those of the main server, which it has as well. */
  of(host: string): HostScopes {
    return this.#hosts.get(host) ?? NOWHERE;
  }

  /** The sections that a request to a virtual host meets, as {@link placedScopes} has them. */
  met(request: RequestPlace, vhost: Scope['vhost']): readonly Scope[] {
    if (this.#last?.request !== request || this.#last.vhost !== vhost)
      this.#last = { request, vhost, met: placedScopes(this.candidates(request, vhost), request) };
    return this.#last.met;
  }

  /** All that may match a request to a virtual host (undefined: the main server), and some that do not. */
  candidates(request: RequestPlace, vhost: Scope['vhost']): Scope[] {
    const key = hostKey(vhost);
    const found: Scope[] = [];
    const { filename, uri } = request;
    const name = basename(filename);
    const addFor = (scopes: readonly Scope[]): void => addForName(scopes, name, found);
    const addAll = (scopes: readonly Scope[]): void => appendAll(found, scopes);
    for (const host of key === '' ? [this.of('')] : [this.of(''), this.of(key)]) {
      if (host.others.length < MANY) addFor(host.others);
      else getOrInsert(this.#patterns, host, () => scopesByStart(host.others))(request, addFor);
      if (host.directories.size > 0) onTheWay(host.directories, filename, '/', addFor);
      if (host.locations.size > 0) onTheWay(host.locations, withMergedSlashes(uri), '', addAll);
    }
    return found;
  }

  /** All that may match a request for a place or what lies below, unless filed farther below; undefined for many unfiled. */
  around({ filename, uri }: RequestPlace, vhost: Scope['vhost']): readonly Scope[] | undefined {
    const found: Scope[] = [];
    const addAll = (scopes: readonly Scope[]): void => appendAll(found, scopes);
    for (const key of new Set(['', hostKey(vhost)])) {
      const host = this.of(key);
      if (host.others.length >= MANY) return undefined;
      addAll(host.others);
      onTheWay(host.directories, filename, '/', addAll);
      onTheWay(host.locations, withMergedSlashes(uri), '', addAll);
    }
    return found;
  }
}

/** Where a scope is filed: at the path of the section it stands in, or at its own; undefined where that is no literal path. */
export function filedAt(
  scope: Scope,
): { readonly kind: 'directory' | 'location'; readonly path: string } | undefined {
  const holder = scope.kind === 'files' ? scope.parent : scope;
  if (holder?.pattern.kind !== 'path') return undefined;
  const { path } = holder.pattern;
  if (holder.kind === 'location') return { kind: 'location', path: path.replace(/\/+$/, '') };
  return holder.kind === 'directory' || holder.kind === 'htaccess' ? { kind: 'directory', path } : undefined;
}

/** So many at one place are not filed by name. */
const FEW = 16;

/** Adds the sections of one place, without Files sections for another name: a `.htaccess` may have ten thousand. */
function addForName(scopes: readonly Scope[], name: string, found: Scope[]): void {
  if (scopes.length <= FEW) return appendAll(found, scopes);
  const filed = filedByName(scopes);
  appendAll(found, filed.others);
  appendAll(found, filed.named.get(name) ?? EMPTY_LIST);
}

/** The Files sections of one place that are for a single name, by that name, and all its other sections. */
const filedByName = memo((scopes: readonly Scope[]) => {
  const named = new Map<string, Scope[]>();
  const others: Scope[] = [];
  for (const scope of scopes)
    if (scope.kind === 'files' && scope.pattern.kind === 'path') addTo(named, scope.pattern.path, scope);
    else others.push(scope);
  return { named, others };
});

/** Hands over what is filed at a path and above it; `top` is what all paths lie below. */
function onTheWay(
  filed: ReadonlyMap<string, readonly Scope[]>,
  path: string,
  top: string,
  addAll: (scopes: readonly Scope[]) => void,
): void {
  const all = filed.get(top);
  if (all !== undefined) addAll(all);
  const most = longestOf(filed);
  for (let at = path; at !== '/'; at = parentOf(at)) {
    // To look up a long text takes as long as the text is.
    const here = at.length > most ? undefined : filed.get(at);
    if (here !== undefined) addAll(here);
  }
}

/** Characters of the longest path that anything is filed at. */
const longestOf = memo((filed: ReadonlyMap<string, unknown>): number => {
  let most = 0;
  for (const path of filed.keys()) most = Math.max(most, path.length);
  return most;
});

/** Virtual hosts of a tree and of its rewrite are the same by their address and name: the rewrite changes neither. */
export function hostKey(vhost: Scope['vhost']): string {
  return vhost === undefined ? '' : keyOf(vhost);
}

const keyOf = memo(({ open, body }: Section): string => {
  let key = open.rest;
  for (const node of body)
    if (node.kind === 'directive' && (node.key === 'servername' || node.key === 'serveralias'))
      key += `\n${node.rest}`;
  return key;
});
