import { awakesIn24, isNeverMetBy22 } from '../collect';
import { type Target, type UrlMapping, directoriesReached, keyOf } from '../mapping';
import type { FilesByHost } from '../override';
import {
  type Facts,
  type ReachCondition,
  type Scope,
  type SectionPolicy,
  type State,
  excludeEachOther,
  exclusionOf,
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
  beginningsOf,
  directoriesAt,
  directoriesReachedIn,
  filesAnywhere,
  filesDownTo,
  filesInto,
  globsBelow,
  isAroundGlob,
  locationsOf,
  mayMatchBelow,
  mergedBefore,
  proxiesOf,
  surelyMatches,
  standsAt,
  surelyMetBefore,
} from './merge-order';
import { LeastWays } from './least-ways';
import { urlsOf } from './locations';
import { ServerSectionsByHost } from './servers-by-host';
import { type StatesQuestion, StateMerge } from './state-merge';

/** How many Files sections that one file may meet are compared with one another; with more, the section is refused. */
const MAX_FILES = 1000;
/** Up to this number, Files sections that change nothing are looked for and left out. */
const MANY_FILES = 2500;

/** How many ways to one Location are compared with what it inherits; with more, there is no answer. */
const MANY_ROUTES = 256;

/** With more directories than these, of all servers, none is asked about by itself. */
const MANY_PLACES = 200_000;

export interface StatesByDirectory {
  readonly states: readonly State[];
  /** Sections for files that let nobody in by themselves: the states are those of all other files. */
  readonly refused: readonly Scope[];
}

/** The state of a request before a Location, and before any Location. */
export interface StatesAround {
  readonly first: State;
  readonly state: State;
}

/**
 * Which states a request can be in when a section is merged over it: the merge order of both versions (server/request.c,
 * docs/facts/access-2.2.md: the order of sections) run over every directory that the configuration names. Where a section may or
 * may not match, both ways are kept: too many states make the caller refuse, never admit.
 */
export class InheritedStates {
  readonly #servers: ServerSectionsByHost;
  readonly #merge: StateMerge;
  /** The states before each section, kept because several callers ask for them. */
  readonly #before = new WeakMap<Scope, readonly State[]>();
  /** The sections before which there are too many states to follow. */
  readonly #endless = new WeakSet<Scope>();
  /** The directories that any of several servers names, where ways are recorded: each server is asked about all of them. */
  #casePaths: PathList | undefined;

  /** @param scopes all sections of the run that set something; `policies` what some set in place of what they say */
  constructor(
    scopes: readonly Scope[],
    facts: Facts,
    private readonly mapping: UrlMapping,
    files: FilesByHost,
    policies: ReadonlyMap<Scope, SectionPolicy> = new Map(),
  ) {
    this.#servers = new ServerSectionsByHost(scopes, mapping, files);
    this.#merge = new StateMerge(facts, policies);
    this.withPolicies = (others) =>
      new InheritedStates(scopes, facts, mapping, files, new Map([...policies, ...others]));
  }

  /** Makes the states that follow if some sections set something else than they say. */
  readonly withPolicies: (policies: ReadonlyMap<Scope, SectionPolicy>) => InheritedStates;

  /** The states before `scope` is merged; undefined if there are too many to follow. */
  statesBefore(scope: Scope): readonly State[] | undefined {
    let states = this.#before.get(scope);
    if (states === undefined && !this.#endless.has(scope)) {
      states = this.#ask('states', scope);
      if (states === undefined) this.#endless.add(scope);
      else this.#before.set(scope, states);
    }
    return states;
  }

  /** The states before a scope, with the parts that the scope itself replaces: 2.4 inherits what 2.2 had decided with them. */
  wholeStatesBefore(scope: Scope): readonly State[] | undefined {
    return this.#ask('whole-states', scope);
  }

  /** The states before a Location, each with the request's state before any Location; undefined if there are too many. */
  statesAroundLocations(scope: Scope): readonly StatesAround[] | undefined {
    const merge = this.#merge;
    merge.begin('whole-states', scope);
    this.#casePaths = undefined;
    const found: StatesAround[] = [];
    for (const server of this.#servers.of(scope))
      for (const first of this.#mapped(server, this.#targetsOf(server, scope))) {
        for (const state of this.#afterLocations(server, scope, [first])) found.push({ first, state });
        if (merge.isOver || found.length > MANY_ROUTES) return undefined;
      }
    return found;
  }

  /** The states before a scope, with the way a request comes to each; undefined if there are too many. */
  statesByRoute(scope: Scope): readonly State[] | undefined {
    // What decides a section asks for them several times; for all sections they are too many to keep.
    if (this.#byRoute?.scope !== scope) this.#byRoute = { scope, states: this.#ask('cases', scope) };
    return this.#byRoute.states;
  }

  /** The states before a section, each with the directory where it is found, if it is in one; undefined if there are too many. */
  statesByDirectory(scope: Scope): StatesByDirectory | undefined {
    const states = this.#ask('directories', scope);
    return states && { states, refused: [...this.#merge.refused] };
  }

  #byRoute: { readonly scope: Scope; readonly states: readonly State[] | undefined } | undefined;

  /** What {@link statesBefore} and {@link statesByRoute} say of the requests to a Location that are in none of others. */
  outsideOf(others: readonly string[]): Pick<InheritedStates, 'statesBefore' | 'statesByRoute'> {
    return {
      statesBefore: (scope) => this.#ask('states', scope, others),
      statesByRoute: (scope) => this.#ask('cases', scope, others),
    };
  }

  /** @param without Locations whose requests are left out */
  #ask(
    question: StatesQuestion,
    scope: Scope,
    without: readonly string[] = EMPTY_LIST,
  ): readonly State[] | undefined {
    const merge = this.#merge;
    merge.begin(question, scope);
    const servers = this.#servers.of(scope);
    this.#casePaths = merge.namesDirectories && servers.length > 1 ? this.#pathsOfAll(servers) : undefined;
    if (question === 'directories' && servers.length * (this.#casePaths?.all.length ?? 0) > MANY_PLACES)
      return undefined;
    if (servers.length === 1 && !merge.recordsWays) {
      const found = this.#beforeIn(servers[0]!, scope, without);
      return merge.isOver ? undefined : found;
    }
    const states = merge.set();
    for (const server of servers) {
      const before = this.#beforeIn(server, scope, without);
      const found = merge.recordsWays
        ? merge.withCondition(before, this.#conditionFor(server, scope))
        : before;
      // Each server's states are told apart from those of the others.
      if (merge.recordsWays && merge.haveOwnWays(found)) for (const state of found) states.addOther(state);
      else for (const state of found) states.add(state);
      if (merge.isOver) return undefined;
    }
    return states.list;
  }

  /** All paths that several servers name. The last list is kept: sections of one place are asked about in a row. */
  #pathsOfAll(servers: readonly ServerSections[]): PathList {
    const { servers: last, paths } = this.#lastPaths;
    if (
      paths !== undefined &&
      last.length === servers.length &&
      last.every((server, i) => server === servers[i])
    )
      return paths;
    const found = new PathList(servers.flatMap((server) => server.paths.all));
    this.#lastPaths = { servers, paths: found };
    return found;
  }

  #lastPaths: { readonly servers: readonly ServerSections[]; readonly paths?: PathList } = {
    servers: EMPTY_LIST,
  };

  /** The condition that a request came to this server, or to one at which it meets the section in the same state. */
  #conditionFor(server: ServerSections, scope: Scope): ReachCondition {
    const hosts = this.#servers.hostsLike(server, scope);
    const traits = hosts.map((vhost) => this.mapping.traitsOf(vhost));
    return { kind: 'server', name: this.#servers.nameOf(server.vhost), traits, hosts };
  }

  /**
   * Whether no other Files section, or no other Location, comes before one that the same request can meet: Directory, Files and
   * Location sections are each merged among themselves before they are merged with one another (server/request.c: ap_file_walk,
   * ap_location_walk).
   */
  isFirstOfItsKind(scope: Scope): boolean {
    return this.#servers.of(scope).every((server) => {
      switch (scope.kind) {
        case 'location':
          return locationsOf(server).before(scope).length === 0;
        case 'files':
          return !this.#filesBefore(server, scope).some((section) => !excludeEachOther(section, scope));
        case 'proxy':
          return false;
        default:
          return true;
      }
    });
  }

  #pathsIn(server: ServerSections): PathList {
    return this.#casePaths ?? server.paths;
  }

  #beforeIn(server: ServerSections, scope: Scope, without: readonly string[]): readonly State[] {
    switch (scope.kind) {
      case 'directory':
        if (scope.pattern.kind === 'path') return this.#level(server, scope.pattern.path, scope);
        return this.#everywhere(server, scope);
      case 'htaccess':
        return scope.pattern.kind === 'path' ? this.#level(server, scope.pattern.path, scope) : [];
      case 'directory-match':
        // Where nobody gets in it decides by itself: no request of a 2.2 comes to it.
        if (isNeverMetBy22(scope) && !awakesIn24(scope)) return [this.#merge.initial()];
        return this.#merge.maybe(
          this.#allEnds(server, false, scope),
          isNeverMetBy22(scope) ? server.regexes : server.regexes.slice(0, server.regexes.indexOf(scope)),
        );
      case 'files':
        return this.#beforeFiles(server, scope);
      case 'location': {
        const mapped = this.#mapped(server, this.#targetsOf(server, scope, without));
        return this.#afterLocations(server, scope, mapped);
      }
      case 'proxy':
        return this.#merge.maybe([this.#merge.initial()], mergedBefore(scope, proxiesOf(server)));
    }
  }

  /** States after the directory walk down to `path`, its own level included. */
  #chain(server: ServerSections, path: string): readonly State[] {
    if (server.plain) while (path !== '/' && !standsAt(server, path)) path = parentOf(path);
    return this.#merge.remembered(server, 'chain', path, false, () => this.#level(server, path, undefined));
  }

  /** Merges the sections of one level and of those above it, up to (not including) `until`. */
  #level(server: ServerSections, path: string, until: Scope | undefined): readonly State[] {
    let states = path === '/' ? [this.#merge.initial()] : this.#chain(server, parentOf(path));
    const { layers, plain } = server;
    const anyPlaceUnknown =
      !plain && layers.some((layer) => layer.access.get(path)?.some((scope) => scope.placeUnknown));
    for (const layer of layers) {
      for (const section of plain
        ? (layer.directories.get(path) ?? EMPTY_LIST)
        : directoriesAt(layer)(path)) {
        if (section === until) return states;
        states = surelyMatches(section)
          ? this.#merge.apply(states, section)
          : this.#merge.maybe(states, [section]);
      }
      // A .htaccess without a place may lie in any directory, and any Directory around it.
      if (anyPlaceUnknown)
        for (const [directory, list] of layer.directories)
          if (directory !== '/') states = this.#merge.maybe(states, list);
    }
    for (const layer of layers)
      for (const section of layer.access.get(path) ?? EMPTY_LIST) {
        if (section === until) return states;
        states = this.#merge.apply(states, section);
      }
    if (!anyPlaceUnknown && !plain)
      for (const layer of server.layers) states = this.#merge.maybe(states, layer.placeUnknown);
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
      // A regex may ask for any byte, so that none can stand between two beginnings.
      const key = JSON.stringify([this.#merge.limit, ...beginningsOf(within)]);
      return this.#merge.remembered(server, 'regex', key, regexes, () =>
        this.#endsOf(
          server,
          reached().filter((path) => mayMatchBelow(within, path)),
          regexes,
        ),
      );
    }
    if (wide === undefined || this.#merge.namesDirectories) return this.#endsOf(server, reached(), regexes);
    const states = this.#merge.set();
    for (const state of this.#endsOf(server, directoriesReachedIn(server), regexes)) states.add(state);
    for (const target of wide.targets)
      for (const state of this.#endsIn(wide.main, target, regexes)) states.add(state);
    return states.list;
  }

  /** The states in a wide target of those that meet the main server's sections alone. */
  #endsIn(main: ServerSections, target: Target, regexes: boolean): readonly State[] {
    return this.#merge.remembered(main, 'wide', keyOf(target), regexes, () =>
      this.#endsOf(main, directoriesReached(main.paths, [target]), regexes),
    );
  }

  #endsOf(server: ServerSections, paths: readonly string[], regexes: boolean): readonly State[] {
    if (paths.length === 1 && !this.#merge.isOver) return this.#end(server, paths[0]!, regexes);
    const states = this.#merge.set();
    // Most directories are left as one above them was left.
    const added = new Set<readonly State[]>();
    for (const path of paths) {
      if (this.#merge.isOver) break;
      const found = this.#end(server, path, regexes);
      if (added.has(found)) continue;
      added.add(found);
      for (const state of found) states.add(state);
    }
    return states.list;
  }

  #end(server: ServerSections, path: string, regexes: boolean): readonly State[] {
    return this.#merge.remembered(server, 'ends', path, regexes, () => this.#walked(server, path, regexes));
  }

  #walked(server: ServerSections, path: string, regexes: boolean): readonly State[] {
    let states = this.#merge.withCondition(this.#chain(server, path), { kind: 'directory', path });
    if (!server.plain) states = this.#merge.maybe(states, globsBelow(server, path));
    if (!regexes) return states;
    const regexesBelow = server.regexes.filter((scope) => mayMatchBelow(scope, path));
    return this.#merge.maybe(states, regexesBelow);
  }

  /** States before a Directory section whose place is not known, or a glob. */
  #everywhere(server: ServerSections, scope: Scope): readonly State[] {
    const { pattern } = scope;
    if (pattern.kind !== 'glob') return this.#allEnds(server, false);
    const depth = depthOf(pattern.glob);
    const states = this.#merge.set();
    for (const path of this.#pathsIn(server).below('/')) {
      if (!globPrefixMatches(path, pattern.glob)) continue;
      const isBelow = depthOf(path) >= depth;
      const from = isBelow ? this.#level(server, prefixOf(path, depth), scope) : this.#chain(server, path);
      let found = this.#merge.withCondition(from, { kind: 'directory', path });
      const below = isBelow ? EMPTY_LIST : globsBelow(server, path);
      for (const glob of below.slice(0, below.indexOf(scope)))
        found = isAroundGlob(glob, pattern.glob)
          ? this.#merge.apply(found, glob)
          : this.#merge.maybe(found, [glob]);
      for (const state of found) states.add(state);
    }
    return states.list;
  }

  #beforeFiles(server: ServerSections, scope: Scope): readonly State[] {
    const holder = scope.parent;
    let list =
      holder?.pattern.kind === 'path'
        ? this.#endsBelow(server, holder.placeUnknown ? '/' : holder.pattern.path)
        : this.#allEnds(server, true, holder);
    let earlier = this.#filesBefore(server, scope);
    if (earlier.length > MAX_FILES && earlier.length <= MANY_FILES)
      earlier = this.#merge.withoutVain(list, earlier);
    const isExcluded = exclusionOf(scope);
    const surelyTooMany = (): boolean =>
      this.#merge.recordsWays && list.length > 0 && this.#hasTooManyWays(earlier, scope, list);
    if (earlier.length > MAX_FILES || surelyTooMany()) this.#merge.giveUp();
    for (const section of earlier) {
      if (this.#merge.isOver) break;
      const sure = surelyMetBefore(section, scope);
      // Asked first, as it takes less than to compare patterns.
      if (!sure && this.#merge.isSettled(list, section)) continue;
      if (isExcluded(section)) continue;
      list = sure ? this.#merge.apply(list, section) : this.#merge.maybe(list, [section]);
    }
    return list;
  }

  /** The states after a directory and those below it, which all sections in it ask for. */
  #endsBelow(server: ServerSections, path: string): readonly State[] {
    return this.#merge.remembered(server, 'below', `${this.#merge.limit} ${path}`, true, () =>
      this.#endsOf(server, this.#pathsIn(server).below(path), true),
    );
  }

  /** Whether there are surely too many ways past these sections, of which each one that may match doubles them at least. */
  #hasTooManyWays(earlier: readonly Scope[], scope: Scope, before: readonly State[]): boolean {
    const merge = this.#merge;
    const ways = new LeastWays(scope, before);
    for (const section of earlier) {
      if (!merge.isMerged(section)) continue;
      if (surelyMetBefore(section, scope) || merge.isGiven(section)) ways.addOther(section);
      else if (!excludeEachOther(section, scope)) ways.addMaybe(section);
      if (ways.count > merge.limit) return true;
    }
    return false;
  }

  /** The Files sections that are merged before one, but for some that have another name. */
  #filesBefore(server: ServerSections, scope: Scope): readonly Scope[] {
    const around = scope.parent?.pattern;
    return around?.kind === 'path'
      ? filesInto(server)(around.path).before(scope)
      : filesAnywhere(server, scope);
  }

  #targetsOf(
    server: ServerSections,
    scope: Scope,
    without: readonly string[] = EMPTY_LIST,
  ): ServerSections['targets'] {
    return this.mapping.targetsFromAll(server.hosts, urlsOf(scope), without);
  }

  #afterLocations(server: ServerSections, scope: Scope, mapped: readonly State[]): readonly State[] {
    let list = mapped;
    for (const section of locationsOf(server).before(scope)) {
      const [outer, inner] = [section.pattern, scope.pattern];
      const literal = outer.kind === 'path' && inner.kind === 'path';
      const sure = literal && locationCovers(outer.path, inner.path);
      list = sure ? this.#merge.apply(list, section) : this.#merge.maybe(list, [section]);
    }
    return list;
  }

  /** The states before any Location of requests that are mapped to these targets, or proxied: many Locations ask. */
  #mapped(server: ServerSections, targets: ServerSections['targets']): readonly State[] {
    const paths = this.#pathsIn(server);
    // All directories are many to name.
    const reached = targets && directoriesReached(paths, targets);
    const key = `${this.#merge.limit} ${reached?.join('\n') ?? 'all'}`;
    return this.#merge.remembered(server, 'mapped', key, true, () =>
      this.#beforeLocations(server, reached ?? paths.below('/')),
    );
  }

  #beforeLocations(server: ServerSections, directories: readonly string[]): readonly State[] {
    const proxies = proxiesOf(server);
    const mayBeProxied = proxies.length > 0 || this.mapping.proxied;
    const states = this.#merge.set();
    for (const path of directories) {
      const files = filesDownTo(server, path);
      const found = this.#merge.maybe(this.#end(server, path, true), files);
      const reached = mayBeProxied ? this.#merge.withCondition(found, { kind: 'proxied', is: false }) : found;
      for (const state of reached) states.add(state);
    }
    if (mayBeProxied) {
      const proxied = this.#merge.withCondition([this.#merge.initial()], { kind: 'proxied', is: true });
      for (const state of this.#merge.maybe(proxied, proxies)) states.add(state);
    }
    return states.list;
  }
}
