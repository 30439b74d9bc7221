import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { branchesOf, withHits } from './hits';
import type { Mutant } from './operators';

/** The branches of some files, numbered, so that it is known what runs the code of a mutant. */
export class Branches {
  /** Paths, and texts that note what of them runs. */
  readonly texts: readonly (readonly [string, string])[];
  readonly count: number;
  readonly #byFile = new Map<
    string,
    readonly { readonly start: number; readonly end: number; readonly number: number }[]
  >();

  constructor(root: string, files: readonly string[]) {
    let count = 0;
    this.texts = files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const branches = branchesOf(text);
      const marked = withHits(text, branches, count);
      this.#byFile.set(
        file,
        branches.map(({ start, end }, i) => ({ start, end, number: count + i })),
      );
      count += branches.length;
      return [join(root, file), marked];
    });
    this.count = count;
  }

  /** Whether what has run these branches may have run the mutant: what runs while its file is loaded runs always. */
  mayRun({ file, start, end }: Mutant): (run: { readonly hits: readonly number[] }) => boolean {
    const around = this.#byFile.get(file)!.filter((branch) => branch.start <= start && end <= branch.end);
    const inner = around.toSorted((a, b) => b.start - a.start || a.end - b.end)[0]?.number;
    return ({ hits }) => inner === undefined || hits.includes(inner);
  }
}
