import { chmodSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The account the workers of a root-started server run as: httpd refuses to serve as root. Undefined when not root. */
export function worker(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'latin1')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['www-data', 'apache', 'nobody', 'daemon']) {
    const account = accounts.find((fields) => fields[0] === name);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error('no account to run httpd as: www-data, apache, nobody or daemon');
}

/** Lets the worker read a tree of ours, opening the private temporary directories above it. */
export function makeReadable(path: string): void {
  if (worker() === undefined) return;
  open(path);
  for (let up = dirname(path); up !== dirname(up); up = dirname(up)) {
    if (statSync(up).mode & 0o001) continue;
    if (!up.startsWith(`${tmpdir()}/`))
      throw new Error(`httpd's worker may not enter ${up}, so it cannot read ${path}`);
    chmodSync(up, statSync(up).mode | 0o011);
  }
}

function open(path: string): void {
  if (!existsSync(path)) return;
  const { mode } = statSync(path);
  const isDirectory = statSync(path).isDirectory();
  const needed = isDirectory ? 0o555 : 0o444;
  if ((mode & needed) !== needed) chmodSync(path, mode | needed);
  if (isDirectory) for (const name of readdirSync(path)) open(join(path, name));
}
