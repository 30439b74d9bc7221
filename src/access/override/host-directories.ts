import type { UrlMapping } from '../mapping';
import type { Scope } from '../policy';
import { PathList, parentOf } from '../primitives';

/** The virtual hosts with an AllowOverride of their own, and the main server for all others, by the directories that their requests come to. */
export class HostDirectories {
  readonly #all: readonly Scope['vhost'][];
  readonly #mapping: UrlMapping;
  /** Those that may come to any directory, and those that do to each; by their place in the list. Made when first asked for. */
  #anywhere: readonly number[] = [];
  #byTarget: Map<string, number[]> | undefined;
  #targets = new PathList([]);

  constructor(all: readonly Scope['vhost'][], mapping: UrlMapping) {
    this.#all = all;
    this.#mapping = mapping;
  }

  /** Those that serve a directory; all where DocumentRoot and Alias lead none of them there. */
  serving(directory: string): readonly Scope['vhost'][] {
    if (this.#all.length === 1) return this.#all;
    const byTarget = this.#index();
    const found = new Set(this.#anywhere);
    const addHosts = (target: string): void => {
      for (const i of byTarget.get(target) ?? []) found.add(i);
    };
    for (const target of this.#targets.below(directory)) addHosts(target);
    for (let at = directory; at !== '/';) addHosts((at = parentOf(at)));
    if (found.size === 0) return this.#all;
    return [...found].sort((a, b) => a - b).map((i) => this.#all[i]);
  }

  #index(): ReadonlyMap<string, readonly number[]> {
    if (this.#byTarget !== undefined) return this.#byTarget;
    const byTarget = new Map<string, number[]>();
    const anywhere: number[] = [];
    const withOverride = new Set(this.#all);
    this.#all.forEach((vhost, i) => {
      const targets = this.#mapping.targetDirectories(
        vhost === undefined ? this.#mapping.hostsExcept(withOverride) : [vhost],
      );
      if (targets === undefined) anywhere.push(i);
      else
        for (const target of targets) {
          const list = byTarget.get(target);
          if (list === undefined) byTarget.set(target, [i]);
          else list.push(i);
        }
    });
    this.#anywhere = anywhere;
    this.#targets = new PathList(byTarget.keys());
    return (this.#byTarget = byTarget);
  }
}
