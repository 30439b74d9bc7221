import fs from 'node:fs';
import { join } from 'node:path';
import { command, program } from '../../testing/run/command';
import { gitWith } from '../../testing/run/git';
import { SEED, shareOf } from '../../testing/run/size';
import { directory } from '../../testing/write/directory';
import { type FaultyOps, faultyOps, Killed } from '../../testing/write/faulty';
import { DEAD_PID, indexesUntil } from '../../testing/write/killed';
import { tracedOps } from '../../testing/write/points';
import { openTestStore, testHost } from '../../testing/write/store';
import { writeTree } from '../../testing/write/write-tree';

const { env, git } = gitWith(directory());

const OLD = 'MaxClients 5\n';
const NEW = 'MaxRequestWorkers 5\n';
const NAMES = ['a.conf', 'b.conf'];

interface Place {
  readonly cwd: string;
  readonly state: string;
}

/** A repository in which two files are staged. */
function place(): Place {
  const cwd = directory();
  const state = directory();
  git(cwd, 'init', '-q');
  writeTree(cwd, Object.fromEntries(NAMES.map((name) => [name, OLD])));
  git(cwd, 'add', '.');
  return { cwd, state };
}

const COMMANDS = { fix: ['hook', 'run', '--fix'], undo: ['undo', '--yes'] } as const;

/** Runs a command with these operations on the file system; from where they kill it on, git is asked nothing. */
interface Attempt {
  readonly status: number;
  readonly stderr: string;
}

async function attempt({ cwd, state }: Place, argv: readonly string[], ops: FaultyOps): Promise<Attempt> {
  let isKilled = false;
  const indexes = indexesUntil(() => isKilled, env);
  const noted = new Proxy(ops, {
    get: (target, name: keyof FaultyOps) =>
      typeof target[name] !== 'function'
        ? target[name]
        : (...args: unknown[]) => {
            try {
              return (target[name] as (...all: unknown[]) => unknown)(...args);
            } catch (error) {
              isKilled ||= error instanceof Killed;
              throw error;
            }
          },
  });
  const host = testHost(state, { pid: DEAD_PID });
  const { status, stderr } = await command(
    argv,
    { cwd, env },
    { openStore: async (options) => openTestStore(state, { ...options, ops: noted, host, indexes }) },
  );
  ops.release();
  return { status, stderr };
}

/** Old or new: the files, and what is staged of each; nothing else is left. */
function settled({ cwd }: Place): string[] {
  expect(fs.readdirSync(cwd).toSorted()).toEqual(['.git', ...NAMES]);
  return [
    ...new Set(
      NAMES.flatMap((name) => [fs.readFileSync(join(cwd, name), 'latin1'), git(cwd, 'show', `:${name}`)]),
    ),
  ];
}

describe.each(['fix', 'undo'] as const)('%s', (what) => {
  async function prepared(): Promise<Place> {
    const where = place();
    if (what === 'undo') await program(COMMANDS.fix, { ...where, env });
    return where;
  }

  test.each(['kill', 'EIO'])(
    '%s at any operation: files and index are old, or both are new',
    async (code) => {
      const traced = tracedOps();
      expect(await attempt(await prepared(), COMMANDS[what], traced.ops)).toMatchObject({ status: 0 });
      const seen = new Set<string>();
      // Each takes a third of a second: another seed tries others.
      const points = traced.points(1).filter((_, i, all) => (i + SEED) % 3 === 0 || i === all.length - 1);
      for (const at of shareOf(points, 12)) {
        const where = await prepared();
        const { status, stderr } = await attempt(where, COMMANDS[what], faultyOps({ at, code }));
        // The next run, wherever it is.
        await program(['undo', '--yes', '/nowhere'], { cwd: '/', env, state: where.state });
        const texts = settled(where);
        expect(texts).toHaveLength(1);
        // Where all was done but a temporary file could not be removed, that is named, and the status is 2.
        const isDone = status === 0 || stderr.includes('could not be removed');
        expect(texts[0] === OLD).toBe((what === 'fix') !== isDone);
        seen.add(texts[0]!);
      }
      expect(seen).toEqual(new Set([OLD, NEW]));
    },
  );
});
