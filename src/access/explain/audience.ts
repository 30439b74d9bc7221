import type { ConfigFile, ConfigTree } from '../../config';
import { type Section, readWords } from '../../syntax';
import { collect } from '../collect';
import type { UrlMapping } from '../mapping';
import {
  type Scope,
  openTestNames,
  scopeName,
  setsSomething,
  type RequireNode,
  type State,
  requireNodes,
} from '../policy';
import {
  type AccessAnswer,
  type AccessRequest,
  getOrInsert,
  groupBy,
  lazy,
  addressIn,
  rangesMeet,
} from '../primitives';
import {
  type RequestTarget,
  anyTargets,
  conditionalSettings,
  isMadeUp,
  targetsFor,
  valuesToTry,
} from '../verify';
import { type Answering, answeringAt } from './answering';
import { SectionsOfBoth, metBy } from './sections-read';

/** Who asks, in the words of a table: a column. */
export interface AudienceUser {
  /** `none`: no password; `named`: the user, or member of a group, of a line; `other`: any other right password. */
  readonly kind: 'none' | 'named' | 'other';
  readonly name: string | undefined;
}

/** From where, or with what set: a row. */
export interface AudienceRow {
  /** `listed`: some line names it; `unlisted`: none does; `env`: unlisted, with the variables set that lines ask for. */
  readonly kind: 'listed' | 'unlisted' | 'env';
  /** The word of the list, or an address. */
  readonly name: string;
  readonly env: readonly string[];
  /** A cell for each user: `?` where the models do not know. */
  readonly answers: readonly { readonly before: AccessAnswer; readonly after: AccessAnswer }[];
}

/** Who got into a section with GET, and who gets in with the rewrite. */
export interface Audience {
  readonly section: string;
  /** The virtual host that was asked; undefined for the main server. */
  readonly vhost: Section | undefined;
  /** Undefined where no URL is known to lead to the file. */
  readonly uri: string | undefined;
  readonly filename: string;
  readonly users: readonly AudienceUser[];
  readonly rows: readonly AudienceRow[];
}

/** Answers who gets into the section of a place in a file. Sections are collected once, when first asked for. */
export class Audiences {
  readonly #sections = new Map<Scope['unusedPart'], Sections>();
  readonly #byFile = lazy(() => groupBy(collect(this.before).scopes, ({ file }) => file));

  /** @param after the tree as it would be written */
  constructor(
    private readonly before: ConfigTree,
    private readonly after: ConfigTree,
  ) {}

  /** @param at byte offset in the file. @returns undefined where no section or no request for it is known */
  of(file: ConfigFile, at: number): Audience | undefined {
    const scope = this.#scopeAt(file, at);
    if (scope === undefined) return undefined;
    const make = (): Sections => new Sections(this.before, this.after, scope.unusedPart);
    return getOrInsert(this.#sections, scope.unusedPart, make).audienceOf(scope);
  }

  /** The innermost section around a place, or the `.htaccess`. */
  #scopeAt(file: ConfigFile, at: number): Scope | undefined {
    const isAround = ({ section }: Scope): boolean =>
      section === undefined || (section.start <= at && at < section.end);
    const start = (scope: Scope): number => scope.section?.start ?? -1;
    const around = (this.#byFile().get(file) ?? []).filter(isAround);
    return around.sort((a, b) => start(b) - start(a))[0];
  }
}

const MAX_TARGETS = 40;
const MAX_HOSTS = 20;

/** A request, as far as it decides which sections it meets. */
interface Way {
  readonly target: RequestTarget;
  readonly vhost: Scope['vhost'];
  readonly isMapped: boolean;
}

/** The sections that requests can meet together: those in use, and those of one file that nothing includes. */
class Sections {
  readonly #mapping: UrlMapping;
  readonly #sections: SectionsOfBoth;
  readonly #hosts: readonly Scope['vhost'][];

  constructor(before: ConfigTree, after: ConfigTree, unusedPart: Scope['unusedPart']) {
    const { mapping, scopes } = collect(before);
    this.#mapping = mapping;
    this.#sections = new SectionsOfBoth(
      before,
      after,
      (scope) => scope.unusedPart === undefined || scope.unusedPart === unusedPart,
      (scope, isIncluded) => isIncluded(scope, unusedPart),
    );
    const vhosts = new Set([...scopes.map(({ vhost }) => vhost), ...mapping.hostsExcept()]);
    vhosts.delete(undefined);
    this.#hosts = [...(mapping.reachesMain ? [undefined] : []), ...vhosts].slice(0, MAX_HOSTS);
  }

  audienceOf(scope: Scope): Audience | undefined {
    const way = this.#wayTo(scope);
    if (way === undefined) return undefined;
    const { target, vhost } = way;
    const running = this.#sections.runningAt(metBy(this.#sections.before, target, vhost));
    const after = metBy(this.#sections.after, target, vhost);
    const before = metBy(running, target, vhost);
    const all = [...before, ...after];
    const configs = openTestNames(all).length > 0 ? conditionalSettings(all) : undefined;
    return tableOf(scope, way, answeringAt(before, after, target, running.facts, configs));
  }

  /** A request that the section decides as the last one, if there is one; else a request that meets it. */
  #wayTo(scope: Scope): Way | undefined {
    const mapping = this.#mapping;
    const around = scope.parent === undefined ? [scope] : [scope.parent, scope];
    let meeting: Way | undefined;
    const hosts = scope.vhost === undefined ? this.#hosts : [scope.vhost];
    // Where no document root is known, any URL may lead to any file.
    const targetsOf = (isMapped: boolean, vhost: Scope['vhost']): readonly RequestTarget[] =>
      !isMapped
        ? anyTargets(scope, around)
        : mapping.targets(vhost) === undefined
          ? []
          : targetsFor(scope, around, mapping, vhost);
    for (const isMapped of [true, false])
      for (const vhost of hosts)
        for (const target of targetsOf(isMapped, vhost).slice(0, MAX_TARGETS)) {
          const met = metBy(this.#sections.before, target, vhost).filter(setsSomething);
          const way = { target, vhost, isMapped };
          if (met.at(-1)?.order === scope.order) return way;
          if (met.some(({ order }) => order === scope.order)) meeting ??= way;
        }
    return meeting;
  }
}

function tableOf(scope: Scope, { target, vhost, isMapped }: Way, settings: readonly Answering[]): Audience {
  const states = settings.flatMap(({ before }) => before.state ?? []);
  const trees = settings.flatMap(({ before, after }) => [before.tree, after.tree]);
  const { users } = valuesToTry(states, trees);
  const { listed, unlisted, variables } = clientsOf(states, trees);
  const named = users.find(({ user, groups }) => user !== undefined && (!isMadeUp(user) || groups.size > 0));
  const clients = [
    { user: { kind: 'none', name: undefined } as const, as: users[0]! },
    ...(named === undefined
      ? []
      : [{ user: { kind: 'named', name: isMadeUp(named.user!) ? [...named.groups][0] : named.user } as const, as: named }]),
    { user: { kind: 'other', name: undefined } as const, as: users[1]! },
  ]; // prettier-ignore
  const row = (
    kind: AudienceRow['kind'],
    { name, address, host }: ListedClient,
    set: readonly string[],
  ): AudienceRow => ({
    kind,
    name,
    env: set,
    answers: clients.map(({ as }) => {
      const client = { address, host, ...as, env: new Set(set), tls: true };
      const request: AccessRequest = { ...target, ...client, method: 'GET', config: () => true };
      const answer = (when: 'before' | 'after'): AccessAnswer =>
        sameInAll(settings.map((setting) => setting[when].answer(request)));
      return { before: answer('before'), after: answer('after') };
    }),
  });
  return {
    section: scopeName(scope),
    vhost,
    uri: isMapped ? target.uri : undefined,
    filename: target.filename,
    users: clients.map(({ user }) => user),
    rows: [
      ...listed.map((client) => row('listed', client, [])),
      ...(unlisted === undefined ? [] : [row('unlisted', unlisted, [])]),
      ...(unlisted === undefined || variables.length === 0 ? [] : [row('env', unlisted, variables)]),
    ],
  };
}

/** `?` where the answer hangs on a conditional that cannot be decided, or on a pattern that may match. */
function sameInAll(answers: readonly AccessAnswer[]): AccessAnswer {
  return answers.every((answer) => answer === answers[0]) ? answers[0]! : '?';
}

interface ListedClient {
  /** The word of the list that stands for it, or its address. */
  readonly name: string;
  readonly address: string;
  /** The client's name, where the address resolves both ways. */
  readonly host: string | undefined;
}

/** Addresses of clients that hardly any list names: of the blocks for documentation (RFC 5737), and others. */
const CANDIDATES = ['203.0.113.77', '198.51.100.77', '192.0.2.77', '100.64.7.77', '8.7.6.77', '151.20.30.77'];

/** No more words are looked at: of a longer list nobody reads a table of clients. */
const MAX_WORDS = 10_000;
const MAX_LISTED = 4;

/** What the lines of both versions name: hosts that a 2.2 asks for, and Require lines. */
function clientsOf(states: readonly Pick<State, 'hosts'>[], trees: readonly (RequireNode | undefined)[]) {
  const words: { readonly kind: 'ip' | 'host'; readonly text: string }[] = [];
  const variables = new Set<string>();
  for (const { hosts } of states)
    for (const word of (hosts?.lines ?? []).flatMap((line) => line.words))
      if (word.kind === 'ip' || word.kind === 'host') words.push({ kind: word.kind, text: word.text });
      else if (word.kind === 'env') variables.add(word.name.toLowerCase());
  for (const { provider, args } of trees.flatMap(requireNodes)) {
    const values = readWords(args).map(({ value }) => value);
    if (provider === 'ip' || provider === 'host')
      words.push(...values.map((text) => ({ kind: provider, text }) as const));
    else if (provider === 'local') words.push({ kind: 'ip', text: '127.0.0.1' });
    else if (provider === 'env') for (const value of values) variables.add(value.toLowerCase());
  }
  const ranges = words.flatMap(({ kind, text }) => (kind === 'ip' ? text : []));
  const elsewhere =
    words.length > MAX_WORDS
      ? undefined
      : CANDIDATES.find((address) => !ranges.some((range) => rangesMeet(range, address)));
  const listed = new Map<string, ListedClient>();
  for (const { kind, text } of words) {
    if (listed.size === MAX_LISTED) break;
    const address = kind === 'ip' ? addressIn(text) : elsewhere;
    const host = kind === 'ip' ? undefined : `${text.startsWith('.') ? 'w' : ''}${text}`;
    if (address !== undefined) listed.set(text, { name: text, address, host });
  }
  return {
    listed: [...listed.values()],
    unlisted: elsewhere === undefined ? undefined : { name: elsewhere, address: elsewhere, host: undefined },
    variables: [...variables],
  };
}
