import fs from 'node:fs';
import { join } from 'node:path';
import { disk } from '../../src/config/source/disk';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

// What people type before they have read anything, and mistakes that must not pass in silence.

const old = { 'a.conf': 'MaxClients 5\n' };
const ask = (argv: readonly string[], cwd = '/', columns?: number): ReturnType<typeof command> =>
  command(argv, { cwd, ...(columns !== undefined && { stdoutColumns: columns }) }, { source: disk });

test('help and version are words, too', async () => {
  const help = await ask(['--help']);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(await ask(['help'])).toEqual(help);
  expect(await ask(['help', 'undo'])).toEqual(await ask(['undo', '--help']));
  const version = await ask(['--version']);
  expect(await ask(['version'])).toEqual(version);
  expect(await ask(['-V'])).toEqual(version);
  expect(await ask(['help', 'me'])).toMatchObject({
    status: 2,
    stdout: '',
    stderr: "httpd-codemod: there is no command 'me' (see httpd-codemod --help)\n",
  });
  expect(await ask(['version', '-w'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('version takes no --write'),
  });
});

test('files of these names are files where they are given as such', async () => {
  const cwd = directory({ help: 'MaxClients 5\n', version: 'MaxClients 5\n' });
  for (const argv of [
    ['--check', './help', './version'],
    ['--check', '--', 'help', 'version'],
  ])
    expect((await ask(argv, cwd)).stdout.replaceAll('./', '')).toBe('help\nversion\n');
});

describe('a --server-root that is no directory', () => {
  test.each([
    ['nosuch', 'no such directory'],
    ['a.conf', 'no directory'],
  ])('%s is said, and nothing is done', async (root, what) => {
    const cwd = directory(old);
    const stderr = `httpd-codemod: --server-root ${root}: ${what}\n`;
    for (const mode of ['--check', '--diff'])
      expect(await ask([mode, '--server-root', root, 'a.conf'], cwd)).toEqual({
        status: 2,
        stdout: '',
        stderr,
      });
  });

  test('one that is a directory, or a link to one, is none', async () => {
    const cwd = directory({ ...old, 'root/x.conf': '' });
    fs.symlinkSync('root', join(cwd, 'link'));
    for (const root of ['root', 'link', './root/', join(cwd, 'root')])
      expect(await ask(['--check', '--server-root', root, 'a.conf'], cwd)).toMatchObject({
        status: 1,
        stdout: 'a.conf\n',
      });
  });
});

describe('--help on a terminal', () => {
  /** A line of one word has no place to be broken. */
  const tooLong = (text: string, columns: number): string[] =>
    text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
  const words = (text: string): string => text.replace(/\s+/g, ' ');

  test.each([55, 60, 80, 99])('is laid out for %d columns, and says the same', async (columns) => {
    for (const argv of [['--help'], ['undo', '--help'], ['debug', '--help']]) {
      const narrow = await ask(argv, '/', columns);
      expect(tooLong(narrow.stdout, columns)).toEqual([]);
      expect(words(narrow.stdout)).toBe(words((await ask(argv)).stdout));
    }
  });

  test('keeps what is laid out by hand', async () => {
    const { stdout } = await ask(['--help'], '/', 80);
    expect(stdout).toContain('\n  0  nothing left to do\n  1  changes pending');
    expect(stdout).toMatch(/Exit status, the same in every mode:\n/);
  });

  test('is no wider on a wide one, nor narrower than can be read', async () => {
    expect((await ask(['--help'], '/', 300)).stdout).toBe((await ask(['--help'])).stdout);
    expect((await ask(['--help'], '/', 1)).stdout).toBe((await ask(['--help'], '/', 40)).stdout);
  });
});
