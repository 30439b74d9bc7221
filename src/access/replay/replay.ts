import type { ConfigTree } from '../../config';
import { type Collected, collect } from '../collect';
import type { Answering, RequestVariables } from '../explain';
import { evaluateExpr } from '../models';
import { isAddress, scopeName, setsAccess, type Scope } from '../policy';
import {
  type AccessAnswer,
  type AccessRequest,
  EMPTY_SET,
  detached,
  getOrInsert,
  inDomain,
  rangesAround,
} from '../primitives';
import type { AccessKind, OpenFact, ReplayedSection } from './kinds';
import { Looks, type RequestMeeting, Meetings } from './meeting';
import { NOBODYS_ADDRESS, oneOfEach, openChoices } from './open-facts';
import { type LoggedAccess, RouteFinder, type RequestRoutes } from './routes';

type AnswerPair = readonly [before: AccessAnswer, after: AccessAnswer];

/** Kinds of one way that are remembered by what tells them apart. */
const MOST_KEYS = 20_000;
const MOST_ALTERNATIVES = 128;

/** Answers requests of a log. All with one key, to the sections that they meet, are answered once by each version. */
export class AccessReplay {
  readonly #old: Collected;
  readonly #routes: RouteFinder;
  readonly #byKey = new Map<RequestRoutes, Map<string, AccessKind>>();
  #keys = 0;
  readonly #kinds = new Map<string, AccessKind>();
  readonly #looks = new Map<RequestRoutes, Looks>();
  readonly #clients = new WeakMap<Looks, ReturnType<typeof clientClasses>>();
  readonly #users = new WeakMap<Looks, ReturnType<typeof userClasses>>();
  readonly #sections = new Map<Scope, ReplayedSection>();

  /** @param after the tree as it would be written: the same as `before` where nothing changes */
  constructor(before: ConfigTree, after: ConfigTree) {
    this.#old = collect(before);
    this.#routes = new RouteFinder(before, this.#old, new Meetings(before, after));
  }

  /** What both versions make of a request. Requests of one kind get the same object. */
  kindOf(request: LoggedAccess): AccessKind {
    const hosts = this.#routes.hostsOf(request.server);
    const routes = this.#routes.of(hosts, request.path);
    const looks = getOrInsert(this.#looks, routes, () => looksOf(routes));
    const key = this.#keyOf(request, routes, looks);
    if (this.#keys >= MOST_KEYS) {
      this.#byKey.clear();
      this.#keys = 0;
    }
    const byKey = getOrInsert(this.#byKey, routes, () => new Map<string, AccessKind>());
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const kind = this.#decide(request, routes);
    byKey.set(detached(key), kind);
    this.#keys++;
    return kind;
  }

  /** All of a request that its answer may hang on beside the sections that it meets. */
  #keyOf(request: LoggedAccess, routes: RequestRoutes, looks: Looks): string {
    const { client, method, user, status, server, path } = request;
    let key = `${method} ${statusClass(status)}`;
    if (isOfAnyServer(request, routes)) key += ' anywhere';
    if (looks.address || looks.names.size > 0)
      key += getOrInsert(this.#clients, looks, () => clientClasses(looks))(client);
    if (looks.user)
      key += ` ${getOrInsert(this.#users, looks, () => userClasses(looks))(user)} ${status === 401}`;
    if (looks.tls) key += server !== undefined && 'port' in server ? ` ${server.port}` : ' -';
    if (looks.variables)
      for (const first of new Set(routes.chains.map(([meeting]) => meeting))) {
        const { set, open } = variablesOf(request, first);
        key += `\n${[...set].join(' ')}\n${[...open].join(' ')}`;
      }
    if (looks.expressions.size > 0) key += this.#expressionsOf(path, routes, looks);
    if (isSentElsewhere(status) && this.#isSentBefore(routes, path)) key += ' sent';
    return key;
  }

  /** What the expressions say of a request, over TLS and without. */
  #expressionsOf(path: string, { chains }: RequestRoutes, looks: Looks): string {
    let key = '';
    for (const vhost of new Set(chains.map(([first]) => first?.vhost))) {
      const target = this.#targetOf(path, vhost, looks);
      key += '\n';
      for (const text of looks.expressions) {
        key += letterOf(evaluateExpr(text, { ...target, tls: true }));
        if (looks.tls) key += letterOf(evaluateExpr(text, { ...target, tls: false }));
      }
    }
    return key;
  }

  #targetOf(
    path: string,
    vhost: Scope['vhost'],
    { expressions }: Looks,
  ): Pick<AccessRequest, 'uri' | 'filename' | 'server'> {
    const filename = expressions.size > 0 ? this.#routes.fileOf(vhost, path) : path;
    return { uri: path, filename, server: this.#old.mapping.traitsOf(vhost) };
  }

  #decide(request: LoggedAccess, routes: RequestRoutes): AccessKind {
    const open = new Set<OpenFact>();
    const all = routes.chains.flatMap((chain) => this.#answersOf(request, chain, open));
    const fitting = all.filter(([before]) => fits(before, request.status));
    const kept = fitting.length > 0 ? fitting : all;
    // What is not found although nobody is let in is answered before: `%2F`, a Redirect.
    const isNever = request.status === 404 && fitting.length === 0;
    const verdict = isNever ? 'same' : this.#verdictOf(request, routes, kept, open);
    const [before, after] = kept.find(([was, is]) => was !== is) ?? kept[0] ?? ['?', '?'];
    const isSure = !routes.isRewritten && !routes.isMappingOpen && request.method !== 'TRACE';
    const { status } = request;
    const mayLeadOn = status === undefined || isServed(status);
    const isLed = (routes.isRewritten || routes.isLedOn) && (mayLeadOn || status === 401 || status === 403);
    const kind: AccessKind = {
      verdict,
      before,
      after,
      open: verdict === 'unknown' ? [...open].sort() : [],
      contradicts: isSure ? contradiction(status, all, fitting) : undefined,
      isRewritten: isLed && mayLeadOn,
      isLed,
      vhost: routes.isServerOpen ? undefined : routes.chains[0]?.[0]?.vhost,
      hosts: isOfAnyServer(request, routes) ? [] : [...new Set(routes.chains.map(([first]) => first?.vhost))],
      sections: this.#sectionsOf(routes),
    };
    return this.#interned(kind, routes);
  }

  /** @param open what a log does not show; more is added where the verdict hangs on it */
  #verdictOf(
    request: LoggedAccess,
    routes: RequestRoutes,
    kept: readonly AnswerPair[],
    open: Set<OpenFact>,
  ): AccessKind['verdict'] {
    const verdict = verdictOf(kept, request.status);
    if (verdict === 'same' || isAnsweredBefore(request)) return 'same';
    // Who gets in is not asked where the request is sent elsewhere before.
    if (isSentElsewhere(request.status) && this.#isSentBefore(routes, request.path)) return 'same';
    if (verdict === 'unknown') {
      if (routes.isServerOpen) open.add('server');
      if (routes.isFileOpen) open.add('files');
      if (routes.chains.flat().some(({ settings }) => settings.length > 1)) open.add('conditionals');
      if (kept.some((answers) => answers.includes('?'))) open.add('sections');
      return verdict;
    }
    if (!routes.isRewritten && !routes.isMappingOpen) return verdict;
    // Where a rule leads it elsewhere, it is not known whom it meets there.
    open.add('rewrites');
    return 'unknown';
  }

  /** Whether a line may send a request elsewhere before anybody asks who gets in. */
  #isSentBefore({ isRewritten, chains }: RequestRoutes, path: string): boolean {
    return isRewritten || this.#routes.redirectsOf(chains[0]?.[0]?.vhost)(path);
  }

  #interned(kind: AccessKind, routes: RequestRoutes): AccessKind {
    const { verdict, before, after, open, contradicts, isRewritten, isLed, hosts } = kind;
    const said = [verdict, before, after, open.join(), contradicts];
    const parts = [routes.id, ...said, isRewritten, isLed, hosts.length];
    return getOrInsert(this.#kinds, parts.join(' '), () => kind);
  }

  /** What is answered to a request that comes to each of some meetings in turn, in each way in which what is open may be. */
  #answersOf(
    request: LoggedAccess,
    chain: readonly RequestMeeting[],
    open: Set<OpenFact>,
  ): readonly AnswerPair[] {
    const [first] = chain;
    if (first === undefined) return [];
    const looks = looksOf({ chains: [chain] });
    const { method, user, status, path } = request;
    const { address = NOBODYS_ADDRESS, host } = clientOf(request);
    const { set, open: openVariables } = variablesOf(request, first);
    const tls = this.#isTls(request, first.vhost);
    const choices = openChoices(request, looks, set, openVariables, tls);
    for (const { fact } of choices) open.add(fact);
    const base: AccessRequest = {
      method,
      ...this.#targetOf(path, first.vhost, looks),
      address,
      host,
      env: set,
      // What a server logs of a user whose password is wrong is what they said (mod_log_config: %u).
      user: status === 401 || user === '' ? undefined : user,
      groups: EMPTY_SET,
      ...(tls === undefined ? {} : { tls }),
      config: () => true,
    };
    const [values, settings] = [choices.map((choice) => choice.values), chain.map((met) => met.settings)];
    const alternatives = oneOfEach(values, MOST_ALTERNATIVES);
    const chains = oneOfEach(settings, MOST_ALTERNATIVES);
    return chains.flatMap((answering) =>
      alternatives.map((more): AnswerPair => {
        const full: AccessRequest = Object.assign({}, base, ...more);
        return [passed(answering, full, 'before'), passed(answering, full, 'after')];
      }),
    );
  }

  #isTls({ server }: LoggedAccess, vhost: Scope['vhost']): boolean | undefined {
    if (vhost !== undefined && this.#old.mapping.tls.isOver(vhost) === true) return true;
    if (server === undefined || !('port' in server)) return undefined;
    return server.port === 443 ? true : server.port === 80 ? false : undefined;
  }

  #sectionsOf({ chains }: RequestRoutes): readonly ReplayedSection[] {
    const found = new Set<Scope>();
    for (const { met } of chains.flat())
      for (const scope of met) if (setsAccess(scope) || scope.ssl.length > 0) found.add(scope);
    return [...found].map((scope) => getOrInsert(this.#sections, scope, () => replayedSection(scope)));
  }
}

/** Whether nothing says which of several servers has answered. */
function isOfAnyServer({ server }: LoggedAccess, { isServerOpen }: RequestRoutes): boolean {
  return server === undefined && isServerOpen;
}

function replayedSection(scope: Scope): ReplayedSection {
  const { file, section } = scope;
  const [start, end] = section === undefined ? [0, file.document.text.length] : [section.start, section.end];
  return { name: scopeName(scope), file, start, end };
}

/** The address of a client, or its name: by itself, as addresses are remembered. */
function clientOf({ client }: LoggedAccess): { readonly address?: string; readonly host?: string } {
  if (client === undefined) return {};
  return isAddress(client) ? { address: detached(client) } : { host: detached(client) };
}

function variablesOf(request: LoggedAccess, first: RequestMeeting | undefined): RequestVariables {
  const { method, headers, path } = request;
  const { address, host } = clientOf(request);
  // A client that is not known has an address.
  const from = host === undefined ? (address ?? NOBODYS_ADDRESS) : undefined;
  return first?.variables({ env: EMPTY_SET, host, method, headers, address: from }, path) ?? NO_VARIABLES;
}

const NO_VARIABLES: RequestVariables = { set: EMPTY_SET, open: EMPTY_SET, assumed: [] };

function looksOf({ chains }: Pick<RequestRoutes, 'chains'>): Looks {
  const all = [...new Set(chains.flat())];
  const [only] = all;
  return only !== undefined && all.length === 1
    ? only.looks
    : new Looks(all.flatMap(({ settings }) => settings));
}

/** What tells clients apart: the ranges, or the names, that lines ask for. */
function clientClasses({ ranges, names }: Looks): (client: string | undefined) => string {
  const around = rangesAround(ranges);
  const domains = [...names];
  return (client) => {
    if (client === undefined) return ' nobody';
    if (isAddress(client)) return ` in${around(client)}`;
    return ` named ${domains.map((domain) => letterOf(inDomain(domain, client))).join('')}`;
  };
}

/** What tells users apart: whether there is one, and whether a line may name them, however it is quoted there. */
function userClasses({ users }: Looks): (user: string | undefined) => string {
  const lines = [...users].join('\n');
  const unescaped = lines.replaceAll('\\', '');
  return (user) => {
    if (user === undefined) return '?';
    return user === '' || lines.includes(user) || unescaped.includes(user) ? ` ${user}` : 'other';
  };
}

const letterOf = (value: boolean | undefined): string => (value === undefined ? '?' : value ? '+' : '-');

/** The part of a status that says something of who was let in. */
function statusClass(status: number | undefined): string {
  if (status === undefined) return '';
  if (isServed(status)) return 'served';
  if (status >= 500) return 'failed';
  if (NEVER_ASKED.has(status)) return 'never';
  if (status === 404) return 'missing';
  return status === 401 || status === 403 ? String(status) : isSentElsewhere(status) ? 'elsewhere' : '';
}

/** Whether a request is answered before access is asked (server/protocol.c; http_filters.c: ap_send_http_trace). */
function isAnsweredBefore({ method, status }: LoggedAccess): boolean {
  return method === 'TRACE' || (status !== undefined && NEVER_ASKED.has(status));
}

/** What httpd answers to a request that is wrong itself. A program that was let in may answer 413, 417 and 501, too. */
const NEVER_ASKED: ReadonlySet<number> = new Set([400, 408, 414, 431, 505]);

const isServed = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

const isSentElsewhere = (status: number | undefined): boolean =>
  status !== undefined &&
  ((status > 300 && status < 304) || status === 307 || status === 308 || status === 410);

/** Whether 2.2 can have answered so, as the log has that status: what is served, it has let in. */
function fits(before: AccessAnswer, status: number | undefined): boolean {
  if (status === undefined || before === '?') return true;
  // What is not there is looked for last.
  if (isServed(status) || status === 404) return before === 'P';
  // A file that cannot be read, or a program that has failed.
  if (status >= 500) return before === 'P' || before === 'E';
  return status !== 401 || before === 'U';
}

function contradiction(
  status: number | undefined,
  all: readonly AnswerPair[],
  fitting: readonly AnswerPair[],
): AccessKind['contradicts'] {
  if (status === undefined || fitting.length > 0 || all.length === 0) return undefined;
  if (isServed(status)) return 'let-in';
  if (status !== 401) return undefined;
  return all.every(([before]) => before === 'P') ? 'refused' : undefined;
}

function verdictOf(all: readonly AnswerPair[], status: number | undefined): AccessKind['verdict'] {
  const found = new Set(all.map((answers) => verdictOn(answers, status)));
  if (found.size === 1) return [...found][0]!;
  if (found.size === 2 && found.has('same') && found.has('otherwise')) return 'otherwise';
  return 'unknown';
}

function verdictOn([before, after]: AnswerPair, status: number | undefined): AccessKind['verdict'] {
  if (before === after && before !== '?') return 'same';
  // Nobody was let in where the server failed, whatever the models say.
  if (status !== undefined && status >= 500 && before !== 'P') return 'same';
  if (before === '?' || after === '?') return 'unknown';
  // Somebody else refused it, and nobody misses what is refused twice.
  if (before === 'P') return status === 403 && after === 'F' ? 'same' : 'refused';
  return after === 'P' ? 'opened' : 'otherwise';
}

/** What is answered to a request that comes to one after the other, as long as it is let in. */
function passed(
  answering: readonly Answering[],
  request: AccessRequest,
  version: keyof Answering,
): AccessAnswer {
  for (const setting of answering) {
    const answer = setting[version].answer(request);
    if (answer !== 'P') return answer;
  }
  return 'P';
}
