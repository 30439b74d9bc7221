import { detached } from '../access/replay';
import { type ConfigTree, hostAround, visitTree } from '../config';
import type { Outcome, SeenRequest } from '../engine/types';
import { getOrInsert, memo } from '../maps';
import type { Section } from '../syntax';

/** A finding that can tell which requests it is about. */
export interface ConcernedFinding {
  readonly outcome: Outcome;
  readonly concerns: (request: SeenRequest) => boolean;
  /** The virtual host that its line stands in; undefined for one that is for all. */
  readonly host: Section | undefined;
}

/** Targets of which it is remembered what they concern. */
const MOST_REMEMBERED = 20_000;
const MAX_REMEMBERED_LENGTH = 300;

/** The findings of a run that are about some requests, asked about each request. */
export class ConcernedFindings {
  readonly all: readonly ConcernedFinding[];
  readonly #known = new Map<string, readonly ConcernedFinding[]>();

  constructor(outcomes: readonly Outcome[]) {
    this.all = outcomes.flatMap((outcome) => {
      const { concerns, status } = outcome;
      return concerns === undefined || status === 'ignored' ? [] : [{ outcome, concerns, host: hostInFile(outcome) }];
    });
  } // prettier-ignore

  /** @param host the server that answers; undefined where that is not known, or for the main server */
  of(request: SeenRequest, host: Section | undefined): readonly ConcernedFinding[] {
    if (this.all.length === 0) return NONE;
    const { method, target, status, protocol, isMalformed } = request;
    if (target.length > MAX_REMEMBERED_LENGTH) return this.#ask(request, host);
    const key = `${host?.start ?? ''} ${method} ${status} ${protocol} ${isMalformed} ${target}`;
    let found = this.#known.get(key);
    if (found !== undefined) return found;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    found = this.#ask(request, host);
    this.#known.set(detached(key), found);
    return found;
  }

  #ask(request: SeenRequest, host: Section | undefined): readonly ConcernedFinding[] {
    const found = this.all.filter(
      (finding) =>
        (finding.host === undefined || host === undefined || finding.host === host) && finding.concerns(request),
    );
    return found.length === 0 ? NONE : found;
  } // prettier-ignore
}

const NONE: readonly ConcernedFinding[] = [];

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
}); // prettier-ignore

/** The virtual host around the line of a finding, as far as its file shows. */
function hostInFile({ file, at }: Outcome): Section | undefined {
  let { body } = file.document;
  for (;;) {
    const around = body.find((node) => node.kind === 'section' && node.start <= at && at < node.end);
    if (around?.kind !== 'section' || around.key === 'virtualhost') return around as Section | undefined;
    ({ body } = around);
  }
}
