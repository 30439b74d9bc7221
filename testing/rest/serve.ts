import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { requireHttpd } from '../httpd/binary';
import { createServerRoot, freePort } from '../httpd/config';
import { makeReadable } from '../httpd/readable';
import { tether } from '../httpd/tether';
import { restBackend } from './backend';
import { copyPki } from './pki';
import { type Place, askRest, withPlaces, withoutPlaces } from './ask';
import type { RestAnswer } from './plain';
import { CONFIG, type RestTree } from './tree';

/** What a server answered, and what it wrote into its access logs. */
export interface Served {
  readonly answers: readonly RestAnswer[];
  readonly logs: string;
}

/** An httpd: how it is started, and where its modules are, if not below the ServerRoot of the tests. */
export interface Program {
  readonly bin: string;
  readonly modules?: string;
  readonly args: readonly string[];
  /** The modules that are compiled in. */
  readonly statics?: ReadonlySet<string>;
}

/** All files have this date. */
const MODIFIED = new Date('2012-03-04T05:06:07Z');

/**
 * Serves a tree and asks its requests.
 * @param texts path below the ServerRoot → text
 * @param program the httpd and the directory of its modules
 * @throws Error with what httpd said, where it does not start
 */
export async function servedBy(
  {
    texts,
    requests,
  }: { readonly texts: Readonly<Record<string, string>>; readonly requests: RestTree['requests'] },
  program: Program,
): Promise<Served> {
  const backend = await restBackend();
  const root = createServerRoot({ compat: true });
  const place = {
    root: join(root.dir, 'site'),
    port: await freePort(),
    tls: await freePort(),
    backend: backend.port,
  };
  writeTree(place, texts, program, program.modules ?? join(root.dir, 'modules'));
  makeReadable(root.dir);
  const config = join(place.root, CONFIG);
  const [command, ...args] = [...tether('TERM'), program.bin, ...program.args, '-f', config];
  // A group of its own: httpd ends its whole group.
  const env = { ...process.env, PATH: '/usr/bin:/bin' };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += data.toString('latin1')));
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    await untilAnswers(child, place.port).catch((error: unknown) => {
      throw new Error(
        `${(error as Error).message}\n${withoutPlaces(said + logOf(place, 'error_log'), place)}`,
      );
    });
    const answers: RestAnswer[] = [];
    for (const request of requests) answers.push(await askRest(place, request));
    if (process.env['SHOW_LOG'] !== undefined) console.log(logOf(place, 'error_log'));
    return { answers, logs: accessLogs(place) };
  } finally {
    // 2.2 loses a signal that comes before it has started all of its processes.
    const ending = setInterval(() => child.kill('SIGTERM'), 300);
    child.kill('SIGTERM');
    await ended;
    clearInterval(ending);
    await backend.stop();
    root.dispose();
  }
}

/** The real 2.4 of the tests. */
export const judge = (): Program => ({
  bin: requireHttpd().bin,
  args: ['-DFOREGROUND'],
  statics: requireHttpd().statics,
});

/** A 2.2, whose modules are in `modules` beside the directory of its program. */
export const server22 = (bin: string): Program => ({
  bin,
  modules: join(dirname(dirname(bin)), 'modules'),
  args: ['-DFOREGROUND'],
});

/** A module that is compiled in cannot be loaded. */
const withoutLoads = (text: string, statics: ReadonlySet<string>): string =>
  text.replaceAll(/^[ \t]*LoadModule (\w+)_module .*\n/gm, (line, name: string) =>
    statics.has(name) ? '' : line,
  );

function writeTree(
  place: Place,
  texts: Readonly<Record<string, string>>,
  program: Program,
  modules: string,
): void {
  for (const directory of ['logs', 'run', 'cache', 'conf', 'dav'])
    mkdirSync(join(place.root, directory), { recursive: true });
  for (const directory of ['cache', 'dav', 'run']) chmodSync(join(place.root, directory), 0o777);
  symlinkSync(modules, join(place.root, 'modules'));
  if (Object.values(texts).some((text) => text.includes('conf/pki/'))) copyPki(join(place.root, 'conf/pki'));
  for (const [path, text] of Object.entries(texts)) {
    const file = join(place.root, path);
    mkdirSync(dirname(file), { recursive: true });
    const taken =
      path === CONFIG && program.statics !== undefined ? withoutLoads(text, program.statics) : text;
    writeFileSync(file, withPlaces(taken, place), 'latin1');
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }
  for (const path of Object.keys(texts)) {
    utimesSync(join(place.root, path), MODIFIED, MODIFIED);
    if (path.startsWith('dav/')) chmodSync(dirname(join(place.root, path)), 0o777);
    utimesSync(dirname(join(place.root, path)), MODIFIED, MODIFIED);
  }
}

const logOf = ({ root }: Place, name: string): string =>
  existsSync(join(root, 'logs', name)) ? readFileSync(join(root, 'logs', name), 'latin1') : '';

function accessLogs(place: Place): string {
  return readdirSync(join(place.root, 'logs'))
    .filter((name) => name.endsWith('access_log'))
    .toSorted()
    .map(
      (name) =>
        `${name}:\n${withoutPlaces(logOf(place, name), place)
          .replaceAll(/\[\d\d\/\w+\/\d{4}:[^\]]*\]/g, '[date]')
          .replaceAll(/(?<= [345]\d\d| \/list\/ HTTP\/1.1" 200) \d{3}\b/g, ' page')
          .split('\n')
          .filter((line) => !line.includes('is-there-anybody'))
          .toSorted()
          .join('\n')}`,
    )
    .join('');
}

async function untilAnswers(child: ChildProcess, port: number): Promise<void> {
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = get({ host: '127.0.0.1', port, path: '/is-there-anybody', agent: false }, (response) => {
        response.resume();
        response.once('end', () => resolve(true));
      });
      asked.once('error', () => resolve(false));
    });
  for (let left = 300; !(await answers()); left--) {
    if (left === 0 || child.exitCode !== null) throw new Error('httpd does not start');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
