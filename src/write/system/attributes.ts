import { spawnSync } from 'node:child_process';
import { platform } from 'node:os';
import { codeOf } from '../error';

/** A file, and the new file that shall have its attributes: paths of {@link Directories}. */
export type AttributePair = readonly [file: string, newFile: string];

/** Attributes of files that Node cannot read or set: access control lists, security labels, extended attributes. */
export interface Attributes {
  /**
   * @returns the indexes of the pairs that differ, or may
   * @throws Error saying why it cannot be told
   */
  differing(pairs: readonly AttributePair[]): readonly number[];
  /**
   * Gives each second open file the attributes of the first, its mode and times too.
   * @returns the indexes of those that cannot have them
   */
  copy(files: readonly { readonly from: number; readonly to: number }[]): readonly number[];
  /** The pairs that differ, like `differing`, when all of them have been copied. */
  lost(pairs: readonly AttributePair[]): readonly number[];
  /** Sets times to the nanosecond: node's own way is exact to a quarter of a microsecond only. */
  times(files: readonly { readonly fd: number; readonly mtime: string }[]): void;
}

/** Descriptor number from which a child finds the files that it is handed. */
const FIRST = 3;

const IS_LINUX = platform() === 'linux';

/** A program that the system has not. */
class MissingError extends Error {}

/**
 * Attributes by the system's own programs: node has no call for them. On Linux `getfattr` sees every access control list,
 * security label and extended attribute. Where it is missing, `cp` copies them from every file, and says so if it cannot.
 * Elsewhere only an access control list is seen, by `ls`, and a file that has one is refused.
 */
export const attributes: Attributes = {
  differing(pairs) {
    if (!IS_LINUX) return differences(pairs, byLs);
    try {
      return differences(pairs, byGetfattr);
    } catch (error) {
      if (error instanceof MissingError) return [...pairs.keys()];
      throw error;
    }
  },

  lost(pairs) {
    if (!IS_LINUX) return differences(pairs, byLs);
    try {
      return differences(pairs, byGetfattr);
    } catch (error) {
      // What cp has copied without an error is there; only of a label it does not say whether it could.
      if (error instanceof MissingError) return differences(pairs, byLs);
      throw error;
    }
  },

  copy(files) {
    const lines = files.map((_, index) => {
      const [from, to] = [FIRST + 2 * index, FIRST + 2 * index + 1];
      // `all` alone lets pass that extended attributes cannot be copied.
      return `cp --attributes-only --preserve=all,xattr -- /proc/self/fd/${from} /proc/self/fd/${to} || echo ${index}\n`;
    });
    const { error, status, stdout } = spawnSync('sh', ['-c', lines.join('')], {
      stdio: ['ignore', 'pipe', 'ignore', ...files.flatMap(({ from, to }) => [from, to])],
    });
    if (error !== undefined || status === null) return [...files.keys()];
    return stdout.toString('latin1').split('\n').slice(0, -1).map(Number);
  },

  times(files) {
    const lines = files.map(({ fd, mtime }) => {
      const seconds = `${mtime.slice(0, -9)}.${mtime.slice(-9)}`;
      return `touch -c -m -d @${seconds} /proc/$PPID/fd/${fd}\n`;
    });
    spawnSync('sh', { input: lines.join(''), stdio: ['pipe', 'ignore', 'ignore'] });
  },
};

type Describe = (paths: readonly string[]) => readonly string[];

function differences(pairs: readonly (readonly [string, string])[], describe: Describe): number[] {
  const found = describe(pairs.flat());
  return pairs.flatMap((_, index) => (found[2 * index] === found[2 * index + 1] ? [] : [index]));
}

/** What each file has, as text that can be compared. @throws MissingError; Error where it fails */
function byGetfattr(paths: readonly string[]): string[] {
  const output = run(['getfattr', '-h', '-d', '-m', '-', '-e', 'hex', '--absolute-names', '--'], paths);
  const byName = new Map<string, string>();
  for (const block of output.split('\n\n')) {
    const [first = '', ...rest] = block.split('\n');
    if (first.startsWith('# file: '))
      byName.set(unescape(first.slice('# file: '.length)), rest.filter(isKept).sort().join('\n'));
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

/** The security label and whether there is an access control list; nothing where there is no such `ls`. */
function byLs(paths: readonly string[]): string[] {
  const option = IS_LINUX ? '-ldnUbZ' : '-ldn';
  let lines: readonly string[];
  try {
    // Names come last in a line and do not matter; `-b` keeps each in one line, `-U` keeps the order.
    lines = run(['ls', option, '--'], paths).split('\n').slice(0, -1);
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
    lines = [];
  }
  if (lines.length !== paths.length) return paths.map(() => '');
  return lines.map((line) => {
    const [mode = '', , , , label = ''] = line.split(/ +/);
    // On Linux cp has copied the list. Elsewhere nothing has: the whole line differs then, for its size or its name.
    if (IS_LINUX) return `${mode.slice(10)} ${label}`;
    return mode.endsWith('+') ? line : '';
  });
}

/**
 * What a program prints of the files. Names are bytes, which node cannot give to a program as arguments.
 * @throws MissingError where there is no such program; Error where it cannot be run or fails
 */
function run(command: readonly [string, ...string[]], paths: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'LC_ALL=C exec xargs -0 "$@"', 'sh', ...command],
    {
      input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 1 << 30,
    },
  );
  if (codeOf(error) === 'ENOENT' || status === 126 || status === 127) throw new MissingError();
  const lines = String(stderr ?? '')
    .split('\n')
    .filter(Boolean);
  // A file system without extended attributes is a complaint of getfattr's, but no failure. A failure without a word is one.
  const complaints = lines.filter((line) => !line.endsWith(': Operation not supported'));
  const isOnlyUnsupported = lines.length > 0 && complaints.length === 0;
  if (error !== undefined || status === null || (status !== 0 && !isOnlyUnsupported))
    throw new Error(
      `${command[0]} has failed: ${complaints[0] ?? error?.message ?? (status === null ? 'it was ended' : `exit status ${status}`)}`,
    );
  return stdout.toString('latin1');
}
