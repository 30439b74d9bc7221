import { resolvePath } from '../../config';
import type { Store } from '../../write';
import { oneLine } from '../../report';
import type { Io, Services } from '../io';
import type { ApplyRequest } from '../options';
import { OPEN, type Progress, withStore } from '../output';
import { PlanError, readPlan, type SavedPlan } from '../parts';
import { Trouble } from '../trouble';
import { linesOf, writablePlan } from './planned';
import { LeftFiles, writeWhatCanBe } from './unwritable';

/**
 * Writes what a saved plan says, byte for byte, if all files that were read for it are as they were, and a run would write that
 * again: whoever edits a plan decides no more than whoever runs the program.
 * @returns the exit status
 * @throws Trouble, SourceError, WriteError: nothing is written then
 */
export async function apply(request: ApplyRequest, io: Io, services: Services): Promise<number> {
  try {
    return await write(request, readPlan(readText(request.file, io, services)), io, services);
  } catch (error) {
    throw error instanceof PlanError ? new Trouble(`${request.file}: ${error.message}`) : error;
  }
}

async function write(
  { check, backup }: ApplyRequest,
  plan: SavedPlan,
  io: Io,
  services: Services,
): Promise<number> {
  if (check) {
    const left = new LeftFiles(services.source, io.uid);
    const { changes, shut, open } = writablePlan(plan, left, io, services);
    tellLeft(left.why, [...shut, ...open], io);
    io.stdout.write(changes.map(({ file }) => `${oneLine(file.name)}\n`).join(''));
    return changes.length > 0 ? OPEN : plan.status;
  }
  return withStore(io, services, 'yes', async (store, progress) => {
    const left = new LeftFiles(services.source, io.uid);
    return writePlan(plan, { left, backup, store, progress, as: 'planned' }, io, services);
  });
}

interface PlanWriting {
  /** What is left already; gets what is left beside that. */
  readonly left: LeftFiles;
  readonly backup: string | undefined;
  readonly store: Pick<Store, 'write'>;
  readonly progress: Progress;
  /** How it was decided what to write. */
  readonly as: 'planned' | 'accepted';
}

/** Writes of a plan what can be written, and says what cannot. @returns the exit status */
export async function writePlan(
  plan: SavedPlan,
  { left, backup, store, progress, as }: PlanWriting,
  io: Io,
  services: Services,
): Promise<number> {
  const planned = plan.changes.map(({ path }) => path);
  const options = { paths: plan.run.paths, ...(backup === undefined ? {} : { backup }) };
  const { changes, shut, open } = await writeWhatCanBe(
    left,
    async () => {
      // Read only now: another run may have been about to change it.
      const writable = writablePlan(plan, left, io, services);
      if (writable.changes.length > 0) await store.write(writable.changes, options);
      return writable;
    },
    () => planned,
  );
  progress.end();
  tellLeft(left.allOf(planned), [...shut, ...open], io);
  io.stderr.write(doneText(changes.length, plan.status, as, left.why.size > 0));
  return left.why.size > 0 ? OPEN : plan.status;
}

function readText(path: string, io: Io, services: Services): string {
  try {
    return services.readPlan(resolvePath(io.cwd, path));
  } catch (error) {
    throw new Trouble(`${path}: ${(error as Error).message}`);
  }
}

function tellLeft(left: ReadonlyMap<string, string>, more: readonly string[], io: Io): void {
  const lines = [...linesOf(left).map((line) => `${line}: left as it is`), ...more];
  for (const line of lines) io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`);
}

function doneText(files: number, status: 0 | 1, as: PlanWriting['as'], isLeft: boolean): string {
  const written =
    files === 0
      ? 'The plan has nothing to write.'
      : `Written as ${as}: ${files} ${files === 1 ? 'file' : 'files'}; httpd-codemod undo takes the write back.`;
  const again = isLeft ? ' What was left is for another run.' : '';
  return `${written}${again}${status === 0 ? '' : ' The run that it comes from has left findings to you.'}\n`;
}
