import { quoteWord } from '../../src/syntax';

/** The mechanisms that 2.2 knows for its accept mutex and for SSLMutex, and 2.4 for Mutex (server/util_mutex.c: ap_parse_mutex). */
const MECHANISMS = new Set(['fcntl', 'file', 'flock', 'posixsem', 'pthread', 'sem', 'sysvsem']);

/** Those that need a file: 2.4 makes it itself, in a directory that must be there. */
const FILE_MECHANISMS = new Set(['fcntl', 'file', 'flock']);

export function isMechanism(word: string): boolean {
  return MECHANISMS.has(word.toLowerCase());
}

export function needsFile(word: string): boolean {
  return FILE_MECHANISMS.has(word.toLowerCase());
}

/**
 * The Mutex line of 2.4.
 * @param file what 2.2 took for its lock file, if anything; relative to ServerRoot in both versions
 */
export function mutexLine(mechanism: string, type: string, file?: string): string {
  const argument =
    file !== undefined && needsFile(mechanism) ? `${mechanism}:${directoryOf(file)}` : mechanism;
  return `Mutex ${quoteWord(argument)} ${type}`;
}

function directoryOf(file: string): string {
  const slash = file.lastIndexOf('/');
  return slash > 0 ? file.slice(0, slash) : slash === 0 ? '/' : '.';
}
