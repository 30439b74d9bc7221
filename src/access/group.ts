import { regexEdits } from './collect';
import type { Bases } from './inherit';
import type { Scope } from './policy';
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
import { keepSettled, mark, twins } from './settle';
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
