import type { Directories } from './directories';
import type { IndexOps } from './index-change';
import type { FileOps } from './ops';
import type { Host } from './place';

/** What a transaction runs with. */
export interface WriteContext {
  readonly ops: FileOps;
  readonly directories: Directories;
  readonly host: Host;
  readonly watch: WriteObserver;
  readonly attributes: Attributes;
  readonly indexes: IndexOps;
}

/** Receives the progress, and decides whether to stop. */
export interface WriteObserver {
  /** Whether the user wants it to end. Asked only where all can still be taken back. */
  interrupted(): boolean;
  /** @param verb a verb: `checked` */
  progress(done: number, total: number, verb: string): void;
}

/** A file, and the new file that shall have its attributes: paths of {@link Directories}. */
export type AttributePair = readonly [file: string, newFile: string];

/** Attributes of files that Node cannot read or set: access control lists, security labels, extended attributes. */
export interface Attributes {
  /**
   * @returns the indexes of the pairs that differ, or may
   * @throws Error saying why it cannot be told
   */
  differing(pairs: readonly AttributePair[]): readonly number[];
  /** Gives each second open file the attributes of the first, its mode and times too. @returns the indexes of those that cannot have them */
  copy(files: readonly { readonly from: number; readonly to: number }[]): readonly number[];
  /** The same question as `differing`, when all of the pairs have been copied. */
  lost(pairs: readonly AttributePair[]): readonly number[];
  /** Sets times to the nanosecond: node's own way is exact to a quarter of a microsecond only. */
  times(files: readonly { readonly fd: number; readonly mtime: string }[]): void;
}

export function temporaryNames(
  path: string,
  id: string,
  index: number,
): Readonly<Record<'temp' | 'kept' | 'copy', string>> {
  // A dot first, so that `Include conf.d/*` passes it over; .ht next, which every server keeps from its visitors.
  const base = `${path.slice(0, path.lastIndexOf('/') + 1)}.httpd-codemod-${id}-${index}`;
  return { temp: base, kept: `${base}o`, copy: `${base}b` };
}

let lastYield = 0;

/** Lets node handle signals, if it could not for 20 ms. */
export async function yieldToSignals(): Promise<void> {
  const now = Date.now();
  if (now - lastYield < 20) return;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  lastYield = Date.now();
}
