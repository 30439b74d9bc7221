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

/** Runs apt-get; the last line it complained with, or undefined when all is well. */
function apt(args: string[]): string | undefined {
  // RUNLEVEL=1 keeps a package's service from being started by its installation.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // Two workers may install at the same time: the second one waits for the first.
  const done = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env, encoding: 'utf8' });
  if (done.status === 0) return undefined;
  const complaint = (done.stderr ?? '').trim().split('\n').at(-1);
  return complaint || done.error?.message || `exit status ${done.status}`;
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
