import type { ConfigFile } from '../../config';
import { type Edit, sameEdits } from '../../edit';
import { regexEdits } from '../collect';
import type { Scope } from '../policy';
import { EMPTY_LIST, getOrInsert, lazy } from '../primitives';
import { NOTHING_WRITTEN, type RewrittenSection, allEdits, editsIn } from '../rewrite';
import type { AccessGroup } from './group';
import { rewritableLines } from './lines';
import { withRefusals } from './unconverted';

/**
 * Takes back what would change the texts of files in use: a file that nothing includes is converted as what it would be if it
 * were in use. Where that would call for other texts in files that are in use, it cannot be.
 */
export function keepDecidedTexts(group: AccessGroup): AccessGroup {
  const { targets, run } = group;
  if (run.decidedEdits === undefined) return group;
  const rewrites = new Map(group.rewrites);
  const refusals = new Map(group.refusals);
  for (const scope of new Set([...rewrites.keys(), ...refusals.keys()])) {
    if (targets.includes(scope)) continue;
    const now = rewrites.has(scope) ? editsNeeded(rewrites.get(scope)) : undefined;
    const then = run.decidedEdits.has(scope.order) ? run.decidedEdits.get(scope.order) : [];
    const isSame = now !== undefined && then !== undefined && sameEdits(now, then);
    rewrites.delete(scope);
    refusals.delete(scope);
    if (isSame) continue;
    for (const target of targets)
      if (
        !refusals.has(target) &&
        (target.lines.old.length > 0 || (rewrites.get(target)?.edits.length ?? 0) > 0)
      )
        refusals.set(target, { kind: 'not-included-changes', other: scope });
  }
  return { ...withRefusals(group, refusals), rewrites };
}

/** Joins what changes in the regex of a section with its new text. */
export function addRegexEdits(group: AccessGroup): AccessGroup {
  if (!group.met.some(hasRegexEdits)) return group;
  const rewrites = new Map(group.rewrites);
  const refusals = new Map(group.refusals);
  for (const scope of group.met) {
    const rewritten = rewrites.get(scope);
    if (rewritten === undefined || !hasRegexEdits(scope)) continue;
    if (!group.hasOldLines && rewritten.edits.length === 0) continue;
    if (rewritten.file === scope.file || rewritten.edits.length === 0) {
      const ofRegex = regexEdits(scope).map((edit) => ({ ...edit, written: NOTHING_WRITTEN }));
      rewrites.set(scope, { ...rewritten, file: scope.file, edits: [...ofRegex, ...rewritten.edits] });
    } else refusals.set(scope, { kind: 'regex-elsewhere' });
  }
  return { ...withRefusals(group, refusals), rewrites };
}

/** Refuses sections that share lines and would need other texts in their place. */
export function refuseConflicts(group: AccessGroup): AccessGroup {
  if (group.rewrites.size < 2) return group;
  const inConflict = sectionsInConflict(group.rewrites);
  if (inConflict.size === 0) return group;
  const refusals = new Map(group.refusals);
  for (const scope of inConflict) refusals.set(scope, { kind: 'different-texts' });
  return withRefusals(group, refusals);
}

/** Whether the regex of a section changes with it: then its text stands beside that. */
export function hasRegexEdits(scope: Scope): boolean {
  return scope.kind === 'directory-match' && scope.reading === '2.2' && regexEdits(scope).length > 0;
}

/** All edits that a section needs; none where it is not rewritten. */
export function editsNeeded(rewritten: RewrittenSection | undefined): readonly Edit[] {
  return rewritten === undefined ? EMPTY_LIST : allEdits(rewritten);
}

/** A section with lines in a file, and its edits there. */
interface Holder {
  readonly scope: Scope;
  readonly file: ConfigFile;
  readonly edits: () => readonly Edit[];
}

/** The sections that share lines, by an Include or a link, and would need other texts in their place. */
export function sectionsInConflict(rewrites: ReadonlyMap<Scope, RewrittenSection>): ReadonlySet<Scope> {
  const holders = new Map<object, Holder>();
  const result = new Set<Scope>();
  for (const [scope, rewritten] of rewrites) {
    let holder: Holder | undefined;
    let others: Map<ConfigFile, Holder> | undefined;
    let compared: Set<Holder> | undefined;
    const make = (file: ConfigFile): Holder => ({ scope, file, edits: lazy(() => editsIn(rewritten, file)) });
    // Once for all lines of a file: both may be as many as there is room for. Most sections have one file alone.
    const holderIn = (file: ConfigFile): Holder => {
      holder ??= make(file);
      return holder.file === file ? holder : getOrInsert((others ??= new Map()), file, () => make(file));
    };
    const note = (node: object, file: ConfigFile): void => {
      const sharing = holders.get(node);
      if (sharing === undefined) holders.set(node, holderIn(file));
      else if (sharing.scope !== scope && compared?.has(sharing) !== true) {
        (compared ??= new Set()).add(sharing);
        if (sameEdits(sharing.edits(), holderIn(file).edits())) return;
        result.add(scope);
        result.add(sharing.scope);
      }
    };
    for (const node of rewritten.consumed) note(node, rewritten.file);
    for (const line of rewritableLines(scope)) note(line.node, line.file);
    // What a section includes may be said in its own text.
    if (scope.includes.length > 0) note(scope.section ?? scope.file, scope.file);
  }
  return result;
}
