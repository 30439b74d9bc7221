import { basename, dirname, join, resolvePath } from './paths';
import { type DirectoryEntry, type FileSource, SourceError } from '../types';

/** Symbolic links in one path: as many as Linux follows before it says ELOOP. */
const MAX_LINKS = 40;

/**
 * Files held in memory, for tests, standard input and the library.
 * @param files absolute path → text (latin1); directories come of themselves
 * @param links absolute path → where the symbolic link points, absolute or relative to its directory
 * @param more directories with nothing in them: absolute paths
 */
export function memory(
  files: ReadonlyMap<string, string>,
  links: ReadonlyMap<string, string> = new Map(),
  more: readonly string[] = [],
): FileSource {
  const directories = new Map<string, DirectoryEntry[]>([['/', []]]);
  for (const path of files.keys()) enter(directories, path, 'file');
  for (const path of links.keys()) enter(directories, path, 'link');
  for (const path of more) enter(directories, path, 'directory');

  /** Undefined where nothing is there. */
  function find(path: string): string | undefined {
    let linksLeft = MAX_LINKS;
    let rest = resolvePath('/', path).split('/').slice(1);
    let at = '/';
    while (rest.length > 0) {
      const next = join(at, rest.shift() ?? '');
      const target = links.get(next);
      if (target === undefined) {
        at = next;
        continue;
      }
      if (linksLeft-- === 0) throw new SourceError(path, 'ELOOP', 'too many levels of symbolic links');
      rest = [...resolvePath(dirname(next), target).split('/').slice(1), ...rest].filter(
        (part) => part !== '',
      );
      at = '/';
    }
    return files.has(at) || directories.has(at) ? at : undefined;
  }

  function real(path: string): string {
    const found = find(path);
    if (found === undefined) throw missing(path);
    return found;
  }

  return {
    real,
    read(path) {
      const text = files.get(path) ?? files.get(real(path));
      if (text === undefined) throw new SourceError(path, 'EISDIR', 'is a directory');
      return text;
    },
    list(path) {
      const entries = directories.get(real(path));
      if (entries === undefined) throw new SourceError(path, 'ENOTDIR', 'not a directory');
      return entries;
    },
    kind(path) {
      try {
        const found = find(path);
        if (found === undefined) return undefined;
        return files.has(found) ? 'file' : 'directory';
      } catch {
        return undefined;
      }
    },
  };
}

/** `source` with other texts for some of its files, by real path: how the engine reads its own result again. */
export function overlay(source: FileSource, texts: ReadonlyMap<string, string>): FileSource {
  return {
    read: (path) => texts.get(path) ?? source.read(path),
    list: (path) => source.list(path),
    kind: (path) => source.kind(path),
    real: (path) => source.real(path),
    planted: (path, by, target) => source.planted?.(path, by, target) === true,
    ...restOf(source),
  };
}

/** `source` with some more files, in directories that are there: real path → text. */
export function adding(source: FileSource, files: ReadonlyMap<string, string>): FileSource {
  const names = new Map<string, DirectoryEntry[]>();
  for (const path of files.keys()) {
    const known = names.get(dirname(path));
    const entry: DirectoryEntry = { name: basename(path), kind: 'file' };
    if (known === undefined) names.set(dirname(path), [entry]);
    else known.push(entry);
  }
  return {
    read: (path) => files.get(path) ?? source.read(path),
    list: (path) => [...source.list(path), ...(names.get(source.real(path)) ?? [])],
    kind: (path) => (files.has(path) ? 'file' : source.kind(path)),
    real: (path) => (files.has(path) ? path : source.real(path)),
    planted: (path, by, target) => !files.has(target) && source.planted?.(path, by, target) === true,
    ...restOf(source),
  };
}

/** `source` with a cache: it repeats each answer, and each error, whatever happens on the disk meanwhile. */
export function remember(source: FileSource): FileSource {
  const answers = new Map<string, unknown>();
  const texts = new Map<string, string>();
  /** Servers have the same text thousands of times: it is kept once. */
  const kept = (text: string): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  const once = <T>(question: string, ask: (fresh: FileSource) => T): T => {
    if (!answers.has(question)) answers.set(question, ask(source));
    return answers.get(question) as T;
  };
  return {
    read: memoize((path) => kept(source.read(path))),
    list: memoize((path) => source.list(path)),
    kind: memoize((path) => source.kind(path)),
    real: memoize((path) => source.real(path)),
    planted: (path, by, target) =>
      source.planted !== undefined &&
      once(`planted ${path}\0${by ?? ''}\0${target}`, () => source.planted!(path, by, target)),
    ...restOf(source, memoize),
    once,
  };
}

/** What not every source has. @param asked how an answer is asked for */
function restOf(
  source: FileSource,
  asked: <T>(ask: (path: string) => T) => (path: string) => T = (ask) => ask,
): Pick<FileSource, 'device' | 'isMachine' | 'memory' | 'names' | 'once' | 'owners' | 'stat'> {
  return {
    ...(source.isMachine && { isMachine: true }),
    ...(source.stat && { stat: asked((path) => source.stat?.(path)) }),
    ...(source.names && { names: asked((path) => source.names!(path)) }),
    ...(source.memory && { memory: () => source.memory!() }),
    ...(source.owners && { owners: asked((path) => source.owners!(path)) }),
    ...(source.device && { device: asked((path) => source.device?.(path)) }),
    ...(source.once && { once: (question, ask) => source.once!(question, ask) }),
  };
}

function memoize<T>(ask: (path: string) => T): (path: string) => T {
  const answers = new Map<string, T>();
  const errors = new Map<string, SourceError>();
  return (path) => {
    const known = answers.get(path);
    if (known !== undefined || answers.has(path)) return known as T;
    const failed = errors.get(path);
    if (failed !== undefined) throw failed;
    try {
      const answer = ask(path);
      answers.set(path, answer);
      return answer;
    } catch (error) {
      if (error instanceof SourceError) errors.set(path, error);
      throw error;
    }
  };
}

function enter(directories: Map<string, DirectoryEntry[]>, path: string, kind: DirectoryEntry['kind']): void {
  if (kind === 'directory') {
    if (directories.has(path)) return;
    directories.set(path, []);
  }
  const parent = dirname(path);
  let entries = directories.get(parent);
  if (entries === undefined) {
    enter(directories, parent, 'directory');
    entries = directories.get(parent)!;
  }
  entries.push({ name: basename(path), kind });
}

function missing(path: string): SourceError {
  return new SourceError(path, 'ENOENT', 'no such file or directory');
}
