import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeReadable, worker } from '../httpd/readable';
import { tether } from '../httpd/tether';
import { letterOf } from './recorded';
import { BASE, type ShapeTree, type TreeRequest } from './tree';

/** A real server: its program, the folder of its modules, and which version it is. */
export interface ServerProgram {
  readonly bin: string;
  readonly moduleDir: string;
  readonly version: '2.2' | '2.4';
  /** Lines that it reads after its configuration. */
  readonly more?: readonly string[];
}

/**
 * Serves a tree with its own configuration, as it stands, and asks its requests; each letter as in testing/plain, X for a server
 * that does not start. Must run in a namespace where every address is this machine's (testing/httpd/netns).
 */
export async function servedAnswers(
  { bin, moduleDir, version, more = [] }: ServerProgram,
  { files }: Pick<ShapeTree, 'files'>,
  requests: readonly TreeRequest[],
  defines: readonly string[],
): Promise<{ readonly answers: string[]; readonly log: string; readonly accessLog: string }> {
  const base = mkdtempSync(join(tmpdir(), 'shape-'));
  try {
    lay(base, files);
    symlinkSync(moduleDir, join(base, 'modules'));
    mkdirSync(join(base, 'logs'));
    const account = worker();
    makeReadable(base);
    const before = [
      ...(account === undefined ? [] : [`User #${account.uid}`, `Group #${account.gid}`]),
      version === '2.2' ? `LockFile "${base}/logs/lock"` : `DefaultRuntimeDir "${base}/logs"`,
    ];
    const options = [
      '-d',
      base,
      '-f',
      join(base, 'conf/httpd.conf'),
      '-DFOREGROUND',
      ...before.flatMap((line) => ['-C', line]),
      ...['StartServers 4', 'KeepAlive Off', ...more].flatMap((line) => ['-c', line]),
      ...defines.map((name) => `-D${name}`),
    ];
    const [command = '', ...args] = [...tether('TERM'), bin, ...options];
    // A session of its own: as it ends, httpd signals all of its process group.
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString('latin1')));
    let ended = false;
    const end = new Promise<void>((resolve) => child.once('close', () => resolve((ended = true) as never)));
    let accessLog = '';
    const log = (): string => `${said}${read(join(base, 'logs/error_log'))}`;
    try {
      for (const deadline = Date.now() + 20_000; !(await isOpen());) {
        if (ended || Date.now() > deadline)
          return { answers: requests.map(() => 'X'), log: log(), accessLog };
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      const answers = await askAll(requests);
      child.kill('SIGTERM');
      await end;
      accessLog = read(join(base, 'logs/access_log'));
      return { answers, log: log(), accessLog };
    } finally {
      child.kill('SIGTERM');
      await end;
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function lay(base: string, files: ShapeTree['files']): void {
  const put = (text: string): string => text.replaceAll('@B@', base).replaceAll(BASE, base);
  for (const [path, content] of Object.entries(files)) {
    const full = Buffer.from(join(base, path), 'latin1');
    mkdirSync(dirname(full.toString()), { recursive: true });
    if (typeof content === 'string') writeFileSync(full, put(content), 'latin1');
    else symlinkSync(put(content.link), full);
    if (/\.(?:cgi|pl)$|cgi-bin/.test(path) && typeof content === 'string') chmodSync(full, 0o755);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function isOpen(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(80, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function askAll(requests: readonly TreeRequest[]): Promise<string[]> {
  const answers: string[] = Array.from({ length: requests.length });
  const queue = requests.entries();
  const drain = async (): Promise<void> => {
    for (const [i, request] of queue) answers[i] = letterOf(await statusOf(request));
  };
  await Promise.all(Array.from({ length: 4 }, drain));
  return answers;
}

function statusOf({ path, src, dst, port, method, user, headers }: TreeRequest): Promise<number> {
  const credentials = user?.includes(':') ? user : `${user}:${user}`;
  return new Promise((resolve) => {
    const sent = send(
      {
        agent: false,
        host: dst ?? '127.0.0.1',
        port: port ?? 80,
        localAddress: src,
        method: method ?? 'GET',
        path,
        headers: {
          Host: 'localhost',
          ...(user === undefined
            ? {}
            : { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
          ...headers,
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0)).once('error', () => resolve(0));
      },
    );
    sent.once('error', () => resolve(0));
    sent.end();
  });
}
