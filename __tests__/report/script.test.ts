import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadRereadable } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { run } from '../../src/engine';
import { scriptReport } from '../../src/report';
import { transforms } from '../../transforms';

const FILES: Readonly<Record<string, string>> = {
  'apache2.conf': `ServerName web1
<IfModule mpm_prefork_module>
    MaxClients 400
</IfModule>
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
  'mods-available/authz_core.conf': 'Order deny,allow\nDeny from all\n',
  'mods-available/socache_shmcb.conf': '# Nothing for 2.2 alone\n',
  'mods-available/php5.load': 'LoadModule php5_module /nowhere/libphp5.so\n',
  'mods-available/php5.conf': `<IfModule mod_php5.c>
    <FilesMatch "\\.phps$">
        SetHandler application/x-httpd-php-source
        Order allow,deny
        Deny from all
    </FilesMatch>
    <Directory "/home/*/public_html">
        php_admin_value engine Off
        AuthMySQL \\
            On
        Require valid-user
    </Directory>
</IfModule>
`,
  'mods-available/rpaf.load': 'LoadModule rpaf_module /nowhere/mod_rpaf.so\n',
  'mods-available/rpaf.conf': '<IfModule mod_rpaf.c>\nRPAFenable On\n</IfModule>\n',
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
  'mods-enabled/rpaf.load': '../mods-available/rpaf.load',
  'mods-enabled/rpaf.conf': '../mods-available/rpaf.conf',
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
  const script = scriptReport(run(loadRereadable(disk, [top], options), transforms));
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
    // What 2.2 did not read has not been converted.
    expect(enabled).not.toContain('authz_core.conf');
    expect(enabled).toContain('socache_shmcb.conf');
    expect(fs.readFileSync(path.join(directory, 'mods-available/authz_core.load'), 'latin1')).toBe(
      'LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so\n',
    );
  });

  test('has the sizes of the MPM read after it is loaded', () => {
    const sizes = '<IfModule mpm_prefork_module>\n    MaxClients 400\n</IfModule>\n';
    expect(fs.readFileSync(path.join(directory, 'mods-enabled/mpm_prefork.conf'), 'latin1')).toBe(sizes);
    expect(fs.readFileSync(path.join(directory, 'apache2.conf'), 'latin1')).not.toContain('mpm_prefork');
  });

  test('lets nobody read programs where PHP is not there', () => {
    expect(list('mods-enabled')).not.toContain('php5.load');
    expect(fs.readFileSync(path.join(directory, 'mods-enabled/no-php5.conf'), 'latin1')).toContain(
      '<If "-f %{REQUEST_FILENAME} && ',
    );
    expect(list('mods-enabled')).toContain('alias.load');
  });

  test('keeps what the settings of a module refuse where the module is not there', () => {
    const kept = fs.readFileSync(path.join(directory, 'mods-enabled/kept-php5.conf'), 'latin1');
    expect(kept).toBe(`    <FilesMatch "\\.phps$">
        Order allow,deny
        Deny from all
    </FilesMatch>
    <Directory "/home/*/public_html">
        Require valid-user
    </Directory>
`);
    expect(list('mods-enabled').filter((name) => name.includes('rpaf'))).toEqual([]);
  });
});

describe.each([1, 2])(
  'where two files of Debian differ by .conf alone, the script, run %d times',
  (times) => {
    const host = (name: string): string => `<VirtualHost *:80>\nServerName ${name}\n</VirtualHost>\n`;
    const twins: Readonly<Record<string, string>> = {
      ...FILES,
      'conf.d/charset.conf': '# charset.conf\n',
      'sites-available/default.conf': host('of-the-package'),
      'sites-available/notes.conf': host('notes-conf'),
      'sites-enabled/it is mine.conf': '# mine, too\n',
    };
    const links = {
      ...LINKS,
      // Of the package, and a link that leads to a file with another name.
      'sites-enabled/000-default.conf': '../sites-available/default.conf',
      'sites-enabled/notes': '../sites-available/notes',
      'sites-enabled/notes.conf': '../sites-available/notes',
    };
    let top: string;
    beforeAll(() => {
      top = makeServer(twins, links);
      runScript(top, '.', times);
    });
    afterAll(() => fs.rmSync(top, { recursive: true }));

    test('keeps both, enabled as they were, in the same order', () => {
      const textsIn = (directory: string): (readonly [string, string])[] =>
        fs
          .readdirSync(path.join(top, directory))
          .sort()
          .map((name) => [name, fs.readFileSync(path.join(top, directory, name), 'latin1')]);
      const [ours, theirs] = [twins['sites-available/default'], twins['sites-available/default.conf']];
      expect(textsIn('sites-enabled')).toEqual([
        ['000-default-2.2.conf', ours],
        ['000-default.conf', theirs],
        ['it is mine-2.2.conf', twins['sites-enabled/it is mine']],
        ['it is mine.conf', twins['sites-enabled/it is mine.conf']],
        ['notes-2.2.conf', twins['sites-available/notes']],
        ['notes.conf', twins['sites-available/notes']],
      ]);
      expect(textsIn('sites-available')).toEqual([
        ['default-2.2.conf', ours],
        ['default.conf', theirs],
        ['notes-2.2.conf', twins['sites-available/notes']],
        ['notes.conf', twins['sites-available/notes.conf']],
      ]);
      expect(textsIn('conf-enabled').slice(0, 2)).toEqual([
        ['charset-2.2.conf', twins['conf.d/charset']],
        ['charset.conf', twins['conf.d/charset.conf']],
      ]);
    });
  },
);

test('the script does nothing in another directory than that of the server config', () => {
  const top = makeServer(FILES, LINKS);
  const other = makeServer({});
  const options = { cwd: top, defines: new Map<string, string>(), env: new Map<string, string>() };
  const input = scriptReport(run(loadRereadable(disk, [top], options), transforms));
  const { status, stderr } = spawnSync('sh', ['-s', other], { input, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `no apache2.conf in ${other}: give its directory\n`,
  });
  expect(fs.readdirSync(other)).toEqual([]);
  for (const made of [top, other]) fs.rmSync(made, { recursive: true });
});

test('the script for a Debian server of which a copy lacks mods-enabled makes it', () => {
  const top = makeServer({
    'apache2.conf':
      'Listen 80\nInclude mods-enabled/*.load\n<Location />\nOrder allow,deny\nAllow from all\n</Location>\n',
  });
  runScript(top, '.', 2);
  expect(fs.readdirSync(path.join(top, 'mods-enabled'))).toContain('authz_core.load');
  fs.rmSync(top, { recursive: true });
});

describe('the script for a Debian server, with the /etc/apache2 of a new one', () => {
  const NEW = {
    'apache2.conf': 'IncludeOptional mods-enabled/*.load\n',
    envvars: 'export APACHE_RUN_USER=www-data\n',
    'conf-available/serve-cgi-bin.conf': '# of the package\n',
    'mods-available/access_compat.load': '# of the package\n',
    'mods-available/authz_core.load': '# of the package\n',
    'mods-available/authz_host.load': '# Depends: authz_core\n',
    'mods-available/http2.load': '# of the package\n',
    'mods-available/mpm_event.load': '# of the package\n',
    'mods-available/mpm_prefork.load': '# of the package\n',
    'mods-available/status.load': '# of the package\n',
    'sites-available/000-default.conf': '# of the package\n',
  };
  const NEW_LINKS = {
    'conf-enabled/serve-cgi-bin.conf': '../conf-available/serve-cgi-bin.conf',
    'mods-enabled/access_compat.load': '../mods-available/access_compat.load',
    'mods-enabled/mpm_event.load': '../mods-available/mpm_event.load',
    'mods-enabled/status.load': '../mods-available/status.load',
    'sites-enabled/000-default.conf': '../sites-available/000-default.conf',
  };
  const OLD = {
    ...FILES,
    envvars: 'export APACHE_RUN_USER=www\nexport SITE_ROOT=/srv\n',
    'mods-available/authz_host.conf': '# of the old server\n',
    'mods-available/status.load': 'LoadModule status_module /usr/lib/apache2/modules/mod_status.so\n',
  };
  let old: string;
  let top: string;
  beforeAll(() => {
    old = makeServer(OLD, { ...LINKS, 'mods-enabled/authz_host.conf': '../mods-available/authz_host.conf' });
    const options = { cwd: old, defines: new Map<string, string>(), env: new Map<string, string>() };
    const script = scriptReport(run(loadRereadable(disk, [old], options), transforms));
    fs.writeFileSync(path.join(TOOLS, 'script'), script);
    top = makeServer(
      Object.fromEntries(Object.entries(NEW).map(([name, text]) => [`apache2/${name}`, text])),
      Object.fromEntries(Object.entries(NEW_LINKS).map(([name, target]) => [`apache2/${name}`, target])),
    );
  });
  afterAll(() => {
    for (const directory of [old, top]) fs.rmSync(directory, { recursive: true });
  });
  // No control program of httpd's is among the tools: the result is no whole configuration.
  const merge = (...args: readonly string[]): void => {
    execFileSync('/bin/sh', [path.join(TOOLS, 'script'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: TOOLS },
    });
  };
  const TOOLS = fs.mkdtempSync(path.join(os.tmpdir(), 'tools-'));
  for (const tool of [
    'awk',
    'basename',
    'cat',
    'cmp',
    'cp',
    'grep',
    'head',
    'ln',
    'ls',
    'mkdir',
    'mv',
    'readlink',
    'rm',
    'sed',
  ])
    fs.symlinkSync(
      execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(),
      path.join(TOOLS, tool),
    );
  afterAll(() => fs.rmSync(TOOLS, { recursive: true }));
  const list = (name: string): string[] => fs.readdirSync(path.join(top, name)).sort();
  const read = (name: string): string => fs.readFileSync(path.join(top, 'apache2', name), 'latin1');

  test('has what was enabled, as it was set, and what only the new one has to be enabled', () => {
    merge(old, path.join(top, 'apache2'));
    expect(list('apache2/sites-enabled')).toEqual(['000-default.conf', 'it is mine.conf']);
    expect(read('sites-enabled/000-default.conf')).toContain('<VirtualHost *:80>');
    expect(list('apache2/conf-enabled')).toEqual(['charset.conf', 'security.conf']);
    const enabled = list('apache2/mods-enabled');
    for (const name of ['authn_core', 'authz_core', 'authz_host', 'mpm_prefork'])
      expect(enabled).toContain(`${name}.load`);
    for (const name of ['access_compat', 'mpm_event', 'status', 'php5', 'authz_default'])
      expect(enabled).not.toContain(`${name}.load`);
    expect(read('mods-enabled/authz_host.load')).toBe('# Depends: authz_core\n');
    expect(read('mods-enabled/authz_host.conf')).toBe('# of the old server\n');
    expect(list('apache2/mods-available')).toContain('http2.load');
    expect(list('apache2/conf-available')).toContain('serve-cgi-bin.conf');
    expect(read('envvars')).toBe('export APACHE_RUN_USER=www-data\nexport SITE_ROOT=/srv\n');
    expect(read('apache2.conf')).toContain('ServerName web1');
  });

  test('is the same when that is done once more, and as it was when that is taken back', () => {
    const merged = list('apache2/mods-enabled');
    merge(old, path.join(top, 'apache2'));
    expect(list('apache2/mods-enabled')).toEqual(merged);
    expect(read('envvars').match(/SITE_ROOT/g)).toHaveLength(1);
    merge('--undo', path.join(top, 'apache2'));
    expect(list('apache2/mods-enabled')).toEqual(merged);
    merge('--undo', path.join(top, 'apache2'));
    expect(list('apache2/mods-enabled')).toEqual(['access_compat.load', 'mpm_event.load', 'status.load']);
    expect(read('apache2.conf')).toBe(NEW['apache2.conf']);
    expect(() => merge('--undo', path.join(top, 'apache2'))).toThrow(/nothing is taken back/);
  });
});

const FREEBSD = {
  'usr/local/etc/apache22/httpd.conf': `ServerRoot "/usr/local"
Listen 80
LoadModule dir_module libexec/apache22/mod_dir.so
Alias /icons/ "/usr/local/www/apache22/icons/"
DocumentRoot "/usr/local/www/apache22/data"
TypesConfig etc/apache22/mime.types
AuthUserFile /usr/local/etc/apache22/passwd
  sslcertificatefile "/usr/local/etc/apache22/server.crt"
Include etc/apache22/extra/*.conf
`,
  'usr/local/etc/apache22/extra/site.conf': 'ServerName www.example.com\n',
};

test.each([1, 2])(
  'the script for FreeBSD, run %d times, makes a configuration for apache24, which names passwords and keys where they are',
  (times) => {
    const top = makeServer(FREEBSD);
    runScript(top, 'usr/local/etc/apache22', times);
    const read = (name: string): string => fs.readFileSync(path.join(top, 'usr/local/etc', name), 'latin1');
    expect(read('apache24/httpd.conf')).toBe(`ServerRoot "/usr/local"
Listen 80
LoadModule dir_module libexec/apache24/mod_dir.so
Alias /icons/ "/usr/local/www/apache24/icons/"
DocumentRoot "/usr/local/www/apache22/data"
TypesConfig etc/apache24/mime.types
AuthUserFile /usr/local/etc/apache22/passwd
  sslcertificatefile "/usr/local/etc/apache22/server.crt"
Include etc/apache24/extra/*.conf
`);
    expect(read('apache24/extra/site.conf')).toBe('ServerName www.example.com\n');
    expect(read('apache22/httpd.conf')).toBe(FREEBSD['usr/local/etc/apache22/httpd.conf']);
    fs.rmSync(top, { recursive: true });
  },
);

test('the script for FreeBSD leaves the configuration of a 2.4, but for that of the package', () => {
  for (const [sample, isLeft] of [
    ['Listen 81\n', true],
    ['Listen 80\n', false],
  ] as const) {
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
});

const GENTOO = 'ServerRoot "/usr/lib64/apache2"\nInclude /etc/apache2/modules.d/*.conf\n';

describe.each([
  ['Gentoo', GENTOO, GENTOO],
  [
    'SUSE',
    'Include /etc/apache2/sysconfig.d/loadmodule.conf\nListen 80\n',
    '<IfDefine !SYSCONFIG>\nInclude /etc/apache2/sysconfig.d/loadmodule.conf\n</IfDefine>\nListen 80\n',
  ],
])('the script for %s, with the /etc/apache2 of a new server', (_, main, merged) => {
  let top: string;
  beforeAll(() => {
    top = makeServer({
      'old/etc/apache2/httpd.conf': main,
      'old/etc/apache2/modules.d/00_default.conf': 'ServerTokens Prod\n',
      'old/etc/apache2/sysconfig.d/loadmodule.conf': 'LoadModule dir_module /usr/lib64/apache2/mod_dir.so\n',
      'old/etc/apache2/vhosts.d/site.conf':
        '<VirtualHost *:80>\nServerName www.example.com\n</VirtualHost>\n',
      'new/httpd.conf': '# of the package\n',
      'new/modules.d/70_mod_new.conf': '# of the package\n',
      'new/sysconfig.d/loadmodule.conf': '# made at the last start\n',
    });
  });
  afterAll(() => fs.rmSync(top, { recursive: true }));
  const script = (): string => {
    const old = path.join(top, 'old');
    const options = { cwd: old, defines: new Map<string, string>(), env: new Map<string, string>() };
    return scriptReport(run(loadRereadable(disk, [old], options), transforms));
  };
  // Without a control program of httpd.
  const runWith = (...args: readonly string[]): string =>
    execFileSync('sh', ['-c', `exec 2>&1; command() { false; }; set -- ${args.join(' ')}; ${script()}`], {
      encoding: 'utf8',
    });
  const read = (name: string): string => fs.readFileSync(path.join(top, name), 'latin1');

  test('has the files of the old server, and what only the new one has, which is named', () => {
    const said = runWith(path.join(top, 'old/etc/apache2'), path.join(top, 'new'));
    expect(said).toContain(
      `look at ${fs.realpathSync(top)}/new/modules.d/70_mod_new.conf: the old server did not have it`,
    );
    expect(said).not.toContain('00_default');
    expect(read('new/httpd.conf')).toBe(merged);
    expect(read('new/vhosts.d/site.conf')).toContain('www.example.com');
    expect(read('new/modules.d/70_mod_new.conf')).toBe('# of the package\n');
  });

  test('is as it was when that is taken back, with what says how httpd is started', () => {
    fs.mkdirSync(path.join(top, 'new.before-1/.start', top), { recursive: true });
    fs.writeFileSync(path.join(top, 'new.before-1/.start', top, 'options'), 'as it was\n');
    fs.writeFileSync(path.join(top, 'options'), 'changed\n');
    runWith('--undo', path.join(top, 'new'));
    expect(read('new/httpd.conf')).toBe('# of the package\n');
    expect(read('options')).toBe('as it was\n');
    expect(fs.readdirSync(path.join(top, 'new')).sort()).toEqual(['httpd.conf', 'modules.d', 'sysconfig.d']);
  });
});

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

test('the script for the RHEL family makes conf.d where a copy lacks it, and has httpd.conf include what it does not read', () => {
  const top = makeServer({
    'etc/httpd/conf/httpd.conf': 'ServerRoot "/etc/httpd"\nListen 80\nInclude conf.d/*.conf\n',
    'own/conf/httpd.conf': 'ServerRoot "/etc/httpd"\nListen 80\nServerName www.example.com',
  });
  runScript(path.join(top, 'etc'), 'httpd/conf', 1);
  expect(fs.readdirSync(path.join(top, 'etc/httpd/conf.d'))).toEqual(['00-modules.conf']);
  runScript(path.join(top, 'own'), 'conf', 2);
  expect(fs.readFileSync(path.join(top, 'own/conf/httpd.conf'), 'latin1')).toBe(
    'ServerRoot "/etc/httpd"\nListen 80\nServerName www.example.com\nIncludeOptional conf.modules.d/00-systemd.conf\nIncludeOptional conf.modules.d/[1-9]*.conf\n',
  );
  fs.rmSync(top, { recursive: true });
});

/** Makes a server and another, and puts the one into the other. @returns the files of the other, and their texts */
function merged(old: typeof FILES, directory: string, newer: typeof FILES): Readonly<Record<string, string>> {
  const [from, to] = [makeServer(old), makeServer(newer)];
  const options = { cwd: from, defines: new Map<string, string>(), env: new Map<string, string>() };
  const script = scriptReport(run(loadRereadable(disk, [path.join(from, directory)], options), transforms));
  const args = ['-s', path.join(from, directory), to];
  // No control program of httpd's is found: the result is no whole configuration.
  const tools = fs.mkdtempSync(path.join(os.tmpdir(), 'tools-'));
  for (const tool of ['cp', 'rm'])
    fs.symlinkSync(
      execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(),
      path.join(tools, tool),
    );
  execFileSync('/bin/sh', args, { input: script, stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: tools } });
  const entries = fs
    .readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  const found = entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  const texts = found.map((file) => [path.relative(to, file), fs.readFileSync(file, 'latin1')] as const);
  for (const made of [from, to, `${to}.before-1`, tools]) fs.rmSync(made, { recursive: true });
  return Object.fromEntries(texts);
}

const PLAIN = 'ServerRoot /srv\nListen 80\n';

test('any other server is put into the configuration of a new one, where its files belong', () => {
  const built = { 'server/conf/httpd.conf': PLAIN, 'server/bin/httpd': 'old' };
  const newer = { 'conf/httpd.conf': '# of the package\n', 'bin/httpd': 'new' };
  expect(merged(built, 'server/conf', newer)).toEqual({ 'conf/httpd.conf': PLAIN, 'bin/httpd': 'new' });
  const flat = { 'httpd.conf': PLAIN, 'vhosts.d/a.conf': '# a\n' };
  expect(merged(flat, '.', { 'httpd.conf': '# of the package\n', magic: '' })).toEqual({
    ...flat,
    magic: '',
  });
  const beside = {
    'httpd/conf/httpd.conf': PLAIN,
    'httpd/conf.d/site.conf': '# a\n',
    'httpd/conf.modules.d/00-old.conf': '#',
  };
  expect(merged(beside, 'httpd/conf', newer)).toEqual({
    ...newer,
    'conf/httpd.conf': PLAIN,
    'conf.d/site.conf': '# a\n',
  });
});

test('a copy with a directory that is a link into the new one is put nowhere', () => {
  const [from, to] = [
    makeServer({ 'httpd.conf': PLAIN, 'own/a.conf': '# a\n' }),
    makeServer({ 'httpd.conf': '#', 'sites/b.conf': '# b\n' }),
  ];
  const options = { cwd: from, defines: new Map<string, string>(), env: new Map<string, string>() };
  const script = scriptReport(run(loadRereadable(disk, [from], options), transforms));
  const put = (): string => spawnSync('sh', ['-s', from, to], { input: script, encoding: 'utf8' }).stderr;
  fs.symlinkSync(path.join(to, 'sites'), path.join(from, 'sites'));
  expect(put()).toContain(
    `nothing is done: ${from}/sites leads into ${to}: put what the old server had there in its place\n`,
  );
  expect(fs.readFileSync(path.join(to, 'httpd.conf'), 'latin1')).toBe('#');
  expect(fs.existsSync(`${to}.before-1`)).toBe(false);
  // The twin: a link within the copy is put there with it.
  fs.unlinkSync(path.join(from, 'sites'));
  fs.symlinkSync('own', path.join(from, 'more'));
  expect(put()).toContain(`${to} was kept as ${to}.before-1`);
  expect(fs.readFileSync(path.join(to, 'httpd.conf'), 'latin1')).toBe(PLAIN);
  for (const made of [from, to, `${to}.before-1`]) fs.rmSync(made, { recursive: true });
});

test('a server with nothing to do beside its texts gets a script that does nothing without a new one', () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'script-'));
  fs.writeFileSync(path.join(directory, 'httpd.conf'), 'ServerRoot /srv\nListen 80\n');
  const options = { cwd: directory, defines: new Map<string, string>(), env: new Map<string, string>() };
  const script = scriptReport(run(loadRereadable(disk, [directory], options), transforms));
  const before = fs.readdirSync(directory);
  execFileSync('sh', ['-s', directory], { input: script, stdio: ['pipe', 'pipe', 'pipe'] });
  expect(fs.readdirSync(directory)).toEqual(before);
  fs.rmSync(directory, { recursive: true });
});
