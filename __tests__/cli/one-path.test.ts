import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { unbroken } from '../../testing/run/unbroken';

const run = (cwd: string, ...argv: readonly string[]): Promise<CommandResult> => command(argv, { cwd });

interface Report {
  readonly verdict: readonly string[];
  readonly tasks: readonly { readonly text: string; readonly command?: string; readonly blocker: boolean }[];
  readonly assumptions: readonly { readonly key: string; readonly text: string }[];
}
const reportOf = async (cwd: string): Promise<Report> =>
  JSON.parse((await run(cwd, '--format=json', '.')).stdout) as Report;

const SERVER =
  'ServerRoot "/etc/apache2"\nListen 80\nLoadModule authz_host_module modules/mod_authz_host.so\n';
const CLOSED = 'Order allow,deny\nDeny from all\n';
const section = (path: string): string => `<Directory ${path}>\n${CLOSED}</Directory>\n`;

describe('what rests on files that a copy lacks', () => {
  const main = `${SERVER}DocumentRoot /srv/www\nAlias /x /srv/x\n${section('/srv/www')}${section('/srv/x')}`;

  test('is one assumption, with what is not here', async () => {
    const cwd = directory({ 'etc/apache2/apache2.conf': `${main}Include mods/*.conf\nInclude one.conf\n` });
    const { assumptions } = await reportOf(cwd);
    expect(assumptions).toHaveLength(1);
    expect(assumptions[0]?.text).toBe(
      'only the files given restrict access here and below (not given: mods, one.conf, .htaccess below /srv/www, .htaccess below /srv/x)',
    );
  });

  test('is one of passwords where no Include leads to nothing', async () => {
    const { assumptions } = await reportOf(directory({ 'etc/apache2/apache2.conf': main }));
    expect(assumptions.map(({ text }) => text)).toEqual([
      'no .htaccess below /srv/www, /srv/x asks for a password',
    ]);
  });

  test('is none where all is there', async () => {
    const files = { 'etc/apache2/apache2.conf': main, 'srv/www/a': '', 'srv/x/a': '' };
    expect((await reportOf(directory(files))).assumptions).toEqual([]);
  });
});

describe('sites that may be enabled', () => {
  const files = {
    'etc/apache2/apache2.conf': `${SERVER}IncludeOptional sites-enabled/*.conf\n`,
    'etc/apache2/sites-available/shop.conf': section('/srv/shop'),
    'etc/apache2/sites-available/old.conf': section('/srv/old'),
  };

  test('are told where a copy lacks the links, and the verdict is not that all is well', async () => {
    const { verdict, tasks } = await reportOf(directory(files));
    expect(verdict[1]).toContain('could not be read, and may change that');
    expect(tasks).toContainEqual(
      expect.objectContaining({
        text: expect.stringContaining('the links that enable sites and modules') as string,
        command: 'httpd-codemod --unused .',
        blocker: true,
      }),
    );
  });

  test.each([
    ['sites-enabled', 0],
    ['conf-enabled', 1],
  ])('are told once: the line that names %s has no item of its own beside that', async (name, items) => {
    const main = `${SERVER}IncludeOptional ${name}/*.conf\nIncludeOptional sites-enabled/*.conf\n`;
    const { tasks } = await reportOf(directory({ ...files, 'etc/apache2/apache2.conf': main }));
    expect(tasks.filter(({ text }) => text.includes('IncludeOptional'))).toHaveLength(items);
  });

  test('are not asked about where the links are there', async () => {
    const cwd = directory({ ...files, 'etc/apache2/sites-enabled/x': '' });
    unlinkSync(join(cwd, 'etc/apache2/sites-enabled/x'));
    symlinkSync('../sites-available/shop.conf', join(cwd, 'etc/apache2/sites-enabled/shop.conf'));
    const { verdict, tasks } = await reportOf(cwd);
    expect(verdict[1]).not.toContain('could not be read');
    expect(tasks.filter(({ text }) => text.includes('links that enable'))).toEqual([]);
  });
});

describe('the list of what to do', () => {
  test('names each link that leads to nothing', async () => {
    const cwd = directory({
      'etc/apache2/apache2.conf': `${SERVER}IncludeOptional sites-enabled/*.conf\n`,
      'etc/apache2/sites-enabled/a.conf': section('/srv/a'),
    });
    for (const name of ['b.conf', 'c.conf'])
      symlinkSync(`../gone/${name}`, join(cwd, 'etc/apache2/sites-enabled', name));
    const { stderr } = await run(cwd, '.');
    expect(unbroken(stderr)).toMatch(
      /which Include lines name and this run lacks.*: etc\/apache2\/sites-enabled\/b\.conf \(etc\/apache2\/apache2\.conf:4\), etc\/apache2\/sites-enabled\/c\.conf \(/,
    );
  });

  test('has one item for what --dual cannot write above the LoadModule lines, and for all that goes together with it', async () => {
    const files = '<Files ".ht*">\nOrder allow,deny\nDeny from all\n</Files>\n';
    const load = 'LoadModule authz_host_module modules/mod_authz_host.so\n';
    const sites = section('/srv/a') + section('/srv/b');
    const { stderr } = await run(directory({ 'httpd.conf': files + load + sites }), '--dual', '.');
    expect(unbroken(stderr)).toContain(
      ' 1 ! move these lines below the LoadModule lines: above them, no block of --dual can ask for the version: httpd.conf:1, what goes together with httpd.conf:1 (httpd.conf:',
    );
    const verbose = await run(directory({ 'httpd.conf': files + load + sites }), '-v', '--dual', '.');
    expect(verbose.stderr).toContain(
      '(not applied: --dual: it goes together with what stands at httpd.conf:1: it stands above',
    );
    // Twin: what the item says is all that is to be done.
    const moved = await run(directory({ 'httpd.conf': load + files + sites }), '--dual', '.');
    expect(moved.stderr).not.toContain('move these lines');
    expect(moved.stdout.match(/^\+ *Require all /gm)).toHaveLength(3);
  });

  const two = 'RequestHeader set X_ONE 1\nRequestHeader set X_TWO 1\nMaxClients 5\n';
  const other = 'AddOutputFilterByType INCLUDES text/html\n';

  test('has one item for all that blocks nothing and that nothing is to be typed for', async () => {
    const { stderr } = await run(directory({ 'httpd.conf': SERVER + two + other }), '.');
    expect(unbroken(stderr)).toMatch(
      /see whether any of these differences in 2\.4 matters to you: Request headers [^()]+ \([^)]*\); [A-Z][^()]+ \(/,
    );
  });

  test('has the message itself where there is one', async () => {
    const { stderr } = await run(directory({ 'httpd.conf': SERVER + two }), '.');
    expect(unbroken(stderr)).toContain('CGI programs no longer see the header');
    expect(stderr).not.toContain('see whether this matters');
  });

  test('has one item for the script and the writing, which undoes by the same paths', async () => {
    const cwd = directory({
      'etc/apache2/apache2.conf': `${SERVER}MaxClients 5\nInclude mods-enabled/*.load\n${section('/srv/www')}`,
      'etc/apache2/mods-enabled/authz_default.load':
        'LoadModule authz_default_module modules/mod_authz_default.so\n',
    });
    const { tasks } = await reportOf(cwd);
    const last = tasks.filter(({ command: typed = '' }) => typed.includes('--write'));
    expect(last).toEqual([
      expect.objectContaining({
        text: expect.stringMatching(
          /^write the changes; .* steps\.sh \(\d+ steps?\), then httpd -t; httpd-codemod undo takes the changes back$/,
        ) as string,
        command: 'httpd-codemod --write --format sh . > steps.sh',
      }),
    ]);
    expect(tasks.at(-1)).toEqual(last[0]);
  });

  test('asks for old sites and for half-converted sections of one server by one item, and for either alone by its own words', async () => {
    const old = '<Directory /srv/www/old>\nOrder allow,deny\nAllow from all\n</Directory>\n';
    const half =
      '<Directory /srv/www/half>\nOrder deny,allow\nDeny from all\nRequire all granted\n</Directory>\n';
    const asked = async (sections: string): Promise<readonly (string | undefined)[]> => {
      const files = {
        'httpd.conf': `ServerRoot /srv\nListen 80\nIncludeOptional none/*.conf\n<Directory />\nRequire all denied\n</Directory>\n${sections}`,
      };
      const { tasks } = await reportOf(directory(files));
      return tasks.map(({ command }) => command).filter((command) => command?.includes('--answer'));
    };
    const [forOld, forHalf] = ['--answer old-lines=as-on-2.2', '--answer half-converted=as-2.4-lines'];
    expect(await asked(old)).toEqual([`httpd-codemod ${forOld} .`]);
    expect(await asked(half)).toEqual([`httpd-codemod ${forHalf} .`]);
    expect(await asked(old + half)).toEqual([`httpd-codemod ${forOld} ${forHalf} .`]);
  });
});

describe('the verdict', () => {
  const outcomeOf = async (files: Record<string, string>, ...argv: readonly string[]): Promise<string> => {
    const { stdout } = await run(directory(files), '--format=json', ...argv, '.');
    return (JSON.parse(stdout) as Report).verdict[1]!;
  };
  const half = {
    'httpd.conf': `ServerRoot /srv\nListen 80\n<Directory />\nOrder deny,allow\nDeny from all\n</Directory>\n<Directory /srv/www>\nRequire all granted\n</Directory>\n`,
  };

  test('names the answer under which who gets in is not what 2.4 answers today', async () => {
    expect(await outcomeOf(half, '--answer', 'half-converted=as-2.4-lines')).toContain(
      'Who gets in is as answered (half-converted=as-2.4-lines), not as 2.4 answers today',
    );
    expect(await outcomeOf(half, '--answer', 'half-converted=as-today')).toContain(
      'Nobody new gets in and nobody loses access',
    );
  });

  const block = (lines: string): string =>
    `<Directory /srv/www>\n<IfModule mod_access_compat.c>\n${CLOSED}</IfModule>\n${lines}</Directory>\n`;
  const of22 = 'ServerRoot /srv\nListen 80\n';
  const of24 = `${of22}LoadModule authz_core_module modules/mod_authz_core.so\nLoadModule access_compat_module modules/mod_access_compat.so\n`;

  test.each([
    [
      'a 2.2, of which a 2.4 with the module is stricter',
      `${of22}${block('')}`,
      'Who gets in is open at 1 place.',
    ],
    ['a 2.4 that has the module', `${of24}${block('')}`, 'Nobody new gets in and nobody loses access.'],
    [
      'files that say it for a 2.4 without it, too',
      `${of22}${block('<IfModule !mod_access_compat.c>\nRequire all denied\n</IfModule>\n')}`,
      'Nobody new gets in and nobody loses access.',
    ],
  ])('knows who reads a block for mod_access_compat: %s', async (_, text, expected) => {
    expect(await outcomeOf({ 'httpd.conf': text })).toContain(expected);
  });

  test.each([
    [
      ['--rule', 'max-clients'],
      'Only max-clients ran: whether 2.4 starts, and who gets in, was not looked at as a whole.',
    ],
    [
      ['--skip', 'order-allow-deny'],
      'order-allow-deny did not run: what it would have found is not said here.',
    ],
    [
      ['--skip', 'max-clients'],
      'Nobody new gets in and nobody loses access. max-clients did not run: what it would have found is not said here.',
    ],
  ])('says of %j what it is about', async (argv, expected) => {
    const files = {
      'httpd.conf': `${SERVER}MaxClients 5\n<Directory />\nAllowOverride None\nOptions None\n${CLOSED}</Directory>\n`,
    };
    const text = await outcomeOf(files, ...argv);
    expect(text).toBe(expected);
    expect(text).not.toContain('Nothing keeps 2.4 from starting');
  });

  test('asks for the modules of the target once', async () => {
    const files = {
      'httpd.conf': `${of22}${block('')}`,
      modules: 'Loaded Modules:\n core_module (static)\n',
    };
    const { stderr } = await run(directory(files), '--modules', 'modules', 'httpd.conf');
    expect(stderr).toContain('$ httpd-codemod --modules FILE httpd.conf');
  });
});
