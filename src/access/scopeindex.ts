import { parentOf } from './paths';
import type { Scope } from './scope';

/** Scopes by the literal path they sit at, so that a request need not be held against every section of a large server. */
export class ScopeIndex {
  readonly #directories = new Map<string, Scope[]>();
  readonly #locations = new Map<string, Scope[]>();
  readonly #others = new Map<string, Scope[]>();

  constructor(scopes: readonly Scope[]) {
    for (const scope of scopes) {
      const home = scope.kind === 'files' ? scope.parent : scope;
      const pattern = home?.pattern;
      if (pattern?.kind !== 'path' || home?.kind === 'directory-match')
        add(this.#others, hostKey(scope.vhost), scope);
      else if (home?.kind === 'location') add(this.#locations, pattern.path.replace(/\/+$/, ''), scope);
      else if (home?.kind === 'directory' || home?.kind === 'htaccess')
        add(this.#directories, pattern.path, scope);
      else add(this.#others, hostKey(scope.vhost), scope);
    }
  }

  /** All that may match a request to a virtual host (undefined: the main server), and some that do not. */
  candidates(request: { readonly filename: string; readonly uri: string }, vhost: Scope['vhost']): Scope[] {
    const host = hostKey(vhost);
    const found = [...(this.#others.get('') ?? [])];
    if (host !== '') found.push(...(this.#others.get(host) ?? []));
    const here = (list: readonly Scope[] | undefined): void => {
      for (const scope of list ?? [])
        if (scope.vhost === undefined || hostKey(scope.vhost) === host) found.push(scope);
    };
    here(this.#directories.get('/'));
    for (let path = request.filename; path !== '/'; path = parentOf(path)) here(this.#directories.get(path));
    here(this.#locations.get(''));
    for (let path = request.uri; path !== '/'; path = parentOf(path)) here(this.#locations.get(path));
    return found;
  }
}

/** Virtual hosts of a tree and of its rewrite are the same by their address and name: the rewrite changes neither. */
export function hostKey(vhost: Scope['vhost']): string {
  if (vhost === undefined) return '';
  let key = keys.get(vhost);
  if (key === undefined) {
    const named = vhost.body.filter(
      (node) => node.kind === 'directive' && /^server(?:name|alias)$/.test(node.key),
    );
    key = [vhost.open.rest, ...named.map((node) => (node.kind === 'directive' ? node.rest : ''))].join('\n');
    keys.set(vhost, key);
  }
  return key;
}

const keys = new WeakMap<object, string>();

function add(map: Map<string, Scope[]>, key: string, scope: Scope): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [scope]);
  else list.push(scope);
}
