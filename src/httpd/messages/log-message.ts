import { logNumbers } from './log-numbers';

/** A numbered message of httpd at level err or above, as the sources of 2.4 have it. */
export interface LogMessage {
  /** `AH02562` */
  readonly id: string;
  /** The module that logs it, without `mod_`; `core` for the server itself. */
  readonly module: string;
  readonly level: string;
  /** `modules/ssl/ssl_engine_init.c:1407`, in the sources of 2.4.62; or that those do not have it. */
  readonly source: string;
}

const LEVELS: Readonly<Record<string, string>> = { m: 'emerg', a: 'alert', c: 'crit', e: 'err' };

let parsed: ReadonlyMap<number, LogMessage> | undefined;

/**
 * Finds the number of a message in a line of a log.
 * @returns undefined where the line has no such number, or where it is one of a lower level
 */
export function logMessage(line: string): LogMessage | undefined {
  const number = /\bAH(\d{5})\b/.exec(line)?.[1];
  if (number === undefined) return undefined;
  return (parsed ??= parse()).get(Number(number)) ?? ofOtherRelease(number, line);
}

/** The numbers come and go with the releases: of one that the sources lack, the line itself says the module and the level. */
function ofOtherRelease(number: string, line: string): LogMessage | undefined {
  const [, module = '', level = ''] = /\[(\w+):(emerg|alert|crit|err)(?:or)?\]/.exec(line) ?? [];
  const isKnown = [...(parsed ??= parse()).values()].some((message) => message.module === module);
  return isKnown ? { id: `AH${number}`, module, level, source: 'a release other than 2.4.62' } : undefined;
}

function parse(): Map<number, LogMessage> {
  const messages = new Map<number, LogMessage>();
  let file = '';
  for (const line of logNumbers.trim().split('\n')) {
    if (!line.startsWith(' ')) file = line;
    else
      for (const [, number = '', level = '', at = ''] of line.matchAll(/(\d+)([mace])(\d*)/g))
        messages.set(Number(number), {
          id: `AH${number.padStart(5, '0')}`,
          module: moduleOf(file),
          level: LEVELS[level] ?? '',
          source: at === '' ? file : `${file}:${at}`,
        });
  }
  return messages;
}

/** Files that several modules share, or whose names do not say the module. */
const MODULES: readonly (readonly [RegExp, string])[] = [
  [/\/(md|tls|lua)\//, '$1'],
  [/\/mod_(\w+)\.c$/, '$1'],
  [/\/mpm\/(\w+)\//, 'mpm_$1'],
  [/\/(ssl|http2)\//, '$1'],
  [/\/proxy\/ajp_/, 'proxy_ajp'],
  [/\/proxy\//, 'proxy'],
  [/\/dav\/fs\//, 'dav_fs'],
  [/\/dav\//, 'dav'],
  [/\/ldap\//, 'ldap'],
  [/\/cache\//, 'cache'],
  [/\/generators\/cgi/, 'cgi'],
];

/** The module that a file of the sources is of, without `mod_`; `core` for the server itself. */
export function moduleOf(file: string): string {
  for (const [pattern, name] of MODULES) {
    const match = pattern.exec(file);
    if (match !== null) return name.replace('$1', match[1] ?? '');
  }
  return 'core';
}
