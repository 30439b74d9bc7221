import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hostingServer, LAYOUTS } from '../hosting/generate';
import { SIZES } from '../hosting/plan';
import { requireHttpd } from '../httpd/binary';
import { findProgram } from '../httpd/install';
import { COMMAND, killedAt } from './ansible';

/** What is wrong with a host. */
export type Trouble =
  'full disk' | 'failing configtest' | 'killed in the middle' | 'no Python, no command' | 'drifted';

/** A host of the trial: a root of its own over this machine's, and an sshd at an address of its own. */
export interface TrialHost {
  readonly name: string;
  readonly address: string;
  readonly root: string;
  readonly layout: string;
  /** The directory that is given to the module, and the main file in it. */
  readonly paths: readonly string[];
  readonly trouble: Trouble | undefined;
}

const LAYOUT_NAMES = ['RHEL', 'cPanel'];

/** Lays out a host: what lies over this machine's files in its root, each with another configuration. */
export function makeHost(scratch: string, number: number, trouble: Trouble | undefined): TrialHost {
  const name = `web${String(number).padStart(2, '0')}`;
  const layout = LAYOUTS.find((each) => each.name === LAYOUT_NAMES[trouble === undefined ? number % 2 : 0])!;
  const server = hostingServer(layout, SIZES[0]!, number);
  const main = layout.main(server.places);
  const home = join(scratch, 'hosts', name);
  const over = join(home, 'over');
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(over, path)), { recursive: true });
    writeFileSync(join(over, path), text, { encoding: 'latin1', mode });
  };
  for (const directory of ['work', 'root']) mkdirSync(join(home, directory), { recursive: true });
  for (const [path, text] of server.files) put(path, text);
  // Aliases lead there: where there is no such directory, no section for it counts.
  for (const site of server.sites)
    put(`${layout.documentRoot(server.places, site)}/webstat-data/index.html`, '');
  const { bin } = requireHttpd();
  // One of its lines names a user that is not there, which only httpd itself sees.
  if (trouble === 'failing configtest') put(main, `${server.files.get(main)!}User nobody-of-this-name\n`);
  for (const program of ['httpd', 'apachectl'])
    put(`/usr/local/sbin/${program}`, `#!/bin/sh\nexec ${bin} -f ${main} "$@"\n`, 0o755);
  put('/usr/local/bin/httpd-codemod', `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n`, 0o755);
  for (const logs of ['/etc/httpd/logs', '/usr/local/apache/logs']) put(`${logs}/error_log`, '');
  put('/opt/killed.cjs', killedAt(4, true));
  const accounts = ['apache', 'nobody', 'www-data'].map(
    (user, i) => `${user}:x:${990 + i}:${990 + i}::/:/bin/false\n`,
  );
  put(
    '/etc/passwd',
    `root:x:0:0:root:/root:/bin/sh\nsshd:x:101:65534::/run/sshd:/bin/false\n${accounts.join('')}`,
  );
  put('/etc/group', `root:x:0:\nnogroup:x:65534:\napache:x:990:\nnobody:x:991:\nwww-data:x:992:\n`);
  put('/etc/shadow', 'root:*:1::::::\n', 0o600);
  return {
    name,
    address: `127.1.0.${number}`,
    root: join(home, 'root'),
    layout: layout.name,
    paths: [dirname(main)],
    trouble,
  };
}

/** Mounts the root of a host, and starts its sshd. @param keys a directory with the keys of the trial */
export function startHost({ name, root, address, paths, trouble }: TrialHost, keys: string): ChildProcess {
  const home = dirname(root);
  const mount = (...args: readonly string[]): void => void execFileSync('mount', args);
  mount('-t', 'overlay', name, '-o', `lowerdir=/,upperdir=${home}/over,workdir=${home}/work`, root);
  mount('--rbind', '/dev', join(root, 'dev'));
  mkdirSync(join(root, 'run/sshd'), { recursive: true });
  mkdirSync(join(root, 'root/.ssh'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'root/.ssh/authorized_keys'), readFileSync(`${keys}/user.pub`), { mode: 0o600 });
  chmodSync(join(root, 'root'), 0o700);
  if (trouble === 'full disk') fillDisk(root, paths[0]!);
  if (trouble === 'no Python, no command') {
    rmSync(join(root, 'usr/local/bin/httpd-codemod'));
    for (const directory of ['usr/bin', 'usr/local/bin', 'bin'])
      for (const program of readdirSync(join(root, directory)))
        if (program.startsWith('python')) rmSync(join(root, directory, program));
    if (existsSync('/root/.pyenv')) mount('-t', 'tmpfs', 'none', join(root, 'root/.pyenv'));
  }
  const options = [
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PidFile none',
    'StrictModes no',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
  ];
  const daemon = `mount -t proc proc /proc && exec ${findProgram('sshd')} -D -f /dev/null -h ${keys}/host -o 'ListenAddress ${address}:22' ${options.map((option) => `-o '${option}'`).join(' ')}`;
  // With processes of its own, which are gone when they end: sshd is the first of them.
  const alone = ['--mount', '--pid', '--fork', '--kill-child', 'chroot', root, '/bin/sh', '-c', daemon];
  return spawn('unshare', alone, { stdio: 'ignore' });
}

/** Puts the configuration on a file system of its own, on which nothing is left. */
function fillDisk(root: string, directory: string): void {
  const at = join(root, directory);
  const aside = `${at}.aside`;
  execFileSync('cp', ['-a', at, aside]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'full', at]);
  execFileSync('sh', [
    '-c',
    'cp -a "$1/." "$2" && rm -rf "$1"; cat /dev/zero >"$2/filler" 2>/dev/null || true',
    'sh',
    aside,
    at,
  ]);
}

/** The files of a host's server, by their paths. */
export function filesOf({ root, paths }: TrialHost): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const top of [...paths, '/etc/httpd', '/var/www', '/home', '/usr/local/apache/conf'])
    for (const entry of read(join(root, top)))
      if (entry.isFile() && /(?:\.conf|\.htaccess)$/.test(entry.name)) {
        const path = join(entry.parentPath, entry.name);
        found.set(path.slice(root.length), readFileSync(path, 'latin1'));
      }
  return found;
}

function read(directory: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(directory);
  } catch {
    return [];
  }
}

const readEntries = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true, encoding: 'utf8' });
