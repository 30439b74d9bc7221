import { type Target, type UrlMapping, directoriesReached, keyOf } from '../mapping';
import type { FilesByHost } from '../override';
import {
  type Facts,
  INITIAL,
  type ReachCondition,
  type Scope,
  type SectionPolicy,
  type State,
  changesState,
  excludeEachOther,
  mergePolicy,
  policyVariants,
} from '../policy';
import {
  EMPTY_LIST,
  PathList,
  depthOf,
  globPrefixMatches,
  locationCovers,
  parentOf,
  prefixOf,
} from '../primitives';
import {
  type ServerSections,
  type StateMemo,
  beginningsOf,
  directoriesAt,
  directoriesReachedIn,
  filesAnywhere,
  filesDownTo,
  filesInto,
  globDepth,
  globsDownTo,
  haveSamePath,
  locationsBefore,
  matchesPrefix,
  mayMatchBelow,
  memoFor,
  proxiesBefore,
  proxiesOf,
  surelyMatches,
} from './merge-order';
import { urlsOf } from './locations';
import { ServerSectionsByHost } from './servers-by-host';
import {
  MergeBudget,
  type NeededParts,
  StateSet,
  mergeWithConditions,
  neededPartsOf,
  setsHostsAlone,
} from './state-set';

/** More ways than this to reach one section are not followed: the section is refused. */
const MAX_STATES = 4096;

/** The same where all ways are told in one word: each costs little. */
const MAX_WHOLE_STATES = 65_536;

/** More Files sections than this that one file may meet are not held against one another: so is the section. */
const MAX_FILES = 1000;

/** Ways of reaching a section that are followed separately when it must be restated for each. */
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
  /** By section: more than once somebody asks for it. */
  readonly #before = new WeakMap<Scope, readonly State[]>();
  /** Sections before which there are too many. */
  readonly #endless = new WeakSet<Scope>();
  #needs: NeededParts = { hosts: true, requires: true };
  /** Too many have been found for the section that is asked about. It says nothing of the next: whose sections these are, they stop no others. */
  #overflow = false;
  #limit = MAX_STATES;
  readonly #merges = new MergeBudget();
  /** Lists that have been merged with a section that sets hosts in vain, and may not match: another changes nothing. */
  readonly #settled = new WeakSet<readonly State[]>();
  readonly #overflowed = (): void => {
    this.#overflow = true;
  };
  /** The scope for which the ways of reaching it are recorded, if any. */
  #casesFor: Scope | undefined;
  /** Then, if it is reached from several servers, all directories that any of them names: each is asked about the same ones. */
  #casePaths: PathList | undefined;

  /** @param scopes all sections of the run that set something */
  constructor(scopes: readonly Scope[], facts: Facts, mapping: UrlMapping, files: FilesByHost) {
    this.#facts = facts;
    this.#mapping = mapping;
    this.#servers = new ServerSectionsByHost(scopes, mapping, files);
    this.#withPolicies = (policies) => {
      const states = new InheritedStates(scopes, facts, mapping, files);
      states.#policies = policies;
      return states;
    };
  }

  readonly #withPolicies: (policies: ReadonlyMap<Scope, SectionPolicy>) => InheritedStates;
  #policies: ReadonlyMap<Scope, SectionPolicy> = new Map();

  /** The same where some sections set something else. */
  withPolicies(policies: ReadonlyMap<Scope, SectionPolicy>): InheritedStates {
    return this.#withPolicies(policies);
  }

  /** The states before `scope` is merged; undefined if there are too many to follow. */
  statesBefore(scope: Scope): readonly State[] | undefined {
    if (this.#casesFor !== undefined) return this.#statesBefore(scope, neededPartsOf(scope));
    let states = this.#before.get(scope);
    if (states === undefined && !this.#endless.has(scope)) {
      states = this.#statesBefore(scope, neededPartsOf(scope));
      if (states === undefined) this.#endless.add(scope);
      else this.#before.set(scope, states);
    }
    return states;
  }

  /** The same, with the parts that the scope itself replaces: 2.4 inherits what 2.2 had decided with them. */
  wholeStatesBefore(scope: Scope): readonly State[] | undefined {
    this.#limit = MAX_WHOLE_STATES;
    const states = this.#statesBefore(scope, { hosts: true, requires: true });
    this.#limit = MAX_STATES;
    return states;
  }

  #statesBefore(scope: Scope, needs: NeededParts): readonly State[] | undefined {
    this.#merges.beginFor(scope.place.root);
    this.#needs = needs;
    this.#overflow = false;
    const servers = this.#servers.of(scope);
    this.#casePaths =
      this.#casesFor !== undefined && servers.length > 1
        ? new PathList(servers.flatMap(({ paths }) => paths.all))
        : undefined;
    if (servers.length === 1 && this.#casesFor === undefined) {
      const found = this.#beforeIn(servers[0]!, scope);
      return this.#overflow ? undefined : found;
    }
    const states = this.#set();
    for (const server of servers) {
      const before = this.#beforeIn(server, scope);
      const found =
        this.#casesFor === undefined
          ? before
          : this.#withCondition(before, this.#conditionFor(server, scope));
      for (const state of found) states.add(state);
      if (this.#overflow) return undefined;
    }
    return states.list;
  }

  /** That a request has come to one server, or to another where a section is met in the same state. */
  #conditionFor(server: ServerSections, scope: Scope): ReachCondition {
    return {
      kind: 'server',
      name: this.#servers.nameOf(server.vhost),
      marks: this.#servers.hostsLike(server, scope).map((vhost) => this.#mapping.marksOf(vhost)),
    };
  }

  /** The same states with the way a request comes to each; undefined if there are too many. */
  cases(scope: Scope): readonly State[] | undefined {
    this.#casesFor = scope;
    try {
      const states = this.statesBefore(scope);
      return this.#overflow ? undefined : states;
    } finally {
      this.#casesFor = undefined;
    }
  }

  /**
   * Whether no other Files section, or no other Location, comes before one that the same request can meet: Directory, Files and Location
   * sections are each merged among themselves before they are merged with one another (server/request.c: ap_file_walk, ap_location_walk).
   */
  isFirstOfItsKind(scope: Scope): boolean {
    return this.#servers.of(scope).every((server) => {
      switch (scope.kind) {
        case 'location':
          return locationsBefore(server, scope).length === 0;
        case 'files':
          return !this.#filesBefore(server, scope).some((section) => !excludeEachOther(section, scope));
        case 'proxy':
          return false;
        default:
          return true;
      }
    });
  }

  /** What is asked of a directory, as a number. */
  #memoSlot(regexes: boolean): number {
    return (this.#needs.hosts ? 1 : 0) + (this.#needs.requires ? 2 : 0) + (regexes ? 4 : 0);
  }

  /** What was found for a path before; where that was too many, it is again. */
  #remembered(
    memo: StateMemo,
    path: string,
    regexes: boolean,
    find: () => readonly State[],
  ): readonly State[] {
    const known = memoFor(memo, path);
    const slot = this.#memoSlot(regexes);
    const found = known[slot];
    if (found === 'too-many') this.#overflow = true;
    else if (found !== undefined) return found;
    if (this.#overflow) return EMPTY_LIST;
    const states = find();
    // Where one file's merges are spent, nothing is known of the others.
    if (!this.#merges.isSpent) known[slot] = this.#overflow ? 'too-many' : states;
    return states;
  }

  #pathsIn(server: ServerSections): PathList {
    return this.#casePaths ?? server.paths;
  }

  #set(): StateSet {
    const limit = this.#casesFor === undefined ? this.#limit : MAX_CASES;
    return new StateSet(this.#facts, this.#needs, limit, this.#overflowed);
  }

  /** The state a request begins with; the conditionals around the scope in question hold. */
  #initial(): State {
    if (this.#casesFor === undefined || this.#casesFor.conditions.length === 0) return INITIAL;
    return {
      ...INITIAL,
      when: this.#casesFor.conditions.map((condition) => ({ kind: 'config', ...condition })),
    };
  }

  #withCondition(states: readonly State[], test: ReachCondition): readonly State[] {
    return this.#casesFor === undefined
      ? states
      : states.map((state) => ({ ...state, when: [...state.when, test] }));
  }

  #beforeIn(server: ServerSections, scope: Scope): readonly State[] {
    switch (scope.kind) {
      case 'directory':
        if (scope.pattern.kind === 'path') return this.#level(server, scope.pattern.path, scope);
        return this.#everywhere(server, scope);
      case 'htaccess':
        return scope.pattern.kind === 'path' ? this.#level(server, scope.pattern.path, scope) : [];
      case 'directory-match':
        return this.#maybe(
          this.#allEnds(server, false, scope),
          server.regexes.slice(0, server.regexes.indexOf(scope)),
        );
      case 'files':
        return this.#beforeFiles(server, scope);
      case 'location':
        return this.#beforeLocation(server, scope);
      case 'proxy':
        return this.#maybe([this.#initial()], proxiesBefore(server, scope));
    }
  }

  /** States after the directory walk down to `path`, its own level included. */
  #chain(server: ServerSections, path: string): readonly State[] {
    if (server.plain) while (path !== '/' && !server.paths.has(path)) path = parentOf(path);
    if (this.#casesFor !== undefined) return this.#level(server, path, undefined);
    return this.#remembered(server.chains, path, false, () => this.#level(server, path, undefined));
  }

  /** Merges the sections of one level and of those above it, up to (not including) `until`. */
  #level(server: ServerSections, path: string, until: Scope | undefined): readonly State[] {
    let states = path === '/' ? [this.#initial()] : this.#chain(server, parentOf(path));
    const { layers, plain } = server;
    const anyPlaceUnknown =
      !plain && layers.some((layer) => layer.access.get(path)?.some((scope) => scope.placeUnknown));
    for (const layer of layers) {
      for (const section of plain
        ? (layer.directories.get(path) ?? EMPTY_LIST)
        : directoriesAt(layer, path)) {
        if (section === until) return states;
        states = surelyMatches(section) ? this.#apply(states, section) : this.#maybe(states, [section]);
      }
      // A .htaccess without a place may lie in any directory, and any Directory around it.
      if (anyPlaceUnknown)
        for (const [directory, list] of layer.directories)
          if (directory !== '/') states = this.#maybe(states, list);
    }
    for (const layer of layers)
      for (const section of layer.access.get(path) ?? EMPTY_LIST) {
        if (section === until) return states;
        states = this.#apply(states, section);
      }
    if (!anyPlaceUnknown && !plain)
      for (const layer of server.layers) states = this.#maybe(states, layer.placeUnknown);
    return states;
  }

  /**
   * States after the directory walk and, if asked, the regex directories, for every directory that requests come to; those that a
   * DirectoryMatch can be for, if `within` is one.
   */
  #allEnds(server: ServerSections, regexes: boolean, within?: Scope): readonly State[] {
    const { wide } = server;
    const reached = (): readonly string[] => directoriesReached(this.#pathsIn(server), server.targets);
    if (within?.kind === 'directory-match') {
      const find = (): readonly State[] =>
        this.#endsOf(server, reached().filter((path) => mayMatchBelow(within, path)), regexes); // prettier-ignore
      if (this.#casesFor !== undefined) return find();
      // A regex may ask for any byte, so that none can stand between two beginnings.
      const key = JSON.stringify([this.#limit, ...beginningsOf(within)]);
      return this.#remembered(server.ofRegex, key, regexes, find);
    }
    if (wide === undefined || this.#casesFor !== undefined) return this.#endsOf(server, reached(), regexes);
    const states = this.#set();
    for (const state of this.#endsOf(server, directoriesReachedIn(server), regexes)) states.add(state);
    for (const target of wide.targets)
      for (const state of this.#endsIn(wide.main, target, regexes)) states.add(state);
    return states.list;
  }

  /** The states in a wide target of those that meet the main server's sections alone. */
  #endsIn(main: ServerSections, target: Target, regexes: boolean): readonly State[] {
    return this.#remembered(main.wideEnds, keyOf(target), regexes, () =>
      this.#endsOf(main, directoriesReached(main.paths, [target]), regexes),
    );
  }

  /** The states after these directories. */
  #endsOf(server: ServerSections, paths: readonly string[], regexes: boolean): readonly State[] {
    if (paths.length === 1 && !this.#overflow) return this.#end(server, paths[0]!, regexes);
    const states = this.#set();
    // Most directories are left as one above them was left.
    const added = new Set<readonly State[]>();
    for (const path of paths) {
      if (this.#overflow) break;
      const found = this.#end(server, path, regexes);
      if (added.has(found)) continue;
      added.add(found);
      for (const state of found) states.add(state);
    }
    return states.list;
  }

  #end(server: ServerSections, path: string, regexes: boolean): readonly State[] {
    if (this.#casesFor !== undefined) return this.#walked(server, path, regexes);
    return this.#remembered(server.ends, path, regexes, () => this.#walked(server, path, regexes));
  }

  #walked(server: ServerSections, path: string, regexes: boolean): readonly State[] {
    let states = this.#withCondition(this.#chain(server, path), { kind: 'directory', path });
    if (!server.plain)
      for (const layer of server.layers)
        for (const section of layer.globs)
          if (globDepth(section) > depthOf(path) && matchesPrefix(section, path))
            states = this.#step(states, section, false);
    return regexes ? this.#maybe(states, server.regexes.filter((scope) => mayMatchBelow(scope, path))) : states; // prettier-ignore
  }

  /** States before a Directory section whose place is not known, or a glob. */
  #everywhere(server: ServerSections, scope: Scope): readonly State[] {
    const { pattern } = scope;
    if (pattern.kind !== 'glob') return this.#allEnds(server, false);
    const depth = depthOf(pattern.glob);
    const states = this.#set();
    for (const path of this.#pathsIn(server).below('/')) {
      if (!globPrefixMatches(path, pattern.glob)) continue;
      const from =
        depthOf(path) >= depth && depth > 0
          ? this.#level(server, prefixOf(path, depth), scope)
          : this.#chain(server, path);
      let found = this.#withCondition(from, { kind: 'directory', path });
      for (const layer of server.layers)
        for (const glob of globsDownTo(layer, depth))
          if (glob !== scope) found = this.#step(found, glob, false);
      for (const state of found) states.add(state);
    }
    return states.list;
  }

  #beforeFiles(server: ServerSections, scope: Scope): readonly State[] {
    const holder = scope.parent;
    const placed = holder?.pattern.kind === 'path' && holder.kind !== 'directory-match';
    const around = placed && holder.pattern.kind === 'path' ? holder.pattern.path : '/';
    let list: readonly State[];
    if (placed)
      list = this.#endsOf(server, this.#pathsIn(server).below(holder.placeUnknown ? '/' : around), true);
    else list = this.#allEnds(server, true, holder);
    const earlier = this.#filesBefore(server, scope);
    if (earlier.length > MAX_FILES || (list.length > 0 && this.#hasTooManyCases(earlier, scope)))
      this.#overflowed();
    for (const section of earlier) {
      if (this.#overflow) break;
      const sure = section.parent === scope.parent && haveSamePath(section, scope);
      // Asked first, as it takes less than to compare patterns.
      if (!sure && this.#isSettled(list, section)) continue;
      if (excludeEachOther(section, scope)) continue;
      list = sure ? this.#apply(list, section) : this.#maybe(list, [section]);
    }
    return list;
  }

  /** Whether there are surely too many ways past these sections to follow each: every one that may match, and is read, doubles them. */
  #hasTooManyCases(earlier: readonly Scope[], scope: Scope): boolean {
    if (this.#casesFor === undefined) return false;
    let ways = 1;
    for (const section of earlier) {
      const isSimple = section.conditions.length === 0 && section.variants === undefined;
      const sure = section.parent === scope.parent && haveSamePath(section, scope);
      if (sure || !isSimple || !changesState(section) || this.#policies.has(section)) continue;
      if (excludeEachOther(section, scope)) continue;
      ways *= 2;
      if (ways > MAX_CASES) return true;
    }
    return false;
  }

  /** The Files sections that are merged before one, but for some that have another name. */
  #filesBefore(server: ServerSections, scope: Scope): readonly Scope[] {
    const holder = scope.parent;
    const placed = holder?.pattern.kind === 'path' && holder.kind !== 'directory-match';
    if (placed) return filesInto(server, holder.pattern.path).before(scope);
    const earlier = filesAnywhere(server, scope);
    const at = earlier.indexOf(scope);
    return at < 0 ? earlier : earlier.slice(0, at);
  }

  #beforeLocation(server: ServerSections, scope: Scope): readonly State[] {
    let list = this.#mapped(server, this.#mapping.targetsFromAll(server.hosts, urlsOf(scope)));
    for (const section of locationsBefore(server, scope)) {
      const [outer, inner] = [section.pattern, scope.pattern];
      const literal = outer.kind === 'path' && inner.kind === 'path';
      const sure = literal && locationCovers(outer.path, inner.path);
      list = sure ? this.#apply(list, section) : this.#maybe(list, [section]);
    }
    return list;
  }

  /** The states before any Location of the requests that are mapped to these targets, or proxied. Many Locations ask for the same. */
  #mapped(server: ServerSections, targets: ServerSections['targets']): readonly State[] {
    const paths = this.#pathsIn(server);
    if (this.#casesFor !== undefined)
      return this.#beforeLocations(server, directoriesReached(paths, targets));
    // All directories are many to name.
    const reached = targets && directoriesReached(paths, targets);
    const key = `${this.#limit} ${reached?.join('\n') ?? 'all'}`;
    return this.#remembered(server.mapped, key, true, () =>
      this.#beforeLocations(server, reached ?? paths.below('/')),
    );
  }

  #beforeLocations(server: ServerSections, directories: readonly string[]): readonly State[] {
    const proxies = proxiesOf(server);
    const mayBeProxied = proxies.length > 0 || this.#mapping.proxied;
    const states = this.#set();
    for (const path of directories) {
      const files = filesDownTo(server, path);
      const found = this.#maybe(this.#end(server, path, true), files);
      const reached = mayBeProxied ? this.#withCondition(found, { kind: 'proxied', is: false }) : found;
      for (const state of reached) states.add(state);
    }
    if (mayBeProxied) {
      const proxied = this.#withCondition([this.#initial()], { kind: 'proxied', is: true });
      for (const state of this.#maybe(proxied, proxies)) states.add(state);
    }
    return states.list;
  }

  #apply(states: readonly State[], scope: Scope): readonly State[] {
    return this.#step(states, scope, true);
  }

  #maybe(states: readonly State[], scopes: readonly Scope[]): readonly State[] {
    for (const scope of scopes) states = this.#step(states, scope, false);
    return states;
  }

  /** Whether a section sets nothing but a host list, where none is needed: what it leaves is that it was there. */
  #setsHostsInVain(scope: Scope): boolean {
    if (this.#casesFor !== undefined || this.#needs.hosts || this.#facts.reading !== '2.2') return false;
    return !this.#policies.has(scope) && setsHostsAlone(scope);
  }

  /** Whether a section that may not match changes nothing of these states any more. */
  #isSettled(states: readonly State[], scope: Scope): boolean {
    return this.#settled.has(states) && this.#setsHostsInVain(scope);
  }

  /** Merges a scope that surely matches, or may; either only where the conditionals around it let it be read. */
  #step(states: readonly State[], scope: Scope, sure: boolean): readonly State[] {
    // With too many of them there is no answer: no need to go on.
    const policyGiven = this.#policies.get(scope);
    if (this.#overflow || (policyGiven === undefined && !changesState(scope))) return states;
    const variants = policyGiven === undefined ? policyVariants(scope) : [{ tests: [], policy: policyGiven }];
    const kept = !sure || !scope.certain;
    const onlyHosts = this.#setsHostsInVain(scope);
    if (onlyHosts && ((kept && this.#settled.has(states)) || states.every(({ tree }) => tree))) return states;
    this.#merges.spend(states.length);
    if (this.#merges.isSpent) {
      this.#overflow = true;
      return states;
    }
    const result = this.#set();
    for (const state of states) {
      if (this.#casesFor !== undefined)
        mergeWithConditions(state, scope, sure, variants, this.#facts, result);
      else {
        if (kept) result.add(state);
        for (const { policy } of variants) result.add(mergePolicy(state, policy, this.#facts));
      }
    }
    if (onlyHosts && kept) this.#settled.add(result.list);
    return result.list;
  }
}
