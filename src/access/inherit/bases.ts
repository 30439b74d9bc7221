import type { Mapping } from '../mapping';
import {
  type Facts,
  INITIAL,
  type Scope,
  type State,
  type Test,
  changesState,
  merge,
  settingsOfScope,
  withTests,
} from '../policy';
import {
  NONE,
  PathList,
  depthOf,
  locationCovers,
  locationsMeet,
  parentOf,
  prefixOf,
  unifies,
} from '../primitives';
import {
  type World,
  Worlds,
  cannotBoth,
  directoriesAt,
  filesAnywhere,
  filesDownTo,
  globDepth,
  isSure,
  listBefore,
  matchesPrefix,
  reached,
  reachedIn,
  samePattern,
  slots,
} from './merge-order';
import { type Needs, StateSet, needsOf } from './state-set';

/**
 * Merges a scope over a state whose way is told: each way past the scope, and each into it, becomes a state with the tests that lead there.
 * @param sure the scope matches, where it is read
 */
function branch(state: State, scope: Scope, sure: boolean, facts: Facts, result: StateSet): void {
  for (const { name, is } of scope.conditions) {
    const known = state.when.find((test) => test.kind === 'config' && test.name === name);
    if (known === undefined) {
      result.add({ ...state, when: [...state.when, { kind: 'config', name, is: !is }] });
      state = { ...state, when: [...state.when, { kind: 'config', name, is }] };
    } else if (known.kind === 'config' && known.is !== is) {
      result.add(state);
      return;
    }
  }
  if (!sure) {
    result.add({ ...state, when: [...state.when, { kind: 'match', scope, is: false }] });
    state = { ...state, when: [...state.when, { kind: 'match', scope, is: true }] };
  }
  for (const { tests, own } of settingsOfScope(scope)) {
    const when = withTests(state.when, tests);
    if (when !== undefined) result.add(merge({ ...state, when }, own, facts));
  }
}

/** More ways than this to reach one section are not followed: the section is refused. */
const MAX_STATES = 4096;

/** Ways of reaching a section that are told apart when it must be restated for each. */
const MAX_CASES = 256;

/**
 * Which states a request can be in when a section is merged over it: the merge order of both versions (server/request.c, access-semantics
 * A1) run over every directory that the configuration names. Where a section may or may not match, both ways are kept: too many
 * states make the caller refuse, never admit.
 */
export class Bases {
  readonly #facts: Facts;
  readonly #mapping: Mapping;
  readonly #worlds: Worlds;
  #needs: Needs = { hosts: true, requires: true };
  #overflow = false;
  readonly #overflowed = (): void => {
    this.#overflow = true;
  };
  /** The scope whose cases are told apart, if any. */
  #told: Scope | undefined;
  /** Then, if it is reached from several servers, all directories that any of them names: each is asked about the same ones. */
  #toldPaths: PathList | undefined;

  /** @param scopes all sections of the run that set something */
  constructor(scopes: readonly Scope[], facts: Facts, mapping: Mapping) {
    this.#facts = facts;
    this.#mapping = mapping;
    this.#worlds = new Worlds(scopes, mapping);
  }

  /** The states before `scope` is merged; undefined if there are too many to follow. */
  before(scope: Scope): readonly State[] | undefined {
    this.#needs = needsOf(scope);
    const worlds = this.#worlds.of(scope);
    this.#toldPaths =
      this.#told !== undefined && worlds.length > 1
        ? new PathList(worlds.flatMap(({ paths }) => paths.all))
        : undefined;
    if (worlds.length === 1 && this.#told === undefined) {
      const found = this.#beforeIn(worlds[0]!, scope);
      return this.#overflow ? undefined : found;
    }
    const states = this.#set();
    for (const world of worlds) {
      const found = this.#tell(this.#beforeIn(world, scope), {
        kind: 'untold',
        name: world.vhost === undefined ? '' : String(world.vhost.start),
      });
      for (const state of found) states.add(state);
      if (this.#overflow) return undefined;
    }
    return states.list;
  }

  /** The same states with the way a request comes to each; undefined if there are too many to tell apart. */
  cases(scope: Scope): readonly State[] | undefined {
    const overflow = this.#overflow;
    this.#told = scope;
    try {
      const states = this.before(scope);
      return this.#overflow ? undefined : states;
    } finally {
      this.#told = undefined;
      this.#overflow = overflow;
    }
  }

  /** What is asked of a directory, as a number. */
  #asked(regexes: boolean): number {
    return (this.#needs.hosts ? 1 : 0) + (this.#needs.requires ? 2 : 0) + (regexes ? 4 : 0);
  }

  #pathsIn(world: World): PathList {
    return this.#toldPaths ?? world.paths;
  }

  #set(): StateSet {
    const limit = this.#told === undefined ? MAX_STATES : MAX_CASES;
    return new StateSet(this.#facts, this.#needs, limit, this.#overflowed);
  }

  /** The state a request begins with; the conditionals around the scope in question hold. */
  #initial(): State {
    if (this.#told === undefined || this.#told.conditions.length === 0) return INITIAL;
    return { ...INITIAL, when: this.#told.conditions.map((one) => ({ kind: 'config', ...one })) };
  }

  #tell(states: readonly State[], test: Test): readonly State[] {
    return this.#told === undefined
      ? states
      : states.map((state) => ({ ...state, when: [...state.when, test] }));
  }

  #beforeIn(world: World, scope: Scope): readonly State[] {
    switch (scope.kind) {
      case 'directory':
        if (scope.pattern.kind === 'path') return this.#level(world, scope.pattern.path, scope);
        return this.#everywhere(world, scope);
      case 'htaccess':
        return scope.pattern.kind === 'path' ? this.#level(world, scope.pattern.path, scope) : [];
      case 'directory-match':
        return this.#maybe(this.#allEnds(world, false), world.regexes.slice(0, world.regexes.indexOf(scope)));
      case 'files':
        return this.#beforeFiles(world, scope);
      case 'location':
        return this.#beforeLocation(world, scope);
      case 'proxy':
        return this.#maybe([this.#initial()], listBefore(world, 'proxies', scope));
    }
  }

  /** States after the directory walk down to `path`, its own level included. */
  #chain(world: World, path: string): readonly State[] {
    if (world.plain) while (path !== '/' && !world.paths.has(path)) path = parentOf(path);
    if (this.#told !== undefined) return this.#level(world, path, undefined);
    const memo = slots(world.chains, path);
    return (memo[this.#asked(false)] ??= this.#level(world, path, undefined));
  }

  /** Merges the sections of one level and of those above it, up to (not including) `until`. */
  #level(world: World, path: string, until: Scope | undefined): readonly State[] {
    let states = path === '/' ? [this.#initial()] : this.#chain(world, parentOf(path));
    const { sides, plain } = world;
    const astray = !plain && sides.some((side) => side.access.get(path)?.some((scope) => scope.displaced));
    for (const side of sides) {
      for (const one of plain ? (side.directories.get(path) ?? NONE) : directoriesAt(side, path)) {
        if (one === until) return states;
        states = isSure(one) ? this.#apply(states, one) : this.#maybe(states, [one]);
      }
      // A .htaccess without a place may lie in any directory, and any Directory around it.
      if (astray)
        for (const [home, list] of side.directories) if (home !== '/') states = this.#maybe(states, list);
    }
    for (const side of sides)
      for (const one of side.access.get(path) ?? NONE) {
        if (one === until) return states;
        states = this.#apply(states, one);
      }
    if (!astray && !plain) for (const side of world.sides) states = this.#maybe(states, side.displaced);
    return states;
  }

  /** States after the directory walk and, if asked, the regex directories, for every directory that requests come to. */
  #allEnds(world: World, regexes: boolean): readonly State[] {
    const told = this.#toldPaths;
    return this.#endsOf(world, told === undefined ? reachedIn(world) : reached(told, world.targets), regexes);
  }

  /** The states after these directories. */
  #endsOf(world: World, paths: readonly string[], regexes: boolean): readonly State[] {
    if (paths.length === 1 && !this.#overflow) return this.#end(world, paths[0]!, regexes);
    const states = this.#set();
    // Most directories are left as one above them was left.
    const added = new Set<readonly State[]>();
    for (const path of paths) {
      if (this.#overflow) break;
      const found = this.#end(world, path, regexes);
      if (added.has(found)) continue;
      added.add(found);
      for (const state of found) states.add(state);
    }
    return states.list;
  }

  #end(world: World, path: string, regexes: boolean): readonly State[] {
    if (this.#told !== undefined) return this.#walked(world, path, regexes);
    const memo = slots(world.ends, path);
    return (memo[this.#asked(regexes)] ??= this.#walked(world, path, regexes));
  }

  #walked(world: World, path: string, regexes: boolean): readonly State[] {
    let states = this.#tell(this.#chain(world, path), { kind: 'directory', path });
    if (!world.plain)
      for (const side of world.sides)
        for (const one of side.globs)
          if (globDepth(one) > depthOf(path) && matchesPrefix(one, path))
            states = this.#step(states, one, false);
    return regexes ? this.#maybe(states, world.regexes) : states;
  }

  /** States before a Directory section whose place the run cannot tell, or a glob. */
  #everywhere(world: World, scope: Scope): readonly State[] {
    const { pattern } = scope;
    if (pattern.kind !== 'glob') return this.#allEnds(world, false);
    const depth = depthOf(pattern.glob);
    const shallower = world.sides.flatMap((side) =>
      side.globs.filter((one) => one !== scope && globDepth(one) <= depth),
    );
    const states = this.#set();
    for (const path of this.#pathsIn(world).below('/')) {
      if (!unifies(path, pattern.glob)) continue;
      const from =
        depthOf(path) >= depth && depth > 0
          ? this.#level(world, prefixOf(path, depth), scope)
          : this.#chain(world, path);
      const told = this.#tell(from, { kind: 'directory', path });
      for (const state of this.#maybe(told, shallower)) states.add(state);
    }
    return states.list;
  }

  #beforeFiles(world: World, scope: Scope): readonly State[] {
    const home = scope.parent;
    const placed = home?.pattern.kind === 'path' && home.kind !== 'directory-match';
    const around = placed && home.pattern.kind === 'path' ? home.pattern.path : '/';
    let list: readonly State[];
    if (placed) list = this.#endsOf(world, this.#pathsIn(world).below(home.displaced ? '/' : around), true);
    else list = this.#allEnds(world, true);
    const earlier = placed ? filesDownTo(world, around) : filesAnywhere(world, scope);
    for (const one of earlier) {
      if (one === scope) break;
      if (cannotBoth(one, scope)) continue;
      const sure = one.parent === scope.parent && samePattern(one, scope);
      list = sure ? this.#apply(list, one) : this.#maybe(list, [one]);
    }
    return list;
  }

  #beforeLocation(world: World, scope: Scope): readonly State[] {
    const states = this.#set();
    const url = scope.pattern.kind === 'path' ? scope.pattern.path : '/';
    for (const path of reached(this.#pathsIn(world), this.#mapping.targetsFromAll(world.hosts, url))) {
      const files = filesDownTo(world, path);
      for (const state of this.#maybe(this.#end(world, path, true), files)) states.add(state);
    }
    const proxies = world.sides.flatMap((side) => side.proxies);
    if (proxies.length > 0 || this.#mapping.proxied) {
      const proxied = this.#tell([this.#initial()], { kind: 'untold', name: 'proxy' });
      for (const state of this.#maybe(proxied, proxies)) states.add(state);
    }
    let list: readonly State[] = states.list;
    for (const one of listBefore(world, 'locations', scope)) {
      const [outer, inner] = [one.pattern, scope.pattern];
      const literal = outer.kind === 'path' && inner.kind === 'path';
      if (literal && !locationsMeet(outer.path, inner.path)) continue;
      const sure = literal && locationCovers(outer.path, inner.path);
      list = sure ? this.#apply(list, one) : this.#maybe(list, [one]);
    }
    return list;
  }

  #apply(states: readonly State[], scope: Scope): readonly State[] {
    return this.#step(states, scope, true);
  }

  #maybe(states: readonly State[], scopes: readonly Scope[]): readonly State[] {
    for (const scope of scopes) states = this.#step(states, scope, false);
    return states;
  }

  /** Merges a scope that surely matches, or may; either only where the conditionals around it let it be read. */
  #step(states: readonly State[], scope: Scope, sure: boolean): readonly State[] {
    // With too many of them there is no answer: no need to go on.
    if (this.#overflow || !changesState(scope)) return states;
    const kept = !sure || !scope.certain;
    const result = this.#set();
    for (const state of states) {
      if (this.#told !== undefined) branch(state, scope, sure, this.#facts, result);
      else {
        if (kept) result.add(state);
        for (const { own } of settingsOfScope(scope)) result.add(merge(state, own, this.#facts));
      }
    }
    return result.list;
  }
}
