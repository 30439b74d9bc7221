import { LOG_QUESTION } from '../../access';
import { treeAfter } from '../../engine';
import type { Reread } from '../../config/types';
import type { Outcome, RunResult } from '../../engine/types';
import { LogCounter, type WithLog, excused } from '../../log';
import type { Io, Services } from '../io';
import type { ConvertOptions } from '../options';
import { showProgress } from '../output';
import { Trouble } from '../trouble';

/** The run with what its logs say of it, and what they excuse. @throws Trouble for a format that is none */
export async function withLogs(
  result: RunResult,
  reread: Reread,
  options: ConvertOptions,
  io: Io,
  services: Services,
): Promise<RunResult & WithLog> {
  const { log, logFormat, full, answers } = options;
  if (log.length === 0) return result;
  const { tree, outcomes } = result;
  const after = treeAfter(result, reread);
  const rules = services.transforms.filter(({ isAboutAccess }) => isAboutAccess === true);
  const accessRules = new Set(rules.map(({ id }) => id));
  const counter = counterFor({ tree, after, outcomes, format: logFormat, isFull: full, accessRules });
  const progress = showProgress(io);
  let isPartial: boolean;
  try {
    isPartial = await services.readLogs(log, counter, { cwd: io.cwd, onProgress: progress.onLog });
  } finally {
    progress.end();
  }
  const report = counter.report(isPartial);
  const isEnough = ({ file }: Outcome): boolean =>
    answers.some(({ key, choice, place }) => {
      const isOfPlace = place === undefined || file.path === place || file.path.startsWith(`${place}/`);
      return key === LOG_QUESTION.key && choice === LOG_QUESTION.choices && isOfPlace;
    });
  const told = excused(result, report, (outcome) => counter.isHarmless(outcome), isEnough);
  return { ...told, log: report };
}

function counterFor(question: ConstructorParameters<typeof LogCounter>[0]): LogCounter {
  try {
    return new LogCounter(question);
  } catch (error) {
    if (question.format === undefined) throw error;
    throw new Trouble(`--log-format: ${(error as Error).message}`);
  }
}
