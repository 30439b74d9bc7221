import type { Attributes, Directories, FileOps } from '../system';
import type { IndexOps, Host } from '../journal';

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
