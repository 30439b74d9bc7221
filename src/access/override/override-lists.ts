import type { ConfigFile } from '../../config';
import { type Edit, insertAfter } from '../../edit';
import { type Directive, firstWhere } from '../../syntax';
import { type OverrideLine, type Scope, accessDirectoryOf, hasLinesForEachVersion } from '../policy';
import { EMPTY_LIST, getOrInsert } from '../primitives';
import { type AllowOverrideIndex, forReading } from './allow-override';
import { LISTED_CLASSES, type OverridesInForce, allowsName } from './in-force';
import { type FilesLetIn, LIST_OF_NONE, canKeepOut, sectionsKeepingOut, sectionsLetIn } from './let-in';
import { mayFollow } from './override-sections';
import { forbiddenIn } from './refused';

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
  /** The first of the files that it keeps a list from, and how many these are. */
  readonly keepsOut?: { readonly name: string; readonly count: number };
}

interface Wanted {
  readonly line: OverrideLine;
  /** The files that it is for. */
  readonly scopes: Scope[];
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
 * it is taken back. So it is in the directory of a file that has Require lines which are to go on being refused.
 */
export function overrideLists(needs: readonly ListNeed[], files: FilesLetIn): OverrideList[] {
  const { overrides } = files;
  const wanted = new Map<Directive, Wanted>();
  for (const { scope, names, group } of needs)
    for (const { on24, line } of statesToWiden(scope, overrides)) {
      const missing = names.filter((name) => !allowsName(on24, name));
      if (missing.length === 0) continue;
      const want = getOrInsert(wanted, line.line.node, () => ({
        line,
        scopes: [],
        // One that stands beside the AllowOverride is made longer.
        list: on24.isListBeside ? on24.list : undefined,
        missing: new Map(),
        handedDown: new Set<string>(),
        groups: new Set<string>(),
        isForOthers: false,
      }));
      want.scopes.push(scope);
      for (const name of on24.names) want.handedDown.add(name);
      for (const name of missing) want.missing.set(name.toLowerCase(), name);
      if (group === undefined) want.isForOthers = true;
      else want.groups.add(group);
    }
  const all = [...wanted.values()];
  return [...all.map(listed), ...listsTakenBack(wanted, overrides), ...listsKeptOut(all, files)];
}

/** Keeps the lists from files that they would let Require into. */
function listsKeptOut(wanted: readonly Wanted[], files: FilesLetIn): readonly OverrideList[] {
  const roots = new Set(wanted.flatMap(({ scopes }) => scopes.map(({ place }) => place.root)));
  const pathsOf = (scopes: readonly Scope[]): ReadonlySet<string> =>
    new Set(scopes.flatMap((scope) => accessDirectoryOf(scope) ?? EMPTY_LIST));
  return wanted.flatMap((want) => {
    const { line, scopes, groups, isForOthers } = want;
    const { node } = line.line;
    const letIn = sectionsLetIn(new Set([node]), roots, files);
    const [first] = letIn;
    if (first === undefined) return [];
    const directories = { out: pathsOf(letIn), into: pathsOf(scopes) };
    const keepsOut = { name: first.file.name, count: new Set(letIn.map(({ file }) => file)).size };
    const said = { words: LIST_OF_NONE, groups, isForOthers, keepsOut };
    const kept = sectionsKeepingOut(node, wordsOf(want), directories, files.overrides);
    return kept.map((section) => ({ ...section, ...said }));
  });
}

/** The lines beside which a list has to stand for a rewrite of the section. */
export function linesToWiden(scope: Scope, overrides: AllowOverrideIndex): ReadonlySet<Directive> {
  return new Set(
    statesToWiden(scope, overrides).flatMap(({ on24, line }) =>
      allowsName(on24, 'Require') ? [] : [line.line.node],
    ),
  );
}

/** Where a file is read in 2.4 under an AllowOverride of the run, by that line. */
function statesToWiden(
  scope: Scope,
  overrides: AllowOverrideIndex,
): readonly { on24: OverridesInForce; line: OverrideLine }[] {
  // Nothing is let in where no request gets to.
  if (overrides.isCutOff(scope)) return EMPTY_LIST;
  return overrides.statesFor(scope).flatMap((state) => {
    const { on24 } = state;
    const inForce = forReading(state, scope);
    // Where the server that it was for answers 500 to the file, nothing is to be let in.
    const isTaken = inForce.isRead && forbiddenIn(scope, state, overrides) === undefined;
    return isTaken && on24.line !== undefined ? [{ on24, line: on24.line }] : [];
  });
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
    if (pattern.kind === 'path') byPath.push({ key: pathPrefix(pattern.path), at });
    else others.push(at);
  byPath.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return ({ pattern }) => {
    if (pattern.kind !== 'path') return all;
    const key = pathPrefix(pattern.path);
    const places = [...others];
    let i = firstWhere(byPath, (section) => section.key >= key);
    for (; byPath[i]?.key.startsWith(key) === true; i++) places.push(byPath[i]!.at);
    return places.sort((a, b) => a - b).map((at) => all[at]!);
  };
}

/** A path that all paths below it begin with. */
function pathPrefix(path: string): string {
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

/** All that a list has once it is written. */
function wordsOf({ list, missing, handedDown }: Wanted): string {
  const kept = list === undefined ? handedDown : new Set(list.line.node.args.map(({ value }) => value));
  return [...[...kept].filter((word) => word.toLowerCase() !== 'none'), ...missing.values()].join(' ');
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
 * What stands in `.htaccess` files for 2.4 already, where 2.2 may say the same in its own words: no more than that is to be let
 * in.
 * @param scopes those that are read and have a say
 */
export function standingNeeds(scopes: readonly Scope[], files: FilesLetIn): readonly ListNeed[] {
  const { overrides, isMeant } = files;
  if (overrides.sections.length === 0) return [];
  return scopes
    .filter((scope) => hasLinesForEachVersion(scope) && isMeant(scope))
    .filter((scope) => {
      const lines = linesToWiden(scope, overrides);
      return sectionsLetIn(lines, new Set([scope.place.root]), files).every((other) =>
        canKeepOut(other, lines, overrides),
      );
    })
    .map((scope) => ({ scope, names: namesFor24(scope), group: undefined }));
}

/** What the lines for 2.4 of a section use, as it is named in a list. */
function namesFor24({ lines: { requires24 } }: Scope): readonly string[] {
  const names = new Map([['require', 'Require']]);
  for (const { inner } of requires24)
    for (const { section } of inner)
      if (/^(?:require(?:all|any|none)|limit(?:except)?)$/.test(section.key))
        names.set(section.key, `<${section.name}`);
  return [...names.values()];
}
