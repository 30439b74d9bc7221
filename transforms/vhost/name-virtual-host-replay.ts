import type { Directive } from '../../src/syntax';
import { type Address, type Port, readAddress } from './name-virtual-host-address';
import type { Line, Question, VirtualHost } from './name-virtual-host-read';
import type { Given } from './name-virtual-host-tables';

/** More undecided conditionals than this are not tried in every combination. */
const MAX_QUESTIONS = 6;

/** One way in which the undecided conditionals may turn out: the keys of those that do not hold. */
export type Assignment = ReadonlySet<string>;

export interface Replay extends Given<VirtualHost, Directive> {
  /** The first arguments of its Listen lines. */
  readonly listens: readonly string[];
}

/** Every way the undecided conditionals around these lines may turn out, the one where all hold first. */
export function assignments(lines: readonly Line[]): { all: Assignment[]; complete: boolean } {
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
export function resolutions(lines: readonly Line[]): readonly (readonly string[])[] {
  const named = lines.some(
    ({ kind, words }) =>
      (kind === 'name' || kind === 'host') && words.some((word) => /^localhost\b/i.test(word)),
  );
  return named ? [['127.0.0.1'], ['127.0.0.1', '[::1]']] : [[]];
}

/** What one version makes of the lines it reads. @param localhost the addresses of that name */
export function replay(
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
      known.set(key, (addresses = addressesOf(readAddress(word, port), localhost)));
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

function addressesOf(address: Address | undefined, localhost: readonly string[]): readonly Address[] {
  if (address?.host !== 'localhost') return address === undefined ? [] : [address];
  const open = address.open === 'name' ? 'no' : address.open;
  return localhost.map((host) => ({ ...address, host, open }));
}

function holds({ key, negated, on22, on24 }: Question, version: '2.2' | '2.4', without: Assignment): boolean {
  return (version === '2.2' ? on22 : on24) ?? without.has(key) === negated;
}
