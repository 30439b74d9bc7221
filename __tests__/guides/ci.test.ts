import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Git, gitWith } from '../../testing/run/git';

// What the guide for CI tells people to put into their repositories, with the commands in it run as the runner would.

const root = join(__dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8');

/** The block of code below a heading. */
function block(heading: string): string {
  const section = guide.slice(guide.indexOf(`\n## ${heading}\n`));
  const [, text = ''] = /^```[a-z]+\n([^]*?)^```$/m.exec(section) ?? [];
  return text;
}

/** A repository with something to convert, and one without. */
let project: string;
let clean: string;
let env: NodeJS.ProcessEnv;
let git: Git['git'];
let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'ci-'));
  project = join(scratch, 'project');
  cpSync(join(root, 'examples'), join(project, 'conf'), { recursive: true });
  // npx would fetch what is not published.
  const programs = join(scratch, 'bin');
  mkdirSync(programs);
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes httpd-codemod" ] || exit 9\nshift 2\nexec '${process.execPath}' '${root}/bin/httpd-codemod.js' "$@"\n`;
  writeFileSync(join(programs, 'npx'), npx);
  // The checkout is built already.
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\necho "npm $* in $PWD"\n');
  for (const name of ['npx', 'npm']) chmodSync(join(programs, name), 0o755);
  const ours = gitWith(join(scratch, 'state'));
  git = ours.git;
  env = { ...ours.env, PATH: `${programs}:${process.env['PATH']}` };
  // What a runner has checked out.
  clean = join(scratch, 'clean');
  mkdirSync(join(clean, 'conf'), { recursive: true });
  writeFileSync(join(clean, 'conf/part.conf'), '<Directory /srv>\n    Require all granted\n</Directory>\n');
  for (const repository of [project, clean]) {
    git(repository, 'init', '--quiet');
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--message', 'As it is');
  }
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const sh = (line: string, cwd = project): number | null =>
  spawnSync('sh', ['-e', '-c', line], { cwd, env, encoding: 'utf8' }).status;

test('GitHub: the action has the input, and its command annotates the lines', () => {
  const workflow = parse(block('GitHub')) as {
    jobs: Record<string, { steps: { uses: string; with?: Record<string, string> }[] }>;
  };
  const [job] = Object.values(workflow.jobs);
  const step = job?.steps.find(({ uses }) => uses.startsWith('httpd-codemod/'));
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default: string }>;
    runs: { steps: { run: string; env?: Record<string, string> }[] };
  };
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? { none: '' })));
  const steps = (cwd: string): { status: number | null; stdout: string }[] =>
    action.runs.steps.map(({ run }) =>
      spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
        cwd,
        encoding: 'utf8',
        env: {
          ...env,
          GITHUB_ACTION_PATH: root,
          PATHS: step?.with?.['paths'],
          ARGUMENTS: action.inputs['arguments']?.default,
        },
      }),
    );
  const [built, checked] = steps(project);
  expect([built!.status, built!.stdout]).toEqual([0, `npm ci --no-audit --no-fund in ${root}\n`]);
  expect(checked!.status).toBe(1);
  expect(checked!.stdout).toMatch(/^::\w+ file=conf\/conf\/httpd\.conf,line=/m);
  expect(steps(clean).map(({ status }) => status)).toEqual([0, 0]);
});

test('GitLab: the command fails, and leaves the report that the job hands over', () => {
  const { script, artifacts } = Object.values(
    parse(block('GitLab')) as Record<
      string,
      { script: string[]; artifacts: { when: string; reports: { codequality: string } } }
    >,
  )[0]!;
  expect(script.map((line) => sh(line))).toEqual([1]);
  expect(artifacts.when).toBe('always');
  const reportIn = (folder: string): unknown[] =>
    JSON.parse(readFileSync(join(folder, artifacts.reports.codequality), 'utf8')) as unknown[];
  const report = reportIn(project);
  expect(report.length).toBeGreaterThan(10);
  // What GitLab asks for of each: junit-gitlab.test.ts.
  for (const issue of report)
    expect(issue).toEqual({
      description: expect.any(String) as string,
      check_name: expect.any(String) as string,
      fingerprint: expect.any(String) as string,
      severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/) as string,
      location: {
        path: expect.stringMatching(/^conf\//) as string,
        lines: { begin: expect.any(Number) as number },
      },
    });
  expect(script.map((line) => sh(line, clean))).toEqual([0]);
  // Notes do not fail a job.
  expect(reportIn(clean)).toEqual(
    reportIn(clean).map(() => expect.objectContaining({ severity: 'info' }) as unknown),
  );
});

test('Jenkins: the command fails, and leaves the report that is read', () => {
  const text = block('Jenkins');
  const [, command = ''] = /\bsh '([^']+)'/.exec(text) ?? [];
  const [, report = ''] = /\bjunit '([^']+)'/.exec(text) ?? [];
  expect(sh(command)).toBe(1);
  // What Jenkins' schema allows: junit-gitlab.test.ts.
  const failures = (folder: string): number =>
    Number(/<testsuites [^>]*failures="([0-9]+)"/.exec(readFileSync(join(folder, report), 'utf8'))?.[1]);
  expect(failures(project)).toBeGreaterThan(0);
  expect(sh(command, clean)).toBe(0);
  expect(failures(clean)).toBe(0);
});

test('pre-commit: the hook is one that the repository has', () => {
  interface Hook {
    readonly id: string;
    readonly entry: string;
    readonly files: string;
  }
  const config = parse(block('pre-commit')) as { repos: { hooks: Hook[] }[] };
  const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as Hook[];
  const asked = config.repos.flatMap((repo) => repo.hooks.map(({ id }) => id));
  expect(asked).toHaveLength(1);
  const hook = hooks.find(({ id }) => id === asked[0]);
  expect(hook).toBeDefined();
  // As pre-commit does: the files of the commit that match, as arguments, for the command from the package's bin.
  const files = new RegExp(hook!.files);
  const commit = (repository: string, path: string, text: string): number | null => {
    writeFileSync(join(repository, path), text);
    git(repository, 'add', path);
    const staged = git(repository, 'diff', '--staged', '--name-only').split('\n');
    const asked = staged.filter((name) => files.test(name));
    expect(asked).toEqual([path]);
    return sh(
      [hook!.entry.replace(/^httpd-codemod/, 'npx --yes httpd-codemod'), ...asked].join(' '),
      repository,
    );
  };
  expect(
    commit(
      clean,
      'conf/more.conf',
      '<Directory /srv/x>\n    Order deny,allow\n    Deny from all\n</Directory>\n',
    ),
  ).toBe(1);
  expect(commit(clean, 'conf/more.conf', '<Directory /srv/x>\n    Require all denied\n</Directory>\n')).toBe(
    0,
  );
});
