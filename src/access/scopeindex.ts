import { parentOf } from './paths';
import type { AccessRequest } from './request';
import type { Scope } from './scope';

/** Scopes by the literal path they sit at, so that a request need not be held against every section of a large server. */
export class ScopeIndex {
  readonly #directories = new Map<string, Scope[]>();
  readonly #locations = new Map<string, Scope[]>();
  readonly #others: Scope[] = [];

  constructor(scopes: readonly Scope[]) {
    for (const scope of scopes) {
      const home = scope.kind === 'files' ? scope.parent : scope;
      const pattern = home?.pattern;
      if (pattern?.kind !== 'path' || home?.kind === 'directory-match') this.#others.push(scope);
      else if (home?.kind === 'location') add(this.#locations, pattern.path.replace(/\/+$/, ''), scope);
      else if (home?.kind === 'directory' || home?.kind === 'htaccess')
        add(this.#directories, pattern.path, scope);
      else this.#others.push(scope);
    }
  }

  /** All that may match a request, and some that do not. */
  candidates(request: Pick<AccessRequest, 'filename' | 'uri'>): Scope[] {
    const found = [
      ...this.#others,
      ...(this.#directories.get('/') ?? []),
      ...(this.#locations.get('') ?? []),
    ];
    for (let path = request.filename; path !== '/'; path = parentOf(path))
      found.push(...(this.#directories.get(path) ?? []));
    for (let path = request.uri; path !== '/'; path = parentOf(path))
      found.push(...(this.#locations.get(path) ?? []));
    return found;
  }
}

function add(map: Map<string, Scope[]>, key: string, scope: Scope): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [scope]);
  else list.push(scope);
}
