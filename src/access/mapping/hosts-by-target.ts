import type { Section } from '../../syntax';
import { EMPTY_LIST, PathList, parentOf, getOrInsert, directoriesAbove } from '../primitives';
import { type Target, keyOf, reaches } from './targets';

/** The main server, or a virtual host. */
export type AnyServer = Section | undefined;

/** Servers by the directories that their requests come to, so that a large run need not ask each server about each directory. */
export class HostsByTarget {
  /** By directory, by targets of another kind, and the hosts without known targets. */
  readonly #byDirectory = new Map<string, HostList>();
  readonly #byOther = new Map<string, { readonly target: Target; readonly list: HostList }>();
  readonly #anywhere: HostList;
  readonly #directories: PathList;

  constructor(
    readonly hosts: readonly AnyServer[],
    targetsOf: (host: AnyServer) => readonly Target[] | undefined,
  ) {
    this.#anywhere = new HostList(hosts);
    hosts.forEach((host, index) => {
      const targets = targetsOf(host);
      if (targets === undefined) this.#anywhere.add(index);
      else for (const target of targets) this.#listFor(target).add(index);
    });
    this.#directories = new PathList(this.#byDirectory.keys());
  }

  /**
   * The servers with a target that lies at, above or below a directory, in the order given. The list is the same object for most
   * directories of a server whose hosts share a target, such as users' home directories.
   */
  reaching(path: string): readonly AnyServer[] {
    return union([...this.#listsBelow(path), ...this.#listsAbove(path)]);
  }

  /** The servers of {@link reaching} without a target at or above a directory: their requests may come to parts of it alone. */
  leadingBelow(path: string): readonly AnyServer[] {
    const whole = this.#listsAbove(path);
    const found = new Set<number>();
    for (const { indexes } of this.#listsBelow(path))
      for (const index of indexes) if (!whole.some((list) => list.has(index))) found.add(index);
    return this.#anywhere.at([...found]);
  }

  /** The servers of a directory and of what lies below, and those with targets of another kind there. */
  #listsBelow(path: string): HostList[] {
    const lists = this.#directories.below(path).flatMap((at) => this.#byDirectory.get(at) ?? []);
    for (const { target, list } of this.#byOther.values()) if (reaches(target, path)) lists.push(list);
    return lists;
  }

  /** The servers of a directory and of what lies above, and those without known targets. */
  #listsAbove(path: string): HostList[] {
    const lists = [path, ...directoriesAbove(path)].flatMap((at) => this.#byDirectory.get(at) ?? []);
    return [...lists, this.#anywhere];
  }

  /** Whether the same servers have a target at, above or below a directory as at its parent: none lies below that. */
  isAsAbove(path: string): boolean {
    if (path === '/') return false;
    const above = parentOf(path);
    if (this.#directories.liesBelow(above)) return false;
    for (const { target } of this.#byOther.values())
      if (reaches(target, path) !== reaches(target, above)) return false;
    return true;
  }

  #listFor(target: Target): HostList {
    if (target.kind === 'directory')
      return getOrInsert(this.#byDirectory, target.path, () => new HostList(this.hosts));
    // Most servers have these from the main server.
    const key = keyOf(target);
    const entry = getOrInsert(this.#byOther, key, () => ({ target, list: new HostList(this.hosts) }));
    return entry.list;
  }
}

/** Some of the hosts, by their places in the list of all, which are in order. */
class HostList {
  readonly indexes: number[] = [];
  #set: ReadonlySet<number> | undefined;
  #hosts: readonly AnyServer[] | undefined;

  constructor(private readonly all: readonly AnyServer[]) {}

  add(index: number): void {
    if (this.indexes.at(-1) !== index) this.indexes.push(index);
  }

  has(index: number): boolean {
    this.#set ??= new Set(this.indexes);
    return this.#set.has(index);
  }

  get hosts(): readonly AnyServer[] {
    this.#hosts ??= this.at(this.indexes);
    return this.#hosts;
  }

  at(indexes: readonly number[]): readonly AnyServer[] {
    return indexes.map((index) => this.all[index]);
  }
}

/** The hosts of all lists, of which the largest as a rule holds most. */
function union(lists: readonly HostList[]): readonly AnyServer[] {
  const largest = lists.reduce((a, b) => (b.indexes.length > a.indexes.length ? b : a));
  const others = new Set<number>();
  for (const list of lists)
    if (list !== largest) for (const index of list.indexes) if (!largest.has(index)) others.add(index);
  if (others.size === 0) return largest.indexes.length === 0 ? EMPTY_LIST : largest.hosts;
  return largest.at([...largest.indexes, ...others].sort((a, b) => a - b));
}
