import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Store, StoreOptions } from '../../src/write';
import { pendingWrites } from '../../src/write/pending';
import { directory } from '../../testing/write/directory';
import { faultyOps } from '../../testing/write/faulty';
import { AS_OTHER_USER, giveAway, OTHER_USER, seenBy } from '../../testing/write/other-user';
import { openTestStore, testHost, undoLast } from '../../testing/write/store';
import { planOf, snapshot, type Texts } from '../../testing/write/write-tree';

// Who can put a journal where a run looks for its own can have it write what he likes: root's run, into any file.

const OLD: Texts = { a: 'a\n' };
const NEW: Texts = { a: 'A!\n' };
const MINE = 'nobody else wrote this\n';
const THEIRS = 'somebody else wrote this\n';
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Ground {
  /** The directory that all stands in: `tree`, `secret`, `mine` and `theirs`, which belongs to another user. */
  readonly top: string;
  readonly secret: string;
}

/** `theirs/planted` has a journal of an interrupted write that would give `secret` another text. */
function ground(): Ground {
  const top = directory({ 'tree/a': OLD['a']!, secret: MINE });
  const secret = join(top, 'secret');
  for (const name of ['mine', 'theirs', 'theirs/planted']) fs.mkdirSync(join(top, name), { mode: 0o755 });
  plant(join(top, 'theirs/planted'), secret);
  giveAway(join(top, 'theirs'));
  return { top, secret };
}

/** An interrupted write of `file`, to be taken back. @returns the directory of the journal */
function plant(stateHome: string, file: string): string {
  const journal = join(stateHome, 'httpd-codemod/pending/planted');
  fs.mkdirSync(journal, { recursive: true });
  fs.chmodSync(join(stateHome, 'httpd-codemod'), 0o700);
  const header = {
    version: 1,
    kind: 'write',
    id: 'planted',
    started: '2024-01-01T00:00:00Z',
    cwd: '/',
    paths: ['a'],
    files: 1,
  };
  const entry = {
    path: file,
    mode: 0o666,
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    atime: '0',
    mtime: '0',
    at: 0,
    size: THEIRS.length,
    old: hash(THEIRS),
    new: hash(MINE),
  };
  fs.writeFileSync(
    join(journal, 'journal'),
    [header, { entry }, { ready: true }].map((line) => `${JSON.stringify(line)}\n`).join(''),
    { mode: 0o600 },
  );
  fs.writeFileSync(join(journal, 'store'), THEIRS, { mode: 0o600 });
  return journal;
}

/** Opens the store below a directory, as the user of the tests. */
async function open(state: string, over: Partial<StoreOptions> = {}): Promise<Store> {
  return openTestStore(state, { ops: seenBy(faultyOps()), ...over });
}

/** One whole run: what was left is settled, and a file is written. */
async function writeOnce({ top }: Ground, state: string, over: Partial<StoreOptions> = {}): Promise<void> {
  const store = await open(state, over);
  try {
    await store.write(planOf(join(top, 'tree'), NEW), { paths: ['.'] });
  } finally {
    store.close();
  }
}

/** Puts a link to `to` at a path, at once. */
function flip(path: string, to: string): void {
  fs.rmSync(`${path}.new`, { force: true });
  fs.symlinkSync(to, `${path}.new`);
  if (process.getuid?.() === 0) fs.lchownSync(`${path}.new`, OTHER_USER, OTHER_USER);
  fs.renameSync(`${path}.new`, path);
}

const REFUSED =
  /^cannot keep a journal: no place for a journal \(\/[^\n]*\); nothing written$|set XDG_STATE_HOME to a directory of your own; nothing written$/;

describe('a link of another user on the way', () => {
  test('is not followed, wherever it points at any moment', async () => {
    const { top, secret } = ground();
    const link = join(top, 'theirs/link');
    for (let n = 1; n < 200; n++) {
      flip(link, '../mine');
      fs.rmSync(join(top, 'mine/httpd-codemod'), { recursive: true, force: true });
      const before = snapshot(join(top, 'theirs/planted'));
      const ops = faultyOps(undefined, (_, call) => (call === n ? flip(link, 'planted') : undefined));
      await expect(writeOnce({ top, secret }, link, { ops: seenBy(ops) })).rejects.toThrow(REFUSED);
      expect(ops.release()).toBe(0);
      expect([fs.readFileSync(secret, 'latin1'), snapshot(join(top, 'theirs/planted'))]).toEqual([
        MINE,
        before,
      ]);
      if (ops.calls < n) break;
    }
  });

  test('is not followed while another process flips it', async () => {
    const { top, secret } = ground();
    const link = join(top, 'theirs/link');
    flip(link, '../mine');
    const script = `
      const fs = require('node:fs');
      process.chdir(${JSON.stringify(join(top, 'theirs'))});
      for (let n = 0; n < 2_000_000; n++) {
        try { fs.symlinkSync(n % 2 ? 'planted' : '../mine', 'next'); fs.renameSync('next', 'link'); } catch {}
      }`;
    const flipper = spawn(process.execPath, ['-e', script], { stdio: 'ignore', ...AS_OTHER_USER });
    try {
      for (let tries = 0; tries < 100; tries++) {
        await expect(writeOnce({ top, secret }, link)).rejects.toThrow(REFUSED);
        expect(fs.readFileSync(secret, 'latin1')).toBe(MINE);
      }
    } finally {
      flipper.kill('SIGKILL');
    }
    expect(fs.readdirSync(join(top, 'mine'))).toEqual([]);
  });

  test.each(['yes', 'no', 'look', 'keep-changed'] as const)(
    'is refused by all who read the state: %s',
    async (recover) => {
      const { top } = ground();
      const link = join(top, 'mine/link');
      fs.mkdirSync(join(top, 'mine/home/httpd-codemod'), { recursive: true, mode: 0o700 });
      fs.symlinkSync('home', link);
      giveAway(link);
      await expect(open(link, { recover })).rejects.toThrow(`${link} is a symbolic link of another user`);
    },
  );

  test('a run that only looks passes over what stands behind it', () => {
    const { top, secret } = ground();
    const host = (home: string): Parameters<typeof pendingWrites>[0] => testHost(join(top, home));
    plant(join(top, 'mine'), secret);
    expect(pendingWrites(host('mine'))).toEqual([{ files: [secret] }]);
    fs.chmodSync(join(top, 'mine/httpd-codemod'), 0o755);
    expect(pendingWrites(host('mine'))).toEqual([]);
  });
});

describe('a link of the user’s', () => {
  test('is followed: what is written can be taken back through it', async () => {
    const where = ground();
    const link = join(where.top, 'link');
    fs.symlinkSync('mine', link);
    await writeOnce(where, link);
    expect(fs.readdirSync(join(where.top, 'mine/httpd-codemod/writes'))).toHaveLength(1);
    const store = await open(link);
    expect(store.list().writes).toHaveLength(1);
    await undoLast(store);
    expect(store.prune()).toBe(0);
    store.close();
    expect(snapshot(join(where.top, 'tree'))).toEqual(OLD);
  });

  test.each([
    ['anybody could replace', 0o777, false],
    ['a group could replace', 0o775, false],
    ['stands in a sticky directory', 0o1777, true],
    ['nobody else could replace', 0o755, true],
  ])('that %s', async (_, mode, isFollowed) => {
    const where = ground();
    const link = join(where.top, 'between/link');
    fs.mkdirSync(join(where.top, 'between'));
    fs.symlinkSync('../mine', link);
    fs.chmodSync(join(where.top, 'between'), mode);
    // A group with the number of its user is that user's alone; root's is not.
    if (process.getuid?.() !== 0 && mode === 0o775) fs.chmodSync(join(where.top, 'between'), 0o777);
    const done = writeOnce(where, link);
    if (isFollowed) await done;
    else await expect(done).rejects.toThrow('between could be changed by other users');
    expect(fs.existsSync(join(where.top, 'mine/httpd-codemod'))).toBe(isFollowed);
  });
});

test('a directory above that is swapped while a user writes leads nowhere else', async () => {
  const user = 12_345;
  let done = 0;
  for (let n = 1; n < 400; n += 5) {
    const where = ground();
    const home = join(where.top, 'home');
    fs.mkdirSync(join(home, 'httpd-codemod'), { recursive: true, mode: 0o700 });
    const before = snapshot(join(where.top, 'theirs/planted'));
    const ops = faultyOps(undefined, (_, call) => {
      if (call !== n) return;
      fs.renameSync(home, `${home}.was`);
      fs.renameSync(join(where.top, 'theirs/planted'), home);
      giveAway(home);
    });
    const host = testHost(home, { uid: user });
    const attempt = writeOnce(where, home, { ops: seenBy(ops, user), host }).then(
      () => done++,
      (error: unknown) =>
        expect((error as Error).message).toMatch(/belongs to another user|ENOENT|cannot write/),
    );
    await attempt;
    expect(ops.release()).toBe(0);
    expect(fs.readFileSync(where.secret, 'latin1')).toBe(MINE);
    if (ops.calls < n) break;
    expect(snapshot(home)).toEqual(before);
    fs.rmSync(where.top, { recursive: true });
  }
  // What was opened before is what is used.
  expect(done).toBeGreaterThan(5);
});

describe('a journal in the user’s own directory', () => {
  const UNTRUSTED: readonly (readonly [string, (journal: string) => void, string])[] = [
    ['whose journal is another user’s', (journal) => giveAway(join(journal, 'journal')), `its file journal belongs to another user (${OTHER_USER})`],
    ['whose store is another user’s', (journal) => giveAway(join(journal, 'store')), `its file store belongs to another user (${OTHER_USER})`],
    ['whose journal others may write', (journal) => fs.chmodSync(join(journal, 'journal'), 0o660), 'its file journal may be written by other users'],
    ['whose store others may write', (journal) => fs.chmodSync(join(journal, 'store'), 0o602), 'its file store may be written by other users'],
    ['that is a link', (journal) => { fs.renameSync(journal, `${journal}/../../../was`); fs.symlinkSync('../../was', journal); }, 'its directory is a symbolic link'],
    ['whose journal is a link', (journal) => { fs.renameSync(`${journal}/journal`, `${journal}/j`); fs.symlinkSync('j', `${journal}/journal`); }, 'its file journal is no regular file'],
    ['whose store is a link', (journal) => { fs.renameSync(`${journal}/store`, `${journal}/s`); fs.symlinkSync('s', `${journal}/store`); }, 'its file store is no regular file'],
    ['whose journal is a pipe', (journal) => { fs.rmSync(`${journal}/journal`); spawnSync('mkfifo', [`${journal}/journal`]); }, 'its file journal is no regular file'],
    ['whose store is a device', (journal) => { fs.rmSync(`${journal}/store`); fs.symlinkSync('/dev/zero', `${journal}/store`); }, 'its file store is no regular file'],
  ]; // prettier-ignore

  test.each(UNTRUSTED)('%s is told, and not used', async (_, change, reason) => {
    const where = ground();
    const state = join(where.top, 'mine');
    change(plant(state, where.secret));
    const notes: string[] = [];
    await writeOnce(where, state, { note: (line) => notes.push(line) });
    expect(notes).toEqual([expect.stringContaining(`the journal planted cannot be read: ${reason}`)]);
    expect([fs.readFileSync(where.secret, 'latin1'), snapshot(join(where.top, 'tree'))]).toEqual([MINE, NEW]);
    const store = await open(state, { recover: 'no' });
    expect(await store.repair()).toMatchObject([
      { id: 'planted', reason, path: join(state, 'httpd-codemod/damaged/planted') },
    ]);
    store.close();
  });

  test('that is the user’s is', async () => {
    const where = ground();
    plant(join(where.top, 'mine'), where.secret);
    const store = await open(join(where.top, 'mine'));
    store.close();
    expect(fs.readFileSync(where.secret, 'latin1')).toBe(THEIRS);
  });

  test('a link among what is to be removed takes nothing with it', async () => {
    const where = ground();
    const state = join(where.top, 'mine');
    fs.mkdirSync(join(state, 'httpd-codemod/new'), { recursive: true, mode: 0o700 });
    fs.symlinkSync(join(where.top, 'tree'), join(state, 'httpd-codemod/new/link'));
    await writeOnce(where, state);
    expect(snapshot(join(where.top, 'tree'))).toEqual(NEW);
    expect(fs.readdirSync(join(state, 'httpd-codemod/new'))).toEqual([]);
  });

  test.each(['lock', 'pending', 'new'])('%s is no link', async (name) => {
    const where = ground();
    const state = join(where.top, 'mine/httpd-codemod');
    fs.mkdirSync(state, { mode: 0o700 });
    fs.symlinkSync('..', join(state, name));
    await expect(writeOnce(where, join(where.top, 'mine'))).rejects.toThrow(
      `cannot keep a journal: ${state}/${name} is no directory of yours; nothing written`,
    );
  });
});

describe('a lock', () => {
  const held = (pid: number): string =>
    JSON.stringify({ pid, host: 'elsewhere', boot: '', space: '', start: '' });
  const LOCKS: readonly (readonly [string, (lock: string) => void, string])[] = [
    ['of another user', (lock) => giveAway(lock), `belongs to another user (${OTHER_USER}): remove it`],
    ['that others may write', (lock) => fs.chmodSync(lock, 0o666), 'may be written by other users: remove it'],
    ['that is a pipe', (lock) => { fs.rmSync(lock); spawnSync('mkfifo', [lock]); }, 'is no regular file: remove it'],
    ['of the user’s', () => undefined, 'is writing; try again when it is done'],
  ]; // prettier-ignore

  test.each(LOCKS)('%s', async (_, change, reason) => {
    const where = ground();
    const state = join(where.top, 'mine');
    const locks = join(state, 'httpd-codemod/lock');
    fs.mkdirSync(locks, { recursive: true, mode: 0o700 });
    fs.writeFileSync(join(locks, '1'), held(1), { mode: 0o600 });
    change(join(locks, '1'));
    await expect(open(state, { wait: 0 })).rejects.toThrow(reason);
    await expect(open(state, { wait: 0 })).rejects.toThrow(`${locks}/1`);
    expect(snapshot(join(where.top, 'tree'))).toEqual(OLD);
  });
});
