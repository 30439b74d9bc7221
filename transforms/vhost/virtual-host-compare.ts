import type { Directive } from '../../src/syntax';
import {
  type Address,
  type Given,
  isNumeric,
  isWildcard,
  type Line,
  type Port,
  type Question,
  readAddress,
  type Selection,
  tables22,
  tables24,
  type VirtualHost,
} from './virtual-host-tables';

/** Stands for the addresses, and the ports, that no line names. */
export const OTHER = 'other';

/** Requests for which 2.2 and 2.4 choose among the virtual hosts in different ways. */
export interface Difference {
  readonly host: string;
  readonly port: Port;
  readonly on22: Selection<VirtualHost>;
  readonly on24: Selection<VirtualHost>;
  /** The NameVirtualHost lines that speak of these requests. */
  readonly by: readonly Directive[];
  /** Virtual hosts that 2.4 uses here, and 2.2 did not: who comes this way was kept from them. */
  readonly fresh: ReadonlySet<VirtualHost>;
  /** Those of them that 2.2 used nowhere. */
  readonly dead: ReadonlySet<VirtualHost>;
  /** Whether 2.4 leads to any server here to which 2.2 did not: a virtual host, or the main server. */
  readonly opens: boolean;
  readonly without: Assignment;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Addresses that are taken for different ones, though a resolver or the environment may say otherwise. */
  readonly assumed: readonly Address[];
  /** False where there were too many conditionals to try all ways. */
  readonly complete: boolean;
}

/** Compares what the two versions choose, for every request that can make a difference. */
export function compare(lines: readonly Line[], listens: boolean): Comparison {
  const ways = assignments(lines);
  const worlds = resolutions(lines).flatMap((localhost) =>
    ways.all.map((without) => ({ without, localhost })),
  );
  const differences = new Map<string, Difference>();
  const assumed = new Map<string, Address>();
  for (const { without, localhost } of worlds) {
    const given22 = replay(lines, '2.2', without, localhost);
    const given24 = replay(lines, '2.4', without, localhost);
    const all = [...addressesOf(given22), ...addressesOf(given24)];
    for (const address of openOnes(all)) assumed.set(`${address.host}:${address.port}`, address);
    const [select22, select24] = [tables22(given22), tables24(given24)];
    const probes = probesOf(all, listens ? listenedTo([...given22.listens, ...given24.listens]) : undefined);
    const answers = probes.map(([host, port]) => ({
      host,
      port,
      on22: select22(host, port),
      on24: select24(host, port),
    }));
    const others = new Set(answers.filter(({ host }) => host === OTHER).map(({ port }) => port));
    const alive = new Set(answers.flatMap(({ on22 }) => [on22.host, ...on22.named]));
    for (const answer of answers) {
      const { host, port, on22, on24 } = answer;
      const key = `${host} ${port}`;
      if (differences.has(key) || isSame(on22, on24)) continue;
      const wildcard = on22.wildcard && on24.wildcard;
      // Answered like any other address, and told there.
      if (wildcard && host !== OTHER && others.has(port)) continue;
      const by = given22.names
        .filter(({ address }) => speaksOf(address, host, port, on22.wildcard || on24.wildcard))
        .map((name) => name.by);
      const before = new Set([on22.host, ...on22.named]);
      const chosen = [on24.host, ...on24.named].filter((one) => one !== undefined);
      const fresh = new Set(chosen.filter((one) => !before.has(one)));
      const dead = new Set([...fresh].filter((one) => !alive.has(one)));
      const opens = fresh.size > 0 || (on24.host === undefined && on22.host !== undefined);
      differences.set(key, { ...answer, by, fresh, dead, opens, without });
    }
  }
  return { differences: [...differences.values()], assumed: [...assumed.values()], complete: ways.complete };
}

function addressesOf({ names, hosts }: Replay): Address[] {
  return [...names.map((name) => name.address), ...hosts.flatMap((host) => host.addresses)];
}

function isSame(a: Selection<VirtualHost>, b: Selection<VirtualHost>): boolean {
  return (
    a.host === b.host && a.named.length === b.named.length && a.named.every((one, i) => one === b.named[i])
  );
}

function speaksOf(address: Address, host: string, port: Port, wildcard: boolean): boolean {
  if (address.port !== 0 && address.port !== port) return false;
  return address.host === host || (wildcard && isWildcard(address.host));
}

/** Every address and port of the configuration, and one of each that it does not name. */
function probesOf(all: readonly Address[], listens: readonly Address[] | undefined): [string, Port][] {
  const hosts = new Set(all.map(({ host }) => host).filter((host) => !isWildcard(host)));
  const ports = new Set(all.map(({ port }) => port).filter((port) => port !== 0));
  const probes = [OTHER, ...hosts].flatMap((host) =>
    [...ports, OTHER].map((port): [string, Port] => [host, port]),
  );
  if (listens === undefined) return probes;
  return probes.filter(([host, port]) =>
    listens.some(
      (listen) =>
        (port === OTHER ? !ports.has(listen.port) : typeof port === 'string' || listen.port === port) &&
        (isWildcard(listen.host) ||
          listen.host === host ||
          (host === OTHER ? !hosts.has(listen.host) : !isNumeric(host))),
    ),
  );
}

/** Where the server listens; undefined if that is not wholly known. */
function listenedTo(words: readonly string[]): Address[] | undefined {
  const found: Address[] = [];
  for (const word of words) {
    const address = readAddress(/^[0-9]+$/.test(word) ? `*:${word}` : word, 0);
    if (address === undefined || address.open !== 'no' || address.port === 0) return undefined;
    found.push(address);
  }
  return found.length === 0 ? undefined : found;
}

/** The addresses that might be the same as another that is written differently. */
function openOnes(all: readonly Address[]): Address[] {
  const distinct = [...new Map(all.map((one) => [`${one.host}:${one.port}`, one])).values()];
  return distinct.filter(
    (one) => one.open !== 'no' && distinct.some((other) => other !== one && mayMeet(one, other)),
  );
}

function mayMeet(open: Address, other: Address): boolean {
  const samePort = open.port === 0 || other.port === 0 || open.port === other.port;
  if (open.open === 'name') return samePort && open.host !== other.host && !isWildcard(other.host);
  return samePort || typeof open.port === 'string' || typeof other.port === 'string';
}

/** More undecided conditionals than this are not tried in every combination. */
const MAX_QUESTIONS = 6;

/** One way in which the undecided conditionals may turn out: the keys of those that do not hold. */
type Assignment = ReadonlySet<string>;

interface Replay extends Given<VirtualHost, Directive> {
  /** The first arguments of its Listen lines. */
  readonly listens: readonly string[];
}

/** Every way the undecided conditionals around these lines may turn out, the one where all hold first. */
function assignments(lines: readonly Line[]): { all: Assignment[]; complete: boolean } {
  const keys = new Set<string>();
  for (const { questions } of lines) {
    for (const { key, on22, on24 } of questions) if (on22 === undefined || on24 === undefined) keys.add(key);
  }
  const names = [...keys];
  if (names.length > MAX_QUESTIONS)
    return {
      all: [new Set(), ...names.map((name) => new Set([name])), new Set(names)],
      complete: false,
    };
  const all = Array.from(
    { length: 2 ** names.length },
    (_, bits) => new Set(names.filter((_name, index) => (bits >> index) & 1)),
  );
  return { all, complete: true };
}

/**
 * What `localhost` may lead to: it is 127.0.0.1 on every server, and on many ::1 as well, when a line that names it is for both (2.2 and
 * 2.4 server/vhost.c: get_addresses).
 */
function resolutions(lines: readonly Line[]): readonly (readonly string[])[] {
  const named = lines.some(
    ({ kind, words }) =>
      (kind === 'name' || kind === 'host') && words.some((word) => /^localhost\b/i.test(word)),
  );
  return named ? [['127.0.0.1'], ['127.0.0.1', '[::1]']] : [[]];
}

/** What one version makes of the lines it reads. @param localhost the addresses of that name */
function replay(
  lines: readonly Line[],
  version: '2.2' | '2.4',
  without: Assignment,
  localhost: readonly string[],
): Replay {
  const names: { by: Directive; address: Address }[] = [];
  const hosts: { host: VirtualHost; addresses: Address[] }[] = [];
  const listens: string[] = [];
  let main: Port = 0;
  // Most virtual hosts have the same address.
  const known = new Map<string, readonly Address[]>();
  const read = (word: string, port: Port): readonly Address[] => {
    const key = `${port} ${word}`;
    let addresses = known.get(key);
    if (addresses === undefined)
      known.set(key, (addresses = withLocalhost(readAddress(word, port), localhost)));
    return addresses;
  };
  for (const line of lines) {
    if (!line.questions.every((question) => holds(question, version, without))) continue;
    if (line.kind === 'port') main = line.port;
    else if (line.kind === 'listen') listens.push(line.words[0] ?? '');
    else if (line.kind === 'host') {
      const addresses = line.words.flatMap((word) => read(word, main));
      hosts.push({ host: line.host, addresses });
    } else {
      // Inside a virtual host it is that one's port that counts.
      const own =
        line.inside === undefined ? undefined : hosts.findLast((one) => one.host.section === line.inside);
      for (const address of read(line.words[0] ?? '', own?.addresses[0]?.port || main))
        names.push({ by: line.node, address });
    }
  }
  return { names, hosts, listens };
}

function withLocalhost(address: Address | undefined, localhost: readonly string[]): readonly Address[] {
  if (address?.host !== 'localhost') return address === undefined ? [] : [address];
  const open = address.open === 'name' ? 'no' : address.open;
  return localhost.map((host) => ({ ...address, host, open }));
}

function holds({ key, negated, on22, on24 }: Question, version: '2.2' | '2.4', without: Assignment): boolean {
  return (version === '2.2' ? on22 : on24) ?? without.has(key) === negated;
}
