import { type Reread, run } from '../engine';
import type { RunOptions, RunResult } from '../engine/types';
import type { ConfigTree } from '../config/types';
import { ignoredFiles } from './ignored';
import type { Io, Services } from './io';
import type { ConvertOptions } from './options';
import { printResult } from './output';
import { showProgress } from './progress';
import { withProject } from './project';
import { checkOptions, checkRules } from './rules';
import { statusOf } from './status';
import { loadPaths, loadStdin } from './tree';
import { Trouble } from './trouble';

/**
 * The main job: reads, converts, writes where told to, reports.
 * @returns the exit status
 * @throws Trouble, SourceError, WriteError: nothing is written then
 */
export function convert(given: ConvertOptions, io: Io, services: Services): number {
  const options = withProject(given, services.source, io.cwd, services.transforms);
  const { rules = [], skip, ruleOptions } = options;
  checkRules([...rules, ...skip, ...Object.keys(ruleOptions)], services.transforms);
  checkOptions(ruleOptions, services.transforms);
  const progress = showProgress(io);
  const answer = options.mode === 'explain' ? explainer(options.explain) : undefined;
  let result: RunResult;
  let again: Reread;
  try {
    const { tree, reread } =
      options.paths[0] === '-'
        ? loadStdin(options, io)
        : loadPaths(services.source, options, io, progress.onFile);
    checkReadable(tree);
    again = reread;
    const isIgnored = ignoredFiles(tree, services.source, io.cwd);
    result = run(
      tree,
      services.transforms,
      { ...runOptions(options), ...(isIgnored && { isIgnored }) },
      reread,
    );
  } finally {
    progress.end();
  }
  if (result.failure !== undefined) throw new Trouble(result.failure);
  if (answer !== undefined) return answer(result, again, options, io);
  if (options.mode === 'write') services.write(result.plan);
  const status = statusOf(result, options);
  printResult(result, status, options, io, services);
  return status;
}

/** Code that no other run needs. @throws UsageError before anything is read */
function explainer(
  requests: readonly string[],
): (result: RunResult, reread: Reread, options: ConvertOptions, io: Io) => number {
  const { prepareExplain } = require('./explain') as typeof import('./explain');
  return prepareExplain(requests);
}

function checkReadable({ unreadable }: ConfigTree): void {
  if (unreadable.length === 0) return;
  throw new Trouble(...unreadable.map(({ name, message }) => `${name}: ${message}`));
}

function runOptions({ rules, dual, skip, safeOnly, ruleOptions, levels }: ConvertOptions): RunOptions {
  return {
    ...(rules && { rules }),
    ...(dual === undefined ? {} : { dual }),
    skip,
    safeOnly,
    ruleOptions,
    ...(levels && { levels }),
  };
}
