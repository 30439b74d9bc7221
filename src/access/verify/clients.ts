import { hasPlaceholder, readWords } from '../../syntax';
import { questionOf } from '../models';
import { type HostSpec, type RequireNode, type State, UNANSWERED, requireNodes } from '../policy';
import {
  type AccessRequest,
  EMPTY_LIST,
  EMPTY_SET,
  type MethodMask,
  OTHER_METHODS,
  addressIn,
  edgesOf,
  rangesMeet,
  moduleQuestion,
  subsetsOf,
} from '../primitives';

/** Users that no configuration names: one of no group, and one of the group that is asked for. */
const UNNAMED_USER = '\x01';
const GROUP_MEMBER = '\x02';

export function isMadeUp(user: string): boolean {
  return user === UNNAMED_USER || user === GROUP_MEMBER;
}

/** More addresses than these are not tried, nor more names of one line. */
const MAX_ADDRESSES = 60;
const MAX_EDGES = 100;
const MAX_NAMES = 20;
const MAX_VARIABLES = 3;

/** Addresses of clients in no range, in one that cannot be read, with a name below a domain, and with its name. */
const ELSEWHERE = ['203.0.113.77', '2001:db8:ffff::77'] as const;
const UNREAD = '203.0.113.78';
const BELOW = '203.0.113.79';
const NAMED = '203.0.113.80';

/** Addresses that `Require local` lets in: what loopback is called, and another of its addresses. */
const LOCAL_ADDRESSES = ['127.0.0.1', '127.0.0.2', '::1'] as const;

type Client = Omit<AccessRequest, 'uri' | 'filename' | 'config'>;

interface RequestValues {
  readonly methods: readonly string[];
  readonly sources: readonly Pick<Client, 'address' | 'host'>[];
  readonly environments: readonly ReadonlySet<string>[];
  readonly users: readonly Pick<Client, 'user' | 'groups'>[];
  readonly tls: readonly boolean[];
  /** See {@link AccessRequest.holds}. */
  readonly answers: readonly ReadonlySet<string>[];
  /** Sources and users that not all states and trees name: where not all combinations are tried, these are. */
  readonly differing: Pick<RequestValues, 'sources' | 'users'>;
}

type StateLookedAt = Pick<State, 'hosts' | 'requires' | 'satisfy' | 'ssl' | 'tls'>;

/** All that decisions of either version look at, and something that none does, of each part of a request. */
export function valuesToTry(
  states: readonly StateLookedAt[],
  trees: readonly (RequireNode | undefined)[],
): RequestValues {
  const all = new ValueCollector();
  for (const state of states) {
    all.begin();
    all.state(state);
  }
  for (const tree of trees) {
    if (tree === undefined) continue;
    all.begin();
    for (const node of requireNodes(tree)) all.require(node);
  }
  return all.values();
}

class ValueCollector {
  readonly #methods = new Set<string>();
  readonly #sources: { address: string; host: string | undefined }[] = ELSEWHERE.map((address) => ({
    address,
    host: undefined,
  }));
  readonly #variables = new Set<string>();
  readonly #users: { user: string | undefined; groups: ReadonlySet<string> }[] = [
    { user: undefined, groups: new Set() },
    { user: UNNAMED_USER, groups: new Set() },
  ];
  #tls = false;
  readonly #questions = new Set<string>();
  /** The ranges that each state or tree names, and the users and groups. */
  readonly #ranges: Set<string>[] = [];
  readonly #names: Set<string>[] = [];
  /** Words for addresses and hosts that have been seen. */
  readonly #seen = new Set<string>();

  /** What comes next belongs to another state, or to another tree. */
  begin(): void {
    this.#ranges.push(new Set());
    this.#names.push(new Set());
  }

  state({ hosts, requires, satisfy, ssl, tls }: StateLookedAt): void {
    for (const { mask } of hosts?.orders ?? []) this.#mask(mask);
    for (const { mask } of requires ?? []) this.#mask(mask);
    for (const [method, value] of satisfy)
      if (value !== satisfy.get(OTHER_METHODS) && method !== OTHER_METHODS) this.#methods.add(method);
    for (const { mask, words } of hosts?.lines ?? []) {
      this.#mask(mask);
      for (const word of words) this.#hostWord(word);
    }
    for (const { keyword, source } of requires ?? []) {
      const words = readWords(source).map(({ value }) => value);
      if (keyword === 'user' || keyword === 'group')
        for (const word of words) this.#names.at(-1)!.add(`${keyword} ${word}`);
      else if (keyword !== 'valid-user' && keyword !== UNANSWERED)
        this.#questions.add(moduleQuestion(keyword, words));
    }
    if (ssl !== undefined) this.#tls = true;
    for (const { test } of tls?.requires ?? []) {
      if (test === undefined) continue;
      this.#tls = true;
      this.#questions.add(moduleQuestion('expr', [test]));
    }
  }

  #hostWord(word: HostSpec): void {
    if (word.kind === 'env') this.#variables.add(word.name.toLowerCase());
    else if (word.kind === 'ip' || word.kind === 'host') this.#source(word.kind, word.text);
  }

  require(node: RequireNode & { kind: 'require' }): void {
    const { provider, args, masks } = node;
    for (const mask of masks) this.#mask(mask);
    const question = questionOf(node);
    if (question !== undefined) this.#questions.add(question);
    switch (provider) {
      case 'ip':
      case 'host':
        // No client has the name of a placeholder, or of a part of one.
        if (provider === 'host' && (this.#sources.length > MAX_ADDRESSES || hasPlaceholder(args))) break;
        for (const { value } of readWords(args)) this.#source(provider, value);
        break;
      case 'local':
        for (const address of LOCAL_ADDRESSES) this.#source('ip', address);
        break;
      case 'env':
        for (const { value } of readWords(args)) this.#variables.add(value.toLowerCase());
        break;
      case 'user':
      case 'group':
        // An expression string first, words then.
        for (const { value } of readWords(args.replace(/\\(.)/gs, '$1')))
          this.#names.at(-1)!.add(`${provider} ${value}`);
        break;
      case 'method':
        for (const { value } of readWords(args)) this.#methods.add(value);
        break;
      case 'ssl':
        this.#tls = true;
        break;
      default:
    }
  }

  values(): RequestValues {
    const methods = this.#methods;
    const differing = { sources: this.#addEdges(), users: this.#addUsers() };
    // Where methods are named, one that is not stands for all others.
    const other = methods.size === 0 ? 'POST' : OTHERS.find((name) => !methods.has(name));
    for (const name of ['GET', 'POST', other]) if (name !== undefined) methods.add(name);
    return {
      methods: [...methods],
      sources: this.#sources,
      environments: environmentsOf([...this.#variables]),
      users: this.#users,
      tls: this.#tls ? [true, false] : [true],
      answers: answersOf([...this.#questions]),
      differing,
    };
  }

  #mask(mask: MethodMask): void {
    for (const name of mask.names) this.#methods.add(name);
  }

  /**
   * Adds one address for a range that all of them name, and that has nothing in common with another; for any other those at its
   * edges: one of them may say so that the others do not.
   * @returns the sources in ranges that not all name
   */
  #addEdges(): RequestValues['sources'] {
    const { common: named, differing } = compared(this.#ranges);
    const common = named.slice(0, MAX_ADDRESSES);
    const overlapping = common.filter((text) =>
      common.some((other) => other !== text && rangesMeet(text, other)),
    );
    const tried = new Set(this.#sources.map(({ address }) => address));
    const found: { address: string; host: undefined }[] = [];
    for (const text of differing.slice(0, MAX_EDGES))
      found.push({ address: addressIn(text) ?? UNREAD, host: undefined });
    for (const text of [...differing, ...overlapping]) {
      if (this.#sources.length > MAX_EDGES) break;
      for (const address of edgesOf(text) ?? EMPTY_LIST) {
        if (tried.has(address) || this.#sources.length > MAX_EDGES) continue;
        tried.add(address);
        this.#sources.push({ address, host: undefined });
      }
    }
    return found;
  }

  /** @returns the users and members of groups whom not all name, who are tried first */
  #addUsers(): RequestValues['users'] {
    const { common, differing } = compared(this.#names);
    const users = [...differing.slice(0, MAX_EDGES), ...common.slice(0, MAX_NAMES)].map((text) => {
      const [kind, name] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)];
      return kind === 'user'
        ? { user: name, groups: new Set<string>() }
        : { user: GROUP_MEMBER, groups: new Set([name]) };
    });
    this.#users.push(...users);
    return users.slice(0, Math.min(differing.length, MAX_EDGES));
  }

  #source(kind: 'ip' | 'host', text: string): void {
    if (kind === 'ip') this.#ranges.at(-1)?.add(text);
    else if (hasPlaceholder(text)) return;
    if (this.#sources.length > MAX_ADDRESSES || this.#seen.has(text)) return;
    this.#seen.add(text);
    if (kind === 'ip') {
      this.#sources.push({ address: addressIn(text) ?? UNREAD, host: undefined });
      return;
    }
    const below = `w${text.startsWith('.') ? '' : '.'}${text}`;
    this.#sources.push({ address: BELOW, host: below }, { address: NAMED, host: text });
  }
}

/** What all that name anything name, and what not all of them do. */
function compared(names: readonly ReadonlySet<string>[]): {
  readonly common: readonly string[];
  readonly differing: readonly string[];
} {
  const naming = names.filter((named) => named.size > 0);
  const [common, differing]: [string[], string[]] = [[], []];
  for (const text of new Set(naming.flatMap((named) => [...named])))
    (naming.length > 1 && naming.every((named) => named.has(text)) ? common : differing).push(text);
  return { common, differing };
}

/** Where there are more questions than these, only some are answered yes alone. */
const MAX_QUESTIONS = 4;

/** No to all, yes to one alone, yes to all. */
function answersOf(questions: readonly string[]): readonly ReadonlySet<string>[] {
  if (questions.length === 0) return [EMPTY_SET];
  const alone = questions.length === 1 ? EMPTY_LIST : questions.slice(0, MAX_QUESTIONS);
  return [EMPTY_SET, ...alone.map((question) => new Set([question])), new Set(questions)];
}

/** Where there are more variables than these, only some are set alone, or are the one that is not set. */
const MAX_ALONE = 60;
const MAX_LEFT_OUT = 1000;

/** Every one of a few; else none set, one alone, all but one, all. */
function environmentsOf(variables: readonly string[]): ReadonlySet<string>[] {
  if (variables.length <= MAX_VARIABLES) return subsetsOf(variables);
  const step = Math.ceil(variables.length / MAX_ALONE);
  const alone = variables.filter((_, i) => i % step === 0);
  // Each set of them is as large as the list.
  const leftOut = alone.slice(0, Math.max(2, Math.floor((MAX_ALONE * MAX_LEFT_OUT) / variables.length)));
  const others = leftOut.map((name) => variables.filter((variable) => variable !== name));
  return [[], ...alone.map((name) => [name]), ...others, variables].map((list) => new Set(list));
}

const OTHERS = ['OPTIONS', 'DELETE', 'PROPFIND', 'PATCH', 'PUT', 'MKCOL', 'LOCK'];

/**
 * All combinations where they are no more than `most`, else that many, spread over them, and up to as many with the sources and
 * users that not all name.
 */
export function clientsFrom(
  { methods, sources, environments, users, tls, answers, differing }: RequestValues,
  most: number,
): Client[] {
  const total =
    methods.length * sources.length * environments.length * users.length * tls.length * answers.length;
  const sample = Array.from({ length: Math.min(total, most) }, (_, i) => {
    // A stride by large primes spreads the sample over all values.
    let n = total > most ? (i * 7919 * 104_729) % total : i;
    const pick = <T>(values: readonly T[]): T => {
      const value = values[n % values.length]!;
      n = Math.floor(n / values.length);
      return value;
    };
    return {
      method: pick(methods),
      ...pick(sources),
      env: pick(environments),
      ...pick(users),
      tls: pick(tls),
      holds: pick(answers),
    };
  });
  if (total <= most) return sample;
  const [method, env, holds] = [methods[0]!, environments[0]!, answers[0]!];
  const ends = <T>(values: readonly T[]): readonly T[] => [values[0]!, values.at(-1)!];
  const alone = [
    ...differing.sources.flatMap((source) => ends(users).map((user) => ({ ...source, ...user }))),
    ...differing.users.flatMap((user) => ends(sources).map((source) => ({ ...source, ...user }))),
  ];
  return [...sample, ...alone.slice(0, most).map((each) => ({ method, env, tls: tls[0]!, holds, ...each }))];
}
