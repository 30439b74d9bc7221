import type { ConfigFile, ConfigTree, ShutFile } from '../config';
import { judge, type Veto } from '../judge';
import type { Applied } from './apply-checked';
import type { AttemptOptions, Finding, Outcome, Transform, Withdrawal } from './types';

/** A request that the versions answer differently. */
type MadeDifference = Withdrawal | Veto<Outcome>;

/** How often a run is made again for the sake of single files. */
const MAX_ROUNDS = 12;

/**
 * What the judge has refused so far. It is asked about each result anew, for what goes may leave something else exposed. Where a
 * `.htaccess` makes the difference, that file alone is decided anew: first without the changes of other rules in it, then so that
 * it lets nobody in. All that the request meets is taken back only if that does not help.
 */
export class Vetoes {
  readonly #files: ReadonlySet<ConfigFile>;
  /** What one user writes must not keep that of others from being converted. */
  readonly #isServer: boolean;
  readonly #ofAccess: ReadonlySet<string>;
  /** By finding, in the tree as it was given. */
  readonly #why = new Map<string, string>();
  /** By rule and file, for the runs over a result, in which nothing stands where it stood. */
  readonly #inResult = new Map<string, string>();
  /** By file: changes in it that are held back to see whether they make the difference. */
  readonly #held = new Map<string, readonly Outcome[]>();
  #rounds = 0;

  /** @param shut the `.htaccess` files that are to let nobody in, by path: they are added here */
  constructor(
    { files, isServer }: ConfigTree,
    transforms: readonly Transform[],
    private readonly shut: Map<string, ShutFile>,
  ) {
    this.#files = new Set(files);
    this.#isServer = isServer;
    this.#ofAccess = new Set(
      transforms.flatMap(({ id, isAboutAccess }) => (isAboutAccess === true ? id : [])),
    );
  }

  /** @returns whether files are decided anew by what checks have taken back of a run */
  refusesWithdrawn({ outcomes, withdrawals = [] }: Applied): boolean {
    const withdrawn = withdrawals.filter((withdrawal) => this.#isForFiles(withdrawal, outcomes));
    return withdrawn.length > 0 && this.#decideAnew(withdrawn, outcomes);
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
    return this.#decideAnew(vetoes, applied);
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
      // What has been held back or shut alone has not been enough.
      for (const path of madeBy) {
        this.#release(path);
        this.shut.delete(path);
      }
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
    if (madeBy.some((path) => this.#mayHold(path, edited).length > 0)) return true;
    const ofFiles = edited.filter(({ file, edits }) => edits.length > 0 && madeBy.includes(file.path));
    const isJoined = ofFiles.some(({ group }) => group !== undefined);
    // What stays as it is lets somebody in by its own lines.
    const isByItself =
      ofFiles.length === 0 || (isOwn && !isJoined) || ofFiles.some(({ group }) => group === undefined);
    return madeBy.some((path) => this.shut.get(path)?.isWhole !== true) && (!opens || isByItself);
  }

  /** @returns whether there is any */
  #decideAnew(differences: readonly MadeDifference[], edited: readonly Outcome[]): boolean {
    this.#rounds++;
    const shut = new Map(this.shut);
    const toHold = new Map<string, readonly Outcome[]>();
    for (const { madeBy = [], why } of differences) {
      const held = madeBy.filter((path) => toHold.has(path) || this.#mayHold(path, edited).length > 0);
      for (const path of held) {
        const changes = this.#mayHold(path, edited);
        toHold.set(path, changes);
        for (const change of changes) this.#takeBack(change, why);
      }
      if (held.length > 0) continue;
      // What shuts some of its sections may not be enough.
      for (const path of madeBy) {
        this.#release(path);
        this.shut.set(path, { why: shut.get(path)?.why ?? why, isWhole: shut.has(path) });
      }
    }
    for (const [path, changes] of toHold) this.#held.set(path, changes);
    return differences.length > 0;
  }

  #release(path: string): void {
    for (const change of this.#held.get(path) ?? []) {
      this.#why.delete(keyOf(change));
      this.#inResult.delete(placeOf(change));
    }
  }

  /** The changes in a file that are not about access, where they have not been held back before. */
  #mayHold(path: string, edited: readonly Outcome[]): readonly Outcome[] {
    if (this.#held.has(path) || this.shut.has(path)) return [];
    const groups = groupsElsewhere(path, edited);
    return edited.filter(
      ({ file, rule, group, status }) =>
        status === 'applied' &&
        file.path === path &&
        !this.#ofAccess.has(rule) &&
        (group === undefined || !groups.has(group)),
    );
  }
}

/** The groups with a change in another file. */
function groupsElsewhere(path: string, edited: readonly Outcome[]): ReadonlySet<string> {
  return new Set(edited.flatMap(({ file, group }) => (file.path === path ? [] : (group ?? []))));
}

function placeOf({ rule, file }: Finding): string {
  return `${rule}\n${file.path}`;
}

function keyOf(finding: Finding): string {
  return `${placeOf(finding)}\n${finding.group ?? finding.at}`;
}
