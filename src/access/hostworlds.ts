import type { Section } from '../syntax';
import type { Mapping } from './mapping';
import { slashesIn } from './match';
import { type World, hostRank } from './mergeorder';
import { isWithin } from './paths';
import type { Scope } from './scope';
import { PathList, sidesOf } from './worlds';

/** What a request can meet in each virtual host with sections of its own, and in all others (undefined). */
export function worldsByHost(
  scopes: readonly Scope[],
  mapping: Mapping,
): ReadonlyMap<Section | undefined, World> {
  const sides = sidesOf(scopes);
  const main = sides.get(undefined)!;
  const worlds = new Map<Section | undefined, World>();
  for (const [vhost, side] of sides) {
    const both = vhost === undefined ? [main] : [main, side];
    const hosts = vhost === undefined ? mapping.hostsBut(new Set(sides.keys())) : [vhost];
    worlds.set(vhost, {
      vhost,
      hosts,
      targets: mapping.targetsOfAll(hosts),
      sides: both,
      paths: new PathList(
        both.flatMap((one) => [...one.directories.keys(), ...one.access.keys(), ...one.nested.keys()]),
      ),
      regexes: both
        .flatMap((one) => one.regexes)
        .sort((a, b) => slashesIn(a) - slashesIn(b) || hostRank(a) - hostRank(b) || a.order - b.order),
      chains: new Map(),
      ends: new Map(),
    });
  }
  return worlds;
}

/** The servers whose requests can come to a scope; all where DocumentRoot and Alias lead none of them there. */
export function worldsOf(worlds: ReadonlyMap<Section | undefined, World>, scope: Scope): readonly World[] {
  if (scope.vhost !== undefined) return [worlds.get(scope.vhost)!];
  const all = [...worlds.values()];
  const home = scope.kind === 'files' ? scope.parent : scope;
  if (home === undefined || home.pattern.kind !== 'path' || home.kind === 'location' || home.displaced)
    return all;
  const { path } = home.pattern;
  const serving = all.filter(
    ({ targets }) => targets?.some((one) => isWithin(one, path) || isWithin(path, one)) !== false,
  );
  return serving.length > 0 ? serving : all;
}
