import { type FileOps, realOps } from '../../src/write/system';

/** What a test does to a run: at the nth operation on the file system, it ends or that operation fails. */
export interface Fault {
  /** 1 is the first. */
  readonly at: number;
  /** `kill`: nothing is done from there on, as if the process had been killed; else the error code of that one operation. */
  readonly code: 'kill' | (string & {});
}

export interface FaultyOps extends FileOps {
  /** Operations begun so far. */
  readonly calls: number;
  /** Closes what is still open, as the end of a process does. @returns how many descriptors that were */
  release(): number;
}

/** Thrown by each operation of a run that has been killed: whatever the code then tries to mend, it cannot. */
export class Killed extends Error {}

/**
 * The real file system with one fault. Nothing is really synced: that would take most of the time of a test, and a test cannot
 * cut the power.
 * @param before called before each operation, with its name, number and arguments
 */
export function faultyOps(
  fault?: Fault,
  before?: (name: keyof FileOps, call: number, args: readonly unknown[]) => void,
): FaultyOps {
  let calls = 0;
  const open = new Set<number>();
  const wrapped = Object.entries({ ...realOps, sync: async () => undefined }).map(([name, operation]) => [
    name,
    (...args: unknown[]) => {
      calls++;
      before?.(name as keyof FileOps, calls, args);
      if (fault?.code === 'kill' && calls >= fault.at) throw new Killed(`killed at ${fault.at}`);
      if (fault !== undefined && calls === fault.at)
        throw Object.assign(new Error(fault.code), { code: fault.code, syscall: name });
      const answer = (operation as (...all: unknown[]) => unknown)(...args);
      if (name === 'open') open.add(answer as number);
      if (name === 'close') open.delete(args[0] as number);
      return answer;
    },
  ]);
  const release = (): number => {
    for (const fd of open) realOps.close(fd);
    return open.size;
  };
  return Object.defineProperties(Object.fromEntries(wrapped) as FaultyOps, {
    calls: { get: () => calls },
    release: { value: release },
  });
}
