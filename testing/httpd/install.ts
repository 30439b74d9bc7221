import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Directories that hold server programs but are often missing from an ordinary user's PATH. */
const systemDirectories = ['/usr/sbin', '/usr/local/sbin', '/usr/local/apache2/bin', '/sbin'];

/** The full path of a program, or undefined. */
export function findProgram(program: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(':').concat(systemDirectories);
  return directories
    .filter((directory) => directory !== '')
    .map((directory) => `${directory}/${program}`)
    .find((path) => existsSync(path));
}

/** Installs a Debian package where that is possible; says in one line why not where it is not. */
export function aptInstall(pkg: string): string | undefined {
  if (process.getuid?.() !== 0)
    return `not root, so ${pkg} cannot be installed: run "apt-get install ${pkg}"`;
  if (findProgram('apt-get') === undefined) return `no apt-get here to install ${pkg}`;
  const update = apt(['update']);
  const install = apt(['install', '-y', '--no-install-recommends', pkg]);
  return install === undefined
    ? undefined
    : `apt-get install ${pkg}: ${install} (apt-get update: ${update ?? 'ok'})`;
}

/** How often a run that found apt's locks taken is repeated, and the pause before that in milliseconds. */
const LOCKED = { tries: 100, pause: 3000 };

/**
 * Runs apt-get; the last line it complained with, or undefined when all is well. Test files of two workers install at the same
 * time, so a lock that another one holds is waited for.
 */
function apt(args: string[]): string | undefined {
  // RUNLEVEL=1 keeps a package's service from being started by its installation.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' };
  for (let tries = 1; ; tries++) {
    const done = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (done.status === 0) return undefined;
    const complaint = (done.stderr ?? '').trim();
    if (tries === LOCKED.tries || !/could not get lock|unable to (?:acquire|lock)/i.test(complaint))
      return complaint.split('\n').at(-1) || done.error?.message || `exit status ${done.status}`;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCKED.pause);
  }
}

/**
 * The full path of a program, which a Debian package has.
 * @throws Error in one line, where it is missing and cannot be installed
 */
export function requireProgram(program: string, pkg: string, purpose: string): string {
  const found = findProgram(program);
  if (found !== undefined) return found;
  const why = aptInstall(pkg);
  const installed = findProgram(program);
  if (installed === undefined)
    throw new Error(`These tests need ${program} ${purpose}: ${why ?? 'not on PATH'}`);
  return installed;
}
