import { oneLine } from '../../report';
import type { Store, StoredWrite } from '../../write';
import type { Io, Services } from '../io';
import type { UndoRequest } from '../options';
import { showProgress, OK } from '../output';

/**
 * Takes the last write back, lists the writes that can be taken back, or forgets them.
 * @returns the exit status
 * @throws WriteError: nothing is taken back then
 */
export async function undo(request: UndoRequest, io: Io, services: Services): Promise<number> {
  const progress = showProgress(io);
  const looksOnly = request.list || request.prune;
  const store = await services.openStore({
    cwd: io.cwd,
    recover: looksOnly ? 'no' : request.keepChanged ? 'keep-changed' : 'yes',
    note: (line) => io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`),
    progress: progress.onWrite,
  });
  try {
    if (request.list) io.stdout.write(store.list().map(listLine).join(''));
    else if (request.prune) io.stderr.write(`${countWrites(store.prune())} forgotten.\n`);
    else await undoWrite(store, request, io);
    return OK;
  } finally {
    progress.end();
    store.close();
  }
}

async function undoWrite(store: Store, { id, keepChanged }: UndoRequest, io: Io): Promise<void> {
  // An interrupted write was the last one, and opening the store has taken it back.
  if (store.recovered.some(({ kind, result }) => kind === 'write' && result === 'taken back')) return;
  const { files, started, left } = await store.undo({ id, keepChanged });
  for (const path of left)
    io.stderr.write(`httpd-codemod: ${oneLine(path)}: changed since it was written: left as it is\n`);
  io.stderr.write(`Took back the write of ${when(started)}: ${countFiles(files)} restored.\n`);
}

/** For instance `m1abc  2024-05-06 07:08:09 UTC  12 files  34 kB  /etc/httpd: conf/httpd.conf`. */
function listLine({ id, started, files, bytes, cwd, paths, interrupted }: StoredWrite): string {
  const size = bytes < 10_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / 1_000_000)} MB`;
  const description = `${cwd}: ${paths.join(' ')}${interrupted ? ' (interrupted)' : ''}`;
  return `${id}  ${when(started)}  ${countFiles(files)}  ${size}  ${oneLine(description)}\n`;
}

function when(started: string): string {
  return `${started.slice(0, 19).replace('T', ' ')} UTC`;
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function countWrites(count: number): string {
  return count === 1 ? '1 write' : `${count} writes`;
}
