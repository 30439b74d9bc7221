import { type ConfigFile, type ConfigTree, accessNamesByHost, surelyHasCompat } from '../../config';
import { collect, serverDirectory } from '../collect';
import { HostsByTarget, type UrlMapping, placeAccessFiles } from '../mapping';
import {
  type ConditionalTest,
  type OverrideLine,
  type Scope,
  accessDirectoryOf,
  hasLinesForEachVersion,
  includedScopes,
} from '../policy';
import { EMPTY_LIST, PathList, depthOf, getOrInsert, lazy, memo, parentOf, subsetsOf } from '../primitives';
import { FilesByHost } from './files-by-host';
import { type FileReading, isRefusedIn24, readingOf } from './htaccess-lines';
import { type OverrideState, type OverridesInForce, overridesInForce, termsOf } from './in-force';
import { type OverrideSection, ServerOverrides, hasEffect, inMergeOrder } from './override-sections';

interface DirectoryOverrides {
  /** The states for all hosts and settings, without repetitions. */
  readonly states: readonly OverrideState[];
  /** The states for the hosts that may read a `.htaccess` there; for all where none does. */
  readonly ofReaders: readonly OverrideState[];
  /** The hosts that do not read one in any setting, though others may. */
  readonly ignoring: readonly Scope['vhost'][];
}

/** Conditionals, at most, of which every setting is looked at. */
const MANY_TESTS = 7;

/** What the server config of the run lets a `.htaccess` say, by directory (docs/facts/access-2.4.md: AllowOverride). */
export class AllowOverrideIndex {
  /** The sections that have a say, in reading order. */
  readonly sections: readonly Scope[];
  /** Sections by the virtual host that they stand in; undefined is the main server. */
  readonly #byHost = new Map<Scope['vhost'], ServerOverrides>();
  readonly #all: readonly Scope['vhost'][];
  /** The directories that sections are for, and the levels of those for several. */
  readonly #paths = new Set<string>();
  readonly #globLevels = new Set<number>();
  readonly #bySections = new Map<string, readonly OverrideState[]>();
  readonly #hostNumbers: ReadonlyMap<Scope['vhost'], number>;
  readonly #lineNumbers = new Map<OverrideLine, number>();
  /** The 2.4 surely has mod_access_compat, so that a list of its words alone has a file read. */
  readonly #hasCompat: boolean;

  constructor(
    private readonly scopes: readonly Scope[],
    private readonly mapping: UrlMapping,
    private readonly tree: ConfigTree,
  ) {
    this.#hasCompat = surelyHasCompat(tree);
    this.sections = scopes.filter(hasEffect);
    for (const scope of this.sections) {
      const list = getOrInsert(this.#byHost, scope.vhost, () => new ServerOverrides());
      list.add(scope);
      const { pattern } = scope;
      if (pattern.kind === 'path') this.#paths.add(pattern.path);
      else if (pattern.kind === 'glob') this.#globLevels.add(depthOf(pattern.glob));
    }
    if (!this.#byHost.has(undefined)) this.#byHost.set(undefined, new ServerOverrides());
    this.#all = [...this.#byHost.keys()];
    this.#hostNumbers = new Map(this.#all.map((vhost, i) => [vhost, i]));
  }

  /** All that may hold in a directory; of hosts and settings for which the same does, one. */
  states(path: string): readonly OverrideState[] {
    return this.#lookAt(path).states;
  }

  /** The states for a `.htaccess` or a section in one, of the hosts that read it if any do; none where that is unknown. */
  statesFor(scope: Scope): readonly OverrideState[] {
    const path = accessDirectoryOf(scope);
    return path === undefined ? EMPTY_LIST : this.#lookAt(path).ofReaders;
  }

  /** Which files some hosts read and others do not. */
  get files(): FilesByHost {
    return this.#files();
  }

  readonly #files = lazy(() => {
    const names = accessNamesByHost(this.tree);
    // A single host has no others that could read more.
    const scopes = this.#all.length === 1 && names === undefined ? EMPTY_LIST : this.scopes;
    return new FilesByHost(scopes, this.#all, (path) => this.#lookAt(path).ignoring, names);
  });

  /** How the files are read, whatever is let in. */
  get reading(): FileReading {
    return readingOf(this.tree);
  }

  /**
   * The conditional around AllowOverride that alone decides whether a `.htaccess` is read, for all requests to its directory;
   * undefined where there is none such.
   */
  testOfReading(path: string): ConditionalTest | undefined {
    const [vhost, ...others] = this.#serving(path);
    if (others.length > 0) return undefined;
    const servers = new Set([undefined, vhost]);
    const covering = [...servers].flatMap((server) => this.#byHost.get(server)!.covering(path));
    const lists = inMergeOrder(covering).map(({ lines }) => lines);
    const [test, ...more] = lists.flat().flatMap(({ tests }) => tests);
    if (
      test === undefined ||
      [test, ...more].some(({ name, on24 }) => name !== test.name || on24 !== undefined)
    )
      return undefined;
    const [yes, no] = [true, false].map(
      (holds) => overridesInForce(lists, '2.2', () => holds, this.#hasCompat).isRead,
    );
    return yes === no ? undefined : { ...test, is: yes === true };
  }

  /**
   * Whether 2.4 gets no further than to a `.htaccess` above that of a section: it has Require lines which AllowOverride lets no
   * server take, so that 2.4 answers 500 to all below it.
   */
  isCutOff(scope: Scope): boolean {
    const path = accessDirectoryOf(scope);
    return path !== undefined && this.isBelowRefused(path);
  }

  isBelowRefused(path: string): boolean {
    return path !== '/' && this.#refusing().covers(parentOf(path));
  }

  /** The directories of such files. What the lines for each version say is let in where it is one thing. */
  readonly #refusing = lazy(() => {
    const found = new Set<string>();
    const forEach = new Set(
      this.scopes.flatMap((scope) => (hasLinesForEachVersion(scope) ? scope.place.root : [])),
    );
    if (this.sections.length === 0 || this.tree.accessDiffers) return new PathList(found);
    for (const scope of this.scopes) {
      const path = accessDirectoryOf(scope);
      const { root } = scope.place;
      if (path === undefined || found.has(path) || scope.lines.requires24.length === 0 || forEach.has(root))
        continue;
      const isRefused = ({ on24 }: OverrideState): boolean =>
        on24.line !== undefined && on24.isRead && !on24.isOpaque && isRefusedIn24(this.reading)(on24)(root);
      if (this.states(path).every(isRefused)) found.add(path);
    }
    return new PathList(found);
  });

  readonly #lookAt: (path: string) => DirectoryOverrides = memo((path) => {
    // Where no section has a say, the same holds everywhere.
    if (this.sections.length === 0 && path !== '/') return this.#lookAt('/');
    return this.#isAsAbove(path) ? this.#lookAt(parentOf(path)) : this.#overridesAt(path);
  }, new Map());

  /** Whether surely the same holds in a directory as in the one that it stands in. That is so in most of a large run. */
  #isAsAbove(path: string): boolean {
    if (path.lastIndexOf('/') <= 0 || this.#paths.has(path)) return false;
    if (this.#globLevels.has(depthOf(path))) return false;
    return this.#all.length === 1 || this.#targets().isAsAbove(path);
  }

  #overridesAt(path: string): DirectoryOverrides {
    const byHost = this.#statesByHost(path);
    const states = this.#distinct(byHost);
    const readers = byHost.filter(({ states: ofHost }) =>
      ofHost.some(({ on22, on24 }) => on22.isRead || on24.isRead),
    );
    if (readers.length === 0 || readers.length === byHost.length)
      return { states, ofReaders: states, ignoring: EMPTY_LIST };
    const ignoring = byHost.filter((host) => !readers.includes(host)).map(({ vhost }) => vhost);
    return { states, ofReaders: this.#distinct(readers), ignoring };
  }

  #statesByHost(path: string): readonly HostStates[] {
    const ofMain = this.#byHost.get(undefined)!.covering(path);
    // Most hosts have nothing of their own there.
    let shared: readonly OverrideState[] | undefined;
    return this.#serving(path).map((vhost) => {
      const ofHost = vhost === undefined ? EMPTY_LIST : this.#byHost.get(vhost)!.covering(path);
      const states =
        ofHost.length === 0
          ? (shared ??= this.#statesIn(vhost, ofMain))
          : this.#statesIn(vhost, [...ofMain, ...ofHost]);
      return { vhost, states };
    });
  }

  /** Where these sections cover a directory, each set once: most directories are covered by those that cover others. */
  #statesIn(vhost: Scope['vhost'], covering: readonly OverrideSection[]): readonly OverrideState[] {
    const key = `${this.#hostNumbers.get(vhost)} ${covering.map(({ scope }) => scope.order).join(' ')}`;
    return getOrInsert(this.#bySections, key, () =>
      this.#withoutCopies(statesIn(vhost, covering, this.#hasCompat)),
    );
  }

  #distinct(byHost: readonly HostStates[]): readonly OverrideState[] {
    const lists = [...new Set(byHost.map(({ states }) => states))];
    return lists.length === 1 ? lists[0]! : this.#withoutCopies(lists.flat());
  }

  #withoutCopies(states: Iterable<OverrideState>): readonly OverrideState[] {
    const found = new Map<string, OverrideState>();
    for (const state of states) {
      const key = [state.on22.line, state.on24.line, state.on24.list]
        .map((line) => this.#numberOf(line))
        .join();
      // Two lines of one section may say more than the last of them.
      const said = `${key} ${state.on22.options} ${state.on24.options}`;
      if (!found.has(said)) found.set(said, state);
    }
    return [...found.values()];
  }

  /** The virtual hosts with an AllowOverride that serve a directory, and the main server for the rest; all if unknown. */
  #serving(path: string): readonly Scope['vhost'][] {
    if (this.#all.length === 1) return this.#all;
    const found = this.#targets().reaching(path);
    return found.length > 0 ? found : this.#all;
  }

  readonly #targets = lazy(() => {
    const withOverride = new Set(this.#all);
    return new HostsByTarget(this.#all, (vhost) =>
      this.mapping.statedTargets(vhost === undefined ? this.mapping.hostsExcept(withOverride) : [vhost]),
    );
  });

  #numberOf(line: OverrideLine | undefined): number {
    if (line === undefined) return 0;
    return getOrInsert(this.#lineNumbers, line, () => this.#lineNumbers.size + 1);
  }
}

/**
 * States without those that let a `.htaccess` say the same as one before them, whatever lines they come from. Made once for a
 * list: a thousand hosts that share a directory as a rule say one of two things of it.
 */
export const statesByTerms = memo((states: readonly OverrideState[]) => {
  const oneOfEach = (terms: (state: OverrideState) => string): ReadonlyMap<string, OverrideState> => {
    const found = new Map<string, OverrideState>();
    for (const state of states) if (!found.has(terms(state))) found.set(terms(state), state);
    return found;
  };
  const onBoth = oneOfEach(({ on22, on24 }) => `${termsOf(on22)} ${termsOf(on24)}`);
  return {
    on22: [...oneOfEach(({ on22 }) => termsOf(on22)).values()],
    on24: [...oneOfEach(({ on24 }) => termsOf(on24)).values()],
    onBoth: [...onBoth.values()],
    /** What all of them say, the same for lists that come to the same. */
    terms: [...onBoth.keys()].join('\n'),
  };
});

interface HostStates {
  readonly vhost: Scope['vhost'];
  readonly states: readonly OverrideState[];
}

const indexes = new WeakMap<readonly Scope[], AllowOverrideIndex>();

/** Made once for a list of sections, however often it is asked for. @param mapping that of the run that the sections are of */
export function overrideIndexOf(
  scopes: readonly Scope[],
  mapping: UrlMapping,
  tree: ConfigTree,
): AllowOverrideIndex {
  return getOrInsert(indexes, scopes, () => new AllowOverrideIndex(scopes, mapping, tree));
}

function* statesIn(
  vhost: Scope['vhost'],
  covering: readonly OverrideSection[],
  hasCompat: boolean,
): Iterable<OverrideState> {
  const lists = inMergeOrder(covering).map(({ lines }) => lines);
  const names = [...new Set(lists.flat().flatMap(({ tests }) => tests.map(({ name }) => name)))];
  for (const setting of settings(names)) {
    const config = (name: string): boolean => setting.has(name);
    const [on22, on24] = (['2.2', '2.4'] as const).map((reader) =>
      overridesInForce(lists, reader, config, hasCompat),
    );
    yield { vhost, on22: on22!, on24: on24! };
  }
}

/** Which of the tests hold: every combination of a few, and of many none, all, and each alone or alone missing. */
function settings(names: readonly string[]): ReadonlySet<string>[] {
  if (names.length > MANY_TESTS)
    return [
      [],
      names,
      ...names.map((name) => [name]),
      ...names.map((name) => names.filter((other) => other !== name)),
    ].map((held) => new Set(held));
  return subsetsOf(names);
}

export interface TreeOverrides {
  readonly overrides: AllowOverrideIndex;
  readonly mapping: UrlMapping;
  /** The directories that a `.htaccess` governs, where the configuration says that they are; none where that is not known. */
  readonly directoriesOf: (file: ConfigFile) => readonly string[];
}

/** What AllowOverride says in a tree: gathered once, however often it is asked for. */
export const overridesOf = memo((tree: ConfigTree): TreeOverrides => {
  const { scopes, mapping, servedPaths } = collect(tree);
  const overrides = overrideIndexOf(includedScopes(scopes), mapping, tree);
  const found = tree.htaccess.flatMap(({ directories }) => directories);
  const places = placeAccessFiles(found, servedPaths, tree.directories);
  const directoriesOf = memo((file: ConfigFile): readonly string[] =>
    file.directories.flatMap((directory) => {
      const path = serverDirectory(directory);
      const place = places.get(path);
      return place === undefined ? [path] : (place.path ?? []);
    }),
  );
  return { overrides, mapping, directoriesOf };
});

/** What holds for the server that the section is read as one of. */
export function forReading({ on22, on24 }: OverrideState, { reading }: Scope): OverridesInForce {
  // What 2.4 makes of no AllowOverride at all is told apart.
  return reading === '2.2' || on24.line === undefined ? on22 : on24;
}
