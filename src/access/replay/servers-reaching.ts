import type { ConfigFile, ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { HostsByTarget } from '../mapping';
import { overridesOf } from '../override';

/**
 * The servers whose requests may come to the directory of a `.htaccess` file, where the configuration says which those are;
 * undefined for any other file, and where no server is known to lead there.
 */
export type ServersReaching = (file: ConfigFile) => ReadonlySet<Section | undefined> | undefined;

export function serversReaching(tree: ConfigTree): ServersReaching {
  const { mapping, directoriesOf } = overridesOf(tree);
  let byTarget: HostsByTarget | undefined;
  return (file) => {
    if (file.role !== 'htaccess') return undefined;
    byTarget ??= new HostsByTarget(mapping.hostsExcept(), (vhost) => mapping.targets(vhost));
    const found = new Set<Section | undefined>();
    for (const directory of directoriesOf(file))
      for (const vhost of byTarget.reaching(directory)) found.add(vhost);
    return found.size === 0 ? undefined : found;
  };
}
