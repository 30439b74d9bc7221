import type { Edit } from '../edit';
import { regexEdits } from './collect';
import type { Bases } from './inherit';
import { type Facts, type Scope, type ScopeLine, authorizerOf, isUnstable } from './policy';
import { NONE } from './primitives';
import {
  type Findings,
  LEANS_ON_OTHERS,
  NOT_INCLUDED,
  type World,
  convert,
  hasCounterpart,
  leansOnOthers,
  loginless,
  ownReason,
  refuse,
  where,
} from './report';
import { type Restated, type Rewrite, rewrite } from './rewrite';
import { isApart } from './verify';

/**
 * Decides the sections that can meet in one request: all restated, or all left.
 * @param targets those of them to rewrite; the others are there to be met
 */
export function translateGroup(
  group: readonly Scope[],
  targets: readonly Scope[],
  bases: Bases,
  world: World,
  findings: Findings,
): void {
  let old = false;
  let modern: Scope | undefined;
  for (const scope of group) {
    old ||= scope.old.length > 0;
    if (modern === undefined && scope.modern !== undefined) modern = scope;
  }
  if (!old && isNotOurs(group, modern !== undefined, world)) return;
  const reasons = new Map<Scope, string>();
  const rewrites = new Map<Scope, Restated>();
  for (const scope of targets) {
    const reason = ownReason(scope, world);
    if (reason !== undefined) reasons.set(scope, reason);
  }
  if (modern !== undefined) {
    for (const scope of targets)
      if (scope.old.length > 0 && !reasons.has(scope))
        reasons.set(
          scope,
          `it can meet ${where(modern, modern.modern!.start)}, which is written for 2.4 already`,
        );
  }
  // What a file would be if it were in use cannot be told where those that are in use have been written for both versions.
  const mine = targets.length === group.length ? undefined : new Set(targets);
  const apart =
    world.settled === undefined
      ? undefined
      : group.find((scope) => isApart(scope) && mine?.has(scope) === false);
  if (apart !== undefined) {
    for (const scope of targets)
      if (scope.old.length > 0 && !reasons.has(scope))
        reasons.set(
          scope,
          `${NOT_INCLUDED}, and it could meet ${where(apart, apart.section?.start ?? 0)}, which has blocks for each version: convert it alone, or together with the server configuration that includes it`,
        );
  }
  // A group that is refused already needs no texts.
  const isRefused = reasons.size > 0;
  for (const scope of group) {
    if (isRefused || !isEditable(scope)) continue;
    const before = bases.before(scope);
    const result: Rewrite =
      before === undefined
        ? { problem: 'there are too many ways in which a request can reach it' }
        : leansOnOthers(scope, before, world)
          ? { problem: LEANS_ON_OTHERS }
          : rewrite(scope, before, world.facts, () => bases.cases(scope));
    if (result.problem !== undefined) reasons.set(scope, result.problem);
    else rewrites.set(scope, result);
    const remark = mine?.has(scope) === false ? undefined : loginless(scope, before ?? NONE, world.facts);
    if (remark !== undefined) findings.add(remark);
  }
  if (world.settled !== undefined) keepSettled(targets, rewrites, reasons, world.settled);
  if (reasons.size === 0) mark(group, rewrites, bases, world.facts);
  for (const scope of group) {
    if (scope.kind !== 'directory-match' || scope.reading !== '2.2') continue;
    const one = rewrites.get(scope);
    if (one === undefined || (!old && one.edits.length === 0)) continue;
    const edits = regexEdits(scope);
    if (edits.length === 0) continue;
    if (one.file === scope.file || one.edits.length === 0)
      rewrites.set(scope, { ...one, file: scope.file, edits: [...edits, ...one.edits] });
    else reasons.set(scope, 'its lines stand in another file than its regex');
  }
  for (const [scope, message] of twins(rewrites)) reasons.set(scope, message);
  const { above } = world;
  if (above !== undefined)
    for (const [scope, { edits }] of rewrites)
      if (edits.length > 0)
        reasons.set(
          scope,
          `${above.file.name} is read before what stands in the directories given, and says who gets in: give it in the same run`,
        );
  for (const scope of targets)
    findings.decided.set(scope.order, reasons.size > 0 ? undefined : (rewrites.get(scope)?.edits ?? NONE));
  const changed: [Scope, Restated][] = [];
  for (const scope of group) {
    const one = rewrites.get(scope);
    if (one !== undefined && one.edits.length > 0) changed.push([scope, one]);
  }
  if (changed.length === 0 && !old && reasons.size === 0) return;
  if (reasons.size > 0) refuse(group, targets, reasons, findings);
  else convert(changed, group, bases, world, findings);
}

/** Whether a group without a line to rewrite is nothing to judge either. @param modern something of it is written for 2.4 */
function isNotOurs(group: readonly Scope[], modern: boolean, world: World): boolean {
  if (group.some(isApart) && world.sides.difference(group) === undefined) return true;
  // Nothing of 2.2 that 2.4 does not read the same, among sections written for 2.4.
  const served = (scope: Scope): boolean =>
    scope.only22 === 0 || hasCounterpart(scope, world.collected.scopes);
  return (modern || group.every((scope) => scope.only22 > 0)) && group.every(served);
}

function isEditable(scope: Scope): boolean {
  return scope.modern === undefined && (scope.old.length > 0 || scope.only22 === 0);
}

/** Whether two decisions about a scope agree. */
function isSame(a: readonly Edit[], b: readonly Edit[]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * A file that nothing includes is converted as what it would be if it were in use. Where that would call for other texts in files that
 * are in use, it cannot be.
 */
function keepSettled(
  targets: readonly Scope[],
  rewrites: Map<Scope, Restated>,
  reasons: Map<Scope, string>,
  settled: ReadonlyMap<number, readonly Edit[] | undefined>,
): void {
  for (const scope of new Set([...rewrites.keys(), ...reasons.keys()])) {
    if (targets.includes(scope)) continue;
    const now = rewrites.get(scope)?.edits;
    const then = settled.has(scope.order) ? settled.get(scope.order) : [];
    const same = now !== undefined && then !== undefined && isSame(now, then);
    rewrites.delete(scope);
    reasons.delete(scope);
    if (same) continue;
    for (const one of targets)
      if (!reasons.has(one) && (one.old.length > 0 || (rewrites.get(one)?.edits.length ?? 0) > 0))
        reasons.set(
          one,
          `${NOT_INCLUDED}; if it were in use, ${where(scope, scope.section?.start ?? 0)} would need another text: convert it alone, or together with the server configuration that includes it`,
        );
  }
}

const MARK = /^[ \t]*(?:<Require|Require (?:(?:all|ip|host|env|method|expr|not) |ssl$))/m;

/**
 * Require lines alone read the same as 2.2's. Where a reader who takes them for 2.2's would come to another result (lines of several
 * modules, an AuthType without Require), one container tells that the group has been converted.
 */
function mark(group: readonly Scope[], rewrites: Map<Scope, Restated>, bases: Bases, facts: Facts): void {
  // Most groups tell by their first line.
  for (const { edits } of rewrites.values()) if (edits.some(({ text }) => MARK.test(text))) return;
  const changed = [...rewrites].filter(([, one]) => one.edits.length > 0);
  if (changed.length === 0) return;
  const changes = new Set(changed.map(([scope]) => scope));
  const fragile =
    facts.reading === 'compat'
      ? !group.some((scope) => !changes.has(scope) && scope.requires.some(isMarked))
      : group.some(
          (scope) =>
            (scope.own.authType === true && scope.own.requires === undefined) ||
            scope.own.requires?.some(isUnstable) === true ||
            keptModules(scope, rewrites.get(scope)?.edits ?? []).size > 1,
        );
  if (!fragile) return;
  for (const [scope] of changed) {
    const result = rewrite(scope, bases.before(scope) ?? [], facts, () => bases.cases(scope), true);
    if (result.problem !== undefined || !result.edits.some(({ text }) => MARK.test(text))) continue;
    rewrites.set(scope, result);
    return;
  }
}

/** A line that only 2.4 has. */
function isMarked({ node, inner }: ScopeLine): boolean {
  const rest = node.kind === 'directive' ? node.rest : '';
  return MARK.test(`Require ${rest} `) || inner.some(({ section }) => section.key.startsWith('require'));
}

/** The 2.2 modules that the Require lines of a scope are for, once it is rewritten. */
function keptModules(scope: Scope, edits: readonly Edit[]): Set<unknown> {
  const written = edits.flatMap(({ text }) =>
    [...text.matchAll(/^[ \t]*Require ([a-z-]+)/gm)].map(([, word]) => word!),
  );
  const keywords = written.length > 0 ? written : (scope.own.requires?.map((line) => line.keyword) ?? []);
  return new Set(keywords.map(authorizerOf));
}

const NO_TWINS: ReadonlyMap<Scope, string> = new Map();

/** Whether no line can be in two of them, which is seen without a look at each: all stand in sections that nobody reads twice. */
function areApart(rewrites: ReadonlyMap<Scope, Restated>): boolean {
  if (rewrites.size < 2) return true;
  const sections = new Set<object>();
  for (const { section, file, old, requires, authType } of rewrites.keys()) {
    const text = section ?? file.document;
    if (sections.has(text)) return false;
    sections.add(text);
    const inside = (line: ScopeLine): boolean => line.file === file;
    if (!old.every(inside) || !requires.every(inside) || (authType !== undefined && !inside(authType))) return false; // prettier-ignore
  }
  return true;
}

/** A text that is reached in several ways must be rewritten the same way for all of them. */
export function twins(rewrites: ReadonlyMap<Scope, Restated>): ReadonlyMap<Scope, string> {
  if (areApart(rewrites)) return NO_TWINS;
  const known = new Map<object, Scope>();
  const result = new Map<Scope, string>();
  const texts = new Map<Scope, string>();
  const editsText = (scope: Scope): string => {
    let text = texts.get(scope);
    if (text === undefined) texts.set(scope, (text = JSON.stringify(rewrites.get(scope)!.edits)));
    return text;
  };
  for (const [scope, { consumed }] of rewrites) {
    const file = (node: object): void => {
      const twin = known.get(node);
      if (twin === undefined) known.set(node, scope);
      else if (twin !== scope && editsText(twin) !== editsText(scope)) {
        const message = 'these lines are reached in several ways that would need different texts';
        result.set(scope, message);
        result.set(twin, message);
      }
    };
    for (const node of consumed) file(node);
    for (const { node } of scope.old) file(node);
    for (const { node } of scope.requires) file(node);
    if (scope.authType !== undefined) file(scope.authType.node);
  }
  return result;
}
