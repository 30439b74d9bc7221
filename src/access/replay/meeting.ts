import type { ConfigTree } from '../../config';
import {
  type Answering,
  SectionsOfBoth,
  type VersionAnswering,
  answeringAt,
  inUse,
  metBy,
  saysSomething,
  variableReader,
} from '../explain';
import { isUnsure, LOCAL, questionOf } from '../models';
import { type RequireNode, type Scope, type State, requireNodes } from '../policy';
import { getOrInsert } from '../primitives';
import type { RequestTarget } from '../verify';

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
    this.#sections = new SectionsOfBoth(tree, after, inUse(tree), inUse(tree));
  }

  of(target: RequestTarget, vhost: Scope['vhost']): RequestMeeting {
    const met22 = metBy(this.#sections.before, target, vhost).filter(saysSomething);
    const met24 = metBy(this.#sections.after, target, vhost).filter(saysSomething);
    const unsure = [...met22, ...met24].filter((scope) => isUnsure(scope, target));
    const key = [[vhost], met22, met24, unsure]
      .map((scopes) => scopes.map((scope) => this.#idOf(scope)).join(' '))
      .join(';');
    return getOrInsert(this.#meetings, key, () => this.#meeting(target, vhost, { met22, met24 }));
  }

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
    { met22, met24 }: Readonly<Record<'met22' | 'met24', readonly Scope[]>>,
  ): RequestMeeting {
    const running = this.#sections.runningAt(met22);
    const old = metBy(running, target, vhost).filter(saysSomething);
    const settings = answeringAt(old, met24, target, running.facts);
    const looks = new Looks(settings);
    const variables = variableReader(this.tree, { vhost, before: old, after: met24 });
    return { id: this.#meetings.size + 1, vhost, met: old, looks, settings, variables };
  }
}

/** What answers hang on, as far as they are known. */
export class Looks {
  address = false;
  /** Words that ask for names of clients, all of them. */
  readonly names = new Set<string>();
  /** Words that ask for addresses, all of them. */
  readonly ranges = new Set<string>();
  user = false;
  /** What stands behind `Require user`: names, as the lines have them. */
  readonly users = new Set<string>();
  groups = false;
  modules = false;
  variables = false;
  tls = false;
  /** Expressions that look at the URL, at the file or at the server. */
  readonly expressions = new Set<string>();

  constructor(settings: readonly Answering[]) {
    for (const { before, after } of settings)
      for (const answering of [before, after]) if (answering.isKnown) this.#add(answering);
  }

  #add({ state, tree, ssl }: VersionAnswering): void {
    this.tls ||= ssl;
    if (state !== undefined) this.#addState(state);
    this.#addTree(tree);
  }

  #addState({ hosts, requires, ssl }: State): void {
    if (ssl !== undefined) this.tls = true;
    for (const word of (hosts?.lines ?? []).flatMap(({ words }) => words))
      if (word.kind === 'ip') this.#addRange(word.text);
      else if (word.kind === 'host') this.names.add(word.text);
      else if (word.kind === 'env') this.variables = true;
    for (const { keyword, source } of requires ?? []) this.#addRequire(keyword, source);
  }

  #addTree(tree: RequireNode | undefined): void {
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
