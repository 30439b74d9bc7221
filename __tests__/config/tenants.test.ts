import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { disk } from '../../src/config/source/disk';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { unbroken } from '../../testing/run/unbroken';

// What one user puts into directories of theirs keeps nothing of others from being converted, and says so at their own place.

const DENY = 'Order deny,allow\nDeny from all\n';
const CONF = `ServerRoot ROOT/etc
DocumentRoot ROOT/srv
<Directory ROOT/srv>
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
`;

/** A server with the files of two users, one of whom means harm. */
function server(harm: (home: string) => void): string {
  const root = directory({
    'etc/httpd.conf': '',
    'srv/other/.htaccess': DENY,
    'srv/theirs/.htaccess': '',
    'srv/zoe/.htaccess': DENY,
  });
  fs.writeFileSync(join(root, 'etc/httpd.conf'), CONF.replaceAll('ROOT', root));
  harm(join(root, 'srv/theirs'));
  return root;
}

/** The server alone is given, or what it serves, too: as one run. */
const PATHS = [['etc'], ['etc', 'srv']];

const check = (cwd: string, paths: readonly string[]): Promise<CommandResult> =>
  command(['--check', ...paths], { cwd }, { source: disk });

const instead = (place: (path: string) => void) => (home: string) => {
  fs.rmSync(join(home, '.htaccess'));
  place(join(home, '.htaccess'));
};

/** A directory in each other, with a .htaccess in each. */
function nest(home: string, levels: number): void {
  let at = home;
  for (let i = 0; i < levels; i++) {
    at = join(at, 'd');
    fs.mkdirSync(at);
    fs.writeFileSync(join(at, '.htaccess'), DENY);
  }
}

describe.each([
  ['a pipe', instead((path) => void execFileSync('mkfifo', [path]))],
  ['a directory', instead((path) => fs.mkdirSync(path))],
  ['a link to a device', instead((path) => fs.symlinkSync('/dev/null', path))],
  ['a link to what the kernel makes', instead((path) => fs.symlinkSync('/proc/kmsg', path))],
  ['a link to nothing', instead((path) => fs.symlinkSync('nothing', path))],
  ['a link to itself', instead((path) => fs.symlinkSync('.htaccess', path))],
  ['a file that is too large', instead((path) => { fs.writeFileSync(path, ''); fs.truncateSync(path, 100 * 1024 * 1024); })],
  ['a file of too many lines', instead((path) => fs.writeFileSync(path, '#\n'.repeat(1_000_001)))],
  ['directories too deep to look into', (home: string) => nest(home, 300)],
])('%s in place of a file', (_, harm) => {
  test.each(PATHS.map((given) => [given] as const))('with %j', async (given) => {
    const root = server(harm);
    const { stdout, stderr } = await check(root, given);
    const changed = stdout.split('\n').filter((name) => !name.startsWith('srv/theirs/'));
    expect(changed).toEqual(['etc/httpd.conf', 'srv/other/.htaccess', 'srv/zoe/.htaccess', '']);
    expect(stderr).toMatch(/srv\/theirs|\/proc\/kmsg/);
    expect(stderr).not.toContain('internal error');
    // Nor does what is written for others rest on what he may say.
    expect(stderr).not.toContain('no-htaccess-passwords');
    const { stdout: exact } = await check(root, ['--safe-only', ...given]);
    expect(exact.split('\n').filter((name) => !name.startsWith('srv/theirs/'))).toEqual(changed);
    fs.rmSync(root, { recursive: true, force: true });
  });
}); // prettier-ignore

test('what stands below a file that cannot be read is left with it, and nothing else', async () => {
  const root = server((home) => {
    fs.truncateSync(join(home, '.htaccess'), 100 * 1024 * 1024);
    fs.mkdirSync(join(home, 'sub'));
    fs.writeFileSync(join(home, 'sub/.htaccess'), 'Order allow,deny\nAllow from all\n');
  });
  const { stdout, stderr } = await check(root, ['etc', 'srv']);
  expect(stdout).toBe('etc/httpd.conf\nsrv/other/.htaccess\nsrv/zoe/.htaccess\n');
  expect(stderr).toContain('srv/theirs/.htaccess');
  expect(stderr).toMatch(/srv\/theirs\/sub\/\.htaccess|2 .*cannot be read/);
});

test('twin: where all is read, no place is named', async () => {
  const { stdout, stderr } = await check(
    server((home) => nest(home, 3)),
    ['etc', 'srv'],
  );
  expect(stdout.split('\n')).toHaveLength(7);
  expect(stderr).not.toMatch(/theirs/);
});

test('directories too deep are named where they begin, not the directory that was given', async () => {
  const { stderr } = await check(
    server((home) => nest(home, 300)),
    ['etc', 'srv'],
  );
  expect(unbroken(stderr)).toMatch(/srv\/theirs\/(?:d\/)+d\/?[: ].*more than 256 levels below/);
});

describe.each(PATHS.map((given) => [given] as const))(
  'a link of one user in place of a .htaccess, with %j',
  (given) => {
    const planted = (path: string, _: unknown, target: string): boolean =>
      path.includes('/theirs/') && !target.includes('/theirs/');
    const diffWith = async (root: string): Promise<CommandResult> => {
      const conf = join(root, 'etc/httpd.conf');
      const limited = `<Directory ${root}/srv/other>\n    AllowOverride Limit\n</Directory>\n<Directory ${root}/srv/theirs>\n    AllowOverride None\n</Directory>\n`;
      fs.appendFileSync(conf, `${limited}Include part.conf\n`);
      fs.writeFileSync(
        join(root, 'etc/part.conf'),
        '<Location /p>\n    Order deny,allow\n    Deny from all\n</Location>\n',
      );
      const paths = given.map((path) => (path === 'etc' ? conf : path));
      const { stdout, stderr } = await command(paths, { cwd: root }, { source: { ...disk, planted } });
      return { stdout: stdout.replaceAll(root, 'ROOT'), stderr, status: 0 };
    };

    test.each([
      ['the main file', '../../etc/httpd.conf'],
      ['an included file', '../../etc/part.conf'],
      ['a file of another', '../other/.htaccess'],
    ])('%s is what it is without', async (_, target) => {
      const { stdout: plain } = await diffWith(server((home) => fs.rmSync(join(home, '.htaccess'))));
      expect(plain).toContain('-Deny from all\n+Require all denied');
      const { stdout, stderr } = await diffWith(server(instead((path) => fs.symlinkSync(target, path))));
      expect(stdout).toBe(plain);
      expect(unbroken(stderr)).toMatch(
        /srv\/theirs\/\.htaccess: a link of another user to .*: not looked into/,
      );
    });
  },
);

describe('what nobody but the server’s own files may say', () => {
  const runWith = async (
    harm: (home: string) => void,
    more: string,
    args: readonly string[],
  ): Promise<{ root: string; stdout: string; stderr: string }> => {
    const root = server(harm);
    const conf = join(root, 'etc/httpd.conf');
    fs.writeFileSync(conf, `Listen 80\nUser nobody\n${CONF.replaceAll('ROOT', root)}${more}`);
    fs.rmSync(join(root, 'srv/other'), { recursive: true });
    return { root, ...(await command([...args, conf], { cwd: root }, { source: disk })) };
  };
  const changesWith = async (harm: (home: string) => void, more = ''): Promise<string> => {
    const { root, stdout } = await runWith(harm, more, ['-q']);
    const ofServer = stdout.split(/^diff --git /m).find((text) => text.startsWith('a/etc/httpd.conf'));
    return (ofServer ?? '').replaceAll(root, 'ROOT');
  };

  test.each([
    ['an Include of what is not there', 'Include nosuch\n'],
    ['an Include of what is', 'Include ../zoe/.htaccess\n'],
    ['Perl', 'Perl x\n<Perl>\n</Perl>\n'],
    ['a ServerRoot', 'ServerRoot /\nDocumentRoot /\nAccessFileName other\nDefine x y\n'],
    [
      'what only the server may say',
      '<Proxy *>\nProxySet x=y\n</Proxy>\nProxyPass /a balancer://b\nSSLEngine on\nUserDir x\n',
    ],
    ['a section for the server', '<Location /x>\nExpiresActive on\n</Location>\n'],
    ['what 2.2 does not know', 'Use x\n<Macro m>\n</Macro>\nSession On\n'],
  ])('%s in a .htaccess leaves the changes of the server as they are without', async (_, text) => {
    const plain = await changesWith(() => undefined);
    expect(plain).toContain('LoadModule authz_core_module');
    expect(await changesWith((home) => fs.writeFileSync(join(home, '.htaccess'), text))).toBe(plain);
  });

  test.each([
    ['<Files x>\nExpiresActive on\n</Files>\n', 'ExpiresActive needs mod_expires'],
    ['Header set X y\n', 'Header needs mod_headers'],
    ['SetHandler "proxy:fcgi://127.0.0.1:9000"\n', 'SetHandler needs mod_proxy_fcgi'],
    ['AuthType Digest\n', 'AuthType needs mod_auth_digest'],
  ])('%j loads no module, and is named', async (text, message) => {
    const loadLines = (changes: string): readonly string[] => changes.match(/LoadModule .*/g) ?? [];
    const attack = (home: string): void => fs.writeFileSync(join(home, '.htaccess'), text);
    expect(loadLines(await changesWith(attack))).toEqual(loadLines(await changesWith(() => undefined)));
    const { stderr } = await runWith(attack, '', ['-v']);
    expect(unbroken(stderr)).toMatch(new RegExp(`srv/theirs/\\.htaccess:\\d:1: warning: ${message}, which no line loads`));
  }); // prettier-ignore

  test('twin: a module is loaded where what 2.2 had in another needs it, and where the server says so itself', async () => {
    const moved = (home: string): void =>
      fs.writeFileSync(join(home, '.htaccess'), 'AddOutputFilterByType INCLUDES text/html\n');
    expect(await changesWith(moved)).toContain('LoadModule filter_module');
    const asked = (home: string): void => fs.writeFileSync(join(home, '.htaccess'), 'ExpiresActive on\n');
    expect(await changesWith(asked, 'ExpiresActive on\n')).toContain('LoadModule expires_module');
  });

  test('a program that the new server would send as text is an error', async () => {
    const program = (home: string): void => {
      fs.writeFileSync(join(home, '.htaccess'), 'AddHandler cgi-script .cgi\n');
      const all = ['core', 'unixd', 'authn_core', 'authz_core', 'authz_host', 'mime', 'mpm_prefork'];
      fs.writeFileSync(join(home, 'modules'), all.map((name) => ` ${name}_module (static)\n`).join(''));
    };
    const { stderr } = await runWith(program, 'Include nosuch.conf\n', [
      '-v',
      '--modules',
      'srv/theirs/modules',
    ]);
    expect(unbroken(stderr)).toMatch(/: error: .*\bcgi\b.* for AddHandler/);
  });

  test('twin: an Include of the server’s own that leads to nothing may load the modules', async () => {
    expect(await changesWith(() => undefined, 'Include nosuch.conf\n')).not.toContain('LoadModule');
  });
});
