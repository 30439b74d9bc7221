import { loadRereadable, loadTree, overlay } from '../../src/config';
import type { ConfigTree, FileSource } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { run } from '../../src/engine';
import type { RunOptions, RunResult } from '../../src/engine';
import { transforms } from '../../transforms';

const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };

/** Runs all transforms over what lies at the paths, as the command line does: with verification, and without writing. */
export function convertPaths(
  paths: readonly string[],
  source: FileSource = disk,
  runOptions: RunOptions = {},
): RunResult {
  return run(loadRereadable(source, paths, options), transforms, runOptions);
}

/** Converts the same paths again, with a first run's texts in place of the old ones. */
export function convertAgain(paths: readonly string[], first: RunResult): RunResult {
  return convertPaths(paths, overlay(disk, new Map(first.plan.map(({ file, text }) => [file.path, text]))));
}

/** The tree that a run leaves behind. */
export function treeAfter(paths: readonly string[], { plan }: RunResult): ConfigTree {
  return loadTree(overlay(disk, new Map(plan.map(({ file, text }) => [file.path, text]))), paths, options);
}
