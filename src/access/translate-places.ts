import type { ConfigFile } from '../config';
import { sameEdits } from '../edit';
import type { InheritedStates } from './inherit';
import { type Facts, type Scope, type ScopeLine, type State, directoryOf } from './policy';
import { EMPTY_LIST, EMPTY_SET, isWithin } from './primitives';
import { type Rewrite, type RewrittenSection, type TextForm, editsIn, rewrite } from './rewrite';

/** Sections with the same lines: a `.htaccess` that links lead to, a file that several sections include. */
export interface PlacesOfText {
  readonly scopes: readonly Scope[];
  readonly rewrite: (scope: Scope, facts: Facts, form: TextForm) => Rewrite;
}

export const NO_PLACES: ReadonlyMap<Scope, PlacesOfText> = new Map();

/**
 * Gives sections that include the same lines, and would need another text in their place each, their texts: the lines go from the files that
 * are included.
 * @param rewrites what each section would need alone; those of such sections are replaced
 * @param restate the rewrite of a section that stands in its own text
 * @returns those sections
 */
export function rewriteInSections(
  rewrites: Map<Scope, RewrittenSection>,
  restate: (scope: Scope) => Rewrite,
): ReadonlySet<Scope> {
  // One alone has nothing to share.
  if (rewrites.size < 2) return EMPTY_SET;
  const moved = new Set<Scope>();
  // What goes from a file for the one section goes for all that include it.
  for (let before = -1; before !== moved.size;) {
    before = moved.size;
    for (const scope of includingOtherwise(rewrites)) {
      if (moved.has(scope)) continue;
      moved.add(scope);
      const result = restate(scope);
      if (result.problem === undefined) rewrites.set(scope, result);
    }
  }
  return moved;
}

/** The sections that read a file by an Include which they would not write alike. */
function includingOtherwise(rewrites: ReadonlyMap<Scope, RewrittenSection>): readonly Scope[] {
  const readers = new Map<ConfigFile, Set<Scope>>();
  for (const scope of rewrites.keys()) {
    if (scope.includes.length === 0) continue;
    for (const { file } of linesOf(scope)) {
      if (file === scope.file) continue;
      const known = readers.get(file);
      if (known === undefined) readers.set(file, new Set([scope]));
      else known.add(scope);
    }
  }
  return [...readers].flatMap(([file, scopes]) => {
    const [first, ...others] = [...scopes].map((scope) => editsIn(rewrites.get(scope)!, file));
    return others.every((edits) => sameEdits(edits, first!)) ? [] : [...scopes];
  });
}

/**
 * Gives lines that stand in several places, and would need another text in each, one text that asks a request where it has come to. What
 * cannot be said in that way stays as it is, to be refused.
 * @param rewrites what each place would need alone; those that get one text are replaced
 * @returns those that got one, with all places of their text
 */
export function rewriteForAllPlaces(
  rewrites: Map<Scope, RewrittenSection>,
  inherited: InheritedStates,
  facts: Facts,
): ReadonlyMap<Scope, PlacesOfText> {
  if (rewrites.size < 2) return NO_PLACES;
  const found = new Map<Scope, PlacesOfText>();
  for (const scopes of sharingLines([...rewrites.keys()])) {
    const [edits, ...others] = scopes.map((scope) => editsIn(rewrites.get(scope)!, linesOf(scope)[0]!.file));
    if (others.every((list) => sameEdits(list, edits!))) continue;
    const places = placesOf(scopes, inherited);
    const results = scopes.map((scope) => places?.rewrite(scope, facts, {}));
    if (places === undefined || results.some((result) => result?.problem !== undefined)) continue;
    scopes.forEach((scope, i) => {
      const result = results[i];
      if (result === undefined || result.problem !== undefined) return;
      rewrites.set(scope, result);
      found.set(scope, places);
    });
  }
  return found;
}

/** The sections that say something in the very same lines, where there are several. */
export function sharingLines(scopes: readonly Scope[]): readonly Scope[][] {
  if (scopes.length < 2) return EMPTY_LIST;
  const byLine = new Map<object | string, Scope[]>();
  for (const scope of scopes) {
    const [line] = linesOf(scope);
    if (line === undefined) continue;
    const key = lineKey(line);
    const list = byLine.get(key);
    if (list === undefined) byLine.set(key, [scope]);
    else list.push(scope);
  }
  return [...byLine.values()].filter(
    ([first, ...others]) => others.length > 0 && others.every((scope) => haveSameLines(first!, scope)),
  );
}

function haveSameLines(a: Scope, b: Scope): boolean {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  if (a.kind !== b.kind || linesA.length !== linesB.length) return false;
  return linesA.every((line, i) => lineKey(line) === lineKey(linesB[i]!));
}

/** The lines that a rewrite of a section may change. */
export function linesOf({ old, requires, authType, lines22, lines24 }: Scope): readonly ScopeLine[] {
  const lines = authType === undefined ? [...old, ...requires] : [...old, ...requires, authType];
  for (const line of lines22) lines.push(line);
  if (lines24.length === 0) return lines;
  const known = new Set(requires);
  for (const line of lines24) if (!known.has(line)) lines.push(line);
  return lines;
}

/** The same for a line in all names of its file. */
export function lineKey({ file, node }: ScopeLine): object | string {
  return file.inode === undefined ? node : `${file.inode}:${node.start}`;
}

/** @returns undefined where one of them may stand anywhere, so that no name of a file tells that a request has come to it */
function placesOf(scopes: readonly Scope[], inherited: InheritedStates): PlacesOfText | undefined {
  const before: State[] = [];
  const reached: { readonly scope: Scope; readonly path: string }[] = [];
  for (const scope of scopes) {
    const path = directoryOf(scope);
    const states = inherited.statesBefore(scope);
    if (path === undefined || states === undefined) return undefined;
    if (states.length === 0) continue;
    before.push(...states);
    reached.push({ scope, path });
  }
  const cases = (): readonly State[] | undefined => {
    const found: State[] = [];
    for (const { scope, path } of reached) {
      const deeper = reached.filter((other) => other.path !== path && isWithin(other.path, path));
      const states = inherited.cases(scope);
      if (states === undefined) return undefined;
      for (const state of states) {
        const directory = state.when.find((test) => test.kind === 'directory');
        if (directory === undefined)
          found.push({ ...state, when: [...state.when, { kind: 'directory', path }] });
        // What the same lines say further down takes the place of it.
        else if (!deeper.some((other) => isWithin(directory.path, other.path))) found.push(state);
      }
    }
    return found;
  };
  return {
    scopes,
    rewrite: (scope, facts, form) => rewrite(scope, before, facts, cases, () => undefined, form),
  };
}
