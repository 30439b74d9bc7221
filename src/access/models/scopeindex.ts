import type { Scope } from '../policy';
import { parentOf } from '../primitives';

/** The scopes of one server, main or virtual, by the literal path they sit at. */
export interface HostScopes {
  readonly directories: ReadonlyMap<string, readonly Scope[]>;
  readonly locations: ReadonlyMap<string, readonly Scope[]>;
  /** Those that sit at none. */
  readonly others: readonly Scope[];
}

const NOWHERE: HostScopes = { directories: new Map(), locations: new Map(), others: [] };

/** Scopes by where they sit, so that a request need not be held against every section of a large server. */
export class ScopeIndex {
  readonly #hosts = new Map<string, HostScopes>();

  constructor(scopes: readonly Scope[]) {
    let vhost: Scope['vhost'];
    let host: Building | undefined;
    for (const scope of scopes) {
      // Those of a host mostly stand together.
      if (host === undefined || scope.vhost !== vhost) {
        ({ vhost } = scope);
        const key = hostKey(vhost);
        host = this.#hosts.get(key) as Building | undefined;
        if (host === undefined)
          this.#hosts.set(key, (host = { directories: new Map(), locations: new Map(), others: [] }));
      }
      const place = placeOf(scope);
      if (place === undefined) host.others.push(scope);
      else add(place.kind === 'location' ? host.locations : host.directories, place.path, scope);
    }
  }

  /** All of them, by {@link hostKey}. */
  get hosts(): ReadonlyMap<string, HostScopes> {
    return this.#hosts;
  }

  /** Those of the virtual host with this {@link hostKey}; not those of the main server, which it has as well. */
  of(host: string): HostScopes {
    return this.#hosts.get(host) ?? NOWHERE;
  }

  /** All that may match a request to a virtual host (undefined: the main server), and some that do not. */
  candidates(request: { readonly filename: string; readonly uri: string }, vhost: Scope['vhost']): Scope[] {
    const key = hostKey(vhost);
    const found: Scope[] = [];
    for (const host of key === '' ? [this.of('')] : [this.of(''), this.of(key)]) {
      found.push(...host.others);
      if (host.directories.size > 0) onTheWay(host.directories, request.filename, '/', found);
      if (host.locations.size > 0) onTheWay(host.locations, request.uri, '', found);
    }
    return found;
  }
}

/** {@link HostScopes} while it is made. */
interface Building {
  readonly directories: Map<string, Scope[]>;
  readonly locations: Map<string, Scope[]>;
  readonly others: Scope[];
}

/** Where a scope is filed: at the path of the section it stands in, or at its own; undefined where that is no literal path. */
export function placeOf(
  scope: Scope,
): { readonly kind: 'directory' | 'location'; readonly path: string } | undefined {
  const home = scope.kind === 'files' ? scope.parent : scope;
  if (home?.pattern.kind !== 'path') return undefined;
  const { path } = home.pattern;
  if (home.kind === 'location') return { kind: 'location', path: path.replace(/\/+$/, '') };
  return home.kind === 'directory' || home.kind === 'htaccess' ? { kind: 'directory', path } : undefined;
}

/** Adds what is filed at a path and above it; `top` is what all paths lie below. */
function onTheWay(
  filed: ReadonlyMap<string, readonly Scope[]>,
  path: string,
  top: string,
  found: Scope[],
): void {
  const all = filed.get(top);
  if (all !== undefined) found.push(...all);
  for (let at = path; at !== '/'; at = parentOf(at)) {
    const here = filed.get(at);
    if (here !== undefined) found.push(...here);
  }
}

/** Virtual hosts of a tree and of its rewrite are the same by their address and name: the rewrite changes neither. */
export function hostKey(vhost: Scope['vhost']): string {
  if (vhost === undefined) return '';
  let key = keys.get(vhost);
  if (key === undefined) {
    key = vhost.open.rest;
    for (const node of vhost.body)
      if (node.kind === 'directive' && (node.key === 'servername' || node.key === 'serveralias'))
        key += `\n${node.rest}`;
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
