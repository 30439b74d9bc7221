import { createHash } from 'node:crypto';
import { WriteError } from './error';
import type { Entry } from './journal';
import type { Stat } from './ops';

/** One file that is to be replaced. */
export interface Item {
  /** Real path, byte string. */
  readonly path: string;
  /** How to call it. */
  readonly name: string;
  /** Whether these bytes are the ones that are to be replaced. */
  expects(bytes: Buffer): boolean;
  /** The bytes that shall stand there. */
  text(): Buffer;
  /** The times it shall have then; without, that of the writing. */
  readonly times?: Pick<Entry, 'atime' | 'mtime'>;
  /** Path of a copy to leave of the file as it was. */
  readonly backup?: string;
}

/** An item on its way. */
export interface Step {
  readonly item: Item;
  readonly index: number;
  readonly stat: Stat;
  readonly entry: Entry;
  inPlace: boolean;
  /** Whether the original has a second name for the time being. */
  kept: boolean;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function changed({ path, name }: Item, since: 'read' | 'written' = 'read'): WriteError {
  return new WriteError(path, `${name}: changed since it was ${since}`);
}

/** Whether it is the very file, and nobody has written to it. */
export function isSame(now: Stat, before: Stat): boolean {
  const { kind, dev, ino, size, mtime } = before;
  return now.kind === kind && now.ino === ino && now.dev === dev && now.size === size && now.mtime === mtime;
}
