import type { ConfigTree } from '../../config/types';
import type { Change, RunResult } from '../../engine/types';
import {
  colourDiff,
  diffPath,
  githubReport,
  jsonReport,
  manyLines,
  oneLine,
  sarifReport,
  summaryLine,
  textReport,
  unifiedDiff,
} from '../../report';
import { useColour } from './colour';
import type { Io, Services } from '../io';
import { type ConvertOptions } from '../options';

/** Prints what came of a run: the product on stdout, the findings on stderr or in the document asked for. */
export function printResult(
  result: RunResult,
  exitStatus: number,
  options: ConvertOptions,
  io: Io,
  { transforms, version }: Pick<Services, 'transforms' | 'version'>,
): void {
  const done = options.mode === 'write' || options.mode === 'filter';
  if (options.format === 'json') {
    const changes = options.diff ? result.plan : [];
    const diffs = new Map(changes.map((change) => [change.file.path, diffOf(change, io)]));
    io.stdout.write(jsonReport(result, { exitStatus, diffs }));
    return;
  }
  if (options.format === 'sarif') {
    io.stdout.write(sarifReport(result, { version, exitStatus, transforms, fixes: !done }));
    return;
  }
  if (options.format === 'github') {
    io.stdout.write(githubReport(result, options));
    if (!options.quiet) io.stderr.write(`${summaryLine(result, done)}\n`);
    return;
  }
  if (!options.quiet) io.stderr.write(unvisitedLines(result.tree));
  if (options.mode === 'filter')
    printText(result.plan[0]?.text ?? result.tree.files[0]?.document.text ?? '', io);
  else if (options.mode === 'check') printNames(result, io);
  else if (options.diff) printDiffs(result, options, io);
  const colour = useColour(io.stderr, options.color, io.env);
  io.stderr.write(textReport(result, { colour, done, quiet: options.quiet }));
}

/** Directories that were not looked into: there may be more to convert. */
function unvisitedLines({ unvisited }: ConfigTree): string {
  return unvisited.map(({ name, message }) => `${oneLine(`${name}: ${message}`)}\n`).join('');
}

function printDiffs(result: RunResult, options: ConvertOptions, io: Io): void {
  // At once: two thousand small writes take longer than the diffs themselves.
  const diffs = result.plan.map((change) => diffOf(change, io)).join('');
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
