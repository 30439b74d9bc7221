import { quoteWord } from '../../../src/syntax';

/** The mechanisms of AcceptMutex and SSLMutex in 2.2, and of Mutex in 2.4 (server/util_mutex.c: ap_parse_mutex). */
const MECHANISMS = new Set(['fcntl', 'file', 'flock', 'posixsem', 'pthread', 'sem', 'sysvsem']);

/** The mechanisms with a lock file. 2.4 creates it, in a directory that must exist. */
const FILE_MECHANISMS = new Set(['fcntl', 'file', 'flock']);

export function isMechanism(word: string): boolean {
  return MECHANISMS.has(word.toLowerCase());
}

export function needsFile(word: string): boolean {
  return FILE_MECHANISMS.has(word.toLowerCase());
}

/** Where packages and the sources of 2.2 put their lock files: nobody chose such a place, so 2.4's own does as well. */
const USUAL_PLACE =
  /^(?:\$\{APACHE_(?:LOCK|RUN)_DIR\}|(?:\/var)?\/(?:run|lock)(?:\/[^/]+)?|(?:logs|run)|\/var\/log(?:\/[^/]+)?|\/(?:usr\/local\/(?:apache2?|httpd)|opt\/(?:apache2?|httpd)|etc\/(?:apache2?|httpd))\/(?:logs|run))\/[^/]*$/;

export function isUsualPlace(file: string): boolean {
  return USUAL_PLACE.test(file);
}

/**
 * The Mutex line of 2.4.
 * @param file the lock file of 2.2, if any; relative to ServerRoot in both versions
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
