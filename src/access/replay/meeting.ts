import type { ConfigTree } from '../../config';
import { SectionsOfBoth, metBy, saysSomething, variableReader } from '../explain';
import { decide24, isUnsure, LOCAL, questionOf, scopesRead, state24 } from '../models';
import { type Facts, type RequireNode, type Scope, type State, openTestNames, requireNodes } from '../policy'; // prettier-ignore
import { type AccessAnswer, type AccessRequest, getOrInsert } from '../primitives';
import { type RequestTarget, sourceModel } from '../verify';

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
  readonly #sections: SectionsOfBoth;
  readonly #ids = new WeakMap<Scope, number>();
  #count = 0;
  readonly #meetings = new Map<string, RequestMeeting>();

  constructor(
    private readonly tree: ConfigTree,
    after: ConfigTree,
  ) {
    const lone = tree.roots.length + tree.htaccess.length === 0;
    this.#sections = new SectionsOfBoth(
      tree,
      after,
      ({ unusedPart }) => lone || unusedPart === undefined,
      (scope, pairs) => lone || pairs.isIncluded(scope, undefined),
    );
  }

  /** What a request to a server meets. */
  of(target: RequestTarget, vhost: Scope['vhost']): RequestMeeting {
    const met22 = metBy(this.#sections.before, target, vhost).filter(saysSomething);
    const met24 = metBy(this.#sections.after, target, vhost).filter(saysSomething);
    const unsure = [...met22, ...met24].filter((scope) => isUnsure(scope, target));
    const key = [[vhost], met22, met24, unsure].map((scopes) => scopes.map((scope) => this.#idOf(scope)).join(' ')).join(';'); // prettier-ignore
    return getOrInsert(this.#meetings, key, () => this.#meeting(target, vhost, { met22, met24, unsure }));
  }

  /** The paths that sections are filed at. */
  places(): { readonly directories: readonly string[]; readonly locations: readonly string[] } {
    const hosts = [this.#sections.before, this.#sections.after].flatMap(({ index }) => [
      ...index.hosts.values(),
    ]);
    return {
      directories: hosts.flatMap(({ directories }) => [...directories.keys()]),
      locations: hosts.flatMap(({ locations }) => [...locations.keys()]),
    };
  }

  /** The sections of both texts that requests may meet for what lies at a place or below; undefined where they are very many. */
  around(place: RequestTarget, vhost: Scope['vhost']): readonly Scope[] | undefined {
    const [old, renewed] = [this.#sections.before, this.#sections.after].map(({ index }) =>
      index.around(place, vhost),
    );
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
    const running = this.#sections.runningAt(met22);
    const old = metBy(running, target, vhost).filter(saysSomething);
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
          before: beforeModel(chosen(old), running.facts, config, looks),
          after: after24(chosen(met24), this.#sections.before.facts.escapes, config, looks),
        };
      }),
    ); // prettier-ignore
    const variables = variableReader(this.tree, { vhost, before: old, after: met24 });
    return { id: this.#meetings.size + 1, vhost, met: old, looks, settings, variables };
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

function beforeModel(met: readonly Scope[], facts: Facts, config: Config, looks: Looking): Answering['before'] {
  if (facts.reading === '2.2' && met.some(({ problems }) => problems.length > 0)) return () => '?';
  const { merged, tree, answer } = sourceModel(scopesRead(met, config, '2.2'), facts, config);
  looks.addState(merged);
  looks.addTree(tree);
  return answer;
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
