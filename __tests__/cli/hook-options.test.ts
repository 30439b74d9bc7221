import fs from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, program } from '../../testing/run/command';
import { gitWith } from '../../testing/run/git';
import { directory } from '../../testing/write/directory';
import { writeTree } from '../../testing/write/write-tree';
import { unbroken } from '../../testing/run/unbroken';

const scratch = directory();
const state = join(scratch, 'state');

const { env, git, tryGit } = gitWith(state);

let counter = 0;

/** A repository in which these files are staged. */
function repository(files: Readonly<Record<string, string>> = {}): string {
  const cwd = join(scratch, `repo ${counter++}`);
  fs.mkdirSync(cwd);
  git(cwd, 'init', '-q', '-b', 'main');
  stage(cwd, files);
  return cwd;
}

function stage(cwd: string, files: Readonly<Record<string, string>>): void {
  writeTree(cwd, files);
  git(cwd, 'add', '.');
}

const tool = (cwd: string, ...args: string[]): Promise<CommandResult> => program(args, { cwd, env, state });
const hook = (cwd: string, ...args: string[]): Promise<CommandResult> => tool(cwd, 'hook', ...args);
const read = (cwd: string, name: string): string => fs.readFileSync(join(cwd, name), 'latin1');

const OLD = 'MaxClients 5\n';
const NEW = 'MaxRequestWorkers 5\n';
const DENIED = 'Order deny,allow\nDeny from all\n';

describe('options of a run', () => {
  test('--dual, of a run and of an installed hook', async () => {
    const cwd = repository({ '.htaccess': DENIED });
    const { status, stdout } = await hook(cwd, 'run', '--dual');
    expect({ status, lines: stdout.match(/^\+<IfModule .*$/gm) }).toEqual({
      status: 1,
      lines: ['+<IfModule mod_authz_core.c>', '+<IfModule !mod_authz_core.c>'],
    });
    expect((await hook(cwd, 'install', '--fix', '--dual')).status).toBe(0);
    git(cwd, 'commit', '-qm', 'x');
    expect(git(cwd, 'show', 'HEAD:.htaccess')).toContain('<IfModule !mod_authz_core.c>');
    expect(read(cwd, '.htaccess')).toBe(git(cwd, 'show', 'HEAD:.htaccess'));
  });

  test('--skip, --rule, --quiet, --check, --format and --output', async () => {
    const cwd = repository({ 'a.conf': `${OLD}MaxRequestsPerChild 7\n` });
    const added = async (...argv: readonly string[]): Promise<unknown> =>
      (await hook(cwd, 'run', ...argv)).stdout.match(/^\+Max\w+/gm);
    expect(await added()).toEqual(['+MaxRequestWorkers', '+MaxConnectionsPerChild']);
    expect(await added('--skip', 'max-clients')).toEqual(['+MaxConnectionsPerChild']);
    expect(await added('--rule', 'max-clients')).toEqual(['+MaxRequestWorkers']);
    expect((await hook(cwd, 'run', '--quiet')).stderr).toBe('');
    expect(await hook(cwd, 'run', '--check')).toMatchObject({ status: 1, stdout: 'a.conf\n' });
    const report = JSON.parse((await hook(cwd, 'run', '--format', 'json')).stdout) as object;
    expect(report).toMatchObject({ exitStatus: 1, files: [{ path: 'a.conf', changed: true }] });
    expect(await hook(cwd, 'run', '--format=json', '--output', 'out/../report.json')).toMatchObject({
      stdout: '',
    });
    fs.mkdirSync(join(cwd, 'out'));
    expect(await hook(cwd, 'run', '--format=json', '--output', 'out/report.json')).toMatchObject({
      stdout: '',
    });
    expect(JSON.parse(read(cwd, 'out/report.json'))).toEqual(report);
  });

  test('a document where there is nothing to judge', async () => {
    const { status, stdout } = await hook(repository({ 'a.txt': 'x' }), 'run', '--format', 'json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ exitStatus: 0, files: [], findings: [] });
  });

  test('--safe-only leaves what is to be reviewed', async () => {
    const review =
      'LoadModule foo_module modules/mod_foo.so\nListen 80\nSSLMutex file:/run/x\nSSLCipherSuite ALL\nTraceEnable off\n';
    const cwd = repository({ 'httpd.conf': `${review}DefaultType text/html\n` });
    const [all, safe] = [
      await hook(cwd, 'run', '--format=json'),
      await hook(cwd, 'run', '--safe-only', '--format=json'),
    ].map(({ stdout }) =>
      (JSON.parse(stdout) as { findings: { safety: string; status: string }[] }).findings.filter(
        ({ status }) => status === 'applied',
      ),
    );
    expect(all!.some(({ safety }) => safety === 'review')).toBe(true);
    expect(safe!.some(({ safety }) => safety === 'review')).toBe(false);
  });

  test('are kept by an installed hook, with paths that still lead there', async () => {
    const cwd = repository({ 'a.conf': OLD, 'sub/modules.txt': 'Loaded Modules:\n core_module (static)\n' });
    const below = join(cwd, 'sub');
    await hook(
      below,
      'install',
      '--modules',
      'modules.txt',
      '-D',
      "IT'S=1",
      '--skip=max-clients',
      '--no-dual',
      '--target',
      '2.4.6',
      '--answer',
      'default-type@a.conf=no:x@y=no',
    );
    const text = read(cwd, '.git/hooks/pre-commit');
    expect(text).toContain(
      `hook run --skip=max-clients '--answer=default-type@${below}/a.conf=no:x@y=no' --no-dual '-DIT'\\''S=1' --target=2.4.6 '--modules=${below}/modules.txt' ||`,
    );
    git(cwd, 'commit', '-qm', 'x');
    expect(git(cwd, 'show', 'HEAD:a.conf')).toBe(OLD);
  });

  test('are not installed where each commit would fail by them', async () => {
    const cwd = repository({ 'a.conf': OLD });
    writeTree(cwd, { 'mine.json': '{"paths": 1}' });
    expect((await hook(cwd, 'install', '--config', 'gone.json')).stderr).toMatch(/gone\.json: no such file/);
    expect((await hook(cwd, 'install', '--config', 'mine.json')).stderr).toMatch(/mine\.json: paths must be/);
    expect(fs.existsSync(join(cwd, '.git/hooks/pre-commit'))).toBe(false);
  });

  test.each<[string[], string]>([
    [['run', '-w'], 'hook run takes no --write'],
    [['run', '--configtest'], 'hook run takes no --configtest'],
    [['run', '--backup'], 'hook run takes no --backup'],
    [['run', '--follow'], 'hook run takes no --follow'],
    [['run', '--explain', '/'], 'hook run takes no --explain'],
    [['run', '--stdin-name', 'x'], 'hook run takes no --stdin-name'],
    [['run', '--only', 'max-clients'], 'hook run takes no --only'],
    [['run', '-'], 'hook run reads what is staged, not standard input (-)'],
    [['run', '--fix', '--check'], '--check and --fix contradict each other'],
    [['run', '--stop'], '--stop goes with --fix'],
    [['run', '--no-stage'], '--no-stage goes with --fix'],
    [['run', '--skip', 'max-client'], "unknown rule 'max-client', did you mean 'max-clients'?"],
    [['install', '--skip', 'max-client'], "unknown rule 'max-client', did you mean 'max-clients'?"],
    [['install', 'a.conf'], "hook install takes no file: 'a.conf'"],
    [['install', '--files-from', 'x'], 'hook install takes no --files-from'],
    [['uninstall', '--fix'], 'hook uninstall takes no options'],
    [['uninstall', '--dual'], 'hook uninstall takes no --dual'],
  ])('%j is an error', async (args, message) => {
    const cwd = repository();
    expect(await hook(cwd, ...args)).toEqual({ status: 2, stdout: '', stderr: `httpd-codemod: ${message} (see httpd-codemod --help)\n` });
    expect(fs.existsSync(join(cwd, '.git/hooks/pre-commit'))).toBe(false);
  }); // prettier-ignore
});

test('what to type next runs the hook again', async () => {
  const cwd = repository({ '.htaccess': 'AddHandler php5-script .php\n' });
  expect((await hook(cwd, 'run')).stderr).toContain(
    '$ httpd-codemod hook run --answer php=fpm:/run/php/php-fpm.sock\n',
  );
});

test('what rewrites the staged files has the options of the hook', async () => {
  const cwd = repository({ '.htaccess': 'Order allow,deny\nDeny from all\n' });
  const { stderr } = await hook(cwd, 'run', '--dual', '--skip', 'max-clients');
  expect(stderr).toContain('$ httpd-codemod hook run --fix --dual --skip max-clients\n');
  await hook(cwd, 'run', '--fix', '--dual', '--skip', 'max-clients');
  expect(fs.readFileSync(join(cwd, '.htaccess'), 'latin1')).toContain('<IfModule !mod_authz_core.c>');
});

describe('what --fix writes', () => {
  test('keeps the mode', async () => {
    const cwd = repository({ 'a.conf': OLD });
    fs.chmodSync(join(cwd, 'a.conf'), 0o640);
    expect((await hook(cwd, 'run')).stderr).toContain(
      ' 1   rewrite the staged files\n     $ httpd-codemod hook run --fix\n',
    );
    const fixed = await hook(cwd, 'run', '--fix');
    expect(fixed).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        ' 1   take it back, in the index and in the work tree, if it is not wanted\n     $ httpd-codemod undo\n',
      ) as string,
    });
    expect([read(cwd, 'a.conf'), git(cwd, 'show', ':a.conf')]).toEqual([NEW, NEW]);
    expect(fs.statSync(join(cwd, 'a.conf')).mode & 0o777).toBe(0o640);
    expect(git(cwd, 'status', '--porcelain')).toBe('A  a.conf\n');
  });

  test('leaves the other name of a file (a hard link) as it is', async () => {
    const cwd = repository({ 'a.conf': OLD, 'b.conf': OLD });
    const other = join(scratch, 'other name');
    fs.linkSync(join(cwd, 'a.conf'), other);
    const { status } = await hook(cwd, 'run', '--fix');
    expect(status).toBe(0);
    expect([read(cwd, 'a.conf'), read(cwd, 'b.conf'), git(cwd, 'show', ':a.conf')]).toEqual([NEW, NEW, NEW]);
    expect(fs.readFileSync(other, 'latin1')).toBe(OLD);
  });

  test('is taken back where the index refuses it', async () => {
    const cwd = repository({ 'a.conf': OLD, 'b.conf': OLD });
    fs.writeFileSync(join(cwd, '.git/index.lock'), '');
    const { status, stderr } = await hook(cwd, 'run', '--fix');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/index\.lock.*; nothing written\n$/),
    });
    expect([read(cwd, 'a.conf'), git(cwd, 'show', ':a.conf')]).toEqual([OLD, OLD]);
    fs.rmSync(join(cwd, '.git/index.lock'));
    expect((await tool(cwd, 'undo', '--yes', 'a.conf')).status).toBe(2);
    expect(fs.readdirSync(join(cwd, '.git')).filter((name) => name.startsWith('httpd-codemod'))).toEqual([]);
  });

  test.each(['--assume-unchanged', '--skip-worktree'])('leaves what git does not watch: %s', async (flag) => {
    const cwd = repository({ 'a.conf': OLD });
    git(cwd, 'update-index', flag, 'a.conf');
    fs.writeFileSync(join(cwd, 'a.conf'), `${OLD}# mine\n`);
    expect(await hook(cwd, 'run', '--fix')).toMatchObject({ status: 1 });
    expect([read(cwd, 'a.conf'), git(cwd, 'show', ':a.conf')]).toEqual([`${OLD}# mine\n`, OLD]);
  });

  test('names with blanks, line ends, quotes and bytes that are no UTF-8', async () => {
    const cwd = repository();
    const names = [' a.conf', 'b\n"\\.conf', Buffer.from('\xe9.conf', 'latin1').toString('latin1')];
    for (const name of names) fs.writeFileSync(Buffer.from(join(cwd, name), 'latin1'), OLD);
    git(cwd, 'add', '.');
    expect((await hook(cwd, 'run', '--fix')).status).toBe(0);
    expect(names.map((name) => fs.readFileSync(Buffer.from(join(cwd, name), 'latin1'), 'latin1'))).toEqual([
      NEW,
      NEW,
      NEW,
    ]);
    expect(git(cwd, 'diff', '--name-only')).toBe('');
    git(cwd, 'commit', '-qm', 'x');
    expect(git(cwd, 'status', '--porcelain')).toBe('');
  });

  test('starts as many programs for forty files as for four', async () => {
    const started = async (count: number): Promise<number> => {
      const cwd = repository(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.conf`, OLD])));
      const trace = join(scratch, `trace ${count}`);
      const options = { cwd, env: { ...env, GIT_TRACE: trace }, state };
      expect((await program(['hook', 'run', '--fix'], options)).status).toBe(0);
      expect((await program(['undo', '--yes'], options)).status).toBe(0);
      return fs
        .readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => line.includes('trace: built-in: git')).length;
    };
    const few = await started(4);
    expect(few).toBeGreaterThan(5);
    expect(await started(40)).toBe(few);
  });

  test('goes through the filters of the repository', async () => {
    const cwd = repository();
    git(cwd, 'config', 'filter.shout.clean', 'tr A-Z a-z');
    git(cwd, 'config', 'filter.shout.smudge', 'tr a-z A-Z');
    stage(cwd, { '.gitattributes': '*.conf filter=shout\n', 'a.conf': 'MAXCLIENTS 5\n' });
    expect(git(cwd, 'show', ':a.conf')).toBe('maxclients 5\n');
    expect((await hook(cwd, 'run', '--fix')).status).toBe(0);
    expect(git(cwd, 'show', ':a.conf')).toBe(NEW);
    expect(read(cwd, 'a.conf')).toBe(NEW.toUpperCase());
  });
});

describe('hooks in the repository', () => {
  test('the commit of a merge is checked, too', async () => {
    const cwd = repository({ 'a.conf': NEW });
    git(cwd, 'commit', '-qm', 'a');
    git(cwd, 'checkout', '-qb', 'other');
    stage(cwd, { 'b.conf': OLD });
    git(cwd, 'commit', '-qm', 'b');
    git(cwd, 'checkout', '-q', 'main');
    stage(cwd, { 'c.conf': NEW });
    git(cwd, 'commit', '-qm', 'c');
    await hook(cwd, 'install');
    expect(tryGit(cwd, 'merge', '-q', '--no-edit', 'other').status).not.toBe(0);
    git(cwd, 'merge', '--abort');
    await hook(cwd, 'install', '--fix');
    expect(tryGit(cwd, 'merge', '-q', '--no-edit', 'other')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the rewritten files are staged: git commit commits them'),
    });
    git(cwd, 'commit', '-q', '--no-edit');
    expect([git(cwd, 'show', 'HEAD:b.conf'), read(cwd, 'b.conf'), git(cwd, 'status', '--porcelain')]).toEqual(
      [NEW, NEW, ''],
    );
    expect((await hook(cwd, 'uninstall')).stdout).toMatch(
      /pre-commit: no longer asks.*\n.*pre-merge-commit: no longer asks/,
    );
    expect(fs.existsSync(join(cwd, '.git/hooks/pre-merge-commit'))).toBe(false);
  });

  test('a disabled hook stays disabled', async () => {
    const cwd = repository();
    const path = join(cwd, '.git/hooks/pre-commit');
    fs.writeFileSync(path, '#!/bin/sh\nexit 1\n', { mode: 0o644 });
    const refused = await hook(cwd, 'install');
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is disabled (not executable)'),
    });
    expect(read(cwd, '.git/hooks/pre-commit')).toBe('#!/bin/sh\nexit 1\n');
    expect(fs.existsSync(join(cwd, '.git/hooks/pre-merge-commit'))).toBe(false);
    fs.rmSync(path);
    await hook(cwd, 'install');
    fs.chmodSync(path, 0o644);
    expect((await hook(cwd, 'install', '--dual')).stdout).toContain('not executable');
    expect(fs.statSync(path).mode & 0o111).toBe(0);
  });

  test('a hook that cannot be replaced stays as it is; a link to it stays a link', async () => {
    const cwd = repository();
    const script = '#!/bin/sh\nexit 1\n';
    fs.mkdirSync(join(cwd, 'scripts'));
    fs.writeFileSync(join(cwd, 'scripts/check'), script, { mode: 0o750 });
    fs.symlinkSync('../../scripts/check', join(cwd, '.git/hooks/pre-commit'));
    const full = jest.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    });
    expect(await hook(cwd, 'install')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('pre-commit: ENOSPC'),
    });
    full.mockRestore();
    expect([read(cwd, 'scripts/check'), fs.readdirSync(join(cwd, 'scripts'))]).toEqual([script, ['check']]);
    expect((await hook(cwd, 'install')).status).toBe(0);
    expect(fs.readlinkSync(join(cwd, '.git/hooks/pre-commit'))).toBe('../../scripts/check');
    expect(read(cwd, 'scripts/check')).toMatch(/^#!\/bin\/sh\n# httpd-codemod: begin\n[^]*\nexit 1\n$/);
    expect(fs.statSync(join(cwd, 'scripts/check')).mode & 0o777).toBe(0o750);
  });

  test('hooks that are switched off by core.hooksPath, and a bare repository, are named', async () => {
    const cwd = repository();
    git(cwd, 'config', 'core.hooksPath', '/dev/null');
    expect(await hook(cwd, 'install')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('/dev/null: is no directory (core.hooksPath names it)'),
    });
    const bare = join(scratch, 'bare.git');
    git(cwd, 'init', '-q', '--bare', bare);
    for (const action of ['install', 'uninstall', 'run'])
      expect(await hook(bare, action)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('this repository is bare'),
      });
  });
});

test.each([
  ['\0GITCRYPT\0\x01\x02\x03', 'git-crypt has encrypted what is staged: not read'],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n', 'staged is a pointer of git-lfs, not the text: not read'],
])('what stands for a text is no configuration: %j', async (text, message) => {
  const open = 'Order allow,deny\nAllow from all\n';
  const cwd = repository({ 'www/.htaccess': text, 'www/sub/.htaccess': open, 'other/.htaccess': DENIED, 'a.conf': OLD });
  const { status, stdout, stderr } = await hook(cwd, 'run');
  expect(status).toBe(1);
  expect(stdout).toContain('+MaxRequestWorkers');
  // What is not read may ask for a password below it, and has no say elsewhere.
  expect(stdout).not.toContain('granted');
  expect(stdout).toContain('+Require all denied');
  expect(unbroken(stderr)).toContain(message);
}); // prettier-ignore

test('a staged file that is too large for a configuration is not read', async () => {
  const cwd = repository({ 'a.conf': OLD });
  fs.mkdirSync(join(cwd, 'www'));
  fs.writeFileSync(join(cwd, 'www/.htaccess'), '');
  fs.truncateSync(join(cwd, 'www/.htaccess'), 65 * 1024 * 1024);
  git(cwd, 'add', '.');
  const { status, stdout, stderr } = await hook(cwd, 'run');
  expect(status).toBe(1);
  expect(stdout).toContain('+MaxRequestWorkers');
  expect(stderr).toContain(' 1 ! www/.htaccess:1: cannot be read: larger than 64 MB');
});
