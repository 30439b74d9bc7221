import fs from 'node:fs';
import { join } from 'node:path';
import { loadTree } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

// A link leads a run anywhere. To open a device may do something, and so may reading what the kernel makes as it is read.

const opening = jest.spyOn(fs, 'openSync');
const openedBeside = (target: string): string[] =>
  opening.mock.calls
    .map(([path]) => String(path))
    .filter((path) => path === target || path.endsWith('b/.htaccess'));

beforeEach(() => void opening.mockClear());

const DENY = 'Order deny,allow\nDeny from all\n';

test.each([
  '/proc/kmsg',
  '/proc/version',
  '/proc/self/environ',
  '/sys/kernel/mm/ksm/run',
  '/dev/null',
  '/dev/zero',
  '/dev/tty',
])('a link to %s is not opened, and holds nothing up', async (target) => {
  const cwd = directory({ 'a/.htaccess': DENY, 'b/x': '' });
  fs.symlinkSync(target, join(cwd, 'b/.htaccess'));
  const { stdout, stderr } = await command(['--check', '.'], { cwd }, { source: disk });
  expect(stdout).toBe('a/.htaccess\n');
  expect(stderr).toMatch(/no(?:t a)? regular file|no such file/);
  expect(opening.mock.calls.map(([path]) => path)).toContain(join(cwd, 'a/.htaccess'));
  expect(openedBeside(target)).toEqual([]);
  expect(() => disk.read(join(cwd, 'b/.htaccess'))).toThrow(/not a regular file|no such file/);
  expect(() => disk.read(target)).toThrow(/not a regular file|no such file/);
  expect(openedBeside(target)).toEqual([]);
});

test('twin: a file, an empty one, and one behind a link are read', () => {
  const root = directory({ file: DENY, empty: '', '\xe9': DENY });
  fs.symlinkSync('file', join(root, 'link'));
  expect(
    ['file', 'empty', 'link', '\xe9'.normalize()].map((name) =>
      disk.read(join(root, Buffer.from(name).toString('latin1'))),
    ),
  ).toEqual([DENY, '', DENY, DENY]);
});

test.each([
  ['a link that leads to something else', 'statSync', 'link', 'not a regular file'],
  ['a link in the place of a file', 'lstatSync', 'file', 'too many levels of symbolic links'],
] as const)('%s from the moment that it has been looked at is not followed', (_, look, name, message) => {
  const root = directory({ file: DENY, other: 'other\n' });
  fs.symlinkSync('file', join(root, 'link'));
  const path = join(root, name);
  const real = fs[look] as (path: string) => fs.Stats;
  const spy = jest.spyOn(fs, look).mockImplementation(((looked: string) => {
    const stat = real(looked);
    fs.unlinkSync(path);
    fs.symlinkSync('other', path);
    return stat;
  }) as never);
  try {
    expect(() => disk.read(path)).toThrow(message);
  } finally {
    spy.mockRestore();
  }
});

describe('a link of another user', () => {
  const isRoot = process.getuid?.() === 0;
  const OTHER = 4242;

  /** A file of theirs beside one of somebody else. */
  function ground(): { root: string; path: string; target: string } {
    const root = directory({ 'theirs/x': '', 'victim/.htaccess': DENY });
    if (isRoot) for (const name of ['theirs', 'theirs/x']) fs.lchownSync(join(root, name), OTHER, OTHER);
    return { root, path: join(root, 'theirs/link'), target: join(root, 'victim') };
  }

  test('is one even if it is none any more when it is asked about', () => {
    const { path, target } = ground();
    fs.symlinkSync(target, path);
    expect(disk.real(path)).toBe(target);
    const asked = (): boolean | undefined => disk.planted?.(path, undefined, target);
    fs.unlinkSync(path);
    expect(asked()).toBe(true);
    fs.mkdirSync(path);
    expect(asked()).toBe(true);
    fs.rmdirSync(path);
    fs.symlinkSync('x', path);
    expect(asked()).toBe(true);
  });

  test('twin: one of the user’s, and a path without any, are none', () => {
    const { root, target } = ground();
    fs.symlinkSync('victim', join(root, 'link'));
    for (const name of ['link', 'victim', './victim', 'theirs/../victim'])
      expect(disk.planted?.(join(root, name), undefined, target)).toBe(false);
  });
});

test('a path that is included very often is asked for once', () => {
  const root = directory({ 'httpd.conf': '', 'a.conf': 'Timeout 10\n' });
  fs.writeFileSync(
    join(root, 'httpd.conf'),
    `ServerRoot "/srv/none"\nListen 80\n${`Include ${root}/a.conf\n`.repeat(50)}`,
  );
  const asked: string[] = [];
  const source = { ...disk, real: (path: string) => (asked.push(path), disk.real(path)) };
  loadTree(source, [root], { defines: new Map(), env: new Map(), cwd: '/' });
  expect(asked.filter((path) => path.endsWith('a.conf'))).toHaveLength(1);
  expect(asked.length).toBeLessThan(25);
});

test('what is a link to itself by the time it is looked at ends nothing', () => {
  const home = directory({});
  const path = join(home, '.htaccess');
  fs.symlinkSync('.htaccess', path);
  const maker = fs.lstatSync(path).uid;
  expect([
    disk.kind(path),
    disk.stat!(path),
    disk.names!(path),
    disk.device!(path),
    disk.owners!(path),
  ]).toEqual([undefined, undefined, 1, undefined, [maker]]);
});
