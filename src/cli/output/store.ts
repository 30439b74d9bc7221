import { oneLine } from '../../report';
import type { Io, Services } from '../io';
import { type Progress, showProgress } from './progress';

type OpenStore = Services['openStore'];

/** Opens what writes to the disk, hands it over, and closes it whatever comes of that; what was interrupted is seen to first. */
export async function withStore<T>(
  io: Io,
  services: Services,
  recover: Parameters<OpenStore>[0]['recover'],
  act: (store: Awaited<ReturnType<OpenStore>>, progress: Progress) => T | Promise<T>,
): Promise<T> {
  const progress = showProgress(io);
  const store = await services.openStore({
    cwd: io.cwd,
    recover,
    note: (line) => io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`),
    progress: progress.onWrite,
  });
  try {
    return await act(store, progress);
  } finally {
    progress.end();
    store.close();
  }
}
