import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aptInstall, findProgram } from './install';
import { tether } from './tether';

/** Set for a script that runs inside. */
const mark = 'HTTPD_TESTING_NAMESPACE';

/** Every address is this machine's own, and `$1` and `$2` stand for the files that say how names resolve. */
const setUp = `
PATH=$PATH:/usr/sbin:/sbin
ip link set lo up &&
ip route add local 0.0.0.0/0 dev lo &&
ip -6 route add local ::/0 dev lo &&
echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind &&
mount --bind "$1" /etc/hosts || exit 125
if [ -e /etc/nsswitch.conf ]; then mount --bind "$2" /etc/nsswitch.conf || exit 125; fi
shift 2
exec "$@"
`;

/** Does this process run inside such a namespace? */
export const inNamespace = (): boolean => process.env[mark] === '1';

/** One line on why this machine has no private network namespaces for us; undefined when it has. */
function canNamespace(): string | undefined {
  if (findProgram('unshare') === undefined) return 'no unshare (util-linux) here';
  if (findProgram('ip') === undefined) {
    const why = aptInstall('iproute2');
    if (why !== undefined) return `no ip (iproute2) here, and ${why}`;
  }
  const names = nameFiles({});
  try {
    const [command = '', ...args] = enter(names, ['true']);
    const done = spawnSync(command, args, { encoding: 'utf8' });
    if (done.status === 0) return undefined;
    const complaint = done.error?.message ?? done.stderr.trim().split('\n')[0];
    return `no private network namespace: ${complaint || `exit status ${done.status}`}`;
  } finally {
    names.remove();
  }
}

/**
 * Runs a node script where any address can be a client's and only the names of `hosts` (address → name) resolve.
 * Its stdout is the result. The script is the first process of a PID namespace: nothing it starts outlives it.
 */
export async function runInNamespace(
  script: string,
  args: readonly string[],
  hosts: Readonly<Record<string, string>>,
): Promise<string> {
  const why = canNamespace();
  if (why !== undefined) throw new Error(why);
  const names = nameFiles(hosts);
  try {
    return await capture(enter(names, [process.execPath, script, ...args]));
  } finally {
    names.remove();
  }
}

function capture(commandLine: readonly string[]): Promise<string> {
  const [command = '', ...args] = commandLine;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, [mark]: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    const output: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => output.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    child.on('error', reject);
    child.on('close', (status, signal) => {
      process.off('exit', kill);
      if (status === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`ended with ${signal ?? status}: ${Buffer.concat(err).toString().trim()}`));
    });
  });
}

interface NameFiles {
  readonly hosts: string;
  readonly nsswitch: string;
  remove(): void;
}

function nameFiles(hosts: Readonly<Record<string, string>>): NameFiles {
  const dir = mkdtempSync(join(tmpdir(), 'netns-'));
  const all = Object.entries({ '127.0.0.1': 'localhost', '::1': 'localhost', ...hosts });
  writeFileSync(join(dir, 'hosts'), all.map(([address, name]) => `${address} ${name}\n`).join(''));
  const order = existsSync('/etc/nsswitch.conf') ? readFileSync('/etc/nsswitch.conf', 'latin1') : '';
  const others = order.split('\n').filter((line) => !/^[ \t]*hosts:/.test(line));
  writeFileSync(join(dir, 'nsswitch.conf'), [...others, 'hosts: files', ''].join('\n'), 'latin1');
  spawnSync('chmod', ['-R', 'a+rX', dir]);
  return {
    hosts: join(dir, 'hosts'),
    nsswitch: join(dir, 'nsswitch.conf'),
    remove: () => rmSync(dir, { recursive: true }),
  };
}

/** The command line that enters a fresh namespace and runs a command there. */
function enter(names: NameFiles, command: readonly string[]): readonly string[] {
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child'];
  const prepared = ['sh', '-c', setUp, 'sh', names.hosts, names.nsswitch];
  const uid = process.getuid?.() ?? 0;
  // Killed with us, it kills the first process inside, and with that every other.
  const killed = tether('KILL');
  if (uid === 0) return [...killed, 'unshare', ...namespaces, ...prepared, ...command];
  // Setting up takes a root of sorts; then we are ourselves again, because httpd treats a root specially.
  const ourselves = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${process.getgid?.() ?? uid}`];
  return [...killed, 'unshare', '--map-root-user', ...namespaces, ...prepared, ...ourselves, ...command];
}
