import type { ConfigFile } from '../../config';
import { type Edit, indentOf, indentUnit, insertAfter } from '../../edit';
import type { Directive } from '../../syntax';
import { type OverrideLine, type Scope, accessDirectoryOf } from '../policy';
import { EMPTY_LIST, addTo, depthOf, directoryArgument, groupBy, isWithin, memo } from '../primitives';
import { type AllowOverrideIndex, forReading } from './allow-override';
import { isRefusedAnyway } from './htaccess-lines';
import { type OverrideState, allowsName } from './in-force';
import { fatesOf, maySay } from './refused';

/** What reads `.htaccess` files that a list would let Require into. */
export interface FilesLetIn {
  /** The sections of all files that are read, also where the answer is 500. */
  readonly others: readonly Scope[];
  readonly overrides: AllowOverrideIndex;
  /** Whether this is wanted of a section, where 2.2 takes what it says. */
  readonly isMeant: (other: Scope) => boolean;
}

/**
 * The sections that lists beside some AllowOverride lines would let Require into, though 2.2 does not let it in there.
 * @param roots the files that the lists are for
 */
export function sectionsLetIn(
  widened: ReadonlySet<Directive>,
  roots: ReadonlySet<ConfigFile>,
  { others, overrides, isMeant }: FilesLetIn,
): readonly Scope[] {
  if (widened.size === 0) return EMPTY_LIST;
  const isLetIn = (other: Scope, state: OverrideState): boolean =>
    isKeptOut(state) &&
    widened.has(state.on24.line.line.node) &&
    !isRefusedAnyway(other.place.root, state.on24, overrides.reading) &&
    !(maySay(other, forReading(state, other)) && (roots.has(other.place.root) || isMeant(other)));
  return keptOutOf(overrides)(others)(widened).filter(
    (other) =>
      !overrides.isCutOff(other) && overrides.statesFor(other).some((state) => isLetIn(other, state)),
  );
}

/** Whether 2.4 does not let Require in because of an AllowOverride. */
function isKeptOut(state: OverrideState): state is OverrideState & { on24: { line: OverrideLine } } {
  return state.on24.line !== undefined && !allowsName(state.on24, 'Require');
}

/** Whether a section has lines that such a list lets in, or is given some as another server takes what it says. */
function mayHaveRequire(scope: Scope, overrides: AllowOverrideIndex): boolean {
  if (scope.lines.requires24.length > 0) return true;
  if (scope.lines.old.length === 0) return false;
  const fates = fatesOf(scope, overrides);
  return fates.has('taken') && fates.has('refused');
}

/**
 * Finds the sections of a list whose lines for 2.4 may be kept out by one of the AllowOverride lines given, in the order of the
 * list. Which line may keep out which section is found out once for each list.
 */
const keptOutOf = memo((overrides: AllowOverrideIndex) =>
  memo((scopes: readonly Scope[]) => {
    const byLine = new Map<Directive, number[]>();
    for (const [at, scope] of scopes.entries())
      if (mayHaveRequire(scope, overrides))
        for (const { on24 } of overrides.statesFor(scope).filter(isKeptOut))
          addTo(byLine, on24.line.line.node, at);
    return (lines: ReadonlySet<Directive>): readonly Scope[] => {
      const places = new Set([...lines].flatMap((line) => byLine.get(line) ?? []));
      return [...places].sort((a, b) => a - b).map((at) => scopes[at]!);
    };
  }),
);

/** A Directory section behind which others are written, each for one directory below it. */
type SectionHolder = Scope & { readonly section: NonNullable<Scope['section']> };

/** The sections that an AllowOverride line stands in; undefined where one of them leaves no place behind it. */
function holdersOf(line: Directive, { sections }: AllowOverrideIndex): readonly SectionHolder[] | undefined {
  const found = sections.filter(({ overrides }) => overrides.some((each) => each.line.node === line));
  return found.every(hasPlaceBehind) ? found : undefined;
}

function hasPlaceBehind(scope: Scope): scope is SectionHolder {
  return scope.section?.close !== undefined && scope.pattern.kind !== 'any' && scope.file.isTemplate !== true;
}

/** Whether a section can be kept from what the lists beside these lines let in. */
export function canKeepOut(
  scope: Scope,
  lines: ReadonlySet<Directive>,
  overrides: AllowOverrideIndex,
): boolean {
  const path = accessDirectoryOf(scope);
  if (path === undefined || directoryArgument(path) === undefined) return false;
  return [...lines].every((line) => holdersOf(line, overrides) !== undefined);
}

/** Sections to write behind the one that an AllowOverride stands in. */
interface SectionsBehind {
  readonly file: ConfigFile;
  /** Where the section ends that they are written behind. */
  readonly at: number;
  readonly edit: Edit;
}

/**
 * Keeps a list from directories below its own: each of these gets the list of none, and a directory below them, of a file that
 * the list is for, gets it once more.
 * @param out the directories that are kept from it, @param into those that it is for
 */
export function sectionsKeepingOut(
  line: Directive,
  words: string,
  { out, into }: { readonly out: ReadonlySet<string>; readonly into: ReadonlySet<string> },
  overrides: AllowOverrideIndex,
): readonly SectionsBehind[] {
  const again = [...into].filter((path) => [...out].some((other) => isWithin(path, other)));
  const rows = [
    ...[...out].map((path) => ({ path, words: LIST_OF_NONE })),
    ...again.map((path) => ({ path, words })),
  ].sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
  const byFile = groupBy(holdersOf(line, overrides) ?? [], ({ section }) => section);
  return [...byFile.values()].map(([holder]) => {
    const { file, section } = holder!;
    const unit = indentUnit(file.document, indentOf(file.document, section.open), section);
    const lines = rows.flatMap((row) => [
      `<Directory ${directoryArgument(row.path)}>`,
      `${unit}AllowOverrideList ${row.words}`,
      '</Directory>',
    ]);
    return { file, at: section.close!.from, edit: insertAfter(file.document, section.close!, lines) };
  });
}

/** Takes back a list that is handed down. */
export const LIST_OF_NONE = 'None';
