import { type ConfigTree, conditionOf, isConditional } from '../../config';
import type { Node, Section } from '../../syntax';
import { collect, factsOf } from '../collect';
import { splitUnread } from '../override';
import { type Scope, hasVersionBlocks, scopesInUse } from '../policy';
import { EMPTY_LIST, type MethodClass, memo } from '../primitives';
import {
  DirectoryRequests,
  mayMeetOneOf,
  isForFiles,
  isForMany,
  tellsByMethodOrOwner,
} from './directory-requests';

/** A section about which 2.2 asked again for the index file, unlike 2.4, and that decides differently who gets it. */
export interface AskedAgain {
  /** A Location, or a Files section that names no single file. */
  readonly scope: Scope & { readonly section: Section };
  /** By which such requests come in that GET refuses; {@link OTHER_METHODS} for all that no Limit names. */
  readonly methods: readonly MethodClass[];
  /** The URL path of such a directory; or of a file, if it is for files alone. */
  readonly uri: string;
  readonly isForFile: boolean;
  /** The section asks whose the file is, and not only by which method it is asked for. */
  readonly asksForOwner: boolean;
  /** The run has blocks for one version each: 2.2 is to read what is written, too. */
  readonly isForBoth: boolean;
  /** The section is for 2.2 alone, and 2.4 reads none in its place: none could be made to ask. */
  readonly isOnlyFor22: boolean;
}

/**
 * Where 2.2 asked again about what a request leads to by way of a subrequest, which is a GET, and 2.4 does not. 2.2 made a new
 * configuration of the Locations that are for the new URL, and of the Files sections for the new name, even if they were the same
 * as before; 2.4 asks only where other sections are met, if all modules that check access agree (server/request.c:
 * ap_process_request_internal, ap_location_walk, ap_file_walk). That counts where a request gets in by a method for which more is
 * allowed than for GET.
 * @param hasParts a page may have parts (SSI) or variants (MultiViews)
 * @returns the sections in which 2.4 must be made to ask again, in the order of the run
 */
export function sectionsAskedAgain(tree: ConfigTree, hasParts: boolean): readonly AskedAgain[] {
  return askedAgain(tree)(hasParts);
}

/** A rule is asked about all files of a run, and again without what `.htaccess` files say: mostly that is the same question. */
const askedAgain = memo((tree: ConfigTree) =>
  memo((hasParts: boolean) => findAskedAgain(tree, hasParts), new Map()),
);

function findAskedAgain(tree: ConfigTree, hasParts: boolean): readonly AskedAgain[] {
  const collected = collect(tree);
  const { scopes, otherSections, mapping } = collected;
  const facts = factsOf(collected, tree);
  const included = scopesInUse(scopes, tree);
  if (!included.some(tellsByMethodOrOwner)) return [];
  const set = new Set(included);
  const unset = scopesInUse(otherSections(), tree).filter(isForMany);
  const inFiles = unset.filter(({ place }) => place.root.role === 'htaccess');
  const split = splitUnread(inFiles.length === 0 ? included : [...included, ...inFiles], mapping, tree);
  const read = new Set(split.live);
  const live = split.live.filter((scope) => set.has(scope));
  const others = unset.filter((scope) => read.has(scope) || scope.place.root.role !== 'htaccess');
  // In the order in which they would be changed: what decides by itself, then what does not.
  const suspects = [...live.filter(isForMany), ...others].filter(hasText);
  const ofFiles = hasParts ? live.filter(isForFiles).filter(hasText) : EMPTY_LIST;
  const telling = live.filter(tellsByMethodOrOwner);
  if (suspects.length + ofFiles.length === 0 || telling.length === 0) return [];
  const requests = new DirectoryRequests(collected, facts, live, others, split.overrides.files);
  const isForBoth = live.some(hasVersionBlocks);
  const found = new Map<Scope, AskedAgain>();
  const isDone = (met: Scope): boolean => found.get(met)?.isOnlyFor22 === false || asksAgain(met);
  const mayMeetSuspect = mayMeetOneOf(suspects, mapping);
  const mayMeetTelling = mayMeetOneOf(telling, mapping);
  const candidates = [
    ...suspects.filter(mayMeetTelling),
    // What tells GET from other methods may stand in one of more directories than are tried of a suspect.
    ...telling.filter((scope) => !isForMany(scope) && mayMeetSuspect(scope)),
  ];
  for (const scope of candidates) {
    if (asksAgain(scope)) continue;
    const all = isForMany(scope) && hasText(scope) ? [scope, ...suspects] : suspects;
    for (const { met, metIn24, ...request } of requests.of(scope, isDone)) {
      const for24 = all.find((other) => metIn24.includes(other));
      const place = for24 ?? all.find((other) => met.includes(other));
      const isOnlyFor22 = for24 === undefined;
      if (place !== undefined && (!isOnlyFor22 || !found.has(place)))
        found.set(place, { ...request, scope: place, isForFile: false, isForBoth, isOnlyFor22 });
      // What is met by each request to it has been found.
      if (for24 === scope && scope.aroundSection.length === 0) break;
    }
  }
  for (const scope of ofFiles) {
    if (isDone(scope) || !mayMeetTelling(scope)) continue;
    for (const { met: _, metIn24, ...request } of requests.forFilesOf(scope, isDone)) {
      const for24 = [scope, ...ofFiles].find((other) => metIn24.includes(other));
      const place = for24 ?? scope;
      const isOnlyFor22 = for24 === undefined;
      found.set(place, { ...request, scope: place, isForFile: true, isForBoth, isOnlyFor22 });
      if (for24 === scope) break;
    }
  }
  return [...new Set([...suspects, ...ofFiles])].flatMap((scope) => found.get(scope) ?? []);
}

function hasText(scope: Scope): scope is Scope & { readonly section: Section } {
  const { section, kind, place } = scope;
  // httpd refuses a Location in a `.htaccess`.
  if (kind === 'location' && place.root.role === 'htaccess') return false;
  return section?.open.complete === true && isWhole(section);
}

/** Whether it is closed, and no section in it ends after it. */
function isWhole({ close, body }: Section): boolean {
  return close !== undefined && body.every((node) => node.kind !== 'section' || isWhole(node));
}

/** Whether a section has an `<If>` for subrequests: then 2.4 finds other sections there, and asks again. */
function asksAgain({ section }: Scope): boolean {
  return section !== undefined && hasIfForSubrequests(section.body);
}

function hasIfForSubrequests(body: readonly Node[]): boolean {
  return body.some(
    (node) =>
      node.kind === 'section' &&
      (isConditional(node)
        ? conditionOf(node).on24 !== false && hasIfForSubrequests(node.body)
        : node.key === 'if' && /\bIS_SUBREQ\b/i.test(node.open.rest)),
  );
}
