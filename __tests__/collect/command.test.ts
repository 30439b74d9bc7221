import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FileSource } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { madeTar, SERVER } from '../../testing/collect/tar';
import { command, type CommandResult } from '../../testing/run/command';
import { services } from '../../testing/run/services';
import { writePrivate } from '../../src/write/private-file';
import { unbroken } from '../../testing/run/unbroken';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'collect-'));
  writeFileSync(join(scratch, 'server.tar.gz'), gzipSync(madeTar(SERVER)), { mode: 0o600 });
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** Every path that is asked for. */
function spied(asked: string[]): FileSource {
  return {
    ...disk,
    read: (path) => (asked.push(path), disk.read(path)),
    list: (path) => (asked.push(path), disk.list(path)),
    kind: (path) => (asked.push(path), disk.kind(path)),
    real: (path) => (asked.push(path), disk.real(path)),
  };
}

const run = (args: readonly string[], source: FileSource = disk): Promise<CommandResult> =>
  command(
    args,
    { cwd: scratch, env: { APACHE_RUN_USER: 'somebody-here' } },
    {
      ...services,
      source,
      writeOutput: (path, text) =>
        writePrivate(path, Buffer.from(text, 'latin1'), { uid: process.geteuid?.(), env: {} }),
    },
  );

test('a tar is a path, and nothing of this machine is read but the tar and the project file', async () => {
  const asked: string[] = [];
  const { status, stdout, stderr } = await run(['server.tar.gz'], spied(asked));
  expect(status).toBe(1);
  expect(stdout).toMatch('--- a/etc/httpd/httpd.conf\n');
  expect(stdout).toMatch('+MaxConnectionsPerChild 9');
  expect(stdout).toMatch('--- a/var/www/a/.htaccess\n');
  expect(stderr).toMatch('/etc/httpd/httpd.conf:1)');
  expect(stderr).toMatch('--write --output converted.tar.gz server.tar.gz');
  const others = asked.filter(
    (path) => path !== join(scratch, 'server.tar.gz') && !path.endsWith('/httpd-codemod.config.json'),
  );
  expect(others).toEqual([]);
});

test.each([
  ['Server MPM:     Worker\n', 'mod_mpm_worker for its processes (httpd -V of the old server names it), unless it is compiled in [load-module'],
  ['Server version: Apache/2.2.22 (Debian)\nServer MPM:     Worker\n', 'mod_mpm_worker for its processes (httpd -V of the old server names it), unless it is compiled in [load-module'],
  ['Server version: Apache/2.4.66 (Debian)\nServer MPM:     event\n', "mod_mpm_prefork for its processes (it was 2.2's default)"],
  ['Server MPM:     ITK\n', "mod_mpm_prefork for its processes (it was 2.2's default)"],
  ['no httpd was found\n', "mod_mpm_prefork for its processes (it was 2.2's default)"],
])('the MPM is the one that the old server says that it has: %j', async (version, said) => {
  const entries = SERVER.map((entry) =>
    entry.name.endsWith('httpd.conf') ? { ...entry, text: `${entry.text}LoadModule dir_module modules/mod_dir.so\n` } : entry,
  );
  writeFileSync(join(scratch, 'v.tar'), madeTar([...entries, { name: 'info/version', text: version }]));
  const { stderr } = await run(['-v', 'v.tar']);
  expect(unbroken(stderr)).toContain(said);
}); // prettier-ignore

test('the modules that the old server had compiled in are those that it says it had', async () => {
  const entries = SERVER.map((entry) =>
    entry.name.endsWith('httpd.conf') ? { ...entry, text: `${entry.text}User nobody\n` } : entry,
  );
  const compiled =
    'Compiled in modules:\n  core.c\n  prefork.c\n  http_core.c\n  mod_speling.c\n  mod_cache.c\n  mod_disk_cache.c\n  mod_cgid.c\n';
  writeFileSync(join(scratch, 'c.tar'), madeTar([...entries, { name: 'info/compiled', text: compiled }]));
  const { stdout } = await run(['c.tar']);
  expect([...stdout.matchAll(/^\+ *LoadModule (\w+)_module/gm)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['speling', 'cache_disk', 'cgid']),
  );
  expect(stdout).not.toContain('autoindex_module');
  const entries24 = [
    ...entries,
    { name: 'info/compiled', text: compiled },
    { name: 'info/version', text: 'Server version: Apache/2.4.66 (Unix)\n' },
  ];
  writeFileSync(join(scratch, 'c24.tar'), madeTar(entries24));
  expect((await run(['c24.tar'])).stdout).not.toContain('speling_module');
});

test.each<[what: string, args: readonly string[], complaint: string]>([
  ['written in place', ['--write', 'server.tar.gz'], 'server.tar.gz: a tar is not written in place: --output converted.tar.gz'],
  ['interactively written in place', ['-i', 'server.tar.gz'], 'is not written in place'],
  ['with a backup', ['--write', '--backup', '--output', 'n.tar', 'server.tar.gz'], '--backup is for files'],
  ['for a plan', ['--plan', 'p', 'server.tar.gz'], '--plan is for files'],
  ['with another path', ['server.tar.gz', '/etc'], 'goes with no other path'],
  ['written to a name that is none of a tar', ['--write', '--output', 'x.txt', 'server.tar.gz'], 'must end with .tar.gz'],
  ['written over itself', ['--write', '--output', 'server.tar.gz', 'server.tar.gz'], 'is the tar that is converted'],
  ['written over itself by another name', ['--write', '--output', 'link.tar.gz', 'server.tar.gz'], 'is the tar that is converted'],
  ['that is not there', ['other.tar'], 'no such file'],
])('a tar %s is refused', async (_, args, complaint) => {
  symlinkSync('server.tar.gz', join(scratch, 'link.tar.gz'));
  const before = readFileSync(join(scratch, 'server.tar.gz'));
  const { status, stderr } = await run(args);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(complaint) });
  expect(readFileSync(join(scratch, 'server.tar.gz')).equals(before)).toBe(true);
}); // prettier-ignore

test('a tar that is none is trouble, in the document too', async () => {
  writeFileSync(join(scratch, 'bad.tar'), 'x'.repeat(2000));
  const { status, stdout } = await run(['--format', 'json', 'bad.tar']);
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ trouble: ['bad.tar: no tar, or one that is damaged'] });
});

test('a directory may be called as a tar is', async () => {
  mkdirSync(join(scratch, 'copy.tar'));
  writeFileSync(join(scratch, 'copy.tar/httpd.conf'), 'ServerRoot /x\nListen 80\nMaxClients 5\n');
  const { stdout } = await run(['copy.tar']);
  expect(stdout).toMatch('+MaxRequestWorkers 5');
});

test('explain, debug and why take a tar, too', async () => {
  const explained = await run(['--explain', '/var/www/a/x', 'server.tar.gz']);
  expect(explained.stdout).toMatch('/var/www/a/.htaccess');
  expect((await run(['debug', 'tree', 'server.tar.gz'])).stdout).toMatch('/etc/apache.d/a.conf: included');
  const why = await run(['why', "Invalid command 'Order', perhaps misspelled", 'server.tar.gz']);
  expect(why.stdout).toMatch('/var/www/a/.htaccess:1');
});

test.each([
  ['/etc/apache2/apache2.conf', 'sh converted/install.sh --check --into /etc/apache2'],
  ['/etc/httpd/httpd.conf', 'sh converted/install.sh --check --into /etc/httpd'],
  ['/opt/httpd/httpd.conf', 'sh converted/install.sh --check'],
])('the tar of %s is merged into what the package of 2.4 has made, where one does', async (config, command) => {
  const moved = SERVER.map(({ name, text, ...rest }) => ({ ...rest, name: name.replace('/etc/httpd/httpd.conf', config), ...(text !== undefined && { text: text.replaceAll('/etc/httpd/httpd.conf', config) }) }));
  writeFileSync(join(scratch, 'server.tar.gz'), gzipSync(madeTar(moved)), { mode: 0o600 });
  const { stderr } = await run(['--write', '--output', 'new.tar.gz', 'server.tar.gz']);
  expect(unbroken(stderr)).toMatch(new RegExp(`\\$ ${command}$`, 'm'));
}); // prettier-ignore

test('--only and --exclude name files of the server', async () => {
  const only = await run(['--only', '/etc/apache.d/a.conf', 'server.tar.gz']);
  expect(only.stdout.match(/^--- .*/gm)).toEqual(['--- a/etc/apache.d/a.conf']);
  const without = await run(['--exclude', '/etc/apache.d/**', 'server.tar.gz']);
  expect(without.stdout).not.toMatch('etc/apache.d');
  expect(without.stdout).toMatch('--- a/etc/httpd/httpd.conf');
});

/** The converted tar, extracted; and a server as it was. */
async function converted(): Promise<void> {
  const { stdout, stderr } = await run(['--write', '--output', 'new.tar.gz', 'server.tar.gz']);
  expect(stdout).toBe('');
  expect(stderr).toMatch('sh converted/install.sh --check');
  expect(statSync(join(scratch, 'new.tar.gz')).mode & 0o777).toBe(0o600);
  expect(spawnSync('tar', ['xzf', 'new.tar.gz'], { cwd: scratch }).status).toBe(0);
  for (const { name, text, type } of SERVER) {
    if (!name.startsWith('root/') || type !== undefined) continue;
    mkdirSync(join(scratch, name, '..'), { recursive: true });
    writeFileSync(join(scratch, name), text!, { mode: 0o604 });
  }
}

const install = (...args: readonly string[]): { status: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync('dash', ['converted/install.sh', '--root', 'root', ...args], {
    cwd: scratch,
    encoding: 'latin1',
  });
  return { status, said: stdout + stderr };
};
const text = (name: string): string => readFileSync(join(scratch, 'root', name), 'latin1');

test('the converted tar puts back what has changed, and nothing else', async () => {
  await converted();
  expect(install('--check').said).toMatch(`replace ${scratch}/root/etc/httpd/httpd.conf\n`);
  expect(text('etc/httpd/httpd.conf')).toMatch('MaxClients');
  expect(install()).toEqual({ status: 0, said: expect.stringContaining('Done: ') });
  expect(text('etc/httpd/httpd.conf')).toMatch('MaxRequestWorkers');
  expect(text('etc/httpd/conf.d/a.conf')).toMatch('MaxConnectionsPerChild');
  expect(statSync(join(scratch, 'root/etc/httpd/httpd.conf')).mode & 0o777).toBe(0o604);
  expect(install()).toEqual({ status: 0, said: expect.stringContaining('Nothing to do') });
  expect(install('--undo').status).toBe(0);
  expect(text('etc/httpd/httpd.conf')).toMatch('MaxClients');
  expect(text('var/www/a/.htaccess')).toBe('Order deny,allow\nDeny from all\n');
  expect(install('--undo').said).toMatch('nothing to take back');
});

test('a file that is another one stops all of it, before anything is done', async () => {
  await converted();
  writeFileSync(join(scratch, 'root/etc/httpd/httpd.conf'), 'Listen 81\n');
  const stopped = install();
  expect(stopped.status).toBe(2);
  expect(stopped.said).toMatch('root/etc/httpd/httpd.conf: is another file than the one that was collected');
  expect(text('var/www/a/.htaccess')).toMatch('Order');
  expect(install('--replace').status).toBe(0);
  expect(text('etc/httpd/httpd.conf')).toMatch('MaxRequestWorkers');
  expect(install('--undo').status).toBe(0);
  expect(text('etc/httpd/httpd.conf')).toBe('Listen 81\n');
});

test('what has changed since is not taken back', async () => {
  await converted();
  install();
  writeFileSync(join(scratch, 'root/etc/httpd/httpd.conf'), 'Listen 82\n');
  expect(install('--undo')).toEqual({ status: 2, said: expect.stringContaining('changed since') });
  expect(text('var/www/a/.htaccess')).toMatch('Require all denied');
  expect(install('--undo', '--replace').status).toBe(0);
  expect(text('etc/httpd/httpd.conf')).toMatch('MaxClients');
});

test('a .htaccess waits for its site; the configuration is made where there is none', async () => {
  await converted();
  rmSync(join(scratch, 'root'), { recursive: true });
  mkdirSync(join(scratch, 'root'));
  const first = install();
  expect(first).toEqual({ status: 1, said: expect.stringContaining('copy the sites') });
  expect(text('etc/httpd/conf.d/a.conf')).toMatch('MaxConnectionsPerChild');
  expect(statSync(join(scratch, 'root/etc/httpd/httpd.conf')).mode & 0o777).toBe(0o640);
  mkdirSync(join(scratch, 'root/var/www/a'), { recursive: true });
  writeFileSync(join(scratch, 'root/var/www/a/.htaccess'), 'Order deny,allow\nDeny from all\n');
  expect(install().status).toBe(0);
  expect(text('var/www/a/.htaccess')).toMatch('Require all denied');
  expect(install('--undo').status).toBe(0);
  expect(text('var/www/a/.htaccess')).toMatch('Order');
  expect(install('--undo').status).toBe(0);
  expect(spawnSync('find', ['root/etc'], { cwd: scratch, encoding: 'utf8' }).stdout).toBe('');
});

test('no link is written through', async () => {
  await converted();
  writeFileSync(join(scratch, 'victim'), 'Order deny,allow\nDeny from all\n');
  rmSync(join(scratch, 'root/var/www/a/.htaccess'));
  symlinkSync(join(scratch, 'victim'), join(scratch, 'root/var/www/a/.htaccess'));
  expect(install()).toEqual({ status: 2, said: expect.stringContaining('is a link here') });
  rmSync(join(scratch, 'root/var/www/a'), { recursive: true });
  mkdirSync(join(scratch, 'elsewhere'));
  symlinkSync(join(scratch, 'elsewhere'), join(scratch, 'root/var/www/a'));
  expect(install('--replace')).toEqual({ status: 2, said: expect.stringContaining('reached by a link') });
  expect(readFileSync(join(scratch, 'victim'), 'utf8')).toMatch('Order');
});

test('the owner of a directory who puts a link there meanwhile has nothing else changed', async () => {
  await converted();
  const [victim, site] = [join(scratch, 'victim'), join(scratch, 'root/var/www/a')];
  writeFileSync(victim, 'his\n', { mode: 0o600 });
  rmSync(join(site, '.htaccess'));
  mkdirSync(join(scratch, 'bin'));
  writeFileSync(
    join(scratch, 'bin/chmod'),
    `#!/bin/sh\nln -sf '${victim}' '${site}/.htaccess'\nexec /bin/chmod "$@"\n`,
    { mode: 0o755 },
  );
  const { status } = spawnSync('dash', ['converted/install.sh', '--root', 'root'], {
    cwd: scratch,
    env: { ...process.env, PATH: `${join(scratch, 'bin')}:${process.env['PATH']}` },
  });
  expect(status).toBe(2);
  expect([readFileSync(victim, 'utf8'), statSync(victim).mode & 0o777]).toEqual(['his\n', 0o600]);
});
