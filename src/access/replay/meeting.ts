import type { ConfigTree } from '../../config';
import { type Collected, collect, factsOf } from '../collect';
import { type SectionsRead, metBy, saysSomething, sectionsRead, variableReader } from '../explain';
import { decide22, decide24, decideCompat, isUnsure, LOCAL, questionOf, scopesRead, state22, state24, stateCompat } from '../models'; // prettier-ignore
import { UnusedPartPairs, type Facts, type RequireNode, type Scope, type State, openTestNames, requireNodes } from '../policy'; // prettier-ignore
import { type AccessAnswer, type AccessRequest, getOrInsert } from '../primitives';
import type { RequestTarget } from '../verify';

/** What the answers of a meeting hang on. */
export interface Looks {
  readonly address: boolean;
  /** Words that ask for names of clients, all of them. */
  readonly names: ReadonlySet<string>;
  /** Words that ask for addresses, all of them. */
  readonly ranges: ReadonlySet<string>;
  readonly user: boolean;
  /** What stands behind `Require user`: names, as the lines have them. */
  readonly users: ReadonlySet<string>;
  readonly groups: boolean;
  readonly modules: boolean;
  readonly variables: boolean;
  readonly tls: boolean;
  /** Expressions that look at the URL, at the file or at the server. */
  readonly expressions: ReadonlySet<string>;
}

/** What both versions answer in one setting of what nobody knows of the configuration. */
export interface Answering {
  readonly before: (request: AccessRequest) => AccessAnswer;
  readonly after: (request: AccessRequest) => AccessAnswer;
}

/** The sections that a request meets, of the text as it is and of the rewrite. */
export interface RequestMeeting {
  readonly id: number;
  readonly vhost: Scope['vhost'];
  readonly met: readonly Scope[];
  readonly looks: Looks;
  /** One for each setting of the conditionals that cannot be decided, and of the patterns that may match. */
  readonly settings: readonly Answering[];
  readonly variables: ReturnType<typeof variableReader>;
}

/** Finds what requests meet. Meetings of the same sections are one object. */
export class Meetings {
  readonly #before: ConfigTree;
  readonly #facts: Facts;
  readonly #read22: SectionsRead;
  readonly #read24: SectionsRead;
  readonly #compat: () => { readonly read: SectionsRead; readonly facts: Facts };
  readonly #ids = new WeakMap<Scope, number>();
  #count = 0;
  readonly #known = new Map<string, RequestMeeting>();

  constructor(before: ConfigTree, after: ConfigTree, old: Collected) {
    this.#before = before;
    this.#facts = factsOf(old, before);
    const renewed = collect(after);
    const pairs = new UnusedPartPairs(old.scopes, renewed.scopes);
    const lone = before.roots.length + before.htaccess.length === 0;
    const isInUse = (scope: Scope): boolean => lone || scope.unusedPart === undefined;
    this.#read22 = sectionsRead(old, before, isInUse);
    this.#read24 = sectionsRead(renewed, after, (scope) => lone || pairs.isIncluded(scope, undefined));
    let compat: ReturnType<Meetings['readCompat']> | undefined;
    this.#compat = () => (compat ??= this.readCompat(isInUse));
  }

  private readCompat(isInUse: (scope: Scope) => boolean): { read: SectionsRead; facts: Facts } {
    const collected = collect(this.#before, 'compat');
    return { read: sectionsRead(collected, this.#before, isInUse), facts: factsOf(collected, this.#before) };
  }

  /** What a request to a server meets. */
  of(target: RequestTarget, vhost: Scope['vhost']): RequestMeeting {
    const met22 = metBy(this.#read22, target, vhost).filter(saysSomething);
    const met24 = metBy(this.#read24, target, vhost).filter(saysSomething);
    const unsure = [...met22, ...met24].filter((scope) => isUnsure(scope, target));
    const key = [[vhost], met22, met24, unsure].map((scopes) => scopes.map((scope) => this.#idOf(scope)).join(' ')).join(';'); // prettier-ignore
    return getOrInsert(this.#known, key, () => this.#meeting(target, vhost, { met22, met24, unsure }));
  }

  /** The paths that sections are filed at. */
  places(): { readonly directories: readonly string[]; readonly locations: readonly string[] } {
    const hosts = [this.#read22, this.#read24].flatMap(({ index }) => [...index.hosts.values()]);
    return {
      directories: hosts.flatMap(({ directories }) => [...directories.keys()]),
      locations: hosts.flatMap(({ locations }) => [...locations.keys()]),
    };
  }

  /** The sections of both texts that requests may meet for what lies at a place or below; undefined where they are very many. */
  around(place: RequestTarget, vhost: Scope['vhost']): readonly Scope[] | undefined {
    const [old, renewed] = [this.#read22, this.#read24].map(({ index }) => index.around(place, vhost));
    return old && renewed && [...old, ...renewed].filter(saysSomething);
  }

  #idOf(object: object | undefined): number {
    return object === undefined
      ? 0
      : getOrInsert(this.#ids as WeakMap<object, number>, object, () => ++this.#count);
  }

  #meeting(
    target: RequestTarget,
    vhost: Scope['vhost'],
    { met22, met24, unsure }: Readonly<Record<'met22' | 'met24' | 'unsure', readonly Scope[]>>,
  ): RequestMeeting {
    const isMixed = met22.some(({ modern }) => modern !== undefined);
    const compat = isMixed ? this.#compat() : undefined;
    const old = compat === undefined ? met22 : metBy(compat.read, target, vhost).filter(saysSomething);
    const all = [...old, ...met24];
    const configs = settingsOf(openTestNames(all));
    const maybe = new Set(unsure.map(({ order }) => order));
    const choices = maybe.size === 0 ? [true] : [true, false];
    const looks = new Looking();
    const settings = configs.flatMap((config) =>
      choices.map((matches): Answering => {
        const chosen = (scopes: readonly Scope[]): readonly Scope[] =>
          matches ? scopes : scopes.filter(({ order }) => !maybe.has(order));
        return {
          before: compat === undefined ? before22(chosen(old), this.#facts, config, looks) : beforeCompat(chosen(old), compat.facts, config, looks),
          after: after24(chosen(met24), this.#facts.escapes, config, looks),
        };
      }),
    ); // prettier-ignore
    const variables = variableReader(this.#before, { vhost, before: old, after: met24 });
    return { id: this.#known.size + 1, vhost, met: old, looks, settings, variables };
  }
}

type Config = AccessRequest['config'];

/** All that cannot be decided holds; all but one; nothing of it. */
function settingsOf(tests: readonly string[]): readonly Config[] {
  const single = tests.map(
    (test) =>
      (name: string): boolean =>
        name !== test,
  );
  const none = (name: string): boolean => !tests.includes(name);
  return [(): boolean => true, ...single, ...(tests.length > 1 ? [none] : [])];
}

function before22(met: readonly Scope[], facts: Facts, config: Config, looks: Looking): Answering['before'] {
  if (met.some(({ problems }) => problems.length > 0)) return () => '?';
  const state = state22(scopesRead(met, config, '2.2'), facts, config);
  looks.addState(state);
  return (request) => decide22(state, facts, request);
}

function beforeCompat(met: readonly Scope[], facts: Facts, config: Config, looks: Looking): Answering['before'] {
  const state = stateCompat(scopesRead(met, config, '2.2'), facts, config);
  looks.addState(state.compat);
  looks.addTree(state.core.tree);
  return (request) => decideCompat(state, facts, request);
} // prettier-ignore

function after24(met: readonly Scope[], escapes: boolean, config: Config, looks: Looking): Answering['after'] {
  // 2.4 does not read these without mod_access_compat.
  if (met.some((scope) => scope.lines.old.length > 0 || scope.old24 !== undefined)) return () => '?';
  const state = state24(scopesRead(met, config, '2.4'), config, escapes);
  if (state.ssl) looks.tls = true;
  looks.addTree(state.tree);
  return (request) => decide24(state, request);
} // prettier-ignore

/** {@link Looks}, as they are found. */
class Looking implements Looks {
  address = false;
  readonly names = new Set<string>();
  readonly ranges = new Set<string>();
  user = false;
  readonly users = new Set<string>();
  groups = false;
  modules = false;
  variables = false;
  tls = false;
  readonly expressions = new Set<string>();

  addState({ hosts, requires, ssl }: State): void {
    if (ssl !== undefined) this.tls = true;
    for (const word of (hosts?.lines ?? []).flatMap(({ words }) => words))
      if (word.kind === 'ip') this.#addRange(word.text);
      else if (word.kind === 'host') this.names.add(word.text);
      else if (word.kind === 'env') this.variables = true;
    for (const { keyword, source } of requires ?? []) this.#addRequire(keyword, source);
  }

  addTree(tree: RequireNode | undefined): void {
    for (const node of requireNodes(tree)) {
      const { provider, args } = node;
      if (provider === 'ip') for (const word of args.trim().split(/[ \t]+/)) this.#addRange(word);
      else if (provider === 'local') for (const word of LOCAL) this.#addRange(word);
      else if (provider === 'host') for (const word of args.trim().split(/[ \t]+/)) this.names.add(word);
      else if (provider === 'env') this.variables = true;
      else if (provider === 'ssl') this.tls = true;
      else if (provider === 'expr') {
        this.expressions.add(args);
        this.tls ||= args.includes('HTTPS');
        this.modules ||= questionOf(node) !== undefined;
      } else if (provider !== 'all' && provider !== 'method') this.#addRequire(provider, args);
    }
  }

  #addRange(word: string): void {
    this.address = true;
    this.ranges.add(word);
  }

  #addRequire(keyword: string, rest: string): void {
    this.user = true;
    if (keyword === 'group' || keyword === 'dbm-group') this.groups = true;
    else if (keyword === 'user') this.users.add(rest.trim());
    else if (keyword !== 'valid-user') this.modules = true;
  }
}
