import type { RunResult } from '../../engine/types';
import { oneLine } from '../../report';
import type { Io, Services } from '../io';
import { type ConvertOptions } from '../options';
import { showProgress } from './progress';

/**
 * A run that writes. The lock is taken before anything is read: another run may be about to change it, or have left it half done.
 * @returns the exit status, as `report` says it
 * @throws WriteError and what `compute` throws: nothing is written then
 */
export async function writing(
  { paths, backup }: ConvertOptions,
  io: Io,
  services: Services,
  compute: () => RunResult,
  report: (result: RunResult) => number,
): Promise<number> {
  const progress = showProgress(io);
  const store = await services.openStore({
    cwd: io.cwd,
    recover: 'yes',
    note: (line) => io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`),
    progress: progress.onWrite,
  });
  try {
    const result = compute();
    if (result.plan.length > 0)
      await store.write(result.plan, { paths, ...(backup === undefined ? {} : { backup }) });
    progress.end();
    return report(result);
  } finally {
    progress.end();
    store.close();
  }
}
