import { listNames, moveNow, readHeader, removeDirectory } from './journal';
import type { FileOps } from './ops';

/** As many writes are kept, */
const MAX_WRITES = 20;
/** and as many bytes of them; the last one is kept whatever its size. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A write that can be taken back. */
export interface Stored {
  readonly id: string;
  /** ISO 8601. */
  readonly started: string;
  readonly files: number;
  /** On the disk, in the journal. */
  readonly bytes: number;
  readonly cwd: string;
  readonly paths: readonly string[];
  /** It did not come to its end. */
  readonly interrupted: boolean;
}

/** The latest first. */
export function listWrites(ops: FileOps, place: string): Stored[] {
  const of = (state: string): Stored[] =>
    listNames(ops, `${place}/${state}`).map((id) => {
      const { header, bytes } = readHeader(ops, `${place}/${state}/${id}`);
      const { started, files, cwd, paths } = header;
      return { id, started, files, bytes, cwd, paths, interrupted: state !== 'writes' };
    });
  const all = [...of('pending'), ...of('done'), ...of('writes')];
  return all.sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : a.id < b.id ? 1 : -1));
}

/**
 * Forgets writes: `all`, or those beyond what is kept.
 * @returns how many
 */
export function pruneWrites(ops: FileOps, place: string, what: 'all' | 'bounds'): number {
  let [count, bytes, pruned] = [0, 0, 0];
  for (const stored of listWrites(ops, place)) {
    if (stored.interrupted) continue;
    count++;
    bytes += stored.bytes;
    if (what === 'bounds' && (count === 1 || (count <= MAX_WRITES && bytes <= MAX_BYTES))) continue;
    removeDirectory(ops, moveNow(ops, `${place}/writes/${stored.id}`, `${place}/new/${stored.id}`));
    pruned++;
  }
  return pruned;
}
