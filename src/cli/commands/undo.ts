import { oneLine } from '../../report';
import {
  damagedText,
  type PutAside,
  type Store,
  type StoredWrite,
  type UndoableWrite,
  type UndoResult,
} from '../../write';
import type { Io, Services } from '../io';
import type { UndoRequest } from '../options';
import { OK, OPEN, withStore } from '../output';
import { Trouble } from '../trouble';
import { LeftFiles, writeWhatCanBe } from './unwritable';

/** How many files `undo` names before it asks; `--check` names all. */
const NAMED = 20;

/**
 * Takes a write back, lists the writes that can be taken back, forgets them, or puts aside what cannot be read of them.
 * @returns the exit status
 * @throws WriteError or Trouble: nothing is taken back then
 */
export function undo(request: UndoRequest, io: Io, services: Services): Promise<number> {
  return withStore(io, services, recoveryFor(request), (store) => act(store, request, io, services));
}

function recoveryFor({ action, keepChanged }: UndoRequest): Parameters<Services['openStore']>[0]['recover'] {
  if (action === 'undo') return keepChanged ? 'keep-changed' : 'yes';
  return action === 'list' || action === 'check' ? 'look' : 'no';
}

async function act(store: Store, request: UndoRequest, io: Io, services: Services): Promise<number> {
  switch (request.action) {
    case 'list': {
      const { writes, damaged } = store.list();
      io.stdout.write(writes.map(listLine).join(''));
      for (const journal of damaged) io.stderr.write(`httpd-codemod: ${oneLine(damagedText(journal))}\n`);
      return OK;
    }
    case 'prune':
      io.stderr.write(`${count(store.prune(), 'write')} forgotten.\n`);
      return OK;
    case 'repair':
      for (const aside of await store.repair()) io.stderr.write(asideText(aside));
      return OK;
    case 'check':
      io.stdout.write(
        find(store, request, io)
          .written.map((path) => `${oneLine(path)}\n`)
          .join(''),
      );
      return OPEN;
    case 'undo':
      return undoWrite(store, request, io, services);
  }
}

async function undoWrite(store: Store, request: UndoRequest, io: Io, services: Services): Promise<number> {
  // Opening the store has taken back what was interrupted: that was the last write, here or elsewhere.
  if (store.hasTakenBack(request.what[0], pathsOf(request, io))) return OK;
  const write = find(store, request, io);
  io.stderr.write(undoText(write));
  if (!request.yes) {
    const answer = io.ask(`Take back ${count(write.files, 'file')}? [y/N] `);
    if (answer === undefined) throw new Trouble('there is no terminal to ask on: --yes takes it back');
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      io.stderr.write('Nothing taken back.\n');
      return OK;
    }
  }
  const { id } = write;
  const { keepChanged } = request;
  const refused = new LeftFiles(services.source, io.uid);
  const takeBack = (): Promise<UndoResult> =>
    store.undo({ id, keepChanged, except: (path) => refused.reasonFor(path) });
  const { files, started, left, indexLeft } = await (keepChanged
    ? writeWhatCanBe(refused, takeBack, () => write.written)
    : takeBack());
  for (const path of left) {
    const why = refused.reasonFor(path) ?? 'changed since it was written';
    io.stderr.write(`httpd-codemod: ${oneLine(`${path}: ${why}`)}: left as it is\n`);
  }
  for (const line of indexLeft) io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`);
  io.stderr.write(`Took back the write of ${when(started)}: ${count(files, 'file')} restored.\n`);
  return OK;
}

/** @throws Trouble where there is none, WriteError where it cannot be read */
function find(store: Store, request: UndoRequest, io: Io): UndoableWrite {
  const { what } = request;
  const [word] = what;
  const named = what.length === 1 ? store.findUndoable(word, []) : undefined;
  const found = named ?? store.findUndoable(undefined, pathsOf(request, io));
  if (found !== undefined) return found;
  if (store.list().writes.every(({ interrupted }) => interrupted)) throw new Trouble('no write to take back');
  const place = what.length > 0 ? what.join(', ') : io.cwd;
  throw new Trouble(`no write that can be taken back has touched ${place} (undo --list lists all)`);
}

function pathsOf({ what }: UndoRequest, io: Io): readonly string[] {
  return what.length > 0 ? what : [io.cwd];
}

/** For instance `The write of 2024-05-06 07:08:09 UTC, started in /etc/httpd, has changed:`, and its files. */
function undoText({ started, cwd, written, staged }: UndoableWrite): string {
  const named = written.slice(0, NAMED).map((path) => `  ${oneLine(path)}\n`);
  const more = written.length > NAMED ? `  and ${written.length - NAMED} more (--check names all)\n` : '';
  return `The write of ${when(started)}, started in ${oneLine(cwd)}, has changed${staged ? ' and staged' : ''}:\n${named.join('')}${more}`;
}

/** For instance `m1abc  2024-05-06 07:08:09 UTC  12 files  34 kB  /etc/httpd: conf/httpd.conf`. */
function listLine({ id, started, files, bytes, cwd, paths, interrupted }: StoredWrite): string {
  const size = bytes < 10_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / 1_000_000)} MB`;
  const description = `${cwd}: ${paths.join(' ')}${interrupted ? ' (interrupted)' : ''}`;
  return `${id}  ${when(started)}  ${count(files, 'file')}  ${size}  ${oneLine(description)}\n`;
}

function asideText({ id, reason, path, interrupted, files }: PutAside): string {
  const where = oneLine(`${id}: ${reason}. It now lies in ${path}; its write can no longer be taken back.`);
  const half = interrupted
    ? `It was interrupted: its files may be as before or as after.${files.length === 0 ? ' Which they are cannot be told.' : ' Look at these:'}\n`
    : '';
  return `${where}\n${half}${interrupted ? files.map((file) => `  ${oneLine(file)}\n`).join('') : ''}`;
}

function when(started: string): string {
  return `${started.slice(0, 19).replace('T', ' ')} UTC`;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
