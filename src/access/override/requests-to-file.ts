import { type ConfigFile, type ConfigTree, type Place, hostAround } from '../../config';
import type { Section } from '../../syntax';
import { ALL_URLS, type Target, type UrlSet, reaches } from '../mapping';
import { getOrInsert, isGlob, memo } from '../primitives';
import { overridesOf } from './allow-override';

/**
 * Whether a request that a line of the server's own files is for may come to the directory of a `.htaccess`: where the
 * configuration does not say to which directories the requests lead, it may.
 */
export const requestsMayComeTo = memo((tree: ConfigTree) => {
  const { mapping, directoriesOf } = overridesOf(tree);
  const ofAll = mapping.hostsExcept();
  // By virtual host, then by Location: a file that two hosts include has the same Locations in both.
  const known = new Map<Section | undefined, Map<Section | undefined, readonly Target[] | undefined>>();
  const targetsOf = ({ chain }: Place): readonly Target[] | undefined => {
    const host = hostAround(chain);
    // Lines without a Location around them are for all requests of their server.
    const location = chain.find(({ section: { key } }) => key === 'location')?.section;
    const byLocation = getOrInsert(known, host, () => new Map());
    const urls = (): UrlSet => (location === undefined ? ALL_URLS : urlsOf(location));
    const hosts = host === undefined ? ofAll : [host];
    return getOrInsert(byLocation, location, () => mapping.targetsFromAll(hosts, [urls()]));
  };
  return (place: Place, file: ConfigFile): boolean => {
    const targets = targetsOf(place);
    const directories = directoriesOf(file);
    if (targets === undefined || directories.length === 0) return true;
    return directories.some((path) => targets.some((target) => reaches(target, path)));
  };
});

/** The URLs that a plain `<Location>` is for; all of them for any other. */
function urlsOf({ args }: Section): UrlSet {
  const [path, ...others] = args.map(({ value }) => value);
  const isPlain =
    path?.startsWith('/') === true && others.length === 0 && !isGlob(path) && !/[$%\\]/.test(path);
  return isPlain && path !== '/' ? { kind: 'path', path: path.replace(/\/+$/, '') } : ALL_URLS;
}
