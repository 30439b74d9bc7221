import { dirname } from '../../config';
import type { FileSource } from '../../config/types';
import type { Change, RunResult } from '../../engine/types';
import { WriteError, otherNamesReason } from '../../write/error';
import { addTo } from '../../maps';

/** Real path → why that file cannot be written. */
type Unwritable = ReadonlyMap<string, string>;

/**
 * Runs, without the changes of files that could be written under some of their names only (hard links): whoever may write one of
 * the names could hold up the whole run with another that is elsewhere.
 */
export function withoutUnwritable(
  runWithout: (unwritable: Unwritable) => RunResult,
  refused: Unwritable,
  source: FileSource,
): RunResult {
  const unwritable = new Map(refused);
  for (;;) {
    const result = runWithout(unwritable);
    const more = linkedElsewhere(result.plan, source);
    if (more.size === 0) return result;
    for (const [path, why] of more) unwritable.set(path, why);
  }
}

/** The changes of files that have other names, which would not get the same text. */
function linkedElsewhere(plan: readonly Change[], source: FileSource): Unwritable {
  const changes = new Map<string, Change[]>();
  for (const change of plan) {
    const { role, path, inode: known } = change.file;
    const inode = role === 'htaccess' ? known : source.stat?.(path)?.inode;
    if (inode !== undefined) addTo(changes, inode, change);
  }
  const found = new Map<string, string>();
  for (const sameFile of changes.values()) {
    const [first] = sameFile;
    const names = source.names?.(first!.file.path) ?? 1;
    const why =
      sameFile.length < names
        ? otherNamesReason(names, sameFile.length)
        : 'it has several names (hard links), which would need different texts: make each a file of its own';
    if (sameFile.length < names || sameFile.some(({ text }) => text !== first!.text))
      for (const { file } of sameFile) found.set(file.path, why);
  }
  return found;
}

/** So often a run begins anew without the files that could not be written. */
const MAX_ATTEMPTS = 10;
/** So often without those alone: then without any in directories of the same users, who may be changing them all the while. */
const MAX_SINGLY = 3;

const OF_SAME_USER = 'others in directories of the same user changed again and again while they were written';

/** Who else can put another file in the place of one: the owner of its directory, but for root and the user of the run. */
function othersAt(path: string, source: FileSource, self: number | undefined): readonly number[] {
  try {
    return source.owners?.(dirname(path)).filter((user) => user !== 0 && user !== self) ?? [];
  } catch {
    // It is gone.
    return [];
  }
}

/**
 * Writes what can be written: where some files cannot be, for reasons of their own, they are left, with what goes together with
 * them.
 * @param self the user of the run
 * @returns what was written
 * @throws WriteError where none of the files can be written, or the trouble is not that of single files; and what `compute`
 * throws
 */
export async function writeWhatCanBe<T extends { readonly result: RunResult }>(
  compute: (unwritable: Unwritable) => T,
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
