import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { engines } from '../../package.json';
import { aptInstall, findProgram } from '../../testing/httpd/install';
import { type Git, gitWith } from '../../testing/run/git';
import { flaws } from '../../testing/run/junit';
import { readXml } from '../../testing/run/xml';

// What the pages for CI tell people to put into their repositories, with the steps in it run as the runner would.

const root = join(__dirname, '../..');
const guides = join(root, 'docs/guides');
const pages = readdirSync(guides).filter((name) => /^ci-.*\.md$/.test(name));
const text = (page: string): string => readFileSync(join(guides, page), 'utf8');

/** The file that a page is about: its name stands above its text. */
function fileOf(page: string): { readonly name: string; readonly content: string } {
  const found = [...text(page).matchAll(/`([^`\n]+)`:\n\n```[a-z]+\n([^]*?)^```$/gm)];
  expect(found).toHaveLength(1);
  const [, name, content] = found[0]!;
  return { name: name!, content: content! };
}

const NPM = `#!/bin/sh
case "$1 $2" in
  ci*) echo "npm $* in $PWD" ;;
  pack*) : >package.tgz && echo package.tgz ;;
  "install -g")
    mkdir -p "$NPM_CONFIG_PREFIX/bin" && cd "$NPM_CONFIG_PREFIX/bin" || exit
    printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${root}/bin/httpd-codemod.js' >httpd-codemod
    chmod 755 httpd-codemod ;;
esac
`;

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
  // The checkout is built already: what a runner would fetch and install is this one.
  writeFileSync(join(programs, 'npm'), NPM);
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
  const workflow = parse(fileOf('ci-github.md').content) as {
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
    parse(fileOf('ci-gitlab.md').content) as Record<
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
  // What GitLab asks for of each, as in junit-gitlab.test.ts.
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
  const { content } = fileOf('ci-jenkins.md');
  const commands = [...content.matchAll(/\bsh '([^']+)'/g)].map(([, command]) => command!);
  const [, report = ''] = /\balways \{ junit '([^']+)' \}/.exec(content) ?? [];
  expect(commands).toHaveLength(1);
  const failures = (folder: string): number => {
    const suites = readXml(readFileSync(join(folder, report), 'utf8'));
    expect(flaws(suites)).toEqual([]);
    return Number(suites.attributes['failures']);
  };
  expect(commands.map((command) => sh(command))).toEqual([1]);
  expect(failures(project)).toBeGreaterThan(0);
  expect(commands.map((command) => sh(command, clean))).toEqual([0]);
  expect(failures(clean)).toBe(0);
  // Every brace is closed: nothing here reads the language of a Jenkinsfile.
  expect(content.replace(/[^{]/g, '')).toHaveLength(content.replace(/[^}]/g, '').length);
});

describe('pre-commit', () => {
  beforeAll(() => {
    if (findProgram('pre-commit') !== undefined) return;
    const why = aptInstall('pre-commit');
    if (findProgram('pre-commit') === undefined)
      throw new Error(`This test needs pre-commit: ${why ?? 'not on PATH'}`);
  }, 300_000);

  test('the program itself, with the file and the repository that it names', () => {
    const { name, content } = fileOf('ci-pre-commit.md');
    const config = parse(content) as { repos: readonly [{ repo: string; rev: string }] };
    const [{ repo, rev }] = config.repos;
    const remote = join(scratch, 'remote');
    mkdirSync(remote);
    for (const file of ['.pre-commit-hooks.yaml', 'package.json'])
      cpSync(join(root, file), join(remote, file));
    git(remote, 'init', '--quiet');
    git(remote, 'add', '--all');
    git(remote, 'commit', '--quiet', '--message', 'As it is released');
    git(remote, 'tag', rev);
    const with24 = '<Directory /srv/x>\n    Require all denied\n</Directory>\n';
    const with22 = '<Directory /srv/x>\n    Order deny,allow\n    Deny from all\n</Directory>\n';
    const run = (
      path: string,
      written: string,
      ...args: string[]
    ): { status: number | null; stdout: string } => {
      writeFileSync(join(clean, path), written);
      git(clean, 'add', path);
      return spawnSync(findProgram('pre-commit')!, ['run', '--color', 'never', ...args], {
        cwd: clean,
        encoding: 'utf8',
        env: {
          ...env,
          PRE_COMMIT_HOME: join(scratch, 'pre-commit'),
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `url.${remote}.insteadOf`,
          GIT_CONFIG_VALUE_0: repo,
        },
      });
    };
    writeFileSync(join(clean, name), content);
    git(clean, 'add', name);
    const refused = run('conf/more.conf', with22);
    expect(refused).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('+    Require all denied\n') as string,
    });
    expect(run('conf/more.conf', with24).status).toBe(0);
    expect(run('conf/more.conf', with24, '--all-files').status).toBe(0);
    expect(run('conf/more.conf', with22, '--all-files').status).toBe(1);
  }, 120_000);
});

test('every page is listed with its file, is short, and names a Node.js that the program runs on', () => {
  expect(pages).toEqual(['ci-github.md', 'ci-gitlab.md', 'ci-jenkins.md', 'ci-pre-commit.md']);
  const index = text('ci.md');
  for (const page of pages) {
    const { name, content } = fileOf(page);
    expect(index).toContain(`(${page}) | \`${name}\` |`);
    expect(content.split('\n').length).toBeLessThan(20);
    for (const [, major] of content.matchAll(/\bnode:([0-9]+)/g))
      expect(Number(major)).toBeGreaterThanOrEqual(Number(/[0-9]+/.exec(engines.node)![0]));
  }
});
