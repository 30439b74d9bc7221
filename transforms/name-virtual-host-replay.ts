import type { Directive } from '../src/syntax';
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

/** What one version makes of the lines it reads. */
export function replay(lines: readonly Line[], version: '2.2' | '2.4', without: Assignment): Replay {
  const names: { by: Directive; address: Address }[] = [];
  const hosts: { host: VirtualHost; addresses: Address[] }[] = [];
  const listens: string[] = [];
  let main: Port = 0;
  // Most virtual hosts have the same address.
  const known = new Map<string, Address | undefined>();
  const read = (word: string, port: Port): Address | undefined => {
    const key = `${port} ${word}`;
    if (!known.has(key)) known.set(key, readAddress(word, port));
    return known.get(key);
  };
  for (const line of lines) {
    if (!line.questions.every((question) => holds(question, version, without))) continue;
    if (line.kind === 'port') main = line.port;
    else if (line.kind === 'listen') listens.push(line.words[0] ?? '');
    else if (line.kind === 'host') {
      const addresses = line.words.flatMap((word) => read(word, main) ?? []);
      hosts.push({ host: line.host, addresses });
    } else {
      // Inside a virtual host it is that one's port that counts.
      const own =
        line.inside === undefined ? undefined : hosts.findLast((one) => one.host.section === line.inside);
      const address = read(line.words[0] ?? '', own?.addresses[0]?.port || main);
      if (address !== undefined) names.push({ by: line.node, address });
    }
  }
  return { names, hosts, listens };
}

function holds({ key, negated, on22, on24 }: Question, version: '2.2' | '2.4', without: Assignment): boolean {
  return (version === '2.2' ? on22 : on24) ?? without.has(key) === negated;
}
