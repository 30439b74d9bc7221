import { appendAll } from '../../syntax';
import type { ConfigFile } from '../../config';
import { sameEdits } from '../../edit';
import type { InheritedStates } from '../inherit';
import { type Scope, type State, directoryIn, directoryOf } from '../policy';
import { getOrInsert, isWithin } from '../primitives';
import { type RewrittenSection, editsIn, rewrite } from '../rewrite';
import type { AccessGroup, PlacesOfText } from './group';
import { rewritableLines, sharingLines } from './lines';
import { restateSection } from './restate';

/** Gives sections that include the same lines and need different texts their own: the lines leave the included files. */
export function restateInSections(group: AccessGroup): AccessGroup {
  // One alone has nothing to share.
  if (group.isKept || group.rewrites.size < 2) return group;
  const rewrites = new Map(group.rewrites);
  const strict = new Map(group.strict);
  const inSections = new Set<Scope>();
  // What goes from a file for the one section goes for all that include it.
  for (let before = -1; before !== inSections.size;) {
    before = inSections.size;
    for (const scope of includingOtherwise(rewrites)) {
      if (inSections.has(scope)) continue;
      inSections.add(scope);
      const result = restateSection(group, scope, { inSection: true });
      if (result.rewrite.problem === undefined) rewrites.set(scope, result.rewrite);
      if (result.strict !== undefined) strict.set(scope, result.strict);
    }
  }
  return { ...group, rewrites, strict, inSections };
}

/** The sections that read a file by an Include which they would not write alike. */
function includingOtherwise(rewrites: ReadonlyMap<Scope, RewrittenSection>): readonly Scope[] {
  const readers = new Map<ConfigFile, Set<Scope>>();
  for (const scope of rewrites.keys()) {
    if (scope.includes.length === 0) continue;
    for (const { file } of rewritableLines(scope)) {
      if (file === scope.file) continue;
      getOrInsert(readers, file, () => new Set<Scope>()).add(scope);
    }
  }
  return [...readers].flatMap(([file, scopes]) => {
    const [first, ...others] = [...scopes].map((scope) => editsIn(rewrites.get(scope)!, file));
    return others.every((edits) => sameEdits(edits, first!)) ? [] : [...scopes];
  });
}

/**
 * Gives lines that stand in several places, and would need another text in each, one text that asks a request where it has come
 * to. What cannot be said in that way stays as it is, to be refused.
 */
export function restateForAllPlaces(group: AccessGroup): AccessGroup {
  if (group.isKept || group.rewrites.size < 2) return group;
  const { facts } = group.run;
  const rewrites = new Map(group.rewrites);
  const found = new Map<Scope, PlacesOfText>();
  for (const scopes of sharingLines([...rewrites.keys()])) {
    const [edits, ...others] = scopes.map((scope) =>
      editsIn(rewrites.get(scope)!, rewritableLines(scope)[0]!.file),
    );
    if (others.every((list) => sameEdits(list, edits!))) continue;
    const places = placesOf(scopes, group.inherited);
    const results = scopes.map((scope) => places?.rewrite(scope, facts, {}));
    if (places === undefined || results.some((result) => result?.problem !== undefined)) continue;
    scopes.forEach((scope, i) => {
      const result = results[i];
      if (result === undefined || result.problem !== undefined) return;
      rewrites.set(scope, result);
      found.set(scope, places);
    });
  }
  return { ...group, rewrites, places: found };
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
    appendAll(before, states);
    reached.push({ scope, path });
  }
  const cases = (): readonly State[] | undefined => {
    const found: State[] = [];
    for (const { scope, path } of reached) {
      const deeper = reached.filter((other) => other.path !== path && isWithin(other.path, path));
      const states = inherited.statesByRoute(scope);
      if (states === undefined) return undefined;
      for (const state of states) {
        const directory = directoryIn(state);
        if (directory === undefined)
          found.push({ ...state, when: [...state.when, { kind: 'directory', path }] });
        // What the same lines say further down takes the place of it.
        else if (!deeper.some((other) => isWithin(directory, other.path))) found.push(state);
      }
    }
    return found;
  };
  return {
    scopes,
    rewrite: (scope, facts, form) => rewrite(scope, { before, byRoute: cases }, facts, form),
  };
}
