import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../src/cli';
import { type Host, openStore, type StoreOptions, type Store, type UndoResult } from '../../src/write';

/** A new directory for journals, gone when the tests of a file are through. */
export function stateDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'codemod-state-')));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** This process, keeping its journals in `state`. */
export function testHost(state: string, over: Partial<Host> = {}): Host {
  return {
    pid: process.pid,
    uid: process.geteuid?.(),
    env: { XDG_STATE_HOME: state },
    alive(pid) {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    },
    listen: () => ({ received: () => false, end: () => undefined }),
    ...over,
  };
}

export async function openTestStore(state: string, over: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({
    host: testHost(state),
    cwd: '/',
    recover: 'yes',
    note: () => undefined,
    progress: () => undefined,
    ...over,
  });
}

/** Takes the last write back. @throws WriteError where there is none, too */
export async function undoLast(store: Store, keepChanged = false): Promise<UndoResult> {
  const id = store.findUndoable(undefined, ['/'])?.id ?? 'none';
  return store.undo({ id, keepChanged });
}

/** What the command line needs to write. */
export function storeIn(state: string): Services['openStore'] {
  return async (options) => openTestStore(state, options);
}

/** For runs that must not write. */
export async function neverWrites(): Promise<never> {
  throw new Error('nothing may be written');
}
