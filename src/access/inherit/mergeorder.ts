import type { Section } from '../../syntax';
import type { Scope, State } from '../policy';
import {
  NONE,
  type PathList,
  areDisjoint,
  depthOf,
  globEndings,
  isPlainGlob,
  isWithin,
  parentOf,
  regexEndings,
  unifies,
} from '../primitives';
import { type Side, globDepth } from './worlds';

/** The main server alone, or with one virtual host: the sections that one request can meet. */
export interface World {
  readonly vhost: Section | undefined;
  /** Whose requests meet these: those of the main server, too, are met by the requests of a virtual host without sections of its own. */
  readonly hosts: readonly (Section | undefined)[];
  /** The directories that these requests come to; undefined where the configuration does not tell. */
  readonly targets: readonly string[] | undefined;
  /** Main server first: its sections come before those of the virtual host. */
  readonly sides: readonly Side[];
  readonly paths: PathList;
  /** In merge order. */
  readonly regexes: readonly Scope[];
  /** Every Directory section and `.htaccess` has a place of its own: in a directory that is not listed nothing stands. */
  readonly plain: boolean;
  readonly chains: StateMemo;
  readonly ends: StateMemo;
}

/** By directory, and by the number of what is asked of it. */
export type StateMemo = Map<string, (readonly State[] | undefined)[]>;

/** What is known of one directory. */
export function slots(memo: StateMemo, path: string): (readonly State[] | undefined)[] {
  let found = memo.get(path);
  if (found === undefined) memo.set(path, (found = []));
  return found;
}

/** The Directory sections that are merged at one level, in merge order. */
export function directoriesAt(side: Side, path: string): readonly Scope[] {
  const depth = depthOf(path);
  const exact = side.directories.get(path) ?? NONE;
  const globs = side.globs.filter((one) => globDepth(one) === depth && matchesPrefix(one, path));
  if (globs.length + side.anywhere.length === 0) return exact;
  return [...exact, ...globs, ...side.anywhere].sort((a, b) => a.order - b.order);
}

/** Files sections that a file in `path` can meet, in merge order. */
export function filesDownTo(world: World, path: string): Scope[] {
  const { sides } = world;
  const found: Scope[] = [];
  for (const side of sides) if (side.files.length > 0) found.push(...side.files);
  // From the innermost level up, the last side first: that is the merge order backwards.
  const levels: (readonly Scope[])[] = [];
  if (sides.some((side) => side.nested.size > 0))
    for (let at = path; ; at = parentOf(at)) {
      for (let i = sides.length - 1; i >= 0; i--) {
        const list = sides[i]!.nested.get(at);
        if (list !== undefined) levels.push(list);
      }
      if (at === '/') break;
    }
  for (let i = levels.length - 1; i >= 0; i--) found.push(...levels[i]!);
  // Files in a Directory with wildcards come with its level, which may be below these.
  for (const side of sides) for (const one of side.files) if (one.parent !== undefined) found.push(one);
  return found;
}

/** Files sections that may come before one in no directory, or in a Directory whose place only the request tells. */
export function filesAnywhere(world: World, scope: Scope): Scope[] {
  const found: Scope[] = [];
  for (const side of world.sides)
    for (const one of side.files) {
      if (scope.parent === undefined && one === scope) return found;
      if (one !== scope && (scope.parent !== undefined || one.parent === undefined)) found.push(one);
    }
  if (scope.parent === undefined) return found;
  const nested = world.sides.flatMap((side) => [...side.nested]);
  nested.sort(([a], [b]) => depthOf(a) - depthOf(b));
  return [...found, ...nested.flatMap(([, list]) => list)];
}

export function hostRank(scope: Scope): number {
  return scope.vhost === undefined ? 0 : 1;
}

/** The listed directories whose own rules can be the last for a file at or below one of the targets; all where targets are not known. */
export function reached(paths: PathList, targets: readonly string[] | undefined): readonly string[] {
  if (targets === undefined) return paths.below('/');
  const found = new Set<string>();
  for (const target of targets) {
    let nearest = target;
    while (nearest !== '/' && !paths.has(nearest)) nearest = parentOf(nearest);
    found.add(nearest);
    for (const path of paths.below(target)) if (path !== target && isWithin(path, target)) found.add(path);
  }
  return [...found];
}

/** The same of those that a server itself names; all its sections without a place ask for them. */
export function reachedIn(world: World): readonly string[] {
  let found = inReach.get(world);
  if (found === undefined) inReach.set(world, (found = reached(world.paths, world.targets)));
  return found;
}

const inReach = new WeakMap<World, readonly string[]>();

export function isSure({ pattern }: Scope): boolean {
  return pattern.kind === 'path' || (pattern.kind === 'glob' && isPlainGlob(pattern.glob));
}

export function matchesPrefix({ pattern }: Scope, path: string): boolean {
  return pattern.kind === 'glob' && unifies(path, pattern.glob);
}

/** The sections of one kind that are merged before a scope. */
export function listBefore(world: World, kind: 'locations' | 'proxies', scope: Scope): Scope[] {
  const result: Scope[] = [];
  for (const side of world.sides)
    for (const one of side[kind]) {
      if (one === scope) return result;
      result.push(one);
    }
  return result;
}

export function samePattern(a: Scope, b: Scope): boolean {
  return a.pattern.kind === 'path' && b.pattern.kind === 'path' && a.pattern.path === b.pattern.path;
}

/** True for Files sections that no file name can meet both: other names, or endings that exclude one another. */
export function cannotBoth(a: Scope, b: Scope): boolean {
  if (a.pattern.kind === 'path' && b.pattern.kind === 'path') return a.pattern.path !== b.pattern.path;
  const [one, other] = [endingsOf(a), endingsOf(b)];
  return one !== undefined && other !== undefined && areDisjoint(one, other);
}

const endings = new WeakMap<Scope, { readonly list: readonly string[] | undefined }>();

function endingsOf(scope: Scope): readonly string[] | undefined {
  let known = endings.get(scope);
  if (known === undefined) endings.set(scope, (known = { list: readEndings(scope) }));
  return known.list;
}

function readEndings({ kind, pattern, section }: Scope): readonly string[] | undefined {
  if (kind !== 'files' || section === undefined) return undefined;
  // Nothing stands before a whole name.
  if (pattern.kind === 'path') return [`\0${pattern.path.toLowerCase()}`];
  if (pattern.kind === 'glob') return globEndings(pattern.glob);
  const words = section.args.map(({ value }) => value);
  const regex = words[0] === '~' ? words[1] : section.key === 'filesmatch' ? words[0] : undefined;
  return regex === undefined || /[$]\{/.test(regex) ? undefined : regexEndings(regex);
}
