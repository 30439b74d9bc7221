import { serverNamesOf } from '../../config';
import type { Reread } from '../../config/types';
import type { Change, Outcome, RunResult } from '../../engine/types';
import type { WithLog } from '../../log/types';
import {
  colourDiff,
  type ContentOptions,
  diffPath,
  failsRun,
  githubReport,
  gitlabReport,
  htmlReport,
  markdownReport,
  jsonReport,
  junitReport,
  leftReport,
  manyLines,
  NOTHING,
  oneLine,
  type ReportedRun,
  sarifReport,
  scriptReport,
  summaryReport,
  type NextStep,
  planLine,
  type PlanStage,
  textReport,
  unifiedDiff,
  unmetReport,
} from '../../report';
import type { Io, OutputStream, Services } from '../io';
import { type ConvertOptions, isCollected, writesTar } from '../options';
import { withoutCommands } from './actions';
import { shellWord } from '../../shell-word';
import { commandWith } from './again';
import { BEYOND } from './beyond';
import { installStep, packStep } from './new-server';

type DocumentServices = Pick<Services, 'transforms' | 'version' | 'hash'>;

interface PrintOptions {
  /** Why the result cannot be used, for the document only: a line each. */
  readonly trouble?: readonly string[];
  /** What somebody can do once the questions are answered. */
  readonly next?: NextStep | undefined;
  /** Reads the tree with new texts, to see who gets in then. */
  readonly reread?: Reread | undefined;
}

/** Prints what came of a run: the product on stdout, the findings on stderr or in the document asked for. */
export function printResult(
  result: RunResult & WithLog,
  exitStatus: number,
  options: ConvertOptions,
  io: Io,
  services: DocumentServices,
  { trouble, next = nextStep(options, result), reread }: PrintOptions = {},
): void {
  const { transforms } = services;
  const content = { ...contentOptions(options), transforms, next };
  if (printDocument({ result, exitStatus, trouble, whole: result, reread, next }, options, io, services))
    return;
  if (options.format === 'github') {
    io.stdout.write(githubReport(result, { quiet: options.detail === 'quiet' }));
    if (options.detail !== 'quiet') io.stderr.write(`${planLine(result, content)}\n`);
    return;
  }
  if (options.format === 'sh') printText(scriptReport(result), io);
  else if (options.mode === 'filter')
    printText(result.plan[0]?.text ?? result.tree.files[0]?.document.text ?? '', io);
  else if (options.mode === 'check') printNames(result, io);
  else {
    if (options.summary) printText(summaryOf(result, options), io);
    if (options.diff) printDiffs(result, options, io);
  }
  // On a screen that shows both, the report does not look like the end of the diff.
  if (options.diff && result.plan.length > 0 && io.stdout.isTTY && io.stderr.isTTY) io.stderr.write('\n');
  const colour = useColour(io.stderr, options.color, io.env);
  const { detail, summary } = options;
  const width = widthOf(io.stderr, options);
  if (detail !== 'quiet') io.stderr.write(leftReport(result, BEYOND) + unmetReport(result));
  const text = textReport(result, {
    ...content,
    colour,
    width,
    isScreen: io.stderr.isTTY,
    detail,
    isSummed: summary,
  });
  if (text !== '') io.stderr.write(text);
}

function summaryOf(result: RunResult, { detail }: ConvertOptions): string {
  return summaryReport(result, { serverAt: serverNamesOf(result.tree), verbose: detail === 'verbose' });
}

/** What a report names before there is a write to take back: then it says the whole command. */
const UNDO = 'httpd-codemod undo';

function nextStep(options: ConvertOptions, result: RunResult): NextStep | undefined {
  const { plan } = result;
  const { mode, paths, output = '', argv, follow } = options;
  const again = commandWith(argv);
  const undo = ['httpd-codemod undo', ...paths.map((path) => shellWord(path))].join(' ');
  if (writesTar(options)) return installStep(output, result);
  if (paths.some(isCollected)) return packStep(again('--write --output converted.tar.gz'));
  // Whoever reads a pull request has nothing to undo.
  if (mode === 'write' && options.format === 'markdown')
    return {
      text:
        options.dual === true ? 'see whether 2.2 and 2.4 start with it' : 'see whether 2.4 starts with it',
      command: 'httpd -t',
    };
  if (mode === 'write' && options.interactive && result.outcomes.some(({ declined }) => declined === true))
    return {
      text: `decide about what was left out, before 2.4 is started; ${undo} takes the write back`,
      command: again('--interactive'),
    };
  if (mode === 'write')
    return {
      text: `see whether 2.4 starts with it; ${undo} takes the write back`,
      command: 'httpd -t',
    };
  if (mode === 'filter' || paths[0] === '-') return undefined;
  if (options.plan !== undefined)
    return {
      text: `write what was saved and run httpd -t; ${undo} takes it back`,
      command: `httpd-codemod apply ${shellWord(options.plan)}`,
    };
  const write = !follow && plan.some(({ file }) => file.isBeyond === true) ? '--write --follow' : '--write';
  return {
    text: `write the changes, then run httpd -t; ${UNDO} takes them back`,
    command: again(write),
    withScript: (steps) => ({
      text: `write the changes; on the new server run steps.sh (${steps}), then httpd -t; ${UNDO} takes the changes back`,
      command: `${again(`${write} --format sh`)} > steps.sh`,
    }),
  };
}

type ContentOptionsOf = Pick<ConvertOptions, 'failOn' | 'mode' | 'argv'>;

function contentOptions({
  failOn,
  mode,
  argv,
}: ContentOptionsOf): Pick<ContentOptions, 'failOn' | 'stage' | 'commandWith'> {
  return { failOn, stage: stageOf({ mode }), commandWith: commandWith(argv) };
}

function stageOf({ mode }: Pick<ConvertOptions, 'mode'>): PlanStage {
  if (mode === 'write') return 'written';
  return mode === 'filter' ? 'converted' : 'planned';
}

/** Columns of what does not say how wide it is. */
const COLUMNS = 80;

/** A file or a pipe is read on a terminal in the end; what lists every finding, or open ones alone, is searched for lines. */
function widthOf({ isTTY, columns }: OutputStream, { detail }: ConvertOptions): number | undefined {
  if (!isTTY && detail !== 'normal') return undefined;
  return isTTY ? (columns ?? COLUMNS) : COLUMNS;
}

function isDone({ mode }: Pick<ConvertOptions, 'mode'>): boolean {
  return mode === 'write' || mode === 'filter';
}

interface DocumentedRun {
  /** Undefined where nothing was read. */
  readonly result?: ReportedRun;
  readonly exitStatus: number;
  readonly trouble?: readonly string[] | undefined;
  /** The result with all that is known of its tree. */
  readonly whole?: RunResult;
  readonly reread?: Reread | undefined;
  readonly next?: NextStep | undefined;
}

/**
 * Prints a run as the one document that its format asks for.
 * @returns false for a format that is no document
 */
export function printDocument(
  { result = NOTHING, exitStatus, trouble, whole, reread, next }: DocumentedRun,
  options: Pick<ConvertOptions, 'format' | 'diff' | 'mode' | 'failOn' | 'argv'> &
    Partial<Pick<ConvertOptions, 'dual'>>,
  io: Io,
  { transforms, version, hash }: DocumentServices,
): boolean {
  const troubleOption = trouble === undefined ? {} : { trouble };
  const content = { ...contentOptions(options), transforms, next };
  if (options.format === 'json') {
    const changes = options.diff ? result.plan : [];
    const diffs = new Map(changes.map((change) => [change.file.path, diffOf(change, io)]));
    for (const piece of jsonReport(result, { ...content, exitStatus, hash, diffs, ...troubleOption }))
      io.stdout.write(piece);
  } else if (options.format === 'sarif') {
    const fixes = !isDone(options);
    const pieces = sarifReport(result, { version, exitStatus, transforms, fixes, ...troubleOption });
    for (const piece of pieces) io.stdout.write(piece);
  } else if (options.format === 'html') {
    const { placesOf } = require('./pages') as typeof import('./pages');
    const places = whole === undefined ? NOWHERE : placesOf(whole, reread, transforms);
    const script = whole?.outcomes.some(needsCommands) === true ? scriptReport(whole) : undefined;
    const page = {
      ...places,
      ...content,
      hash,
      script,
      ...troubleOption,
    };
    io.stdout.write(htmlReport(result, page));
  } else if (options.format === 'markdown') {
    const diffs = result.plan.map((change) => diffOf(change, io));
    io.stdout.write(
      markdownReport(result, { ...content, diffs, isDual: options.dual === true, ...troubleOption }),
    );
  } else if (options.format === 'junit')
    io.stdout.write(junitReport(result, { open: openFindings(result, options), ...troubleOption }));
  else if (options.format === 'gitlab')
    io.stdout.write(gitlabReport(result, { cwd: io.cwd, hash, ...troubleOption }));
  else return false;
  return true;
}

const NOWHERE = { serverAt: () => '', audienceOf: () => undefined };

function needsCommands({ commands, status }: Outcome): boolean {
  return commands !== undefined && status !== 'ignored';
}

function printDiffs(result: RunResult, options: ConvertOptions, io: Io): void {
  // One write: two thousand small ones take longer than the diffs themselves.
  const diffs = withoutCommands(result.plan.map((change) => diffOf(change, io)).join(''), io.env);
  if (diffs !== '' && useColour(io.stdout, options.color, io.env))
    io.stdout.write(colourDiff(manyLines(diffs)));
  else printText(diffs, io);
}

/** Bytes for a pipe or a file; a terminal gets no control sequence out of a configuration. */
function printText(text: string, io: Io): void {
  if (text !== '') io.stdout.write(io.stdout.isTTY ? manyLines(text) : text);
}

function printNames(result: RunResult, io: Io): void {
  const names = result.plan.map(({ file }) => `${io.stdout.isTTY ? oneLine(file.name) : file.name}\n`);
  if (names.length > 0) io.stdout.write(names.join(''));
}

function diffOf({ file, edits }: Change, io: Io): string {
  return unifiedDiff(diffPath(file.path, io.cwd), file.document.text, edits);
}

/** Whether an output is coloured: as told, else where a terminal shows it and the user did not opt out (https://no-color.org). */
export function useColour(output: OutputStream, choice: ConvertOptions['color'], env: Io['env']): boolean {
  if (choice !== 'auto') return choice === 'always';
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return output.isTTY;
}

export const OK = 0;
export const OPEN = 1;
export const TROUBLE = 2;

/** The exit status of a run that went through: the same in every mode. A change that reached its place is not pending. */
export function statusOf(result: ReportedRun, options: Pick<ConvertOptions, 'mode' | 'failOn'>): number {
  const pending = result.plan.length > 0 && !isDone(options);
  return pending || result.outcomes.some((outcome) => failsRun(outcome, options.failOn)) ? OPEN : OK;
}

/** The findings that make the status of a run `OPEN`. */
function openFindings(
  { outcomes, plan }: ReportedRun,
  options: Pick<ConvertOptions, 'mode' | 'failOn'>,
): ReadonlySet<Outcome> {
  const pending = new Set(isDone(options) ? [] : plan.map(({ file }) => file));
  const isPending = ({ status, file }: Outcome): boolean => status === 'applied' && pending.has(file);
  return new Set(outcomes.filter((outcome) => isPending(outcome) || failsRun(outcome, options.failOn)));
}
