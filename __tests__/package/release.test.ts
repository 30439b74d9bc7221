import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FULL_SIZE } from '../../testing/run/size';

jest.setTimeout(300_000);

const root = join(__dirname, '../..');
const VERSION = '7.8.9';

let scratch: string;
let repository: string;

const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, env, encoding: 'utf8' }).trim();
const read = (name: string): string => readFileSync(join(repository, name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(join(repository, name), text);
const commit = (message: string): string => git('commit', '--quiet', '--all', '--message', message);

function release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const script = join(repository, 'scripts/release/release.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: repository,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** What the repository holds, to see that nothing changes. */
const state = (): unknown => [
  git('rev-parse', 'HEAD'),
  git('tag', '--list'),
  git('status', '--porcelain', '--ignored'),
];

/** Stands for the checks, which take their time: it gives the clone what `npm ci` would. */
const checks = (status: number): void => {
  write('.ci/run', `#!/bin/sh\nln -s '${root}/node_modules' node_modules\nexit ${status}\n`);
  chmodSync(join(repository, '.ci/run'), 0o755);
};

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codemod-release-'));
  repository = join(scratch, 'repository');
  // What git tracks or would: in a checkout that is being worked on that is what the next commit has.
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const names = listed
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '' && !/^(?:__fixtures__|__tests__|testing)\//.test(name))
    .filter((name) => existsSync(join(root, name)));
  mkdirSync(repository);
  const archive = execFileSync('tar', ['-c', '-f', '-', ...names], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-f', '-'], { cwd: repository, input: archive });
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.com');
  checks(0);
  write(
    'CHANGELOG.md',
    `# Changelog\n\n## ${VERSION} - unreleased\n\n### Added\n\n- A thing.\n\n## 0.0.1 - 2020-01-01\n\n- Old.\n`,
  );
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each([
  ['no version', [], 'usage: '],
  ['a version that is none', ['v7.8.9'], 'usage: '],
  ['two versions', ['7.8.9', '7.9.0'], 'usage: '],
  ['a version without a changelog', ['7.9.0'], 'CHANGELOG.md has no section "## 7.9.0 - unreleased"'],
  ['a version that has been', ['0.0.1'], '0.0.1 comes before '],
])('refused: %s', (_, args, message) => {
  const before = state();
  const { status, stderr, stdout } = release(...args, '--write');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`release: ${message}`);
  expect(state()).toEqual(before);
});

test('refused: a work tree that is not clean, another branch, a tag that is there, an empty section, checks that fail', () => {
  const refused = (message: string): void => {
    const before = state();
    expect(release(VERSION, '--write')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(`release: ${message}`) as string,
    });
    expect(state()).toEqual(before);
  };
  write('stray.txt', '');
  refused('the work tree is not clean: ?? stray.txt');
  rmSync(join(repository, 'stray.txt'));
  git('checkout', '--quiet', '-b', 'other');
  refused('releases are made on main, and this is other');
  git('checkout', '--quiet', 'main');
  git('tag', `v${VERSION}`);
  refused(`there is a tag v${VERSION}`);
  git('tag', '--delete', `v${VERSION}`);
  const log = read('CHANGELOG.md');
  write('CHANGELOG.md', log.replace('- A thing.\n', ''));
  commit('Say nothing');
  refused(`the section ${VERSION} of CHANGELOG.md says nothing`);
  write('CHANGELOG.md', log);
  checks(1);
  commit('Fail');
  refused('.ci/run has failed');
  checks(0);
  commit('Pass');
});

/** The line of SHA256SUMS that a dry run prints; it keeps nothing. */
function dryRun(): string {
  const before = state();
  const { status, stdout } = release(VERSION);
  expect([status, stdout]).toEqual([0, expect.stringContaining('nothing is kept')]);
  expect(state()).toEqual(before);
  return stdout.split('\n').find((line) => line.endsWith('.tgz'))!;
}

test('a dry run does all of it and keeps nothing; --write keeps the commit, the tag, the tarball and its checksum', () => {
  // Made twice, in two places, it is the same: anybody can make it again from the tag. Each takes as long as a build and a type
  // check.
  const dry = FULL_SIZE ? dryRun() : undefined;
  const { status, stdout } = release(VERSION, '--write');
  expect(status).toBe(0);
  expect(git('log', '-1', '--format=%s')).toBe(`Release ${VERSION}`);
  expect(git('rev-parse', `v${VERSION}^{commit}`)).toBe(git('rev-parse', 'HEAD'));
  expect(git('tag', '--list', '--format=%(contents)', `v${VERSION}`)).toBe(
    `${VERSION}\n\n### Added\n\n- A thing.`,
  );
  expect(git('diff', '--name-only', 'HEAD~').split('\n')).toEqual([
    'CHANGELOG.md',
    'contrib/ansible/galaxy.yml',
    'package-lock.json',
    'package.json',
  ]);
  expect(read('CHANGELOG.md')).toMatch(/\n## 7\.8\.9 - \d{4}-\d\d-\d\d\n/);
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: VERSION });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({
    version: VERSION,
    packages: { '': { version: VERSION } },
  });

  const tarball = `httpd-codemod-${VERSION}.tgz`;
  expect(readdirSync(join(repository, 'release')).toSorted()).toEqual(['SHA256SUMS', tarball]);
  const sum = createHash('sha256')
    .update(readFileSync(join(repository, 'release', tarball)))
    .digest('hex');
  expect(read('release/SHA256SUMS')).toBe(`${sum}  ${tarball}\n`);
  expect(stdout).toContain(sum);
  if (dry !== undefined) expect(dry).toBe(`${sum}  ${tarball}`);
  const inside = execFileSync('tar', ['-tf', join(repository, 'release', tarball)], { encoding: 'utf8' });
  expect(inside).toContain('package/dist/types/src/index.d.ts\n');
  expect(inside).toContain('package/dist/httpd-codemod.cjs\n');
  expect(git('status', '--porcelain')).toBe('');
  expect(release(VERSION, '--write').stderr).toContain(`there is a tag v${VERSION}`);
});
