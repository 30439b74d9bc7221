import { resolvePath } from '../../config';
import type { Change } from '../../engine/types';
import { oneLine } from '../../report';
import { loadPaths } from '../input';
import type { Io, Services } from '../io';
import { type ApplyRequest, DEFAULTS, freezeOptions } from '../options';
import { OPEN, showProgress } from '../output';
import { PlanError, planFor, readPlan, type SavedPlan } from '../parts';
import { Trouble } from '../trouble';

/**
 * Writes what a saved plan says, byte for byte, if all files that were read for it are as they were.
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
    const names = changesNow(plan, io, services).map((change) => `${oneLine(change.file.name)}\n`);
    io.stdout.write(names.join(''));
    return names.length > 0 ? OPEN : plan.status;
  }
  const progress = showProgress(io);
  const store = await services.openStore({
    cwd: io.cwd,
    recover: 'yes',
    note: (line) => io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`),
    progress: progress.onWrite,
  });
  try {
    // Read only now: another run may have been about to change it.
    const changes = changesNow(plan, io, services);
    if (changes.length > 0)
      await store.write(changes, { paths: plan.reading.paths, ...(backup === undefined ? {} : { backup }) });
    progress.end();
    io.stderr.write(doneText(changes.length, plan.status));
    return plan.status;
  } finally {
    progress.end();
    store.close();
  }
}

function readText(path: string, io: Io, services: Services): string {
  try {
    return services.readPlan(resolvePath(io.cwd, path));
  } catch (error) {
    throw new Trouble(`${path}: ${(error as Error).message}`);
  }
}

function changesNow(plan: SavedPlan, io: Io, services: Services): readonly Change[] {
  const { cwd, reading } = plan;
  const options = { ...freezeOptions(reading.paths, DEFAULTS, {}), ...reading };
  const there = Object.create(io, { cwd: { value: cwd } }) as Io;
  const { tree } = loadPaths(services.source, options, there, () => undefined);
  return planFor(plan, tree, (bytes) => services.hash(bytes));
}

function doneText(files: number, status: 0 | 1): string {
  const written =
    files === 0
      ? 'The plan has nothing to write.'
      : `Written as planned: ${files} ${files === 1 ? 'file' : 'files'}; httpd-codemod undo takes the write back.`;
  return status === 0 ? `${written}\n` : `${written} The run that made the plan has left findings to you.\n`;
}
