import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigTestError } from './error';

/** What an installed httpd says of itself. */
export interface Installed {
  /** `2.4.62` */
  readonly version: string;
  /** Files of the modules compiled in, as `-l` lists them: `mod_so.c`. */
  readonly compiledIn: readonly string[];
  /** What `-M` prints; undefined where it prints no list. */
  readonly moduleList?: string;
  /** Where `-M` prints none: the first line of what it says instead. */
  readonly refusal?: string;
}

/** Programs that stand before httpd (scripts, containers) may take their time. */
const TIMEOUT = 30_000;

interface CommandOutput {
  readonly ok: boolean;
  readonly text: string;
  /** Why the program could not be started at all. */
  readonly error?: string;
}

/**
 * Asks an httpd for its version and its modules. `-v` and `-l` read no configuration. `-M` reads that of the machine: where it
 * fails, it is asked once more with the environment that the control program of that httpd would give it (`envvars`), which
 * Debian's configuration needs.
 * @param program its path, or a name to be found on the PATH; a control program will do
 * @throws ConfigTestError where there is no such program, or it is no httpd
 */
export function askInstalled(program: string, cwd: string): Installed {
  const ask = (command: string, ...args: readonly string[]): CommandOutput => {
    const { status, error, stdout, stderr } = spawnSync(command, args, {
      cwd,
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT,
    });
    if (error !== undefined)
      return { ok: false, text: '', error: (error as NodeJS.ErrnoException).code ?? error.message };
    return { ok: status === 0, text: `${stdout}\n${stderr}` };
  };
  const { text, error } = ask(program, '-v');
  if (error !== undefined) throw new ConfigTestError(REASONS[error] ?? `cannot be started (${error})`);
  const version = /\bApache(?:\/| version: )(\d+(?:\.\d+)+)/.exec(text)?.[1];
  if (version === undefined) throw new ConfigTestError('does not say that it is an Apache httpd');
  const compiledIn = [...ask(program, '-l').text.matchAll(/^[ \t]+(\w+\.c)$/gm)].map(([, file = '']) => file);
  let moduleOutput = ask(program, '-M');
  if (!isList(moduleOutput)) {
    const environment = environmentOf(program, ask(program, '-V').text);
    // Its own control program reads this file in the same way.
    const second = environment && ask('/bin/sh', '-c', '. "$0" && exec "$@"', environment, program, '-M');
    if (second && isList(second)) moduleOutput = second;
  }
  return isList(moduleOutput)
    ? { version, compiledIn, moduleList: moduleOutput.text }
    : { version, compiledIn, refusal: firstLine(moduleOutput) };
}

const REASONS: Readonly<Record<string, string>> = {
  __proto__: null!,
  ENOENT: 'there is no such program',
  ENOTDIR: 'there is no such program',
  EACCES: 'may not be run',
  ETIMEDOUT: 'does not answer',
};

function isList({ ok, text }: CommandOutput): boolean {
  return ok && /^[ \t]*\w+_module[ \t]+\(/m.test(text);
}

function environmentOf(program: string, settings: string): string | undefined {
  const root = /^ *-D HTTPD_ROOT="([^"]*)"/m.exec(settings)?.[1];
  const places = [
    ...(root === undefined ? [] : [root]),
    ...(program.includes('/') ? [dirname(program)] : []),
  ];
  return places.map((place) => join(place, 'envvars')).find((file) => existsSync(file));
}

function firstLine({ text, error }: CommandOutput): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // Warnings come first, and begin with a date.
  return (lines.find((line) => !line.startsWith('[')) ?? lines[0] ?? error ?? 'no answer').trim();
}
