import fs from 'node:fs';
import { join } from 'node:path';
import { realOps } from '../../src/write/system';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { openTestStore, stateDirectory } from '../../testing/write/store';
import { snapshot } from '../../testing/write/write-tree';

// A `.htaccess` that cannot be written, and that 2.4 would let others in by as it stands, has its directory shut by the server's own
// files; all others are written.

const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /x\nRequire valid-user\n';
const OPEN = 'Order allow,deny\nAllow from all\n';
const HOSTS = 'AllowOverride All\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
const SERVER = `ServerRoot /\nDocumentRoot WWW\n<Directory WWW>\n${HOSTS}</Directory>\n`;

const state = stateDirectory();

/** A server with a user `a` whose file cannot be written, and a user `b`. */
function server(config: string, files: Readonly<Record<string, string>> = {}): string {
  const root = directory({
    'httpd.conf': '',
    'www/a/.htaccess': PASSWORD,
    'www/b/.htaccess': OPEN,
    ...files,
  });
  fs.writeFileSync(join(root, 'httpd.conf'), config.replaceAll('WWW', join(root, 'www')));
  return root;
}

function write(cwd: string, code = 'EPERM', refused = /\/a[^/]*\/\.htaccess$/): Promise<CommandResult> {
  const ops: typeof realOps = {
    ...realOps,
    open(path, flags, mode) {
      const fd = realOps.open(path, flags, mode);
      if (flags === fs.constants.O_RDONLY || !refused.test(fs.readlinkSync(`/proc/self/fd/${fd}`))) return fd;
      realOps.close(fd);
      throw Object.assign(new Error(code), { code });
    },
  };
  return command(
    ['-w', '-v', '.'],
    { cwd },
    { openStore: (options) => openTestStore(state, { ...options, ops }) },
  );
}

const shut = (path: string, indent = ''): string =>
  [
    `<Directory ${path}>`,
    '    AllowOverride None',
    '    AllowOverrideList None',
    '    Require all denied',
    '</Directory>',
  ]
    .map((line) => `${indent}${line}\n`)
    .join('');

const configOf = (root: string): string => fs.readFileSync(join(root, 'httpd.conf'), 'latin1');

test.each(['EPERM', 'EACCES', 'EROFS', 'EXDEV'])('%s of the system holds up nobody else', async (code) => {
  const root = server(SERVER);
  const before = snapshot(root);
  const { status, stderr } = await write(root, code);
  expect(status).toBe(1);
  expect(snapshot(root)).toMatchObject({
    'www/a/.htaccess': PASSWORD,
    'www/b/.htaccess': 'Require all granted\n',
  });
  expect(configOf(root)).toContain(`Require ip 10.0.0.0/8\n</Directory>\n${shut(join(root, 'www/a'))}`);
  // It says where, what is shut, and what to do.
  expect(stderr.replace(/\s+/g, ' ')).toMatch(
    /httpd\.conf:\d+.* www\/a\/\.htaccess cannot be written, .* nobody into .*www\/a and has the file not read/,
  );
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'undo this run, let www/a/.htaccess be written, and convert again',
  );
  const { status: undone } = await command(
    ['undo', '--yes'],
    { cwd: root },
    { openStore: (options) => openTestStore(state, options) },
  );
  expect(undone).toBe(0);
  expect(snapshot(root)).toEqual(before);
});

test('a later run tells of the directory as long as it is shut', async () => {
  const root = server(SERVER);
  await write(root);
  const again = await command(['-v', '.'], { cwd: root });
  expect(again.stderr.replace(/\s+/g, ' ')).toMatch(
    /httpd\.conf:\d+.* this section lets nobody in and has www\/a\/\.htaccess not read/,
  );
});

test('the files below such a directory are written, too', async () => {
  const root = server(SERVER, { 'www/a/sub/.htaccess': `${OPEN}Satisfy any\n` });
  await write(root);
  expect(configOf(root)).toContain(shut(join(root, 'www/a')));
  expect(snapshot(root)).toMatchObject({
    'www/a/sub/.htaccess': 'Require all granted\n',
    'www/b/.htaccess': 'Require all granted\n',
  });
});

test('each of many such directories is shut', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `a${i}`);
  const root = server(SERVER, Object.fromEntries(names.map((name) => [`www/${name}/.htaccess`, PASSWORD])));
  await write(root);
  for (const name of ['a', ...names]) expect(configOf(root)).toContain(shut(join(root, 'www', name)));
  expect(snapshot(root)).toMatchObject({ 'www/b/.htaccess': 'Require all granted\n' });
});

test('a virtual host with a section of its own for the directory has it shut once more, after that', async () => {
  const host = `<VirtualHost *:80>\nDocumentRoot WWW\n<Directory WWW/a>\n${HOSTS}</Directory>\n</VirtualHost>\n`;
  const root = server(`${SERVER}${host}`);
  await write(root);
  const section = shut(join(root, 'www/a'));
  expect(configOf(root).split(section)).toHaveLength(3);
  expect(configOf(root).endsWith(`${section}</VirtualHost>\n`)).toBe(true);
});

const BELOW = `<Directory WWW/a/s>\nAllowOverride All\n`;
const OPENS = '<Files x.txt>\nOrder allow,deny\nAllow from all\n</Files>\n';
const LOGIN = SERVER.replace('AllowOverride', 'AuthType Basic\nAuthName x\nAuthUserFile /all\nAllowOverride');
const LOCATION = '<Location /a/x>\nOrder allow,deny\nAllow from all\nSatisfy any\n</Location>\n';
const LAST = '    <If "true">\n        Require all denied\n    </If>\n';

/** A directory that no section opens again. */
const shutAtLast = (path: string): string => shut(path).replace('</Directory>', `${LAST}</Directory>`);

// What the file said besides who gets in, or by which passwords, is lost there with the file: nobody may get in by another section.
test.each([
  ['a Location that lets in', `${SERVER}${LOCATION}`, 'RemoveHandler .php\n'],
  ['a section below it that lets in', `${SERVER}${BELOW}${OPEN}Satisfy any\n</Directory>\n`, 'Options -ExecCGI\n'],
  ['a section below it with AllowOverride', `${SERVER}${BELOW}</Directory>\n`, 'Options -ExecCGI\n'],
  ['wildcards below it', `${SERVER}${BELOW.replace('/s', '/*')}</Directory>\n`, 'Options -ExecCGI\n'],
  ['other passwords for a Files section', `${LOGIN}${OPENS}`, ''],
  ['other passwords for a section below it', `${LOGIN}${BELOW}${OPEN}Require valid-user\n</Directory>\n`, ''],
])('with %s it is shut after all sections', async (_, config, more) => {
  const root = server(config, { 'www/a/.htaccess': `${PASSWORD}${more}` });
  await write(root);
  expect(configOf(root)).toContain(shutAtLast(join(root, 'www/a')));
  expect(configOf(root)).not.toMatch(/^(?:Order|Deny)/m);
  const again = await command(['-v', '.'], { cwd: root });
  expect(again.stderr.replace(/\s+/g, ' ')).toMatch(/has www\/a\/\.htaccess not read/);
}); // prettier-ignore

test.each([
  ['the passwords are told by the file alone', `${SERVER}${OPENS}`, ''],
  ['a section lets in nobody', `${SERVER}<Files ~ "^[.]ht">\nOrder allow,deny\nDeny from all\nSatisfy All\n</Files>\n`, 'Options -ExecCGI\n'],
  ['a section is for directories beside it', `${SERVER}${BELOW.replace('/a', '/b')}</Directory>\n`, 'Options -ExecCGI\n'],
])('twin: where %s a section for the directory will do', async (_, config, more) => {
  const root = server(config, { 'www/a/.htaccess': `${PASSWORD}${more}` });
  await write(root);
  expect(configOf(root)).toContain(shut(join(root, 'www/a')));
}); // prettier-ignore

test('a directory that a link leads to is shut by both names', async () => {
  const root = server(SERVER.replace('AllowOverride', 'Options FollowSymLinks\nAllowOverride'));
  fs.symlinkSync('a', join(root, 'www/l'));
  fs.mkdirSync(join(root, 'www/c'));
  fs.symlinkSync('../a/.htaccess', join(root, 'www/c/.htaccess'));
  await write(root);
  for (const name of ['a', 'l', 'c']) expect(configOf(root)).toContain(shut(join(root, 'www', name)));
  expect(snapshot(root)).toMatchObject({ 'www/b/.htaccess': 'Require all granted\n' });
});

test('twin: where the server’s own file cannot be written either, all that must stay with it stays', async () => {
  const root = server(SERVER);
  await write(root, 'EPERM', /\/(?:a\/\.htaccess|httpd\.conf)$/);
  expect(configOf(root)).toBe(SERVER.replaceAll('WWW', join(root, 'www')));
  expect(snapshot(root)).toMatchObject({ 'www/a/.htaccess': PASSWORD });
});

test('twin: one that 2.4 answers 500 to as it stands keeps nobody up, and nothing is shut', async () => {
  const root = server(SERVER, { 'www/a/.htaccess': OPEN });
  await write(root);
  expect(configOf(root)).toContain('Require ip 10.0.0.0/8\n</Directory>\n');
  expect(configOf(root)).not.toContain('Require all denied');
});
