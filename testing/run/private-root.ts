import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireProgram } from '../httpd/install';

/** The libraries that a program loads, and what loads them: full paths, as ldd(1) lists them. */
function librariesOf(program: string): string[] {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

/** A directory that a process can have for its root: it holds the programs given, what these load, and nothing else. */
export class PrivateRoot {
  constructor(readonly path: string) {
    if (process.getuid?.() !== 0)
      throw new Error('These tests change the root of a process: run them as root');
    for (const name of ['tmp', 'root', 'dev']) mkdirSync(join(path, name), { recursive: true });
  }

  /** Puts a file where it lies outside. */
  add(file: string): void {
    const target = join(this.path, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }

  addProgram(program: string): void {
    for (const file of [program, ...librariesOf(program)])
      if (!existsSync(join(this.path, file))) this.add(file);
  }

  /** Runs a program in the root, in `cwd` there. */
  run(cwd: string, program: string, ...args: readonly string[]): { status: number | null; output: string } {
    const script = 'cd "$1" && shift && exec "$@"';
    const { status, stdout, stderr } = spawnSync(
      requireProgram('chroot', 'coreutils', 'to give a process another root'),
      [this.path, '/bin/sh', '-c', script, 'sh', cwd, program, ...args],
      { encoding: 'utf8', env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' } },
    );
    return { status, output: `${stdout}${stderr}` };
  }

  /** All that is no directory, by its path in the root. */
  files(): string[] {
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
    const found = entries.filter((entry) => !entry.isDirectory());
    return found.map((entry) => join(entry.parentPath, entry.name).slice(this.path.length)).toSorted();
  }
}
