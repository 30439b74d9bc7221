import type { Section } from '../../syntax';
import { PathList, parentOf } from '../primitives';
import { type Target, keyOf, reaches } from './targets';

/** Servers by the directories that their requests come to, so that a large run need not ask each server about each directory. */
export class HostsByTarget {
  readonly hosts: readonly (Section | undefined)[];
  /** Places in the list: by directory, by targets of another kind, and of the hosts without known targets. */
  readonly #byDirectory = new Map<string, number[]>();
  readonly #byOther = new Map<string, { readonly target: Target; readonly indexes: number[] }>();
  readonly #anywhere: number[] = [];
  readonly #directories: PathList;

  constructor(
    hosts: readonly (Section | undefined)[],
    targetsOf: (host: Section | undefined) => readonly Target[] | undefined,
  ) {
    this.hosts = hosts;
    hosts.forEach((host, index) => {
      const targets = targetsOf(host);
      if (targets === undefined) this.#anywhere.push(index);
      else for (const target of targets) this.#add(target, index);
    });
    this.#directories = new PathList(this.#byDirectory.keys());
  }

  /** The servers with a target that lies at, above or below a directory, in the order given. */
  reaching(path: string): readonly (Section | undefined)[] {
    const found = new Set<number>();
    const addAt = (directory: string): void => {
      for (const index of this.#byDirectory.get(directory) ?? []) found.add(index);
    };
    for (const directory of this.#directories.below(path)) addAt(directory);
    for (let at = path; at !== '/';) addAt((at = parentOf(at)));
    for (const { target, indexes } of this.#byOther.values())
      if (reaches(target, path)) for (const index of indexes) found.add(index);
    for (const index of this.#anywhere) found.add(index);
    return [...found].sort((a, b) => a - b).map((index) => this.hosts[index]);
  }

  #add(target: Target, index: number): void {
    if (target.kind === 'directory') {
      const list = this.#byDirectory.get(target.path);
      if (list === undefined) this.#byDirectory.set(target.path, [index]);
      else list.push(index);
      return;
    }
    // Most servers have these from the main server.
    const key = keyOf(target);
    const known = this.#byOther.get(key);
    if (known === undefined) this.#byOther.set(key, { target, indexes: [index] });
    else known.indexes.push(index);
  }
}
