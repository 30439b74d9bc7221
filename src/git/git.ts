import { spawnSync } from 'node:child_process';
import { GitError } from './error';

/** Bytes; all blobs of a repository's configuration come in one answer. */
const MAX_OUTPUT = 2 ** 30;

/** How git is asked: in a directory (a byte string), with an environment (a hook's GIT_INDEX_FILE among it). */
export interface GitContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * @param args byte strings, UTF-8; names that need not be UTF-8 go over `input`
 * @param input a byte string for standard input
 * @returns what it printed, a byte string
 * @throws GitError where it exits with any status but 0
 */
export function git(asker: GitContext, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = runGit(asker, args, input);
  if (status === 0) return stdout;
  const line = stderr.split('\n').find((text) => text !== '') ?? `exit status ${status}`;
  throw new GitError(`git ${args[0]}: ${line.replace(/^(?:fatal|error): /, '')}`);
}

/** Runs git for a question that it answers by its exit status. @throws GitError where it does not start */
export function runGit(
  { cwd, env }: GitContext,
  args: readonly string[],
  input = '',
): { readonly status: number; readonly stdout: string; readonly stderr: string } {
  const { status, error, stdout, stderr } = spawnSync('git', args.map(decodeName), {
    cwd: decodeName(cwd),
    env,
    input: Buffer.from(input, 'latin1'),
    encoding: 'latin1',
    maxBuffer: MAX_OUTPUT,
  });
  if (error !== undefined) throw new GitError(`git: ${error.message}`);
  return { status: status ?? -1, stdout, stderr };
}

/** Node hands over names as UTF-8 only. @throws GitError for any other */
export function decodeName(bytes: string): string {
  const name = Buffer.from(bytes, 'latin1').toString('utf8');
  if (Buffer.from(name, 'utf8').toString('latin1') === bytes) return name;
  throw new GitError(`${bytes}: this path is not UTF-8, so git cannot be started for it: rename it`);
}

export function gitLine(asker: GitContext, args: readonly string[]): string {
  return git(asker, args).replace(/\n$/, '');
}

/** The parts of an output that was asked for with -z. */
export function fields(output: string): string[] {
  return output.split('\0').filter((field) => field !== '');
}
