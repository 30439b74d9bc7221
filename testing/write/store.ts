import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../src/cli';
import { notTakenBackText, takeBackStaged } from '../../src/git';
import {
  type Host,
  type IndexOps,
  openStore,
  type StoreOptions,
  type Store,
  type UndoResult,
} from '../../src/write';

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

/** The indexes of git, as main.ts has them. */
export function indexesOf(env: Host['env']): IndexOps {
  return { takeBack: (change) => takeBackStaged(change, env), failureText: notTakenBackText };
}

/** For writes that stage nothing. */
const noIndexes: IndexOps = {
  takeBack: () => {
    throw new Error('nothing is staged');
  },
  failureText: (_, reason) => reason,
};

export async function openTestStore(state: string, over: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({
    host: testHost(state),
    cwd: '/',
    recover: 'yes',
    note: () => undefined,
    progress: () => undefined,
    indexes: noIndexes,
    ...over,
  });
}

/** Takes the last write back. @throws WriteError where there is none, too */
export async function undoLast(store: Store, keepChanged = false): Promise<UndoResult> {
  const id = store.findUndoable(undefined, ['/'])?.id ?? 'none';
  return store.undo({ id, keepChanged });
}

/** What the command line needs to write. @param env what git is given */
export function storeIn(state: string, env: Host['env'] = {}): Services['openStore'] {
  return async (options) => openTestStore(state, { indexes: indexesOf(env), ...options });
}

/** For runs that must not write. */
export async function neverWrites(): Promise<never> {
  throw new Error('nothing may be written');
}
