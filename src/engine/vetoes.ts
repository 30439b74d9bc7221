import type { ConfigFile, ConfigTree, ShutFile } from '../config';
import { judge, type Veto } from '../judge';
import type { Applied } from './apply-checked';
import type { AttemptOptions, Finding, Outcome, Withdrawal } from './types';

/** A request that the versions answer differently. */
type MadeDifference = Withdrawal | Veto<Outcome>;

/** How often a run is made again for the sake of single files. */
const MAX_ROUNDS = 12;

/**
 * What the judge has refused so far. It is asked about each result anew, for what goes may leave something else exposed. Where a
 * `.htaccess` makes the difference, that file alone is decided anew, so that it lets nobody in. All that the request meets is
 * taken back only if that does not help.
 */
export class Vetoes {
  readonly #files: ReadonlySet<ConfigFile>;
  /** What one user writes must not keep that of others from being converted. */
  readonly #isServer: boolean;
  /** By finding, in the tree as it was given. */
  readonly #why = new Map<string, string>();
  /** By rule and file, for the runs over a result, in which nothing stands where it stood. */
  readonly #inResult = new Map<string, string>();
  #rounds = 0;

  /** @param shut the `.htaccess` files that are to let nobody in, by path: they are added here */
  constructor(
    { files, isServer }: ConfigTree,
    private readonly shut: Map<string, ShutFile>,
  ) {
    this.#files = new Set(files);
    this.#isServer = isServer;
  }

  /** @returns whether files are decided anew by what checks have taken back of a run */
  refusesWithdrawn({ outcomes, withdrawals = [] }: Applied): boolean {
    const withdrawn = withdrawals.filter((withdrawal) => this.#isForFiles(withdrawal, outcomes));
    return withdrawn.length > 0 && this.#decideAnew(withdrawn);
  }

  /**
   * Asks about a result.
   * @returns whether anything is refused that has not been refused before
   */
  refuses(tree: ConfigTree, result: Applied): boolean {
    if (this.refusesWithdrawn(result)) return true;
    const { after, outcomes } = result;
    if (after === undefined) return false;
    const { vetoes } = judge(tree, after, outcomes);
    // Where several runs have made it, the edits of all may be in one of them.
    const applied = outcomes.filter(({ status }) => status === 'applied');
    const ofAll = vetoes.filter((veto) => !this.#isForFiles(veto, applied));
    if (ofAll.length > 0) return this.#takeBackAll(ofAll);
    return this.#decideAnew(vetoes);
  }

  /** For {@link AttemptOptions.vetoOf}. */
  readonly of = (finding: Finding): string | undefined =>
    this.#files.has(finding.file) ? this.#why.get(keyOf(finding)) : this.#inResult.get(placeOf(finding));

  addTo(options: AttemptOptions): AttemptOptions {
    return this.#why.size === 0 ? options : { ...options, vetoOf: this.of };
  }

  #takeBackAll(vetoes: readonly Veto<Outcome>[]): boolean {
    const before = this.#why.size;
    for (const { changes, why, madeBy } of vetoes) {
      // What has been shut alone has not been enough.
      for (const path of madeBy) this.shut.delete(path);
      for (const change of changes) this.#takeBack(change, why);
    }
    return this.#why.size > before;
  }

  #takeBack(change: Finding, why: string): void {
    if (!this.#why.has(keyOf(change))) this.#why.set(keyOf(change), why);
    this.#inResult.set(placeOf(change), why);
  }

  /**
   * Whether there is something left to try with the files that make a difference. Where somebody gets in by what is decided of
   * all that a request meets, that may be wrong elsewhere, too.
   */
  #isForFiles(difference: MadeDifference, edited: readonly Outcome[]): boolean {
    const { madeBy = [], opens = false, isOwn = false } = difference;
    if (!this.#isServer || madeBy.length === 0 || this.#rounds >= MAX_ROUNDS) return false;
    const ofFiles = edited.filter(({ file, edits }) => edits.length > 0 && madeBy.includes(file.path));
    const isJoined = ofFiles.some(({ group }) => group !== undefined);
    // What stays as it is lets somebody in by its own lines.
    const isByItself =
      ofFiles.length === 0 || (isOwn && !isJoined) || ofFiles.some(({ group }) => group === undefined);
    return madeBy.some((path) => this.shut.get(path)?.isWhole !== true) && (!opens || isByItself);
  }

  /** @returns whether there is any */
  #decideAnew(differences: readonly MadeDifference[]): boolean {
    this.#rounds++;
    const shut = new Map(this.shut);
    // What shuts some of its sections may not be enough.
    for (const { madeBy = [], why } of differences)
      for (const path of madeBy)
        this.shut.set(path, { why: shut.get(path)?.why ?? why, isWhole: shut.has(path) });
    return differences.length > 0;
  }
}

function placeOf({ rule, file }: Finding): string {
  return `${rule}\n${file.path}`;
}

function keyOf(finding: Finding): string {
  return `${placeOf(finding)}\n${finding.group ?? finding.at}`;
}
