import { type ConfigFile, type ConfigTree, type Place, hostAround } from '../../config';
import type { Section } from '../../syntax';
import { ALL_URLS, type Target, type UrlSet, reaches } from '../mapping';
import { isGlob, memo } from '../primitives';
import { overridesOf } from './allow-override';

/**
 * Whether a request that a line of the server's own files is for may come to the directory of a `.htaccess`: where the
 * configuration does not say to which directories the requests lead, it may.
 */
export const requestsMayComeTo = memo((tree: ConfigTree) => {
  const { mapping, directoriesOf } = overridesOf(tree);
  // Lines without a Location around them are for all requests of their server.
  const ofHost = new Map<Section | undefined, readonly Target[] | undefined>();
  const ofLocation = new Map<Section, readonly Target[] | undefined>();
  const targetsOf = ({ chain }: Place): readonly Target[] | undefined => {
    const location = chain.find(({ section: { key } }) => key === 'location')?.section;
    const host = hostAround(chain);
    const known: Map<Section | undefined, readonly Target[] | undefined> =
      location === undefined ? ofHost : ofLocation;
    const at = location ?? host;
    if (known.has(at)) return known.get(at);
    const hosts = host === undefined ? mapping.hostsExcept() : [host];
    const targets = mapping.targetsFromAll(hosts, [location === undefined ? ALL_URLS : urlsOf(location)]);
    known.set(at, targets);
    return targets;
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
