import { type ServersReaching, detached } from '../access/replay';
import { type ConfigTree, hostAround, visitTree } from '../config';
import type { Outcome, RequestTest, SeenRequest } from '../engine/types';
import { addTo, getOrInsert, memo } from '../maps';
import { type Section, appendAll, firstWhere } from '../syntax';

/** A finding, and the servers whose requests it can be about; undefined stands for all. */
interface ConcernedFinding {
  readonly outcome: Outcome;
  readonly hosts: ReadonlySet<Section | undefined> | undefined;
}

/** A rule may have one test for many findings: it is asked once. */
type OutcomesByTest = ReadonlyMap<RequestTest, readonly Outcome[]>;

/** Targets of which it is remembered what they concern. */
const MOST_REMEMBERED = 20_000;
const MAX_REMEMBERED_LENGTH = 300;

/** The findings of a run that are about some requests, asked about each request. */
export class ConcernedFindings {
  readonly #all: readonly ConcernedFinding[];
  readonly #byHost = new Map<Section | undefined, OutcomesByTest>();
  readonly #remembered = new Map<string, readonly Outcome[]>();
  readonly #numbers = new Map<Section | undefined, number>();

  constructor(outcomes: readonly Outcome[], reaching: ServersReaching) {
    const telling = outcomes.filter(({ concerns, status }) => concerns !== undefined && status !== 'ignored');
    this.#all = telling.map((outcome) => {
      const { file, isAboutMissing, isForMore } = outcome;
      if (isAboutMissing === true || isForMore === true) return { outcome, hosts: undefined };
      const host = hostInFile(outcome);
      return { outcome, hosts: host === undefined ? reaching(file) : new Set([host]) };
    });
  }

  /** @param host the server that answers; undefined where that is not known, or for the main server */
  of(request: SeenRequest, host: Section | undefined): readonly Outcome[] {
    if (this.#all.length === 0) return NONE;
    const { method, target, status, protocol, isMalformed } = request;
    if (target.length > MAX_REMEMBERED_LENGTH) return this.#ask(request, host);
    const server = getOrInsert(this.#numbers, host, () => this.#numbers.size);
    const key = `${server} ${method} ${status} ${protocol} ${isMalformed} ${target}`;
    let found = this.#remembered.get(key);
    if (found !== undefined) return found;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    found = this.#ask(request, host);
    this.#remembered.set(detached(key), found);
    return found;
  }

  #ask(request: SeenRequest, host: Section | undefined): readonly Outcome[] {
    const found: Outcome[] = [];
    for (const [test, outcomes] of getOrInsert(this.#byHost, host, () => this.#testsFor(host)))
      if (test(request)) appendAll(found, outcomes);
    return found.length === 0 ? NONE : found;
  }

  #testsFor(host: Section | undefined): OutcomesByTest {
    const byTest = new Map<RequestTest, Outcome[]>();
    for (const { outcome, hosts } of this.#all)
      if (host === undefined || hosts?.has(host) !== false) addTo(byTest, outcome.concerns!, outcome);
    return byTest;
  }
}

const NONE: readonly Outcome[] = [];

/** The virtual hosts whose lines a finding is about, and those that include its file; undefined stands for the main server. */
export function hostsOf(outcome: Outcome, tree: ConfigTree): readonly (Section | undefined)[] {
  return [hostInFile(outcome), ...(includedIn(tree).get(outcome.file.path) ?? NO_HOSTS)];
}

const NO_HOSTS: ReadonlySet<Section | undefined> = new Set();

const includedIn = memo((tree: ConfigTree) => {
  const hosts = new Map<string, Set<Section | undefined>>();
  visitTree(tree, (node, { chain }) => {
    if (node.kind !== 'directive') return;
    for (const { path } of tree.includes.get(node) ?? [])
      getOrInsert(hosts, path, () => new Set()).add(hostAround(chain));
  });
  return hosts;
});

/** The virtual host around the line of a finding, as far as its file shows. */
function hostInFile({ file, at }: Outcome): Section | undefined {
  let { body } = file.document;
  for (;;) {
    const around = body[firstWhere(body, ({ end }) => at < end)];
    if (around?.kind !== 'section') return undefined;
    if (around.key === 'virtualhost') return around;
    ({ body } = around);
  }
}
