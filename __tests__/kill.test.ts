import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Store } from '../src/write';
import type { FileOps } from '../src/write/ops';
import type { Attributes } from '../src/write/setting';
import { type Fault, faultyOps, type FaultyOps, Killed } from '../testing/faulty';
import { openTestStore, testHost } from '../testing/store';
import { planOf, snapshot, type Texts, writeTree } from '../testing/writetree';

/** Every nth point is tried; 1 for all. */
// A write of 50 files makes some 1,600 operations.
const STEP = Number(process.env['KILL_STEP'] ?? 35);

// All points take an hour.
if (STEP < 35) jest.setTimeout(7_200_000);

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

/** Two files have hard links, so that they must be overwritten. */
const LINKS = { 'conf.d/3.conf': 'linked.conf', 'www/4/4/.htaccess': 'linked' };

/** One file has an attribute that no other can be given. */
const attributes: Attributes = {
  differing: (pairs) => pairs.flatMap(([path], index) => (path.endsWith('/conf.d/6.conf') ? [index] : [])),
  copy: () => undefined,
  times: () => undefined,
};

interface Place {
  readonly tree: string;
  readonly state: string;
}

function place(): Place {
  const root = scratch();
  const tree = join(root, 'tree');
  writeTree(tree, old);
  for (const [name, second] of Object.entries(LINKS)) fs.linkSync(join(tree, name), join(tree, second));
  fs.mkdirSync(join(root, 'state'));
  return { tree, state: join(root, 'state') };
}

const wholeTree = (texts: Texts, suffix?: string): Record<string, string> => ({
  ...texts,
  ...Object.fromEntries(Object.entries(LINKS).map(([name, second]) => [second, texts[name] ?? ''])),
  ...(suffix === undefined
    ? {}
    : Object.fromEntries(Object.entries(old).map(([name, text]) => [name + suffix, text]))),
});

let lastPid = 1_000_000;

/** A store as another process would open it: the one before is dead. */
async function open({ state }: Place, ops: FileOps, recover: 'yes' | 'no' = 'yes'): Promise<Store> {
  const host = testHost(state, { pid: ++lastPid, alive: () => false });
  return openTestStore(state, { host, ops, attributes, recover });
}

async function life(
  where: Place,
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
async function settle(where: Place): Promise<void> {
  const ops = faultyOps();
  (await open(where, ops)).close();
  expect(ops.release()).toBe(0);
}

const write =
  (where: Place, texts: Texts) =>
  async (store: Store): Promise<void> =>
    store.write(planOf(where.tree, texts), { paths: ['tree'], backup: '.bak' });
const undo = async (store: Store): Promise<unknown> => store.undo({ id: undefined, keepChanged: false });

/** Whole old or whole new, each of them: what else stands there is ours, and passing. */
function expectWholeFiles(tree: string): void {
  const found = snapshot(tree);
  for (const [name, text] of Object.entries(wholeTree(old)))
    expect([text, wholeTree(converted)[name]]).toContain(found[name]);
}

const isNew = (tree: string): boolean => snapshot(tree)['linked.conf'] === converted['conf.d/3.conf'];

let counted: [write: number, undo: number] | undefined;

async function countCalls(): Promise<[write: number, undo: number]> {
  if (counted !== undefined) return counted;
  const where = place();
  const [first, second] = [faultyOps(), faultyOps()];
  expect(await life(where, first, write(where, converted))).toBeUndefined();
  expect(snapshot(where.tree)).toEqual(wholeTree(converted, '.bak'));
  expect(await life(where, second, undo)).toBeUndefined();
  expect(snapshot(where.tree)).toEqual(wholeTree(old));
  counted = [first.calls, second.calls];
  return counted;
}

const points = (calls: number, step = STEP): number[] =>
  Array.from({ length: Math.ceil(calls / step) }, (_, i) => i * step + 1);

test('killed at any operation of a write: a later run finds all old, or makes all new', async () => {
  const [calls] = await countCalls();
  const seen = { old: 0, new: 0 };
  for (const at of points(calls)) {
    const where = place();
    await life(where, faultyOps({ at, code: 'kill' }), write(where, converted));
    expectWholeFiles(where.tree);
    await settle(where);
    const all = isNew(where.tree) ? 'new' : 'old';
    seen[all]++;
    expect(snapshot(where.tree)).toEqual(all === 'new' ? wholeTree(converted, '.bak') : wholeTree(old));
    if (all === 'new') expect(await life(where, faultyOps(), undo)).toBeUndefined();
    else expect(await life(where, faultyOps(), write(where, converted))).toBeUndefined();
    expect(snapshot(where.tree)).toEqual(all === 'new' ? wholeTree(old) : wholeTree(converted, '.bak'));
    fs.rmSync(join(where.tree, '..'), { recursive: true });
  }
  expect(seen.old).toBeGreaterThan(10);
  expect(seen.new).toBeGreaterThan(0);
});

test('killed at any operation of an undo', async () => {
  const [, calls] = await countCalls();
  for (const at of points(calls, STEP * 2)) {
    const where = place();
    expect(await life(where, faultyOps(), write(where, converted))).toBeUndefined();
    await life(where, faultyOps({ at, code: 'kill' }), undo);
    expectWholeFiles(where.tree);
    await settle(where);
    if (isNew(where.tree)) {
      expect(snapshot(where.tree)).toEqual(wholeTree(converted, '.bak'));
      expect(await life(where, faultyOps(), undo)).toBeUndefined();
    }
    expect(snapshot(where.tree)).toEqual(wholeTree(old));
    fs.rmSync(join(where.tree, '..'), { recursive: true });
  }
});

test('killed again, while what the first kill has left is put in order', async () => {
  const [calls] = await countCalls();
  for (const at of points(calls, STEP * 17)) {
    for (let second = 1; ; second += STEP * 3 + 1) {
      const where = place();
      await life(where, faultyOps({ at, code: 'kill' }), write(where, converted));
      const ops = faultyOps({ at: second, code: 'kill' });
      const error = await life(where, ops, async () => undefined);
      expectWholeFiles(where.tree);
      await settle(where);
      expect(snapshot(where.tree)).toEqual(isNew(where.tree) ? wholeTree(converted, '.bak') : wholeTree(old));
      fs.rmSync(join(where.tree, '..'), { recursive: true });
      if (error === undefined) break;
    }
  }
});

test.each(['ENOSPC', 'EACCES', 'EROFS', 'EIO'])(
  '%s at any operation: one line, and nothing half done',
  async (code) => {
    const [calls] = await countCalls();
    let refused = 0;
    for (const at of points(calls, STEP * 3)) {
      const where = place();
      const fault: Fault = { at, code };
      const error = await life(where, faultyOps(fault), write(where, converted));
      const all = isNew(where.tree) ? wholeTree(converted, '.bak') : wholeTree(old);
      if (error !== undefined && !(error as Error).message.includes('; then ')) {
        refused++;
        expect((error as Error).message).toMatch(/^[^\n]+$/);
      }
      await settle(where);
      expect(snapshot(where.tree)).toEqual(all);
      if (error !== undefined) expect(all).toEqual(wholeTree(old));
      fs.rmSync(join(where.tree, '..'), { recursive: true });
    }
    expect(refused).toBeGreaterThan(10);
  },
);

/** A writer of its own, which SIGKILL ends before its nth operation. */
function buildVictim(): string {
  const file = join(scratch(), 'victim.cjs');
  buildSync({
    stdin: {
      contents: `
        import { openStore } from './src/write';
        import { faultyOps } from './testing/faulty';
        import { testHost } from './testing/store';
        import { planOf } from './testing/writetree';
        const [tree, state, at, texts] = process.argv.slice(2);
        const ops = faultyOps(undefined, (_, call) => { if (call === Number(at)) process.kill(process.pid, 'SIGKILL'); });
        const attributes = { differing: () => [], copy() {}, times() {} };
        const options = { ops, attributes, host: testHost(state), cwd: '/', recover: 'yes', note() {}, progress() {} };
        (async () => {
          const store = await openStore(options);
          await store.write(planOf(tree, JSON.parse(texts)), { paths: ['tree'], backup: '.bak' });
          store.close();
        })();`,
      resolveDir: join(__dirname, '..'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile: file,
  });
  return file;
}

test('SIGKILL', async () => {
  const victim = buildVictim();
  const [calls] = await countCalls();
  const seen = { old: 0, new: 0 };
  for (const at of points(calls, STEP === 1 ? 1 : Math.ceil(calls / 24))) {
    const where = place();
    const { signal } = spawnSync(process.execPath, [
      victim,
      where.tree,
      where.state,
      String(at),
      JSON.stringify(converted),
    ]);
    expect(signal).toBe(at <= calls - 40 ? 'SIGKILL' : expect.anything());
    expectWholeFiles(where.tree);
    await settle(where);
    const all = isNew(where.tree) ? 'new' : 'old';
    seen[all]++;
    expect(snapshot(where.tree)).toEqual(all === 'new' ? wholeTree(converted, '.bak') : wholeTree(old));
    fs.rmSync(join(where.tree, '..'), { recursive: true });
  }
  expect(seen.old).toBeGreaterThan(10);
  expect(seen.new).toBeGreaterThan(0);
});

test('the faults are faults', () => {
  expect(() => faultyOps({ at: 1, code: 'kill' }).list('/')).toThrow(Killed);
});
