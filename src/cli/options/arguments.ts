import { DEFAULTS, freezeOptions, type RawOptions } from './options';
import type { Request } from './request';

/**
 * @param argv the arguments, byte strings, without node and script
 * @throws UsageError
 */
export function parseArguments(argv: readonly string[], version: string): Request {
  const plain = readPlain(argv);
  if (plain !== undefined) return { kind: 'convert', options: freezeOptions(plain.paths, plain.raw, {}) };
  const { parseProgram } = require('./program') as typeof import('./program');
  return parseProgram(argv, version);
}

const SWITCHES: Readonly<Record<string, keyof RawOptions | undefined>> = {
  '-w': 'write',
  '--write': 'write',
  '--check': 'check',
  '--diff': 'diff',
  '--safe-only': 'safeOnly',
  '-q': 'quiet',
  '--quiet': 'quiet',
};

/** Words in the place of a path that ask for something else: commander takes them apart. */
const COMMANDS = new Set(['rules', 'undo', 'hook', 'why', 'debug']);

interface PlainArguments {
  readonly paths: readonly string[];
  readonly raw: RawOptions;
}

/**
 * Reads arguments that are nothing but paths and switches, the way commander would; undefined for all others. Loading commander takes
 * half of the time that a run over one file needs on top of node's own start.
 */
function readPlain(argv: readonly string[]): PlainArguments | undefined {
  const paths: string[] = [];
  const raw: Record<string, unknown> = { ...DEFAULTS };
  for (const arg of argv) {
    const name = Object.hasOwn(SWITCHES, arg) ? SWITCHES[arg] : undefined;
    if (name !== undefined) raw[name] = true;
    else if (arg.startsWith('-') && arg !== '-') return undefined;
    else paths.push(arg);
  }
  return COMMANDS.has(paths[0] ?? '') ? undefined : { paths, raw: raw as unknown as RawOptions };
}
