import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, command, program } from '../../testing/run/command';
import { gitWith } from '../../testing/run/git';
import { directory } from '../../testing/write/directory';
import { killedStoreIn } from '../../testing/write/killed';
import { writeTree } from '../../testing/write/write-tree';

const scratch = directory();
const state = join(scratch, 'state');

const { env, git } = gitWith(state);

const OLD = 'MaxClients 5\n';
const NEW = 'MaxRequestWorkers 5\n';

let counter = 0;

/** A repository in which these files are staged. */
function repository(files: Readonly<Record<string, string>>): string {
  const cwd = join(scratch, `repo ${counter++}`);
  fs.mkdirSync(cwd);
  git(cwd, 'init', '-q', '-b', 'main');
  writeTree(cwd, files);
  git(cwd, 'add', '.');
  return cwd;
}

const tool = (cwd: string, ...args: string[]): Promise<CommandResult> => program(args, { cwd, env, state });
const undo = (cwd: string, ...args: string[]): Promise<CommandResult> => tool(cwd, 'undo', '--yes', ...args);

/** What stands in the work tree, and what is staged. */
const both = (cwd: string, name = 'a.conf'): [string, string] => [
  fs.readFileSync(join(cwd, name), 'latin1'),
  git(cwd, 'show', `:${name}`),
];

/** Has the hook rewrite what is staged. */
async function fixed(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = repository(files);
  expect(await tool(cwd, 'hook', 'run', '--fix')).toMatchObject({ status: 0 });
  expect(both(cwd)).toEqual([NEW, NEW]);
  return cwd;
}

describe('undo of what the hook has rewritten', () => {
  test('sets back the files and the index, once', async () => {
    const cwd = await fixed({ 'a.conf': OLD, 'sub/b c.conf': OLD, 'other.txt': 'x\n' });
    const { status, stderr } = await undo(cwd);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /has changed and staged:\n.*a\.conf\n.*b c\.conf\nTook back .*: 2 files restored\.\n$/,
      ) as string,
    });
    expect([both(cwd), both(cwd, 'sub/b c.conf')]).toEqual([
      [OLD, OLD],
      [OLD, OLD],
    ]);
    expect(git(cwd, 'status', '--porcelain')).toBe('A  a.conf\nA  other.txt\nA  "sub/b c.conf"\n');
    expect((await undo(cwd)).stderr).toContain('no write');
  });

  test('after git commit, and git commit -a', async () => {
    const cwd = repository({ 'a.conf': NEW });
    await tool(cwd, 'hook', 'install', '--fix');
    git(cwd, 'commit', '-qm', 'x');
    writeTree(cwd, { 'a.conf': `${OLD}#\n` });
    git(cwd, 'commit', '-qam', 'y');
    expect(both(cwd)).toEqual([`${NEW}#\n`, `${NEW}#\n`]);
    expect((await undo(cwd)).status).toBe(0);
    expect(both(cwd)).toEqual([`${OLD}#\n`, `${OLD}#\n`]);
    expect(git(cwd, 'show', 'HEAD:a.conf')).toBe(`${NEW}#\n`);
  });

  test('where git converts line ends, and in a linked work tree', async () => {
    const main = repository({ '.gitattributes': '*.conf text eol=crlf\n' });
    git(main, 'commit', '-qm', 'x');
    const cwd = join(scratch, 'linked');
    git(main, 'worktree', 'add', '-q', '-b', 'other', cwd);
    writeTree(cwd, { 'a.conf': 'MaxClients 5\r\n' });
    git(cwd, 'add', '.');
    await tool(cwd, 'hook', 'run', '--fix');
    expect(both(cwd)).toEqual(['MaxRequestWorkers 5\r\n', NEW]);
    expect((await undo(cwd)).status).toBe(0);
    expect(both(cwd)).toEqual(['MaxClients 5\r\n', OLD]);
    expect(git(cwd, 'status', '--porcelain')).toBe('A  a.conf\n');
  });

  test('leaves what somebody has staged since', async () => {
    const cwd = await fixed({ 'a.conf': OLD, 'b.conf': OLD });
    git(cwd, 'rm', '-q', '--cached', 'a.conf');
    const { status, stderr } = await undo(cwd);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining(
        'a.conf: something else has been staged since, and stays staged\n',
      ) as string,
    });
    expect(both(cwd, 'b.conf')).toEqual([OLD, OLD]);
    expect(git(cwd, 'status', '--porcelain')).toBe('A  b.conf\n?? a.conf\n');
  });

  test('--keep-changed leaves a changed file, and what is staged of it', async () => {
    const cwd = await fixed({ 'a.conf': OLD, 'b.conf': OLD });
    fs.appendFileSync(join(cwd, 'a.conf'), '# mine\n');
    expect((await undo(cwd)).status).toBe(2);
    expect(both(cwd, 'b.conf')).toEqual([NEW, NEW]);
    expect((await undo(cwd, '--keep-changed')).status).toBe(0);
    expect([both(cwd), both(cwd, 'b.conf')]).toEqual([
      [`${NEW}# mine\n`, NEW],
      [OLD, OLD],
    ]);
  });

  test('takes back nothing while another git has the index', async () => {
    const cwd = await fixed({ 'a.conf': OLD });
    fs.writeFileSync(join(cwd, '.git/index.lock'), '');
    expect(await undo(cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/index\.lock.*; nothing taken back\n$/) as string,
    });
    expect(both(cwd)).toEqual([NEW, NEW]);
    fs.rmSync(join(cwd, '.git/index.lock'));
    expect((await undo(cwd)).status).toBe(0);
    expect(both(cwd)).toEqual([OLD, OLD]);
  });

  test.each<[string, (cwd: string) => void, string]>([
    ['a repository that is gone', (cwd) => fs.renameSync(join(cwd, '.git'), join(cwd, 'git')), 'not a git repository'],
    ['another repository', (cwd) => {
      fs.renameSync(join(cwd, '.git'), join(cwd, 'git'));
      fs.writeFileSync(join(cwd, '.git'), 'gitdir: git\n');
    }, 'its repository was'],
    ['a text that git has no more', (cwd) => git(cwd, 'prune'), 'git no longer has what was staged'],
  ])('%s: the files, and the command for the index', async (_, change, reason) => {
    const cwd = await fixed({ 'a.conf': OLD, "it's.conf": OLD });
    change(cwd);
    const { status, stderr } = await undo(cwd);
    expect(status).toBe(0);
    expect(stderr).toContain(reason);
    const line = stderr.split('\n').find((text) => text.includes(reason));
    expect(line).toMatch(/^httpd-codemod: what is staged stays as it was written: .*; git -C .* stages the files as they are$/);
    expect(fs.readFileSync(join(cwd, 'a.conf'), 'latin1')).toBe(OLD);
    fs.rmSync(join(cwd, '.git'), { recursive: true, force: true });
    git(cwd, 'init', '-q');
    const told = /; (git -C .*) stages the files as they are$/.exec(line!)![1]!;
    expect(spawnSync('sh', ['-c', told], { env }).status).toBe(0);
    expect([both(cwd), both(cwd, "it's.conf")]).toEqual([[OLD, OLD], [OLD, OLD]]);
  }); // prettier-ignore
});

describe('a run that is killed between the files and the end', () => {
  /** Runs the command, and kills it when the journal is to say that all is done. */
  async function killed(cwd: string, ...args: string[]): Promise<void> {
    const answer = await command(args, { cwd, env }, { openStore: killedStoreIn(state, env) });
    expect(answer.status).toBe(2);
  }

  test('the next run sets back the index, too; an undo of elsewhere is not about it', async () => {
    const cwd = repository({ 'a.conf': OLD });
    await killed(cwd, 'hook', 'run', '--fix');
    expect(both(cwd)).toEqual([NEW, NEW]);
    const elsewhere = await undo(repository({ 'a.conf': OLD }));
    expect(elsewhere.stderr).toMatch(
      /took back the write of .*, which was interrupted \(1 file put back\)\n/,
    );
    expect(elsewhere.status).toBe(2);
    expect(both(cwd)).toEqual([OLD, OLD]);
    expect(git(cwd, 'status', '--porcelain')).toBe('A  a.conf\n');
  });

  test('the next run may be a hook that git tells of its own repository', async () => {
    const main = repository({ 'b.txt': '' });
    const linked = `${main} linked`;
    git(main, 'commit', '-qm', 'x');
    await tool(main, 'hook', 'install', '--fix');
    const cwd = repository({ 'a.conf': OLD });
    await killed(cwd, 'hook', 'run', '--fix');
    git(main, 'worktree', 'add', '-q', '-b', 'other', linked);
    writeTree(linked, { 'c.conf': OLD });
    git(linked, 'add', '.');
    git(linked, 'commit', '-qm', 'y');
    expect([both(cwd), both(linked, 'c.conf')]).toEqual([
      [OLD, OLD],
      [NEW, NEW],
    ]);
  });

  test('a repository that only GIT_DIR leads to', async () => {
    const cwd = join(scratch, `tree ${counter++}`);
    const top = { ...env, GIT_DIR: `${cwd}.git`, GIT_WORK_TREE: cwd };
    fs.mkdirSync(cwd);
    const ask = (...args: string[]): string =>
      spawnSync('git', args, { cwd, env: top, encoding: 'utf8' }).stdout;
    ask('init', '-q');
    writeTree(cwd, { 'a.conf': OLD });
    ask('add', '.');
    const options = { cwd, env: top, state };
    expect((await program(['hook', 'run', '--fix'], options)).status).toBe(0);
    expect(ask('show', ':a.conf')).toBe(NEW);
    expect((await program(['undo', '--yes'], options)).status).toBe(0);
    expect([fs.readFileSync(join(cwd, 'a.conf'), 'latin1'), ask('show', ':a.conf')]).toEqual([OLD, OLD]);
  });

  test('an undo: the next run sets both to what they were before it', async () => {
    const cwd = await fixed({ 'a.conf': OLD });
    await killed(cwd, 'undo', '--yes');
    expect(both(cwd)).toEqual([OLD, OLD]);
    await tool(repository({ 'a.conf': NEW }), 'hook', 'run', '--fix');
    expect((await undo(cwd)).status).toBe(0);
    expect(both(cwd)).toEqual([OLD, OLD]);
  });

  test('an index that cannot be set back holds up nothing, and is said', async () => {
    const cwd = repository({ 'a.conf': OLD });
    await killed(cwd, 'hook', 'run', '--fix');
    fs.writeFileSync(join(cwd, '.git/index.lock'), '');
    const { status, stderr } = await undo(cwd);
    expect(status).toBe(0);
    expect(stderr).toMatch(/index\.lock.*; git -C .*a\.conf stages the files as they are\n/);
    expect(both(cwd)).toEqual([OLD, NEW]);
  });
});
