import type { Scope } from '../policy';
import { depthOf } from '../primitives';

/** Sections of the main server or of one virtual host, filed by how they are merged. */
export interface Side {
  /** Directory sections by literal path, in merge order. */
  readonly directories: ReadonlyMap<string, readonly Scope[]>;
  readonly access: ReadonlyMap<string, readonly Scope[]>;
  readonly globs: readonly Scope[];
  /** Directory sections whose path the run cannot tell: they may apply at any level. */
  readonly anywhere: readonly Scope[];
  /** `.htaccess` files that any Directory may hold. */
  readonly displaced: readonly Scope[];
  readonly regexes: readonly Scope[];
  /** Files sections in no directory, or in one that is no literal path. */
  readonly files: readonly Scope[];
  /** Files sections by the literal directory they are nested in. */
  readonly nested: ReadonlyMap<string, readonly Scope[]>;
  readonly locations: readonly Scope[];
  readonly proxies: readonly Scope[];
}

/** Files the sections of the main server, or of one virtual host. */
export function sideOf(scopes: readonly Scope[]): Side {
  const directories = new Map<string, Scope[]>();
  const access = new Map<string, Scope[]>();
  const nested = new Map<string, Scope[]>();
  const side = {
    directories, access, nested,
    globs: [] as Scope[], anywhere: [] as Scope[], displaced: [] as Scope[], regexes: [] as Scope[], files: [] as Scope[],
    locations: [] as Scope[], proxies: [] as Scope[],
  }; // prettier-ignore
  for (const scope of inOrder(scopes)) {
    const { pattern, parent } = scope;
    switch (scope.kind) {
      case 'directory':
        if (pattern.kind === 'path') push(directories, pattern.path, scope);
        else (pattern.kind === 'glob' ? side.globs : side.anywhere).push(scope);
        break;
      case 'htaccess':
        if (pattern.kind === 'path') push(access, pattern.path, scope);
        if (scope.displaced) side.displaced.push(scope);
        break;
      case 'directory-match':
        side.regexes.push(scope);
        break;
      case 'files':
        if (parent?.pattern.kind === 'path' && parent.kind !== 'directory-match')
          push(nested, parent.pattern.path, scope);
        else side.files.push(scope);
        break;
      case 'location':
        side.locations.push(scope);
        break;
      case 'proxy':
        side.proxies.push(scope);
        break;
    }
  }
  // Files of the server itself come before those nested in a Directory, whatever their order (server/request.c: ap_file_walk).
  if (side.files.length > 1)
    side.files.sort(
      (a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined) || a.order - b.order,
    );
  return side;
}

/** They are filed as they are read, but for what was taken to stand elsewhere. */
function inOrder(scopes: readonly Scope[]): readonly Scope[] {
  const isInOrder = scopes.every((scope, i) => i === 0 || scopes[i - 1]!.order <= scope.order);
  return isInOrder ? scopes : [...scopes].sort((a, b) => a.order - b.order);
}

function push<K, T>(map: Map<K, T[]>, key: K, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

export function globDepth(scope: Scope): number {
  return scope.pattern.kind === 'glob' ? depthOf(scope.pattern.glob) : 0;
}
