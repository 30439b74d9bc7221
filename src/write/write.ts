import { accessSync, constants, readFileSync, renameSync, type Stats, statSync } from 'node:fs';
import type { Change, Plan } from '../engine/types';
import { keep, raw, removeQuietly, syncDirectory, writeTemp } from './temp';

/** Nothing was written, or (as the message then says) not all could be taken back. The message is one line, a byte string. */
export class WriteError extends Error {
  readonly path: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.path = path;
  }
}

interface Step {
  readonly change: Change;
  readonly before: Stats;
  readonly temp: string;
  readonly kept: string;
  renamed: boolean;
}

/**
 * Puts all files of the plan on disk, or none: everything that can fail early (space, permissions, a file changed since it was
 * read) does so before the first file is replaced, and a later failure puts the replaced ones back.
 * @throws WriteError
 */
export function writePlan(plan: Plan): void {
  const steps: Step[] = [];
  try {
    for (const change of plan) steps.push(prepare(change));
    for (const step of steps) replace(step);
  } catch (error) {
    const lost = steps.filter((step) => !restore(step));
    const why = (error as Error).message;
    const path = (error as WriteError).path;
    if (lost.length === 0) throw new WriteError(path, `${why}; nothing written`, error);
    const names = lost.map((step) => `${step.change.file.name} (original kept as ${step.kept})`).join(', ');
    throw new WriteError(path, `${why}; could not restore ${names}`, error);
  }
  for (const step of steps) removeQuietly(step.kept);
  for (const directory of new Set(plan.map(({ file }) => directoryOf(file.path)))) syncDirectory(directory);
}

function prepare(change: Change): Step {
  const { path, document } = change.file;
  let temp: string | undefined;
  try {
    accessSync(raw(path), constants.W_OK);
    const before = statSync(raw(path));
    if (readFileSync(raw(path)).toString('latin1') !== document.text) throw changedMeanwhile(change);
    temp = writeTemp(path, change.text, before);
    return { change, before, temp, kept: keep(path, document.text, before), renamed: false };
  } catch (error) {
    if (temp !== undefined) removeQuietly(temp);
    throw asWriteError(change, error);
  }
}

function replace(step: Step): void {
  const { change, before } = step;
  try {
    const now = statSync(raw(change.file.path));
    if (now.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs) {
      throw changedMeanwhile(change);
    }
    renameSync(raw(step.temp), raw(change.file.path));
    step.renamed = true;
  } catch (error) {
    throw asWriteError(change, error);
  }
}

/** @returns false where the original could not be put back: it is left under its kept name then. */
function restore(step: Step): boolean {
  if (!step.renamed) {
    removeQuietly(step.temp);
    removeQuietly(step.kept);
    return true;
  }
  try {
    renameSync(raw(step.kept), raw(step.change.file.path));
    return true;
  } catch {
    return false;
  }
}

function changedMeanwhile(change: Change): WriteError {
  return new WriteError(change.file.path, `${change.file.name}: changed since it was read`);
}

function asWriteError(change: Change, error: unknown): WriteError {
  if (error instanceof WriteError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const why = code === undefined ? (error as Error).message : `${syscall ?? 'write'} failed: ${code}`;
  return new WriteError(change.file.path, `${change.file.name}: cannot write: ${why}`, error);
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
