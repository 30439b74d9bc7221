import {
  DamagedJournalError,
  listNames,
  moveDirectory,
  type OpenJournal,
  openJournal,
  removeDirectory,
  type StateDirectory,
} from '../journal';
import { isGone, WriteError } from '../error';
import type { WriteContext } from '../transaction';
import type { FileOps } from '../system';
import { damagedText } from './undo';
import { cleanUp, removeCopy, rollBack } from './roll-back';

/**
 * Directories of state; a journal goes from one to the next, at once, by a rename. `new`: nothing was touched yet, or all is
 * cleaned up. `pending`: files may have been replaced. `back`: all are as they were. `done`: all are replaced, and that is final.
 * `writes`: cleaned up, kept for an undo.
 */
export const STATES = ['new', 'pending', 'back', 'done', 'writes'] as const;

/** Beside those: where an undo --repair puts what cannot be read. */
export const DAMAGED = 'damaged';

/** What became of a journal that a run has left behind. */
export interface Recovered {
  readonly kind: 'write' | 'undo';
  readonly result: 'taken back' | 'finished' | 'unreadable';
  /** One line for the user. */
  readonly text: string;
  /** Files that were left because they have changed since. */
  readonly left: readonly string[];
  /** Lines about the index of git, where it could not be taken back with the files. */
  readonly indexLeft?: readonly string[];
  /** Temporary files that could not be removed; the next run tries again. */
  readonly notRemoved?: readonly string[];
  readonly id: string;
  /** Real paths of the files that it is about, byte strings. */
  readonly files: readonly string[];
}

/**
 * Brings every file that interrupted runs have touched to where it was before, or where it was to be if that had been decided.
 * @throws WriteError where a file has changed since
 */
export async function recover(
  setting: WriteContext,
  place: StateDirectory,
  keepChanged: boolean,
): Promise<Recovered[]> {
  const { ops } = setting;
  const all: Recovered[] = [];
  const eachOf = async (state: string, settle: (id: string) => Promise<void>): Promise<void> => {
    for (const id of listNames(ops, `${place.at}/${state}`))
      try {
        await settle(id);
      } catch (error) {
        if (!(error instanceof DamagedJournalError)) throw error;
        // The others are settled all the same.
        const text = `${damagedText({ id, reason: error.message })}; it was left by an interrupted run, whose files may be as before or as after`;
        all.push({ id, kind: 'write', result: 'unreadable', text, left: [], files: [] });
      }
  };
  for (const id of listNames(ops, `${place.at}/new`)) removeDirectory(ops, `${place.at}/new/${id}`);
  await eachOf('back', async (id) => {
    const notRemoved = withJournal(setting, place, `back/${id}`, (journal) =>
      cleanUp(setting, journal, false),
    );
    if (notRemoved.length > 0)
      all.push({
        id,
        kind: 'write',
        result: 'finished',
        text: notRemovedText(notRemoved),
        left: [],
        files: [],
      });
    removeDirectory(ops, await moveDirectory(ops, `${place.at}/back/${id}`, `${place.at}/new/${id}`));
  });
  await eachOf('done', async (id) => {
    const { header, entries, notRemoved } = await finish(setting, place, id, true);
    const about = { id, kind: header.kind, left: [], files: entries.map(({ path }) => path) };
    if (notRemoved.length > 0) all.push({ ...about, result: 'finished', text: notRemovedText(notRemoved) });
    const text = `finished the ${header.kind} of ${whenOf(header.started)}, which was interrupted when all files were in place (${countFiles(entries.length)})`;
    all.push({ ...about, result: 'finished', text });
  });
  await eachOf('pending', async (id) => {
    all.push(await recoverPending(setting, place, id, keepChanged));
  });
  return all;
}

/** A journal that was put aside. */
export interface PutAside {
  readonly id: string;
  readonly reason: string;
  /** Where the journal that was put aside lies now. */
  readonly path: string;
  /** Whether its write was interrupted; the files that it names, as far as it can be read. */
  readonly interrupted: boolean;
  readonly files: readonly string[];
}

/** Moves every journal that cannot be read out of the way. Nothing is deleted. */
export async function putAsideDamaged(ops: FileOps, place: StateDirectory): Promise<PutAside[]> {
  const all: PutAside[] = [];
  for (const state of STATES)
    for (const id of listNames(ops, `${place.at}/${state}`))
      try {
        const journal = openJournal(ops, place, `${state}/${id}`);
        journal.close();
      } catch (error) {
        if (!(error instanceof DamagedJournalError)) throw error;
        await moveDirectory(ops, `${place.at}/${state}/${id}`, `${place.at}/${DAMAGED}/${id}`);
        const path = `${place.path}/${DAMAGED}/${id}`;
        const files = error.entries.map((entry) => entry.path);
        all.push({ id, reason: error.message, path, interrupted: state !== 'writes', files });
      }
  return all;
}

async function recoverPending(
  setting: WriteContext,
  place: StateDirectory,
  id: string,
  keepChanged: boolean,
): Promise<Recovered> {
  const journal = openJournal(setting.ops, place, `pending/${id}`);
  const { kind, started } = journal.header;
  const operation = `the ${kind} of ${whenOf(started)}, which was interrupted`;
  try {
    const { restored, left, indexLeft, notRemoved } = await rollBack(setting, journal, {
      keepChanged,
      place,
    });
    const leftText = left.length === 0 ? '' : `; left as they are now: ${left.join(', ')}`;
    const notRemovedEnd = notRemoved.length === 0 ? '' : `; ${notRemovedText(notRemoved)}`;
    const text = `took back ${operation} (${countFiles(restored)} put back)${leftText}${notRemovedEnd}`;
    const files = journal.entries.map(({ path }) => path);
    return { id, kind, result: 'taken back', text, left, indexLeft, notRemoved, files };
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const text = `cannot take back ${operation}: ${error.message} (httpd-codemod undo --keep-changed leaves such files and takes back the others)`;
    throw new WriteError(error.path, text, error);
  } finally {
    journal.close();
  }
}

export function notRemovedText(paths: readonly string[]): string {
  return `these files could not be removed; remove them yourself: ${paths.join(', ')}`;
}

interface Finished extends Pick<OpenJournal, 'header' | 'entries'> {
  /** Temporary files that could not be removed. */
  readonly notRemoved: string[];
}

/**
 * Cleans up behind a transaction that has replaced all its files.
 * @param last whether this is the last attempt; else, what cannot be removed now is left to the next run
 */
export async function finish(
  setting: WriteContext,
  place: StateDirectory,
  id: string,
  last: boolean,
): Promise<Finished> {
  const { ops } = setting;
  const directory = `${place.at}/done/${id}`;
  const finished = withJournal(setting, place, `done/${id}`, (journal) => {
    return { header: journal.header, entries: journal.entries, notRemoved: cleanUp(setting, journal, true) };
  });
  const { header, notRemoved } = finished;
  const undone = header.undoes ?? '';
  const isKept = listNames(ops, `${place.at}/writes`).includes(undone);
  if (isKept)
    notRemoved.push(
      ...withJournal(setting, place, `writes/${undone}`, (written) => removeCopies(setting, written)),
    );
  if (notRemoved.length > 0 && !last) return finished;
  if (header.kind === 'write') {
    await moveDirectory(ops, directory, `${place.at}/writes/${id}`);
    return finished;
  }
  if (isKept)
    removeDirectory(
      ops,
      await moveDirectory(ops, `${place.at}/writes/${undone}`, `${place.at}/new/${undone}`),
    );
  removeDirectory(ops, await moveDirectory(ops, directory, `${place.at}/new/${id}`));
  return finished;
}

/** Removes the copies that a write has left. @returns the paths of those that cannot be removed */
function removeCopies(setting: WriteContext, written: OpenJournal): string[] {
  const notRemoved: string[] = [];
  for (const { backup, old } of written.entries) {
    if (backup === undefined) continue;
    try {
      removeCopy(setting, backup, old);
    } catch (error) {
      if (!isGone(error)) notRemoved.push(backup);
    }
  }
  return notRemoved;
}

/** @param action reads the journal at once */
function withJournal<T>(
  { ops }: WriteContext,
  place: StateDirectory,
  name: string,
  action: (journal: OpenJournal) => T,
): T {
  const journal = openJournal(ops, place, name);
  try {
    return action(journal);
  } finally {
    journal.close();
  }
}

export function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** `2024-05-06 07:08:09 UTC` */
function whenOf(started: string): string {
  return `${started.slice(0, 19).replace('T', ' ')} UTC`;
}
