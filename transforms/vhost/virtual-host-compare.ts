import type { Directive } from '../../src/syntax';
import {
  type Address,
  type VhostLines,
  isNumeric,
  isWildcard,
  type VhostLine,
  type Port,
  type Question,
  readAddress,
  type Selection,
  tables22,
  tables24,
  type VirtualHost,
} from './virtual-host-tables';
import { getOrInsert } from '../../src/maps';

/** Stands for the addresses and ports that no line names. */
export const OTHER = 'other';

/** Requests for which 2.2 and 2.4 select different virtual hosts. */
export interface Difference {
  readonly host: string;
  readonly port: Port;
  readonly on22: Selection<VirtualHost>;
  readonly on24: Selection<VirtualHost>;
  /** The NameVirtualHost lines for the address of these requests. */
  readonly nameLines: readonly Directive[];
  /** The virtual hosts that 2.4 uses for these requests and 2.2 did not. */
  readonly newHosts: ReadonlySet<VirtualHost>;
  readonly unusedIn22: ReadonlySet<VirtualHost>;
  /** Whether some of these requests get another server, a virtual host or the main server, than in 2.2. */
  readonly opens: boolean;
  readonly falseConditions: Assignment;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Addresses that are assumed to differ, although a resolver or the environment may make them the same. */
  readonly assumedDistinct: readonly Address[];
  /** False if there are too many conditionals to try all combinations. */
  readonly complete: boolean;
}

/** Compares what the two versions choose, for every request that can make a difference. */
export function compare(lines: readonly VhostLine[], listensKnown: boolean): Comparison {
  const combinations = assignments(lines);
  const scenarios = resolutions(lines).flatMap((localhost) =>
    combinations.all.map((falseConditions) => ({ falseConditions, localhost })),
  );
  const differences = new Map<string, Difference>();
  const assumedDistinct = new Map<string, Address>();
  for (const { falseConditions, localhost } of scenarios) {
    const lines22 = replay(lines, '2.2', falseConditions, localhost);
    const lines24 = replay(lines, '2.4', falseConditions, localhost);
    const addresses = [...addressesOf(lines22), ...addressesOf(lines24)];
    for (const address of uncertainAddresses(addresses))
      assumedDistinct.set(`${address.host}:${address.port}`, address);
    const [select22, select24] = [tables22(lines22), tables24(lines24)];
    const probes = probesOf(
      addresses,
      listensKnown ? listenedTo([...lines22.listens, ...lines24.listens]) : undefined,
    );
    const answers = probes.map(([host, port]) => ({
      host,
      port,
      on22: select22(host, port),
      on24: select24(host, port),
    }));
    const portsOfUnnamedAddresses = new Set(
      answers.filter(({ host }) => host === OTHER).map(({ port }) => port),
    );
    const usedIn22 = new Set(answers.flatMap(({ on22 }) => [on22.host, ...on22.named]));
    for (const answer of answers) {
      const { host, port, on22, on24 } = answer;
      const key = `${host} ${port}`;
      if (differences.has(key) || isSameSelection(on22, on24)) continue;
      const wildcard = on22.wildcard && on24.wildcard;
      // The same as for any other address, and reported there.
      if (wildcard && host !== OTHER && portsOfUnnamedAddresses.has(port)) continue;
      const nameLines = lines22.names
        .filter(({ address }) => matches(address, host, port, on22.wildcard || on24.wildcard))
        .map(({ nameLine }) => nameLine);
      const hosts22 = new Set([on22.host, ...on22.named]);
      const hosts24 = [on24.host, ...on24.named].filter((chosen) => chosen !== undefined);
      const newHosts = new Set(hosts24.filter((chosen) => !hosts22.has(chosen)));
      const unusedIn22 = new Set([...newHosts].filter((chosen) => !usedIn22.has(chosen)));
      const opens = changesServer(on22, on24);
      differences.set(key, { ...answer, nameLines, newHosts, unusedIn22, opens, falseConditions });
    }
  }
  return {
    differences: [...differences.values()],
    assumedDistinct: [...assumedDistinct.values()],
    complete: combinations.complete,
  };
}

function addressesOf({ names, hosts }: Replay): Address[] {
  return [...names.map((name) => name.address), ...hosts.flatMap((host) => host.addresses)];
}

function isSameSelection(a: Selection<VirtualHost>, b: Selection<VirtualHost>): boolean {
  return (
    a.host === b.host && a.named.length === b.named.length && a.named.every((host, i) => host === b.named[i])
  );
}

/** Whether requests with some name, or with none of the names, get another server. */
function changesServer(on22: Selection<VirtualHost>, on24: Selection<VirtualHost>): boolean {
  const serverFor = ({ host, named }: Selection<VirtualHost>, name: VirtualHost | undefined) =>
    name !== undefined && named.includes(name) ? name : host;
  return [undefined, ...on22.named, ...on24.named].some(
    (name) => serverFor(on22, name) !== serverFor(on24, name),
  );
}

function matches(address: Address, host: string, port: Port, wildcard: boolean): boolean {
  if (address.port !== 0 && address.port !== port) return false;
  return address.host === host || (wildcard && isWildcard(address.host));
}

/** Every address with every port of the configuration, and with each one that stands for all others. */
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

/** Where the server listens; undefined if that is not fully known. */
function listenedTo(words: readonly string[]): Address[] | undefined {
  const addresses: Address[] = [];
  for (const word of words) {
    const address = readAddress(/^[0-9]+$/.test(word) ? `*:${word}` : word, 0);
    if (address === undefined || address.uncertainty !== 'no' || address.port === 0) return undefined;
    addresses.push(address);
  }
  return addresses.length === 0 ? undefined : addresses;
}

/** The addresses that may be the same as another one that is written differently. */
function uncertainAddresses(all: readonly Address[]): Address[] {
  const distinct = [...new Map(all.map((address) => [`${address.host}:${address.port}`, address])).values()];
  return distinct.filter(
    (address) =>
      address.uncertainty !== 'no' &&
      distinct.some((other) => other !== address && mayBeSame(address, other)),
  );
}

function mayBeSame(uncertain: Address, other: Address): boolean {
  const samePort = uncertain.port === 0 || other.port === 0 || uncertain.port === other.port;
  if (uncertain.uncertainty === 'name')
    return samePort && uncertain.host !== other.host && !isWildcard(other.host);
  return samePort || typeof uncertain.port === 'string' || typeof other.port === 'string';
}

/** With more undecided conditionals than this, not every combination is tried. */
const MAX_QUESTIONS = 6;

/** One combination of the undecided conditionals: the keys of those that do not hold. */
type Assignment = ReadonlySet<string>;

interface Replay extends VhostLines<VirtualHost, Directive> {
  /** The first arguments of its Listen lines. */
  readonly listens: readonly string[];
}

/** The combinations of the undecided conditionals around these lines. The first is the one in which all hold. */
function assignments(lines: readonly VhostLine[]): { all: Assignment[]; complete: boolean } {
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
 * The addresses that `localhost` may have: 127.0.0.1 on every server, and on many also ::1. A line that names it is then for both
 * (2.2 and 2.4 server/vhost.c: get_addresses).
 */
function resolutions(lines: readonly VhostLine[]): readonly (readonly string[])[] {
  const named = lines.some(
    ({ kind, words }) =>
      (kind === 'name' || kind === 'host') && words.some((word) => /^localhost\b/i.test(word)),
  );
  return named ? [['127.0.0.1'], ['127.0.0.1', '[::1]']] : [[]];
}

/** What one version makes of the lines it reads. @param localhost the addresses of that name */
function replay(
  lines: readonly VhostLine[],
  version: '2.2' | '2.4',
  falseConditions: Assignment,
  localhost: readonly string[],
): Replay {
  const names: { nameLine: Directive; address: Address }[] = [];
  const hosts: { host: VirtualHost; addresses: Address[] }[] = [];
  const listens: string[] = [];
  let mainPort: Port = 0;
  // Most virtual hosts have the same address.
  const addressesByWord = new Map<string, readonly Address[]>();
  const addressesFor = (word: string, port: Port): readonly Address[] => {
    const key = `${port} ${word}`;
    return getOrInsert(addressesByWord, key, () => withLocalhost(readAddress(word, port), localhost));
  };
  for (const line of lines) {
    if (!line.questions.every((question) => holds(question, version, falseConditions))) continue;
    if (line.kind === 'port') mainPort = line.port;
    else if (line.kind === 'listen') listens.push(line.words[0] ?? '');
    else if (line.kind === 'host') {
      const addresses = line.words.flatMap((word) => addressesFor(word, mainPort));
      hosts.push({ host: line.host, addresses });
    } else {
      // Inside a virtual host, the port of that virtual host counts.
      const enclosingHost =
        line.inside === undefined
          ? undefined
          : hosts.findLast((virtualHost) => virtualHost.host.section === line.inside);
      for (const address of addressesFor(line.words[0] ?? '', enclosingHost?.addresses[0]?.port || mainPort))
        names.push({ nameLine: line.node, address });
    }
  }
  return { names, hosts, listens };
}

function withLocalhost(address: Address | undefined, localhost: readonly string[]): readonly Address[] {
  if (address?.host !== 'localhost') return address === undefined ? [] : [address];
  const uncertainty = address.uncertainty === 'name' ? 'no' : address.uncertainty;
  return localhost.map((host) => ({ ...address, host, uncertainty }));
}

function holds(
  { key, negated, on22, on24 }: Question,
  version: '2.2' | '2.4',
  falseConditions: Assignment,
): boolean {
  return (version === '2.2' ? on22 : on24) ?? falseConditions.has(key) === negated;
}
