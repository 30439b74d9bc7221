import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadTree } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { run } from '../../src/engine';
import { scriptReport } from '../../src/report';
import { transforms } from '../../transforms';

const FILES: Readonly<Record<string, string>> = {
  'apache2.conf': `ServerName web1
Include mods-enabled/*.load
Include mods-enabled/*.conf
Include conf.d/
  Include /etc/apache2/sites-enabled/
SSLSessionCache shmcb:/run/cache(512000)
`,
  'conf.d/charset': 'AddDefaultCharset UTF-8\n',
  'conf.d/security.conf': 'ServerTokens Prod\n',
  'conf.d/old~': 'ServerTokens Full\n',
  'mods-available/authz_default.load':
    'LoadModule authz_default_module /usr/lib/apache2/modules/mod_authz_default.so\n',
  'mods-available/authz_host.load':
    'LoadModule authz_host_module /usr/lib/apache2/modules/mod_authz_host.so\n',
  'mods-available/php5.load': 'LoadModule php5_module /nowhere/libphp5.so\n',
  'mods-available/php5.conf': '<IfModule mod_php5.c>\n</IfModule>\n',
  'sites-available/default':
    '<VirtualHost *:80>\n<Location />\nOrder allow,deny\nAllow from all\n</Location>\n</VirtualHost>\n',
  'sites-available/notes': '<VirtualHost *:80>\n</VirtualHost>\n',
  'sites-enabled/it is mine': 'Listen 8080\n',
};

const LINKS: Readonly<Record<string, string>> = {
  'mods-enabled/authz_default.load': '../mods-available/authz_default.load',
  'mods-enabled/authz_host.load': '../mods-available/authz_host.load',
  'mods-enabled/php5.load': '../mods-available/php5.load',
  'mods-enabled/php5.conf': '../mods-available/php5.conf',
  'sites-enabled/000-default': '../sites-available/default',
};

/** Makes a server of 2.2 in a new directory. @returns that directory */
function makeServer(files: typeof FILES, links: typeof LINKS = {}): string {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'script-'));
  for (const name of [...Object.keys(files), ...Object.keys(links)])
    fs.mkdirSync(path.join(top, path.dirname(name)), { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(top, name), text);
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(top, name));
  return top;
}

/** Runs the script for a server as often as asked, in the directory of its configuration. */
function runScript(top: string, directory: string, times: number): void {
  const options = { cwd: top, defines: new Map<string, string>(), env: new Map<string, string>() };
  const script = scriptReport(run(loadTree(disk, [top], options), transforms, {}));
  for (let i = 0; i < times; i++)
    execFileSync('sh', ['-s', path.join(top, directory)], { input: script, stdio: ['pipe', 'pipe', 'pipe'] });
}

describe.each([1, 2])('the script for a Debian server, run %d times', (times) => {
  let directory: string;
  beforeAll(() => {
    directory = makeServer(FILES, LINKS);
    runScript(directory, '.', times);
  });
  afterAll(() => fs.rmSync(directory, { recursive: true }));
  const list = (name: string): string[] => fs.readdirSync(path.join(directory, name)).sort();

  test('moves conf.d to where 2.4 reads it, and leaves backups', () => {
    expect(list('conf-available')).toEqual(['charset.conf', 'security.conf']);
    expect(list('conf-enabled')).toEqual(['charset.conf', 'security.conf']);
    expect(list('conf.d')).toEqual(['old~']);
    expect(fs.readFileSync(path.join(directory, 'conf-enabled/charset.conf'), 'latin1')).toContain('UTF-8');
  });

  test('gives sites names that end in .conf, and their links too', () => {
    expect(list('sites-available')).toEqual(['default.conf', 'notes.conf']);
    expect(list('sites-enabled')).toEqual(['000-default.conf', 'it is mine.conf']);
    expect(fs.readlinkSync(path.join(directory, 'sites-enabled/000-default.conf'))).toBe(
      '../sites-available/default.conf',
    );
  });

  test('has apache2.conf read what was moved', () => {
    const text = fs.readFileSync(path.join(directory, 'apache2.conf'), 'latin1');
    expect(text).toContain('\nIncludeOptional conf-enabled/*.conf\n');
    expect(text).toContain('\n  IncludeOptional sites-enabled/*.conf\n');
    expect(text).not.toContain('conf.d');
  });

  test('enables what 2.4 needs, with an MPM, and disables what it does not have', () => {
    const enabled = list('mods-enabled');
    for (const name of ['authz_core', 'authn_core', 'mpm_prefork', 'socache_shmcb'])
      expect(enabled).toContain(`${name}.load`);
    expect(enabled).not.toContain('authz_default.load');
    expect(enabled).toContain('authz_host.load');
    expect(fs.readFileSync(path.join(directory, 'mods-available/authz_core.load'), 'latin1')).toBe(
      'LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so\n',
    );
  });

  test('lets nobody read programs where PHP is not there', () => {
    expect(list('mods-enabled')).not.toContain('php5.load');
    expect(fs.readFileSync(path.join(directory, 'mods-enabled/no-php5.conf'), 'latin1')).toContain(
      '<If "-f %{REQUEST_FILENAME} && ',
    );
    expect(list('mods-enabled')).toContain('alias.load');
  });
});

const FREEBSD = {
  'usr/local/etc/apache22/httpd.conf': `ServerRoot "/usr/local"
Listen 80
LoadModule dir_module libexec/apache22/mod_dir.so
Alias /icons/ "/usr/local/www/apache22/icons/"
DocumentRoot "/usr/local/www/apache22/data"
Include etc/apache22/extra/*.conf
`,
  'usr/local/etc/apache22/extra/site.conf': 'ServerName www.example.com\n',
};

test.each([1, 2])('the script for FreeBSD, run %d times, makes a configuration for apache24', (times) => {
  const top = makeServer(FREEBSD);
  runScript(top, 'usr/local/etc/apache22', times);
  const read = (name: string): string => fs.readFileSync(path.join(top, 'usr/local/etc', name), 'latin1');
  expect(read('apache24/httpd.conf')).toBe(`ServerRoot "/usr/local"
Listen 80
LoadModule dir_module libexec/apache24/mod_dir.so
Alias /icons/ "/usr/local/www/apache24/icons/"
DocumentRoot "/usr/local/www/apache22/data"
Include etc/apache24/extra/*.conf
`);
  expect(read('apache24/extra/site.conf')).toBe('ServerName www.example.com\n');
  expect(read('apache22/httpd.conf')).toBe(FREEBSD['usr/local/etc/apache22/httpd.conf']);
  fs.rmSync(top, { recursive: true });
});

test('the script for FreeBSD leaves the configuration of a 2.4, but for that of the package', () => {
  for (const [sample, isLeft] of [['Listen 81\n', true], ['Listen 80\n', false]] as const) {
    const top = makeServer({
      ...FREEBSD,
      'usr/local/etc/apache24/httpd.conf': 'Listen 80\n',
      'usr/local/etc/apache24/httpd.conf.sample': sample,
    });
    runScript(top, 'usr/local/etc/apache22', 1);
    const text = fs.readFileSync(path.join(top, 'usr/local/etc/apache24/httpd.conf'), 'latin1');
    expect(text === 'Listen 80\n').toBe(isLeft);
    fs.rmSync(top, { recursive: true });
  }
}); // prettier-ignore

test('the script for the RHEL family has mod_systemd and conf.modules.d read', () => {
  const top = makeServer({
    'etc/httpd/conf/httpd.conf': 'ServerRoot "/etc/httpd"\nListen 80\nInclude conf.d/*.conf\n',
    'etc/httpd/conf.d/site.conf': 'ServerName www.example.com\n',
  });
  runScript(top, 'etc/httpd/conf', 2);
  expect(fs.readFileSync(path.join(top, 'etc/httpd/conf.d/00-modules.conf'), 'latin1')).toBe(
    'LoadModule systemd_module modules/mod_systemd.so\nIncludeOptional conf.modules.d/[1-9]*.conf\n',
  );
  fs.rmSync(top, { recursive: true });
});

test('a server with nothing to do beside its texts gets a script that does nothing', () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'script-'));
  fs.writeFileSync(path.join(directory, 'httpd.conf'), 'ServerRoot /srv\nListen 80\n');
  const options = { cwd: directory, defines: new Map<string, string>(), env: new Map<string, string>() };
  const script = scriptReport(run(loadTree(disk, [directory], options), transforms, {}));
  expect(script.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'set -e',
    'cd "${1:-.}"',
  ]);
  fs.rmSync(directory, { recursive: true });
});
