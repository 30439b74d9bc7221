import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { gitWith } from '../../testing/run/git';

// What the guide for CI tells people to put into their repositories, with the commands in it run as the runner would.

const root = join(__dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8');

/** The block of code below a heading. */
function block(heading: string): string {
  const section = guide.slice(guide.indexOf(`\n## ${heading}\n`));
  const [, text = ''] = /^```[a-z]+\n([^]*?)^```$/m.exec(section) ?? [];
  return text;
}

let project: string;
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  const scratch = mkdtempSync(join(tmpdir(), 'ci-'));
  project = join(scratch, 'project');
  cpSync(join(root, 'examples'), join(project, 'conf'), { recursive: true });
  // npx would fetch what is not published.
  const programs = join(scratch, 'bin');
  mkdirSync(programs);
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes httpd-codemod" ] || exit 9\nshift 2\nexec '${process.execPath}' '${root}/bin/httpd-codemod.js' "$@"\n`;
  writeFileSync(join(programs, 'npx'), npx);
  chmodSync(join(programs, 'npx'), 0o755);
  env = { ...gitWith(join(scratch, 'state')).env, PATH: `${programs}:${process.env['PATH']}` };
});

const sh = (line: string): number | null =>
  spawnSync('sh', ['-e', '-c', line], { cwd: project, env, encoding: 'utf8' }).status;

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
  const { run } = action.runs.steps.at(-1)!;
  const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
    cwd: project,
    encoding: 'utf8',
    env: {
      ...env,
      GITHUB_ACTION_PATH: root,
      PATHS: step?.with?.['paths'],
      ARGUMENTS: action.inputs['arguments']?.default,
    },
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::\w+ file=conf\/conf\/httpd\.conf,line=/m);
});

test('GitLab: the command fails, and leaves the report that the job hands over', () => {
  const { script, artifacts } = Object.values(
    parse(block('GitLab')) as Record<
      string,
      { script: string[]; artifacts: { when: string; reports: { codequality: string } } }
    >,
  )[0]!;
  expect(script.map(sh)).toEqual([1]);
  expect(artifacts.when).toBe('always');
  const report = JSON.parse(readFileSync(join(project, artifacts.reports.codequality), 'utf8')) as unknown[];
  expect(report.length).toBeGreaterThan(10);
});

test('Jenkins: the command fails, and leaves the report that is read', () => {
  const text = block('Jenkins');
  const [, command = ''] = /\bsh '([^']+)'/.exec(text) ?? [];
  const [, report = ''] = /\bjunit '([^']+)'/.exec(text) ?? [];
  expect(sh(command)).toBe(1);
  expect(readFileSync(join(project, report), 'utf8')).toMatch(/<testsuite [^>]*failures="[1-9]/);
});

test('pre-commit: the hook is one that the repository has', () => {
  interface Hook {
    readonly id: string;
    readonly entry: string;
  }
  const config = parse(block('pre-commit')) as { repos: { hooks: Hook[] }[] };
  const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as Hook[];
  const asked = config.repos.flatMap((repo) => repo.hooks.map(({ id }) => id));
  expect(asked).toHaveLength(1);
  const hook = hooks.find(({ id }) => id === asked[0]);
  expect(hook).toBeDefined();
  // As pre-commit does: the command from the package's bin, in the repository, with what is staged.
  const git = (...args: string[]): number | null => spawnSync('git', args, { cwd: project, env }).status;
  expect([git('init', '--quiet'), git('add', 'conf')]).toEqual([0, 0]);
  expect(sh(hook!.entry.replace(/^httpd-codemod/, 'npx --yes httpd-codemod'))).toBe(1);
});
