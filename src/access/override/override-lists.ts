import type { ConfigFile } from '../../config';
import { type Edit, insertAfter } from '../../edit';
import { type Directive, firstWhere } from '../../syntax';
import type { OverrideLine, Scope } from '../policy';
import { type AllowOverrideIndex, forReading } from './allow-override';
import { isRefusedAnyway } from './htaccess-lines';
import { LISTED_CLASSES, type OverrideState, type OverridesInForce, allowsName } from './in-force';
import { mayFollow } from './override-sections';
import { maySay } from './refused';
import { addTo, getOrInsert, memo } from '../primitives';

/** Takes back a list that is handed down. */
export const LIST_OF_NONE = 'None';

/** What a `.htaccess` says to 2.4 and may not say without an AllowOverrideList. */
export interface ListNeed {
  readonly scope: Scope;
  /** Names of directives and sections, as they are written in the list. */
  readonly names: readonly string[];
  /** The group of rewrites that needs them; undefined where they stand there already. */
  readonly group: string | undefined;
}

/** A server config line to add, or to make longer, before 2.4 lets a `.htaccess` in; `None` keeps others out as before. */
interface OverrideList {
  readonly file: ConfigFile;
  readonly at: number;
  /** What comes to the list. */
  readonly words: string;
  readonly edit: Edit;
  readonly groups: ReadonlySet<string>;
  /** Something needs it that is not rewritten. */
  readonly isForOthers: boolean;
}

interface Wanted {
  readonly line: OverrideLine;
  readonly list: OverrideLine | undefined;
  /** What the list lacks, and what one that it takes the place of has; as they are written, by their names in lower case. */
  readonly missing: Map<string, string>;
  readonly handedDown: Set<string>;
  readonly groups: Set<string>;
  isForOthers: boolean;
}

/**
 * 2.4 counts Require to AuthConfig, where Order, Allow and Deny were of the class Limit: a `.htaccess` that may say only these
 * would become a 500. `AllowOverrideList` lets in what is needed and nothing else; containers are named with their `<`
 * (docs/facts/access-2.4.md). It stands beside each AllowOverride that may be in force, so that it is read where that is. It is
 * handed down to the directories below whatever their own AllowOverride says (2.4 server/core.c: merge_core_dir_configs): there
 * it is taken back.
 */
export function overrideLists(needs: readonly ListNeed[], overrides: AllowOverrideIndex): OverrideList[] {
  const wanted = new Map<Directive, Wanted>();
  for (const { scope, names, group } of needs)
    for (const { on24, line } of statesToWiden(scope, overrides)) {
      const missing = names.filter((name) => !allowsName(on24, name));
      if (missing.length === 0) continue;
      const want = getOrInsert(wanted, line.line.node, () => ({
        line,
        list: listOf(on24),
        missing: new Map(),
        handedDown: new Set(),
        groups: new Set(),
        isForOthers: false,
      }));
      for (const name of on24.names) want.handedDown.add(name);
      for (const name of missing) want.missing.set(name.toLowerCase(), name);
      if (group === undefined) want.isForOthers = true;
      else want.groups.add(group);
    }
  return [...[...wanted.values()].map(listed), ...listsTakenBack(wanted, overrides)];
}

/** Whether a rewrite of the section is taken with an AllowOverrideList alone. */
export function needsList(scope: Scope, overrides: AllowOverrideIndex): boolean {
  return statesToWiden(scope, overrides).some(({ on24 }) => !allowsName(on24, 'Require'));
}

/** Where a file is read in 2.4 under an AllowOverride of the run, by that line. */
function statesToWiden(
  scope: Scope,
  overrides: AllowOverrideIndex,
): readonly { on24: OverridesInForce; line: OverrideLine }[] {
  return overrides.statesFor(scope).flatMap((state) => {
    const { on24 } = state;
    const inForce = forReading(state, scope);
    // Where the server that it was for answers 500 to the file, nothing is to be let in.
    const isTaken = inForce.isRead && maySay(scope, inForce);
    return isTaken && on24.line !== undefined ? [{ on24, line: on24.line }] : [];
  });
}

/** A list that stands beside the AllowOverride: it is made longer. */
function listOf({ list, isListBeside }: OverridesInForce): OverrideLine | undefined {
  return isListBeside ? list : undefined;
}

/** The lines that come after one with a new list, and must not get it from there. */
function listsTakenBack(wanted: ReadonlyMap<Directive, Wanted>, index: AllowOverrideIndex): OverrideList[] {
  const kept = new Map<Directive, { line: OverrideLine; groups: Set<string>; isForOthers: boolean }>();
  const sectionsNear = sectionsWithoutList(index.sections);
  for (const above of index.sections)
    for (const [i, line] of above.overrides.entries()) {
      const want = wanted.get(line.line.node);
      if (want === undefined) continue;
      for (const heir of heirsOf(above, i, sectionsNear)) {
        if (wanted.has(heir.line.node) || mayHaveAll(heir, [...want.handedDown, ...want.missing.keys()]))
          continue;
        const entry = getOrInsert(kept, heir.line.node, () => ({
          line: heir,
          groups: new Set<string>(),
          isForOthers: false,
        }));
        for (const group of want.groups) entry.groups.add(group);
        entry.isForOthers ||= want.isForOthers;
      }
    }
  return [...kept.values()].map(({ line, groups, isForOthers }) => ({
    ...placed(line),
    words: LIST_OF_NONE,
    edit: insertAfter(line.line.file.document, line.line.node, [`AllowOverrideList ${LIST_OF_NONE}`]),
    groups,
    isForOthers,
  }));
}

/** Tells which sections without a list of their own may be for a directory that a section is for, and perhaps more, in order. */
type SectionsNear = (section: Scope) => readonly Scope[];

function sectionsWithoutList(sections: readonly Scope[]): SectionsNear {
  const all = sections.filter(({ overrides }) => !overrides.some(({ isList }) => isList));
  // By path, so that what lies below a directory stands together.
  const byPath: { key: string; at: number }[] = [];
  const others: number[] = [];
  for (const [at, { pattern }] of all.entries())
    if (pattern.kind === 'path') byPath.push({ key: keyOf(pattern.path), at });
    else others.push(at);
  byPath.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return ({ pattern }) => {
    if (pattern.kind !== 'path') return all;
    const key = keyOf(pattern.path);
    const places = [...others];
    let i = firstWhere(byPath, (section) => section.key >= key);
    for (; byPath[i]?.key.startsWith(key) === true; i++) places.push(byPath[i]!.at);
    return places.sort((a, b) => a - b).map((at) => all[at]!);
  };
}

/** A path that all paths below it begin with. */
function keyOf(path: string): string {
  return path === '/' ? path : `${path}/`;
}

/** AllowOverride lines after one that hand down to a directory what it says; without those with their own list. */
function heirsOf(above: Scope, index: number, sectionsNear: SectionsNear): OverrideLine[] {
  const later = above.overrides.slice(index + 1);
  const inOthers = sectionsNear(above).flatMap((scope) =>
    scope !== above && mayFollow(scope, above) ? scope.overrides : [],
  );
  return [...later, ...inOthers].filter(({ isList, on24 }) => !isList && on24);
}

/** Whether the line lets all of it in by itself. */
function mayHaveAll({ words }: OverrideLine, names: Iterable<string>): boolean {
  if (words.includes('all')) return true;
  const needed = [...names].map((name) => LISTED_CLASSES.get(name) ?? 'A');
  return needed.every(
    (letters) =>
      (letters.includes('A') && words.includes('authconfig')) ||
      (letters.includes('L') && words.includes('limit')),
  );
}

function placed({ line }: OverrideLine): Pick<OverrideList, 'file' | 'at'> {
  return { file: line.file, at: line.node.from };
}

function listed({ line, list, missing, handedDown, groups, isForOthers }: Wanted): OverrideList {
  const words = [...missing.values()].join(' ');
  const { file, node } = (list ?? line).line;
  const last = list?.line.node.args.at(-1);
  // A new list takes the place of the one that is handed down; one of "None" has nothing.
  const edit =
    last === undefined
      ? insertAfter(file.document, node, [`AllowOverrideList ${[...handedDown, words].join(' ')}`])
      : handedDown.size === 0
        ? { start: last.start, end: last.end, text: words }
        : { start: last.end, end: last.end, text: ` ${words}` };
  return { ...placed(list ?? line), words, edit, groups, isForOthers };
}

/**
 * A section that a list for these names would let Require into, though 2.2 does not let it in there.
 * @param others those of all files that are read, also where the answer is 500
 * @param isMeant a section of which this is wanted, where 2.2 takes what it says
 */
export function sectionLetIn(
  scope: Scope,
  others: readonly Scope[],
  overrides: AllowOverrideIndex,
  isMeant: (other: Scope) => boolean,
): Scope | undefined {
  const widened = new Set(
    statesToWiden(scope, overrides).flatMap(({ on24, line }) =>
      allowsName(on24, 'Require') ? [] : [line.line.node],
    ),
  );
  if (widened.size === 0) return undefined;
  const isLetIn = (other: Scope, state: OverrideState): boolean =>
    isKeptOut(state) &&
    widened.has(state.on24.line.line.node) &&
    !isRefusedAnyway(other.place.root, state.on24, overrides.reading) &&
    !(maySay(other, forReading(state, other)) && isMeant(other));
  return keptOutOf(overrides)(others)(widened).find(
    (other) =>
      other.place.root !== scope.place.root &&
      overrides.statesFor(other).some((state) => isLetIn(other, state)),
  );
}

/** Whether 2.4 does not let Require in because of an AllowOverride. */
function isKeptOut(state: OverrideState): state is OverrideState & { on24: { line: OverrideLine } } {
  return state.on24.line !== undefined && !allowsName(state.on24, 'Require');
}

/**
 * Tells which of some sections with lines for 2.4 one of some AllowOverride lines may keep out, in their order. Made once for a
 * list of sections, of which each is asked about.
 */
const keptOutOf = memo((overrides: AllowOverrideIndex) =>
  memo((scopes: readonly Scope[]) => {
    const byLine = new Map<Directive, number[]>();
    for (const [at, scope] of scopes.entries())
      if (scope.lines.for24.length > 0)
        for (const { on24 } of overrides.statesFor(scope).filter(isKeptOut))
          addTo(byLine, on24.line.line.node, at);
    return (lines: ReadonlySet<Directive>): readonly Scope[] => {
      const places = new Set([...lines].flatMap((line) => byLine.get(line) ?? []));
      return [...places].sort((a, b) => a - b).map((at) => scopes[at]!);
    };
  }),
);

/** A `.htaccess` section that says for 2.4 in Require lines what it says for 2.2 in Order, Allow and Deny. */
export function hasLinesForEachVersion({ only22, only24, policy, lines: { for24 } }: Scope): boolean {
  return only22 > 0 && only24 > 0 && for24.length > 0 && policy.hosts !== undefined;
}

/**
 * What stands in `.htaccess` files for 2.4 already, where 2.2 may say the same in its own words: no more than that is to be let
 * in.
 * @param scopes those that are read and have a say
 * @param others those, and those of files to which 2.2 answers 500
 * @param isMeant a section that may be let in
 */
export function standingNeeds(
  scopes: readonly Scope[],
  others: readonly Scope[],
  overrides: AllowOverrideIndex,
  isMeant: (scope: Scope) => boolean,
): readonly ListNeed[] {
  if (overrides.sections.length === 0) return [];
  return scopes
    .filter((scope) => hasLinesForEachVersion(scope) && isMeant(scope))
    .filter((scope) => sectionLetIn(scope, others, overrides, isMeant) === undefined)
    .map((scope) => ({ scope, names: namesFor24(scope), group: undefined }));
}

/** What the lines for 2.4 of a section use, as it is named in a list. */
function namesFor24({ lines: { for24 } }: Scope): readonly string[] {
  const names = new Map([['require', 'Require']]);
  for (const { inner } of for24)
    for (const { section } of inner)
      if (/^(?:require(?:all|any|none)|limit(?:except)?)$/.test(section.key))
        names.set(section.key, `<${section.name}`);
  return [...names.values()];
}
