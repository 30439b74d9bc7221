import type { ConfigTree } from '../config';
import { NEWEST } from '../httpd/release';
import { collect, factsOf, isComplete, isOld } from './collect';
import { Bases, type Mixed, meetingGroups, mixedIn } from './inherit';
import { lineAbove, splitUnread, unseenDirectory } from './override';
import { type Scope, setsSomething } from './policy';
import {
  type AccessFinding,
  Findings,
  type World,
  blocksDiffer,
  misplacedFindings,
  moveGuards,
  tellDeadLine,
  tellLineAbove,
  tellOld24,
} from './report';
import { withSslInTrees } from './rewrite';
import { translateGroup } from './translate-group';
import { Sides, isApart } from './verify';

/**
 * Decides access for the whole run: each group of sections that can meet is restated in 2.4's words, or refused.
 * @param dual true: the result is for both versions; false: blocks for one version each are collapsed; undefined: neither
 */
export function translateAccess(tree: ConfigTree, dual?: boolean): AccessFinding[] {
  const collected = collect(tree);
  const findings = new Findings();
  const reached = collected.scopes.filter((scope) => scope.place.root.role !== 'unreached');
  const { live, unread, governor } = splitUnread(reached, collected.mapping);
  const facts = factsOf(collected, tree);
  const unseen = unseenDirectory(live, collected.mapping.served(), governor, tree);
  const above = lineAbove(tree, governor);
  const world = { tree, dual: dual === true, facts, collected, governor, unseen, above };
  translateWorld(live, live, world, findings);
  for (const scope of unread) translateWorld([scope], [scope], world, findings);
  for (const root of tree.unreached) {
    const own = collected.scopes.filter((scope) => scope.place.root === root);
    if (own.length > 0)
      translateWorld([...live, ...own], own, { ...world, settled: findings.decided }, findings);
  }
  if (above !== undefined && isOld(above.node.key)) tellLineAbove(above, findings);
  for (const scope of collected.scopes) tellOld24(scope, findings);
  for (const scope of collected.scopes) tellDeadLine(scope, findings);
  for (const finding of misplacedFindings(collected.misplaced)) findings.add(finding);
  moveGuards(findings, dual !== undefined);
  findings.addOverrides(governor, tree.target ?? NEWEST);
  return findings.list;
}

/** @param own those of the scopes given that are to be rewritten; the others are there to be met */
function translateWorld(
  given: readonly Scope[],
  own: readonly Scope[],
  run: Omit<World, 'sides'>,
  findings: Findings,
): void {
  const orders = new Set(own.map(({ order }) => order));
  const scopes = withSslInTrees(run.collected.ssl, given, isComplete(run.tree));
  const mine = new Set(scopes.filter(({ order }) => orders.has(order)));
  const setters = scopes.filter(setsSomething);
  const world = { ...run, sides: new Sides(scopes, run) };
  const bases = new Bases(setters, world.facts, world.collected.mapping);
  const mixed = mixedIn(scopes, run.tree, run.settled === undefined ? undefined : mine);
  for (const group of meetingGroups(setters)) {
    const targets = group.filter((scope) => mine.has(scope) && mixed?.orders.has(scope.order) !== true);
    if (targets.length > 0) translateGroup(group, targets, bases, world, findings);
  }
  if (mixed !== undefined) translateMixed(mixed, own, run, findings);
}

/** Decides the sections in which lines of both kinds meet as the 2.4 with mod_access_compat does that they must be running on. */
function translateMixed(
  { collected, scopes, orders, governor }: Mixed,
  own: readonly Scope[],
  run: Omit<World, 'sides'>,
  findings: Findings,
): void {
  const mine = new Set(own.map(({ order }) => order));
  const facts = factsOf(collected, run.tree);
  const compat = { ...run, facts, collected, governor };
  const world = { ...compat, sides: new Sides(scopes, compat) };
  const setters = scopes.filter(setsSomething);
  const bases = new Bases(setters, facts, collected.mapping);
  for (const group of meetingGroups(setters)) {
    const targets = group.filter(({ order }) => mine.has(order) && orders.has(order));
    if (targets.length > 0) translateGroup(group, targets, bases, world, findings);
  }
}

/** Tells where blocks for one version each do not say the same: one finding for each set of sections that can meet. */
export function tellSides(tree: ConfigTree): AccessFinding[] {
  const collected = collect(tree);
  const findings: AccessFinding[] = [];
  for (const root of [undefined, ...tree.unreached]) {
    const mine = collected.scopes.filter(
      ({ place }) => place.root.role !== 'unreached' || place.root === root,
    );
    const { live } = splitUnread(mine, collected.mapping);
    const sides = new Sides(live, { facts: factsOf(collected, tree), collected });
    for (const group of meetingGroups(live.filter((scope) => setsSomething(scope) || isApart(scope)))) {
      if (!group.some((scope) => isApart(scope) && (scope.place.root === root) === (root !== undefined)))
        continue;
      const found = sides.difference(group);
      const scope = found?.met.findLast(isApart);
      if (found === undefined || scope === undefined) continue;
      findings.push(blocksDiffer(scope, found));
    }
  }
  return findings;
}
