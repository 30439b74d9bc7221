import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { installHook } from '../../src/git';
import { aptInstall, findProgram } from '../../testing/httpd/install';
import { program } from '../../testing/run/command';
import { type GitAnswer, gitWith } from '../../testing/run/git';
import { services } from '../../testing/run/services';
import { directory } from '../../testing/write/directory';
import { writeTree } from '../../testing/write/write-tree';

const scratch = directory();
const state = join(scratch, 'state');
const script = join(__dirname, '../../bin/httpd-codemod.js');
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const { env } = gitWith(state);

let counter = 0;

/** A repository of its own, with the hook in it where asked for. */
class Repo {
  readonly dir: string;

  constructor(files: Readonly<Record<string, string>> = {}, hook?: 'check' | 'fix', dir?: string) {
    this.dir = dir ?? join(scratch, `repo ${counter++} \u00e9`);
    if (dir === undefined) {
      fs.mkdirSync(this.dir);
      this.git('init', '-q', '-b', 'main');
    }
    this.write(files);
    if (hook !== undefined)
      installHook({ cwd: latin1(this.dir), env }, services.program, hook === 'fix' ? ['--fix'] : []);
  }

  write(files: Readonly<Record<string, string>>): void {
    writeTree(this.dir, files);
  }

  read(name: string): string {
    return fs.readFileSync(join(this.dir, name), 'latin1');
  }

  run(program: string, ...args: string[]): GitAnswer {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: this.dir, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  try(...args: string[]): GitAnswer {
    return this.run('git', ...args);
  }

  git(...args: string[]): string {
    const { status, stdout, stderr } = this.try(...args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  hook(...args: string[]): Promise<GitAnswer> {
    return program(['hook', ...args], { cwd: this.dir, env, state });
  }

  /** What is staged, or committed as `rev`. */
  staged(name: string, rev = ''): string {
    return this.git('show', `${rev}:${name}`);
  }

  get status(): string {
    return this.git('-c', 'core.quotePath=false', 'status', '--porcelain');
  }
}

const OLD = 'MaxClients 5\n';
const NEW = 'MaxRequestWorkers 5\n';

describe('checking what is staged', () => {
  test('a first commit is refused, with a diff; nothing changes', () => {
    const repo = new Repo({ 'a.conf': OLD }, 'check');
    repo.git('add', '.');
    const { status, stderr, stdout } = repo.try('commit', '-qm', 'x');
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('-MaxClients 5\n+MaxRequestWorkers 5\n');
    expect([repo.read('a.conf'), repo.staged('a.conf'), repo.status]).toEqual([OLD, OLD, 'A  a.conf\n']);
  });

  test('a commit of clean configuration, and of anything else, goes through', () => {
    const repo = new Repo({ 'a.conf': NEW, 'b.txt': OLD, 'c.php': '<?php' }, 'check');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    expect(repo.status).toBe('');
  });

  test('a repository without configuration', () => {
    const repo = new Repo({ 'b.txt': OLD }, 'check');
    repo.git('add', '.');
    expect(repo.try('commit', '-qm', 'x').status).toBe(0);
  });

  test('what is staged counts, not what the work tree holds', () => {
    const repo = new Repo({ 'a.conf': NEW }, 'check');
    repo.git('add', '.');
    repo.write({ 'a.conf': OLD });
    repo.git('commit', '-qm', 'x');
    repo.write({ 'a.conf': `${OLD}# more\n` });
    repo.git('add', '.');
    repo.write({ 'a.conf': NEW });
    expect(repo.try('commit', '-qm', 'x').status).toBe(1);
  });

  test('commit -a', () => {
    const repo = new Repo({ 'a.conf': NEW }, 'check');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    repo.write({ 'a.conf': OLD });
    expect(repo.try('commit', '-qam', 'y').status).toBe(1);
    repo.write({ 'a.conf': `${NEW}# more\n` });
    expect(repo.try('commit', '-qam', 'y').status).toBe(0);
  });

  test('commit PATH judges that path', () => {
    const repo = new Repo({ 'a.conf': NEW, 'b.conf': NEW }, 'check');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    repo.write({ 'a.conf': OLD, 'b.conf': `${NEW}#\n` });
    expect(repo.try('commit', '-qm', 'y', 'b.conf').status).toBe(0);
    expect(repo.try('commit', '-qm', 'y', 'a.conf').status).toBe(1);
  });

  test('--amend', async () => {
    const repo = new Repo({ 'a.conf': NEW });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    await repo.hook('install');
    expect(repo.try('commit', '-q', '--amend', '-m', 'y').status).toBe(0);
    repo.write({ 'b.conf': OLD });
    repo.git('add', '.');
    expect(repo.try('commit', '-q', '--amend', '-m', 'z').status).toBe(1);
  });

  test('a deleted file, and a renamed one', async () => {
    const repo = new Repo({ 'a.conf': OLD, 'b.conf': OLD });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    await repo.hook('install');
    repo.git('rm', '-q', 'a.conf');
    expect(repo.try('commit', '-qm', 'y').status).toBe(0);
    repo.git('mv', 'b.conf', 'c.conf');
    expect(repo.try('commit', '-qm', 'z').stderr).toContain('c.conf');
  });

  test('a merge commit', async () => {
    const repo = new Repo({ 'a.conf': NEW });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    repo.git('checkout', '-qb', 'side');
    repo.write({ 'b.conf': OLD });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'side');
    repo.git('checkout', '-q', 'main');
    repo.write({ 'c.conf': NEW });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'main');
    await repo.hook('install');
    repo.git('merge', '-q', '--no-ff', '--no-commit', 'side');
    expect(repo.try('commit', '-qm', 'merge').status).toBe(1);
    repo.write({ 'b.conf': NEW });
    repo.git('add', '.');
    expect(repo.try('commit', '-qm', 'merge').status).toBe(0);
  });

  test('names with blanks, quotes, umlauts and line ends', async () => {
    const names = ['a b.conf', 'q"\u00fc\'.conf', 'd\u00e9 j\u00e0/.htaccess', 'new\nline.conf'];
    const [deny, denied] = ['Deny from all\n', 'Require all denied\n'];
    const isAccessFile = (name: string): boolean => name.endsWith('.htaccess');
    const before = Object.fromEntries(names.map((name) => [name, isAccessFile(name) ? deny : OLD]));
    const repo = new Repo(before, 'check');
    repo.git('add', '.');
    expect(repo.try('commit', '-qm', 'x').status).toBe(1);
    await repo.hook('run', '--fix');
    for (const name of names) {
      const after = isAccessFile(name) ? denied : NEW;
      expect([repo.read(name), repo.staged(name)]).toEqual([after, after]);
    }
  });

  test('staged neighbours are read for what they mean, and not judged', async () => {
    const files = {
      'httpd.conf': `ServerRoot /srv\nInclude conf.d/*.conf\n${OLD}`,
      'conf.d/a.conf': '<Directory /x>\nOrder deny,allow\nDeny from all\n</Directory>\n',
      'conf.d/b.conf': '# later\n',
    };
    const repo = new Repo(files);
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    repo.write({ 'conf.d/b.conf': 'Listen 80\n' });
    repo.git('add', '.');
    expect(await repo.hook('run')).toEqual({ status: 0, stdout: '', stderr: '' });
    repo.write({ 'conf.d/b.conf': '<Directory /x/y>\nAllow from 10.0.0.1\n</Directory>\n' });
    repo.git('add', '.');
    const { status, stdout, stderr } = await repo.hook('run');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('conf.d/a.conf is not part of the commit');
  });

  test('files named are judged, whether they change or not', async () => {
    const repo = new Repo({ 'a.conf': OLD, 'sub/b.conf': OLD });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    expect((await repo.hook('run')).status).toBe(0);
    const { status, stdout } = await repo.hook('run', 'sub/b.conf');
    expect(status).toBe(1);
    expect(stdout).toContain('b/sub/b.conf');
    expect(stdout).not.toContain('b/a.conf');
    repo.write({ 'sub/c.conf': OLD });
    const other = await repo.hook('run', 'sub/c.conf');
    expect(other.status).toBe(2);
    expect(other.stderr).toBe('httpd-codemod: sub/c.conf is not staged: not judged\n');
    const both = await repo.hook('run', 'sub/b.conf', 'sub/c.conf');
    expect(both).toMatchObject({ status: 2, stdout });
  });

  test('a directory stands for what is staged below it', async () => {
    const repo = new Repo({
      'a.conf': OLD,
      'sub/b.conf': OLD,
      'sub/c/.htaccess': 'Deny from all\n',
      'subs.conf': OLD,
    });
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    const namesIn = async (...paths: string[]): Promise<string[]> => {
      const { status, stdout } = await repo.hook('run', ...paths);
      expect(status).toBe(1);
      return [...stdout.matchAll(/^\+\+\+ b\/(.*)$/gm)].map((match) => match[1]!).sort();
    };
    expect(await namesIn('sub')).toEqual(['sub/b.conf', 'sub/c/.htaccess']);
    expect(await namesIn('sub/c/')).toEqual(['sub/c/.htaccess']);
    for (const path of ['.', '..'])
      expect(await namesIn(path)).toEqual(['a.conf', 'sub/b.conf', 'sub/c/.htaccess', 'subs.conf']);
    fs.mkdirSync(join(repo.dir, 'empty'));
    for (const path of ['empty', 'nowhere', '/usr'])
      expect(await repo.hook('run', path)).toEqual({
        status: 2,
        stdout: '',
        stderr: `httpd-codemod: ${path} is not staged: not judged\n`,
      });
    expect((await repo.hook('run', '--fix', 'sub')).status).toBe(0);
    expect([repo.read('sub/b.conf'), repo.read('a.conf')]).toEqual([NEW, OLD]);
  });

  test('links, submodules and files that are to be added later', async () => {
    const inner = new Repo({ 'a.conf': OLD });
    inner.git('add', '.');
    inner.git('commit', '-qm', 'x');
    const repo = new Repo({ 'sites-available/a.conf': OLD, 'later.conf': OLD });
    fs.mkdirSync(join(repo.dir, 'sites-enabled'));
    fs.symlinkSync('../sites-available/a.conf', join(repo.dir, 'sites-enabled/a.conf'));
    fs.symlinkSync('nowhere', join(repo.dir, 'dangling.conf'));
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'inner');
    repo.git('add', 'sites-available', 'sites-enabled', 'dangling.conf');
    repo.git('add', '-N', 'later.conf');
    const { status, stdout } = await repo.hook('run');
    expect(status).toBe(1);
    expect(stdout.match(/^diff /gm)).toHaveLength(1);
    const below = new Repo({}, 'check', join(repo.dir, 'inner'));
    expect(await below.hook('run')).toMatchObject({ status: 0 });
  });

  test('a linked work tree, and a directory below the top', async () => {
    const repo = new Repo({ 'sub/a.conf': NEW }, 'check');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    const dir = join(scratch, 'linked');
    repo.git('worktree', 'add', '-q', dir);
    const linked = new Repo({ 'sub/a.conf': OLD }, undefined, dir);
    linked.git('add', '.');
    expect(linked.try('commit', '-qm', 'y').status).toBe(1);
    const below = new Repo({}, undefined, join(dir, 'sub'));
    expect((await below.hook('run')).stdout).toContain('diff --git a/a.conf b/a.conf');
    expect((await below.hook('run', '--fix')).status).toBe(0);
    expect([linked.read('sub/a.conf'), linked.status]).toEqual([NEW, '']);
  });

  test('the project file and the ignore file that are staged', () => {
    const repo = new Repo(
      {
        'httpd-codemod.config.json': '{"skip": ["max-clients"]}',
        '.httpdcodemodignore': 'old/\n',
        'a.conf': OLD,
        'old/b.conf': 'MaxRequestsPerChild 5\n',
      },
      'check',
    );
    repo.git('add', '.');
    expect(repo.try('commit', '-qm', 'x').status).toBe(0);
  });

  test('outside of a repository', async () => {
    const outside = new Repo({}, undefined, directory());
    const { status, stdout, stderr } = await outside.hook('run');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^httpd-codemod: git rev-parse: not a git repository[^\n]*\n$/);
  });
});

describe('fixing what is staged', () => {
  test('index and work tree, and the commit goes through', () => {
    const repo = new Repo({ 'a.conf': OLD, 'b.txt': 'b\n' }, 'fix');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    expect([repo.read('a.conf'), repo.staged('a.conf', 'HEAD'), repo.status]).toEqual([NEW, NEW, '']);
  });

  test('commit -a', () => {
    const repo = new Repo({ 'a.conf': NEW }, 'fix');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    repo.write({ 'a.conf': `${OLD}#\n` });
    repo.git('commit', '-qam', 'y');
    expect([repo.read('a.conf'), repo.staged('a.conf', 'HEAD'), repo.status]).toEqual([
      `${NEW}#\n`,
      `${NEW}#\n`,
      '',
    ]);
  });

  test('commit PATH is left to the user', () => {
    const repo = new Repo({ 'a.conf': NEW }, 'fix');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    repo.write({ 'a.conf': `${OLD}#\n` });
    const { status, stderr } = repo.try('commit', '-qm', 'y', 'a.conf');
    expect(status).not.toBe(0);
    expect(stderr).toContain('stage the files, then commit without paths');
    expect([repo.read('a.conf'), repo.status]).toEqual([`${OLD}#\n`, ' M a.conf\n']);
  });

  test('a file that is staged in part stays as it is, the others are fixed, and the commit waits', () => {
    const repo = new Repo({ 'a.conf': OLD, 'b.conf': OLD }, 'fix');
    repo.git('add', '.');
    repo.write({ 'a.conf': `${OLD}# not yet\n` });
    const { status, stderr } = repo.try('commit', '-qm', 'x');
    expect(status).toBe(1);
    expect(stderr).toContain('a.conf is not in the work tree as it is staged: left alone');
    expect([repo.read('a.conf'), repo.staged('a.conf')]).toEqual([`${OLD}# not yet\n`, OLD]);
    expect([repo.read('b.conf'), repo.staged('b.conf')]).toEqual([NEW, NEW]);
  });

  test('modes, and line ends that git converts', () => {
    const repo = new Repo(
      { '.gitattributes': '*.conf text eol=crlf\n', 'a.conf': 'MaxClients 5\r\n' },
      'fix',
    );
    fs.chmodSync(join(repo.dir, 'a.conf'), 0o755);
    repo.git('add', '.');
    repo.git('commit', '-qm', 'x');
    expect([repo.read('a.conf'), repo.staged('a.conf', 'HEAD'), repo.status]).toEqual([
      'MaxRequestWorkers 5\r\n',
      NEW,
      '',
    ]);
    expect(repo.git('ls-files', '-s', 'a.conf')).toMatch(/^100755 /);
    expect(fs.statSync(join(repo.dir, 'a.conf')).mode & 0o111).toBe(0o111);
  });

  test('what a person must settle stops the commit', () => {
    const repo = new Repo({ 'a.conf': `${OLD}CookieLogg x\nListen\n<Oops>\n` }, 'fix');
    repo.git('add', '.');
    expect(repo.try('commit', '-qm', 'x').status).toBe(1);
  });

  test('--no-stage leaves the index alone, and asks for a look', async () => {
    const repo = new Repo({ 'a.conf': OLD });
    repo.git('add', '.');
    expect((await repo.hook('run', '--fix', '--no-stage')).status).toBe(1);
    expect([repo.read('a.conf'), repo.staged('a.conf'), repo.status]).toEqual([NEW, OLD, 'AM a.conf\n']);
  });
});

describe('the hook itself', () => {
  const path = (repo: Repo): string => join(repo.dir, '.git/hooks/pre-commit');

  test('comes and goes, however often', async () => {
    const repo = new Repo();
    expect((await repo.hook('install')).stdout).toContain('asks httpd-codemod from now on');
    const text = fs.readFileSync(path(repo), 'utf8');
    expect((await repo.hook('install')).stdout).toContain('already');
    expect(fs.readFileSync(path(repo), 'utf8')).toBe(text);
    expect((await repo.hook('uninstall')).status).toBe(0);
    expect(fs.existsSync(path(repo))).toBe(false);
    expect(await repo.hook('uninstall')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('does not ask'),
    });
  });

  test('an existing shell script is kept, and still runs', async () => {
    const repo = new Repo({ 'a.conf': OLD });
    const script22 = '#!/usr/bin/env bash\ntouch ran\nexit 0\n';
    fs.writeFileSync(path(repo), script22, { mode: 0o755 });
    await repo.hook('install');
    await repo.hook('install', '--fix');
    repo.git('add', 'a.conf');
    repo.git('commit', '-qm', 'x');
    expect([fs.existsSync(join(repo.dir, 'ran')), repo.staged('a.conf', 'HEAD')]).toEqual([true, NEW]);
    await repo.hook('uninstall');
    expect(fs.readFileSync(path(repo), 'utf8')).toBe(script22);
  });

  test('any other program is not touched', async () => {
    const repo = new Repo();
    fs.writeFileSync(path(repo), '#!/usr/bin/env python3\n', { mode: 0o755 });
    expect(await repo.hook('install')).toMatchObject({ status: 2, stdout: '' });
    expect(fs.readFileSync(path(repo), 'utf8')).toBe('#!/usr/bin/env python3\n');
  });

  test('a hook that husky makes anew is not touched', async () => {
    const repo = new Repo();
    repo.git('config', 'core.hooksPath', '.husky/_');
    expect(await repo.hook('install', '--dual', '--fix')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'add "httpd-codemod hook run --fix --dual" to .husky/pre-commit, and "httpd-codemod hook run --stop --fix --dual" to .husky/pre-merge-commit instead',
      ),
    });
  });

  test('core.hooksPath', async () => {
    const repo = new Repo({ 'a.conf': OLD });
    repo.git('config', 'core.hooksPath', 'my hooks');
    await repo.hook('install');
    expect(fs.existsSync(join(repo.dir, 'my hooks/pre-commit'))).toBe(true);
    repo.git('add', 'a.conf');
    expect(repo.try('commit', '-qm', 'x').status).toBe(1);
  });
});

describe('the pre-commit program', () => {
  const hooks = fs.readFileSync(join(__dirname, '../../.pre-commit-hooks.yaml'), 'utf8');

  beforeAll(() => {
    if (findProgram('pre-commit') !== undefined) return;
    const why = aptInstall('pre-commit');
    if (findProgram('pre-commit') === undefined)
      throw new Error(`These tests need pre-commit: ${why ?? 'not on PATH'}`);
  }, 300_000);

  /** A repository that has our hooks as they are shipped, but for the program, which is the one under test. */
  function withHook(id: string, files: Readonly<Record<string, string>>): Repo {
    const ours = hooks
      .split(/^(?=- )/m)
      .find((block) => block.startsWith(`- id: ${id}\n`))!
      .replace('language: node', 'language: system')
      .replace('entry: httpd-codemod ', `entry: ${process.execPath} ${script} `)
      .replace(/^/gm, '  ');
    const repo = new Repo({
      ...files,
      '.pre-commit-config.yaml': `repos:\n- repo: local\n  hooks:\n${ours}\n`,
    });
    repo.git('add', '.');
    return repo;
  }

  const run = (repo: Repo, ...args: string[]): GitAnswer =>
    repo.run(findProgram('pre-commit')!, 'run', '--color', 'never', ...args);

  test('checks what is staged', () => {
    const repo = withHook('httpd-codemod', {
      'sub dir/.htaccess': 'Order deny,allow\nDeny from all\n',
      'b.txt': OLD,
    });
    const { status, stdout } = run(repo);
    expect(stdout).toContain('+Require all denied\n');
    expect(status).toBe(1);
    repo.write({ 'sub dir/.htaccess': 'Require all denied\n' });
    expect(run(repo).status).toBe(1);
    repo.git('add', '.');
    expect(run(repo).status).toBe(0);
    expect(run(repo, '--all-files').status).toBe(0);
  });

  test("fixes MODX's files, which wait to be renamed", () => {
    const repo = withHook('httpd-codemod-fix', { 'core/ht.access': 'Order deny,allow\nDeny from all\n' });
    expect(run(repo).status).toBe(1);
    expect(repo.read('core/ht.access')).toBe('Require all denied\n');
  });

  test('fixes the work tree, and leaves the staging to the user', () => {
    const repo = withHook('httpd-codemod-fix', { 'a.conf': OLD });
    const { status, stdout } = run(repo);
    expect(status).toBe(1);
    expect(stdout).toContain('files were modified by this hook');
    expect([repo.read('a.conf'), repo.staged('a.conf')]).toEqual([NEW, OLD]);
    repo.git('add', '.');
    expect(run(repo).status).toBe(0);
  });

  test('all files, and a commit', () => {
    const repo = withHook('httpd-codemod', { 'a.conf': OLD, 'conf/b.conf': OLD, 'sites-available/c': OLD });
    repo.git('commit', '-qm', 'x');
    expect(run(repo, '--all-files').stdout).toMatch(
      /b\/a\.conf[^]*b\/conf\/b\.conf[^]*b\/sites-available\/c/,
    );
    expect(repo.run(findProgram('pre-commit')!, 'install').status).toBe(0);
    repo.write({ 'c.conf': OLD });
    repo.git('add', '.');
    expect(repo.try('commit', '-qm', 'y').status).toBe(1);
  });
});
