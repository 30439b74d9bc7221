import { constants } from 'node:fs';
import { faultyOps, type FaultyOps } from './faulty';

const { O_DIRECTORY } = constants;

/** Every operation is tried, not some of each kind. */
export const ALL_POINTS = process.env['KILL_ALL'] !== undefined;

export interface TracedOps {
  readonly ops: FaultyOps;
  /** The numbers of the operations at which a fault is worth trying: of each kind some, the last one among them. */
  readonly points: (perKind: number) => number[];
}

/**
 * The real file system, taking notes of what is done. Two operations are of one kind when they, and those right before them, are
 * the same but for the numbers in their paths: what a fault does at one file of fifty it does at the others.
 */
export function tracedOps(): TracedOps {
  const kinds = new Map<string, number[]>();
  const paths = new Map<unknown, string>();
  let last = '';
  const ops = faultyOps(undefined, (name, call, [path, flags]) => {
    const isDirectory = name === 'open' && (Number(flags) & O_DIRECTORY) !== 0;
    const kind = isDirectory ? 'open a directory' : `${name} ${paths.get(path) ?? kindOf(path)}`;
    const location = `${last}, ${kind}`;
    kinds.set(location, [...(kinds.get(location) ?? []), call]);
    last = kind;
  });
  const open = ops.open.bind(ops);
  ops.open = (path, flags, mode) => {
    const fd = open(path, flags, mode);
    paths.set(fd, (flags & O_DIRECTORY) === 0 ? kindOf(path) : 'a directory');
    return fd;
  };
  return {
    ops,
    points: (perKind) =>
      [...kinds.values()].flatMap((calls) => some(calls, perKind)).toSorted((a, b) => a - b),
  };
}

function kindOf(path: unknown): string {
  return String(path)
    .replace(/^\/proc\/self\/fd\/\d+/, '')
    .replace(/^.*\/tree\/.*\//, '')
    .replace(/[-/][0-9a-z]{16,}/, '/ID')
    .replace(/\d+/g, '0');
}

function some(calls: readonly number[], perKind: number): readonly number[] {
  if (ALL_POINTS || calls.length <= perKind) return calls;
  return Array.from(
    { length: perKind },
    (_, i) => calls[Math.round(((i + 1) * (calls.length - 1)) / perKind)]!,
  );
}
