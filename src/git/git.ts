import { spawnSync } from 'node:child_process';
import { GitError } from './error';

/** Bytes; all blobs of a repository's configuration come in one answer. */
const MAX_OUTPUT = 2 ** 30;

/** How git is asked: in a directory, with an environment (a hook's GIT_INDEX_FILE among it). */
export interface GitContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * @param args ASCII only: names go over `input`
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

/** The same for questions that git answers by its exit status. @throws GitError where it does not start */
export function runGit(
  { cwd, env }: GitContext,
  args: readonly string[],
  input = '',
): { readonly status: number; readonly stdout: string; readonly stderr: string } {
  const { status, error, stdout, stderr } = spawnSync('git', args, {
    cwd: Buffer.from(cwd, 'latin1').toString('utf8'),
    env,
    input: Buffer.from(input, 'latin1'),
    encoding: 'latin1',
    maxBuffer: MAX_OUTPUT,
  });
  if (error !== undefined) throw new GitError(`git: ${error.message}`);
  return { status: status ?? -1, stdout, stderr };
}

/** The parts of an output that was asked for with -z. */
export function fields(output: string): string[] {
  return output.split('\0').filter((field) => field !== '');
}
