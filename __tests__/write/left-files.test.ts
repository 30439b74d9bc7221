import fs from 'node:fs';
import { join } from 'node:path';
import { LeftFiles, otherAt } from '../../src/cli/commands/unwritable';
import type { FileSource } from '../../src/config/types';
import { type Attributes, realOps } from '../../src/write/system';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { openTestStore, stateDirectory } from '../../testing/write/store';

// Whoever changes files or swaps directories all the while keeps nobody else's file from being written or taken back.

const DENY = 'Order allow,deny\nDeny from all\n';
const DENIED = 'Require all denied\n';
const [TENANT, OTHER] = [1001, 1002];

const state = stateDirectory();

interface StoreParts {
  readonly ops?: typeof realOps;
  readonly attributes?: Attributes;
}

const run = (cwd: string, args: readonly string[], parts: StoreParts): Promise<CommandResult> =>
  command(args, { cwd }, { openStore: (options) => openTestStore(state, { ...options, ...parts }) });

const read = (root: string, name: string): string => fs.readFileSync(join(root, name), 'latin1');
const isOfA = (path: string | Buffer): boolean =>
  fs.realpathSync(String(path).replace(/\/[^/]*$/, '')).endsWith('/a');

describe('whose directory it is', () => {
  const owners = (path: string): readonly number[] =>
    path.startsWith('/www/t/link')
      ? [TENANT, OTHER]
      : path.startsWith('/www/t')
        ? [TENANT]
        : path.startsWith('/www/o')
          ? [OTHER]
          : [0];
  const source = { owners } as Partial<FileSource> as FileSource;

  test('a link to the directory of another is that of whoever made it', () => {
    expect(otherAt('/www/t/link/.htaccess', source, 0)).toBe(TENANT);
    expect(otherAt('/www/o/.htaccess', source, 0)).toBe(OTHER);
    expect([otherAt('/etc/httpd.conf', source, 0), otherAt('/www/o/.htaccess', source, OTHER)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('after a few attempts all files of that user are left, by whatever path, and none of the other', () => {
    const left = new LeftFiles(source, 0);
    for (const name of ['link1', 'link2'])
      expect(left.add(new Map([[`/www/t/${name}/.htaccess`, 'why']]))).toBe(true);
    expect(left.reasonFor('/www/t/link4/.htaccess')).toBeUndefined();
    left.add(new Map([['/www/t/link3/.htaccess', 'why']]));
    expect(left.reasonFor('/www/t/link4/.htaccess')).toMatch(/same user/);
    expect([left.reasonFor('/www/o/.htaccess'), left.reasonFor('/etc/httpd.conf')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

test('undo --keep-changed leaves what changes while it runs, and without it nothing is taken back', async () => {
  const root = directory({ 'a/.htaccess': DENY, 'b/.htaccess': DENY });
  await run(root, ['-w', '-q', '.'], {});
  const ops: typeof realOps = {
    ...realOps,
    rename(from, to) {
      if (isOfA(to) && String(to).endsWith('/.htaccess')) fs.appendFileSync(join(root, 'a/.htaccess'), '#\n');
      if (isOfA(to) && String(to).endsWith('/.htaccess'))
        throw Object.assign(new Error('ELOOP'), { code: 'ELOOP' });
      realOps.rename(from, to);
    },
  };
  expect(await run(root, ['undo', '--yes', '.'], { ops })).toMatchObject({ status: 2 });
  fs.writeFileSync(join(root, 'a/.htaccess'), DENIED);
  expect(read(root, 'b/.htaccess')).toBe(DENIED);
  const { status, stderr } = await run(root, ['undo', '--yes', '--keep-changed', '.'], { ops });
  expect([status, read(root, 'a/.htaccess'), read(root, 'b/.htaccess')]).toEqual([0, `${DENIED}#\n`, DENY]);
  expect(stderr).toMatch(/a\/\.htaccess: .*: left as it is\n/);
});

test('where all the others have changed, what could not be written is said of the one that has not', async () => {
  const root = directory({ 'a/.htaccess': DENY, 'b/.htaccess': DENY });
  await run(root, ['-w', '-q', '.'], {});
  fs.appendFileSync(join(root, 'b/.htaccess'), '#\n');
  const ops: typeof realOps = {
    ...realOps,
    rename(from, to) {
      if (isOfA(to) && String(to).endsWith('/.htaccess'))
        throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
      realOps.rename(from, to);
    },
  };
  const { status, stderr } = await run(root, ['undo', '--yes', '--keep-changed', '.'], { ops });
  expect([status, read(root, 'a/.htaccess')]).toEqual([2, DENIED]);
  expect(stderr).toMatch(
    /a\/\.htaccess: operation not permitted.*; every other file has changed since it was written; nothing taken back\n/,
  );
});

test('attributes that cannot be told of one file are no trouble of another', async () => {
  const root = directory({ 'a/.htaccess': DENY, 'b/.htaccess': DENY, 'c/.htaccess': DENY });
  const attributes: Attributes = {
    differing(pairs) {
      if (pairs.some(([path]) => path.endsWith('/b/.htaccess'))) throw new Error('ls has failed');
      return [];
    },
    copy: () => [],
    lost: () => [],
    times: () => undefined,
  };
  const { status, stderr } = await run(root, ['-w', '-q', '.'], { attributes });
  expect(['a', 'b', 'c'].map((name) => read(root, `${name}/.htaccess`))).toEqual([DENIED, DENY, DENIED]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /b\/\.htaccess:1: cannot be written: cannot tell what attributes it has: ls has failed/,
    ),
  ]);
});

test('a directory that becomes a link while files are put in place is the trouble of its file', async () => {
  const root = directory({ 'a/.htaccess': DENY, 'b/.htaccess': DENY });
  let renamed = false;
  const ops: typeof realOps = {
    ...realOps,
    lstat(path) {
      if (renamed && /\/\.httpd-codemod-[^/]*$/.test(String(path)) && isOfA(path)) {
        renamed = false;
        throw Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR' });
      }
      return realOps.lstat(path);
    },
    rename(from, to) {
      realOps.rename(from, to);
      renamed ||= String(to).endsWith('/.htaccess') && !isOfA(to);
    },
  };
  const { stderr } = await run(root, ['-w', '-q', '.'], { ops });
  expect([read(root, 'a/.htaccess'), read(root, 'b/.htaccess')]).toEqual([DENY, DENIED]);
  expect(stderr).toContain('a/.htaccess is left as it is: a/.htaccess cannot be written');
});
