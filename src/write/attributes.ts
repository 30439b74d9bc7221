import { spawnSync } from 'node:child_process';
import type { Attributes } from './setting';

/** Descriptor numbers from which a child finds the files that it is handed. */
const FROM = 3;
const TO = 4;

/**
 * Attributes by the system's own programs: node has no call for them. Where a program is missing, its part is left out: `getfattr` sees
 * every extended attribute, `ls` shows only access control lists and security labels.
 */
export const attributes: Attributes = {
  differing(pairs) {
    const paths = pairs.flat();
    const found = byGetfattr(paths) ?? byLs(paths);
    if (found === undefined) return [];
    return pairs.flatMap((_, index) => (found[2 * index] === found[2 * index + 1] ? [] : [index]));
  },

  copy(from, to) {
    const paths = [`/proc/self/fd/${FROM}`, `/proc/self/fd/${TO}`];
    spawnSync('cp', ['--attributes-only', '--preserve=all', '--', ...paths], {
      stdio: ['ignore', 'ignore', 'ignore', from, to],
    });
  },

  times(files) {
    const lines = files.map(({ fd, mtime }) => {
      const seconds = `${mtime.slice(0, -9)}.${mtime.slice(-9)}`;
      return `touch -c -m -d @${seconds} /proc/$PPID/fd/${fd}\n`;
    });
    spawnSync('sh', { input: lines.join(''), stdio: ['pipe', 'ignore', 'ignore'] });
  },
};

/** What each file has, as text that can be compared; undefined where the program is missing. */
function byGetfattr(paths: readonly string[]): string[] | undefined {
  const output = run(['getfattr', '-h', '-d', '-m', '-', '-e', 'hex', '--absolute-names', '--'], paths);
  if (output === undefined) return undefined;
  const byName = new Map<string, string>();
  for (const block of output.split('\n\n')) {
    const [first = '', ...rest] = block.split('\n');
    if (first.startsWith('# file: '))
      byName.set(unescape(first.slice('# file: '.length)), rest.filter(isKept).toSorted().join('\n'));
  }
  return paths.map((path) => byName.get(path) ?? '');
}

/** Leaves out attributes that the kernel computes from a file's bytes: no other file can have them. */
function isKept(line: string): boolean {
  return !/^security\.(ima|evm)=/.test(line);
}

/** getfattr writes a byte that may be mistaken as `\ooo`. */
function unescape(name: string): string {
  return name.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}

function byLs(paths: readonly string[]): string[] | undefined {
  // Names come last in a line and do not matter; `-b` keeps each in one line, `-U` keeps the order.
  const output = run(['ls', '-ldnUbZ', '--'], paths);
  const lines = output?.split('\n').slice(0, -1);
  if (lines?.length !== paths.length) return undefined;
  return lines.map((line) => {
    const [mode = '', , , , label = ''] = line.split(/ +/);
    // Two lists may differ: a list is never taken for equal to another.
    return mode.endsWith('+') ? line : label;
  });
}

/** Names are bytes, which node cannot give to a program as arguments. */
function run(command: readonly string[], paths: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('xargs', ['-0', ...command], {
    input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 1 << 30,
  });
  // 126 and 127: the program cannot be run. 123: it did not like one of the files.
  if (status === null || status === 126 || status === 127) return undefined;
  return stdout.toString('latin1');
}
