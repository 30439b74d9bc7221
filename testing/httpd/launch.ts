import { spawn } from 'node:child_process';
import { get } from 'node:http';
import type { ChildProcess } from 'node:child_process';
import { requireHttpd } from './binary';
import { tether } from './tether';

/** A running server process. */
export interface Running {
  readonly pid: number;
  stop(): Promise<void>;
}

/** The status of an answer from the virtual host that takes the requests of nobody's. */
export const unknownHost = { host: 'nobody.test', status: 410 };

/** Starts httpd in the foreground and waits until it answers; throws what it said when it ends instead. */
export async function launch(configFile: string, port: number): Promise<Running> {
  const [command, ...args] = [...tether('TERM'), requireHttpd().bin, '-DFOREGROUND', '-f', configFile];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data: Buffer) => (output += data.toString('latin1')));
  const ended = new Promise<void>(
    (resolve) => void child.once('close', () => resolve()).once('error', () => resolve()),
  );
  // SIGTERM makes the parent process end its workers, too.
  const kill = (): void => void child.kill('SIGTERM');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    if (isAlive(child)) child.kill('SIGTERM');
    await ended;
  };
  for (const deadline = Date.now() + 20_000; !(await answers(port));) {
    const isLate = Date.now() > deadline;
    if (isLate || !isAlive(child)) {
      await stop();
      throw new Error(
        `${isLate ? 'no answer within 20 seconds' : `ended with status ${child.exitCode}`}\n${output}`.trim(),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { pid: child.pid as number, stop };
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** An open port is not enough: a server listens before it has read everything it may stumble over. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(
      { host: '127.0.0.1', port, agent: false, headers: { Host: unknownHost.host } },
      (response) => {
        response.resume();
        resolve(response.statusCode === unknownHost.status);
      },
    );
    asked.once('error', () => resolve(false));
  });
}
