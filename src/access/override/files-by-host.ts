import type { Scope } from '../policy';
import { EMPTY_LIST, EMPTY_SET } from '../primitives';

/**
 * Which `.htaccess` files a host does not read though others do: where two virtual hosts serve a directory, and only one says
 * AllowOverride None (server/request.c: ap_directory_walk asks it for each request).
 */
export class FilesByHost {
  /** Directories, by host; undefined for the main server and all hosts without an AllowOverride of their own. */
  readonly #ignored = new Map<Scope['vhost'], Set<string>>();
  /** Hosts that may read other files than the main server does. */
  readonly hosts: ReadonlySet<Scope['vhost']>;

  /**
   * @param scopes all sections of the run
   * @param hosts those with an AllowOverride of their own
   * @param hostsIgnoring those of them, or undefined for all others, that do not read a file in a directory though others do
   */
  constructor(
    scopes: readonly Scope[],
    hosts: Iterable<Scope['vhost']>,
    hostsIgnoring: (directory: string) => readonly Scope['vhost'][],
  ) {
    const paths = new Set(scopes.flatMap((scope) => fileDirectory(scope) ?? EMPTY_LIST));
    for (const path of paths)
      for (const vhost of hostsIgnoring(path)) {
        const ignored = this.#ignored.get(vhost);
        if (ignored === undefined) this.#ignored.set(vhost, new Set([path]));
        else ignored.add(path);
      }
    this.hosts = this.#ignored.size === 0 ? EMPTY_SET : new Set(hosts);
  }

  /** Whether a request to the host reads the section, if it comes to it. */
  isRead(scope: Scope, vhost: Scope['vhost']): boolean {
    if (this.#ignored.size === 0) return true;
    const path = fileDirectory(scope);
    return path === undefined || this.#ignoredBy(vhost)?.has(path) !== true;
  }

  /** Whether there is a file that others read and the host does not. */
  ignoresAny(vhost: Scope['vhost']): boolean {
    return this.#ignoredBy(vhost) !== undefined;
  }

  #ignoredBy(vhost: Scope['vhost']): ReadonlySet<string> | undefined {
    return this.#ignored.get(this.hosts.has(vhost) ? vhost : undefined);
  }
}

/** Where the `.htaccess` of a section stands; undefined for any other section, and where that is not known. */
function fileDirectory(scope: Scope): string | undefined {
  const holder = scope.parent ?? scope;
  if (holder.kind !== 'htaccess' || holder.placeUnknown || holder.pattern.kind !== 'path') return undefined;
  return holder.pattern.path;
}
