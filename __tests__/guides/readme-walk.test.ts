import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../testing/run/command';
import { gitWith } from '../../testing/run/git';

// What somebody does who has the README and nothing else: convert the examples, understand each hunk, answer what is left, undo,
// install the hook. Every command stands in the README.

const HOME = join(__dirname, '../..');
const readme = fs.readFileSync(join(HOME, 'README.md'), 'utf8');

let scratch: string;
beforeAll(() => {
  scratch = fs.mkdtempSync(join(tmpdir(), 'readme-'));
  fs.cpSync(join(HOME, 'examples'), join(scratch, 'work/examples'), { recursive: true });
});
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(program: string, args: readonly string[]): Ran {
  const { env } = gitWith(join(scratch, 'state'));
  return spawnSync(program, args, { cwd: join(scratch, 'work'), encoding: 'utf8', env });
}

const codemod = (...args: readonly string[]): Ran =>
  start(process.execPath, [join(HOME, 'bin/httpd-codemod.js'), ...args]);

/** The files below examples/, by name. */
function examples(): Record<string, string> {
  const home = join(scratch, 'work/examples');
  const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(join(home, name)).isFile());
  return Object.fromEntries(
    files.toSorted().map((name) => [name, fs.readFileSync(join(home, name), 'utf8')]),
  );
}

interface ReadmeReport {
  readonly files: readonly { readonly path: string; readonly diff?: string }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly path: string;
    readonly state: string;
    readonly message: string;
    readonly edits: readonly { readonly start: number }[];
  }[];
}

/** The hunks of a diff, each from its `@@` line on. */
const hunksOf = (diff: string): string[] => diff.split(/^(?=@@ )/m).slice(1);

const report = (...args: readonly string[]): ReadmeReport =>
  JSON.parse(codemod('--format', 'json', ...args, 'examples').stdout) as ReadmeReport;

test('the commands of this walk stand in the README', () => {
  for (const text of [
    'httpd-codemod examples',
    'httpd-codemod --write ',
    '`httpd-codemod rules [ID]`',
    '`--pin-defaults`',
    '`httpd-codemod undo`',
    '`undo --yes`',
    '`httpd-codemod hook install`',
    '`--modules FILE`',
  ])
    expect(readme).toContain(text);
});

test('the README can be read in two minutes, and what it links to is there', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(121);
  const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((path) => !fs.existsSync(join(HOME, path)))).toEqual([]);
});

test('the diff in the README is what the command prints', () => {
  const { status, stdout } = codemod('examples');
  expect(status).toBe(1);
  const [, shown = ''] = /^```diff\n([^]*?)^```$/m.exec(readme) ?? [];
  expect(shown.split('\n').length).toBeGreaterThan(8);
  expect(stdout).toContain(shown);
});

test('the report in its guide is what the command prints', () => {
  const guide = fs.readFileSync(join(HOME, 'docs/guides/report.md'), 'utf8');
  const [, shown = ''] = /^```\n(This is [^]*?)^```$/m.exec(guide) ?? [];
  expect(shown.split('\n').length).toBeGreaterThan(10);
  expect(codemod('examples').stderr).toContain(shown);
});

test('each hunk has a finding that gives its reason, and a rule that explains it', async () => {
  const { files, findings } = report();
  const rules = new Set<string>();
  let hunks = 0;
  for (const { path, diff = '' } of files) {
    const text = fs.readFileSync(join(scratch, 'work', path), 'utf8');
    const here = findings.filter((finding) => finding.path === path);
    for (const hunk of hunksOf(diff)) {
      hunks++;
      const [, first = '', count = '1'] = /^@@ -([0-9]+)(?:,([0-9]+))? /.exec(hunk) ?? [];
      const isInHunk = ({ start: at }: { readonly start: number }): boolean => {
        const line = text.slice(0, at).split('\n').length;
        return line >= Number(first) && line <= Number(first) + Number(count);
      };
      const reasons = here.filter(({ edits }) => edits.some(isInHunk));
      expect({ path, hunk, reasons: reasons.length }).not.toMatchObject({ reasons: 0 });
      for (const { rule } of reasons) rules.add(rule);
    }
  }
  expect(hunks).toBeGreaterThan(7);
  for (const rule of rules) {
    const { status, stdout } = await command(['rules', rule]);
    expect([rule, status, stdout.length > 100]).toEqual([rule, 0, true]);
  }
});

test('what is left is answered: the defaults by an option, the modules by a list', () => {
  const open = (found: ReadmeReport): string[] =>
    found.findings.filter(({ edits }) => edits.length === 0).map(({ rule }) => rule);
  expect(open(report())).toEqual(expect.arrayContaining(['minor-defaults-unset']));
  // What is then left are commands, which --format sh prints.
  expect(open(report('--pin-defaults'))).toEqual(['package-layout']);
  const assumed = report().findings.find(
    ({ rule, message }) => rule === 'load-module' && message.includes('MPM'),
  );
  expect(assumed?.state).toBe('review');
  fs.writeFileSync(
    join(scratch, 'modules.txt'),
    'Loaded Modules:\n core_module (static)\n so_module (static)\n mpm_event_module (shared)\n authz_core_module (shared)\n',
  );
  const answered = report('--modules', join(scratch, 'modules.txt')).findings;
  expect(answered.filter(({ message }) => message.includes('it was 2.2'))).toEqual([]);
});

test('written, run again, and taken back byte for byte', () => {
  const before = examples();
  expect(codemod('--write', 'examples').status).toBe(0);
  expect(Object.keys(examples())).toEqual(Object.keys(before));
  expect(examples()).not.toEqual(before);
  const again = codemod('examples');
  expect([again.status, again.stdout]).toEqual([0, '']);
  expect(codemod('undo', '--yes').status).toBe(0);
  expect(examples()).toEqual(before);
});

test('the hook stops a commit of lines for 2.2, and lets their conversion through', () => {
  const git = (...args: readonly string[]): Ran => start('git', args);
  expect(git('init', '--quiet').status).toBe(0);
  expect(codemod('hook', 'install').status).toBe(0);
  git('add', '--all');
  const stopped = git('commit', '--message', 'as it was');
  expect(stopped.status).not.toBe(0);
  expect(stopped.stdout + stopped.stderr).toContain('+    Require all denied');
  expect(codemod('--write', 'examples').status).toBe(0);
  git('add', '--all');
  expect(git('commit', '--quiet', '--message', 'for 2.4')).toMatchObject({ status: 0 });
});
