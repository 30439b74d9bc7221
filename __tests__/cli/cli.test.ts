import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { cli, type Io, type Services } from '../../src/cli';
import { type FileSource, memory, SourceError } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { rename } from '../../src/edit';
import type { Finding, Transform } from '../../src/engine/types';
import { services as usual } from '../../testing/run/services';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { snapshot } from '../../testing/write/write-tree';
import { directory } from '../../testing/write/directory';
import { unbroken } from '../../testing/run/unbroken';

const state = stateDirectory();
const openStore = storeIn(state);
const read = (root: string, name: string): string => fs.readFileSync(join(root, name), 'latin1');

/** A rule that renames the directive `old`, as sure of itself as `safety` says; `manual` leaves it to a person. */
function renames(id: string, old: string, over: Partial<Finding>): Transform {
  return {
    id,
    changes: ['S1'],
    title: `${old} is renamed`,
    why: 'It has a new name.',
    docs: ['upgrading.html#names'],
    directives: [old],
    ...(id === 'old-sure' ? { options: ['say'] } : {}),
    run(context) {
      context.directives([old], (node, { file }) => {
        const message = context.options['say'] ?? `${node.name} is New${node.name.slice(3)} now`;
        const edits = over.safety === 'manual' ? [] : [rename(node, `New${node.name.slice(3)}`)];
        context.report({ file, at: node.from, level: 'warning', safety: 'safe', message, edits, ...over });
      });
    },
  };
}

const transforms: readonly Transform[] = [
  renames('old-sure', 'OldSure', {}),
  renames('old-maybe', 'OldMaybe', { safety: 'review', level: 'error' }),
  renames('old-hard', 'OldHard', { safety: 'manual', level: 'error' }),
  renames('old-soft', 'OldSoft', { safety: 'manual', level: 'warning' }),
];

interface Setting {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly tty?: boolean;
  /** What the person at the terminal says. */
  readonly answer?: string;
  readonly env?: Record<string, string>;
  readonly services?: Partial<Services>;
  readonly now?: () => number;
}

interface CliOutput {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(argv: readonly string[], setting: Setting = {}): Promise<CliOutput> {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdout: { write: (bytes) => (stdout += bytes), isTTY: setting.tty === true },
    stderr: { write: (bytes) => (stderr += bytes), isTTY: setting.tty === true },
    env: setting.env ?? {},
    cwd: setting.cwd ?? '/',
    stdin: () => setting.stdin ?? '',
    ask: (question) => {
      if (setting.answer !== undefined) stderr += question;
      return setting.answer;
    },
    now: setting.now ?? (() => 0),
  };
  const services = {
    ...usual,
    version: '1.2.3',
    transforms,
    openStore,
    pendingWrites: () => [],
    ...setting.services,
  };
  const status = await cli(argv, io, services);
  return { status, stdout, stderr };
}

const twoFiles = (): string => directory({ 'a.conf': '# first\nOldSure on\n', 'b.conf': 'Listen 80\n' });
const trouble = (line: string): CliOutput => ({
  status: 2,
  stdout: '',
  stderr: `httpd-codemod: ${line}\n`,
});
const usage = (line: string): CliOutput => trouble(`${line} (see httpd-codemod --help)`);

describe('the modes', () => {
  test('a dry run shows the diff, writes nothing and says that changes are pending', async () => {
    const cwd = twoFiles();
    expect(await run(['a.conf'], { cwd })).toEqual({
      status: 1,
      stdout:
        'diff --git a/a.conf b/a.conf\n--- a/a.conf\n+++ b/a.conf\n@@ -1,2 +1,2 @@\n # first\n-OldSure on\n+NewSure on\n',
      stderr: `Plan: 1 change in 1 file (+1 -1 lines), 0 to review, 0 blockers
Nothing keeps 2.4 from starting. Nobody new gets in and nobody loses access.
To do, in this order
 1   write the changes, then run httpd -t; httpd-codemod undo takes them back
     $ httpd-codemod --write a.conf
Good to know: what 1 rule changed; -v lists all of it
`,
    });
    expect(read(cwd, 'a.conf')).toBe('# first\nOldSure on\n');
  });

  test('--summary counts by rule, file and virtual host, and says what is left to do', async () => {
    const cwd = directory({
      'a.conf': `Listen 80
<VirtualHost *:80>
ServerName x
Include b.conf
</VirtualHost>
OldSoft
`,
      'b.conf': 'OldSure\nOldSure\n',
    });
    expect(await run(['--summary', 'a.conf'], { cwd })).toMatchObject({
      stdout: `exact  review  open  blockers  By rule
    2       -     -         -  old-sure
    -       -     1         -  old-soft
exact  review  open  blockers  By file
    2       -     -         -  b.conf
    -       -     1         -  a.conf
exact  review  open  blockers  By virtual host
    2       -     -         -  x
    -       -     1         -  main server
`,
      stderr: expect.stringMatching(
        /^Plan: 2 changes in 1 file \(\+2 -2 lines\), 1 to review, 0 blockers\n[^]*\nTo do, in this order\n[^]* {5}\$ httpd-codemod --write a\.conf\n$/,
      ),
    });
    expect((await run(['--summary', '--diff', 'a.conf'], { cwd })).stdout).toContain('\n+NewSure\n');
  });

  test('--check names the files that would change', async () => {
    const cwd = twoFiles();
    expect(await run(['--check', 'a.conf', 'b.conf'], { cwd })).toMatchObject({
      status: 1,
      stdout: 'a.conf\n',
    });
    expect(read(cwd, 'a.conf')).toBe('# first\nOldSure on\n');
  });

  test('--write writes, and a second run has nothing to do', async () => {
    const cwd = twoFiles();
    const first = await run(['-w', 'a.conf'], { cwd });
    expect(first).toMatchObject({ status: 0, stdout: '' });
    expect(first.stderr).toMatch(/^Written: 1 change in 1 file \(\+1 -1 lines\), 0 to review, 0 blockers\n/);
    expect(read(cwd, 'a.conf')).toBe('# first\nNewSure on\n');
    expect(await run(['-w', 'a.conf'], { cwd })).toMatchObject({ status: 0, stdout: '' });
  });

  test('--write --diff writes and shows what', async () => {
    const cwd = twoFiles();
    const answer = await run(['--write', '--diff', 'a.conf'], { cwd });
    expect(answer).toMatchObject({ status: 0, stdout: expect.stringContaining('+NewSure on\n') });
    expect(read(cwd, 'a.conf')).toBe('# first\nNewSure on\n');
  });

  test('what is printed applies with git apply', async () => {
    const cwd = directory({ 'x/a b.conf': 'OldSure\r\nOldSure', 'c.conf': 'OldSure \xe9\n' });
    const { stdout } = await run(['x/a b.conf', 'c.conf'], { cwd });
    const input = Buffer.from(stdout, 'latin1');
    const applied = spawnSync('git', ['apply', '-'], { cwd, input, encoding: 'utf8' });
    expect(applied).toMatchObject({ status: 0 });
    expect(read(cwd, 'x/a b.conf')).toBe('NewSure\r\nNewSure');
    expect(read(cwd, 'c.conf')).toBe('NewSure \xe9\n');
  });

  test('--dual writes both forms, and what it has written it leaves alone', async () => {
    const both =
      '<IfModule mod_authz_core.c>\n    NewSure on\n</IfModule>\n<IfModule !mod_authz_core.c>\n    OldSure on\n</IfModule>\n';
    const cwd = twoFiles();
    expect(await run(['--dual', '--check', 'a.conf'], { cwd })).toMatchObject({
      status: 1,
      stdout: 'a.conf\n',
    });
    expect(await run(['--dual', '-w', 'a.conf'], { cwd })).toMatchObject({ status: 0, stdout: '' });
    expect(read(cwd, 'a.conf')).toBe(`# first\n${both}`);
    for (const mode of [[], ['--dual']])
      expect(await run([...mode, 'a.conf'], { cwd })).toMatchObject({ status: 0, stdout: '' });
    const stdin = 'OldSure on\n';
    expect(await run(['--dual', '-'], { stdin })).toMatchObject({ status: 0, stdout: both });
  });

  test('--no-dual leaves what is for 2.4', async () => {
    const stdin = '<IfVersion < 2.4>\nOldSure\n</IfVersion>\n<IfVersion >= 2.4>\n\tNewSure\n</IfVersion>\n';
    const services = { transforms: usual.transforms };
    expect(await run(['--no-dual', '-'], { stdin, services })).toMatchObject({
      status: 0,
      stdout: 'NewSure\n',
    });
    expect(await run(['-'], { stdin, services })).toMatchObject({ status: 0, stdout: stdin });
  });

  test('--quiet leaves only what a person must resolve', async () => {
    const cwd = directory({ 'a.conf': 'OldSure\nOldSoft\n' });
    const { stderr } = await run(['-q', 'a.conf'], { cwd });
    expect(stderr).toBe(` 1   a.conf:2: OldSoft is NewSoft now
     $ httpd-codemod rules old-soft
`);
    const { stderr: full } = await run(['-v', 'a.conf'], { cwd });
    expect(full).toContain(`     ? a.conf:2:1: warning: OldSoft is NewSoft now [old-soft`);
    expect(full).toContain(`         2 > OldSoft
         why: It has a new name.
         page: docs/rules/old-soft.md
`);
  });

  test('--format json carries everything in one document', async () => {
    const cwd = directory({ 'a.conf': '# caf\xe9\nOldSure\nOldHard\n' });
    const { status, stdout, stderr } = await run(['--format', 'json', 'a.conf'], { cwd });
    expect([status, stderr]).toEqual([1, '']);
    expect(JSON.parse(Buffer.from(stdout, 'latin1').toString('utf8'))).toMatchObject({
      files: [
        { path: 'a.conf', changed: true, diff: expect.stringContaining(' # caf\xe9\n-OldSure\n+NewSure\n') },
      ],
      findings: [
        {
          rule: 'old-sure',
          line: 2,
          column: 1,
          offset: 7,
          status: 'applied',
          edits: [{ start: 7, end: 14, text: 'NewSure' }],
        },
        { rule: 'old-hard', line: 3, status: 'none', safety: 'manual', edits: [] },
      ],
      summary: { filesRead: 1, filesChanged: 1, errors: 1, warnings: 1, infos: 0 },
      exitStatus: 1,
    });
  });

  test('JSON holds diffs only where they are asked for', async () => {
    for (const [options, has] of [
      [['--check'], false],
      [['-w'], false],
      [['-w', '--diff'], true],
    ] as const) {
      const { stdout } = await run([...options, '--format=json', 'a.conf'], { cwd: twoFiles() });
      const [file] = (JSON.parse(stdout) as { files: { changed: boolean; diff?: string }[] }).files;
      expect([file?.changed, file?.diff !== undefined]).toEqual([true, has]);
    }
  });
});

describe('standard input', () => {
  test('goes to stdout, converted, byte for byte', async () => {
    const answer = await run(['-', '-v'], { stdin: '# \xe9\r\nOldSure' });
    expect(answer).toMatchObject({ status: 0, stdout: '# \xe9\r\nNewSure' });
    expect(answer.stderr).toContain('stdin.conf:2:1: ');
    expect(await run(['-'], { stdin: '# no change\n' })).toMatchObject({
      status: 0,
      stdout: '# no change\n',
    });
    expect(await run(['-'], { stdin: '' })).toMatchObject({ status: 0, stdout: '' });
  });

  test('is a fragment: its Includes are not followed', async () => {
    const answer = await run(['-'], { stdin: 'Include conf.d/*.conf\nListen 80\n' });
    expect(answer).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^Converted: no changes in 1 file, 0 to review, 0 blockers\nNothing keeps/,
      ),
    });
  });

  test('has the name it is given', async () => {
    const named = await run(['-', '-v', '--stdin-name', 'conf.d/x.conf'], { stdin: 'OldSure\n' });
    expect(named.stderr).toContain('x.conf:1:1: ');
    const roles: string[] = [];
    const spy: Transform = {
      ...transforms[0]!,
      run: ({ tree }) => void roles.push(...tree.files.map((f) => f.role)),
    };
    await run(['-', '--stdin-name', '.htaccess'], { stdin: 'OldSure\n', services: { transforms: [spy] } });
    await run(['-', '--stdin-name', 'site.htaccess'], {
      stdin: 'OldSure\n',
      services: { transforms: [spy] },
    });
    expect(roles).toEqual(['htaccess', 'htaccess']);
  });

  test('keeps the other modes', async () => {
    expect(await run(['--check', '-'], { stdin: 'OldSure\n' })).toMatchObject({
      status: 1,
      stdout: 'stdin.conf\n',
    });
    const diff = await run(['--diff', '-'], { stdin: 'OldSure\n' });
    expect(diff).toMatchObject({ status: 1, stdout: expect.stringContaining('--- a/stdin.conf\n') });
    expect(await run(['-w', '-'])).toEqual(usage('standard input (-) cannot be written in place'));
    expect(await run(['-', 'a.conf'])).toEqual(usage('standard input (-) goes with no other path'));
  });

  test('is named where it cannot be used', async () => {
    expect((await run(['-'], { stdin: '\x7fELF\0\x01' })).stderr).toMatch(
      /^httpd-codemod: stdin\.conf: [^\n]+\n$/,
    );
  });

  test('a person is still needed where one is', async () => {
    expect(await run(['-'], { stdin: 'OldHard\n' })).toMatchObject({ status: 1, stdout: 'OldHard\n' });
  });
});

describe('the exit status', () => {
  const hard = { 'a.conf': 'OldHard\n' };
  const soft = { 'a.conf': 'OldSoft\n' };
  const maybe = { 'a.conf': 'OldMaybe\n' };
  test.each<[string, Record<string, string>, string[], number]>([
    ['nothing to do', { 'a.conf': 'Listen 80\n' }, [], 0],
    ['an error for a person', hard, [], 1],
    ['… in every mode', hard, ['--check'], 1],
    ['… after writing', hard, ['-w'], 1],
    ['… as JSON', hard, ['--format=json'], 1],
    ['a warning for a person', soft, [], 0],
    ['--fail-on warning', soft, ['--fail-on', 'warning'], 1],
    ['--fail-on info', soft, ['--fail-on', 'info'], 1],
    ['--fail-on never', hard, ['--fail-on', 'never'], 0],
    ['--fail-on never, changes pending', maybe, ['--fail-on', 'never'], 1],
    ['a reviewed change, written', maybe, ['-w'], 0],
    ['a change held back by --safe-only', maybe, ['-w', '--safe-only'], 1],
    ['… a warning', { 'a.conf': 'OldSure\n' }, ['-w', '--safe-only'], 0],
    ['a rule left out', hard, ['--skip', 'old-hard'], 0],
    ['one rule only', hard, ['--rule', 'old-soft'], 0],
    ['two rules', hard, ['--rule', 'old-soft', '--rule=old-hard'], 1],
  ])('%s', async (_, files, options, status) => {
    const cwd = directory(files);
    expect(await run([...options, 'a.conf'], { cwd })).toMatchObject({ status });
  });

  test('--safe-only says why a change was held back', async () => {
    const cwd = directory(maybe);
    const { stdout, stderr } = await run(['--safe-only', 'a.conf'], { cwd });
    expect(stdout).toBe('');
    expect(unbroken(stderr)).toMatch(/^ 1 ! a\.conf:1: OldMaybe is NewMaybe now \(not applied: .+\)\n/m);
    expect(stderr).toMatch(/^Plan: no changes in 1 file, 0 to review, 1 blocker\n/);
  });
});

describe('bad usage is one line and status 2', () => {
  test.each<[string[], string]>([
    [['-w'], 'no path given'],
    [[''], 'a path is empty'],
    [['--nonsense', 'a.conf'], "unknown option '--nonsense'"],
    [['--chek', 'a.conf'], "unknown option '--chek' (Did you mean --check?)"],
    [['--xyzzy', 'm', 'a.conf'], "unknown option '--xyzzy'"],
    [['--pin-nothing', 'a.conf'], "unknown option '--pin-nothing'"],
    [['--format', 'xml', 'a.conf'], "option '--format <format>' argument 'xml' is invalid. Allowed choices are text, html, markdown, json, sarif, github, gitlab, junit, sh."],
    [['--fail-on', 'x', 'a.conf'], "option '--fail-on <level>' argument 'x' is invalid. Allowed choices are error, warning, info, never."],
    [['--color', 'x', 'a.conf'], "option '--color <when>' argument 'x' is invalid. Allowed choices are auto, always, never."],
    [['--rule'], "option '--rule <id>' argument missing"],
    [['--rule', 'old-shure', 'a.conf'], "unknown rule 'old-shure', did you mean 'old-sure'?"],
    [['--skip', 'zzzzzzzzz', 'a.conf'], "unknown rule 'zzzzzzzzz'"],
    [['rules', 'old-sur'], "unknown rule 'old-sur', did you mean 'old-sure'?"],
    [['rules', 'a', 'b'], "too many arguments for 'rules'. Expected 1 argument but got 2."],
    [['rules', '-w'], 'rules takes no --write'],
    [['--safe-only', 'undo'], 'undo takes no --safe-only'],
    [['undo', '--format', 'text'], 'undo takes no --format'],
    [['why', '-D', 'X', 'message'], 'why takes no -D'],
    [['--check', '-w', 'a.conf'], '--check and --write contradict each other'],
    [['--check', '--diff', 'a.conf'], '--check and --diff contradict each other'],
    [['--dual', '--no-dual', 'a.conf'], '--dual and --no-dual contradict each other'],
    [['--no-dual', '--check', '--dual', 'a.conf'], '--no-dual and --dual contradict each other'],
    [['-D', '=x', 'a.conf'], "-D needs a name: '=x'"],
    [['rules', '--', '--old-sure.say=x'], 'the rules command takes no rule options'],
    [['-', '--', 'x'], 'standard input (-) goes with no other path'],
    [['--rule', '--', 'x'], "unknown rule '--'"],
    [['-0', 'a.conf'], '--null goes with --files-from'],
    [['--files-from', 'x', '-'], 'standard input (-) goes with no other path'],
    [['--config', 'x', '--no-config', 'a.conf'], '--config and --no-config contradict each other'],
    [['-', '--stdin-name', 'a/'], "--stdin-name is no name of a file: 'a/'"],
    [['a.conf', '--', '--old-hat.say=x'], "unknown rule 'old-hat', did you mean 'old-hard'?"],
    [['a.conf', '--', '--old-sure.sya=x'], "rule old-sure has no option 'sya', did you mean 'say'?"],
    [['a.conf', '--', '--old-hard.say=x'], "rule old-hard has no option 'say'"],
    [['a.conf', '--', '--old-sure.say=x', '--old-sure.say=y'], 'rule option --old-sure.say is given twice'],
  ])('%j', async (argv, line) => {
    expect(await run(argv)).toEqual(usage(line));
  }); // prettier-ignore
});

describe('options', () => {
  test('rule options reach their rule', async () => {
    const cwd = twoFiles();
    for (const value of ['spoken', '007', 'true', 'a.b=c', '']) {
      const { stderr } = await run(['a.conf', '-v', '--', `--old-sure.say=${value}`], { cwd });
      expect(stderr).toContain(`+ a.conf:2:1: ${value} [old-sure]\n`);
    }
  });

  test('-D and --server-root reach the reading', async () => {
    const cwd = directory({ 'a.conf': 'Include ${SUB}/x.conf\n', 'root/d/x.conf': 'OldSure\n' });
    const { stdout } = await run(['--check', '-DSUB=d', '--server-root', 'root', 'a.conf'], { cwd });
    expect(stdout).toBe('root/d/x.conf\n');
  });

  test('--help has the exit-status table, --version the version', async () => {
    const help = await run(['--help']);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: httpd-codemod \[options\] \[command\] \[path\.\.\.\]\n/);
    expect(help.stdout).toMatch(/Exit status[^]*\n {2}0 {2}nothing left to do\n {2}1 {2}[^]*\n {2}2 {2}/);
    expect(await run(['--version'])).toEqual({ status: 0, stdout: '1.2.3\n', stderr: '' });
  });

  test('rules lists all, or explains one', async () => {
    const list = await run(['rules']);
    expect(list).toMatchObject({ status: 0, stderr: '' });
    expect(list.stdout.split('\n')[1]).toBe('old-maybe  OldMaybe is renamed');
    expect((await run(['rules', 'old-sure'])).stdout).toBe(
      'old-sure - OldSure is renamed\n\nIt has a new name.\n\nDirectives: OldSure\nSee: upgrading.html#names\nPage: docs/rules/old-sure.md\n',
    );
  });
});

describe('colour', () => {
  const coloured = /\x1b\[3/;
  test.each<[boolean, Record<string, string>, string[], boolean]>([
    [false, {}, [], false],
    [true, {}, [], true],
    [true, { NO_COLOR: '1' }, [], false],
    [true, { NO_COLOR: '' }, [], true],
    [true, { TERM: 'dumb' }, [], false],
    [true, { NO_COLOR: '1' }, ['--color=always'], true],
    [false, {}, ['--color=always'], true],
    [true, {}, ['--color=never'], false],
  ])('terminal %j, environment %j, %j: %j', async (tty, env, options, expected) => {
    const { stdout, stderr } = await run([...options, 'a.conf'], { cwd: twoFiles(), tty, env });
    expect([coloured.test(stdout), coloured.test(stderr)]).toEqual([expected, expected]);
  });

  test('no control character of a configuration reaches a terminal', async () => {
    const evil = '\x1b]0;title\x07\x9b31m';
    const cwd = directory({ [`a\x1b[31m.conf`]: `# ${evil}\nOldSure ${evil}\n` });
    for (const options of [[], ['--color=never'], ['--check'], ['-w', '--diff']]) {
      const { stdout, stderr } = await run([...options, `a\x1b[31m.conf`], { cwd, tty: true });
      const bare = (stdout + stderr).replace(/\x1b\[[0-9;]*m/g, (sgr) => (sgr === '\x1b[31m' ? '' : ''));
      expect(bare).not.toMatch(/[\0-\x08\x0b-\x1f\x7f\x9b]/);
    }
    const { stdout } = await run(['-'], { stdin: evil, tty: true });
    expect(stdout).not.toMatch(/[\x1b\x07]/);
    const missing = await run([`no\x1b[31m.conf`], { cwd, tty: true });
    expect(missing.stderr).not.toContain('\x1b');
  });
});

describe('progress', () => {
  test('shows on a terminal when a run takes long, and leaves no trace', async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.conf`, 'Listen 80\n']));
    const cwd = directory(files);
    let clock = 0;
    const now = (): number => (clock += 60);
    const { stderr } = await run(Object.keys(files), { cwd, tty: true, now, env: { NO_COLOR: '1' } });
    expect(stderr).toMatch(
      /^(\r\x1b\[K\d+ files read(?:, [0-9.]+ a second)?)+\r\x1b\[K(?:(?:asking|checking the result): [^\r]*\r\x1b\[K)*Plan: no changes/,
    );
    expect((await run(Object.keys(files), { cwd, now })).stderr).not.toContain('\r');
    expect((await run(Object.keys(files), { cwd, tty: true })).stderr).not.toContain('\r');
  });
});

describe('trouble', () => {
  test('Includes in a circle: a finding that a person must resolve, and nothing is written', async () => {
    const cwd = directory({ 'a.conf': 'OldSure on\nInclude b.conf\n', 'b.conf': 'Include a.conf\n' });
    const message = 'a.conf includes itself this way: no httpd starts with it';
    const seen = await run(['a.conf'], { cwd });
    expect(seen.status).toBe(1);
    expect(seen.stderr).toContain(` 1 ! b.conf:1: ${message}\n`);
    expect(await run(['-w', 'a.conf'], { cwd })).toEqual(trouble(`b.conf:1: ${message}; nothing written`));
    expect(read(cwd, 'a.conf')).toBe('OldSure on\nInclude b.conf\n');
  });

  test('Includes in a circle that a conditional may break are written', async () => {
    const cwd = directory({
      'a.conf': 'OldSure on\nInclude b.conf\n',
      'b.conf': '<IfDefine Again>\nInclude a.conf\n</IfDefine>\n',
    });
    const answer = await run(['-w', 'a.conf'], { cwd });
    // What a server with the name defined reads is not known.
    expect(answer.status).toBe(1);
    expect(answer.stderr).toContain(' 1 ! b.conf:2: a.conf includes itself');
    expect(read(cwd, 'a.conf')).toBe('NewSure on\nInclude b.conf\n');
  });

  test('a missing path, a directory without configuration, a binary file', async () => {
    const cwd = directory({
      'dir/readme.txt': 'x\n',
      'a.conf': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]).toString('latin1'),
    });
    expect(await run(['none.conf'], { cwd })).toEqual(trouble('none.conf: no such file or directory'));
    expect(await run(['dir'], { cwd })).toEqual(trouble('dir: no httpd configuration found'));
    const binary = await run(['a.conf'], { cwd });
    expect(binary).toMatchObject({ status: 2, stdout: '' });
    expect(binary.stderr).toMatch(/^httpd-codemod: a\.conf: [^\n]+\n$/);
  });

  test('a rewrite that a second run would change again is taken back', async () => {
    const restless = renames('restless', 'OldSure', {});
    const again: Transform = {
      ...restless,
      run: (context) =>
        context.directives(['OldSure'], (node, { file }) => {
          const edits = [{ start: node.to, end: node.to, text: ' more' }];
          context.report({ file, at: node.from, level: 'info', safety: 'safe', message: 'm', edits });
        }),
    };
    const cwd = twoFiles();
    const answer = await run(['-w', '-v', 'a.conf'], { cwd, services: { transforms: [again] } });
    expect(answer).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        'i a.conf:2:1: m (not applied: a second run would change the result again) [restless',
      ),
    });
    expect(read(cwd, 'a.conf')).toBe('# first\nOldSure on\n');
  });

  test('what cannot be read below a directory is named, and the rest is written', async () => {
    const cwd = directory({
      'httpd.conf': 'ServerRoot /\nOldSure\n',
      'www/.htaccess': 'OldSure\n',
      'www/x/.htaccess': '',
    });
    const source: FileSource = {
      ...disk,
      read(path) {
        if (path.endsWith('x/.htaccess')) throw new SourceError(path, 'EACCES', 'permission denied');
        return disk.read(path);
      },
    };
    const answer = await run(['-w', 'httpd.conf', 'www'], { cwd, services: { source } });
    expect(answer).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        ' 1 ! www/x/.htaccess:1: cannot be read: permission denied; it is left as it is\n',
      ),
    });
    expect(read(cwd, 'httpd.conf')).toContain('NewSure');
  });

  test('an unexpected exception is one line, with its stack only under DEBUG', async () => {
    const broken: Transform = {
      ...transforms[0]!,
      run: () => {
        throw new Error('oh\x1b');
      },
    };
    const setting = { cwd: twoFiles(), services: { transforms: [broken] } };
    const answer = await run(['-w', 'a.conf'], setting);
    expect(answer).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^ 1 ! a\.conf:1: a fault of the rule [\w-]+ itself: oh : nothing that [^\n\x1b]*\n/m,
      ),
    });
    const debug = await run(['-w', 'a.conf'], { ...setting, env: { DEBUG: '1' } });
    expect(debug.stderr).toContain('    at ');
    expect(read(setting.cwd, 'a.conf')).toBe('# first\nOldSure on\n');
  });

  test('output that cannot be written', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' });
    const services = { openStore: async () => Promise.reject(full) };
    expect(await run(['-w', 'a.conf'], { cwd: twoFiles(), services })).toEqual(
      trouble('cannot write the output: ENOSPC: no space left on device, write'),
    );
  });
});

// Made outside of the test: it is removed after all tests.
const damagedState = stateDirectory();

describe('undo', () => {
  // A state of its own: what other tests have written is not to be taken back.
  const services = { openStore: storeIn(stateDirectory()) };
  test('takes the last write back, and lists what can be', async () => {
    const cwd = twoFiles();
    expect(await run(['undo', '--list'], { cwd, services })).toEqual({ status: 0, stdout: '', stderr: '' });
    await run(['-w', 'a.conf'], { cwd, services });
    const { stdout } = await run(['undo', '--list'], { cwd, services });
    expect(stdout).toMatch(/^\w+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}1 file {2}1 kB {2}/);
    expect(stdout).toContain(`${cwd}: a.conf\n`);
    expect(await run(['undo', '--yes'], { cwd, services })).toEqual({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^The write of \d.+ UTC, started in .*, has changed:\n {2}\/.*\/a\.conf\nTook back the write of \d.+ UTC: 1 file restored\.\n$/,
      ) as string,
    });
    expect(read(cwd, 'a.conf')).toBe('# first\nOldSure on\n');
    expect(await run(['undo', '--yes'], { cwd, services })).toEqual(trouble('no write to take back'));
  });

  test('refuses where a file changed, and leaves it when told to', async () => {
    const cwd = directory({ 'a.conf': 'OldSure\n', 'b.conf': 'OldSure\n' });
    await run(['-w', 'a.conf', 'b.conf'], { cwd, services });
    fs.writeFileSync(join(cwd, 'b.conf'), 'mine\n');
    const refused = await run(['undo', '--yes'], { cwd, services });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(
      `\nhttpd-codemod: ${cwd}/b.conf: changed since it was written (--keep-changed leaves such files and takes back the others); nothing taken back\n`,
    );
    expect((await run(['undo', '--yes', '--keep-changed'], { cwd, services })).stderr).toMatch(
      /b\.conf: changed since it was written: left as it is\nTook back .*: 1 file restored\.\n$/,
    );
    expect([read(cwd, 'a.conf'), read(cwd, 'b.conf')]).toEqual(['OldSure\n', 'mine\n']);
  });

  test('shows what it takes back, and asks', async () => {
    const cwd = twoFiles();
    await run(['-w', 'a.conf'], { cwd, services });
    const shown = /^The write of \d.+ UTC, started in \/.*, has changed:\n {2}\/.*\/a\.conf\n/;
    const nobody = await run(['undo'], { cwd, services });
    expect(nobody).toMatchObject({ status: 2, stderr: expect.stringMatching(shown) as string });
    expect(nobody.stderr).toMatch(/\nhttpd-codemod: there is no terminal to ask on: --yes takes it back\n$/);
    const no = await run(['undo'], { cwd, services, answer: '' });
    expect(no).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/Take back 1 file\? \[y\/N\] Nothing taken back\.\n$/) as string,
    });
    for (const argv of [
      ['undo', '--check'],
      ['--check', 'undo'],
    ])
      expect(await run(argv, { cwd, services })).toEqual({
        status: 1,
        stdout: `${cwd}/a.conf\n`,
        stderr: '',
      });
    expect(read(cwd, 'a.conf')).toBe('# first\nNewSure on\n');
    const yes = await run(['undo'], { cwd, services, answer: 'y' });
    expect(yes).toMatchObject({ status: 0, stderr: expect.stringMatching(/Took back/) as string });
    expect(read(cwd, 'a.conf')).toBe('# first\nOldSure on\n');
  });

  test('takes back what was written at or below the working directory or the paths, or by id', async () => {
    const [here, elsewhere] = [twoFiles(), twoFiles()];
    await run(['-w', 'a.conf'], { cwd: here, services });
    await run(['-w', 'a.conf'], { cwd: elsewhere, services });
    const other = directory({});
    const none = (where: string): string =>
      `no write that can be taken back has touched ${where} (undo --list lists all)`;
    expect(await run(['undo', '--yes'], { cwd: other, services })).toEqual(trouble(none(other)));
    expect(await run(['undo', '--yes', 'b.conf'], { cwd: here, services })).toEqual(trouble(none('b.conf')));
    expect((await run(['undo', '--yes'], { cwd: here, services })).status).toBe(0);
    expect([read(here, 'a.conf'), read(elsewhere, 'a.conf')]).toEqual([
      '# first\nOldSure on\n',
      '# first\nNewSure on\n',
    ]);
    const [id = ''] = (await run(['undo', '--list'], { cwd: here, services })).stdout.split(' ');
    expect((await run(['undo', '--yes', id], { cwd: other, services })).status).toBe(0);
    expect(read(elsewhere, 'a.conf')).toBe('# first\nOldSure on\n');
  });

  test('--repair puts damaged journals aside', async () => {
    const damaged = { openStore: storeIn(damagedState) };
    const cwd = twoFiles();
    await run(['-w', 'a.conf'], { cwd, services: damaged });
    const [id = ''] = (await run(['undo', '--list'], { cwd, services: damaged })).stdout.split(' ');
    fs.rmSync(join(damagedState, 'httpd-codemod/writes', id, 'store'));
    expect(await run(['undo', '--list'], { cwd, services: damaged })).toEqual({
      status: 0,
      stdout: '',
      stderr: `httpd-codemod: the journal ${id} cannot be read: its file store is gone (httpd-codemod undo --repair puts it aside)\n`,
    });
    expect((await run(['undo', '--repair'], { cwd, services: damaged })).stderr).toBe(
      `${id}: its file store is gone. It now lies in ${damagedState}/httpd-codemod/damaged/${id}; its write can no longer be taken back.\n`,
    );
    expect(await run(['undo', '--list'], { cwd, services: damaged })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('--prune forgets, and options that contradict each other are refused', async () => {
    const cwd = twoFiles();
    await run(['undo', '--prune'], { cwd, services });
    await run(['-w', 'a.conf'], { cwd, services });
    expect((await run(['undo', '--prune'], { cwd, services })).stderr).toBe('1 write forgotten.\n');
    expect(await run(['undo', '--yes'], { cwd, services })).toEqual(trouble('no write to take back'));
    expect(await run(['undo', '--prune', '--list'], { cwd, services })).toEqual(
      usage('--list and --prune contradict each other'),
    );
    expect(await run(['undo', '--check', '--list'], { cwd, services })).toEqual(
      usage('--check and --list contradict each other'),
    );
    expect(await run(['undo', '--list', 'x'], { cwd, services })).toEqual(
      usage('--list takes nothing back: give it alone'),
    );
  });
});

describe('--backup and --follow', () => {
  test('--backup leaves copies beside', async () => {
    const cwd = twoFiles();
    expect(await run(['-w', '--backup', 'a.conf'], { cwd })).toMatchObject({ status: 0 });
    expect([read(cwd, 'a.conf'), read(cwd, 'a.conf.bak')]).toEqual([
      '# first\nNewSure on\n',
      '# first\nOldSure on\n',
    ]);
    expect(await run(['--backup', 'a.conf'], { cwd })).toEqual(usage('--backup goes with --write'));
    expect(await run(['-w', '--backup=/x', 'a.conf'], { cwd })).toEqual(
      usage("--backup takes an ending, not a path: '/x'"),
    );
  });

  test('--backup refuses where an Include would read the copy', async () => {
    const cwd = directory({ 'httpd.conf': 'Listen 80\nInclude sites/*\n', 'sites/a': 'OldSure\n' });
    expect(await run(['-w', '--backup=.2', 'httpd.conf'], { cwd })).toEqual(
      trouble(
        'sites/a.2: an Include would read this copy: choose another ending, or leave out --backup (httpd-codemod undo needs none)',
      ),
    );
    expect(read(cwd, 'sites/a')).toBe('OldSure\n');
  });

  describe('files outside of the paths given', () => {
    /** A server in `t` that reads `o/a` and serves `w`. */
    const server = (): string => {
      const cwd = directory({
        't/httpd.conf': '',
        't/b': 'OldSure\n',
        'o/a': 'OldSure\n',
        'w/x/.htaccess': 'OldSure\n',
      });
      fs.writeFileSync(
        join(cwd, 't/httpd.conf'),
        `ServerRoot ${cwd}/t\nInclude ${cwd}/o/a\nInclude b\nDocumentRoot ${cwd}/w\n`,
      );
      return cwd;
    };
    const texts = (cwd: string): string[] => ['t/b', 'o/a', 'w/x/.htaccess'].map((name) => read(cwd, name));
    const [old, converted] = ['OldSure\n', 'NewSure\n'];
    const left =
      'httpd-codemod: not written: o/a, 1 .htaccess below w, outside of the paths given: add --follow to write all of it\n';

    test('are shown, and counted by place', async () => {
      const cwd = server();
      const { status, stdout, stderr } = await run(['t'], { cwd });
      expect([status, stdout.match(/^\+\+\+ .*/gm)]).toEqual([
        1,
        ['+++ b/o/a', '+++ b/t/b', '+++ b/w/x/.htaccess'],
      ]);
      expect(unbroken(stderr)).toContain(
        'Plan: 3 changes in 3 files (+3 -3 lines) (read: 2 files below t, o/a, 1 .htaccess below w), ',
      );
      expect(texts(cwd)).toEqual([old, old, old]);
      expect(stderr).toContain('     $ httpd-codemod --write --follow t\n');
      for (const argv of [['t/b'], ['--follow', 't']])
        expect((await run(argv, { cwd })).stderr).toContain(
          `     $ httpd-codemod --write ${argv.join(' ')}\n`,
        );
    });

    test('are written with --follow only', async () => {
      const cwd = server();
      const within = await run(['-w', 't'], { cwd });
      expect(within.status).toBe(1);
      expect(within.stderr.startsWith(left)).toBe(true);
      expect(within.stderr).not.toContain('left out');
      expect(texts(cwd)).toEqual([converted, old, old]);
      expect(await run(['-w', '--follow', 't'], { cwd })).toMatchObject({ status: 0 });
      expect(texts(cwd)).toEqual([converted, converted, converted]);
    });

    test.each([
      ['y', converted, 0],
      ['n', old, 1],
      ['', old, 1],
    ])('a person at the terminal is asked: %j', async (answer, text, status) => {
      const cwd = server();
      const result = await run(['-w', 't'], { cwd, answer });
      expect(result.stderr).toContain(
        'The change takes in o/a, 1 .htaccess below w, outside of the paths given. Write these too? [y/N] ',
      );
      expect([result.status, ...texts(cwd)]).toEqual([status, converted, text, text]);
      expect(result.stderr.includes(left)).toBe(status === 1);
    });

    test('are in a saved plan as they would be written', async () => {
      const cwd = server();
      const writeOutput = (path: string, text: string): void => fs.writeFileSync(path, text, 'latin1');
      const planned = async (argv: readonly string[]): Promise<string[]> => {
        await run([...argv, '--plan', 'p.json', 't'], { cwd, services: { writeOutput } });
        const plan = JSON.parse(read(cwd, 'p.json')) as {
          changes: { path: string }[];
          options: { follow: boolean };
        };
        return [String(plan.options.follow), ...plan.changes.map(({ path }) => path.slice(cwd.length + 1))];
      };
      expect(await planned([])).toEqual(['false', 't/b']);
      expect(await planned(['--follow'])).toEqual(['true', 'o/a', 't/b', 'w/x/.htaccess']);
    });

    test('behind a link out of a directory given', async () => {
      const cwd = directory({ 't/.htaccess': old, 'o/.htaccess': old });
      fs.symlinkSync('../o', join(cwd, 't/x'));
      expect((await run(['--check', 't'], { cwd })).stdout).toBe('t/.htaccess\no/.htaccess\n');
      expect((await run(['-w', 't'], { cwd })).stderr).toContain(
        'not written: o/.htaccess, outside of the paths given',
      );
      expect([read(cwd, 't/.htaccess'), read(cwd, 'o/.htaccess')]).toEqual([converted, old]);
    });
  });
});

describe('without any path', () => {
  const conf = 'ServerRoot "/etc/httpd"\nInclude conf.d/*.conf\n';
  const files = { 'web1/etc/httpd/conf/httpd.conf': conf, 'web1/etc/httpd/conf.d/a.conf': 'OldSure\n' };

  test('the copy of a server below the working directory is read, and that is said', async () => {
    const cwd = directory(files);
    const { status, stdout, stderr } = await run(['--check'], { cwd: join(cwd, 'web1') });
    expect([status, stdout]).toEqual([1, 'etc/httpd/conf.d/a.conf\n']);
    expect(stderr).toMatch(
      /^httpd-codemod: no path given: reading \/.*\/web1\/etc\/httpd, the server below the working directory\n/,
    );
  });

  test('else the server of this machine', async () => {
    const machine = new Map([
      ['/etc/apache2/apache2.conf', 'Listen 80\nOldSure\n'],
      ['/home/x/notes', ''],
    ]);
    const source = { ...memory(machine), isMachine: true as const };
    const { stdout, stderr } = await run(['--check'], { cwd: '/home/x', services: { source } });
    expect(stdout).toBe('/etc/apache2/apache2.conf\n');
    expect(stderr).toContain('no path given: reading /etc/apache2, the server of this machine\n');
  });

  test('nothing is written, nor where there is no server', async () => {
    const cwd = join(directory(files), 'web1');
    for (const argv of [['-w'], ['--plan', 'x.json'], ['-i']])
      expect(await run(argv, { cwd })).toEqual(usage('no path given'));
    expect(
      await run([], { cwd: '/home/x', services: { source: memory(new Map([['/home/x/notes', '']])) } }),
    ).toEqual(usage('no path given'));
  });
});

describe('the shipped command', () => {
  const script = join(__dirname, '../../bin/httpd-codemod.js');
  const old = 'MaxClients 5\n';

  /** A diff of so many is some 300 kB: a pipe holds 64 kB. */
  const HUNKS = 5000;

  interface SpawnSetting {
    readonly cwd: string;
    readonly input?: string;
  }

  function command(argv: readonly string[], { cwd, input }: SpawnSetting): CliOutput {
    const env = { PATH: process.env['PATH'], XDG_STATE_HOME: state };
    const done = spawnSync(process.execPath, [script, ...argv], {
      cwd,
      input: input ?? '',
      encoding: 'latin1',
      env,
    });
    return { status: done.status ?? -1, stdout: done.stdout, stderr: done.stderr };
  }

  /** The command as a user who may not do everything. */
  function asNobody(argv: readonly string[], cwd: string): CliOutput {
    const home = directory({ 'command.cjs': '' });
    fs.copyFileSync(join(__dirname, '../../dist/httpd-codemod.cjs'), join(home, 'command.cjs'));
    fs.chmodSync(home, 0o755);
    const root = process.getuid?.() === 0;
    if (root) fs.chownSync(home, 65534, 65534);
    const done = spawnSync(process.execPath, [join(home, 'command.cjs'), ...argv], {
      cwd,
      encoding: 'latin1',
      env: { XDG_STATE_HOME: home },
      ...(root ? { uid: 65534, gid: 65534 } : {}),
    });
    return { status: done.status ?? -1, stdout: done.stdout, stderr: done.stderr };
  }

  test('the three exit statuses', () => {
    const cwd = directory({ 'a.conf': old });
    expect(command(['a.conf'], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('\n-MaxClients 5\n'),
    });
    expect(command(['-w', 'a.conf'], { cwd })).toMatchObject({ status: 0, stdout: '' });
    expect(command(['a.conf'], { cwd })).toMatchObject({ status: 0, stdout: '' });
    expect(command(['b.conf'], { cwd })).toEqual(trouble('b.conf: no such file or directory'));
  });

  test('what is executed lies in the package: no flag for the engine, nothing kept from an earlier run', () => {
    const bundle = fs.readFileSync(join(__dirname, '../../dist/httpd-codemod.cjs'), 'latin1');
    expect(bundle).not.toMatch(/setFlagsFromString|cachedData|enableCompileCache/);
    expect(fs.readdirSync(join(__dirname, '../../bin')).toSorted()).toEqual([
      'collect.sh',
      'httpd-codemod.js',
      'install.sh',
    ]);
  });

  test('stdin to stdout', () => {
    const cwd = directory({});
    const answer = command(['-'], { cwd, input: `# \xe9\r\n${old}` });
    expect(answer.status).toBe(0);
    expect(answer.stdout).toMatch(/^# \xe9\r\n(?!MaxClients)\w+ 5\n$/);
  });

  test('stdin that is a directory, a working directory that is gone', () => {
    const cwd = directory({});
    const shell = (line: string): CliOutput => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line, process.execPath, script], {
        cwd,
        encoding: 'latin1',
      });
      return { status: status ?? -1, stdout, stderr };
    };
    expect(shell('"$0" "$1" - <.')).toEqual(
      trouble('standard input: EISDIR: illegal operation on a directory, read'),
    );
    const gone = shell('mkdir gone && cd gone && rmdir ../gone && "$0" "$1" a.conf');
    expect(gone).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^httpd-codemod: ENOENT[^\n]*\n$/),
    });
  });

  test('usage errors', () => {
    const cwd = directory({ 'a.conf': old });
    expect(command(['--write'], { cwd })).toEqual(usage('no path given'));
    expect(command(['--frobnicate', 'a.conf'], { cwd })).toEqual(usage("unknown option '--frobnicate'"));
    expect(command(['--rule', 'max-client', 'a.conf'], { cwd })).toEqual(
      usage("unknown rule 'max-client', did you mean 'max-clients'?"),
    );
  });

  test('--version is the package’s', () => {
    const { version } = JSON.parse(fs.readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(command(['--version'], { cwd: '/' })).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('a binary file, a directory without configuration, a file far too large', () => {
    const cwd = directory({ 'bin.conf': '\x7fELF\0\0\x01', 'docs/readme.txt': 'nothing here\n' });
    fs.closeSync(fs.openSync(join(cwd, 'big.conf'), 'w'));
    fs.truncateSync(join(cwd, 'big.conf'), 100 * 1024 * 1024);
    for (const path of ['bin.conf', 'docs', 'big.conf']) {
      const answer = command([path], { cwd });
      expect(answer).toMatchObject({ status: 2, stdout: '' });
      expect(answer.stderr).toMatch(new RegExp(`^httpd-codemod: ${path}: [^\\n]+\\n$`));
    }
  });

  test('a file that may not be read', () => {
    const cwd = directory({ 'a.conf': old });
    fs.chmodSync(join(cwd, 'a.conf'), 0);
    expect(asNobody(['a.conf'], cwd)).toEqual(trouble('a.conf: permission denied'));
  });

  test('a file that may not be written, a directory that may not', () => {
    const cwd = directory({ 'a.conf': old });
    if (process.getuid?.() !== 0) fs.chmodSync(join(cwd, 'a.conf'), 0o444);
    const file = asNobody(['-w', 'a.conf'], cwd);
    expect(file).toEqual(trouble('a.conf: cannot write: permission denied; nothing written'));
    fs.chmodSync(join(cwd, 'a.conf'), 0o666);
    if (process.getuid?.() !== 0) fs.chmodSync(cwd, 0o555);
    const inside = asNobody(['-w', 'a.conf'], cwd);
    expect(inside).toEqual(trouble('a.conf: cannot write: permission denied; nothing written'));
    fs.chmodSync(cwd, 0o755);
    expect(read(cwd, 'a.conf')).toBe(old);
    expect(fs.readdirSync(cwd)).toEqual(['a.conf']);
  });

  test('Ctrl-C in the midst of a write: nothing is written, and one line says so', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`${i}/a.conf`, old]));
    const cwd = directory(files);
    const home = directory({});
    const child = spawn(process.execPath, [script, '-q', '-w', '.'], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], XDG_STATE_HOME: home },
    });
    let stderr = '';
    child.stderr.setEncoding('latin1').on('data', (chunk: string) => (stderr += chunk));
    const pending = join(home, 'httpd-codemod/pending');
    const timer = setInterval(() => {
      if (!fs.existsSync(pending) || fs.readdirSync(pending).length === 0) return;
      clearInterval(timer);
      child.kill('SIGINT');
    }, 1);
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, stderr]).toEqual([2, 'httpd-codemod: interrupted; nothing written\n']);
    expect(snapshot(cwd)).toEqual(files);
  });

  test('a run that looks says when it may see half of a write', () => {
    const cwd = directory({ 'a.conf': old });
    fs.mkdirSync(join(state, 'httpd-codemod/pending/x'), { recursive: true });
    expect(command(['-q', 'a.conf'], { cwd }).stderr).toMatch(
      /^httpd-codemod: a write is running or was interrupted, [^\n]+\n$/,
    );
    fs.rmdirSync(join(state, 'httpd-codemod/pending/x'));
    expect(command(['-q', 'a.conf'], { cwd }).stderr).toBe('');
  });

  test('only a write to files that are looked at is one to warn of', () => {
    const cwd = directory({ 'a.conf': old, 'b/c.conf': old, 'b/.htaccess': '' });
    const journal = join(state, 'httpd-codemod/pending/x');
    fs.mkdirSync(journal, { recursive: true });
    const entry = {
      path: join(cwd, 'b/c.conf'),
      mode: 0o644,
      uid: 0,
      gid: 0,
      atime: '1',
      mtime: '1',
      at: 0,
      size: 0,
      old: '',
      new: '',
    };
    const header = {
      version: 1,
      kind: 'write',
      id: 'x',
      started: '2024-01-01T00:00:00Z',
      cwd,
      paths: ['b'],
      files: 1,
    };
    fs.writeFileSync(
      join(journal, 'journal'),
      [header, { entry }, { ready: true }].map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const warned = (path: string): boolean =>
      command(['-q', path], { cwd }).stderr.includes('a write is running or was interrupted');
    expect(['a.conf', 'b/.htaccess', 'b/c.conf', 'b'].map(warned)).toEqual([false, false, true, true]);
    fs.rmSync(journal, { recursive: true });
  });

  test('a reader that closes the pipe is no trouble', async () => {
    const cwd = directory({ 'a.conf': `${old}\n\n\n\n\n\n\n`.repeat(HUNKS) });
    const child = spawn(process.execPath, [script, 'a.conf'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('latin1').on('data', (chunk: string) => (stderr += chunk));
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect(status).toBe(1);
    expect(stderr).toContain('Plan: 5000 changes in 1 file');
    expect(stderr).not.toMatch(/EPIPE|    at /);
  });

  test('a closed stdout, a full disk', () => {
    const cwd = directory({ 'a.conf': old });
    const shell = (redirect: string): CliOutput => {
      const args = ['-c', `"$0" "$1" a.conf ${redirect}`, process.execPath, script];
      // No writes of others are spoken of.
      const env = { ...process.env, XDG_STATE_HOME: cwd };
      const { status, stdout, stderr } = spawnSync('sh', args, { cwd, encoding: 'latin1', env });
      return { status: status ?? -1, stdout, stderr };
    };
    const full = shell('>/dev/full');
    expect(full.status).toBe(2);
    expect(full.stderr).toMatch(/^httpd-codemod: cannot write the output: ENOSPC[^\n]*\n$/);
    expect(shell('2>/dev/full').status).toBe(2);
    expect(shell('>&-').status).toBe(1);
  });

  test('a slow reader gets every byte', async () => {
    const cwd = directory({ 'a.conf': `${old}\n\n\n\n\n\n\n`.repeat(HUNKS) });
    const child = spawn(process.execPath, [script, 'a.conf'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => setTimeout(resolve, 500));
    let stdout = '';
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => (stdout += chunk));
    await new Promise((resolve) => child.on('close', resolve));
    expect(stdout.match(/^-MaxClients 5$/gm)).toHaveLength(HUNKS);
    expect(spawnSync('git', ['apply', '-'], { cwd, input: stdout })).toMatchObject({ status: 0 });
    expect(read(cwd, 'a.conf')).not.toContain('MaxClients');
  });
});
