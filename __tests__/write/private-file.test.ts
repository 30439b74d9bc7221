import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { readPrivate, writePrivate } from '../../src/write/private-file';
import { directory } from '../../testing/write/directory';
import { faultyOps } from '../../testing/write/faulty';
import { giveAway, OTHER_USER, seenBy } from '../../testing/write/other-user';
import { snapshot } from '../../testing/write/write-tree';

const uid = process.getuid?.();
const UNUSED = ': not used, as somebody else could have written it';

/** As root's run, under sudo if somebody called that: who runs the tests counts as root. */
function read(path: string, caller?: number): string {
  const host = { uid: 0, env: caller === undefined ? {} : { SUDO_UID: String(caller) } };
  return readPrivate(path, host, seenBy(faultyOps(), 0));
}

function write(path: string, text: string): void {
  writePrivate(path, Buffer.from(text), { uid, env: {} }, seenBy(faultyOps()));
}

/** A file of the user's in a directory of the user's. */
function plan(): string {
  const path = join(directory({ 'd/plan': 'mine' }), 'd/plan');
  fs.chmodSync(path, 0o600);
  fs.chmodSync(join(path, '..'), 0o755);
  return path;
}

describe('a plan is read', () => {
  const USED: readonly (readonly [string, (path: string) => void])[] = [
    ['that only its owner may read', () => undefined],
    ['that others may read', (path) => fs.chmodSync(path, 0o644)],
    ['in a sticky directory', (path) => fs.chmodSync(join(path, '..'), 0o1777)],
    ['through a link of the user’s', (path) => { fs.renameSync(path, `${path}.it`); fs.symlinkSync('plan.it', path); }],
    ['with two names', (path) => fs.linkSync(path, `${path}.it`)],
  ]; // prettier-ignore
  test.each(USED)('%s', (_, change) => {
    const path = plan();
    change(path);
    expect(read(path)).toBe('mine');
  });

  const REFUSED: readonly (readonly [string, (path: string) => void, (path: string) => string])[] = [
    ['of another user', (path) => giveAway(path), () => `belongs to another user (${OTHER_USER})`],
    ['that its group may write', (path) => fs.chmodSync(path, 0o620), () => 'may be written by other users'],
    ['that all may write', (path) => fs.chmodSync(path, 0o602), () => 'may be written by other users'],
    ['in a directory of another user', (path) => { giveAway(join(path, '..')); }, (path) => `${join(path, '..')} belongs to another user`],
    ['in a directory that all may write', (path) => fs.chmodSync(join(path, '..'), 0o777), (path) => `${join(path, '..')} could be changed by other users`],
    ['in a directory that its group may write', (path) => fs.chmodSync(join(path, '..'), 0o775), (path) => `${join(path, '..')} could be changed by other users`],
    ['through a link of another user', (path) => { fs.renameSync(path, `${path}.it`); fs.symlinkSync('plan.it', path); giveAway(path); }, (path) => `${path} is a symbolic link of another user`],
    ['that is a pipe', (path) => { fs.rmSync(path); spawnSync('mkfifo', ['-m', '600', path]); }, () => 'is no regular file'],
    ['that is a device', (path) => { fs.rmSync(path); fs.symlinkSync('/dev/zero', path); }, () => 'is no regular file'],
    ['that is a directory', (path) => { fs.rmSync(path); fs.mkdirSync(path); }, () => 'is no regular file'],
  ]; // prettier-ignore
  test.each(REFUSED)('but not one %s', (_, change, reason) => {
    const path = plan();
    change(path);
    expect(() => read(path)).toThrow(reason(path) + UNUSED);
  });

  test('where it cannot be, for the system’s reason', () => {
    expect(() => read(join(plan(), '../gone'))).toThrow(/^no such file or directory$/);
    expect(() => read(join(plan(), 'below'))).toThrow(/^not a directory$/);
  });

  test('of whoever has called sudo, and of no other', () => {
    const path = plan();
    giveAway(join(path, '..'));
    expect(read(path, OTHER_USER)).toBe('mine');
    expect(() => read(path, OTHER_USER + 1)).toThrow('belongs to another user');
    expect(() =>
      readPrivate(path, { uid: 4711, env: { SUDO_UID: String(OTHER_USER) } }, seenBy(faultyOps(), 4711)),
    ).toThrow('belongs to another user');
  });

  test('in a directory that the group of its user alone may write', () => {
    const path = plan();
    fs.chmodSync(join(path, '..'), 0o775);
    const readIn = (group: number): string => {
      const ops = seenBy(faultyOps(), 4711);
      const lstat = ops.lstat.bind(ops);
      ops.lstat = (at) => ({ ...lstat(at), gid: group });
      return readPrivate(path, { uid: 4711, env: {} }, ops);
    };
    expect(readIn(4711)).toBe('mine');
    expect(() => readIn(100)).toThrow('could be changed by other users');
  });

  test('as it is, or not at all, while it is swapped before any operation', () => {
    const theirs = join(directory({ plan: 'theirs' }), 'plan');
    giveAway(theirs);
    for (let n = 1, calls = n; n <= calls; n++) {
      const path = plan();
      const ops = faultyOps(undefined, (_, call) => {
        if (call !== n) return;
        fs.rmSync(path);
        fs.symlinkSync(theirs, path);
        giveAway(path);
      });
      let text = '';
      expect(() => {
        try {
          text = readPrivate(path, { uid: 0, env: {} }, seenBy(ops, 0));
        } catch (error) {
          expect((error as Error).message).toMatch(/another user|too many symbolic links/);
        }
      }).not.toThrow();
      expect(['', 'mine']).toContain(text);
      expect(ops.release()).toBe(0);
      calls = ops.calls;
    }
  });
});

describe('an output', () => {
  test('that is new is for its user alone; one that is there keeps its mode and its owner', () => {
    const root = directory({ old: 'a longer text', tight: '' });
    fs.chmodSync(join(root, 'old'), 0o640);
    fs.chmodSync(join(root, 'tight'), 0o400);
    giveAway(join(root, 'tight'));
    for (const name of ['new', 'old']) write(join(root, name), 'text');
    if (uid === 0) write(join(root, 'tight'), 'text');
    const found = (name: string): unknown => [
      fs.readFileSync(join(root, name), 'latin1'),
      fs.statSync(join(root, name)).mode & 0o777,
      fs.statSync(join(root, name)).uid,
    ];
    expect(['new', 'old'].map(found)).toEqual([
      ['text', 0o600, uid],
      ['text', 0o640, uid],
    ]);
    if (uid === 0) expect(found('tight')).toEqual(['text', 0o400, OTHER_USER]);
  });

  test('goes through a link of the user’s, and to a pipe', () => {
    const root = directory({ it: 'old' });
    fs.symlinkSync('it', join(root, 'link'));
    fs.symlinkSync('not yet', join(root, 'open'));
    write(join(root, 'link'), 'text');
    write(join(root, 'open'), 'text');
    expect(['it', 'not yet'].map((name) => fs.readFileSync(join(root, name), 'latin1'))).toEqual([
      'text',
      'text',
    ]);
    write('/dev/null', 'text');
    expect(() => write(root, 'text')).toThrow('EISDIR');
    expect(() => write(join(root, 'no/such'), 'text')).toThrow('ENOENT');
  });

  test('goes through no link of another user, and into no file that has other names', () => {
    const root = directory({ secret: 'mine', named: 'mine', 'd/secret': 'mine' });
    fs.symlinkSync('secret', join(root, 'link'));
    fs.symlinkSync('d', join(root, 'way'));
    for (const name of ['link', 'way']) giveAway(join(root, name));
    fs.linkSync(join(root, 'named'), join(root, 'other'));
    expect(() => write(join(root, 'link'), 'text')).toThrow('link is a symbolic link of another user');
    expect(() => write(join(root, 'way/secret'), 'text')).toThrow('way is a symbolic link of another user');
    expect(() => write(join(root, 'other'), 'text')).toThrow('it has other names (hard links)');
    for (const name of ['secret', 'named', 'd/secret'])
      expect(fs.readFileSync(join(root, name), 'latin1')).toBe('mine');
  });

  test('does not go into a file that another user has put into a directory of all', () => {
    const root = directory({ file: 'theirs' });
    giveAway(join(root, 'file'));
    fs.chmodSync(root, 0o1777);
    // Who is not root could not even open it.
    const seen = (): void =>
      writePrivate(
        join(root, 'file'),
        Buffer.from('text'),
        { uid: 4711, env: {} },
        seenBy(faultyOps(), 4711),
      );
    expect(uid === 0 ? () => write(join(root, 'file'), 'text') : seen).toThrow('it belongs to another user');
    expect(fs.readFileSync(join(root, 'file'), 'latin1')).toBe('theirs');
  });

  test.each(['out', 'new'])(
    'stays in its directory, while that is swapped before any operation: %s',
    (name) => {
      for (let n = 1, calls = n; n <= calls; n++) {
        const root = directory({ 'd/out': 'old', 'elsewhere/out': 'mine' });
        const ops = faultyOps(undefined, (_, call) => {
          if (call !== n) return;
          fs.renameSync(join(root, 'd'), join(root, 'was'));
          fs.symlinkSync('elsewhere', join(root, 'd'));
          giveAway(join(root, 'd'));
        });
        const attempt = (): void =>
          writePrivate(join(root, 'd', name), Buffer.from('text'), { uid, env: {} }, seenBy(ops));
        if (n === 1) expect(attempt).toThrow('is a symbolic link of another user');
        else {
          try {
            attempt();
          } catch (error) {
            expect((error as Error).message).toMatch(/another user|ELOOP|ENOTDIR|just been replaced/);
          }
        }
        expect(ops.release()).toBe(0);
        expect(snapshot(join(root, 'elsewhere'))).toEqual({ out: 'mine' });
        calls = ops.calls;
      }
    },
  );
});
