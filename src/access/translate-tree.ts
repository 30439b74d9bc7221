import { type ConfigTree, isComplete } from '../config';
import { NEWEST } from '../httpd/release';
import { collect, factsOf, isOld } from './collect';
import { InheritedStates, type MixedSections, findMixedSections, meetingGroups } from './inherit';
import { lineAbove, splitUnreadFiles, unseenDirectory } from './override';
import { type Scope, setsSomething } from './policy';
import {
  type AccessFinding,
  type AccessRun,
  Findings,
  blocksDiffer,
  misplacedFindings,
  moveGuards,
  reportDeadLine,
  reportLineAbove,
  reportOldLineFor24,
} from './report';
import { withSslInTrees } from './rewrite';
import { translateGroup } from './translate-group';
import { VersionBlocks, hasVersionBlocks } from './verify';

/** The run before it is known which of its sections are decided together. */
type RunWithoutSections = Omit<AccessRun, 'versionBlocks'>;

/**
 * Decides access for the whole run: each group of sections that can meet is restated in 2.4's words, or refused.
 * @param dual true: the result is for both versions; false: blocks for one version each are collapsed; undefined: neither
 */
export function translateAccess(tree: ConfigTree, dual?: boolean): AccessFinding[] {
  const collected = collect(tree);
  const findings = new Findings();
  const included = collected.scopes.filter((scope) => scope.place.root.role !== 'unreached');
  const { live, unread, overrides } = splitUnreadFiles(included, collected.mapping);
  const facts = factsOf(collected, tree);
  const unseen = unseenDirectory(live, collected.mapping.served(), overrides, tree);
  const above = lineAbove(tree, overrides);
  const run = { tree, dual: dual === true, facts, collected, overrides, unseen, above };
  translateScopes(live, live, run, findings);
  for (const scope of unread) translateScopes([scope], [scope], run, findings);
  for (const root of tree.unreached) {
    const inFile = collected.scopes.filter((scope) => scope.place.root === root);
    if (inFile.length > 0)
      translateScopes([...live, ...inFile], inFile, { ...run, decidedEdits: findings.decided }, findings);
  }
  if (above !== undefined && isOld(above.node.key)) reportLineAbove(above, findings);
  for (const scope of collected.scopes) reportOldLineFor24(scope, findings);
  for (const scope of collected.scopes) reportDeadLine(scope, findings);
  for (const finding of misplacedFindings(collected.misplaced)) findings.add(finding);
  moveGuards(findings, dual !== undefined);
  findings.addOverrides(overrides, tree.target ?? NEWEST);
  return findings.list;
}

/** @param toRewrite those of the scopes given that are to be rewritten; the others are there to be met */
function translateScopes(
  given: readonly Scope[],
  toRewrite: readonly Scope[],
  outer: RunWithoutSections,
  findings: Findings,
): void {
  const orders = new Set(toRewrite.map(({ order }) => order));
  const scopes = withSslInTrees(outer.collected.ssl, given, isComplete(outer.tree));
  const targetScopes = new Set(scopes.filter(({ order }) => orders.has(order)));
  const setters = scopes.filter(setsSomething);
  const run = { ...outer, versionBlocks: new VersionBlocks(scopes, outer) };
  const inherited = new InheritedStates(setters, run.facts, run.collected.mapping, run.overrides.files);
  const mixed = findMixedSections(
    scopes,
    outer.tree,
    outer.decidedEdits === undefined ? undefined : targetScopes,
  );
  for (const group of meetingGroups(setters)) {
    const targets = group.filter(
      (scope) => targetScopes.has(scope) && mixed?.orders.has(scope.order) !== true,
    );
    if (targets.length > 0) translateGroup(group, targets, inherited, run, findings);
  }
  if (mixed !== undefined) translateMixed(mixed, toRewrite, outer, findings);
}

/** Decides the sections in which lines of both kinds meet as the 2.4 with mod_access_compat does that they must be running on. */
function translateMixed(
  { collected, scopes, orders, overrides }: MixedSections,
  toRewrite: readonly Scope[],
  outer: RunWithoutSections,
  findings: Findings,
): void {
  const targetOrders = new Set(toRewrite.map(({ order }) => order));
  const facts = factsOf(collected, outer.tree);
  const compat = { ...outer, facts, collected, overrides };
  const run = { ...compat, versionBlocks: new VersionBlocks(scopes, compat) };
  const setters = scopes.filter(setsSomething);
  const inherited = new InheritedStates(setters, facts, collected.mapping, overrides.files);
  for (const group of meetingGroups(setters)) {
    const targets = group.filter(({ order }) => targetOrders.has(order) && orders.has(order));
    if (targets.length > 0) translateGroup(group, targets, inherited, run, findings);
  }
}

/** Reports where blocks for one version each do not say the same: one finding for each set of sections that can meet. */
export function reportBlockDifferences(tree: ConfigTree): AccessFinding[] {
  const collected = collect(tree);
  const findings: AccessFinding[] = [];
  for (const root of [undefined, ...tree.unreached]) {
    const scopes = collected.scopes.filter(
      ({ place }) => place.root.role !== 'unreached' || place.root === root,
    );
    const { live } = splitUnreadFiles(scopes, collected.mapping);
    const blocks = new VersionBlocks(live, { facts: factsOf(collected, tree), collected });
    for (const group of meetingGroups(
      live.filter((scope) => setsSomething(scope) || hasVersionBlocks(scope)),
    )) {
      const isOfRoot = (scope: Scope): boolean =>
        hasVersionBlocks(scope) && (scope.place.root === root) === (root !== undefined);
      if (!group.some(isOfRoot)) continue;
      const difference = blocks.difference(group);
      const scope = difference?.met.findLast(hasVersionBlocks);
      if (difference === undefined || scope === undefined) continue;
      findings.push(blocksDiffer(scope, difference));
    }
  }
  return findings;
}
