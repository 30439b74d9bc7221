import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ConfigTree } from '../config/types';
import type { Plan } from '../engine/types';
import { shellQuoted } from '../shell-word';
import { refusalLines } from './refusal-lines';
import { assemble } from './assemble';
import { ConfigTestError } from './error';

export interface ConfigTestOptions {
  /** The command to ask, as a shell reads it; '' for the first of {@link COMMANDS} that is there. */
  readonly command: string;
  /** -D NAME. */
  readonly defines: readonly string[];
  readonly path: string;
}

export const COMMANDS = ['apachectl', 'apache2ctl', 'httpd', 'apache2'];
const TIMEOUT = 120_000;

/**
 * Asks an httpd 2.4 whether it would take the tree: a copy is put into a private directory and given to its configuration test.
 * Nothing of the original is touched. Without a server config in the run, the files are read after the machine's own
 * configuration.
 * @param after the tree as it would be written
 * @returns what it refused, in lines that name the user's files; undefined where it takes it
 * @throws ConfigTestError
 */
export function configTest(
  after: ConfigTree,
  plan: Plan,
  test: ConfigTestOptions,
): readonly string[] | undefined {
  const command = test.command === '' ? findCommand(test.path) : test.command;
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'httpd-codemod-')));
  try {
    const assembly = assemble(after, directory);
    for (const [name, text] of assembly.texts) writeFile(join(directory, name), Buffer.from(text, 'latin1'));
    for (const [link, name] of assembly.links) {
      mkdirSync(dirname(join(directory, link)), { recursive: true });
      symlinkSync(join(directory, name), join(directory, link));
    }
    const main = join(directory, assembly.main);
    const read = after.isServer ? ['-f', main] : ['-c', `Include ${main}`];
    const argv = ['-t', ...read, ...test.defines.flatMap((name) => ['-D', name])];
    // The shell splits the command, as the user wrote it, and nothing else.
    const { status, error, stdout, stderr } = spawnSync('/bin/sh', ['-c', `${command} "$@"`, 'sh', ...argv], {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT,
    });
    if (error !== undefined) throw new ConfigTestError(`configtest: ${command}: ${error.message}`);
    if (status === 0) return undefined;
    if (status === 126 || status === 127 || status === null)
      throw new ConfigTestError(`configtest: ${command}: ${stderr.trim().split('\n')[0] ?? 'no answer'}`);
    return refusalLines(`${stdout}${stderr}`, assembly, directory, plan);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function writeFile(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes, { mode: 0o600 });
}

function findCommand(path: string): string {
  for (const name of COMMANDS) {
    for (const directory of [...path.split(':'), '/usr/sbin', '/usr/local/sbin']) {
      try {
        if (directory === '') continue;
        accessSync(join(directory, name), constants.X_OK);
        return shellQuoted(join(directory, name));
      } catch {
        // Not here.
      }
    }
  }
  throw new ConfigTestError(`configtest: no httpd found (${COMMANDS.join(', ')}): give --configtest=COMMAND`);
}
