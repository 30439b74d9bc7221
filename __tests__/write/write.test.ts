import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '../../src/engine/types';
import type { FileReplacement, IndexChange, Store, StoreOptions } from '../../src/write';
import { Journal } from '../../src/write/journal';
import { attributes, type FileOps, realOps } from '../../src/write/system';
import { faultyOps } from '../../testing/write/faulty';
import { openTestStore, testHost, undoLast } from '../../testing/write/store';
import { planOf, snapshot, type Texts, writeTree } from '../../testing/write/write-tree';

const roots: string[] = [];
afterAll(() => roots.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

interface TestPlace {
  readonly root: string;
  readonly state: string;
}

function place(texts: Texts): TestPlace {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'codemod-write-')));
  roots.push(root);
  writeTree(join(root, 'tree'), texts);
  fs.mkdirSync(join(root, 'state'));
  return { root: join(root, 'tree'), state: join(root, 'state') };
}

async function withStore<T>(
  { state }: TestPlace,
  action: (store: Store) => Promise<T> | T,
  over: Partial<StoreOptions> = {},
): Promise<T> {
  const store = await openTestStore(state, over);
  try {
    return await action(store);
  } finally {
    store.close();
  }
}

const write = async (where: TestPlace, plan: readonly Change[], backup?: string): Promise<void> =>
  withStore(where, async (store) =>
    store.write(plan, { paths: ['.'], ...(backup === undefined ? {} : { backup }) }),
  );
const undo = async (where: TestPlace, keepChanged = false): Promise<readonly string[]> =>
  withStore(where, async (store) => (await undoLast(store, keepChanged)).left);

const old = { a: 'a\n', 'd/b': 'b\n', 'd/e/c': 'c\n' };
const texts = { a: 'A!\n', 'd/b': 'B!\n', 'd/e/c': 'C!\n' };
const asRoot = process.getuid?.() === 0;

describe('a change elsewhere that belongs to a write', () => {
  const files = (root: string): FileReplacement[] =>
    planOf(root, texts).map(({ file, text }) => ({
      path: file.path,
      name: file.name,
      before: file.document.text,
      after: text,
    }));

  test('is done when the files are in place, and takes them back where it fails', async () => {
    const where = place(old);
    let seen: unknown;
    const joint = {
      apply(): void {
        seen = snapshot(where.root);
        throw new Error('no');
      },
      index: undefined,
    };
    await expect(
      withStore(where, (store) => store.replace(files(where.root), { paths: [] }, joint)),
    ).rejects.toThrow(/^no; nothing written$/);
    expect(Object.values(seen as object)).toEqual(expect.arrayContaining(Object.values(texts)));
    expect(snapshot(where.root)).toEqual(old);
  });

  test('is taken back with the files where the write cannot be made final', async () => {
    const where = place(old);
    const done: string[] = [];
    const ops: FileOps = {
      ...realOps,
      rename(from, to) {
        if (String(to).includes('/done/')) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        realOps.rename(from, to);
      },
    };
    const index: IndexChange = {
      top: where.root,
      repository: 'r',
      index: 'i',
      entries: [{ path: 'a', before: '1', after: '2' }],
    };
    const joint = { index, apply: () => void done.push('apply') };
    const takeBack = (change: IndexChange): never => {
      expect([change, snapshot(where.root)['a']]).toEqual([index, old.a]);
      done.push('takeBack');
      throw new Error('locked');
    };
    const indexes = {
      takeBack,
      failureText: ({ entries }: IndexChange, reason: string) => `${entries[0]?.path}: ${reason}`,
    };
    await expect(
      withStore(where, (store) => store.replace(files(where.root), { paths: [] }, joint), { ops, indexes }),
    ).rejects.toThrow(/; nothing written; a: locked$/);
    expect(done).toEqual(['apply', 'takeBack']);
    expect(snapshot(where.root)).toEqual(old);
  });
});

describe('a write', () => {
  test('keeps modes and owners, leaves nothing behind', async () => {
    const where = place(old);
    fs.chmodSync(join(where.root, 'a'), 0o640);
    fs.chmodSync(join(where.root, 'd/b'), 0o4755);
    if (asRoot) fs.chownSync(join(where.root, 'd/e/c'), 65534, 65533);
    const shape = (): unknown =>
      Object.keys(old).map((name) => {
        const { mode, uid, gid } = fs.statSync(join(where.root, name));
        return { mode, uid, gid };
      });
    const before = shape();
    await write(where, planOf(where.root, texts));
    expect(snapshot(where.root)).toEqual(texts);
    expect(shape()).toEqual(before);
    await undo(where);
    expect(shape()).toEqual(before);
  });

  test('keeps hard links', async () => {
    const where = place(old);
    fs.linkSync(join(where.root, 'a'), join(where.root, 'd/second'));
    const both = { ...texts, 'd/second': texts.a };
    const isOne = (): boolean =>
      fs.statSync(join(where.root, 'a')).ino === fs.statSync(join(where.root, 'd/second')).ino;
    await write(where, planOf(where.root, both));
    expect(snapshot(where.root)).toEqual(both);
    expect(isOne()).toBe(true);
    await undo(where);
    expect(snapshot(where.root)).toEqual({ ...old, 'd/second': old.a });
    expect(isOne()).toBe(true);
  });

  test('makes a name a file of its own where another one is not to be written: that keeps all that it has', async () => {
    const where = place(old);
    const other = join(where.root, '../snapshot/a');
    fs.mkdirSync(join(where.root, '../snapshot'));
    fs.chmodSync(join(where.root, 'a'), 0o640);
    if (asRoot) fs.chownSync(join(where.root, 'a'), 65534, 65533);
    fs.linkSync(join(where.root, 'a'), other);
    const of = (path: string): unknown => {
      const { mode, uid, gid, mtimeNs } = fs.statSync(path, { bigint: true });
      return { text: fs.readFileSync(path, 'latin1'), mode, uid, gid, mtimeNs };
    };
    const before = of(other);
    await write(where, planOf(where.root, texts));
    expect([snapshot(where.root), of(other)]).toEqual([texts, before]);
    expect(of(join(where.root, 'a'))).toMatchObject({
      mode: fs.statSync(other, { bigint: true }).mode,
      uid: fs.statSync(other, { bigint: true }).uid,
    });
    await undo(where);
    expect([snapshot(where.root), of(join(where.root, 'a')), of(other)]).toEqual([old, before, before]);
  });

  test('makes files of names that get different texts', async () => {
    const where = place(old);
    for (const name of ['d/second', 'd/third']) fs.linkSync(join(where.root, 'a'), join(where.root, name));
    const all = { ...texts, 'd/second': 'other\n', 'd/third': texts.a };
    await write(where, planOf(where.root, all));
    expect(snapshot(where.root)).toEqual(all);
    const inode = (name: string): number => fs.statSync(join(where.root, name)).ino;
    expect(inode('d/third')).toBe(inode('a'));
    await undo(where);
    expect(snapshot(where.root)).toEqual({ ...old, 'd/second': old.a, 'd/third': old.a });
  });

  test.each(['EXDEV', 'EMLINK'])(
    'makes a file of each name where the new one takes no second name (%s)',
    async (code) => {
      const where = place(old);
      fs.linkSync(join(where.root, 'a'), join(where.root, 'd/second'));
      const both = { ...texts, 'd/second': texts.a };
      const ops: typeof realOps = {
        ...realOps,
        link(from, to) {
          if (/-\d+$/.test(String(to))) throw Object.assign(new Error(code), { code });
          realOps.link(from, to);
        },
      };
      await withStore(where, async (store) => store.write(planOf(where.root, both), { paths: ['.'] }), {
        ops,
      });
      expect(snapshot(where.root)).toEqual(both);
    },
  );

  test('--backup leaves copies with mode and time, and no file is in its way', async () => {
    const where = place(old);
    fs.chmodSync(join(where.root, 'a'), 0o600);
    fs.utimesSync(join(where.root, 'a'), 1e9, 1e9);
    await write(where, planOf(where.root, texts), '.bak');
    const copies = Object.fromEntries(Object.entries(old).map(([name, text]) => [`${name}.bak`, text]));
    expect(snapshot(where.root)).toEqual({ ...texts, ...copies });
    expect(fs.statSync(join(where.root, 'a.bak'))).toMatchObject({ mode: 0o100600, mtimeMs: 1e12 });
    fs.writeFileSync(join(where.root, 'a.bak'), 'mine\n');
    await undo(where);
    expect(snapshot(where.root)).toEqual({ ...old, 'a.bak': 'mine\n' });
    await expect(write(where, planOf(where.root, texts), '.bak')).rejects.toThrow(
      'a: there is a file a.bak already; nothing written',
    );
    expect(snapshot(where.root)).toEqual({ ...old, 'a.bak': 'mine\n' });
  });

  test('gives a new file the attributes that node cannot see, and refuses where that cannot be', async () => {
    const where = place(old);
    const copied: string[] = [];
    const differing = (unfixable: string) => (pairs: readonly (readonly [string, string])[]) =>
      pairs.flatMap(([path], i) =>
        (path.endsWith('/a') && copied.length === 0) || path.endsWith(unfixable) ? [i] : [],
      );
    const copy = (files: readonly { from: number }[]): number[] => {
      copied.push(...files.map(({ from }) => fs.readFileSync(from, 'latin1')));
      return [];
    };
    const fake = { copy, times: () => undefined };
    const attempt = async (unfixable: string): Promise<void> =>
      withStore(where, async (store) => store.write(planOf(where.root, texts), { paths: [] }), {
        attributes: { ...fake, differing: differing(unfixable), lost: differing(unfixable) },
      });
    await expect(attempt('/d/b')).rejects.toThrow(
      'd/b: cannot write: a new file could not have its access control list, security label or extended attributes (getfattr or GNU cp has to be there); nothing written',
    );
    expect(snapshot(where.root)).toEqual(old);
    copied.length = 0;
    await attempt('nothing');
    expect(copied).toEqual(['a\n']);
    expect(snapshot(where.root)).toEqual(texts);
  });

  test('the programs that see and copy attributes: one that is missing or fails is no silence', () => {
    const where = place({ '.htaccess': 'Deny from all\n' });
    const bin = join(where.state, 'bin');
    fs.mkdirSync(bin);
    const provide = (...programs: readonly string[]): void => {
      for (const program of programs)
        fs.symlinkSync(spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(), join(bin, program));
    };
    const getfattr = (complaint: string): void =>
      fs.writeFileSync(
        join(bin, 'getfattr'),
        `#!/bin/sh\n${complaint && `echo "getfattr: ${complaint}" >&2`}\nexit 1\n`,
        { mode: 0o755 },
      );
    /** What the command says when it writes with no other programs than these. */
    const attempt = (): string => {
      const command = [join(__dirname, '../../bin/httpd-codemod.js'), '--write', '--quiet', '.htaccess'];
      const env = { PATH: bin, XDG_STATE_HOME: where.state };
      const { status, stderr } = spawnSync(process.execPath, command, {
        cwd: where.root,
        encoding: 'utf8',
        env,
      });
      return status === 2 ? stderr : snapshot(where.root)['.htaccess']!;
    };
    const lost = /cannot write: a new file could not have its access control list.*; nothing written/;
    expect(attempt()).toMatch(lost);
    provide('sh', 'xargs', 'ls');
    expect(attempt()).toMatch(lost);
    getfattr('no more memory');
    expect(attempt()).toMatch(
      /cannot tell what attributes it has: getfattr has failed: getfattr: no more memory; nothing written/,
    );
    getfattr('');
    expect(attempt()).toMatch(
      /cannot tell what attributes it has: getfattr has failed: exit status 123; nothing written/,
    );
    expect(snapshot(where.root)).toEqual({ '.htaccess': 'Deny from all\n' });
    fs.rmSync(join(bin, 'getfattr'));
    provide('cp');
    expect(attempt()).toBe('Require all denied\n');
    fs.writeFileSync(join(where.root, '.htaccess'), 'Deny from all\n');
    getfattr('x: Operation not supported');
    expect(attempt()).toBe('Require all denied\n');
  });

  test('nobody reads a new file or a copy before it has its attributes', async () => {
    const where = place(old);
    const modes: number[] = [];
    const looking = {
      ...attributes,
      differing: (pairs: readonly (readonly [string, string])[]) => {
        modes.push(...pairs.map(([, path]) => fs.statSync(path).mode & 0o777));
        return [...pairs.keys()];
      },
    };
    fs.chmodSync(join(where.root, 'a'), 0o664);
    await withStore(
      where,
      async (store) => store.write(planOf(where.root, { a: 'A!\n' }), { paths: ['.'], backup: '.bak' }),
      {
        attributes: looking,
      },
    );
    expect(modes).toEqual([0o600, 0o600]);
    expect(['a', 'a.bak'].map((name) => fs.statSync(join(where.root, name)).mode & 0o777)).toEqual([
      0o664, 0o664,
    ]);
  });

  test('refuses where the new file could not have the owner of the old one', async () => {
    const where = place(old);
    const ops: FileOps = {
      ...faultyOps(),
      chown() {
        throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
      },
      stat: (fd) => ({
        ...realOps.stat(fd),
        ...(fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('/d/b') && { gid: 4242 }),
      }),
    };
    await expect(
      withStore(where, async (store) => store.write(planOf(where.root, texts), { paths: [] }), { ops }),
    ).rejects.toThrow(
      /^d\/b: cannot write: it belongs to a group that is not yours \(4242\), and a new file would not: run this as root or as a member; nothing written$/,
    );
    expect(snapshot(where.root)).toEqual(old);
  });

  test('works where the file system has no hard links', async () => {
    const where = place(old);
    const ops: FileOps = {
      ...faultyOps(),
      link(from, to) {
        if (!String(to).includes('/lock/')) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        fs.linkSync(from, to);
      },
    };
    await withStore(
      where,
      async (store) => store.write(planOf(where.root, texts), { paths: [], backup: '.b' }),
      { ops },
    );
    expect(snapshot(where.root)).toMatchObject({ ...texts, 'a.b': 'a\n' });
  });

  test('stops where it is asked to, and takes back', async () => {
    for (const after of [1, 3, 5, 7, 9]) {
      const where = place(old);
      let asked = 0;
      const host = testHost(where.state, {
        listen: () => ({ received: () => ++asked > after, end: () => undefined }),
      });
      const plan = planOf(where.root, texts);
      await expect(
        withStore(where, async (store) => store.write(plan, { paths: [] }), { host }),
      ).rejects.toThrow(/^interrupted; nothing written$/);
      expect(snapshot(where.root)).toEqual(old);
    }
  });
});

test('a disk that is full: a real one where it can be mounted, else the system says so', async () => {
  const where = place({});
  const options = ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', where.root];
  const mounted = asRoot && spawnSync('mount', options).status === 0;
  try {
    const manyFiles = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`${i}/.htaccess`, `${i}${'x'.repeat(4000)}\n`]),
    );
    writeTree(where.root, manyFiles);
    const plan = planOf(
      where.root,
      Object.fromEntries(Object.keys(manyFiles).map((name) => [name, 'y'.repeat(4000)])),
    );
    let left = 8;
    const ops: FileOps = {
      ...faultyOps(),
      write(fd, bytes, position) {
        if (!mounted && bytes.length === 4000 && --left < 0)
          throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        return fs.writeSync(fd, bytes, 0, bytes.length, position);
      },
    };
    await expect(
      withStore(where, async (store) => store.write(plan, { paths: [] }), { ops }),
    ).rejects.toThrow(/^\d+\/\.htaccess: cannot write: no space left on device; nothing written$/);
    expect(snapshot(where.root)).toEqual(manyFiles);
  } finally {
    if (mounted) spawnSync('umount', [where.root]);
  }
});

describe('undo', () => {
  test('restores every byte, and times to the nanosecond', async () => {
    const where = place(old);
    spawnSync('touch', ['-d', '2001-02-03 04:05:06.123456789', join(where.root, 'a')]);
    const times = (): bigint[] =>
      Object.keys(old).map((name) => fs.statSync(join(where.root, name), { bigint: true }).mtimeNs);
    const before = times();
    await write(where, planOf(where.root, texts));
    expect(times()).not.toEqual(before);
    await undo(where);
    expect(snapshot(where.root)).toEqual(old);
    expect(times()).toEqual(before);
    await expect(undo(where)).rejects.toThrow('the journal none cannot be read');
  });

  test('refuses where a file has changed since, and takes back the others when told to', async () => {
    const where = place(old);
    await write(where, planOf(where.root, texts));
    fs.writeFileSync(join(where.root, 'd/b'), 'mine\n');
    await expect(undo(where)).rejects.toThrow(
      `${where.root}/d/b: changed since it was written (--keep-changed leaves such files and takes back the others); nothing taken back`,
    );
    expect(snapshot(where.root)).toEqual({ ...texts, 'd/b': 'mine\n' });
    expect(await undo(where, true)).toEqual([`${where.root}/d/b`]);
    expect(snapshot(where.root)).toEqual({ ...old, 'd/b': 'mine\n' });
  });

  test.each<[string, (path: string) => void]>([
    ['gone', (path) => fs.rmSync(path)],
    ['a link', (path) => (fs.renameSync(path, `${path} moved`), fs.symlinkSync(`${path} moved`, path))],
    ['a directory', (path) => (fs.rmSync(path), fs.mkdirSync(path))],
    ['a pipe', (path) => (fs.rmSync(path), spawnSync('mkfifo', [path]))],
    ['cut', (path) => fs.truncateSync(path)],
  ])('a file that is %s since: it refuses and says how the others are taken back', async (_, change) => {
    const where = place({ ...old });
    await write(where, planOf(where.root, texts));
    change(join(where.root, 'd/b'));
    await expect(undo(where)).rejects.toThrow('d/b: changed since it was written (--keep-changed leaves such files and takes back the others); nothing taken back');
    expect(await undo(where, true)).toEqual([join(where.root, 'd/b')]);
    expect([fs.readFileSync(join(where.root, 'a'), 'latin1'), fs.readFileSync(join(where.root, 'd/e/c'), 'latin1')]).toEqual([old.a, old['d/e/c']]);
  }); // prettier-ignore

  test('a write whose files have all changed since is not forgotten', async () => {
    const where = place({ a: 'a\n' });
    await write(where, planOf(where.root, { a: 'A!\n' }));
    fs.writeFileSync(join(where.root, 'a'), 'mine\n');
    await expect(undo(where, true)).rejects.toThrow(
      /^every file has changed since it was written; nothing taken back$/,
    );
    fs.writeFileSync(join(where.root, 'a'), 'A!\n');
    await undo(where, true);
    expect(snapshot(where.root)).toEqual({ a: 'a\n' });
  });

  test('takes back one write after the other, lists them, forgets them', async () => {
    const where = place(old);
    await write(where, planOf(where.root, texts));
    await write(where, planOf(where.root, { a: 'AA\n' }));
    const { writes: list } = await withStore(where, (store) => store.list());
    expect(list).toMatchObject([{ files: 1, paths: ['.'], interrupted: false }, { files: 3 }]);
    await expect(
      withStore(where, async (store) => store.undo({ id: list[1]!.id, keepChanged: false })),
    ).rejects.toThrow('/a: changed since');
    await undo(where);
    expect(snapshot(where.root)).toEqual(texts);
    await undo(where);
    expect(snapshot(where.root)).toEqual(old);
    await write(where, planOf(where.root, texts));
    expect(await withStore(where, (store) => store.prune())).toBe(1);
    await expect(undo(where)).rejects.toThrow('the journal none cannot be read');
  });

  test('keeps the last twenty writes', async () => {
    const where = place(old);
    for (let i = 0; i < 23; i++) await write(where, planOf(where.root, { a: `${i}\n` }));
    const { writes: list } = await withStore(where, (store) => store.list());
    expect(list).toHaveLength(20);
    await undo(where);
    expect(snapshot(where.root)['a']).toBe('21\n');
  });

  test('the last write is the one that was made last, also where the clock was set back', async () => {
    const where = place(old);
    await write(where, planOf(where.root, { a: 'A!\n' }));
    const clock = jest.spyOn(Date.prototype, 'toISOString').mockReturnValue('2001-01-01T00:00:00.000Z');
    await write(where, planOf(where.root, { a: 'A!!\n' })).finally(() => clock.mockRestore());
    await undo(where);
    expect(snapshot(where.root)['a']).toBe('A!\n');
    await undo(where);
    expect(snapshot(where.root)).toEqual(old);
  });

  test('finds the last write at or below a path, and no other', async () => {
    const where = place(old);
    await write(where, planOf(where.root, { 'd/b': 'B!\n' }));
    await write(where, planOf(where.root, { a: 'A!\n' }));
    fs.symlinkSync('d', join(where.root, 'link'));
    const find = async (...paths: string[]): Promise<readonly string[] | undefined> =>
      withStore(
        where,
        (store) =>
          store.findUndoable(
            undefined,
            paths.map((path) => join(where.root, path)),
          )?.written,
      );
    expect(await find('d')).toEqual([`${where.root}/d/b`]);
    expect(await find('link')).toEqual([`${where.root}/d/b`]);
    expect(await find('d/b')).toEqual([`${where.root}/d/b`]);
    expect(await find('.')).toEqual([`${where.root}/a`]);
    expect(await find('d/e', 'gone')).toBeUndefined();
    expect(await withStore(where, (store) => store.findUndoable(undefined, ['/'])?.written)).toEqual([
      `${where.root}/a`,
    ]);
  });

  const DAMAGE: readonly (readonly [string, (directory: string) => void, string])[] = [
    ['cut', (directory) => fs.truncateSync(join(directory, 'journal'), 10), 'its header is damaged'],
    ['overwritten', (directory) => fs.appendFileSync(join(directory, 'journal'), 'x\n'), 'its file journal is damaged'],
    ['of another version', (directory) => fs.writeFileSync(join(directory, 'journal'), '{"version":2}\n'), 'another version of httpd-codemod has made it'],
    ['too large', (directory) => fs.truncateSync(join(directory, 'journal'), 3 * 2 ** 30), 'its file journal is larger than 512 MB'],
    ['without its journal', (directory) => fs.rmSync(join(directory, 'journal')), 'its file journal is gone'],
    ['without its store', (directory) => fs.rmSync(join(directory, 'store')), 'its file store is gone'],
    ['something else', (directory) => { fs.rmSync(directory, { recursive: true }); fs.writeFileSync(directory, ''); }, 'its file journal is gone'],
    ['with a directory in it', (directory) => { fs.rmSync(join(directory, 'store')); fs.mkdirSync(join(directory, 'store')); }, 'its file store is no regular file'],
  ]; // prettier-ignore
  test('a write of many paths that were given is taken back', async () => {
    const where = place(old);
    const paths = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(100_000)}${i}`);
    await withStore(where, (store) => store.write(planOf(where.root, texts), { paths }));
    expect(await withStore(where, (store) => store.list())).toMatchObject({
      writes: [{ paths }],
      damaged: [],
    });
    await undo(where);
    expect(snapshot(where.root)).toEqual(old);
  });

  test('no journal becomes larger than can be read again', () => {
    let written = 0;
    const swallowing = {
      ...realOps,
      write: (_: number, { length }: Uint8Array) => ((written += length), length),
    };
    const header = {
      version: 1,
      kind: 'write',
      id: 'a',
      started: '',
      cwd: '/',
      paths: [],
      files: 1,
    } as const;
    const journal = new Journal(swallowing, join(place(old).state, 'large'), header);
    const entry = {
      path: 'x'.repeat(90_000_000),
      mode: 0,
      uid: 0,
      gid: 0,
      atime: '',
      mtime: '',
      at: 0,
      size: 0,
      old: '',
      new: '',
    };
    for (let count = 0; count < 5; count++) journal.line({ entry });
    expect(() => journal.line({ entry })).toThrow(
      /^the journal of so many files would be larger than 500 MB, .*: write some of the paths/,
    );
    journal.line({ ready: true });
    journal.close();
    expect(written).toBeLessThan(500_000_000);
  });

  test('a file that has become too large to be read is one that changed', async () => {
    const where = place(old);
    const plan = planOf(where.root, texts);
    fs.truncateSync(join(where.root, 'a'), 3 * 2 ** 30);
    await expect(write(where, plan)).rejects.toThrow(/^a: changed since it was read; nothing written$/);
    fs.writeFileSync(join(where.root, 'a'), old.a);
    await write(where, plan);
    fs.truncateSync(join(where.root, 'a'), 3 * 2 ** 30);
    await expect(undo(where)).rejects.toThrow(/\/a: changed since it was written/);
  });

  test.each(DAMAGE)('a journal that is %s disables no other', async (_, damage, reason) => {
    const where = place(old);
    await write(where, planOf(where.root, { a: 'A!\n' }));
    await write(where, planOf(where.root, { 'd/b': 'B!\n' }));
    const { writes } = await withStore(where, (store) => store.list());
    damage(join(where.state, 'httpd-codemod/writes', writes[0]!.id));
    await write(where, planOf(where.root, { 'd/e/c': 'C!\n' }));
    await withStore(where, async (store) => {
      await undoLast(store);
      await undoLast(store);
      expect(snapshot(where.root)).toEqual({ ...old, 'd/b': 'B!\n' });
      await expect(store.undo({ id: writes[0]!.id, keepChanged: false })).rejects.toThrow(
        `the journal ${writes[0]!.id} cannot be read: ${reason}`,
      );
      const [aside, ...more] = await store.repair();
      expect(more).toEqual([]);
      expect(aside).toMatchObject({ id: writes[0]!.id, reason, interrupted: false });
      expect(fs.existsSync(aside!.path)).toBe(true);
      expect(await store.repair()).toEqual([]);
      expect(store.list()).toEqual({ writes: [], damaged: [] });
    });
  });

  test('a damaged journal of an interrupted write is said, and holds up nothing', async () => {
    const where = place(old);
    const pending = join(where.state, 'httpd-codemod/pending/broken');
    await withStore(where, () => undefined);
    fs.mkdirSync(pending);
    fs.writeFileSync(join(pending, 'journal'), '');
    const notes: string[] = [];
    await withStore(where, (store) => store.write(planOf(where.root, texts), { paths: ['.'] }), {
      note: (line) => notes.push(line),
    });
    expect(snapshot(where.root)).toEqual(texts);
    expect(notes).toEqual([
      expect.stringMatching(
        /^the journal broken cannot be read: its header is damaged .*--repair.*interrupted run/,
      ),
    ]);
    expect(await withStore(where, (store) => store.repair())).toMatchObject([{ interrupted: true }]);
  });

  test('an XDG_STATE_HOME that cannot be used is an error, not another place', async () => {
    const where = place({ ...old, loose: '' });
    const open = (state: string, uid: number | undefined): Promise<Store> =>
      openTestStore(where.state, {
        host: testHost(where.state, { uid, env: { XDG_STATE_HOME: state, HOME: where.state } }),
      });
    const loose = join(where.root, 'open');
    fs.mkdirSync(join(loose, 'httpd-codemod'), { recursive: true });
    fs.chmodSync(join(loose, 'httpd-codemod'), 0o755);
    const reasons: Readonly<Record<string, string>> = {
      [join(where.root, 'loose')]: 'ENOTDIR',
      'state/here': 'not an absolute path',
      [loose]: 'open to other users (its mode must be 0700)',
    };
    for (const [state, reason] of Object.entries(reasons))
      for (const uid of [process.geteuid?.(), 0])
        // To root, all that somebody else has made is another user's.
        await expect(open(state, uid)).rejects.toThrow(
          uid !== process.geteuid?.() && state.startsWith('/')
            ? /belongs to another user\): set XDG_STATE_HOME/
            : `cannot keep a journal: no place for a journal (${state}/httpd-codemod: ${reason}): set XDG_STATE_HOME to a directory of your own; nothing written`,
        );
    expect(fs.readdirSync(where.state)).toEqual([]);
  });

  test('whoever only looks makes nothing, and needs no room', async () => {
    const where = place(old);
    const look = (ops?: FileOps): Promise<Store> =>
      openTestStore(where.state, { recover: 'look', ...(ops && { ops }) });
    const nothing = await look();
    expect([nothing.list(), nothing.findUndoable(undefined, ['/'])]).toEqual([
      { writes: [], damaged: [] },
      undefined,
    ]);
    nothing.close();
    expect(fs.readdirSync(where.state)).toEqual([]);
    await write(where, planOf(where.root, texts));
    const full: FileOps = {
      ...realOps,
      write: () => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    };
    const store = await look(full);
    expect(store.list().writes).toHaveLength(1);
    store.close();
    await expect(openTestStore(where.state, { ops: full })).rejects.toThrow('no space left on device');
  });

  test('the state is the user’s alone', async () => {
    const where = place(old);
    await write(where, planOf(where.root, texts));
    for (const name of [
      '',
      ...fs.readdirSync(join(where.state, 'httpd-codemod'), { recursive: true, encoding: 'utf8' }),
    ])
      expect(fs.statSync(join(where.state, 'httpd-codemod', name)).mode & 0o077).toBe(0);
  });
});

test.each(['EPERM', 'ENOTSUP', 'EMLINK'])(
  'a state directory without hard links (%s) is said to be one',
  async (code) => {
    const where = place(old);
    const ops: FileOps = {
      ...faultyOps(),
      link() {
        throw Object.assign(new Error(code), { code });
      },
    };
    await expect(openTestStore(where.state, { ops })).rejects.toThrow(
      `cannot keep a journal: the file system of ${where.state}/httpd-codemod has no hard links, which the lock needs: set XDG_STATE_HOME to a directory on another; nothing written`,
    );
    // Nothing is left that keeps the next run from writing.
    await write(where, planOf(where.root, texts));
  },
);

describe('temporary files that cannot be removed are named', () => {
  /** Operations by which none can be; where nothing may be renamed either, nothing is written. */
  const append = (alsoRename: boolean): FileOps =>
    faultyOps(undefined, (name, _, [path]) => {
      const fails =
        (name === 'unlink' || (alsoRename && name === 'rename')) &&
        /\/\.httpd-codemod-[^/]*$/.test(String(path));
      if (fails) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: name });
    });
  const left = (root: string): string[] =>
    fs
      .readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.httpd-codemod-'))
      .map((name) => join(root, name));

  test('behind a write that is done', async () => {
    const where = place(old);
    const failed = await withStore(
      where,
      async (store) => store.write(planOf(where.root, texts), { paths: [] }),
      { ops: append(false) },
    ).catch((error: unknown) => (error as Error).message);
    expect(failed).toMatch(/^all is written, but these files could not be removed; remove them yourself: /);
    for (const path of left(where.root)) expect(failed).toContain(path);
    expect(left(where.root).length).toBeGreaterThan(0);
    for (const path of left(where.root)) fs.unlinkSync(path);
    expect(snapshot(where.root)).toEqual(texts);
    // It can be undone like any other.
    await undo(where);
    expect(snapshot(where.root)).toEqual(old);
  });

  test('behind a write that is taken back', async () => {
    const where = place(old);
    const failed = await withStore(
      where,
      async (store) => store.write(planOf(where.root, texts), { paths: [] }),
      { ops: append(true) },
    ).catch((error: unknown) => (error as Error).message);
    expect(failed).toMatch(
      /cannot write: operation not permitted .*; nothing written; these files could not be removed; remove them yourself: /,
    );
    expect(left(where.root).length).toBeGreaterThan(0);
    for (const path of left(where.root)) expect(failed).toContain(path);
  });

  test('and so are the copies of a write that is undone', async () => {
    const where = place(old);
    await withStore(where, async (store) =>
      store.write(planOf(where.root, texts), { paths: [], backup: '.bak' }),
    );
    const copies = fs
      .readdirSync(where.root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.bak'))
      .map((name) => join(where.root, name));
    expect(copies.length).toBeGreaterThan(0);
    const ops = faultyOps(undefined, (name, _, [path]) => {
      if (name === 'unlink' && String(path).endsWith('.bak'))
        throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: name });
    });
    const said = await withStore(where, async (store) => JSON.stringify(await undoLast(store)), {
      ops,
    }).catch((error: unknown) => (error as Error).message);
    expect(said).toMatch(/could not be removed|notRemoved/);
    for (const path of copies) expect(said).toContain(path);
  });

  test('twin: where they can be, nothing is said of any', async () => {
    const where = place(old);
    await write(where, planOf(where.root, texts));
    expect(left(where.root)).toEqual([]);
  });
});

describe('two at once', () => {
  test('the second waits, then says who is writing', async () => {
    const where = place(old);
    const notes: string[] = [];
    await withStore(where, async () => {
      await expect(
        openTestStore(where.state, { wait: 150, note: (line) => notes.push(line) }),
      ).rejects.toThrow(
        `another httpd-codemod (process ${process.pid}) is writing; try again when it is done; nothing written`,
      );
    });
    expect(notes).toEqual([`waiting for another httpd-codemod (process ${process.pid})`]);
    await write(where, planOf(where.root, texts));
  });

  test('the second goes on when the first is done', async () => {
    const where = place(old);
    const first = await openTestStore(where.state);
    setTimeout(() => first.close(), 250);
    await write(where, planOf(where.root, texts));
    expect(snapshot(where.root)).toEqual(texts);
  });

  test('a lock of a dead process, of one that has its number now, of another machine', async () => {
    const where = place(old);
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    await openTestStore(where.state, { host: testHost(where.state, { pid: dead }) });
    await write(where, planOf(where.root, texts));
    // Process 1 lives, but is not the one whose lock it is: that began at another time.
    const locks = join(where.state, 'httpd-codemod/lock');
    const lock = (over: object): void => {
      const [name] = fs.readdirSync(locks);
      const holder = { pid: process.pid, host: 'elsewhere', boot: '', space: '', start: '0' };
      fs.writeFileSync(join(locks, name!), JSON.stringify({ ...holder, ...over }));
    };
    const held = await openTestStore(where.state);
    const [name] = fs.readdirSync(locks);
    const heldLock = JSON.parse(fs.readFileSync(join(locks, name!), 'utf8')) as object;
    held.close();
    lock({ ...heldLock, pid: 1, start: '-1' });
    (await openTestStore(where.state, { wait: 0 })).close();
    // One that has ended, and whose parent has not asked how: it has its number, and its beginning, for as long.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const stat = `/proc/${said.toString().trim()}/stat`;
    const ended = (): readonly string[] =>
      fs
        .readFileSync(stat, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
    while (ended()[0] !== 'Z') await delay(5);
    lock({ ...heldLock, pid: Number(said.toString()), start: ended()[19] });
    (await openTestStore(where.state, { wait: 0 })).close();
    parent.kill();
    lock({});
    await expect(openTestStore(where.state, { wait: 0 })).rejects.toThrow(
      /on elsewhere; if that is gone, remove .*\/lock\/\d+\)/,
    );
  });
});
