import { Branches } from './branches';
import { mutated } from './mutant-tests';
import type { Opening, MeasuredServer } from './openings';
import type { Mutant } from './operators';
import type { WorkerProcess } from './worker-process';

/** So many servers of those that run the code of a mutant are converted with it. */
const MAX_SERVERS = 8;

/** The servers that mutants convert: in which of them somebody gets in whom 2.2 refused, without the judge and with it. */
export class MutantServers {
  readonly #root: string;
  readonly #unchecked: boolean;
  readonly #worker: WorkerProcess;
  readonly #branches: Branches;
  #servers: readonly MeasuredServer[] = [];
  #from: { readonly seed: number; readonly servers: number } = { seed: 0, servers: 0 };

  /**
   * @param sources the files that mutants are made of
   * @param unchecked without the models of src/access, too
   */
  constructor(root: string, worker: WorkerProcess, sources: readonly string[], unchecked: boolean) {
    this.#root = root;
    this.#unchecked = unchecked;
    this.#worker = worker;
    this.#branches = new Branches(root, sources);
  }

  /** @param count of each kind of server */
  async measure(seed: number, count: number): Promise<void> {
    const { texts, count: hitCount } = this.#branches;
    this.#from = { seed, servers: count };
    const answer = await this.#worker.ask({ kind: 'measure servers', ...this.#from, texts, hitCount });
    if (answer?.kind !== 'servers') throw new Error('the servers are not converted without a mutant, either');
    this.#servers = answer.servers;
  }

  /**
   * @returns the openings, how many servers become something else, in how many an error tells of an opening, and of how many that
   * were tried. What does not end writes nothing.
   */
  async try(
    mutant: Mutant,
  ): Promise<{ openings: readonly Opening[]; changed: number; told: number; count: number }> {
    const running = this.#servers.filter(this.#branches.mayRun(mutant));
    // The quickest of each kind by turns: what differs in kind may show what others do not.
    const names = byTurns(running).slice(0, MAX_SERVERS);
    const answer = await this.#worker.ask({
      kind: 'open',
      names,
      unchecked: this.#unchecked,
      texts: [mutated(this.#root, mutant)],
    });
    if (answer?.kind === 'opened') return { ...answer, count: names.length };
    // The process that knew the servers has been ended.
    await this.measure(this.#from.seed, this.#from.servers);
    return { openings: [], changed: 0, told: 0, count: names.length };
  }
}

function byTurns(servers: readonly MeasuredServer[]): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { name } of servers.toSorted((a, b) => a.milliseconds - b.milliseconds)) {
    const kind = name.replace(/-.*/, '');
    const list = kinds.get(kind);
    if (list === undefined) kinds.set(kind, [name]);
    else list.push(name);
  }
  const most = Math.max(0, ...[...kinds.values()].map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => [...kinds.values()].flatMap((list) => list[i] ?? [])).flat();
}
