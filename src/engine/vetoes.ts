import type { ConfigFile, ConfigTree } from '../config';
import { judge } from '../judge';
import type { Applied } from './apply-checked';
import type { AttemptOptions, Finding } from './types';

/** What the judge has refused so far. It is asked about each result anew, for what goes may leave something else exposed. */
export class Vetoes {
  readonly #files: ReadonlySet<ConfigFile>;
  /** By finding, in the tree as it was given. */
  readonly #why = new Map<string, string>();
  /** By rule and file, for the runs over a result, in which nothing stands where it stood. */
  readonly #inResult = new Map<string, string>();

  constructor({ files }: ConfigTree) {
    this.#files = new Set(files);
  }

  /** Asks about a result. @returns whether the judge refuses anything that it has not refused before */
  refuses(tree: ConfigTree, { after, outcomes }: Applied): boolean {
    if (after === undefined) return false;
    const before = this.#why.size;
    for (const { changes, why } of judge(tree, after, outcomes).vetoes)
      for (const change of changes) {
        if (!this.#why.has(keyOf(change))) this.#why.set(keyOf(change), why);
        this.#inResult.set(placeOf(change), why);
      }
    return this.#why.size > before;
  }

  /** For {@link AttemptOptions.vetoOf}. */
  readonly of = (finding: Finding): string | undefined =>
    this.#files.has(finding.file) ? this.#why.get(keyOf(finding)) : this.#inResult.get(placeOf(finding));

  addTo(options: AttemptOptions): AttemptOptions {
    return this.#why.size === 0 ? options : { ...options, vetoOf: this.of };
  }
}

function placeOf({ rule, file }: Finding): string {
  return `${rule}\n${file.path}`;
}

function keyOf(finding: Finding): string {
  return `${placeOf(finding)}\n${finding.group ?? finding.at}`;
}
