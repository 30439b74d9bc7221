import { type AccessNames, type ConfigFile, basename } from '../../config';
import { type Scope, accessDirectoryOf } from '../policy';
import { EMPTY_LIST, EMPTY_SET, getOrInsert } from '../primitives';

/**
 * Which `.htaccess` files a host does not read though others do: where two virtual hosts serve a directory, and only one says
 * AllowOverride None (server/request.c: ap_directory_walk asks it for each request), or looks for a file of another name
 * (server/config.c: ap_parse_htaccess).
 */
export class FilesByHost {
  /** Directories, by host; undefined for the main server and all hosts without an AllowOverride of their own. */
  readonly #ignored = new Map<Scope['vhost'], Set<string>>();
  /** Files that a host does not look for, by host; undefined for the main server and all hosts without names of their own. */
  readonly #passed = new Map<Scope['vhost'], ReadonlySet<ConfigFile>>();
  readonly #withOverrides: ReadonlySet<Scope['vhost']>;
  /** Hosts that may read other files than the main server does. */
  readonly hosts: ReadonlySet<Scope['vhost']>;

  /**
   * @param scopes all sections of the run
   * @param hosts those with an AllowOverride of their own
   * @param hostsIgnoring those of them, or undefined for all others, that do not read a file in a directory though others do
   * @param names the files that servers look for, where these differ
   */
  constructor(
    scopes: readonly Scope[],
    hosts: Iterable<Scope['vhost']>,
    hostsIgnoring: (directory: string) => readonly Scope['vhost'][],
    names: AccessNames | undefined,
  ) {
    for (const path of new Set(scopes.flatMap((scope) => accessDirectoryOf(scope) ?? EMPTY_LIST)))
      for (const vhost of hostsIgnoring(path)) getOrInsert(this.#ignored, vhost, () => new Set()).add(path);
    if (names !== undefined) {
      for (const [vhost, wanted] of [[undefined, names.main] as const, ...names.byHost])
        this.#passed.set(vhost, filesPassed(names.directories, wanted));
    }
    this.#withOverrides = new Set(hosts);
    this.hosts =
      this.#ignored.size + this.#passed.size === 0
        ? EMPTY_SET
        : new Set([...(this.#ignored.size === 0 ? EMPTY_LIST : this.#withOverrides), ...this.#passed.keys()]);
  }

  /** Whether a request to the host reads the section, if it comes to it. */
  isRead(scope: Scope, vhost: Scope['vhost']): boolean {
    if (this.hosts.size === 0) return true;
    const path = accessDirectoryOf(scope);
    if (path === undefined) return true;
    return (
      this.#ignoredBy(vhost)?.has(path) !== true && this.#passedBy(vhost)?.has(scope.place.root) !== true
    );
  }

  /** Whether some server looks for the file of a section; true for a section of the server. */
  isWanted(scope: Scope): boolean {
    if (this.#passed.size === 0 || accessDirectoryOf(scope) === undefined) return true;
    return [...this.#passed.values()].some((passed) => !passed.has(scope.place.root));
  }

  /** Whether there is a file that others read and the host does not. */
  ignoresAny(vhost: Scope['vhost']): boolean {
    return this.#ignoredBy(vhost) !== undefined || this.#passedBy(vhost) !== undefined;
  }

  #ignoredBy(vhost: Scope['vhost']): ReadonlySet<string> | undefined {
    return this.#ignored.get(this.#withOverrides.has(vhost) ? vhost : undefined);
  }

  #passedBy(vhost: Scope['vhost']): ReadonlySet<ConfigFile> | undefined {
    return this.#passed.get(this.#passed.has(vhost) ? vhost : undefined);
  }
}

/** The files that are not the first in their directory of those with the names that are looked for. */
function filesPassed(
  directories: readonly (readonly ConfigFile[])[],
  names: readonly string[],
): ReadonlySet<ConfigFile> {
  const passed = new Set<ConfigFile>();
  for (const files of directories) {
    const first = names.find((name) => files.some((file) => basename(file.path) === name));
    for (const file of files) if (basename(file.path) !== first) passed.add(file);
  }
  return passed;
}
