import { readWords } from '../../syntax';
import { type Node24, type State, requireNodes } from '../policy';
import { type AccessRequest, type MethodMask, OTHER_METHODS, addressIn } from '../primitives';

/** More addresses than these are not told apart, nor more names of one line. */
const MAX_ADDRESSES = 60;
const MAX_NAMES = 20;
const MAX_VARIABLES = 3;

/** Addresses that clients have where nothing says which: in no range, in one that cannot be read, with a name below a domain, with its name. */
const ELSEWHERE = ['203.0.113.77', '2001:db8:ffff::77'] as const;
const UNREAD = '203.0.113.78';
const BELOW = '203.0.113.79';
const NAMED = '203.0.113.80';
export const STRANGERS: readonly string[] = [...ELSEWHERE, UNREAD, BELOW, NAMED];

/** A request without its target and without the setting of the conditionals. */
export type Client = Omit<AccessRequest, 'uri' | 'filename' | 'config'>;

/** What clients can differ in. */
export interface Axes {
  readonly methods: readonly string[];
  readonly sources: readonly Pick<Client, 'address' | 'host'>[];
  readonly environments: readonly ReadonlySet<string>[];
  readonly users: readonly Pick<Client, 'user' | 'groups'>[];
  readonly tls: readonly boolean[];
}

/** What a decision looks at. */
export type Watched = Pick<State, 'hosts' | 'requires' | 'satisfy' | 'ssl'>;

/** Everything that decisions of either version look at, and something that none does: method, address, name, variables, user, group. */
export function axesOf(states: readonly Watched[], trees: readonly (Node24 | undefined)[]): Axes {
  const all = new Watch();
  for (const state of states) all.state(state);
  for (const tree of trees) for (const node of requireNodes(tree)) all.require(node);
  return all.axes();
}

class Watch {
  readonly #methods = new Set<string>();
  readonly #sources: { address: string; host: string | undefined }[] = ELSEWHERE.map((address) => ({
    address,
    host: undefined,
  }));
  readonly #variables = new Set<string>();
  readonly #users: { user: string | undefined; groups: ReadonlySet<string> }[] = [
    { user: undefined, groups: new Set() },
    { user: '\x01', groups: new Set() },
  ];
  #tls = false;
  /** Words for addresses and hosts, users, groups that have been seen. */
  readonly #seen = { source: new Set<string>(), user: new Set<string>(), group: new Set<string>() };

  state({ hosts, requires, satisfy, ssl }: Watched): void {
    for (const { mask } of hosts?.orders ?? []) this.#mask(mask);
    for (const { mask } of requires ?? []) this.#mask(mask);
    for (const [method, value] of satisfy)
      if (value !== satisfy.get(OTHER_METHODS) && method !== OTHER_METHODS) this.#methods.add(method);
    for (const { mask, words } of hosts?.lines ?? []) {
      this.#mask(mask);
      for (const word of words) {
        if (word.kind === 'env') this.#variables.add(word.name.toLowerCase());
        else if (word.kind === 'ip' || word.kind === 'host') this.#source(word.kind, word.text);
      }
    }
    for (const { keyword, source } of requires ?? [])
      if (keyword === 'user' || keyword === 'group')
        for (const { value } of readWords(source).slice(0, MAX_NAMES)) this.#user(keyword, value);
    if (ssl !== undefined) this.#tls = true;
  }

  require({ provider, args, masks }: Node24 & { kind: 'require' }): void {
    for (const mask of masks) this.#mask(mask);
    switch (provider) {
      case 'ip':
      case 'host':
        if (this.#sources.length > MAX_ADDRESSES) break;
        for (const { value } of readWords(args)) this.#source(provider, value);
        break;
      case 'env':
        for (const { value } of readWords(args)) this.#variables.add(value.toLowerCase());
        break;
      case 'user':
      case 'group':
        // An expression string first, words then.
        for (const { value } of readWords(args.replace(/\\(.)/gs, '$1')).slice(0, MAX_NAMES))
          this.#user(provider, value);
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

  axes(): Axes {
    const methods = this.#methods;
    // Where methods are named, one that is not stands for all others.
    const other = methods.size === 0 ? 'POST' : OTHERS.find((name) => !methods.has(name));
    for (const name of ['GET', 'POST', other]) if (name !== undefined) methods.add(name);
    return {
      methods: [...methods],
      sources: this.#sources,
      environments: environmentsOf([...this.#variables]),
      users: this.#users,
      tls: this.#tls ? [true, false] : [true],
    };
  }

  #mask(mask: MethodMask): void {
    for (const name of mask.names) this.#methods.add(name);
  }

  #source(kind: 'ip' | 'host', text: string): void {
    if (this.#sources.length > MAX_ADDRESSES || this.#seen.source.has(text)) return;
    this.#seen.source.add(text);
    if (kind === 'ip') {
      this.#sources.push({ address: addressIn(text) ?? UNREAD, host: undefined });
      return;
    }
    const below = `w${text.startsWith('.') ? '' : '.'}${text}`;
    this.#sources.push({ address: BELOW, host: below }, { address: NAMED, host: text });
  }

  #user(kind: 'user' | 'group', name: string): void {
    if (this.#seen[kind].has(name)) return;
    this.#seen[kind].add(name);
    this.#users.push(
      kind === 'user' ? { user: name, groups: new Set() } : { user: '\x02', groups: new Set([name]) },
    );
  }
}

/** Every one of a few; else none set, one alone, all but one, all. */
function environmentsOf(variables: readonly string[]): ReadonlySet<string>[] {
  if (variables.length <= MAX_VARIABLES)
    return Array.from(
      { length: 2 ** variables.length },
      (_, n) => new Set(variables.filter((__, i) => ((n >> i) & 1) === 1)),
    );
  return [
    [],
    ...variables.map((name) => [name]),
    ...variables.map((name) => variables.filter((one) => one !== name)),
    variables,
  ].map((list) => new Set(list));
}

const OTHERS = ['OPTIONS', 'DELETE', 'PROPFIND', 'PATCH', 'PUT', 'MKCOL', 'LOCK'];

/** All combinations where they are no more than `most`, else that many, spread over them. */
export function clientsFrom({ methods, sources, environments, users, tls }: Axes, most: number): Client[] {
  const total = methods.length * sources.length * environments.length * users.length * tls.length;
  return Array.from({ length: Math.min(total, most) }, (_, i) => {
    // A stride by large primes spreads the sample over all axes.
    let n = total > most ? (i * 7919 * 104_729) % total : i;
    const pick = <T>(axis: readonly T[]): T => {
      const value = axis[n % axis.length]!;
      n = Math.floor(n / axis.length);
      return value;
    };
    const method = pick(methods);
    const { address, host } = pick(sources);
    return { method, address, host, env: pick(environments), ...pick(users), tls: pick(tls) };
  });
}
