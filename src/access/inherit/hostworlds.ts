import type { Section } from '../../syntax';
import type { Mapping } from '../mapping';
import { slashesIn } from '../models';
import type { Scope } from '../policy';
import { PathList, isWithin } from '../primitives';
import { type World, hostRank } from './mergeorder';
import { type Side, sideOf } from './worlds';

/** What a request can meet in each virtual host with sections of its own, and in all others (undefined). */
export class Worlds {
  readonly #mapping: Mapping;
  readonly #byHost = new Map<Section | undefined, Scope[]>([[undefined, []]]);
  readonly #hosts: ReadonlySet<Section | undefined>;
  /** Made when first asked for: most runs ask about few of them. */
  readonly #known = new Map<Section | undefined, World>();
  readonly #targets = new Map<Section | undefined, World['targets']>();
  #main: Side | undefined;

  /** @param scopes all sections of the run that set something */
  constructor(scopes: readonly Scope[], mapping: Mapping) {
    this.#mapping = mapping;
    for (const scope of scopes) {
      const own = this.#byHost.get(scope.vhost);
      if (own === undefined) this.#byHost.set(scope.vhost, [scope]);
      else own.push(scope);
    }
    this.#hosts = new Set(this.#byHost.keys());
  }

  /** The servers whose requests can come to a scope; all where DocumentRoot and Alias lead none of them there. */
  of(scope: Scope): readonly World[] {
    if (scope.vhost !== undefined || this.#hosts.size === 1) return [this.#at(scope.vhost)];
    const home = scope.kind === 'files' ? scope.parent : scope;
    const all = [...this.#hosts];
    let serving: readonly (Section | undefined)[] = all;
    if (home !== undefined && home.pattern.kind === 'path' && home.kind !== 'location' && !home.displaced) {
      const { path } = home.pattern;
      serving = all.filter(
        (vhost) =>
          this.#targetsOf(vhost)?.some((one) => isWithin(one, path) || isWithin(path, one)) !== false,
      );
    }
    return (serving.length > 0 ? serving : all).map((vhost) => this.#at(vhost));
  }

  #at(vhost: Section | undefined): World {
    let world = this.#known.get(vhost);
    if (world === undefined) this.#known.set(vhost, (world = this.#make(vhost)));
    return world;
  }

  #make(vhost: Section | undefined): World {
    this.#main ??= sideOf(this.#byHost.get(undefined)!);
    const sides = vhost === undefined ? [this.#main] : [this.#main, sideOf(this.#byHost.get(vhost)!)];
    const paths: string[] = [];
    for (const one of sides)
      for (const map of [one.directories, one.access, one.nested])
        if (map.size > 0) paths.push(...map.keys());
    const regexes = sides.flatMap((one) => one.regexes);
    return {
      vhost,
      hosts: this.#served(vhost),
      targets: this.#targetsOf(vhost),
      sides,
      paths: new PathList(paths),
      regexes:
        regexes.length < 2
          ? regexes
          : regexes.sort(
              (a, b) => slashesIn(a) - slashesIn(b) || hostRank(a) - hostRank(b) || a.order - b.order,
            ),
      plain: sides.every((one) => one.globs.length + one.anywhere.length + one.displaced.length === 0),
      chains: new Map(),
      ends: new Map(),
    };
  }

  /** Whose requests meet what stands in a host: those of the main server, too, are met by the requests of virtual hosts without sections. */
  #served(vhost: Section | undefined): readonly (Section | undefined)[] {
    return vhost === undefined ? this.#mapping.hostsBut(this.#hosts) : [vhost];
  }

  #targetsOf(vhost: Section | undefined): World['targets'] {
    if (!this.#targets.has(vhost)) this.#targets.set(vhost, this.#mapping.targetsOfAll(this.#served(vhost)));
    return this.#targets.get(vhost);
  }
}
