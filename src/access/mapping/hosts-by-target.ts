import type { Section } from '../../syntax';
import { PathList, parentOf } from '../primitives';
import { type Target, reaches } from './targets';

/** Servers by the directories that their requests come to, so that a large run need not ask each server about each directory. */
export class HostsByTarget {
  readonly hosts: readonly (Section | undefined)[];
  /** Places in the list: by directory, and of those with targets of another kind or without known ones. */
  readonly #byDirectory = new Map<string, number[]>();
  readonly #others: { readonly index: number; readonly targets: readonly Target[] | undefined }[] = [];
  readonly #directories: PathList;

  constructor(
    hosts: readonly (Section | undefined)[],
    targetsOf: (host: Section | undefined) => readonly Target[] | undefined,
  ) {
    this.hosts = hosts;
    hosts.forEach((host, index) => {
      const targets = targetsOf(host);
      const others = targets?.filter(({ kind }) => kind !== 'directory');
      if (others === undefined || others.length > 0) this.#others.push({ index, targets: others });
      for (const target of targets ?? []) {
        if (target.kind !== 'directory') continue;
        const list = this.#byDirectory.get(target.path);
        if (list === undefined) this.#byDirectory.set(target.path, [index]);
        else list.push(index);
      }
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
    for (const { index, targets } of this.#others)
      if (targets === undefined || targets.some((target) => reaches(target, path))) found.add(index);
    return [...found].sort((a, b) => a - b).map((index) => this.hosts[index]);
  }
}
