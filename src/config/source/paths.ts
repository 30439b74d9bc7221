/** Absolute, '/'-separated byte strings only; `node:path` would do, but the library runs where there is no node. */

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function dirname(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

export function join(directory: string, name: string): string {
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** Makes `path` absolute and takes out `//`, `.` and `..`, as `ap_server_root_relative` does: by name, not by link. */
export function resolvePath(base: string, path: string): string {
  if (isPlain(path)) return path;
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : join(base, path)).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** An absolute path with nothing to take out, as most are. */
function isPlain(path: string): boolean {
  if (!path.startsWith('/') || path.includes('//') || path.includes('/.')) return false;
  return path.length === 1 || !path.endsWith('/');
}

/** The part of `path` after `directory`, without slash; '' for the directory itself, undefined for a path not below it. */
export function below(path: string, directory: string): string | undefined {
  if (directory === '/') return path.slice(1);
  if (!path.startsWith(directory)) return undefined;
  if (path.length === directory.length) return '';
  return path.charCodeAt(directory.length) === 47 ? path.slice(directory.length + 1) : undefined;
}

/** Directories, to ask which lie in others. */
export class DirectorySet {
  readonly #paths = new Set<string>();

  add(path: string): void {
    this.#paths.add(path);
  }

  /** Whether a path is one of them or lies below one. */
  covers(path: string): boolean {
    for (let at = path; ; at = dirname(at)) {
      if (this.#paths.has(at)) return true;
      if (at === '/') return false;
    }
  }
}

/** The order of `strcmp`, given byte strings. */
export function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
