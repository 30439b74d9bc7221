import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { unbroken } from '../../testing/run/unbroken';
import { loadLines } from '../../testing/run/load-lines';

interface Report {
  readonly state?: { readonly text: string };
  readonly verdict: readonly string[];
  readonly tasks: readonly {
    readonly text: string;
    readonly blocker: boolean;
    readonly subjects?: string;
    readonly command?: string;
  }[];
  readonly findings: readonly { readonly rule: string; readonly level: string; readonly message: string }[];
}

interface Run {
  readonly report: Report;
  readonly diff: string;
}

async function runOf(files: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Run> {
  const cwd = directory(files);
  const { stdout } = await command(['--format=json', ...argv, '.'], { cwd });
  const { stdout: diff } = await command([...argv, '.'], { cwd });
  return { report: JSON.parse(stdout) as Report, diff };
}

const OLD = 'Order allow,deny\nAllow from all\n';
const section = (path: string, lines = OLD): string =>
  `<Directory ${path}>\nAllowOverride None\n${lines}</Directory>\n`;
const about = ({ report }: Run, rule: string): readonly string[] =>
  report.findings
    .filter((finding) => finding.rule === rule)
    .map(({ level, message }) => `${level}: ${message}`);

describe("Debian's main file", () => {
  const site = `<VirtualHost *:80>\nDocumentRoot /var/www\n${section('/var/www').replace('None', 'All')}</VirtualHost>\n`;
  const main = 'Include mods-enabled/*.conf\nInclude sites-enabled/\n';
  const status =
    '<Location /server-status>\nOrder deny,allow\nDeny from all\nAllow from localhost\n</Location>\n';
  const files = {
    'etc/apache2/mods-enabled/status.conf': status,
    'etc/apache2/sites-enabled/default': site,
    'var/www/admin/.htaccess': 'AuthType Basic\nAuthName a\nAuthUserFile /x\nRequire valid-user\n',
  };

  test('is a server without ServerRoot and Listen, so that no file counts that no URL leads to', async () => {
    const run = await runOf({ ...files, 'etc/apache2/apache2.conf': main });
    expect(run.report.state?.text).toBe('This is a 2.2 server');
    expect(run.diff).toContain('+Require host localhost');
    expect(run.diff).not.toContain('AuthMerging');
  });

  test('is one where another file of that place has its lines: a part stays a part', async () => {
    const run = await runOf({ ...files, 'etc/apache2/extra.conf': main });
    expect(run.report.state).toBeUndefined();
    expect(run.diff).toContain('+AuthMerging And');
  });

  test('is none by its name alone', async () => {
    const { report } = await runOf({ 'etc/apache2/apache2.conf': section('/var/www') });
    expect(report.state).toBeUndefined();
  });
});

describe('a .htaccess of a copy', () => {
  const files = {
    'etc/apache2/apache2.conf': `ServerRoot /etc/apache2\nListen 80\nInclude status.conf\n<Directory ~ "\\.svn">\nDeny from all\n</Directory>\n`,
    'etc/apache2/status.conf': '<Location /status>\nAllow from localhost\n</Location>\n',
    'var/www/admin/.htaccess': 'AuthType Basic\nAuthName a\nAuthUserFile /x\nRequire valid-user\n',
  };

  test('lies where the server has it, in what is written too', async () => {
    const { diff } = await runOf(files);
    expect(diff).toContain('m#^/var/www/admin(/|$)#');
  });

  test('beside a part of a server lies where it was given', async () => {
    const { 'etc/apache2/apache2.conf': _, ...rest } = files;
    const { diff } = await runOf({ ...rest, 'site/status.conf': files['etc/apache2/status.conf'] });
    expect(diff).not.toContain('m#^/var/www/admin');
  });
});

test('a default is kept by an option only where that writes it', async () => {
  const server = (modules: string): Record<string, string> => ({
    'httpd.conf': `ServerRoot /srv\nListen 80\n${modules}DocumentRoot www\n`,
    'www/a/.htaccess': 'DirectoryIndex a.html\n',
  });
  const pinning = async (
    files: Record<string, string>,
    ...argv: readonly string[]
  ): Promise<readonly string[]> => {
    const { report } = await runOf(files, '--server-root=.', ...argv);
    expect(about({ report, diff: '' }, 'allow-override-unset')).toHaveLength(1);
    return report.tasks.flatMap(({ command: line }) =>
      /--pin-defaults/.test(line ?? '') ? [line ?? ''] : [],
    );
  };
  const for24 = server(loadLines('authz_core authz_host alias dir mime unixd mpm_prefork'));
  expect((await pinning(for24, '--pin-defaults')).join('\n')).not.toMatch(/--pin-defaults.*--pin-defaults/);
  expect(await pinning(for24)).toEqual([]);
});

describe('what is asked where Include lines lead to nothing', () => {
  const main = 'ServerRoot /srv\nListen 80\nDocumentRoot /srv/www\n';

  test('is not what the missing files may say', async () => {
    const whole = await runOf({ 'httpd.conf': main });
    const lacking = await runOf({ 'httpd.conf': `${main}Include sites/a.conf\n` });
    expect(about(whole, 'allow-override-unset')).toEqual([
      expect.stringMatching(/^warning: no section sets AllowOverride/),
    ]);
    expect(about(lacking, 'allow-override-unset')).toEqual([
      expect.stringMatching(/^info: where no file that is missing here says otherwise, no section/),
    ]);
    expect(lacking.report.tasks.map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining('another default'),
    );
    expect(about(whole, 'options-unset')).toEqual([
      expect.stringMatching(/^error: directories without Options/),
    ]);
    expect(about(lacking, 'options-unset')).toEqual([
      expect.stringMatching(
        /^info: where no file that is missing here says otherwise, directories without Options/,
      ),
    ]);
  });

  const modules = loadLines('authz_host alias dir mime autoindex');
  test.each([
    ['not by 2.2, for its version', 'error', '<IfVersion >= 2.4>\nInclude sites/a.conf\n</IfVersion>\n'],
    ['by no server', 'error', `${modules}<IfModule mod_proxy.c>\nInclude sites/a.conf\n</IfModule>\n`],
    [
      'by a server that has the module',
      'info',
      `${modules}<IfModule mod_alias.c>\nInclude sites/a.conf\n</IfModule>\n`,
    ],
    ['by one that may have it', 'info', '<IfModule mod_proxy.c>\nInclude sites/a.conf\n</IfModule>\n'],
    [
      'in one of two places',
      'info',
      '<IfVersion >= 2.4>\nInclude sites/a.conf\n</IfVersion>\nInclude sites/a.conf\n',
    ],
  ])('hangs on whether they are read: %s', async (_, level, lines) => {
    const found = about(await runOf({ 'httpd.conf': main + lines }), 'options-unset');
    expect(found).toEqual([expect.stringMatching(new RegExp(`^${level}: `))]);
  });

  test('is counted as what it is', async () => {
    const { report } = await runOf({
      'httpd.conf': `${main}Include sites/a.conf\nLoadModule jk_module modules/mod_jk.so\n`,
    });
    expect(report.verdict[1]).toContain('until 1 of the 2 blockers (httpd.conf:5) is gone');
    const alone = await runOf({
      'httpd.conf': `${main}Options None\nLoadModule jk_module modules/mod_jk.so\n`,
    });
    expect(alone.report.verdict[1]).toContain('until 1 blocker is gone');
  });
});

describe('modules of others', () => {
  const server =
    'ServerRoot /etc/httpd\nListen 80\nUser apache\nLoadModule authz_host_module modules/mod_authz_host.so\nLoadModule alias_module modules/mod_alias.so\nLoadModule jk_module modules/mod_jk.so\n';

  test('stay blockers once the changes are written, as no 2.4 has run what was written', async () => {
    const cwd = directory({
      'httpd.conf': `${server}<Directory /srv>\nAllowOverride None\nOptions None\n${OLD}</Directory>\n`,
    });
    await command(['--write', 'httpd.conf'], { cwd });
    const { status, stderr } = await command(['httpd.conf'], { cwd });
    expect(stderr).toContain('install these modules for 2.4');
    expect(stderr).toContain('jk_module');
    expect(status).toBe(1);
  });

  test('are those of a 2.4 that runs, and its MPM is compiled in', async () => {
    const run = await runOf({
      'httpd.conf': `${server}LoadModule unixd_module modules/mod_unixd.so\nLoadModule authz_core_module modules/mod_authz_core.so\n${section('/srv', 'Require all granted\n')}`,
    });
    expect(about(run, 'third-party-module')).toEqual([]);
    expect(about(run, 'load-module')).toEqual([]);
  });

  test('of a server that half runs on 2.2 are asked about, and it gets an MPM', async () => {
    const run = await runOf({
      'httpd.conf': `${server}LoadModule unixd_module modules/mod_unixd.so\nLoadModule authz_core_module modules/mod_authz_core.so\n${section('/srv')}`,
    });
    expect(about(run, 'third-party-module')).toHaveLength(1);
    expect(about(run, 'load-module')).toEqual([expect.stringContaining('mod_mpm_prefork')]);
  });
});

test('a command to be typed next is whole where it takes no more than two rows', async () => {
  const cwd = directory({ 'httpd.conf': section('/srv'), 'a/b': '' });
  symlinkSync('../httpd.conf', join(cwd, 'a/httpd.conf'));
  const long = 'x'.repeat(60);
  const { stderr } = await command(['-D', `${long}=1`, 'httpd.conf'], { cwd });
  expect(unbroken(stderr)).toContain(`$ httpd-codemod --write -D ${long}=1 httpd.conf`);
  const { stderr: longer } = await command(['-D', `${long}${long}${long}=1`, 'httpd.conf'], { cwd });
  expect(longer).toContain('$ httpd-codemod --write ...');
});
