import { dirname } from '../../config';
import type { FileSource } from '../../config/types';
import { WriteError } from '../../write/error';

/** How often a run begins anew without the files that could not be written. */
const MAX_ATTEMPTS = 10;
/** So often without those alone: then without any in directories of the same users, who may be changing them all the while. */
const MAX_SINGLY = 3;

const OTHER_CHANGED = 'the rules make something else of it, since its user has changed another file';
const OF_SAME_USER = 'others in directories of the same user changed again and again while they were written';

/**
 * Who else can put another file in the place of one: the owner of its directory, but for root and the user of the run. Where a
 * link stands in the place of the directory, that is whose link it is, not whose directory it leads to.
 */
export function otherAt(path: string, source: FileSource, self: number | undefined): number | undefined {
  // Where the directory has gone, too, whoever has the one around it.
  for (let at = dirname(path); ; at = dirname(at)) {
    const owners = ownersOf(at, source);
    if (owners.length > 0 || at === dirname(at)) return owners.find((user) => user !== 0 && user !== self);
  }
}

function ownersOf(path: string, source: FileSource): readonly number[] {
  try {
    return source.owners?.(path) ?? [0];
  } catch {
    // A file, or a link that leads in a circle, has come where a directory was.
    return [];
  }
}

/** The files that are left as they are, since they could not be written. */
export class LeftFiles {
  /** Files that could not be written themselves: real path → why. */
  readonly why = new Map<string, string>();
  readonly #users = new Set<number>();
  #attempts = 0;
  /** Set where all files of these users are left. */
  #isWhole = false;

  /** @param self the user of the run */
  constructor(
    private readonly source: FileSource,
    private readonly self: number | undefined,
  ) {}

  /**
   * Why a file is left; undefined where it is not. After a few attempts its directory counts: whoever swaps directories makes new
   * paths all the while.
   */
  reasonFor(path: string): string | undefined {
    const why = this.why.get(path);
    if (why !== undefined) return why;
    if (this.#attempts >= MAX_SINGLY && this.isOfSameUser(path)) return OF_SAME_USER;
    return this.#isWhole && this.isOfSameUser(path) ? OTHER_CHANGED : undefined;
  }

  /** Whether a file is one of the users whose files are left. */
  isOfSameUser(path: string): boolean {
    if (this.#users.size === 0) return false;
    const user = otherAt(path, this.source, this.self);
    return user !== undefined && this.#users.has(user);
  }

  /** Why each file is left: those that could not be written, and others of the same users. @param paths files of the attempts */
  allOf(paths: readonly string[]): ReadonlyMap<string, string> {
    const found = new Map(this.why);
    for (const path of paths) {
      const why = this.reasonFor(path);
      if (why !== undefined) found.set(path, why);
    }
    return found;
  }

  /** Leaves files of these users that would come out otherwise without those that are left. @param singly whether no others */
  leaveToo(paths: readonly string[], singly: boolean): void {
    for (const path of paths) this.why.set(path, OTHER_CHANGED);
    this.#isWhole = !singly;
  }

  /**
   * @param refused real path → why
   * @returns whether it is worth another attempt without these
   */
  add(refused: ReadonlyMap<string, string>): boolean {
    this.#attempts++;
    for (const [path, why] of refused) {
      this.why.set(path, why);
      const user = otherAt(path, this.source, this.self);
      if (user !== undefined) this.#users.add(user);
    }
    return refused.size > 0 && this.#attempts < MAX_ATTEMPTS;
  }

  /** Adds the files that stood against a write: see {@link add}. @param which whether these must be other users' */
  addRefused(error: unknown, which: 'any' | 'of others' = 'any'): boolean {
    const refused = error instanceof WriteError ? error.refused : [];
    const isOwn = (path: string): boolean => otherAt(path, this.source, this.self) === undefined;
    if (which === 'of others' && refused.some(({ path }) => isOwn(path))) return false;
    return this.add(new Map(refused.map(({ path, reason }) => [path, reason])));
  }
}

/**
 * Writes what can be written: where some files cannot be, for reasons of their own, they are left, with what goes together with
 * them.
 * @param write an attempt without the files left
 * @param all the files of that attempt
 * @throws WriteError where none of the files can be written, or the trouble is not that of single files; and what else `write`
 * throws
 */
export async function writeWhatCanBe<T>(
  left: LeftFiles,
  write: () => Promise<T>,
  all: () => readonly string[],
): Promise<T> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (!left.addRefused(error) || all().every((path) => left.reasonFor(path) !== undefined)) throw error;
    }
}
