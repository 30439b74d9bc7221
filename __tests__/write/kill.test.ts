import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { share, shareOf } from '../../testing/run/size';
import type { Store } from '../../src/write';
import type { FileOps, Attributes } from '../../src/write/system';
import { type Fault, faultyOps, type FaultyOps, Killed } from '../../testing/write/faulty';
import { ALL_POINTS, type TracedOps, tracedOps } from '../../testing/write/points';
import { openTestStore, testHost, undoLast } from '../../testing/write/store';
import { buildVictim } from '../../testing/write/victim';
import { planOf, snapshot, type Texts, writeTree } from '../../testing/write/write-tree';

// A write of 50 files makes some 2,000 operations: to try all of them takes half an hour.
jest.setTimeout(ALL_POINTS ? 7_200_000 : 300_000);

const roots: string[] = [];
afterAll(() => roots.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

function scratch(): string {
  const root = fs.realpathSync(
    fs.mkdtempSync(join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'codemod-kill-')),
  );
  roots.push(root);
  return root;
}

const FILES = 50;
const old: Record<string, string> = {};
const converted: Record<string, string> = {};
for (let i = 0; i < FILES; i++) {
  const name = i % 3 === 0 ? `conf.d/${i}.conf` : `www/${i % 7}/${i}/.htaccess`;
  old[name] = `# ${i}\nOrder allow,deny\n${'x'.repeat(i)}\n`;
  converted[name] = `# ${i}\nRequire all denied\n`;
}

/** Files with more than one name. */
const LINKS = [
  ['conf.d/3.conf', 'linked.conf'],
  ['www/4/4/.htaccess', 'www/linked', 'www/9/linked'],
];
for (const [name, ...others] of LINKS)
  for (const other of others) {
    old[other] = old[name!]!;
    converted[other] = converted[name!]!;
  }

/** One file has an attribute that its new file must be given first. */
const attributes: Attributes = {
  differing: (pairs) =>
    pairs.flatMap(([path], index) => (pairs.length > 1 && path.endsWith('/conf.d/6.conf') ? [index] : [])),
  copy: () => [],
  lost: () => [],
  times: () => undefined,
};

interface KilledAt {
  readonly tree: string;
  readonly state: string;
}

function place(): KilledAt {
  const root = scratch();
  const tree = join(root, 'tree');
  writeTree(tree, old);
  for (const [name, ...others] of LINKS)
    for (const other of others) {
      fs.unlinkSync(join(tree, other));
      fs.linkSync(join(tree, name!), join(tree, other));
    }
  fs.mkdirSync(join(root, 'state'));
  return { tree, state: join(root, 'state') };
}

/** The new texts, and the copies beside them. */
const allNew: Texts = {
  ...converted,
  ...Object.fromEntries(Object.entries(old).map(([name, text]) => [`${name}.bak`, text])),
};

let lastPid = 1_000_000;

/** A store as another process would open it: the one before is dead. */
async function open({ state }: KilledAt, ops: FileOps, recover: 'yes' | 'no' = 'yes'): Promise<Store> {
  // Never where the journals of this machine are.
  const mkdir = ops.mkdir.bind(ops);
  ops.mkdir = (path, mode) => {
    if (!fs.realpathSync(join(String(path), '..')).startsWith(state))
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    mkdir(path, mode);
  };
  const host = testHost(state, { pid: ++lastPid, alive: () => false });
  return openTestStore(state, { host, ops, attributes, recover });
}

async function life(
  where: KilledAt,
  ops: FaultyOps,
  action: (store: Store) => Promise<unknown>,
): Promise<unknown> {
  try {
    const store = await open(where, ops);
    try {
      await action(store);
    } finally {
      store.close();
    }
    return undefined;
  } catch (error) {
    return error;
  } finally {
    ops.release();
  }
}

/** The next run, which puts in order what it finds. */
async function settle(where: KilledAt): Promise<void> {
  const ops = faultyOps();
  (await open(where, ops)).close();
  expect(ops.release()).toBe(0);
}

const write =
  (where: KilledAt, texts: Texts) =>
  async (store: Store): Promise<void> =>
    store.write(planOf(where.tree, texts), { paths: ['tree'], backup: '.bak' });
const undo = async (store: Store): Promise<unknown> => undoLast(store);

const drop = ({ tree }: KilledAt): void => fs.rmSync(join(tree, '..'), { recursive: true });

/** Whole old or whole new, each of them: what else stands there is ours, and passing. */
function expectWholeFiles({ tree }: KilledAt): void {
  const found = snapshot(tree);
  for (const [name, text] of Object.entries(old)) expect([text, converted[name]]).toContain(found[name]);
}

/** All old, or all new; the hard links as they were; nothing else. */
function expectSettled({ tree }: KilledAt): 'old' | 'new' {
  const found = snapshot(tree);
  const all = found['linked.conf'] === old['linked.conf'] ? 'old' : 'new';
  expect(found).toEqual(all === 'old' ? old : allNew);
  for (const names of LINKS) {
    const inodes = names.map((name) => fs.statSync(join(tree, name)).ino);
    expect(new Set(inodes).size).toBe(1);
  }
  return all;
}

/** Without the temporary files that are left to the next run where they cannot be removed. */
const withoutOurs = (found: Texts): Texts =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !/\.httpd-codemod-|\.bak$/.test(name)));

let traced: Promise<[write: TracedOps, undo: TracedOps]> | undefined;

/** What an undisturbed write does, and its undo. */
const trace = async (): Promise<[write: TracedOps, undo: TracedOps]> => (traced ??= traceNow());

async function traceNow(): Promise<[write: TracedOps, undo: TracedOps]> {
  const where = place();
  const [first, second] = [tracedOps(), tracedOps()];
  expect(await life(where, first.ops, write(where, converted))).toBeUndefined();
  expect(expectSettled(where)).toBe('new');
  expect(await life(where, second.ops, undo)).toBeUndefined();
  expect(expectSettled(where)).toBe('old');
  return [first, second];
}

test('killed at any operation of a write: a later run finds all old, or makes all new', async () => {
  const [{ points }] = await trace();
  const seen = { old: 0, new: 0 };
  for (const at of shareOf(points(1), 12)) {
    const where = place();
    await life(where, faultyOps({ at, code: 'kill' }), write(where, converted));
    expectWholeFiles(where);
    await settle(where);
    const all = expectSettled(where);
    seen[all]++;
    expect(await life(where, faultyOps(), all === 'new' ? undo : write(where, converted))).toBeUndefined();
    expect(expectSettled(where)).toBe(all === 'new' ? 'old' : 'new');
    drop(where);
  }
  expect(seen.old).toBeGreaterThan(share(10, 10));
  expect(seen.new).toBeGreaterThan(0);
});

test('killed at any operation of an undo', async () => {
  const [, { points }] = await trace();
  const seen = { old: 0, new: 0 };
  for (const at of shareOf(points(1), 12)) {
    const where = place();
    expect(await life(where, faultyOps(), write(where, converted))).toBeUndefined();
    await life(where, faultyOps({ at, code: 'kill' }), undo);
    expectWholeFiles(where);
    await settle(where);
    const all = expectSettled(where);
    seen[all]++;
    if (all === 'new') expect(await life(where, faultyOps(), undo)).toBeUndefined();
    expect(expectSettled(where)).toBe('old');
    drop(where);
  }
  expect(seen.new).toBeGreaterThan(share(10, 10));
  expect(seen.old).toBeGreaterThan(0);
});

test('killed again, while what the first kill has left is put in order', async () => {
  const [{ ops }] = await trace();
  // When files are made, when they are being put in place, when they are all there.
  for (const part of [0.5, 0.8, 0.95]) {
    const at = Math.floor(ops.calls * part);
    const broken = async (): Promise<KilledAt> => {
      const where = place();
      await life(where, faultyOps({ at, code: 'kill' }), write(where, converted));
      return where;
    };
    const order = tracedOps();
    expect(await life(await broken(), order.ops, async () => undefined)).toBeUndefined();
    for (const second of shareOf(order.points(1), 12)) {
      const where = await broken();
      await life(where, faultyOps({ at: second, code: 'kill' }), async () => undefined);
      expectWholeFiles(where);
      await settle(where);
      expectSettled(where);
      drop(where);
    }
  }
});

/** The errors in turn: what is done about them hardly hangs on which it is. */
const faultAt = (at: number, codes: readonly string[]): Fault => ({ at, code: codes[at % codes.length]! });

/** Whether all was done, but for what could not be removed behind it. */
function isDone(error: unknown): boolean {
  return error === undefined || /^all is (?:written|taken back), but /.test((error as Error).message);
}

test('no space, no permission, a broken disk at any operation: one line, and nothing half done', async () => {
  const [{ points }] = await trace();
  let refused = 0;
  for (const at of shareOf(points(1), 12)) {
    const fault = faultAt(at, ['ENOSPC', 'EACCES', 'EROFS', 'EIO', 'EPERM']);
    const where = place();
    const error = await life(where, faultyOps(fault), write(where, converted));
    if (error !== undefined) {
      refused++;
      const { message } = error as Error;
      expect(message).toMatch(/^[^\n]+$/);
      // It is taken back at once, unless it was the taking back that failed, and it says so.
      if (!message.includes('; then ') && !isDone(error))
        expect(withoutOurs(snapshot(where.tree))).toEqual(old);
    }
    expectWholeFiles(where);
    await settle(where);
    expect(expectSettled(where)).toBe(isDone(error) ? 'new' : 'old');
    drop(where);
  }
  expect(refused).toBeGreaterThan(share(50, 10));
});

test('the same during an undo', async () => {
  const [, { points }] = await trace();
  for (const at of shareOf(points(1), 12)) {
    const fault = faultAt(at, ['ENOSPC', 'EIO', 'EACCES']);
    const where = place();
    expect(await life(where, faultyOps(), write(where, converted))).toBeUndefined();
    const error = await life(where, faultyOps(fault), undo);
    expectWholeFiles(where);
    await settle(where);
    expect(expectSettled(where)).toBe(isDone(error) ? 'old' : 'new');
    drop(where);
  }
});

test('SIGKILL', async () => {
  const victim = buildVictim(scratch());
  const [{ ops, points }] = await trace();
  const seen = { old: 0, new: 0 };
  const somePoints = Array.from({ length: 24 }, (_, i) => 1 + Math.floor((i * ops.calls) / 24));
  for (const at of ALL_POINTS ? points(1) : shareOf(somePoints)) {
    const where = place();
    const args = [victim, where.tree, where.state, String(at), JSON.stringify(converted)];
    const { signal } = spawnSync(process.execPath, args);
    // It has some operations less to make: no attributes are copied.
    if (at <= ops.calls - 40) expect(signal).toBe('SIGKILL');
    expectWholeFiles(where);
    await settle(where);
    seen[expectSettled(where)]++;
    drop(where);
  }
  expect(seen.old).toBeGreaterThan(share(10, 5));
  expect(seen.new).toBeGreaterThan(0);
});

test('the faults are faults', () => {
  expect(() => faultyOps({ at: 1, code: 'kill' }).list('/')).toThrow(Killed);
});
