import fs from 'node:fs';
import { join } from 'node:path';
import type { Attributes } from '../../src/write/system';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { killedStoreIn } from '../../testing/write/killed';
import { openTestStore, stateDirectory, storeIn } from '../../testing/write/store';
import { snapshot } from '../../testing/write/write-tree';

const state = stateDirectory();

const run = async (cwd: string, ...argv: string[]): Promise<CommandResult> =>
  command(argv, { cwd }, { openStore: storeIn(state) });
const killed = async (cwd: string, ...argv: string[]): Promise<CommandResult> =>
  command(argv, { cwd }, { openStore: killedStoreIn(state) });

const OLD = { 'a.conf': 'MaxClients 5\n', 'b.conf': 'MaxClients 6\n' };
const NEW = { 'a.conf': 'MaxRequestWorkers 5\n', 'b.conf': 'MaxRequestWorkers 6\n' };

/** A directory whose write was interrupted when all files were in place. */
async function interrupted(): Promise<string> {
  const cwd = directory(OLD);
  expect((await killed(cwd, '--write', 'a.conf', 'b.conf')).status).toBe(2);
  expect(snapshot(cwd)).toMatchObject(NEW);
  return cwd;
}

/** A directory whose write came to its end. */
async function written(): Promise<string> {
  const cwd = directory(OLD);
  expect((await run(cwd, '--write', 'a.conf', 'b.conf')).status).toBe(0);
  return cwd;
}

const TOOK_BACK =
  /^httpd-codemod: took back the write of .* UTC, which was interrupted \(2 files put back\)\n/;

test('an undo where the write was interrupted takes back that write, and no other', async () => {
  const before = await written();
  const cwd = await interrupted();
  expect(await run(cwd, 'undo')).toEqual({
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`${TOOK_BACK.source}$`)) as string,
  });
  expect([snapshot(cwd), snapshot(before)]).toEqual([OLD, NEW]);
});

test('an undo elsewhere says what was interrupted, and still takes back the write of its own place', async () => {
  const here = await written();
  const elsewhere = await interrupted();
  const { status, stderr } = await run(here, 'undo', '--yes');
  expect(status).toBe(0);
  expect(stderr).toMatch(TOOK_BACK);
  expect(stderr).toMatch(
    /has changed:\n.*a\.conf\n.*b\.conf\nTook back the write of .*: 2 files restored\.\n$/,
  );
  expect([snapshot(here), snapshot(elsewhere)]).toEqual([OLD, OLD]);
});

test('an undo elsewhere, where nothing was written: the interrupted write alone', async () => {
  const elsewhere = await interrupted();
  const here = directory({});
  const { status, stderr } = await run(here, 'undo', '--yes');
  expect(status).toBe(2);
  expect(stderr).toMatch(TOOK_BACK);
  expect(snapshot(elsewhere)).toEqual(OLD);
});

test('without hard links, a file is put back with its attributes, or not at all', async () => {
  const cwd = directory({ 'a.conf': OLD['a.conf'] });
  const path = join(cwd, 'a.conf');
  fs.chmodSync(path, 0o664);
  await command(['--write', 'a.conf'], { cwd }, { openStore: killedStoreIn(state, {}, { hasLinks: false }) });
  const modes: number[] = [];
  const attributes = (lost: readonly number[]): Attributes => ({
    differing: () => [0],
    copy(files) {
      modes.push(...files.map(({ to }) => fs.fstatSync(to).mode & 0o777));
      return [];
    },
    lost: () => lost,
    times: () => undefined,
  });
  await expect(openTestStore(state, { attributes: attributes([0]) })).rejects.toThrow(
    /a\.conf: cannot be put back: its access control list, security label or extended attributes would be lost/,
  );
  expect(snapshot(cwd)['a.conf']).toBe(NEW['a.conf']);
  (await openTestStore(state, { attributes: attributes([]) })).close();
  expect([snapshot(cwd), fs.statSync(path).mode & 0o777]).toEqual([{ 'a.conf': OLD['a.conf'] }, 0o664]);
  expect(modes).toEqual([0o600, 0o600]);
});

test('--check, --list and a run that looks leave it as it is', async () => {
  const cwd = await interrupted();
  const { stdout } = await run(cwd, 'undo', '--list');
  expect(stdout).toContain(' (interrupted)\n');
  for (const argv of [
    ['undo', '--check'],
    ['--check', 'a.conf'],
  ])
    await run(cwd, ...argv);
  expect(snapshot(cwd)).toMatchObject(NEW);
  await run(cwd, 'undo');
});

test.each<[string, (path: string) => void]>([
  ['edited', (path) => fs.appendFileSync(path, '# mine\n')],
  ['gone', (path) => fs.rmSync(path)],
  ['a directory', (path) => (fs.rmSync(path), fs.mkdirSync(path))],
])('a file that is %s since: it is said, and --keep-changed takes back the others', async (_, change) => {
  const cwd = await interrupted();
  change(join(cwd, 'a.conf'));
  const after = snapshot(cwd);
  const refused = await run(directory({}), 'undo', '--yes');
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/^httpd-codemod: cannot take back the write of .*a\.conf: changed since it was written \(httpd-codemod undo --keep-changed leaves such files and takes back the others\)\n$/) as string });
  expect(snapshot(cwd)).toEqual(after);
  const kept = await run(cwd, 'undo', '--keep-changed');
  expect(kept).toMatchObject({ status: 0, stderr: expect.stringContaining(`(1 file put back); left as they are now: ${cwd}/a.conf\n`) as string });
  expect(snapshot(cwd)['b.conf']).toBe(OLD['b.conf']);
}); // prettier-ignore
