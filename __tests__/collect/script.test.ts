import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTar } from '../../src/collect/read-tar';
import { unpack } from '../../src/collect/unpack';
import { FURNISH, PRIVATE, SECRETS, SERVER22 } from '../../testing/collect/server';
import { walkIn } from '../../testing/guides/private-root';
import { GUIDE_SERVERS } from '../../testing/guides/servers';
import { requireProgram } from '../../testing/httpd/install';

const BIN = join(__dirname, '../../bin');

/** The shells of old systems, or what is like them: how each is called, and its package. */
const SHELLS = [
  ['dash', 'dash', 'dash'],
  ['bash --posix', 'bash', 'bash'],
  ['busybox sh', 'busybox', 'busybox'],
  ['mksh', 'mksh', 'mksh'],
  ['posh', 'posh', 'posh'],
] as const;

let scratch: string;
beforeEach(() => (scratch = mkdtempSync(join(tmpdir(), 'collect-'))));
afterEach(() => {
  // Whatever of it is a mount has gone with its namespace.
  rmSync(scratch, { recursive: true, force: true });
});

test.each(['collect.sh', 'install.sh'])('shellcheck has nothing to say of %s', (name) => {
  const shellcheck = requireProgram('shellcheck', 'shellcheck', 'to check the scripts');
  const { stdout, status } = spawnSync(shellcheck, ['-s', 'sh', join(BIN, name)], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

/** What the made server's tar must hold below `root`, beside directories. */
const TAKEN = [
  'link root/etc/httpd/logs',
  'link root/link/shop',
  'link root/srv/vhosts/one/all',
  'link root/srv/vhosts/one/c/.htaccess',
  'link root/srv/vhosts/one/d/.htaccess',
  'link root/srv/vhosts/one/gone',
  'link root/srv/vhosts/one/loop',
  'link root/var/www/html/linked',
  'file root/data/linked/.htaccess',
  'file root/data/shared/htaccess',
  'file root/etc/httpd/conf.d/a.conf',
  'file root/etc/httpd/conf.d/off.conf.disabled',
  'file root/etc/httpd/conf.d/ssl.inc',
  'file root/etc/httpd/conf/httpd.conf',
  'file root/etc/httpd/conf/magic',
  'file root/etc/httpd/nested/b.conf',
  'file root/etc/sites/one/v.conf',
  'file root/etc/sysconfig/httpd',
  'file root/home/u/public_html/.htaccess',
  'file root/srv/conf files/x y.inc',
  'file root/srv/shop/.acl',
  'file root/srv/shop/basket/.htaccess',
  'file root/srv/sites/c.conf',
  'file root/srv/vhosts/one/.htaccess',
  'file root/var/www/.htaccess',
  'file root/var/www/cgi/.htaccess',
  'file root/var/www/html/a "b\' \\ $(c) \xe4/.htaccess',
  'file root/var/www/html/a/b/.htaccess',
];

test.each(SHELLS)('%s: a server is packed, and converts as it does in place', async (shell, program, pkg) => {
  requireProgram(program, pkg, 'to run the script');
  const script = `
${FURNISH}
# The links of a user, who may not have others read for him.
chown -h 33 /srv/vhosts/one/d/.htaccess
cp /opt/checkout/bin/collect.sh / && cd /
umask 022
${shell} collect.sh server.tar.gz >/printed 2>/complaints; echo $? >/status
${shell} collect.sh server.tar.gz >/dev/null 2>/again && echo again >>/status
${shell} collect.sh /nowhere/server.tar.gz >/dev/null 2>/nowhere-said && echo nowhere >>/status
ls /tmp >/left
rm -r "$lines"
httpd-codemod --follow /etc/httpd/conf/httpd.conf $(sed -n 's/^tree: //p' MANIFEST 2>/dev/null || true) /home/u/public_html /link/shop /srv/vhosts/one /srv/shop /var/www/cgi /var/www/html >/place.diff 2>/place.txt
mkdir /elsewhere && mv server.tar.gz /elsewhere && cd /elsewhere
httpd-codemod server.tar.gz >/tar.diff 2>/tar.txt
httpd-codemod --write --output new.tar.gz server.tar.gz >/dev/null 2>&1
tar xzf new.tar.gz && ls -l >/listed
cp -p /var/www/html/a/b/.htaccess /kept && echo '# uploaded' >>/var/www/html/a/b/.htaccess && mkdir /etc/new
${shell} converted/install.sh --into /etc/new >/into 2>&1 && echo into >>/status
cp -p /kept /var/www/html/a/b/.htaccess
${shell} converted/install.sh --check >/check 2>&1
${shell} converted/install.sh >/install 2>&1 || true
cd / && httpd-codemod --follow --check /etc/httpd/conf/httpd.conf /home/u/public_html /link/shop /srv/vhosts/one /srv/shop /var/www/cgi /var/www/html >/left-to-do 2>/dev/null
stat -c %a /etc/httpd/conf/httpd.conf >/mode
${shell} /elsewhere/converted/install.sh --undo >/undo 2>&1
httpd-codemod --follow /etc/httpd/conf/httpd.conf /home/u/public_html /link/shop /srv/vhosts/one /srv/shop /var/www/cgi /var/www/html >/undone.diff 2>/dev/null
exit 0
`;
  const { status, output } = await walkIn(scratch, SERVER22, script);
  const said = (name: string): string => readFileSync(join(scratch, name), 'latin1');
  expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
  expect({ complaints: said('complaints'), status: said('status') }).toEqual({
    complaints: '',
    status: '0\n',
  });
  expect(said('again')).toMatch('it is there already: remove it');
  expect(said('nowhere-said')).toMatch('/nowhere/server.tar.gz: it cannot be written');
  expect(said('into')).toMatch(/a\/b\/\.htaccess: is another file.*\n.*: nothing is done: .*Pack it again/);
  // The private directory has gone.
  expect(said('left')).toBe('');
  const packed = readFileSync(join(scratch, 'elsewhere/server.tar.gz'));
  expect(statSync(join(scratch, 'elsewhere/server.tar.gz')).mode & 0o777).toBe(0o600);
  const entries = readTar(unpack(packed));
  const inRoot = entries.filter(({ name, kind }) => name.startsWith('root/') && kind !== 'directory');
  expect(inRoot.map(({ name, kind }) => `${kind} ${name}`).toSorted()).toEqual(TAKEN.toSorted());
  const textOf = (name: string): string => entries.find((entry) => entry.name === name)?.text ?? '';
  const all = entries.map(({ text }) => text).join('\n');
  for (const text of PRIVATE) expect(all).not.toContain(text);
  for (const text of SECRETS) {
    expect(all).toContain(text);
    expect(textOf('MANIFEST') + said('printed')).not.toContain(text);
  }
  const secrets = [
    '/etc/httpd/conf/httpd.conf:33: AuthLDAPBindPassword',
    '/etc/httpd/conf/httpd.conf:38: SetEnv',
    '/etc/httpd/conf/httpd.conf:41: DBDParams',
    '/etc/httpd/conf/httpd.conf:43: ProxySet',
    '/etc/sysconfig/httpd:2: DB_PASSWORD',
  ];
  expect(textOf('MANIFEST').match(/(?<=^secret: ).*/gm)).toEqual(secrets);
  expect(said('printed').trimEnd().split('\n').slice(-secrets.length)).toEqual(
    secrets.map((line) => `  ${line}`),
  );
  expect(textOf('info/named')).toMatch(/^-rw-r--r-- .* \/etc\/httpd\/conf\/users$/m);
  expect(textOf('info/named')).toMatch(/^not there: \/etc\/httpd\/conf\/server\.crt$/m);
  expect(textOf('info/environment')).toMatch(/^STAGE=live$/m);
  expect(textOf('info/modules')).toBe(' authz_host_module (shared)\n');
  expect(textOf('info/listing')).toMatch(/^drwxr-xr-x \d+ 0 0 .* \/var\/www\/html\/empty\/inner$/m);
  expect(textOf('info/left-out').split('\n').filter(Boolean)).toEqual([
    '1 names with a line end or a tab\t-',
    'a link of another user than its target\t/srv/vhosts/one/all',
    'a link of another user than its target\t/srv/vhosts/one/d/.htaccess',
    'a private key\t/etc/httpd/conf/renewed.txt',
    'no regular file\t/var/www/html/empty/.htaccess',
    'passwords or binary data\t/etc/httpd/conf/binary',
    'passwords or binary data\t/etc/httpd/conf/old-users',
    'passwords, certificates and keys stay\t/etc/httpd/conf/server.key',
  ]);
  expect(said('place.diff')).toMatch('Require all denied');
  expect(said('tar.diff')).toBe(said('place.diff'));
  expect(said('tar.txt')).toMatch('not in the tar: 1 names with a line end or a tab');
  expect(said('listed')).toMatch(/^-rw------- .* new\.tar\.gz$/m);
  expect(said('check')).toMatch('replace /etc/httpd/conf/httpd.conf\n');
  expect(said('install')).toMatch(/^Done: (?:1 step|\d+ steps)\. sh .*install\.sh --undo takes it back\./);
  expect(said('left-to-do')).toBe('');
  expect(said('mode')).toBe('640\n');
  expect(said('undo')).toMatch(/^Taken back: (?:1 step|\d+ steps)\./);
  expect(said('undone.diff')).toBe(said('place.diff'));
});

/** Where each system has its main file, and what it is served from. */
const STOCK = [
  ['debian', '/etc/apache2/apache2.conf'],
  ['rhel', '/etc/httpd/conf/httpd.conf'],
  ['freebsd', '/usr/local/etc/apache22/httpd.conf'],
  ['suse', '/etc/apache2/httpd.conf'],
  ['gentoo', '/etc/apache2/httpd.conf'],
] as const;

test.each(STOCK)('the stock server of %s converts from its tar as in place', async (name, main) => {
  const script = `
cp /opt/checkout/bin/collect.sh / && cd /
printf '#!/bin/sh\\n' >/opt/commands/httpd && cp /opt/commands/httpd /opt/commands/apachectl && cp /opt/commands/httpd /opt/commands/apache2ctl
sh collect.sh -f ${main} server.tar.gz >/printed 2>&1
httpd-codemod --follow ${main} $(tar xzOf server.tar.gz MANIFEST | sed -n 's/^tree: //p') >/place.diff 2>/place.txt
mkdir /elsewhere && mv server.tar.gz /elsewhere && cd /elsewhere
httpd-codemod server.tar.gz >/tar.diff 2>/tar.txt
exit 0
`;
  const server = GUIDE_SERVERS[name]!();
  const { output } = await walkIn(
    scratch,
    { ...(server.machines?.[0] ?? server), lacksCommand: false },
    script,
  );
  const said = (file: string): string => readFileSync(join(scratch, file), 'latin1');
  expect({ output, printed: said('printed') }).toEqual({
    output: '',
    printed: expect.stringContaining('server.tar.gz'),
  });
  expect(said('place.diff')).toMatch('+    Require');
  expect(said('tar.diff')).toBe(said('place.diff'));
});

test('a user who is not root packs what he may read, and is told what not', async () => {
  const script = `
${FURNISH}
chmod 644 /etc/httpd/conf/httpd.conf && chmod 700 /var/www/html/a && chmod 600 /srv/shop/.acl
cp /opt/checkout/bin/collect.sh /tmp/ && cd /tmp
setpriv --reuid 33 --regid 33 --clear-groups sh collect.sh server.tar.gz >/printed 2>&1
echo $? >/status
httpd-codemod server.tar.gz >/tar.diff 2>/tar.txt
exit 0
`;
  await walkIn(scratch, SERVER22, script);
  const said = (file: string): string => readFileSync(join(scratch, file), 'latin1');
  expect({ status: said('status'), printed: said('printed') }).toEqual({
    status: '0\n',
    printed: expect.stringMatching(/^ {2}\/srv\/shop\/\.acl: cannot be read$/m),
  });
  expect(said('printed')).toMatch(/^ {2}\/var\/www\/html\/a: cannot be read$/m);
  // What is not known may say who gets in.
  expect(said('tar.txt')).toMatch(/\/srv\/shop\/\.acl.*permission denied/);
});

test('the scripts lie in the package, and nothing else is needed to run them', () => {
  expect(readdirSync(BIN)).toEqual(expect.arrayContaining(['collect.sh', 'install.sh']));
  const printed = execFileSync(process.execPath, [join(BIN, 'httpd-codemod.js'), 'collect']);
  expect(printed.equals(readFileSync(join(BIN, 'collect.sh')))).toBe(true);
});

test('one user with a file too large and directories too deep: the rest is packed, and can be read', () => {
  const [conf, server] = [join(scratch, 'httpd.conf'), join(scratch, 'www')];
  const deep = join(server, 'theirs', 'd/'.repeat(300));
  mkdirSync(deep, { recursive: true });
  mkdirSync(join(server, 'large'));
  writeFileSync(conf, `ServerRoot ${scratch}\nDocumentRoot ${server}\n`);
  for (const at of [deep, join(server, 'large'), server])
    writeFileSync(join(at, '.htaccess'), 'Deny from all\n');
  truncateSync(join(server, 'large/.htaccess'), 40_000_000);
  const tar = join(scratch, 'server.tar');
  const { status } = spawnSync('sh', [join(BIN, 'collect.sh'), '-f', conf, tar], { encoding: 'utf8' });
  expect(status).toBe(0);
  const entries = readTar(unpack(readFileSync(tar)));
  const packed = entries.filter(({ name, kind }) => kind === 'file' && name.endsWith('.htaccess'));
  expect(packed.map(({ name }) => name)).toEqual([`root${server}/.htaccess`]);
  const left = entries.find(({ name }) => name === 'info/left-out')?.text.split('\n');
  expect(left).toEqual([
    `larger than 32 MB\t${server}/large/.htaccess`,
    expect.stringMatching(/^too deep\t.*\/d\/\.htaccess$/),
    '',
  ]);
});
