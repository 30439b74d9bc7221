import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireHttpd } from './binary';
import { loadModules } from './modules';
import { makeReadable, worker } from './readable';

export interface RootOptions {
  /** Load mod_access_compat too. */
  compat?: boolean | undefined;
  /** Modules to leave out, named as in `authz_host`. */
  without?: readonly string[] | undefined;
  /** `Listen` lines; none is enough for `-t`. */
  listen?: readonly string[] | undefined;
  /** name → group, of accounts whose password is their name. */
  users?: Readonly<Record<string, string>> | undefined;
}

/** A ServerRoot of our own, below the temporary directory. */
export interface ServerRoot {
  readonly dir: string;
  /** What stands before the configuration under test. */
  readonly preamble: string;
  dispose(): void;
}

const defaultUsers = { alice: 'staff', bob: 'staff', carol: 'admins' };
const mimeTypes = 'text/html html htm shtml\ntext/plain txt\ntext/css css\nimage/png png\nimage/gif gif\n';

export function createServerRoot(options: RootOptions = {}): ServerRoot {
  const dir = mkdtempSync(join(tmpdir(), 'httpd-'));
  for (const sub of ['conf', 'htdocs', 'logs', 'run', 'cases']) mkdirSync(join(dir, sub));
  writeAccounts(dir, options.users ?? defaultUsers);
  writeFileSync(join(dir, 'conf/mime.types'), mimeTypes);
  writeFileSync(join(dir, 'htdocs/index.html'), 'index\n');
  linkModules(dir, options.compat ?? false);
  makeReadable(join(dir, 'conf'));

  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  const dispose = (): void => {
    process.off('exit', remove);
    remove();
  };
  return { dir, preamble: preamble(dir, options), dispose };
}

/** For a configuration that says `LoadModule … modules/mod_x.so` itself; it does not get mod_access_compat that way either. */
function linkModules(dir: string, compat: boolean): void {
  const { moduleDir, modules } = requireHttpd();
  mkdirSync(join(dir, 'modules'));
  for (const name of modules) {
    if (name !== 'access_compat' || compat)
      symlinkSync(join(moduleDir, `mod_${name}.so`), join(dir, `modules/mod_${name}.so`));
  }
}

function writeAccounts(dir: string, users: Readonly<Record<string, string>>): void {
  const sha = (text: string): string => createHash('sha1').update(text).digest('base64');
  const names = Object.keys(users);
  const groups = [...new Set(Object.values(users))];
  const members = (group: string): string => names.filter((name) => users[name] === group).join(' ');
  writeFileSync(join(dir, 'conf/htpasswd'), names.map((name) => `${name}:{SHA}${sha(name)}\n`).join(''));
  writeFileSync(join(dir, 'conf/htgroup'), groups.map((group) => `${group}: ${members(group)}\n`).join(''));
}

function preamble(dir: string, options: RootOptions): string {
  const as = worker();
  const lines = [
    `ServerRoot "${dir}"`,
    ...loadModules(requireHttpd(), options.compat ?? false, options.without),
    'ServerName localhost',
    ...(options.listen ?? ['127.0.0.1:1']).map((address) => `Listen ${address}`),
    ...(as === undefined ? [] : [`User "#${as.uid}"`, `Group "#${as.gid}"`]),
    `DefaultRuntimeDir "${dir}/run"`,
    `PidFile "${dir}/run/httpd.pid"`,
    `Mutex "file:${dir}/run" default`,
    `<IfModule mod_cgid.c>\nScriptSock "${dir}/run/cgisock"\n</IfModule>`,
    `<IfModule mod_dav_fs.c>\nDavLockDB "${dir}/run/davlock"\n</IfModule>`,
    `<IfModule mod_mime.c>\nTypesConfig "${dir}/conf/mime.types"\n</IfModule>`,
    `ErrorLog "${dir}/logs/error_log"`,
    'LogLevel crit',
    `DocumentRoot "${dir}/htdocs"`,
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    'KeepAliveTimeout 60',
    '<IfModule prefork.c>\nStartServers 16\nMaxSpareServers 64\nMaxRequestWorkers 128\n</IfModule>',
    // As many processes as will ever be: none is started or stopped while requests come in.
    '<IfModule !prefork.c>\nStartServers 2\nServerLimit 2\nThreadsPerChild 48\nMaxSpareThreads 96\nMaxRequestWorkers 96\n</IfModule>',
  ];
  return lines.join('\n') + '\n';
}

/** Below the ports that systems give to outgoing connections: one of those would keep httpd from listening. */
const PORTS = { first: 12_000, count: 20_000 };
/** So many processes that run at the same time take each their own ports. */
const PROCESSES = 8;
const ofProcess = Number(process.env['JEST_WORKER_ID'] ?? process.pid) % PROCESSES;
let lastPort = Math.floor((Math.random() * PORTS.count) / PROCESSES);

/** A port that was free a moment ago, and that this process gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastPort = (lastPort + 1) % (PORTS.count / PROCESSES);
    const port = PORTS.first + lastPort * PROCESSES + ofProcess;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
