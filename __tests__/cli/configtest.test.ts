import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, type CommandResult } from '../../testing/run/command';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { requireHttpd } from '../../testing/httpd/binary';
import { createServerRoot } from '../../testing/httpd/config';
import { directory } from '../../testing/write/directory';

const openStore = storeIn(stateDirectory());
const run = (cwd: string, argv: readonly string[], path = process.env['PATH']): Promise<CommandResult> =>
  command(argv, { cwd, env: { PATH: path } }, { openStore });

const root = createServerRoot();
afterAll(() => root.dispose());
const httpd = `--configtest=${requireHttpd().bin}`;
/** What every server config here begins with. */
const base = `${root.preamble}\n`;
const lines = base.split('\n').length;

describe('a tree that httpd takes', () => {
  const files = {
    'httpd.conf': `${base}MaxClients 50\nInclude conf.d/*.conf\nInclude "extra.conf"\n<Directory />\nAllowOverride All\n</Directory>\n`,
    'conf.d/a.conf': '<Directory /nowhere>\nOrder allow,deny\nAllow from all\n</Directory>\n',
    'conf.d/b.conf': '# a comment\n',
    'extra.conf': '<Location /x>\nOrder allow,deny\nDeny from all\n</Location>\n',
    'www/.htaccess': 'Order deny,allow\nDeny from all\n',
  };

  test('is written', async () => {
    const cwd = directory(files);
    const args = ['--server-root', cwd, '-w', httpd, 'httpd.conf', 'www'];
    expect(await run(cwd, args)).toMatchObject({ status: 0 });
    expect(fs.readFileSync(join(cwd, 'extra.conf'), 'latin1')).toContain('Require all denied');
    expect(fs.readFileSync(join(cwd, 'www/.htaccess'), 'latin1')).toBe('Require all denied\n');
  });

  test('is shown, where it was not to be written', async () => {
    const cwd = directory(files);
    const { status, stdout } = await run(cwd, ['--server-root', cwd, httpd, 'httpd.conf']);
    expect(status).toBe(1);
    expect(stdout).toContain('+MaxRequestWorkers 50\n');
  });

  test('leaves nothing behind', async () => {
    const left = (): string[] => fs.readdirSync(tmpdir()).filter((name) => name.startsWith('httpd-codemod-'));
    const before = left();
    const { status } = await run(directory(files), [httpd, 'httpd.conf']);
    expect(status).toBe(1);
    expect(left().filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('a tree that httpd refuses', () => {
  const refused = async (
    files: Readonly<Record<string, string>>,
    args: readonly string[],
  ): Promise<CommandResult & { cwd: string }> => {
    const cwd = directory(files);
    const answer = await run(cwd, ['--server-root', cwd, httpd, ...args]);
    for (const [name, text] of Object.entries(files))
      expect(fs.readFileSync(join(cwd, name), 'latin1')).toBe(text);
    return { ...answer, cwd };
  };

  test.each<[string, Record<string, string>, string]>([
    ['in the server config', { 'httpd.conf': `${base}Bogus on\n` }, `httpd.conf:${lines}: Invalid command 'Bogus'`],
    [
      'behind lines that grew',
      { 'httpd.conf': `${base}<Location /x>\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.1\n</Location>\nBogus on\n` },
      `httpd.conf:${lines + 5}: Invalid command 'Bogus'`,
    ],
    [
      'in a file that is included by a pattern',
      { 'httpd.conf': `${base}Include c/*.conf\n`, 'c/1.conf': 'MaxClients 50\n', 'c/2.conf': '\n\nListen\n' },
      'c/2.conf:3: Listen requires',
    ],
    [
      'in a file that is included, not closed',
      { 'httpd.conf': `${base}Include c/1.conf\n`, 'c/1.conf': 'MaxClients 50\n\n<Directory /x>\nAllowOverride None\n' },
      'c/1.conf:3: <Directory> was not closed.',
    ],
    [
      'in a file that is included, in one line of httpd',
      { 'httpd.conf': `${base}Include c/1.conf\n`, 'c/1.conf': '\n\nLoadModule none_module /nowhere/mod_none.so\n' },
      'c/1.conf:3: Cannot load /nowhere/mod_none.so',
    ],
    [
      'beside a warning',
      { 'httpd.conf': `${base}NameVirtualHost *:80\nBogus on\n`, 'www/.htaccess': '\n\n# none\n' },
      `httpd.conf:${lines + 1}: Invalid command 'Bogus'`,
    ],
    [
      'in a .htaccess',
      { 'httpd.conf': base, 'www/.htaccess': 'Order deny,allow\nDeny from all\n\nListen 80\n' },
      'www/.htaccess:4: Listen not allowed',
    ],
  ])('%s', async (_, files, message) => {
    const { status, stderr, stdout } = await refused(files, ['--skip', 'name-virtual-host', '-w', 'httpd.conf', ...(files['www/.htaccess'] ? ['www'] : [])]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`httpd-codemod: configtest: ${message}`);
    expect(stderr).toContain('nothing written');
    if (files['httpd.conf']?.includes('NameVirtualHost'))
      expect(stderr).toContain(` httpd.conf:${lines}\n`);
    expect(stderr).not.toContain(tmpdir());
  }); // prettier-ignore

  test('is shown all the same in a dry run', async () => {
    const { status, stdout, stderr } = await refused({ 'httpd.conf': `${base}MaxClients 50\nBogus on\n` }, [
      'httpd.conf',
    ]);
    expect(status).toBe(2);
    expect(stdout).toContain('+MaxRequestWorkers 50\n');
    expect(stderr).toContain(`configtest: httpd.conf:${lines + 1}: Invalid command`);
  });
});

describe('the command', () => {
  test('may have arguments; the path behind the option is a path', async () => {
    const cwd = directory({ 'httpd.conf': `${base}<IfDefine X>\nBogus on\n</IfDefine>\n` });
    expect(await run(cwd, [`${httpd} -D X`, 'httpd.conf'])).toMatchObject({ status: 2 });
    expect(await run(cwd, [httpd, '-D', 'X', 'httpd.conf'])).toMatchObject({ status: 2 });
    expect((await run(cwd, ['--configtest', 'httpd.conf'], '')).stderr).not.toContain('no path');
  });

  test('is missing, or fails to start', async () => {
    const cwd = directory({ 'httpd.conf': base });
    const { status, stdout, stderr } = await run(cwd, [
      '--configtest=/nonexistent/httpd',
      '-w',
      'httpd.conf',
    ]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^httpd-codemod: configtest: \/nonexistent\/httpd: [^\n]*not found\n$/);
  });
});
