import type { Section } from '../syntax';
import {
  depthOf,
  isPlainGlob,
  isWithin,
  locationCovers,
  locationsMeet,
  parentOf,
  prefixOf,
  unifies,
} from './paths';
import { hasAccess, type Scope } from './scope';
import { INITIAL, type Facts, type State, type Test, merge, stateKey } from './state';

/** More ways than this to reach one section are not followed: the section is refused. */
const MAX_STATES = 4096;

/** Ways of reaching a section that are told apart when it must be restated for each. */
const MAX_CASES = 256;

/** The main server alone, or with one virtual host: the sections that one request can meet. */
interface World {
  readonly vhost: Section | undefined;
  /** Directory sections and `.htaccess` by literal path, in merge order. */
  readonly levels: ReadonlyMap<string, readonly Scope[]>;
  readonly globs: readonly Scope[];
  /** Directory sections whose path the run cannot tell: they may apply at any level. */
  readonly anywhere: readonly Scope[];
  readonly regexes: readonly Scope[];
  readonly files: readonly Scope[];
  readonly locations: readonly Scope[];
  readonly proxies: readonly Scope[];
  readonly chains: Map<string, readonly State[]>;
  readonly leaves: Map<string, readonly State[]>;
}

/** The parts of a state that a section replaces need not be told apart before it: that keeps the number of states small. */
interface Needs {
  readonly hosts: boolean;
  readonly requires: boolean;
}

/**
 * Which states a request can be in when a section is merged over it: the merge order of both versions (server/request.c, access-semantics
 * A1) run over every directory that the configuration names. Where a section may or may not match, both ways are kept: too many
 * states make the caller refuse, never admit.
 */
export class Bases {
  readonly #facts: Facts;
  readonly #worlds: readonly World[];
  #needs: Needs = { hosts: true, requires: true };
  #overflow = false;
  /** The scope whose cases are told apart, if any. */
  #told: Scope | undefined;

  /**
   * @param scopes all sections of the run that set something, in reading order
   * @param aligned false where the paths of the `<Directory>` sections are not those of the `.htaccess` files: any may govern any then
   */
  constructor(scopes: readonly Scope[], facts: Facts, aligned: boolean) {
    this.#facts = facts;
    const vhosts = new Set(scopes.map((scope) => scope.vhost));
    vhosts.add(undefined);
    this.#worlds = [...vhosts].map((vhost) => makeWorld(scopes, vhost, aligned));
  }

  /** The states before `scope` is merged; undefined if there are too many to follow. */
  before(scope: Scope): readonly State[] | undefined {
    this.#needs = { hosts: scope.own.hosts === undefined, requires: scope.own.requires === undefined };
    const states = this.#set();
    for (const world of this.#worlds) {
      if (scope.vhost !== undefined && world.vhost !== scope.vhost) continue;
      const found = this.#tell(this.#beforeIn(world, scope), {
        kind: 'untold',
        name: String(this.#worlds.indexOf(world)),
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

  #set(): StateSet {
    return new StateSet(this.#facts, this.#needs, this.#told === undefined ? MAX_STATES : MAX_CASES, () => {
      this.#overflow = true;
    });
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
      case 'htaccess':
        if (scope.pattern.kind === 'path') {
          const { path } = scope.pattern;
          const parents = path === '/' ? [this.#initial()] : this.#chain(world, parentOf(path));
          return this.#level(world, parents, path, scope);
        }
        return this.#everywhere(world, scope);
      case 'directory-match':
        return this.#maybe(this.#ends(world), before(world.regexes, scope));
      case 'files':
        return this.#beforeFiles(world, scope);
      case 'location':
        return this.#beforeLocation(world, scope);
      case 'proxy':
        return this.#maybe([this.#initial()], before(world.proxies, scope));
    }
  }

  /** States after the directory walk down to `path`, its own level included. */
  #chain(world: World, path: string): readonly State[] {
    const key = `${this.#needs.hosts}${this.#needs.requires}${path}`;
    let states = this.#told === undefined ? world.chains.get(key) : undefined;
    if (states === undefined) {
      const parents = path === '/' ? [this.#initial()] : this.#chain(world, parentOf(path));
      states = this.#level(world, parents, path, undefined);
      if (this.#told === undefined) world.chains.set(key, states);
    }
    return states;
  }

  /** Merges the sections of one level, up to (not including) `until`. */
  #level(world: World, states: readonly State[], path: string, until: Scope | undefined): readonly State[] {
    const depth = depthOf(path);
    const exact = world.levels.get(path) ?? [];
    const globs = world.globs.filter((one) => {
      const { pattern } = one;
      return pattern.kind === 'glob' && depthOf(pattern.glob) === depth && unifies(path, pattern.glob);
    });
    const all =
      globs.length + world.anywhere.length === 0
        ? exact
        : [...exact, ...globs, ...world.anywhere].sort((a, b) => rank(a) - rank(b) || a.order - b.order);
    for (const one of all) {
      if (one === until) break;
      const sure =
        one.pattern.kind === 'path' || (one.pattern.kind === 'glob' && isPlainGlob(one.pattern.glob));
      states = sure ? this.#apply(states, one) : this.#maybe(states, [one]);
    }
    return states;
  }

  /** All directories named, each with the globs that may lie deeper. */
  #ends(world: World): readonly State[] {
    const key = `${this.#needs.hosts}${this.#needs.requires}`;
    let leaves = this.#told === undefined ? world.leaves.get(key) : undefined;
    if (leaves === undefined) {
      const states = this.#set();
      for (const path of ['/', ...world.levels.keys()])
        for (const state of this.#end(world, path)) states.add(state);
      leaves = states.list;
      if (this.#told === undefined) world.leaves.set(key, leaves);
    }
    return leaves;
  }

  #end(world: World, path: string): readonly State[] {
    const deeper = world.globs.filter((one) => {
      const { pattern } = one;
      return pattern.kind === 'glob' && depthOf(pattern.glob) > depthOf(path) && unifies(path, pattern.glob);
    });
    return this.#maybe(this.#tell(this.#chain(world, path), { kind: 'directory', path }), deeper);
  }

  /** States before a Directory section whose place the run cannot tell, or a glob. */
  #everywhere(world: World, scope: Scope): readonly State[] {
    const { pattern } = scope;
    if (pattern.kind !== 'glob') return this.#ends(world);
    const depth = depthOf(pattern.glob);
    const shallower = world.globs.filter(
      (one) => one !== scope && one.pattern.kind === 'glob' && depthOf(one.pattern.glob) <= depth,
    );
    const states = this.#set();
    for (const path of ['/', ...world.levels.keys()]) {
      if (!unifies(path, pattern.glob)) continue;
      const from =
        depthOf(path) >= depth && depth > 0
          ? this.#level(world, this.#chain(world, prefixOf(path, depth - 1)), prefixOf(path, depth), scope)
          : this.#chain(world, path);
      const told = this.#tell(from, { kind: 'directory', path });
      for (const state of this.#maybe(told, shallower)) states.add(state);
    }
    return states.list;
  }

  #beforeFiles(world: World, scope: Scope): readonly State[] {
    const home = scope.parent?.pattern;
    let ends: readonly State[];
    if (home?.kind === 'path' && scope.parent?.kind !== 'directory-match') {
      const states = this.#set();
      for (const path of new Set([home.path, ...world.levels.keys()])) {
        if (isWithin(path, home.path)) for (const state of this.#end(world, path)) states.add(state);
      }
      ends = states.list;
    } else ends = this.#ends(world);
    let list = this.#maybe(ends, world.regexes);
    for (const one of before(world.files, scope)) {
      if (cannotBoth(one, scope)) continue;
      const sure = one.parent === scope.parent && samePattern(one, scope);
      list = sure ? this.#apply(list, one) : this.#maybe(list, [one]);
    }
    return list;
  }

  #beforeLocation(world: World, scope: Scope): readonly State[] {
    const states = this.#set();
    for (const state of this.#maybe(this.#maybe(this.#ends(world), world.regexes), world.files))
      states.add(state);
    if (world.proxies.length > 0)
      for (const state of this.#maybe(
        this.#tell([this.#initial()], { kind: 'untold', name: 'proxy' }),
        world.proxies,
      ))
        states.add(state);
    let list: readonly State[] = states.list;
    for (const one of before(world.locations, scope)) {
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
    if (!matters(scope)) return states;
    const result = this.#set();
    for (const state of states) {
      if (this.#told !== undefined) this.#branch(state, scope, sure, result);
      else {
        if (!sure || !scope.certain) result.add(state);
        result.add(merge(state, scope.own, this.#facts));
      }
    }
    return result.list;
  }

  #branch(state: State, scope: Scope, sure: boolean, result: StateSet): void {
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
    result.add(merge(state, scope.own, this.#facts));
  }
}

function matters(scope: Scope): boolean {
  return hasAccess(scope) || scope.own.authType !== undefined || scope.own.authorizers.size > 0;
}

/** Main-server sections come before those of a virtual host, `.htaccess` last of its level. */
function rank(scope: Scope): number {
  return scope.kind === 'htaccess' ? 2 : scope.vhost === undefined ? 0 : 1;
}

/** The scopes of a merge-ordered list that come before one of it. */
function before(list: readonly Scope[], scope: Scope): readonly Scope[] {
  const at = list.indexOf(scope);
  return at < 0 ? list : list.slice(0, at);
}

function samePattern(a: Scope, b: Scope): boolean {
  return a.pattern.kind === 'path' && b.pattern.kind === 'path' && a.pattern.path === b.pattern.path;
}

function cannotBoth(a: Scope, b: Scope): boolean {
  return a.pattern.kind === 'path' && b.pattern.kind === 'path' && a.pattern.path !== b.pattern.path;
}

function makeWorld(scopes: readonly Scope[], vhost: Section | undefined, aligned: boolean): World {
  const own = scopes
    .filter((scope) => scope.vhost === undefined || scope.vhost === vhost)
    .sort((a, b) => rank(a) - rank(b) || a.order - b.order);
  const levels = new Map<string, Scope[]>();
  const anywhere: Scope[] = [];
  for (const scope of own) {
    if (scope.kind !== 'directory' && scope.kind !== 'htaccess') continue;
    const { pattern } = scope;
    const placed = pattern.kind === 'path' && (scope.kind === 'htaccess' || aligned || pattern.path === '/');
    if (placed) {
      const list = levels.get(pattern.path);
      if (list === undefined) levels.set(pattern.path, [scope]);
      else list.push(scope);
    } else if (pattern.kind !== 'glob' || !aligned) anywhere.push(scope);
  }
  const of = (kind: Scope['kind']): Scope[] => own.filter((scope) => scope.kind === kind);
  return {
    vhost,
    levels,
    globs: aligned ? own.filter((scope) => scope.kind === 'directory' && scope.pattern.kind === 'glob') : [],
    anywhere,
    regexes: of('directory-match'),
    // Files of the server come before those nested in a Directory or a .htaccess (server/request.c: ap_file_walk).
    files: of('files').sort((a, b) => fileRank(a) - fileRank(b) || rank(a) - rank(b) || a.order - b.order),
    locations: of('location'),
    proxies: of('proxy'),
    chains: new Map(),
    leaves: new Map(),
  };
}

function fileRank(scope: Scope): number {
  const { parent } = scope;
  if (parent === undefined) return 0;
  return parent.pattern.kind === 'path' ? 1 + depthOf(parent.pattern.path) : 1000;
}

/** States without the copies that no later section can tell apart. */
class StateSet {
  readonly #facts: Facts;
  readonly #needs: Needs;
  readonly #limit: number;
  readonly #overflow: () => void;
  readonly #seen = new Set<string>();
  readonly list: State[] = [];

  constructor(facts: Facts, needs: Needs, limit: number, overflow: () => void) {
    this.#facts = facts;
    this.#needs = needs;
    this.#limit = limit;
    this.#overflow = overflow;
  }

  add(state: State): void {
    if (!this.#needs.hosts && state.hosts !== undefined) state = { ...state, hosts: undefined };
    if (!this.#needs.requires && state.requires !== undefined) state = { ...state, requires: undefined };
    const key = stateKey(state, this.#facts);
    if (this.#seen.has(key)) return;
    if (this.list.length >= this.#limit) {
      this.#overflow();
      return;
    }
    this.#seen.add(key);
    this.list.push(state);
  }
}
