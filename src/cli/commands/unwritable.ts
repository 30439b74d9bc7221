import { dirname } from '../../config';
import type { FileSource } from '../../config/types';
import type { RunResult } from '../../engine/types';
import { WriteError } from '../../write/error';

/** So often a run begins anew without the files that could not be written. */
const MAX_ATTEMPTS = 10;
/** So often without those alone: then without any in directories of the same users, who may be changing them all the while. */
const MAX_SINGLY = 3;

const OF_SAME_USER = 'others in directories of the same user changed again and again while they were written';

/** Who else can put another file in the place of one: the owner of its directory, but for root and the user of the run. */
export function othersAt(path: string, source: FileSource, self: number | undefined): readonly number[] {
  // Where the directory has gone, too, whoever has the one around it.
  for (let at = dirname(path); ; at = dirname(at)) {
    const owners = ownersOf(at, source);
    if (owners.length > 0 || at === dirname(at)) return owners.filter((user) => user !== 0 && user !== self);
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

/**
 * Writes what can be written: where some files cannot be, for reasons of their own, they are left, with what goes together with
 * them.
 * @param compute makes the run without the changes of these files: real path → why that file cannot be written
 * @param self the user of the run
 * @returns what was written
 * @throws WriteError where none of the files can be written, or the trouble is not that of single files; and what `compute`
 * throws
 */
export async function writeWhatCanBe<T extends { readonly result: RunResult }>(
  compute: (unwritable: ReadonlyMap<string, string>) => T,
  write: (computed: T) => Promise<void>,
  source: FileSource,
  self: number | undefined,
): Promise<T> {
  const unwritable = new Map<string, string>();
  const users = new Set<number>();
  for (let attempts = 1; ; attempts++) {
    const computed = compute(unwritable);
    try {
      await write(computed);
      return computed;
    } catch (error) {
      const refused = error instanceof WriteError ? error.refused : [];
      for (const { path, reason } of refused) {
        unwritable.set(path, reason);
        for (const user of othersAt(path, source, self)) users.add(user);
      }
      const isOfUser = (path: string): boolean =>
        othersAt(path, source, self).some((user) => users.has(user));
      const { plan } = computed.result;
      const others =
        attempts < MAX_SINGLY
          ? []
          : plan.filter(({ file }) => !unwritable.has(file.path) && isOfUser(file.path));
      for (const { file } of others) unwritable.set(file.path, OF_SAME_USER);
      const isAll = computed.result.plan.every(({ file }) => unwritable.has(file.path));
      if (refused.length === 0 || isAll || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}
