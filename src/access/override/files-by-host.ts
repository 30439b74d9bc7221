import { type AccessNames, type ConfigFile, basename } from '../../config';
import { type Scope, accessDirectoryOf } from '../policy';
import { EMPTY_LIST, EMPTY_SET, PathList, getOrInsert, lazy, directoriesAbove } from '../primitives';

/**
 * Which `.htaccess` files a host does not read though others do: where two virtual hosts serve a directory, and only one says
 * AllowOverride None (server/request.c: ap_directory_walk asks it for each request), or looks for a file of another name
 * (server/config.c: ap_parse_htaccess).
 */
export class FilesByHost {
  /** By directory: the hosts that read no file there; undefined stands for all without an AllowOverride of their own. */
  readonly #ignoring = new Map<string, HostsIgnoring>();
  readonly #directories: PathList;
  /** Files that a host does not look for, by host; undefined for the main server and all hosts without names of their own. */
  readonly #passed = new Map<Scope['vhost'], FilesPassed>();
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
    // In most directories the same hosts ignore it as in the one above.
    const lists = new Map<readonly Scope['vhost'][], HostsIgnoring>();
    for (const path of new Set(scopes.flatMap((scope) => accessDirectoryOf(scope) ?? EMPTY_LIST))) {
      const list = hostsIgnoring(path);
      if (list.length === 0) continue;
      this.#ignoring.set(
        path,
        getOrInsert(lists, list, () => ({ number: lists.size, hosts: new Set(list) })),
      );
    }
    this.#directories = new PathList(this.#ignoring.keys());
    if (names !== undefined) {
      for (const [vhost, wanted] of [[undefined, names.main] as const, ...names.byHost]) {
        const files = filesPassed(names.directories, wanted);
        this.#passed.set(vhost, { files, names: JSON.stringify(wanted) });
      }
    }
    this.#withOverrides = new Set(hosts);
    this.hosts =
      this.#ignoring.size + this.#passed.size === 0
        ? EMPTY_SET
        : new Set([
            ...(this.#ignoring.size === 0 ? EMPTY_LIST : this.#withOverrides),
            ...this.#passed.keys(),
          ]);
  }

  /** Whether a request to the host reads the section, if it comes to it. */
  isRead(scope: Scope, vhost: Scope['vhost']): boolean {
    if (this.hosts.size === 0) return true;
    const path = accessDirectoryOf(scope);
    if (path === undefined) return true;
    return (
      this.#ignoring.get(path)?.hosts.has(this.#overriding(vhost)) !== true &&
      this.#passedBy(vhost)?.files.has(scope.place.root) !== true
    );
  }

  /** Whether some server looks for the file of a section; true for a section of the server. */
  isWanted(scope: Scope): boolean {
    if (this.#passed.size === 0 || accessDirectoryOf(scope) === undefined) return true;
    return [...this.#passed.values()].some(({ files }) => !files.has(scope.place.root));
  }

  /** Whether there is a file that others read and the host does not. */
  ignoresAny(vhost: Scope['vhost']): boolean {
    return this.#ignoringAny().has(this.#overriding(vhost)) || this.#passedBy(vhost) !== undefined;
  }

  readonly #ignoringAny = lazy(
    () => new Set([...this.#ignoring.values()].flatMap(({ hosts }) => [...hosts])),
  );

  /**
   * What hosts do not read at a directory, above and below it, as a text: the same for hosts that read the same. Undefined
   * stands for the main server and all hosts that are not told apart from it.
   */
  unreadNear(path: string): ReadonlyMap<Scope['vhost'], string> {
    const near = [...this.#directories.below(path), ...directoriesAbove(path)];
    const lists = new Set(near.flatMap((directory) => this.#ignoring.get(directory) ?? []));
    const unread = new Map<Scope['vhost'], string>();
    for (const { number, hosts } of lists)
      for (const vhost of hosts) unread.set(vhost, `${unread.get(vhost) ?? ''}${number} `);
    // Once all others are told apart, so is each that differs from them.
    if (unread.has(undefined))
      for (const vhost of this.#withOverrides) if (!unread.has(vhost)) unread.set(vhost, '');
    if (this.#passed.size === 0) return unread;
    const told = new Set([...unread.keys(), ...this.#withOverrides, ...this.#passed.keys()]);
    const textOf = (vhost: Scope['vhost']): string =>
      (unread.get(this.#overriding(vhost)) ?? '') + this.#passedBy(vhost)!.names;
    return new Map([...told].map((vhost) => [vhost, textOf(vhost)]));
  }

  /** The key of a host among those with an AllowOverride. */
  #overriding(vhost: Scope['vhost']): Scope['vhost'] {
    return this.#withOverrides.has(vhost) ? vhost : undefined;
  }

  #passedBy(vhost: Scope['vhost']): FilesPassed | undefined {
    return this.#passed.get(this.#passed.has(vhost) ? vhost : undefined);
  }
}

/** Hosts that do not read a file, and a number that no others have. */
interface HostsIgnoring {
  readonly number: number;
  readonly hosts: ReadonlySet<Scope['vhost']>;
}

interface FilesPassed {
  readonly files: ReadonlySet<ConfigFile>;
  /** The names of those that are looked for, as a text. */
  readonly names: string;
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
