import { type ConfigTree, isComplete } from '../config';
import { holds } from '../httpd/facts';
import { NEWEST } from '../httpd/release';
import type { Directive } from '../syntax';
import { collect, factsOf, isOld } from './collect';
import { InheritedStates, type MixedSections, findMixedSections, meetingGroups } from './inherit';
import { lineAbove, readingOf, splitUnreadFiles, standingNeeds, unseenDirectory } from './override';
import {
  type Scope,
  includedScopes,
  scopesApart,
  setsAccess,
  setsSomething,
  hasVersionBlocks,
} from './policy';
import {
  type AccessFinding,
  type AccessRun,
  Findings,
  blocksDiffer,
  isTwin,
  misplacedFindings,
  moveGuards,
  reportDeadLine,
  reportHomes,
  reportLineAbove,
  reportOldLineFor24,
} from './report';
import { checksAmongMixed, planTlsLines, withSslInTrees } from './rewrite';
import { translateGroup } from './translate-group';
import { holderOf } from './translate-halves';
import { NewlyRefused, VersionBlocks } from './verify';

/** The run before it is known which of its sections are decided together. */
type RunWithoutSections = Omit<AccessRun, 'versionBlocks' | 'newlyRefused' | 'checksThatStay' | 'tls'>;

/**
 * Decides access for the whole run: each group of sections that can meet is restated in 2.4's words, or refused.
 * @param dual true: the result is for both versions; false: blocks for one version each are collapsed; undefined: neither
 */
export function translateAccess(tree: ConfigTree, dual?: boolean): readonly AccessFinding[] {
  return decide(tree, dual).list;
}

/** What has been decided, by `dual`: the rules for blocks and for modules ask for it too. */
const known = new WeakMap<ConfigTree, Map<boolean | undefined, Findings>>();

function decide(tree: ConfigTree, dual: boolean | undefined): Findings {
  let byOption = known.get(tree);
  if (byOption === undefined) known.set(tree, (byOption = new Map()));
  let findings = byOption.get(dual);
  if (findings === undefined) byOption.set(dual, (findings = translate(tree, dual)));
  return findings;
}

function translate(tree: ConfigTree, dual: boolean | undefined): Findings {
  const collected = collect(tree);
  const findings = new Findings();
  const included = includedScopes(collected.scopes);
  const { opened, live, refused, unread, overrides } = splitUnreadFiles(included, collected.mapping, tree);
  findings.refused = refused;
  const facts = factsOf(collected, tree);
  const unseen = unseenDirectory(opened, collected.mapping.served(), overrides, tree);
  const above = lineAbove(tree, overrides);
  const run = { tree, dual: dual === true, facts, collected, overrides, unseen, above };
  translateScopes(live, live, run, findings);
  for (const scope of unreadTexts(unread, live, tree)) translateScopes([scope], [scope], run, findings);
  for (const file of refused) {
    const inFile = opened.filter(({ place }) => place.root === file);
    translateScopes(inFile, inFile, run, findings);
  }
  for (const inside of scopesApart(collected.scopes))
    translateScopes([...live, ...inside], inside, { ...run, decidedEdits: findings.decided }, findings);
  // What does not go with the others is converted by itself; the check then asks about it among the others.
  for (const inside of scopesApart(findings.notInContext))
    translateScopes(inside, inside, { ...run, isAlone: true }, findings);
  if (above !== undefined && isOld(above.node.key)) reportLineAbove(above, findings);
  for (const scope of collected.scopes) reportOldLineFor24(scope, collected, findings);
  for (const scope of collected.scopes) reportDeadLine(scope, findings);
  const { homes, mapping } = collected;
  if (homes !== undefined && findings.rewritten.length > 0 && mapping.reachesHomes)
    reportHomes(homes, findings);
  for (const finding of misplacedFindings(collected.misplaced)) findings.add(finding);
  moveGuards(findings, dual !== undefined);
  const blocks = new VersionBlocks(live, run);
  const target = tree.target ?? NEWEST;
  const standing = holds('override-list-replaced', target)
    ? standingNeeds(live, opened, overrides, (scope) => isTwin(scope, blocks), readingOf(tree))
    : [];
  findings.addOverrides(overrides, standing, target);
  if (dual !== true && meetsLinesFor24(tree))
    findings.join(new Set(findings.rewritten.map(({ group }) => group)));
  return findings;
}

/**
 * The sections that no request reads, of files that are converted all the same. A file that is read where another path leads to it gets the
 * text that it needs there.
 */
function unreadTexts(unread: readonly Scope[], live: readonly Scope[], tree: ConfigTree): readonly Scope[] {
  if (unread.length === 0) return unread;
  const read = new Set(live.map(({ place }) => place.root));
  return unread.filter(({ place: { root } }) => !read.has(root) && !tree.notGiven.includes(root));
}

/** @param toRewrite those of the scopes given that are to be rewritten; the others are there to be met */
function translateScopes(
  given: readonly Scope[],
  toRewrite: readonly Scope[],
  outer: RunWithoutSections,
  findings: Findings,
): void {
  const orders = new Set(toRewrite.map(({ order }) => order));
  const { scopes, checksThatStay } = withSslInTrees(
    outer.collected.ssl,
    given,
    outer.facts.hostsFirst,
    isComplete(outer.tree),
    outer.decidedEdits === undefined,
  );
  const targetScopes = new Set(scopes.filter(({ order }) => orders.has(order)));
  const setters = scopes.filter(setsSomething);
  const { facts, collected, overrides } = outer;
  const inherited = new InheritedStates(setters, facts, collected.mapping, overrides.files);
  const groups = meetingGroups(setters);
  const tls = planTlsLines(groups, inherited, facts, collected.ssl.isLogin, outer.dual);
  const checks = new Map([...checksThatStay, ...tls.checks]);
  const run = { ...outer, ...checksOf(scopes, outer), checksThatStay: checks, tls };
  const mixed = findMixedSections(
    scopes,
    outer.tree,
    outer.decidedEdits === undefined ? undefined : targetScopes,
  );
  for (const group of groups) {
    const targets = group.filter(
      (scope) => targetScopes.has(scope) && mixed?.orders.has(scope.order) !== true,
    );
    if (targets.length > 0) translateGroup(group, targets, inherited, run, findings);
  }
  if (mixed !== undefined) translateMixed(mixed, toRewrite, outer, findings);
}

/** What asks the models about the sections of a run. */
function checksOf(
  scopes: readonly Scope[],
  { facts, collected }: RunWithoutSections,
): Pick<AccessRun, 'versionBlocks' | 'newlyRefused'> {
  return {
    versionBlocks: new VersionBlocks(scopes, { facts, collected }),
    newlyRefused: new NewlyRefused(scopes, facts, collected.mapping),
  };
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
  const setters = scopes.filter(setsSomething);
  const inherited = new InheritedStates(setters, facts, collected.mapping, overrides.files);
  const checksThatStay = checksAmongMixed(scopes);
  const run = { ...compat, ...checksOf(scopes, compat), checksThatStay, tls: planTlsLines([], inherited, facts, false, false) }; // prettier-ignore
  for (const group of meetingGroups(setters)) {
    const targets = group.filter(({ order }) => targetOrders.has(order) && orders.has(order));
    if (targets.length > 0) translateGroup(group, targets, inherited, run, findings);
  }
}

/** A LoadModule line that shows that a 2.2 runs the configuration. */
export interface LineShowing22 {
  readonly node: Directive;
  /** Lines for 2.2 stay, so that it must stay too. */
  readonly stays: boolean;
  /** The group of all rewrites: if they are withdrawn, it must stay too. */
  readonly group: string | undefined;
}

/**
 * The line that the reading of lines for both versions hangs on: without it lines for 2.2 that have not been converted would stand beside
 * lines for 2.4 as those of a 2.4 with mod_access_compat do, and the next run would take them for such.
 */
export function lineShowing22(tree: ConfigTree, dual: boolean | undefined): LineShowing22 | undefined {
  const { loads22, scopes } = collect(tree);
  if (loads22 === undefined || !meetsLinesFor24(tree)) return undefined;
  const findings = decide(tree, dual);
  const { decided, refused, rewritten } = findings;
  const [first] = rewritten;
  // What stands in a file that is answered with 500 meets no other line.
  const stays = scopes.some(
    ({ order, old, place }) =>
      old.length > 0 && decided.has(order) && decided.get(order) === undefined && !refused.has(place.root),
  );
  return {
    node: loads22,
    stays,
    group: dual === true || first === undefined ? undefined : findings.groupOf(first.group),
  };
}

/** Whether a 2.2 runs a configuration with lines in 2.4's words. */
function meetsLinesFor24(tree: ConfigTree): boolean {
  const { shows22, scopes } = collect(tree);
  return shows22 && scopes.some(({ modern }) => modern !== undefined);
}

/** Sections of which what 2.2 reads must not go: nothing takes its place on 2.4, or they have not been converted. */
export function blocksToKeep(tree: ConfigTree): readonly Scope[] {
  const { unlike } = decide(tree, false);
  const { scopes } = collect(tree);
  return scopes.filter(
    (scope) =>
      scope.only22 > 0 &&
      (unlike.includes(scope) || (setsAccess(scope) && holderOf(scope, scopes) === undefined)),
  );
}

/** Reports where blocks for one version each do not say the same, in what is written for 2.4: one finding for each set of sections that can meet. */
export function reportBlockDifferences(tree: ConfigTree): AccessFinding[] {
  const collected = collect(tree);
  const findings: AccessFinding[] = [];
  for (const inside of [undefined, ...scopesApart(collected.scopes)]) {
    const apart = inside?.[0]?.apart;
    const scopes = collected.scopes.filter((scope) => scope.apart === undefined || scope.apart === apart);
    const { live } = splitUnreadFiles(scopes, collected.mapping, tree);
    const blocks = new VersionBlocks(live, { facts: factsOf(collected, tree), collected });
    for (const group of meetingGroups(
      live.filter((scope) => setsSomething(scope) || hasVersionBlocks(scope)),
    )) {
      const isOfRoot = (scope: Scope): boolean => hasVersionBlocks(scope) && scope.apart === apart;
      if (!group.some(isOfRoot) || collected.shows22 || !group.some(({ modern }) => modern !== undefined))
        continue;
      const difference = blocks.difference(group);
      const scope = difference?.met.findLast(hasVersionBlocks);
      if (difference === undefined || scope === undefined) continue;
      findings.push(blocksDiffer(scope, difference));
    }
  }
  return findings;
}
