import type { ConfigTree, Reread } from '../../config/types';
import { withEdits } from '../../engine';
import type { RunResult } from '../../engine/types';
import { below, resolvePath } from '../../config';
import { logSummary, oneLine } from '../../report';
import { checkBesideTree, type Loaded, completeOptions, loadPaths, withLogPaths } from '../input';
import type { PendingWrite } from '../../write';
import type { Io, Services } from '../io';
import { checkPacking, type ConvertOptions, isCollected, writesTar } from '../options';
import { compute, type Computed } from './compute';
import { LeftFiles, writeWhatCanBe } from './unwritable';
import { type Consent, consentOf, OK, printResult, statusOf, TROUBLE, useColour, withStore } from '../output';
import { changedSince, type ChangeUnit, chooseChanges, planText, readPlan, type SavedPlan } from '../parts';
import { Trouble, unwrittenTrouble, UsageError } from '../trouble';

/**
 * The main command: reads, converts, reports, and writes with --write.
 * @returns the exit status
 * @throws Trouble, SourceError, WriteError: nothing is written then
 */
export function convert(asked: ConvertOptions, io: Io, services: Services): number | Promise<number> {
  const given = withLogPaths(asked, services.source, io);
  const options = completeOptions(given, io, services);
  checkPacking(options);
  const report = ({ result, reread }: Computed): number => {
    const status = statusOf(result, options);
    printResult(result, status, options, io, services, { reread });
    return status;
  };
  const reportWithLogs = (computed: Computed): number | Promise<number> =>
    options.log.length === 0 ? report(computed) : logged(computed, options, io, services).then(report);
  if (writesTar(options)) {
    if (!writesTar(given)) throw new UsageError('the tar to convert must stand on the command line');
    const computed = computeAccepted(options, io, services);
    if (computed.collected === undefined) throw new UsageError(`${options.paths[0]}: a directory, not a tar`);
    const { pack } = require('./pack') as typeof import('./pack');
    pack(computed.result, computed.collected, options.output!, io, services);
    return reportWithLogs(computed);
  }
  const consent = consentOf(options);
  if (options.mode === 'write')
    return convertAndWrite(
      options,
      io,
      services,
      (left) => computeAccepted(options, io, services, left, consent),
      reportWithLogs,
    );
  // Before anything is read: it may be done when that is.
  const isElsewhere = options.paths[0] === '-' || options.paths.some(isCollected);
  const pending = isElsewhere ? [] : services.pendingWrites();
  const explainResult = options.mode === 'explain' ? explainer(options.explain, services) : undefined;
  const computed = computeBeside(pending, () => compute(options, io, services, { consent }), io);
  const { reread } = computed;
  if (options.plan !== undefined) checkIncludes(computed.result);
  const result = chosenOf(computed, options, io, services);
  if (explainResult !== undefined) return explainResult(result, reread, options, io);
  const refused = askHttpd(result, reread, options, io, services);
  if (refused.length === 0) {
    const follow = consent.given === true;
    const finish = (done: Computed): number => {
      if (options.plan !== undefined) savePlan(done, options.plan, { ...options, follow }, io, services);
      return report(done);
    };
    const chosen = { ...computed, result };
    return options.log.length === 0 ? finish(chosen) : logged(chosen, options, io, services).then(finish);
  }
  printResult(result, TROUBLE, options, io, services, { trouble: refused, reread });
  for (const line of refused) io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`);
  return TROUBLE;
}

/** What was computed, with what the logs say of it. Loaded on demand: most runs read none. */
async function logged(
  computed: Computed,
  options: ConvertOptions,
  io: Io,
  services: Services,
): Promise<Computed> {
  const { withLogs } = require('./count-logs') as typeof import('./count-logs');
  return { ...computed, result: await withLogs(computed.result, computed.reread, options, io, services) };
}

/** Warns where what was read may be half of a write: also where nothing came of it. */
function computeBeside(pending: readonly PendingWrite[], read: () => Computed, io: Io): Computed {
  let tree: ConfigTree | undefined;
  try {
    const computed = read();
    ({ tree } = computed.result);
    return computed;
  } finally {
    if (pending.some((write) => mayConcern(write, tree))) io.stderr.write(PENDING_WRITE_WARNING);
  }
}

/** Whether a write is about files that a run has read, as far as can be told. */
function mayConcern({ files }: PendingWrite, tree: ConfigTree | undefined): boolean {
  if (files === undefined || tree === undefined) return true;
  const read = new Set(tree.files.map(({ path }) => path));
  return files.some(
    (path) => read.has(path) || tree.directories.some((directory) => below(path, directory) !== undefined),
  );
}

/** The result, if it may be written. */
function computeAccepted(
  options: ConvertOptions,
  io: Io,
  services: Services,
  left?: LeftFiles,
  consent?: Consent,
): Computed {
  const computed = compute(options, io, services, { refused: left, consent });
  const { reread, included } = computed;
  checkIncludes(computed.result);
  const result = chosenOf(computed, options, io, services);
  const refused = askHttpd(result, reread, options, io, services);
  if (refused.length > 0) throw new Trouble(...refused, 'configtest failed: nothing written');
  checkBackups(result, options, included);
  return { ...computed, result };
}

/** What the person at the terminal has chosen of a result, where they are asked. */
function chosenOf(
  { result, reread, runWith }: Computed,
  options: ConvertOptions,
  io: Io,
  services: Services,
): RunResult {
  if (!options.interactive) return result;
  return chooseChanges(result, io, {
    transforms: services.transforms,
    colour: useColour(io.stderr, options.color, io.env),
    rerun: runWith,
    withText: (chosen, written) => withEdits(chosen, written, services.transforms, reread),
    audienceOf: (unit) => audienceOf(unit, result, reread),
  });
}

function savePlan(
  { result, target }: Computed,
  file: string,
  options: ConvertOptions,
  io: Io,
  services: Services,
): void {
  checkBesideTree('--plan', file, result.tree, services.source, io);
  const text = planTextOf({ result, target }, options, io, services);
  try {
    services.writeOutput(resolvePath(io.cwd, file), text);
  } catch (error) {
    throw unwrittenTrouble('--plan', file, error);
  }
  io.stderr.write(oneLine(`Plan saved: httpd-codemod apply ${file} writes it`) + '\n');
}

function planTextOf(
  { result, target }: Pick<Computed, 'result' | 'target'>,
  options: ConvertOptions,
  io: Io,
  services: Services,
): string {
  const status = statusOf(result, { ...options, mode: 'write' }) === OK ? 0 : 1;
  // Whose ignore comments count is settled: apply may be another user's.
  const honourIgnores = options.honourIgnores || io.uid !== 0;
  const run = { ...options, ...target, honourIgnores };
  return planText(
    result,
    { cwd: io.cwd, run, status },
    { tool: services.version, log: result.log && logSummary(result.log) },
    (bytes) => services.hash(bytes),
  );
}

/**
 * The files that were read, and are not to be written, that have changed while a person was asked: what was accepted may let
 * others in beside what they say now. None where one to be written has changed too, which is seen when it is.
 */
function changedBeside(
  plan: SavedPlan,
  options: ConvertOptions,
  io: Io,
  services: Services,
): ReadonlyMap<string, string> {
  if (plan.changes.length === 0) return new Map();
  const { tree } = loadPaths(services.source, options, io, () => undefined);
  const since = changedSince(plan, tree, (bytes) => services.hash(bytes));
  return plan.changes.some(({ path }) => since.has(path)) ? new Map() : since;
}

const PENDING_WRITE_WARNING =
  'httpd-codemod: a write is running or was interrupted, so this may show a half-written state (httpd-codemod undo undoes an interrupted write)\n';

/** Loaded only when it is asked for. */
function audienceOf(unit: ChangeUnit, result: RunResult, reread: Reread): readonly string[] {
  const audience = require('./audience') as typeof import('./audience');
  return audience.audienceOf(unit, result, reread);
}

/** Loaded only for --explain. @throws UsageError before anything is read */
function explainer(
  requests: readonly string[],
  services: Services,
): (result: RunResult, reread: Reread, options: ConvertOptions, io: Io) => number {
  const { prepareExplain } = require('./explain') as typeof import('./explain');
  return prepareExplain(requests, services);
}

/** What an httpd refuses of the result, where one is to be asked: lines for a person, none where it takes it. */
function askHttpd(
  { tree, plan }: RunResult,
  reread: Reread,
  { configtest }: ConvertOptions,
  io: Io,
  services: Services,
): readonly string[] {
  if (configtest === undefined) return [];
  const texts = new Map(plan.map((change) => [change.file.path, change.text]));
  const after = plan.length === 0 ? tree : (reread(texts) ?? tree);
  const test = { command: configtest, defines: [...tree.defines], path: io.env['PATH'] ?? '' };
  return (services.configTest(after, plan, test) ?? []).map((line) => `configtest: ${line}`);
}

/** If Includes form a circle, what was read is not the configuration of any server. */
function checkIncludes({ tree }: RunResult): void {
  const fatal = tree.problems.filter((problem) => problem.fatal);
  if (fatal.length === 0) return;
  throw new Trouble(
    ...fatal.map(
      ({ file, at, message }) =>
        `${file.name}:${file.document.positionAt(at).line}: ${message}; nothing written`,
    ),
  );
}

/** A backup that an Include matches would bring back the lines that were converted. */
function checkBackups({ plan }: RunResult, { backup }: ConvertOptions, included: Loaded['included']): void {
  if (backup === undefined || plan.length === 0) return;
  const copies = plan.map(({ file }): [string, string] => [file.path + backup, file.document.text]);
  const [read] = included(new Map(copies));
  if (read === undefined) return;
  throw new Trouble(
    `${read.name}: an Include would read this copy: choose another ending, or leave out --backup (httpd-codemod undo needs none)`,
  );
}

/**
 * A run that writes. The lock is taken before anything is read: another run may be about to change it, or have left it half done.
 * @returns the exit status, as `report` says it
 * @throws WriteError and what `computeAccepted` throws: nothing is written then
 */
async function convertAndWrite(
  options: ConvertOptions,
  io: Io,
  services: Services,
  computeResult: (left: LeftFiles) => Computed,
  report: (computed: Computed) => number | Promise<number>,
): Promise<number> {
  const { paths, backup, interactive, configtest } = options;
  return withStore(io, services, 'yes', async (store, progress) => {
    const write = async ({ result: { plan } }: Computed): Promise<void> => {
      if (plan.length > 0) await store.write(plan, { paths, ...(backup === undefined ? {} : { backup }) });
      progress.end();
    };
    const left = new LeftFiles(services.source, io.uid);
    let computed = computeResult(left);
    if (interactive) {
      const { writePlan } = require('./apply') as typeof import('./apply');
      const { linesOf } = require('./planned') as typeof import('./planned');
      const plan = readPlan(planTextOf(computed, { ...options, follow: true }, io, services));
      // Nobody is asked the same questions again: the rest of what was accepted is written as that of a saved plan is.
      const writeRest = (): Promise<number> =>
        writePlan(plan, { left, backup, store, progress, as: 'accepted' }, io, services);
      const since = changedBeside(plan, options, io, services);
      if (since.size > 0 && configtest !== undefined) throw new Trouble(...linesOf(since), 'nothing written');
      if (since.size > 0) return writeRest();
      try {
        await write(computed);
      } catch (error) {
        if (configtest !== undefined || !left.addRefused(error, 'of others')) throw error;
        return writeRest();
      }
    } else
      await writeWhatCanBe(
        left,
        async () => {
          if (left.why.size > 0) computed = computeResult(left);
          await write(computed);
        },
        () => computed.result.plan.map(({ file }) => file.path),
      );
    return report(computed);
  });
}
