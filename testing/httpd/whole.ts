import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFile } from './check';
import { createServerRoot, freePort } from './config';
import { launch, unknownHost } from './launch';
import { makeReadable } from './readable';
import type { RootOptions, ServerRoot } from './config';

/** A server that serves one configuration of its own, with its own addresses. */
export interface WholeServer {
  readonly dir: string;
  /** What is in a file below the ServerRoot by now; empty where there is none. */
  read(path: string): string;
  stop(): Promise<void>;
}

/**
 * Serves a text at server level, behind the usual preamble.
 * @param write the text, which may write files below the ServerRoot first
 * @throws Error with what httpd said, where it does not take the text or does not start
 */
export async function serveWhole(
  write: (root: ServerRoot) => string,
  options: Omit<RootOptions, 'listen'> = {},
): Promise<WholeServer> {
  const port = await freePort();
  const root = createServerRoot({ ...options, listen: [`127.0.0.1:${port}`] });
  const read = (path: string): string =>
    existsSync(join(root.dir, path)) ? readFileSync(join(root.dir, path), 'latin1') : '';
  try {
    const text = write(root);
    const main = join(root.dir, 'conf/httpd.conf');
    const first = `<VirtualHost 127.0.0.1:${port}>\nServerName ${unknownHost.host}\nRedirect ${unknownHost.status} /\n</VirtualHost>\n`;
    writeFileSync(main, root.preamble + first + text, 'latin1');
    makeReadable(root.dir);
    const verdict = await testFile(main);
    if (!verdict.ok) throw new Error(verdict.message);
    const running = await launch(main, port).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}\n${read('logs/error_log')}`);
    });
    const stop = async (): Promise<void> => {
      await running.stop();
      root.dispose();
    };
    return { dir: root.dir, read, stop };
  } catch (error) {
    root.dispose();
    throw error;
  }
}
