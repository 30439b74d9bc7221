import fs from 'node:fs';
import { join } from 'node:path';
import { convert } from '../../src';
import { disk } from '../../src/config/source/disk';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

// What one user writes into a .htaccess is for its directory alone: nothing else is converted, or told, in another way.

const CONF = `ServerRoot "ROOT"
Listen 80
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule authz_default_module modules/mod_authz_default.so
LoadModule dir_module modules/mod_dir.so
LoadModule dav_module modules/mod_dav.so
DocumentRoot "ROOT/www"
<Directory "ROOT/www">
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
<Directory "ROOT/www/dav">
    Dav On
</Directory>
`;

/** The diff of the server's file, and what is found in it. */
async function server(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const root = directory({
    'httpd.conf': '',
    'www/other/.htaccess': 'Order allow,deny\nDeny from all\n',
    ...files,
  });
  fs.writeFileSync(join(root, 'httpd.conf'), CONF.replaceAll('ROOT', root));
  const { stdout } = await command(['--format', 'json', ...args, 'httpd.conf', 'www'], { cwd: root });
  const { files: changed, findings } = JSON.parse(stdout) as Record<
    'files' | 'findings',
    readonly { path: string; diff?: string; message?: string }[]
  >;
  const isOfServer = ({ path }: { path: string }): boolean => path === 'httpd.conf';
  const said = findings.filter(isOfServer).map(({ message }) => message);
  const diffs = changed.filter(isOfServer).map(({ diff }) => diff);
  return JSON.stringify([diffs, said]).replaceAll(root, '');
}

test.each([
  'DirectoryCheckHandler On\n',
  'Header set Content-Type text/plain "expr=-z %{CONTENT_TYPE}"\n',
  'Require all granted\n',
  'Example On\n',
])('a .htaccess that says %j', async (text) => {
  for (const option of [[], ['--pin-defaults']])
    expect(await server({ 'www/t/.htaccess': text }, ...option)).toBe(await server({}, ...option));
});

test('a .htaccess with lines for 2.4 beside one that stays: the module that 2.4 has not goes', async () => {
  const lines = {
    'www/t/.htaccess': 'Require all denied\n',
    'www/t/in/.htaccess': 'Order allow,deny\nDeny from all\n',
  };
  const kept = await server(lines, '--exclude', 'www/t/in/');
  expect(kept).toContain('-LoadModule authz_default_module');
});

test('twin: a .htaccess with lines for both, which 2.2 answers with 500, is not read as that of a 2.4', () => {
  const conf = CONF.replaceAll('ROOT', '/srv').replace(/^ *(?:Order|Allow).*\n/gm, '');
  const files = {
    '/srv/httpd.conf': conf,
    '/srv/www/t/.htaccess': 'Allow from all\nRequire ip 10.0.0.0/8\n',
  };
  const paths = ['/srv/httpd.conf', '/srv/www'];
  const { diff, texts } = convert(files, { paths });
  expect(diff).toMatch(/^-LoadModule authz_default_module[^]*^\+.*LoadModule authz_core_module/m);
  expect(diff).not.toContain('.htaccess');
  // Nor by a run over the result, which asks.
  const again = convert({ ...files, ...Object.fromEntries(texts) }, { paths });
  expect(again.diff).not.toContain('.htaccess');
  expect(again.findings).toContainEqual(
    expect.objectContaining({
      level: 'error',
      question: 'half-converted',
      message: expect.stringMatching(
        /its lines for 2\.4 say "Require ip 10\.0\.0\.0\/8", but 2\.2 does not know the lines for 2\.4/,
      ),
    }),
  );
  const told = convert(
    { ...files, ...Object.fromEntries(texts) },
    { paths, answers: [{ key: 'half-converted', value: true, choice: 'as-2.4-lines', reason: '' }] },
  );
  expect(told.texts.get('/srv/www/t/.htaccess')).toBe('Require ip 10.0.0.0/8\n');
});

describe('a main file that one of several users has put into their directory', () => {
  const conf = (root: string): string =>
    `Listen 80\nDocumentRoot "${root}"\n<Directory "${root}/b">\n    AllowOverride All\n    Satisfy any\n    AuthType Basic\n    AuthName x\n    Require valid-user\n</Directory>\n`;

  async function converted(owner: string, ...given: readonly string[]): Promise<string> {
    const root = directory({
      'a/httpd.conf': '',
      'b/.htaccess': 'Order allow,deny\nDeny from all\n',
      'etc/httpd.conf': 'Listen 80\nTimeout 30\n',
    });
    fs.writeFileSync(join(root, 'a/httpd.conf'), conf(root));
    const ownerOf = (path: string): string =>
      path.startsWith(`${root}/a`) ? owner : path.startsWith(`${root}/b`) ? 'b' : 'root';
    const planted = (_: string, by: string | undefined, target: string): boolean =>
      by !== undefined && !['root', ownerOf(target)].includes(ownerOf(by));
    const { stdout } = await command(
      ['--no-config', ...given],
      { cwd: root },
      { source: { ...disk, planted } },
    );
    return stdout;
  }

  test.each([[['a', 'b']], [['b', 'a']], [['a', 'b', 'etc']]])(
    'opens nothing of another: %j',
    async (given) => {
      expect(await converted('a', ...given)).toContain('-Deny from all\n+Require all denied\n');
    },
  );

  test('twins: of root, and of the owner of both, it is the server of both', async () => {
    for (const owner of ['root', 'b'])
      expect(await converted(owner, 'a', 'b')).toContain('-Deny from all\n+Require valid-user\n');
  });
});
