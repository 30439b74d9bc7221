import fs from 'node:fs';
import { basename, join } from 'node:path';
import { disk } from '../../src/config/source/disk';
import { realOps } from '../../src/write/system';
import { writePrivate } from '../../src/write/private-file';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { openTestStore, stateDirectory } from '../../testing/write/store';
import { snapshot } from '../../testing/write/write-tree';

// A file of one user that cannot be written holds up nobody else.

const DENY = 'Order allow,deny\nDeny from all\n';
const DENIED = 'Require all denied\n';

const state = stateDirectory();

/** @param code what the system says where the files that match `refused` are opened for writing */
function write(
  cwd: string,
  args: readonly string[] = ['-q'],
  code?: string,
  refused = /\/a\/\.htaccess$/,
): Promise<CommandResult> {
  const ops: typeof realOps = {
    ...realOps,
    open(path, flags, mode) {
      const fd = realOps.open(path, flags, mode);
      if (
        code === undefined ||
        flags === fs.constants.O_RDONLY ||
        !refused.test(fs.readlinkSync(`/proc/self/fd/${fd}`))
      )
        return fd;
      realOps.close(fd);
      throw Object.assign(new Error(code), { code });
    },
  };
  return command(
    ['-w', ...args, '.'],
    { cwd },
    { openStore: (options) => openTestStore(state, { ...options, ops }) },
  );
}

const cannot = (why: string): string => `a/.htaccess:1: cannot be written: ${why}; it is left as it is\n`;

/** The two users, and what the first has done. */
function tenants(plant: (a: string) => void): string {
  const root = directory({ 'a/.htaccess': DENY, 'b/.htaccess': DENY });
  plant(join(root, 'a/.htaccess'));
  return root;
}

test.each<[string, (a: string) => void, readonly string[], string]>([
  ['a file in the place of the copy', (a) => fs.mkdirSync(`${a}.bak`), ['--backup'], 'there is a file .htaccess.bak already'],
])('%s', async (_, plant, args, why) => {
  const root = tenants(plant);
  const { status, stderr } = await write(root, ['-q', ...args]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(cannot(why))]);
  expect(stderr).toContain('a/.htaccess is left as it is: a/.htaccess cannot be written\n');
  expect(snapshot(root)).toMatchObject({ 'a/.htaccess': DENY, 'b/.htaccess': DENIED });
}); // prettier-ignore

test('what another user has put in the place of the copy holds up nothing', async () => {
  const server = `ServerRoot /\nDocumentRoot WWW\n<Directory WWW>\nAllowOverride All\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n</Directory>\n`;
  // As it is it would let in who has a password from anywhere, and all that it inherits from would have to stay with it.
  const password = 'AuthType Basic\nAuthName x\nAuthUserFile /x\nRequire valid-user\n';
  const root = directory({ 'httpd.conf': '', 'www/a/.htaccess': password, 'www/a/.htaccess.bak/x': '' });
  fs.writeFileSync(join(root, 'httpd.conf'), server.replaceAll('WWW', join(root, 'www')));
  const isTheirs = (path: string): boolean => fs.realpathSync(path).endsWith('/www/a');
  const ops: typeof realOps = {
    ...realOps,
    lstat: (path) => ({ ...realOps.lstat(path), ...(isTheirs(path.toString('latin1')) && { uid: 4321 }) }),
  };
  const env = {
    openStore: (options: Parameters<typeof openTestStore>[1]) => openTestStore(state, { ...options, ops }),
  };
  const { stderr } = await command(['-w', '-q', '--backup', 'httpd.conf', 'www'], { cwd: root }, env);
  expect(stderr).not.toContain('cannot be written');
  expect(fs.readFileSync(join(root, 'httpd.conf'), 'latin1')).not.toMatch(/Deny/);
  expect(fs.readFileSync(join(root, 'www/a/.htaccess'), 'latin1')).toContain('Require ip 10.0.0.0/8');
  const copies = fs.readdirSync(join(root, 'www/a')).filter((name) => name.startsWith('.htaccess.bak.'));
  expect(copies.map((name) => fs.readFileSync(join(root, 'www/a', name), 'latin1'))).toEqual([password]);
  expect(await command(['undo', '--yes', '.'], { cwd: root }, env)).toMatchObject({ status: 0 });
  expect(fs.readdirSync(join(root, 'www/a')).sort()).toEqual(['.htaccess', '.htaccess.bak']);
  expect(fs.readFileSync(join(root, 'www/a/.htaccess'), 'latin1')).toBe(password);
});

describe('a file with several names (hard links)', () => {
  const ownFile = (others: string): string =>
    `it has 2 names (hard links): a file of its own takes the place of this one, and ${others}`;

  test('is written under the names of the run, and the others keep the old text', async () => {
    const root = tenants((a) => fs.linkSync(a, join(a, '../other')));
    const dry = await command(['-v', '.'], { cwd: root });
    const { stderr } = await write(root, ['-v']);
    for (const text of [dry.stderr, stderr])
      expect(text).toContain(
        `a/.htaccess:1:1: warning: ${ownFile('the names that do not change (1) keep the old text')}`,
      );
    expect(snapshot(root)).toEqual({ 'a/.htaccess': DENIED, 'a/other': DENY, 'b/.htaccess': DENIED });
  });

  test('becomes several where its names need different texts', async () => {
    const root = directory({ 'a/.htaccess': `Options Indexes +FollowSymLinks\n${DENY}` });
    fs.linkSync(join(root, 'a/.htaccess'), join(root, 'a/more.conf'));
    const { stderr } = await write(root, ['-v']);
    const at = 'Options Indexes FollowSymLinks\n';
    expect(snapshot(root)).toEqual({
      'a/.htaccess': `${at}${DENIED}`,
      'a/more.conf': `Options +FollowSymLinks\n${at}${DENY}`,
    });
    expect(stderr).toContain(ownFile('its names get different texts'));
  });

  test('twin: nothing is said where all of them get the same text', async () => {
    const root = directory({ 'a/.htaccess': DENY });
    fs.mkdirSync(join(root, 'b'));
    fs.linkSync(join(root, 'a/.htaccess'), join(root, 'b/.htaccess'));
    const { status, stderr } = await write(root, ['-v']);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('hard links')]);
    expect(fs.statSync(join(root, 'a/.htaccess')).ino).toBe(fs.statSync(join(root, 'b/.htaccess')).ino);
  });

  test('holds up nobody else, whatever stands above it', async () => {
    const server = `ServerRoot /\nDocumentRoot WWW\n<Directory WWW>\nAllowOverride All\n${DENY}Satisfy Any\n</Directory>\n`;
    const password = 'AuthType Basic\nAuthName x\nRequire valid-user\n';
    const root = directory({ 'httpd.conf': '', 'www/a/.htaccess': password, 'www/b/.htaccess': DENY });
    fs.writeFileSync(join(root, 'httpd.conf'), server.replaceAll('WWW', join(root, 'www')));
    fs.linkSync(join(root, 'www/a/.htaccess'), join(root, 'www/a/other'));
    await write(root);
    const texts = snapshot(root);
    expect([texts['httpd.conf'], texts['www/b/.htaccess']].join('')).not.toMatch(/Deny|Satisfy/);
    expect(texts['www/a/other']).toBe(password);
  });
});

test.each([
  ['EPERM', 'operation not permitted (is it immutable?)'],
  ['EACCES', 'permission denied'],
  ['ENAMETOOLONG', 'its name, or that of the copy beside it, would be too long'],
])('%s of the system', async (code, why) => {
  const root = tenants(() => undefined);
  const { status, stderr } = await write(root, ['-q'], code);
  expect([status, stderr]).toEqual([1, expect.stringContaining(cannot(why))]);
  expect(snapshot(root)).toEqual({ 'a/.htaccess': DENY, 'b/.htaccess': DENIED });
});

test('the new file, beside the old one', async () => {
  const root = tenants(() => undefined);
  const { status, stderr } = await write(root, ['-q'], 'EDQUOT', /\/a\/\.httpd-codemod-/);
  expect([status, stderr]).toEqual([1, expect.stringContaining(cannot('disk quota exceeded'))]);
  expect(snapshot(root)).toEqual({ 'a/.htaccess': DENY, 'b/.htaccess': DENIED });
});

test('what meets the file is left with it', async () => {
  const root = directory({
    '.htaccess': DENY,
    'a/.htaccess': 'Satisfy Any\nRequire user joe\n',
    'b/.htaccess': 'Satisfy All\n',
  });
  const { status } = await write(root, ['-q'], 'EPERM', /\/\.htaccess$/);
  expect(status).toBe(2);
  await write(root, ['-q'], 'EPERM', new RegExp(`${basename(root)}/\\.htaccess$`));
  expect(snapshot(root)).toEqual({
    '.htaccess': DENY,
    'a/.htaccess': 'Satisfy Any\nRequire user joe\n',
    'b/.htaccess': 'Satisfy All\n',
  });
});

test('where no file can be written, or the disk is full, the run ends as before', async () => {
  const root = tenants(() => undefined);
  for (const [code, refused, why] of [
    ['EPERM', /\.htaccess$/, 'operation not permitted (is it immutable?)'],
    ['ENOSPC', /\/a\/\.htaccess$/, 'no space left on device'],
  ] as const) {
    const expected = `httpd-codemod: a/.htaccess: cannot write: ${why}; nothing written\n`;
    expect(await write(root, ['-q'], code, refused)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expected,
    });
    expect(snapshot(root)).toEqual({ 'a/.htaccess': DENY, 'b/.htaccess': DENY });
  }
});

describe('whoever changes one file of theirs after the other', () => {
  const NAMES = Array.from({ length: 15 }, (_, i) => `a/${i}/.htaccess`);

  /** Another file of the first user changes each time that the run is about to write. */
  function writeAgainst(root: string, owner: number, ...args: readonly string[]): Promise<CommandResult> {
    let next = 0;
    const ops: typeof realOps = { ...realOps };
    const source = { ...disk, owners: (path: string) => [path.includes('/a/') ? owner : 0] };
    return command(
      args.length > 0 ? args : ['-w', '-q', '.'],
      { cwd: root, uid: 0 },
      {
        source,
        writeOutput: (path, text) => writePrivate(path, Buffer.from(text, 'latin1'), { uid: 0, env: {} }),
        async openStore(options) {
          const store = await openTestStore(state, { ...options, ops });
          const writePlan = store.write.bind(store);
          store.write = async (plan, more) => {
            const name = NAMES[next++];
            if (name !== undefined) fs.appendFileSync(join(root, name), '# again\n');
            await writePlan(plan, more);
          };
          return store;
        },
      },
    );
  }

  const texts = { ...Object.fromEntries(NAMES.map((name) => [name, DENY])), 'b/.htaccess': DENY };

  test('keeps nothing of others from being written', async () => {
    const root = directory(texts);
    const { status, stderr } = await writeAgainst(root, 4242);
    expect([status, snapshot(root)['b/.htaccess']]).toEqual([1, DENIED]);
    expect(stderr).toContain('a/0/.htaccess cannot be written');
  });

  test('is named with all files that a plan has and apply leaves', async () => {
    const root = directory(texts);
    await writeAgainst(root, 4242, '--plan', 'p.json', '.');
    const { status, stderr } = await writeAgainst(root, 4242, 'apply', 'p.json');
    expect([status, snapshot(root)['b/.htaccess']]).toEqual([1, DENIED]);
    for (const name of NAMES) expect(stderr).toMatch(new RegExp(`/${name}: .*: left as it is\n`));
  });

  test('twin: the run’s own user is told, and all stays as it is', async () => {
    const root = directory(texts);
    const { status, stderr } = await writeAgainst(root, 0);
    expect([status, snapshot(root)['b/.htaccess']]).toEqual([2, DENY]);
    expect(stderr).toContain('nothing written');
  });
});
