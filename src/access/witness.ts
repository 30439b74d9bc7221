import { addressIn } from './address';
import { sectionRegex } from './match';
import type { MethodMask } from './methods';
import type { Mapping } from './mapping';
import { type AccessRequest } from './request';
import { sampleOf, sampleOfGlob } from './sample';
import type { Scope } from './scope';
import { testNames } from './settings';
import { readWords } from '../syntax';

/** Where a request goes: what decides which sections it meets. */
export interface Target {
  readonly uri: string;
  readonly filename: string;
}

const MAX_DIRECTORIES = 12;
const MAX_ADDRESSES = 60;
const MAX_TOLD_APART = 4;

/** Targets of requests to a host that reach a scope, alone and together with the sections it can meet. */
export function targetsFor(
  scope: Scope,
  around: readonly Scope[],
  mapping: Mapping,
  vhost: Scope['vhost'] = scope.vhost,
): Target[] {
  const known = mapping.targets(vhost) !== undefined;
  if (!known) return anyTargets(scope, around);
  if (scope.kind === 'location') {
    const url = uriOf(scope);
    const bases = [
      '',
      '/',
      '/w.html',
      ...around.flatMap((one) => (one.kind === 'files' ? `/${baseOf(one) ?? 'w'}` : [])),
    ];
    // What has sections or a .htaccess of its own is a directory, also where the URL does not say so.
    const isDirectory = (path: string): boolean =>
      around.some(({ kind, pattern }) => (kind === 'directory' || kind === 'htaccess') && pattern.kind === 'path' && pattern.path === path); // prettier-ignore
    return (url === undefined ? [] : (mapping.targetsFrom(vhost, url) ?? [])).flatMap((filename) =>
      bases.slice(0, 7).map((base) => ({
        uri: `${url}${base}`,
        filename: `${filename}${base === '' && isDirectory(filename) ? '/' : base}`,
      })),
    );
  }
  return anyTargets(scope, around).flatMap(({ filename }) => {
    const uri = mapping.urlOf(vhost, filename);
    return uri === undefined ? [] : [{ uri, filename }];
  });
}

/** Targets where any URL may map to any file. */
function anyTargets(scope: Scope, around: readonly Scope[]): Target[] {
  const home = scope.kind === 'files' ? scope.parent : scope;
  const directories =
    home === undefined || home.kind === 'location' || home.kind === 'proxy'
      ? ['/', ...new Set(around.flatMap((one) => directoryOf(one) ?? []))].slice(0, MAX_DIRECTORIES)
      : [directoryOf(home)].filter((one) => one !== undefined);
  const bases = [
    'w.html',
    ...new Set(around.filter((one) => one.kind === 'files').flatMap((one) => baseOf(one) ?? [])),
  ];
  const own = scope.kind === 'files' ? [baseOf(scope)].filter((one) => one !== undefined) : bases.slice(0, 5);
  const others = around
    .filter((one) => one.kind === 'location' && one !== scope)
    .flatMap((one) => uriOf(one) ?? []);
  const uris =
    scope.kind === 'location'
      ? [uriOf(scope)].filter((one) => one !== undefined)
      : ['/w-other', ...others.slice(0, 4)];
  return directories.flatMap((directory) =>
    own.flatMap((base) =>
      uris.map((uri) => ({ uri, filename: `${directory === '/' ? '' : directory}/${base}` })),
    ),
  );
}

function directoryOf(scope: Scope): string | undefined {
  const { kind, pattern } = scope;
  if (kind !== 'directory' && kind !== 'htaccess' && kind !== 'directory-match') return undefined;
  if (pattern.kind === 'path') return pattern.path;
  if (pattern.kind === 'glob') return sampleOfGlob(pattern.glob);
  if (kind !== 'directory-match') return undefined;
  const text = sampleOf(sectionRegex(scope) ?? '')?.replace(/\/+$/, '');
  return text === undefined || text === '' ? undefined : text.startsWith('/') ? text : `/${text}`;
}

function baseOf(scope: Scope): string | undefined {
  const { pattern } = scope;
  if (pattern.kind === 'path') return pattern.path;
  return pattern.kind === 'glob' ? sampleOfGlob(pattern.glob) : sampleOf(sectionRegex(scope) ?? '');
}

function uriOf(scope: Scope): string | undefined {
  const { pattern } = scope;
  if (pattern.kind === 'path') return pattern.path.endsWith('/') ? `${pattern.path}w` : pattern.path;
  const text = pattern.kind === 'glob' ? sampleOfGlob(pattern.glob) : sampleOf(sectionRegex(scope) ?? '');
  return text === undefined ? undefined : text.startsWith('/') ? text : `/${text}`;
}

/** A request without its target and without the setting of the conditionals. */
export type Client = Omit<AccessRequest, 'uri' | 'filename' | 'config'>;

/** Settings of the undecided conditionals on the way: every one of a few; else none holds, all hold, one alone. */
export function settingsOf(met: readonly Scope[]): AccessRequest['config'][] {
  const names = testNames(met);
  if (names.length <= MAX_TOLD_APART)
    return Array.from(
      { length: 2 ** names.length },
      (_, n) => (one: string) => ((n >> names.indexOf(one)) & 1) === 1 && names.includes(one),
    );
  return [() => false, () => true, ...names.map((name) => (one: string) => one === name)];
}

/** What clients can differ in. */
export interface Axes {
  readonly methods: readonly string[];
  readonly sources: readonly Pick<Client, 'address' | 'host'>[];
  readonly environments: readonly ReadonlySet<string>[];
  readonly users: readonly Pick<Client, 'user' | 'groups'>[];
  readonly tls: readonly boolean[];
}

/** Everything the sections met look at, and something that none of them does: method, address, name, variables, user, group. */
export function axesOf(met: readonly Scope[]): Axes {
  const methods = new Set<string>();
  const sources: { address: string; host: string | undefined }[] = [
    { address: '203.0.113.77', host: undefined },
    { address: '2001:db8:ffff::77', host: undefined },
  ];
  const variables = new Set<string>();
  const users: { user: string | undefined; groups: ReadonlySet<string> }[] = [
    { user: undefined, groups: new Set() },
    { user: '\x01', groups: new Set() },
  ];
  for (const { own } of met) {
    const { hosts, requires, satisfy } = own;
    for (const line of hosts?.orders ?? []) addMethods(line.mask, methods);
    for (const line of requires ?? []) addMethods(line.mask, methods);
    for (const line of satisfy) addMethods(line.mask, methods);
    for (const line of hosts?.lines ?? []) {
      addMethods(line.mask, methods);
      for (const word of line.words) {
        if (sources.length > MAX_ADDRESSES) break;
        if (word.kind === 'env') variables.add(word.name.toLowerCase());
        else if (word.kind === 'ip') addAddress(word.text, sources);
        else if (word.kind === 'host') sources.push(...hostsIn(word.text));
      }
    }
    for (const { keyword, source } of requires ?? [])
      for (const { value } of readWords(source).slice(0, 20)) {
        if (keyword === 'user') users.push({ user: value, groups: new Set() });
        else if (keyword === 'group') users.push({ user: '\x02', groups: new Set([value]) });
      }
  }
  for (const { node, inner } of met.flatMap(({ only24, lines24, reading }) =>
    only24 > 0 || reading === 'compat' ? lines24 : [],
  )) {
    for (const { section } of inner)
      if (section.key.startsWith('limit')) for (const { value } of section.args) methods.add(value);
    const words = readWords(node.kind === 'directive' ? node.rest : '').map(({ value }) => value);
    if (words[0]?.toLowerCase() === 'not') words.shift();
    const [provider = '', ...args] = words;
    for (const value of args.slice(0, 20)) {
      if (sources.length > MAX_ADDRESSES) break;
      if (provider === 'ip') addAddress(value, sources);
      else if (provider === 'host') sources.push(...hostsIn(value));
      else if (provider === 'env') variables.add(value.toLowerCase());
      else if (provider === 'user') users.push({ user: value, groups: new Set() });
      else if (provider === 'group') users.push({ user: '\x02', groups: new Set([value]) });
      else if (provider === 'method') methods.add(value);
    }
  }
  // Where methods are named, one that is not stands for all others.
  const other = methods.size === 0 ? 'POST' : OTHERS.find((name) => !methods.has(name));
  for (const name of ['GET', 'POST', other]) if (name !== undefined) methods.add(name);
  const environments = [[], ...[...variables].map((name) => [name]), [...variables]].map(
    (list) => new Set(list),
  );
  const tls = met.some(({ own }) => own.ssl !== undefined) ? [true, false] : [true];
  return { methods: [...methods], sources, environments, users, tls };
}

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

/** {@link clientsFrom} what the sections met look at. */
export function clientsOf(met: readonly Scope[], most: number): Client[] {
  return clientsFrom(axesOf(met), most);
}

function addAddress(word: string, sources: { address: string; host: string | undefined }[]): void {
  sources.push({ address: addressIn(word) ?? '203.0.113.78', host: undefined });
}

const OTHERS = ['OPTIONS', 'DELETE', 'PROPFIND', 'PATCH', 'PUT', 'MKCOL', 'LOCK'];

function addMethods(mask: MethodMask, methods: Set<string>): void {
  for (const name of mask.names) methods.add(name);
}

function hostsIn(domain: string): { address: string; host: string }[] {
  const below = `w${domain.startsWith('.') ? '' : '.'}${domain}`;
  return [
    { address: '203.0.113.79', host: below },
    { address: '203.0.113.80', host: domain },
  ];
}
