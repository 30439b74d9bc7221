import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { virtualHost, withDocroot, writeDocroot } from './case';
import { testFile } from './check';
import { createServerRoot, freePort } from './config';
import { launch, unknownHost } from './launch';
import { makeReadable } from './readable';
import type { ServedCase } from './case';
import type { RootOptions, ServerRoot } from './config';
import type { Running } from './launch';

export type { ServedCase as Case } from './case';

export interface TestServer {
  readonly port: number;
  /** Where the main server answers, and no virtual host. */
  readonly mainPort: number;
  /** id → the name its virtual host answers to, of the cases that are served */
  readonly hosts: ReadonlyMap<string, string>;
  /** id → what httpd said, of the cases it would not take */
  readonly refused: ReadonlyMap<string, string>;
  /** What is in the server's error log by now. */
  log(): string;
  stop(): Promise<void>;
}

/** A case with the places it was given below the ServerRoot. */
interface Placed {
  readonly id: string;
  readonly host: string;
  readonly docroot: string;
  readonly confFile: string;
  readonly inMain: boolean;
}

/** Serves every case as a virtual host of one server. A case that httpd refuses is left out and named in `refused`. */
export async function serve(
  cases: readonly ServedCase[],
  options: Omit<RootOptions, 'listen'> = {},
): Promise<TestServer> {
  const port = await freePort();
  const mainPort = await freePort();
  const hasIPv6 = Object.values(networkInterfaces())
    .flat()
    .some((at) => at?.address === '::1');
  const listen = [
    `127.0.0.1:${port}`,
    ...(hasIPv6 ? [`[::1]:${port}`] : []),
    ...(cases.some(({ inMain }) => inMain) ? [`127.0.0.1:${mainPort}`] : []),
  ];
  const root = createServerRoot({ ...options, listen });
  try {
    const placed = cases.map((servedCase, index) => place(root, port, servedCase, index));
    const refused = new Map<string, string>();
    const running = await start(root, port, placed, refused);
    const hosts = new Map(placed.filter(({ id }) => !refused.has(id)).map(({ id, host }) => [id, host]));
    const log = (): string => readLog(root);
    const stop = async (): Promise<void> => {
      await running.stop();
      root.dispose();
    };
    return { port, mainPort, hosts, refused, log, stop };
  } catch (error) {
    root.dispose();
    throw error;
  }
}

/** Files and hosts are numbered: an id may hold characters that a path or a host name may not. */
function place(root: ServerRoot, port: number, servedCase: ServedCase, index: number): Placed {
  const docroot = servedCase.docroot ?? join(root.dir, `htdocs/${index}`);
  const confFile = join(root.dir, `cases/${index}.conf`);
  if (servedCase.docroot === undefined) writeDocroot(docroot, servedCase);
  const conf = servedCase.inMain ? servedCase.conf.replaceAll('@PORT@', `${port}`) : servedCase.conf;
  writeFileSync(confFile, withDocroot(conf, docroot), 'latin1');
  makeReadable(docroot);
  return {
    id: servedCase.id,
    host: `case-${index}.test`,
    docroot,
    confFile,
    inMain: servedCase.inMain ?? false,
  };
}

/** Takes refused cases away until the rest starts. */
async function start(
  root: ServerRoot,
  port: number,
  placed: readonly Placed[],
  refused: Map<string, string>,
): Promise<Running> {
  const main = join(root.dir, 'conf/httpd.conf');
  for (let rest = placed; ; rest = rest.filter(({ id }) => !refused.has(id))) {
    writeMain(main, root, port, rest);
    const message = await attempt(main, root, port);
    if (typeof message !== 'string') return message;
    const named = rest.filter(({ confFile, docroot }) =>
      [`${confFile}:`, `${docroot}/`].some((path) => message.includes(path)),
    );
    for (const { id, confFile } of named) refused.set(id, message.replaceAll(confFile, id));
    if (named.length === 0 && !(await tryEach(main, root, port, rest, refused))) throw new Error(message);
  }
}

/** When the message names no case: each alone. False when that finds nothing either. */
async function tryEach(
  main: string,
  root: ServerRoot,
  port: number,
  placed: readonly Placed[],
  refused: Map<string, string>,
): Promise<boolean> {
  const before = refused.size;
  for (const servedCase of placed) {
    writeMain(main, root, port, [servedCase]);
    const message = await attempt(main, root, port);
    if (typeof message === 'string')
      refused.set(servedCase.id, message.replaceAll(servedCase.confFile, servedCase.id));
    else await message.stop();
  }
  return refused.size > before;
}

/** The running server, or what it said instead of running. */
async function attempt(main: string, root: ServerRoot, port: number): Promise<Running | string> {
  const verdict = await testFile(main);
  if (!verdict.ok) return verdict.message;
  rmSync(logOf(root), { force: true });
  try {
    return await launch(main, port);
  } catch (error) {
    return `${(error as Error).message}\n${readLog(root)}`.trim();
  }
}

const logOf = (root: ServerRoot): string => join(root.dir, 'logs/error_log');

function readLog(root: ServerRoot): string {
  return existsSync(logOf(root)) ? readFileSync(logOf(root), 'latin1') : '';
}

/** A first virtual host takes the requests that are nobody's, so that they never get a case's answer. */
function writeMain(main: string, root: ServerRoot, port: number, placed: readonly Placed[]): void {
  const first = `<VirtualHost *:${port}>\nServerName ${unknownHost.host}\nRedirect ${unknownHost.status} /\n</VirtualHost>\n`;
  const parts = placed.map(({ host, docroot, confFile, inMain }) =>
    inMain ? `Include "${confFile}"\n` : virtualHost(port, host, docroot, confFile),
  );
  writeFileSync(main, root.preamble + first + parts.join(''), 'latin1');
}
