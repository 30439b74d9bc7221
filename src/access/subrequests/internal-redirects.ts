import type { ConfigTree } from '../../config';
import { collect } from '../collect';
import { ScopeIndex, placedScopes } from '../models';
import { liveAmong, splitUnread } from '../override';
import { type Scope, scopesInUse, saysSatisfyAny } from '../policy';
import { ALL_METHODS, EMPTY_LIST, memo } from '../primitives';
import { isForFiles, isHandled } from './directory-requests';

/** Sections that are held against URLs in a whole run: with more, a URL is taken for one that is asked about. */
const MAX_LOOKED_AT = 200_000;

/**
 * Whether a section may be met by a request and by what that leads to: 2.2 then asked who may have it by its own URL, and 2.4
 * does not, if the same sections are met (server/request.c: ap_process_request_internal, ap_location_walk, ap_file_walk). Where
 * no such section is, 2.2 asked in other directories alone.
 * @param url what a request leads to; undefined where that is not known
 */
export function asksAboutEachUrl(tree: ConfigTree, url: string | undefined): boolean {
  const urls = urlsAskedAbout(tree);
  return url === undefined ? urls.hasAny : urls.has(url);
}

/**
 * The URLs asked about by the Locations, and the Files sections for more than one name, of one run; not by those that refuse
 * whatever meets them. `hasAny`: there is one that a request may meet of which nothing is known.
 */
const urlsAskedAbout = memo((tree: ConfigTree) => {
  const { scopes, otherSections, mapping } = collect(tree);
  const split = splitUnread(scopesInUse(scopes, tree), mapping, tree);
  const live = [...split.live, ...liveAmong(scopesInUse(otherSections(), tree), split)];
  // A password may let in whom the addresses refuse.
  const mayBeClosed = !live.some(saysSatisfyAny);
  const many = live.filter((scope) => isForFiles(scope) && !(mayBeClosed && isClosed(scope)));
  const index = new ScopeIndex(many);
  let left = MAX_LOOKED_AT;
  const isAsked = (url: string): boolean =>
    mapping.hostsExcept().some((host) => {
      const target = { uri: url, filename: mapping.fileOf(host, url)?.filename ?? url };
      const candidates = index.candidates(target, host);
      left -= candidates.length + 1;
      return left < 0 || placedScopes(candidates, target).length > 0;
    });
  return { hasAny: many.some((scope) => !isServedApart(scope)), has: memo(isAsked, new Map()) };
});

/** Whether a program of the server itself answers all below one URL: no request there leads to another. */
function isServedApart({ kind, pattern, section }: Scope): boolean {
  return kind === 'location' && pattern.kind === 'path' && isHandled(section?.body ?? EMPTY_LIST);
}

function isClosed({ policy: { hosts }, policies }: Scope): boolean {
  if (policies !== undefined || hosts === undefined || hosts.lines.some(({ allow }) => allow)) return false;
  const ofAllMethods = hosts.lines.filter(({ mask }) => mask === ALL_METHODS);
  return ofAllMethods.some(({ words }) => words.some(({ kind }) => kind === 'all'));
}
