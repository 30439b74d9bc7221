import { type ConfigFile, isComplete } from '../config';
import { type Edit, sameEdits } from '../edit';
import { regexEdits } from './collect';
import { type InheritedStates, hasCounterpart } from './inherit';
import {
  type Facts,
  type Scope,
  type ScopeLine,
  type State,
  mergePolicy,
  policyVariants,
  hasVersionBlocks,
} from './policy';
import { EMPTY_LIST, EMPTY_SET } from './primitives';
import {
  ACCESS_RULE,
  type AccessRun,
  type Findings,
  type Refusal,
  authTypeNoneRemark,
  needsHostsNotSeen,
  reportRefusals,
  reportRewrites,
  type StrictForm,
  sectionRefusal,
} from './report';
import {
  type InheritedToJoin,
  NOTHING_WRITTEN,
  type Rewrite,
  type RewriteEdit,
  type RewrittenSection,
  type TextForm,
  allEdits,
  editsIn,
  rewrite,
} from './rewrite';
import { NO_VIEWS, blocksAround, isReadLessBy24, withoutBlocks } from './translate-for-22';
import { rewriteHalves, unlikeHalves } from './translate-halves';
import { denySection, denyingPolicy, sectionsToDeny } from './translate-denied';
import { canStayAlone, leftBelow, withLeftSections } from './translate-left';
import { NO_PLACES, lineKey, linesOf, rewriteForAllPlaces, rewriteInSections } from './translate-places';
import { showRewritten } from './translate-shown';
import { writePlacesStrictly, writeStrictly, writeWithoutHostList } from './translate-strictly';

/**
 * Decides the sections that can meet in one request: all restated, or all left.
 * @param targets those of them to rewrite; the others are there to be met
 * @param denied those that are to let nobody in, each with why it has no other form
 */
export function translateGroup(
  group: readonly Scope[],
  targets: readonly Scope[],
  allStates: InheritedStates,
  run: AccessRun,
  findings: Findings,
  denied: ReadonlyMap<Scope, Refusal> = NONE_DENIED,
): void {
  const { shows22 } = run.collected;
  let old = false;
  /** A section that is written for 2.4: then no 2.2 runs the group. */
  let modern: Scope | undefined;
  for (const scope of group) {
    old ||= scope.old.length > 0;
    if (modern === undefined && scope.modern !== undefined && !shows22) modern = scope;
  }
  if (!old && isNothingToJudge(group, modern !== undefined, run)) return;
  const refusals = new Map<Scope, Refusal>();
  const rewrites = new Map<Scope, RewrittenSection>();
  const views = modern === undefined ? withoutBlocks(targets, allStates, run) : NO_VIEWS;
  old ||= views.size > 0;
  for (const scope of targets) {
    const refusal = denied.has(scope) ? undefined : sectionRefusal(views.get(scope) ?? scope, run);
    if (refusal !== undefined) refusals.set(scope, refusal);
  }
  /** Begins again with more sections that let nobody in. @returns false where there are none */
  const beginsAgain = (): boolean => {
    if (denied.size > 0 && refusals.size === 0) return false;
    const more = canStayAlone(group, refusals, run)
      ? NONE_DENIED
      : sectionsToDeny(group, refusals, denied, run);
    if (more.size === 0) return false;
    translateGroup(group, targets, allStates, run, findings, new Map([...denied, ...more]));
    return true;
  };
  if (refusals.size > 0 && beginsAgain()) return;
  if (modern !== undefined) {
    for (const scope of targets)
      if (scope.old.length > 0 && !refusals.has(scope))
        refusals.set(scope, { kind: 'meets-modern', other: modern });
  }
  // How a file would be rewritten if it were in use is not known where those in use have blocks for both versions.
  const targetSet = targets.length === group.length ? undefined : new Set(targets);
  const apart =
    run.decidedEdits === undefined
      ? undefined
      : group.find((scope) => hasVersionBlocks(scope) && targetSet?.has(scope) === false);
  if (apart !== undefined) {
    for (const scope of targets)
      if (scope.old.length > 0 && !refusals.has(scope))
        refusals.set(scope, { kind: 'not-included-meets-blocks', other: apart });
  }
  /** Sections in the strictest form, each with why no exact text exists. */
  const strict = new Map<Scope, StrictForm>();
  const restate = (scope: Scope, form: TextForm): Rewrite => {
    const before = inherited.statesBefore(scope) ?? EMPTY_LIST;
    if (run.tls.withoutLogins.has(scope)) {
      const problem = { kind: 'certificate-asked' } as const;
      return writeStrictly(scope, before, problem, form, strict, group, run) ?? { problem };
    }
    if (needsHostsNotSeen(scope, before, run))
      return writeWithoutHostList(scope, before, form, strict, group, run);
    const view = views.get(scope);
    const exactIn = (exactForm: TextForm): Rewrite =>
      rewrite(
        view ?? scope,
        before,
        run.facts,
        () => inherited.cases(scope),
        () => statesToJoin(scope, inherited, run),
        exactForm,
      );
    if (view !== undefined && run.dual && isReadLessBy24(scope)) {
      const result = exactIn(form);
      // For both versions the block stays, and 2.4 needs nothing beside it.
      if (result.problem === undefined && result.edits.every(({ written }) => written === NOTHING_WRITTEN))
        return { ...result, edits: [] };
    }
    const exact = exactIn(view === undefined ? form : { ...form, whole: true });
    if (exact.problem === undefined || view !== undefined || (form.marked === true && !strict.has(scope)))
      return exact;
    return writeStrictly(scope, before, exact.problem, form, strict, group, run) ?? exact;
  };
  // A group that is refused already needs no texts.
  const isRefused = !canStayAlone(group, refusals, run);
  const denying = new Map([...denied.keys()].map((scope) => [scope, denyingPolicy(scope)]));
  const inherited = isRefused ? allStates : withLeftSections(allStates, refusals, denying);
  /** Files of which a section can be reached in too many ways: it takes long to find that out, and others of theirs would take as long. */
  const endless = new Set<ConfigFile>();
  for (const scope of group) {
    if (isRefused || refusals.has(scope)) continue;
    const { root } = scope.place;
    const why = denied.get(scope);
    const shut = why && denySection(scope);
    if (why !== undefined && shut !== undefined) {
      rewrites.set(scope, shut);
      strict.set(scope, { denies: why });
      continue;
    }
    if (!isEditable(views.get(scope) ?? scope)) continue;
    const before = endless.has(root) ? undefined : inherited.statesBefore(scope);
    if (before === undefined) {
      refusals.set(scope, { kind: 'too-many-ways' });
      if (root.role === 'htaccess' && group.some(({ place }) => place.root !== root)) endless.add(root);
      // The group stays.
      else if (!canStayAlone(group, refusals, run)) break;
    } else if (refusals.size + denied.size > 0 && leavesAlso(scope, before, refusals, denied, run.facts))
      continue;
    else {
      const result = restate(scope, { inSection: hasRegexEdits(scope) });
      const kept = result.problem === undefined ? keptFrom(scope, result, run) : undefined;
      if (result.problem !== undefined) refusals.set(scope, result.problem);
      else if (kept !== undefined) refusals.set(scope, { kind: 'left-alone', why: kept });
      else rewrites.set(scope, result);
    }
    const remark =
      targetSet?.has(scope) === false
        ? undefined
        : authTypeNoneRemark(scope, before ?? EMPTY_LIST, run.facts);
    if (remark !== undefined) findings.add(remark);
  }
  if (run.decidedEdits !== undefined) keepDecidedEdits(targets, rewrites, refusals, run.decidedEdits);
  let inSections: ReadonlySet<Scope> = EMPTY_SET;
  const isLeft = !canStayAlone(group, refusals, run);
  if (!isLeft) inSections = rewriteInSections(rewrites, (scope) => restate(scope, { inSection: true }));
  if (refusals.size > 0 && [...refusals.values()].every(isForContext)) {
    findings.notInContext.push(...targets);
    return;
  }
  const places = !isLeft ? rewriteForAllPlaces(rewrites, inherited, run.facts) : NO_PLACES;
  if (!isLeft) writePlacesStrictly(rewrites, strict, group, inherited, run);
  for (const scope of rewrites.keys()) {
    const check = run.checksThatStay.get(scope);
    if (check === undefined || strict.has(scope)) continue;
    if (letsInOtherwise(scope, inherited.statesBefore(scope) ?? EMPTY_LIST, run.facts))
      strict.set(scope, check);
  }
  const show = (scope: Scope): Rewrite => {
    const form = { marked: true, inSection: inSections.has(scope) || hasRegexEdits(scope) };
    return places.get(scope)?.rewrite(scope, run.facts, form) ?? restate(scope, form);
  };
  if (!isLeft) showRewritten(group, rewrites, show, run);
  for (const scope of group) {
    if (!hasRegexEdits(scope)) continue;
    const rewritten = rewrites.get(scope);
    if (rewritten === undefined || (!old && rewritten.edits.length === 0)) continue;
    const edits = regexEdits(scope);
    if (rewritten.file === scope.file || rewritten.edits.length === 0)
      rewrites.set(scope, {
        ...rewritten,
        file: scope.file,
        edits: [...edits.map(withoutLines), ...rewritten.edits],
      });
    else refusals.set(scope, { kind: 'regex-elsewhere' });
  }
  for (const scope of sectionsInConflict(rewrites)) refusals.set(scope, { kind: 'different-texts' });
  const { above } = run;
  if (above !== undefined)
    for (const [scope, { edits }] of rewrites)
      if (edits.length > 0) refusals.set(scope, { kind: 'file-above', file: above.file });
  if (refusals.size > 0 && beginsAgain()) return;
  const staysWhole = !canStayAlone(group, refusals, run);
  let halves = NO_HALVES;
  if (refusals.size === 0) halves = rewriteHalves(targets, inherited, run, modern);
  else findings.unlike.push(...unlikeHalves(targets, inherited, run));
  for (const scope of targets)
    findings.decided.set(
      scope.order,
      staysWhole || refusals.has(scope) ? undefined : editsOf(rewrites.get(scope)),
    );
  const changed: [Scope, RewrittenSection][] = [...halves];
  for (const scope of group) {
    const rewritten = rewrites.get(scope);
    if (rewritten !== undefined && rewritten.edits.length > 0) changed.push([scope, rewritten]);
  }
  if (changed.length === 0 && !old && refusals.size === 0) return;
  if (refusals.size > 0)
    reportRefusals(group, targets, refusals, staysWhole || changed.length === 0, findings);
  if (!staysWhole) {
    const blocks = new Map([...views.keys()].map((scope) => [scope, blocksAround(scope)]));
    reportRewrites(
      changed,
      new Set(halves.keys()),
      strict,
      blocks,
      group,
      inherited,
      refusals.size > 0,
      run,
      findings,
    );
  }
}

/** Whether somebody whom a check of TLS refuses may get in by a password: under `Satisfy Any`, and with a Require. */
function letsInOtherwise(scope: Scope, before: readonly State[], facts: Facts): boolean {
  return policyVariants(scope).some(({ policy }) =>
    before.some((base) => {
      const { satisfy, requires, authz } = mergePolicy(base, policy, facts);
      return (requires ?? authz) !== undefined && [...satisfy.values()].includes('any');
    }),
  );
}

/** Why a section of a `.htaccess` is not to be changed, or cannot be. What keeps sections of the server keeps those that they meet. */
function keptFrom(scope: Scope, { file, edits }: RewrittenSection, { tree }: AccessRun): string | undefined {
  if (scope.place.root.role !== 'htaccess' || edits.length === 0) return undefined;
  // To convert these, they need only be given.
  if (file.outside !== undefined && tree.notGiven.includes(file)) return undefined;
  return tree.keeps?.(file, ACCESS_RULE, edits);
}

/** Whether a section stays because it inherits what is not known of another that stays, or lets nobody in. */
function leavesAlso(
  scope: Scope,
  before: readonly State[],
  refusals: Map<Scope, Refusal>,
  denied: ReadonlyMap<Scope, Refusal>,
  facts: Facts,
): boolean {
  const refusal = leftBelow(scope, before, [...refusals.keys(), ...denied.keys()], facts);
  if (refusal === undefined) return false;
  if (scope.old.length + scope.requires.length > 0) refusals.set(scope, refusal);
  return true;
}

/** Whether a group without a line to rewrite is nothing to judge either. @param modern something of it is written for 2.4 */
function isNothingToJudge(group: readonly Scope[], modern: boolean, run: AccessRun): boolean {
  if (group.some(hasVersionBlocks)) return modern || run.versionBlocks.difference(group) === undefined;
  // Nothing of 2.2 that 2.4 does not read the same, among sections written for 2.4.
  const served = (scope: Scope): boolean => scope.only22 === 0 || hasCounterpart(scope, run.collected.scopes);
  return (modern || group.every((scope) => scope.only22 > 0)) && group.every(served);
}

/** What AuthMerging in a section would join it with; undefined where it is joined with others first, or AllowOverride has a say in it. */
function statesToJoin(scope: Scope, inherited: InheritedStates, run: AccessRun): InheritedToJoin | undefined {
  const joins = scope.place.root.role !== 'htaccess' && inherited.isFirstOfItsKind(scope);
  const states = joins ? inherited.wholeStatesBefore(scope) : undefined;
  // What has not been seen may grant, and would then grant here.
  const isWhole = isComplete(run.tree) && run.unseen === undefined;
  return states && { states, mayGrant: isWhole };
}

/** Whether a section is refused for nothing but what it would mean for others if it were read. */
function isForContext({ kind }: Refusal): boolean {
  return kind === 'not-included-meets-blocks' || kind === 'not-included-changes';
}

function isEditable(scope: Scope): boolean {
  return scope.modern === undefined && (scope.old.length > 0 || scope.only22 === 0);
}

/** Whether the regex of a section changes with it: then its text stands beside that. */
function hasRegexEdits(scope: Scope): boolean {
  return scope.kind === 'directory-match' && scope.reading === '2.2' && regexEdits(scope).length > 0;
}

function editsOf(rewritten: RewrittenSection | undefined): readonly Edit[] {
  return rewritten === undefined ? EMPTY_LIST : allEdits(rewritten);
}

/** An edit that writes no line of its own. */
function withoutLines(edit: Edit): RewriteEdit {
  return { ...edit, written: NOTHING_WRITTEN };
}

/**
 * A file that nothing includes is converted as what it would be if it were in use. Where that would call for other texts in files that
 * are in use, it cannot be.
 */
function keepDecidedEdits(
  targets: readonly Scope[],
  rewrites: Map<Scope, RewrittenSection>,
  refusals: Map<Scope, Refusal>,
  decidedEdits: ReadonlyMap<number, readonly Edit[] | undefined>,
): void {
  for (const scope of new Set([...rewrites.keys(), ...refusals.keys()])) {
    if (targets.includes(scope)) continue;
    const now = rewrites.has(scope) ? editsOf(rewrites.get(scope)) : undefined;
    const then = decidedEdits.has(scope.order) ? decidedEdits.get(scope.order) : [];
    const same = now !== undefined && then !== undefined && sameEdits(now, then);
    rewrites.delete(scope);
    refusals.delete(scope);
    if (same) continue;
    for (const target of targets)
      if (!refusals.has(target) && (target.old.length > 0 || (rewrites.get(target)?.edits.length ?? 0) > 0))
        refusals.set(target, { kind: 'not-included-changes', other: scope });
  }
}

const NONE_DENIED: ReadonlyMap<Scope, Refusal> = new Map();

const NO_HALVES: ReadonlyMap<Scope, RewrittenSection> = new Map();

const NO_CONFLICT: ReadonlySet<Scope> = new Set();

/** Whether no line can be in two of them, which is seen without a look at each: all stand in sections that nobody reads twice. */
function areApart(rewrites: ReadonlyMap<Scope, RewrittenSection>): boolean {
  if (rewrites.size < 2) return true;
  const sections = new Set<object>();
  for (const { section, file, old, requires, authType } of rewrites.keys()) {
    const text = section ?? file.document;
    if (sections.has(text) || file.inode !== undefined) return false;
    sections.add(text);
    const inside = (line: ScopeLine): boolean => line.file === file;
    if (!old.every(inside) || !requires.every(inside) || (authType !== undefined && !inside(authType))) return false; // prettier-ignore
  }
  return true;
}

/** The sections that share lines, by an Include or a link, and would need other texts in their place. */
export function sectionsInConflict(rewrites: ReadonlyMap<Scope, RewrittenSection>): ReadonlySet<Scope> {
  if (areApart(rewrites)) return NO_CONFLICT;
  const known = new Map<object | string, { readonly scope: Scope; readonly edits: readonly Edit[] }>();
  const result = new Set<Scope>();
  for (const [scope, rewritten] of rewrites) {
    const note = (node: object | string, file: ConfigFile): void => {
      const sharing = known.get(node);
      const edits = editsIn(rewritten, file);
      if (sharing === undefined) known.set(node, { scope, edits });
      else if (sharing.scope !== scope && !sameEdits(sharing.edits, edits)) {
        result.add(scope);
        result.add(sharing.scope);
      }
    };
    for (const node of rewritten.consumed) note(node, rewritten.file);
    for (const line of linesOf(scope)) note(lineKey(line), line.file);
    // What a section includes may be said in its own text.
    if (scope.includes.length > 0) note(scope.section ?? scope.file, scope.file);
  }
  return result;
}
