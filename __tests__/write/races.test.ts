import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store, StoreOptions } from '../../src/write';
import type { Attributes } from '../../src/write/system';
import { faultyOps } from '../../testing/write/faulty';
import { FULL_SIZE, SEED, share } from '../../testing/run/size';
import { ALL_POINTS } from '../../testing/write/points';
import { openTestStore, testHost, undoLast } from '../../testing/write/store';
import { planOf, snapshot, type Texts, writeTree } from '../../testing/write/write-tree';

// What others do to the tree while it is written, before every single operation in turn; of an undo and a recovery every third,
// unless all are asked for. `npm test` asks a share of these.

const roots: string[] = [];
afterAll(() => roots.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

const asRoot = process.getuid?.() === 0;
const NOBODY = 65534;

interface RacePlace {
  readonly root: string;
  readonly state: string;
}

/** A tree that belongs to somebody else if that can be: then it is root who writes. */
function place(texts: Texts): RacePlace {
  const base = fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const top = fs.realpathSync(fs.mkdtempSync(join(base, 'codemod-race-')));
  roots.push(top);
  const root = join(top, 'tree');
  writeTree(root, texts);
  fs.linkSync(join(root, 'd/b'), join(root, 'x/b'));
  fs.writeFileSync(join(top, 'secret'), 'a\n', { mode: 0o600 });
  fs.mkdirSync(join(top, 'state'));
  if (asRoot)
    for (const name of ['', ...fs.readdirSync(root, { recursive: true, encoding: 'utf8' })])
      if (!name.startsWith('x')) fs.chownSync(join(root, name), NOBODY, NOBODY);
  return { root, state: join(top, 'state') };
}

const old: Texts = { a: 'a\n', 'd/b': 'b\n', 'd/e/c': 'c\n', 'x/y': 'y\n' };
const texts: Texts = { a: 'A!\n', 'd/b': 'B!\n', 'd/e/c': 'C!\n', 'x/b': 'B!\n', 'x/y': 'Y!\n' };
const [before, after]: readonly Texts[] = [{ ...old, 'x/b': old['d/b']! }, texts];

/** One file must be given an attribute; where that leads is seen by its mode. */
const attributes: Attributes = {
  differing: (pairs) => (pairs.length > 1 ? [0] : []),
  copy(files) {
    for (const { to } of files) fs.fchmodSync(to, 0o644);
    return [];
  },
  lost: () => [],
  times: () => undefined,
};

const RUNS = {
  write: async (store: Store, root: string) => store.write(planNow(root), { paths: [], backup: '.bak' }),
  undo: async (store: Store) => undoLast(store),
  recovery: async () => undefined,
};
type RunKind = keyof typeof RUNS;

/** What was read: an edit that comes before the reading is no matter here. */
function planNow(root: string): ReturnType<typeof planOf> {
  const read = fs.mkdtempSync(join(root, '../read-'));
  writeTree(read, before!);
  return planOf(read, texts).map((change) => ({
    ...change,
    file: { ...change.file, path: join(root, change.file.name) },
  }));
}

interface ObservedTexts {
  /** Before which operation it was done: its name and its last path; undefined for not at all, the run was over. */
  readonly at: readonly [name: string, path: string] | undefined;
  readonly failed: boolean;
  readonly root: string;
}

/** How many operations lie between two that are tried. */
function step(kind: RunKind): number {
  if (ALL_POINTS) return 1;
  if (FULL_SIZE) return kind === 'write' ? 1 : 3;
  return kind === 'write' ? 6 : 9;
}

/** Where a share begins hangs on the seed. */
const FIRST = FULL_SIZE ? 1 : 1 + (SEED % 4);

/** @returns how many runs were refused */
async function racing(
  kind: RunKind,
  action: (root: string) => void,
  check: (seen: ObservedTexts) => void,
): Promise<number> {
  let refused = 0;
  for (let n = FIRST; ; n += step(kind)) {
    const where = place(old);
    const open = async (over: Partial<StoreOptions> = {}): Promise<Store> =>
      openTestStore(where.state, {
        attributes,
        host: testHost(where.state, { alive: () => false }),
        ...over,
      });
    await prepare(kind, where, open);
    let at: ObservedTexts['at'];
    const ops = faultyOps(undefined, (name, call, args) => {
      if (call !== n) return;
      at = [name, String(args.findLast((arg) => typeof arg !== 'number'))];
      action(where.root);
    });
    let failed = false;
    try {
      const store = await open({ ops });
      await RUNS[kind](store, where.root).finally(() => store.close());
    } catch (error) {
      failed = true;
      refused++;
      expect((error as Error).message).toMatch(/^[^\n]+$/);
    }
    check({ at, failed, root: where.root });
    expect(ops.release()).toBe(0);
    // Whatever somebody does to one file, nothing stays undecided.
    if (kind !== 'recovery') expect(fs.readdirSync(join(where.state, 'httpd-codemod/pending'))).toEqual([]);
    fs.rmSync(join(where.root, '..'), { recursive: true });
    if (at === undefined) return refused;
  }
}

/** Before a recovery, a write is killed in the midst of putting files in place. */
async function prepare(
  kind: RunKind,
  { root }: RacePlace,
  open: (over?: Partial<StoreOptions>) => Promise<Store>,
): Promise<void> {
  if (kind === 'write') return;
  let renamed = 0;
  const stops = (): boolean => kind === 'recovery' && renamed === 4;
  const ops = faultyOps(undefined, (name, _, args) => {
    if (name === 'rename' && /\/\.httpd-codemod-/.test(String(args[0])) && !String(args[1]).endsWith('.bak'))
      renamed++;
    if (stops()) throw new Error('killed');
  });
  const store = await open({ ops });
  await RUNS.write(store, root).catch((error: unknown) => {
    if (kind !== 'recovery') throw error;
  });
  if (!stops()) store.close();
  ops.release();
}

const secret = (root: string): unknown => {
  const { mode, uid } = fs.statSync(join(root, '../secret'));
  return [fs.readFileSync(join(root, '../secret'), 'latin1'), mode & 0o777, uid];
};
const untouched = ['a\n', 0o600, process.getuid?.()];

const EDIT = 'edited by someone\n';

describe.each<RunKind>(['write', 'undo', 'recovery'])('%s', (kind) => {
  test('a file edited meanwhile: no edit is lost, nothing is half done', async () => {
    const refused = await racing(
      kind,
      (root) => fs.writeFileSync(join(root, 'd/e/c'), EDIT),
      ({ at, root, failed }) => {
        const found = snapshot(root);
        // A recovery has the time from its last look to the renaming, in which it cannot see it.
        const isUnobserved = kind === 'recovery' && at?.[0] === 'rename' && at[1].endsWith('/c');
        if (at !== undefined && !isUnobserved) expect(found['d/e/c']).toBe(EDIT);
        const others = [found['a'], found['x/y']];
        const [first, last] = kind === 'undo' ? [after, before] : [before, after];
        // A recovery that finds the edit leaves all as it is, for the user to decide.
        if (!failed || kind === 'write') {
          const isDone = !failed && kind !== 'recovery';
          expect(others).toEqual(isDone ? [last!['a'], last!['x/y']] : [first!['a'], first!['x/y']]);
        }
      },
    );
    expect(refused).toBeGreaterThan(share(5));
  });

  test('a file replaced meanwhile: it is lost in no case but between the last look and the renaming', async () => {
    let lost = 0;
    const refused = await racing(
      kind,
      (root) => {
        fs.writeFileSync(join(root, 'mine'), EDIT);
        fs.renameSync(join(root, 'mine'), join(root, 'a'));
      },
      ({ at, root }) => {
        if (at === undefined || snapshot(root)['a'] === EDIT) return;
        lost++;
        expect(at[0]).toBe('rename');
        expect(at[1]).toMatch(/\/a$/);
      },
    );
    expect(refused).toBeGreaterThan(share(5));
    expect(lost).toBeLessThanOrEqual(1);
  });

  test('a file swapped for a link: what the link leads to is not touched', async () => {
    const refused = await racing(
      kind,
      (root) => {
        fs.rmSync(join(root, 'a'), { force: true });
        fs.symlinkSync('../secret', join(root, 'a'));
      },
      ({ root }) => expect(secret(root)).toEqual(untouched),
    );
    expect(refused).toBeGreaterThan(share(5));
  });

  test('a directory swapped for a link: nothing is made, changed or removed behind it', async () => {
    const elsewhere = { b: 'b\n', 'e/c': 'c\n', 'e/c.bak': 'c\n' };
    const refused = await racing(
      kind,
      (root) => {
        writeTree(join(root, '../elsewhere'), elsewhere);
        fs.renameSync(join(root, 'd'), join(root, 'was'));
        fs.symlinkSync('../elsewhere', join(root, 'd'));
      },
      ({ at, root }) => {
        if (at !== undefined) expect(snapshot(join(root, '../elsewhere'))).toEqual(elsewhere);
      },
    );
    expect(refused).toBeGreaterThan(share(1));
  });

  test.each<[string, (target: string, path: string) => void, readonly string[]]>([
    ['symbolic', fs.symlinkSync, ['.', 'd', 'd/e']],
    ['hard', fs.linkSync, ['.', 'd', 'd/e']],
    ['hard (in one directory)', fs.linkSync, ['d']],
  ])('temporary files swapped for links: %s', async (_, link, directories) => {
    await racing(
      kind,
      (root) => {
        for (const directory of directories)
          for (const name of fs.readdirSync(join(root, directory))) {
            if (!name.startsWith('.httpd-codemod-')) continue;
            fs.unlinkSync(join(root, directory, name));
            link(join(root, '../secret'), join(root, directory, name));
          }
      },
      ({ root }) => {
        expect(secret(root)).toEqual(untouched);
        // Who owns one directory has no say in what comes into the other, though the two share a file.
        expect([before!['x/b'], after!['x/b']]).toContain(fs.readFileSync(join(root, 'x/b'), 'latin1'));
      },
    );
  });
});

test('a file that is gone, with its directory', async () => {
  const where = place(old);
  const plan = planOf(where.root, texts);
  fs.rmSync(join(where.root, 'd/e'), { recursive: true });
  const store = await openTestStore(where.state);
  await expect(store.write(plan, { paths: [] })).rejects.toThrow(
    'd/e/c: cannot write: it is gone, or its directory is; nothing written',
  );
  store.close();
  expect(snapshot(where.root)).toEqual({ a: 'a\n', 'd/b': 'b\n', 'x/b': 'b\n', 'x/y': 'y\n' });
});
