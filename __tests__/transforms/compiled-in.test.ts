import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunOptions } from '../../src/engine';
import { parseModuleList } from '../../src/httpd/modules';
import { isBlocker } from '../../src/report/content';
import { requireHttpd } from '../../testing/httpd/binary';
import { testFile } from '../../testing/httpd/check';
import { convertFiles, textAfter } from '../../testing/run/convert';

const CONF = '/srv/conf/httpd.conf';
const HEAD = 'ServerRoot "/srv"\nListen 127.0.0.1:8080\nUser nobody\nPidFile logs/pid\n';
/** As the stock file of a build has it, with what people add. */
const SITE = `DocumentRoot "/srv/htdocs"
ErrorLog logs/error_log
<Directory "/srv/htdocs">
    AuthType Basic
    AuthName x
    AuthUserFile /srv/passwd
    Require valid-user
    Order deny,allow
    Deny from all
    Allow from 10.0.0.1
</Directory>
<IfModule dir_module>
    DirectoryIndex index.html
</IfModule>
<IfModule log_config_module>
    LogFormat "%h" short
    CustomLog logs/access_log short
</IfModule>
<IfModule alias_module>
    ScriptAlias /cgi-bin/ "/srv/cgi-bin/"
</IfModule>
<IfModule mod_proxy.c>
    ProxyPass /app ajp://127.0.0.1:8009/
</IfModule>
<IfModule ssl_module>
    SSLRandomSeed startup builtin
</IfModule>
RewriteEngine On
`;

function converted(files: Readonly<Record<string, string>>, options: RunOptions = { pinDefaults: true }) {
  const result = convertFiles(files, Object.keys(files), options);
  expect(result.failure).toBeUndefined();
  const text = textAfter(result, CONF)!;
  const loaded = [...text.matchAll(/^ *LoadModule (\w+)_module/gm)].map(([, name]) => name);
  const told = result.outcomes.filter(({ rule }) => rule === 'load-module').map(({ message }) => message);
  return { text, loaded, told, blockers: result.outcomes.filter(isBlocker).map(({ message }) => message) };
}

describe('a server that loads no module by a line', () => {
  test('starts, and loads what 2.2 had compiled in', async () => {
    const { text, loaded, blockers } = converted({ [CONF]: HEAD + SITE });
    expect(blockers).toEqual([]);
    expect(loaded).toEqual(
      expect.arrayContaining(['mpm_prefork', 'rewrite', 'dir', 'autoindex', 'mime', 'cgi', 'authz_host']),
    );
    // What only blocks ask for, 2.2 need not have had.
    expect(loaded).not.toEqual(expect.arrayContaining(['proxy_ajp']));
    const root = mkdtempSync(join(tmpdir(), 'compiled-in-'));
    try {
      for (const name of ['conf', 'logs', 'htdocs', 'cgi-bin']) mkdirSync(join(root, name));
      symlinkSync(requireHttpd().moduleDir, join(root, 'modules'));
      const file = join(root, 'conf/httpd.conf');
      writeFileSync(file, text.replaceAll('"/srv', `"${root}`), 'latin1');
      expect((await testFile(file)).message).not.toMatch(/rror/);
      // The twin: without the lines, it does not.
      writeFileSync(file, (HEAD + SITE).replaceAll('"/srv', `"${root}`), 'latin1');
      expect((await testFile(file)).ok).toBe(false);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test('names the modules that only blocks ask for', () => {
    expect(converted({ [CONF]: HEAD + SITE }).told.join('\n')).toMatch(
      /that 2\.2 had proxy, ssl is not known/,
    );
  });

  test('is asked for nothing once the lines are there', () => {
    const { text } = converted({ [CONF]: HEAD + SITE });
    const again = converted({ [CONF]: text });
    expect(again.text).toBe(text);
    expect(again.told).toEqual([]);
  });

  test('loads its own modules below a single line for PHP', () => {
    const { text } = converted({ [CONF]: `${HEAD}${SITE}LoadModule php5_module /opt/php/libphp5.so\n` });
    expect(text).toMatch(/^ServerRoot "\/srv"\n(?:\w+ [\w. ]+\n)*<IfModule !mpm_event_module>/);
    expect(text).toContain('LoadModule mime_module modules/mod_mime.so');
  });

  test('loads what the target has as files alone', () => {
    const list =
      ' core_module (static)\n mpm_event_module (static)\n unixd_module (static)\n rewrite_module (shared)\n authz_core_module (shared)\n';
    const { text, loaded, told } = converted(
      { [CONF]: HEAD + SITE },
      { targetModules: parseModuleList(list) },
    );
    expect(text).toContain('\nLoadModule rewrite_module modules/mod_rewrite.so\n');
    expect(loaded).not.toContain('unixd');
    expect(loaded).not.toContain('asis');
    expect(told.join('\n')).toMatch(/the target does not load authn_core_module, authn_file_module/);
  });
});

test('a line modelled on one for PHP does not look for modules of httpd beside PHP', () => {
  const { text } = converted({ [CONF]: 'Listen 80\nUser a\nLoadModule php5_module /opt/php/libphp5.so\n' });
  expect(text).toContain('LoadModule unixd_module modules/mod_unixd.so');
});

test('what a rule has written is loaded, though lines may be in a file that is not there', () => {
  const lines = ['alias', 'dir', 'mime', 'env'].map(
    (name) => `LoadModule ${name}_module modules/mod_${name}.so\n`,
  );
  const { text } = converted({
    [CONF]: `${HEAD}${lines.join('')}Include conf.d/*.conf\nDocumentRoot "/srv/htdocs"\nExpiresActive On\n`,
  });
  expect(text).toMatch(/^Header /m);
  expect(text).toContain('LoadModule headers_module');
  expect(text).not.toContain('expires_module');
});

describe('no line is written', () => {
  test.each<[what: string, files: Readonly<Record<string, string>>]>([
    [
      'a file of virtual hosts',
      { [CONF]: 'Listen 8080\n<VirtualHost *:8080>\nRewriteEngine On\n</VirtualHost>\n' },
    ],
    ['a file of AccessFileName', { '/srv/htdocs/.htaccess': 'RewriteEngine On\n', [CONF]: '' }],
    ['a server whose Include leads to nothing', { [CONF]: `${HEAD}Include conf/modules.conf\n${SITE}` }],
    ['a template with a place for them', { [CONF]: `${HEAD}@@LoadModule@@\n${SITE}` }],
    [
      'a server with lines for its modules',
      { [CONF]: `${HEAD}LoadModule mime_module modules/mod_mime.so\nAddType a/b .c\n` },
    ],
  ])('for %s', (_, files) => {
    expect(converted(files).text).not.toContain('LoadModule rewrite_module');
    expect(converted(files).text).not.toContain('LoadModule asis_module');
  });
});
