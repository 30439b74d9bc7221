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
import { statusOf, TROUBLE } from './status';
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
  const refused = askHttpd(result, again, options, io, services);
  if (options.mode === 'write' && refused.length > 0)
    throw new Trouble(...refused, 'configtest failed: nothing written');
  if (options.mode === 'write') services.write(result.plan);
  const status = refused.length > 0 ? TROUBLE : statusOf(result, options);
  printResult(result, status, options, io, services);
  if (refused.length > 0) throw new Trouble(...refused);
  return status;
}

/** Code that no other run needs. @throws UsageError before anything is read */
function explainer(
  requests: readonly string[],
): (result: RunResult, reread: Reread, options: ConvertOptions, io: Io) => number {
  const { prepareExplain } = require('./explain') as typeof import('./explain');
  return prepareExplain(requests);
}

/** What an httpd refuses of the result, where one is to be asked: lines for a person, none where it takes it. */
function askHttpd(
  { tree, plan }: RunResult,
  reread: Reread,
  { configtest, defines }: ConvertOptions,
  io: Io,
  services: Services,
): readonly string[] {
  if (configtest === undefined) return [];
  const texts = new Map(plan.map((change) => [change.file.path, change.text]));
  const after = plan.length === 0 ? tree : reread(texts);
  const test = { command: configtest, defines: [...defines.keys()], path: io.env['PATH'] ?? '' };
  return (services.configTest(after, plan, test) ?? []).map((line) => `configtest: ${line}`);
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
