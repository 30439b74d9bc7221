import { cli, type Io, type Services } from '../../src/cli';
import { writePrivate } from '../../src/write/private-file';
import { storeIn } from '../write/store';
import { services } from './services';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process; all texts are byte strings. */
export async function command(
  argv: readonly string[],
  {
    stdoutColumns,
    ...io
  }: Partial<Pick<Io, 'cwd' | 'env' | 'stdin' | 'isTyped' | 'uid'>> & {
    readonly stdoutColumns?: number;
  } = {},
  over: Partial<Services> = {},
): Promise<CommandResult> {
  const answer = { stdout: '', stderr: '' };
  const status = await cli(
    argv,
    {
      stdout: { write: (text) => void (answer.stdout += text), isTTY: false, columns: stdoutColumns },
      stderr: { write: (text) => void (answer.stderr += text), isTTY: false },
      env: {},
      cwd: '/',
      stdin: () => '',
      ask: () => undefined,
      now: () => 0,
      ...io,
    },
    { ...services, ...over },
  );
  return { status, ...answer };
}

/**
 * Runs the command line in this process as the program runs: it starts git, and writes files, with its journals below `state`.
 * All texts are UTF-8.
 * @param env what git is given, too
 */
export async function program(
  argv: readonly string[],
  { cwd, env, state }: { readonly cwd: string; readonly env: Io['env']; readonly state: string },
): Promise<CommandResult> {
  const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  const text = (written: string): string => Buffer.from(written, 'latin1').toString('utf8');
  const { status, stdout, stderr } = await command(
    argv.map(bytes),
    { cwd: bytes(cwd), env },
    {
      openStore: storeIn(state, env),
      writeOutput: (path, written) =>
        writePrivate(path, Buffer.from(written, 'latin1'), { uid: process.geteuid?.(), env }),
    },
  );
  return { status, stdout: text(stdout), stderr: text(stderr) };
}
