import { type Frame } from '../../config';
import {
  type Decision,
  type Facts,
  INITIAL,
  type Scope,
  type ScopeLine,
  type SectionPolicy,
  type State,
  authzExpr,
  changesAccess,
  conditionUnder,
  decisionIn,
  decisionOrRefusal,
  decisionKey,
  hasOwnTree,
  isMissingRequire,
  linesOfPolicy,
  mergePolicy,
  withConditions,
} from '../policy';
import {
  EMPTY_LIST,
  type Expr,
  TRUE,
  and,
  areEquivalent,
  covers,
  coversAll,
  exprKey,
  methodMask,
  or,
} from '../primitives';
import { type ReachedState, type Restatement, directoryOfAll, restate } from './cases';
import { type RewriteOutput, emit } from './emit';
import { type Rewrite, placeRewrite } from './placement';
import type { InheritedPart, NoRewrite } from './problems';
import { isLimit } from './removed-lines';

export interface InheritedToJoin {
  /** The states before the section, with the parts, too, that it replaces; and those whose decisions 2.4 joins with it there. */
  readonly routes: readonly { readonly state: State; readonly joined: readonly State[] }[];
  /** Nothing else is inherited: what 2.4 inherits may be an alternative. */
  readonly mayGrant: boolean;
}

export interface RequestsToSection {
  /** The states before the section; all must lead to one text. */
  readonly before: readonly State[];
  /** The states before the section, each with how a request comes to it; undefined where these are too many. */
  readonly byRoute: () => readonly State[] | undefined;
  /** What AuthMerging would join the section with; undefined where it cannot. */
  readonly toJoin?: () => InheritedToJoin | undefined;
}

export interface TextForm {
  /** The text shows that it is written for 2.4: plain Require lines go into a RequireAny. */
  readonly marked?: boolean;
  /** The text stands in the section, and nothing of it in the files that the section includes. */
  readonly inSection?: boolean;
  /** The text takes the place of all lines: no Require stays as it stands. */
  readonly whole?: boolean;
  /** The text says what is decided, also where that is inherited. */
  readonly explicit?: boolean;
}

/** Restates the policy of a scope in 2.4's words for every state it can be merged over (docs/facts/access-rewrite.md). */
export function rewrite(scope: Scope, requests: RequestsToSection, facts: Facts, form: TextForm): Rewrite {
  const { marked = false, explicit = false } = form;
  const inSection = form.inSection === true && scope.includes.length > 0;
  const whole = inSection || form.whole === true;
  const rewriteThis = scope.policies === undefined ? rewritePlain : rewriteVariants;
  return rewriteThis(scope, requests, facts, { marked, inSection, whole, explicit });
}

function rewritePlain(
  scope: Scope,
  requests: RequestsToSection,
  facts: Facts,
  { marked, inSection, whole, explicit }: Required<TextForm>,
): Rewrite {
  const { before: statesBefore } = requests;
  const replaced = whole ? replacedLines(scope) : scope.lines.old;
  const merged = statesBefore.map((base) => mergePolicy(base, scope.policy, facts));
  const given = merged.map((state) => decisionIn(state, facts));
  if (
    statesBefore.length > 0 &&
    given.every((decision, i) => stays500(statesBefore[i]!, scope.policy, decision, facts))
  )
    return placeRewrite(scope, replaced, [], inSection);
  const decisions = merged.map((state, i) => decisionOrRefusal(state, facts, given[i]));
  const isNothingNew =
    !hasOwnTree(scope.policy) &&
    merged.every((state, i) => isInherited(statesBefore[i]!, state, decisions[i]!, facts));
  if (isNothingNew && !changesAccess(scope)) return placeRewrite(scope, [], []);
  const decision = decisions[0];
  if (decision === undefined) return { file: scope.file, edits: [], consumed: [] };
  const problem = decisions.find(({ undecided }) => undecided !== undefined)?.undecided;
  if (problem !== undefined || decision.undecided !== undefined)
    return { problem: problem ?? decision.undecided! };
  if (isNothingNew && !explicit) return placeRewrite(scope, replaced, [], inSection);
  if (decisions.length > 1 && !areSameDecision(decisions))
    return rewriteDiffering(scope, requests, facts, { marked, inSection });
  if (!marked && !whole && requiresStay(scope.policy, decision, facts))
    return placeRewrite(scope, scope.lines.old, [], inSection);
  const output = write(scope, decision.exprs, decision.mixed || marked, facts);
  if (output === undefined) return TRACE;
  return placeRewrite(scope, replacedLines(scope), output, inSection);
}

/** Restates a scope that decides differently in one state than in another. */
function rewriteDiffering(
  scope: Scope,
  { byRoute, toJoin }: RequestsToSection,
  facts: Facts,
  { marked, inSection }: Pick<Required<TextForm>, 'marked' | 'inSection'>,
): Rewrite {
  const joined = joinWithInherited(scope, toJoin?.(), facts);
  if (joined !== undefined) return placeRewrite(scope, replacedLines(scope), joined, inSection);
  const written = writeStates(scope, facts, byRoute(), marked);
  if ('problem' in written)
    return { problem: { kind: 'inherits', parts: inheritedParts(scope), because: written.problem } };
  return placeWritten(scope, replacedLines(scope), written, inSection);
}

/**
 * Restates what a section decides for 2.2 in the lines that only 2.4 reads, in place of those.
 * @param branch the section that holds these lines: the same, or another for the same place
 * @returns undefined where its lines for 2.4 do not stand in blocks for 2.4 alone, unless nobody gets in: 2.2 reads that the same
 */
export function rewriteBranch(
  scope: Scope,
  branch: Scope,
  { before, byRoute }: RequestsToSection,
  facts: Facts,
): Rewrite | undefined {
  const decisions = before.map((base) => decisionIn(mergePolicy(base, scope.policy, facts), facts));
  for (const each of decisions) if (each.undecided !== undefined) return { problem: each.undecided };
  if (!standsApart(branch) && !decisions.every(isDenial)) return undefined;
  const [decision] = decisions;
  if (decision === undefined || decision.undecided !== undefined) return undefined;
  if (areSameDecision(decisions)) {
    const output = write(scope, decision.exprs, decision.mixed, facts);
    return output === undefined ? TRACE : placeRewrite(branch, branch.lines.requires24, output);
  }
  const written = writeStates(scope, facts, byRoute(), false);
  return 'problem' in written ? written : placeWritten(branch, branch.lines.requires24, written);
}

function isDenial({ exprs = [] }: Decision): boolean {
  return exprs.length > 0 && exprs.every(({ kind }) => kind === 'false');
}

/** Whether all lines that 2.4 reads in a section stand in one block that no 2.2 reads, with no Limit around it. */
function standsApart({ place, lines: { requires24 } }: Scope): boolean {
  const isApart = ({ section }: Frame): boolean => {
    const { before, after } = conditionUnder(section);
    return before !== true && after === true;
  };
  if (place.chain.some(isApart)) return true;
  const [first] = requires24;
  const at = first?.inner.findIndex(isApart) ?? -1;
  if (first === undefined || at < 0) return false;
  const outer = first.inner.slice(0, at + 1);
  if (outer.some(({ section }) => isLimit(section))) return false;
  return requires24.every(({ inner }) => outer.every(({ section }, i) => inner[i]?.section === section));
}

/** A scope whose lines are split over conditionals: what it decides under each setting of these. */
function rewriteVariants(
  scope: Scope,
  { before, byRoute }: RequestsToSection,
  facts: Facts,
  { marked, inSection, whole }: Required<TextForm>,
): Rewrite {
  if (before.length === 0) return { file: scope.file, edits: [], consumed: [] };
  const states = byRoute();
  if (states === undefined) return TOO_MANY_WAYS;
  const routes: ReachedState[] = [];
  let keepsRequires = true;
  for (const { tests, policy } of scope.policies!)
    for (const base of states) {
      const when = withConditions(base.when, tests);
      if (when === undefined) continue;
      const state = mergePolicy({ ...base, when }, policy, facts);
      const decision = decisionIn(state, facts);
      const inherited = !hasOwnTree(policy) && isInherited(base, state, decision, facts);
      keepsRequires &&= inherited || requiresStay(policy, decision, facts);
      routes.push({ state, decision, inherited });
    }
  if (keepsRequires && !marked && !whole) return placeRewrite(scope, scope.lines.old, []);
  const written = writeCases(scope, facts, routes, marked);
  return 'problem' in written ? written : placeWritten(scope, replacedLines(scope), written, inSection);
}

/** What asks the request which case it is. */
export interface WrittenCases {
  readonly output: readonly RewriteOutput[];
  /** Directories with wildcards that are asked for by name, as in {@link RewrittenSection}. */
  readonly byName: readonly Scope[];
}

export function placeWritten(
  scope: Scope,
  lines: readonly ScopeLine[],
  { output, byName }: WrittenCases,
  inSection = false,
): Rewrite {
  const placed = placeRewrite(scope, lines, output, inSection);
  return placed.problem !== undefined || byName.length === 0 ? placed : { ...placed, byName };
}

/** All that a rewrite takes away. */
export function replacedLines({ lines: { old, requires } }: Scope): readonly ScopeLine[] {
  return requires.length === 0 ? old : old.concat(requires);
}

/** With more decisions than these none is held against another but by its words. */
const MAX_DECISIONS = 16;

/** Whether they let in the same, in whatever words. */
function areSameDecision([first, ...others]: readonly Decision[]): boolean {
  const key = decisionKey(first!);
  const different = new Map<string, Decision>();
  for (const other of others) {
    const otherKey = decisionKey(other);
    if (otherKey !== key) different.set(otherKey, other);
    if (different.size > MAX_DECISIONS) return false;
  }
  return [...different.values()].every(
    ({ exprs, mixed }) =>
      mixed === first!.mixed && exprs?.every((expr, i) => areEquivalent(expr, first!.exprs![i]!)) === true,
  );
}

export const TRACE: NoRewrite = { problem: { kind: 'trace' } };
const TOO_MANY_WAYS: NoRewrite = { problem: { kind: 'too-many-ways' } };

export function write(
  scope: Scope,
  exprs: readonly Expr[],
  mixed: boolean,
  facts: Facts,
): RewriteOutput[] | undefined {
  const order = writtenOrder(scope, facts);
  const inOrder = <T>(values: readonly T[]): T[] => order.map((i) => values[i]!);
  return emit(inOrder(facts.classes), inOrder(exprs), mixed, (names) => wordsOfLimit(scope, names));
}

/** The words of a Limit around lines of the scope that names these methods and no other; HEAD is another name of GET. */
function wordsOfLimit({ lines: { old, requires } }: Scope, names: readonly string[]): string[] | undefined {
  for (const { inner } of [...old, ...requires])
    for (const { section } of inner) {
      if (!isLimit(section)) continue;
      const words = [...new Set(section.args.map(({ value }) => value))];
      const named = methodMask(words, false).names;
      if (named.size === names.length && names.every((name) => words.includes(name))) return words;
    }
  return undefined;
}

/** Writes a section from the states before its scope; undefined where they are too many. */
export function writeStates(
  scope: Scope,
  facts: Facts,
  states: readonly State[] | undefined,
  marked: boolean,
): WrittenCases | NoRewrite {
  const reached = states?.map((base): ReachedState => {
    const state = mergePolicy(base, scope.policy, facts);
    return { state, decision: decisionIn(state, facts), inherited: false };
  });
  return reached === undefined ? TOO_MANY_WAYS : writeCases(scope, facts, reached, marked);
}

/**
 * The lines of a section alone, with AuthMerging, where joined with whatever 2.4 inherits they say what 2.2 decides; undefined
 * where they do not (2.4 mod_authz_core.c: merge_authz_core_dir_config).
 */
function joinWithInherited(
  scope: Scope,
  inheritedToJoin: InheritedToJoin | undefined,
  facts: Facts,
): readonly RewriteOutput[] | undefined {
  if (inheritedToJoin === undefined) return undefined;
  const { mayGrant } = inheritedToJoin;
  const ownDecision = decisionIn(mergePolicy(INITIAL, scope.policy, facts), facts);
  if (ownDecision.undecided !== undefined || ownDecision.mixed) return undefined;
  const routes = inheritedToJoin.routes.map(({ state, joined }) => ({
    inherited: joined.flatMap((base) => (base.tree ? decisionIn(base, facts) : EMPTY_LIST)),
    decision: decisionIn(mergePolicy(state, scope.policy, facts), facts),
  }));
  const areJoined = (join: typeof and): boolean =>
    routes.every(({ inherited, decision }) => {
      if (decision.undecided !== undefined) return false;
      return facts.classes.every((_, i) => {
        const exprs = [ownDecision.exprs[i]!];
        for (const each of inherited) {
          if (each.undecided !== undefined) return false;
          exprs.unshift(each.exprs[i]!);
        }
        return areEquivalent(exprs.length === 1 ? exprs[0]! : join(exprs), decision.exprs[i]!);
      });
    });
  // Beside an alternative, what is for other methods alone says nothing, where it grants by itself (mod_authz_core.c:
  // apply_authz_sections).
  const isForAllMethods = (decision: Decision): boolean =>
    decision.undecided === undefined && new Set(decision.exprs.map(exprKey)).size <= 1;
  const mayBeAlternative = (): boolean =>
    mayGrant &&
    isForAllMethods(ownDecision) &&
    routes.every((way) => way.inherited.every(isForAllMethods) && isForAllMethods(way.decision));
  const merging = areJoined(and) ? 'And' : mayBeAlternative() && areJoined(or) ? 'Or' : undefined;
  if (merging === undefined) return undefined;
  const lines = write(scope, ownDecision.exprs, false, facts);
  return lines && [{ kind: 'merging', merging }, ...lines];
}

/** A scope whose decision hangs on what a request has met before it, or on conditionals: the rewrite asks these. */
function writeCases(
  scope: Scope,
  facts: Facts,
  routes: readonly ReachedState[],
  marked: boolean,
): WrittenCases | NoRewrite {
  const here = directoryOfAll(
    scope,
    routes.map(({ state }) => state),
  );
  const restated = restate(routes, facts, { scope, here, drives: facts.drives });
  if ('problem' in restated) return restated;
  const output = writeRestatement(scope, restated, facts, marked);
  return 'problem' in output ? output : { output, byName: [...new Set(askedByName(restated))] };
}

function askedByName(restatement: Restatement): readonly Scope[] {
  if (restatement.kind === 'test') return [restatement.yes, restatement.no].flatMap(askedByName);
  return restatement.kind === 'decision' ? restatement.byName : [];
}

function writeRestatement(
  scope: Scope,
  restatement: Restatement,
  facts: Facts,
  marked: boolean,
): readonly RewriteOutput[] | NoRewrite {
  if (restatement.kind === 'nothing') return [];
  if (restatement.kind === 'decision')
    return write(scope, restatement.exprs, restatement.mixed || marked, facts) ?? TRACE;
  const { name, asks } = restatement.test;
  // What depends on the patch level of 2.2 cannot be asked of a 2.4.
  if (asks.kind === 'other') return { problem: { kind: 'test-of-22', text: asks.text } };
  if (asks.kind === 'template') return { problem: { ...asks, kind: 'template-above' } };
  const container = asks.kind === 'module' ? 'IfModule' : 'IfDefine';
  const blocks: RewriteOutput[] = [];
  for (const is of [true, false]) {
    const body = writeRestatement(scope, is ? restatement.yes : restatement.no, facts, marked);
    if ('problem' in body) return body;
    const args = (is ? '' : '!') + asks.argument;
    if (body.length > 0) blocks.push({ kind: 'block', name: container, args, body, asks: { name, is } });
  }
  return blocks;
}

/** The method classes in the order in which the scope names them; those it does not name after them. */
function writtenOrder(scope: Scope, facts: Facts): number[] {
  const named = [...new Set(linesOfPolicy(scope.policy).flatMap(({ mask }) => [...mask.names]))];
  const rank = (method: string): number => (named.includes(method) ? named.indexOf(method) : named.length);
  return facts.classes
    .map((_, i) => i)
    .sort((a, b) => rank(facts.classes[a]!) - rank(facts.classes[b]!) || a - b);
}

/** The parts of the decision that a scope leaves to the sections above it. */
function inheritedParts({ policy }: Scope): readonly InheritedPart[] {
  const parts: InheritedPart[] = [];
  if (policy.hosts === undefined) parts.push('hosts');
  if (policy.requires === undefined) parts.push('require');
  if (!policy.satisfy.some((line) => coversAll(line.mask))) parts.push('satisfy');
  return parts;
}

/** True if the server answered 500 for want of a Require, and 2.4, with nothing written here, does too. */
function stays500(base: State, policy: SectionPolicy, decision: Decision, facts: Facts): boolean {
  if (!isMissingRequire(decision) || hasOwnTree(policy)) return false;
  return !base.tree || isMissingRequire(decisionIn(base, facts));
}

/** True if 2.4, with nothing written here, inherits the very decision. */
function isInherited(base: State, state: State, decision: Decision, facts: Facts): boolean {
  if (base.tree) return decisionKey(decisionIn(base, facts)) === decisionKey(decision);
  // Without a Require tree 2.4 admits everybody, and answers 500 once an AuthType is in effect (mod_authz_core.c).
  if (decision.undecided !== undefined || state.authType === true) return false;
  return decision.exprs.every((expr) => expr.kind === 'true');
}

/** True if the Require lines, as they stand, are the whole decision. */
function requiresStay({ requires, authz }: SectionPolicy, decision: Decision, facts: Facts): boolean {
  if (authz?.tree !== undefined && decision.undecided === undefined)
    return facts.classes.every(
      (method, i) => exprKey(decision.exprs[i]!) === exprKey(authzExpr(authz.tree!, method) ?? TRUE),
    );
  if (requires === undefined || decision.undecided !== undefined || decision.mixed) return false;
  if (!requires.every((line) => line.verbatim)) return false;
  return facts.classes.every((method, i) => {
    const forMethod = requires.filter((line) => covers(line.mask, method));
    const expr = decision.exprs[i]!;
    if (forMethod.length === 0) return exprKey(expr) === exprKey(TRUE);
    if (expr.kind !== 'or' && expr.kind !== 'atom') return false;
    const texts = new Set(
      forMethod.map((line) => (line.rest === '' ? line.keyword : `${line.keyword} ${line.rest}`)),
    );
    const parts = expr.kind === 'or' ? expr.of : [expr];
    return parts.length === texts.size && parts.every((part) => part.kind === 'atom' && texts.has(part.text));
  });
}
