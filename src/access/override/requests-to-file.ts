import { type ConfigFile, type ConfigTree, type Place, hostAround, visitTree } from '../../config';
import type { Section } from '../../syntax';
import { ALL_URLS, type Target, type UrlSet, keyOf, reaches } from '../mapping';
import { addTo, getOrInsert, isGlob, lazy, memo } from '../primitives';
import { overridesOf } from './allow-override';

/**
 * Whether a request that a line of the server's own files is for may come to the directory of a `.htaccess`: where the
 * configuration does not say to which directories the requests lead, it may. A section in a file that several hosts include is
 * asked about in all of them, whichever the place is of.
 */
export const requestsMayComeTo = memo((tree: ConfigTree) => {
  const { mapping, directoriesOf } = overridesOf(tree);
  const targetsOfLocation = memo(
    (host: Section | undefined) =>
      memo((location: Section | undefined) => {
        const hosts = host === undefined ? mapping.hostsExcept() : [host];
        return mapping.targetsFromAll(hosts, [location === undefined ? ALL_URLS : urlsOf(location)]);
      }, new Map()),
    new Map(),
  );
  const targetsIn = (chain: Place['chain']): readonly Target[] | undefined => {
    // Lines without a Location around them are for all requests of their server.
    const location = chain.find(({ section: { key } }) => key === 'location')?.section;
    return targetsOfLocation(hostAround(chain))(location);
  };
  const placesOf = lazy(() => placesOfSections(tree));
  const bySection = new Map<Section, readonly Target[] | undefined>();
  const targetsOf = ({ chain }: Place): readonly Target[] | undefined => {
    const innermost = chain.at(-1);
    if (innermost === undefined) return targetsIn(chain);
    return getOrInsert(bySection, innermost.section, () => {
      const places = placesOf().get(innermost.section);
      if (places === undefined) return undefined;
      const found = new Map<string, Target>();
      for (const around of places) {
        const targets = targetsIn([...around.chain, innermost]);
        if (targets === undefined) return undefined;
        for (const target of targets) found.set(keyOf(target), target);
      }
      return [...found.values()];
    });
  };
  return (place: Place, file: ConfigFile): boolean => {
    const targets = targetsOf(place);
    const directories = directoriesOf(file);
    if (targets === undefined || directories.length === 0) return true;
    return directories.some((path) => targets.some((target) => reaches(target, path)));
  };
});

/** Where each section of the server's own files stands: in several places where its file is included in several. */
function placesOfSections(tree: ConfigTree): ReadonlyMap<Section, readonly Place[]> {
  const found = new Map<Section, Place[]>();
  visitTree(tree, (node, place) => {
    if (node.kind === 'section' && place.root.role !== 'htaccess') addTo(found, node, place);
  });
  return found;
}

/** The URLs that a plain `<Location>` is for; all of them for any other. */
function urlsOf({ args }: Section): UrlSet {
  const [path, ...others] = args.map(({ value }) => value);
  const isPlain =
    path?.startsWith('/') === true && others.length === 0 && !isGlob(path) && !/[$%\\]/.test(path);
  return isPlain && path !== '/' ? { kind: 'path', path: path.replace(/\/+$/, '') } : ALL_URLS;
}
