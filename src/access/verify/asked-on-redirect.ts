import type { ConfigTree } from '../../config';
import { type Collected, collect } from '../collect';
import { placedScopes } from '../models';
import { splitUnreadFiles } from '../override';
import { type Scope, includedScopes } from '../policy';
import { EMPTY_LIST } from '../primitives';
import { isForFiles, isHandled } from './directory-requests';

/** Virtual hosts that are asked about one URL. */
const HOSTS = 20;

/** The Locations, and the Files sections for more than one name, of one run. */
interface SectionsForMany {
  readonly scopes: readonly Scope[];
  readonly mapping: Collected['mapping'];
}

const known = new WeakMap<ConfigTree, SectionsForMany>();

/**
 * Whether a section may be met by a request and by what that leads to: 2.2 then asked who may have it by its own URL, and 2.4 does not, if the same
 * sections are met (server/request.c: ap_process_request_internal, ap_location_walk, ap_file_walk). Where no such section is, 2.2 asked in other directories alone.
 * @param url what a request leads to; undefined where that is not known
 */
export function asksAboutEachUrl(tree: ConfigTree, url: string | undefined): boolean {
  const { scopes, mapping } = sectionsForMany(tree);
  if (url === undefined || scopes.length === 0) return scopes.length > 0;
  const hosts = mapping.hostsExcept(new Set()).slice(0, HOSTS);
  return hosts.some((host) => {
    const filename = mapping.fileOf(host, url)?.filename ?? url;
    const ofHost = scopes.filter(({ vhost }) => vhost === undefined || vhost === host);
    return placedScopes(ofHost, { uri: url, filename }).length > 0;
  });
}

function sectionsForMany(tree: ConfigTree): SectionsForMany {
  let sections = known.get(tree);
  if (sections === undefined) {
    const { scopes, otherSections, mapping } = collect(tree);
    const included = includedScopes([...scopes, ...otherSections()]);
    const many = splitUnreadFiles(included, mapping, tree).live.filter(isForSeveral);
    known.set(tree, (sections = { scopes: many, mapping }));
  }
  return sections;
}

function isForSeveral(scope: Scope): boolean {
  return isForFiles(scope) && !isHandled(scope.section?.body ?? EMPTY_LIST);
}
