import type { UrlMapping } from '../mapping';
import {
  type Facts,
  INITIAL,
  type ReachCondition,
  type Scope,
  type State,
  changesState,
  mergePolicy,
  policyVariants,
  withConditions,
} from '../policy';
import {
  EMPTY_LIST,
  PathList,
  depthOf,
  globPrefixMatches,
  locationCovers,
  locationsMeet,
  parentOf,
  prefixOf,
} from '../primitives';
import {
  type ServerSections,
  ServerSectionsByHost,
  directoriesAt,
  directoriesReached,
  directoriesReachedIn,
  excludeEachOther,
  filesAnywhere,
  filesDownTo,
  globDepth,
  haveSamePath,
  matchesPrefix,
  memoFor,
  sectionsBefore,
  surelyMatches,
} from './merge-order';
import { type NeededParts, StateSet, neededPartsOf } from './state-set';

/**
 * Merges a scope over a state whose way is told: each way past the scope, and each into it, becomes a state with the tests that lead there.
 * @param sure the scope matches, where it is read
 */
function mergeWithConditions(
  state: State,
  scope: Scope,
  sure: boolean,
  facts: Facts,
  result: StateSet,
): void {
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
  for (const { tests, policy } of policyVariants(scope)) {
    const when = withConditions(state.when, tests);
    if (when !== undefined) result.add(mergePolicy({ ...state, when }, policy, facts));
  }
}

/** More ways than this to reach one section are not followed: the section is refused. */
const MAX_STATES = 4096;

/** Ways of reaching a section that are told apart when it must be restated for each. */
const MAX_CASES = 256;

/**
 * Which states a request can be in when a section is merged over it: the merge order of both versions (server/request.c, docs/facts/access-2.2.md:
 * the order of sections) run over every directory that the configuration names. Where a section may or may not match, both ways are kept: too many
 * states make the caller refuse, never admit.
 */
export class InheritedStates {
  readonly #facts: Facts;
  readonly #mapping: UrlMapping;
  readonly #servers: ServerSectionsByHost;
  #needs: NeededParts = { hosts: true, requires: true };
  #overflow = false;
  readonly #overflowed = (): void => {
    this.#overflow = true;
  };
  /** The scope whose cases are told apart, if any. */
  #casesFor: Scope | undefined;
  /** Then, if it is reached from several servers, all directories that any of them names: each is asked about the same ones. */
  #casePaths: PathList | undefined;

  /** @param scopes all sections of the run that set something */
  constructor(scopes: readonly Scope[], facts: Facts, mapping: UrlMapping) {
    this.#facts = facts;
    this.#mapping = mapping;
    this.#servers = new ServerSectionsByHost(scopes, mapping);
  }

  /** The states before `scope` is merged; undefined if there are too many to follow. */
  statesBefore(scope: Scope): readonly State[] | undefined {
    this.#needs = neededPartsOf(scope);
    const worlds = this.#servers.of(scope);
    this.#casePaths =
      this.#casesFor !== undefined && worlds.length > 1
        ? new PathList(worlds.flatMap(({ paths }) => paths.all))
        : undefined;
    if (worlds.length === 1 && this.#casesFor === undefined) {
      const found = this.#beforeIn(worlds[0]!, scope);
      return this.#overflow ? undefined : found;
    }
    const states = this.#set();
    for (const world of worlds) {
      const found = this.#withCondition(this.#beforeIn(world, scope), {
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
    this.#casesFor = scope;
    try {
      const states = this.statesBefore(scope);
      return this.#overflow ? undefined : states;
    } finally {
      this.#casesFor = undefined;
      this.#overflow = overflow;
    }
  }

  /** What is asked of a directory, as a number. */
  #memoSlot(regexes: boolean): number {
    return (this.#needs.hosts ? 1 : 0) + (this.#needs.requires ? 2 : 0) + (regexes ? 4 : 0);
  }

  #pathsIn(world: ServerSections): PathList {
    return this.#casePaths ?? world.paths;
  }

  #set(): StateSet {
    const limit = this.#casesFor === undefined ? MAX_STATES : MAX_CASES;
    return new StateSet(this.#facts, this.#needs, limit, this.#overflowed);
  }

  /** The state a request begins with; the conditionals around the scope in question hold. */
  #initial(): State {
    if (this.#casesFor === undefined || this.#casesFor.conditions.length === 0) return INITIAL;
    return { ...INITIAL, when: this.#casesFor.conditions.map((one) => ({ kind: 'config', ...one })) };
  }

  #withCondition(states: readonly State[], test: ReachCondition): readonly State[] {
    return this.#casesFor === undefined
      ? states
      : states.map((state) => ({ ...state, when: [...state.when, test] }));
  }

  #beforeIn(world: ServerSections, scope: Scope): readonly State[] {
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
        return this.#maybe([this.#initial()], sectionsBefore(world, 'proxies', scope));
    }
  }

  /** States after the directory walk down to `path`, its own level included. */
  #chain(world: ServerSections, path: string): readonly State[] {
    if (world.plain) while (path !== '/' && !world.paths.has(path)) path = parentOf(path);
    if (this.#casesFor !== undefined) return this.#level(world, path, undefined);
    const memo = memoFor(world.chains, path);
    return (memo[this.#memoSlot(false)] ??= this.#level(world, path, undefined));
  }

  /** Merges the sections of one level and of those above it, up to (not including) `until`. */
  #level(world: ServerSections, path: string, until: Scope | undefined): readonly State[] {
    let states = path === '/' ? [this.#initial()] : this.#chain(world, parentOf(path));
    const { layers, plain } = world;
    const astray =
      !plain && layers.some((side) => side.access.get(path)?.some((scope) => scope.placeUnknown));
    for (const side of layers) {
      for (const one of plain ? (side.directories.get(path) ?? EMPTY_LIST) : directoriesAt(side, path)) {
        if (one === until) return states;
        states = surelyMatches(one) ? this.#apply(states, one) : this.#maybe(states, [one]);
      }
      // A .htaccess without a place may lie in any directory, and any Directory around it.
      if (astray)
        for (const [home, list] of side.directories) if (home !== '/') states = this.#maybe(states, list);
    }
    for (const side of layers)
      for (const one of side.access.get(path) ?? EMPTY_LIST) {
        if (one === until) return states;
        states = this.#apply(states, one);
      }
    if (!astray && !plain) for (const side of world.layers) states = this.#maybe(states, side.placeUnknown);
    return states;
  }

  /** States after the directory walk and, if asked, the regex directories, for every directory that requests come to. */
  #allEnds(world: ServerSections, regexes: boolean): readonly State[] {
    const told = this.#casePaths;
    return this.#endsOf(
      world,
      told === undefined ? directoriesReachedIn(world) : directoriesReached(told, world.targets),
      regexes,
    );
  }

  /** The states after these directories. */
  #endsOf(world: ServerSections, paths: readonly string[], regexes: boolean): readonly State[] {
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

  #end(world: ServerSections, path: string, regexes: boolean): readonly State[] {
    if (this.#casesFor !== undefined) return this.#walked(world, path, regexes);
    const memo = memoFor(world.ends, path);
    return (memo[this.#memoSlot(regexes)] ??= this.#walked(world, path, regexes));
  }

  #walked(world: ServerSections, path: string, regexes: boolean): readonly State[] {
    let states = this.#withCondition(this.#chain(world, path), { kind: 'directory', path });
    if (!world.plain)
      for (const side of world.layers)
        for (const one of side.globs)
          if (globDepth(one) > depthOf(path) && matchesPrefix(one, path))
            states = this.#step(states, one, false);
    return regexes ? this.#maybe(states, world.regexes) : states;
  }

  /** States before a Directory section whose place the run cannot tell, or a glob. */
  #everywhere(world: ServerSections, scope: Scope): readonly State[] {
    const { pattern } = scope;
    if (pattern.kind !== 'glob') return this.#allEnds(world, false);
    const depth = depthOf(pattern.glob);
    const shallower = world.layers.flatMap((side) =>
      side.globs.filter((one) => one !== scope && globDepth(one) <= depth),
    );
    const states = this.#set();
    for (const path of this.#pathsIn(world).below('/')) {
      if (!globPrefixMatches(path, pattern.glob)) continue;
      const from =
        depthOf(path) >= depth && depth > 0
          ? this.#level(world, prefixOf(path, depth), scope)
          : this.#chain(world, path);
      const told = this.#withCondition(from, { kind: 'directory', path });
      for (const state of this.#maybe(told, shallower)) states.add(state);
    }
    return states.list;
  }

  #beforeFiles(world: ServerSections, scope: Scope): readonly State[] {
    const home = scope.parent;
    const placed = home?.pattern.kind === 'path' && home.kind !== 'directory-match';
    const around = placed && home.pattern.kind === 'path' ? home.pattern.path : '/';
    let list: readonly State[];
    if (placed)
      list = this.#endsOf(world, this.#pathsIn(world).below(home.placeUnknown ? '/' : around), true);
    else list = this.#allEnds(world, true);
    const earlier = placed ? filesDownTo(world, around) : filesAnywhere(world, scope);
    for (const one of earlier) {
      if (one === scope) break;
      if (excludeEachOther(one, scope)) continue;
      const sure = one.parent === scope.parent && haveSamePath(one, scope);
      list = sure ? this.#apply(list, one) : this.#maybe(list, [one]);
    }
    return list;
  }

  #beforeLocation(world: ServerSections, scope: Scope): readonly State[] {
    const states = this.#set();
    const url = scope.pattern.kind === 'path' ? scope.pattern.path : '/';
    for (const path of directoriesReached(
      this.#pathsIn(world),
      this.#mapping.targetsFromAll(world.hosts, url),
    )) {
      const files = filesDownTo(world, path);
      for (const state of this.#maybe(this.#end(world, path, true), files)) states.add(state);
    }
    const proxies = world.layers.flatMap((side) => side.proxies);
    if (proxies.length > 0 || this.#mapping.proxied) {
      const proxied = this.#withCondition([this.#initial()], { kind: 'untold', name: 'proxy' });
      for (const state of this.#maybe(proxied, proxies)) states.add(state);
    }
    let list: readonly State[] = states.list;
    for (const one of sectionsBefore(world, 'locations', scope)) {
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
      if (this.#casesFor !== undefined) mergeWithConditions(state, scope, sure, this.#facts, result);
      else {
        if (kept) result.add(state);
        for (const { policy } of policyVariants(scope)) result.add(mergePolicy(state, policy, this.#facts));
      }
    }
    return result.list;
  }
}
