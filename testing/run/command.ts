import { cli, type Io, type Services } from '../../src/cli';
import { services } from './services';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process; all texts are byte strings. */
export async function command(
  argv: readonly string[],
  io: Partial<Pick<Io, 'cwd' | 'env' | 'stdin'>> = {},
  over: Partial<Services> = {},
): Promise<CommandResult> {
  const answer = { stdout: '', stderr: '' };
  const status = await cli(
    argv,
    {
      stdout: { write: (text) => void (answer.stdout += text), isTTY: false },
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
