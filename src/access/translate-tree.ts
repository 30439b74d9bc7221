import { type ConfigTree, isComplete } from '../config';
import { holds } from '../httpd/facts';
import { NEWEST } from '../httpd/release';
import type { Directive } from '../syntax';
import { type Collected, collect, factsOf } from './collect';
import { denyingFile, isShutAbove, isTwin, sectionFor24, shutReason } from './decide';
import { Decisions } from './decisions';
import { findMixedSections, meetingGroups } from './inherit';
import { notGivenDirectories, splitUnread, standingNeeds, unseenDirectories } from './override';
import {
  type Scope,
  hasVersionBlocks,
  includedScopes,
  isReadFor24Alone,
  isWrittenFor24,
  scopesByUnusedPart,
  setsAccess,
  setsSomething,
} from './policy';
import { memo, mayBeOnOneWay } from './primitives';
import {
  type AccessFinding,
  blocksDiffer,
  misplacedFindings,
  moveGuards,
  perRequestFindings,
  reportDeadLine,
  reportHomes,
  reportOldLineFor24,
  reportOverrideLists,
  reportSslFor22,
  shutFile,
} from './report';
import { withSslInTrees } from './rewrite';
import { ReadRun, type RunWithoutSections, decideMixed } from './translate-mixed';
import { VersionBlocks } from './verify';

/**
 * Decides access for the whole run: each group of sections that can meet is restated in 2.4's words, or refused.
 * @param dual true: the result is for both versions; false: blocks for one version each are collapsed; undefined: neither
 */
export function translateAccess(tree: ConfigTree, dual?: boolean): readonly AccessFinding[] {
  return decide(tree)(dual).findings.list;
}

/** What has been decided, by `dual`: the rules for blocks and for modules ask for it too. */
const decide = memo((tree: ConfigTree) =>
  memo((dual: boolean | undefined) => decideTree(tree, dual), new Map()),
);

function decideTree(tree: ConfigTree, dual: boolean | undefined): Decisions {
  const collected = collect(tree);
  const included = includedScopes(collected.scopes);
  const { opened, live, silent, unread, overrides } = splitUnread(included, collected.mapping, tree);
  const decisions = new Decisions(new Set(silent.flat()));
  const { findings } = decisions;
  const facts = factsOf(collected, tree);
  const served = collected.mapping.served();
  const unseen = unseenDirectories(opened, served, overrides, tree);
  const notGiven = unseen && notGivenDirectories(unseen, opened, served, overrides, tree);
  const run = { tree, dual: dual === true, facts, collected, overrides, unseen, notGiven };
  decideScopes(live, live, run, decisions);
  for (const scope of unreadTexts(unread, live, collected)) decideScopes([scope], [scope], run, decisions);
  for (const inFile of silent) decideScopes(inFile, inFile, run, decisions);
  // Where no server is given and nothing else is read, each part is converted as if it were given by itself.
  const isPartial = !tree.isServer && live.length === 0;
  for (const inside of scopesByUnusedPart(collected.scopes))
    if (isPartial) decideScopes(inside, inside, run, decisions);
    else decideScopes([...live, ...inside], inside, { ...run, decidedEdits: decisions.edits }, decisions);
  // What does not go with the others is converted by itself; the check then asks about it among the others.
  // It may have been decided under another reading: by itself it is read as its file says.
  const byThemselves = new Set(decisions.notInContext.map(({ order }) => order));
  for (const inside of scopesByUnusedPart(collected.scopes.filter(({ order }) => byThemselves.has(order))))
    decideScopes(inside, inside, { ...run, isAlone: true }, decisions);
  for (const scope of collected.scopes) reportOldLineFor24(scope, collected, decisions.edits, findings);
  for (const scope of collected.scopes) reportDeadLine(scope, tree, findings);
  for (const scope of collected.scopes) reportSslFor22(scope, decisions.edits, findings);
  const { homes, mapping } = collected;
  if (homes !== undefined && decisions.rewritten.length > 0 && mapping.reachesHomes && !namesHomes(collected))
    reportHomes(homes, findings);
  for (const finding of misplacedFindings(collected.misplaced)) findings.add(finding);
  for (const finding of perRequestFindings(tree, collected, live)) findings.add(finding);
  for (const finding of filesToShut(tree, decisions)) findings.add(finding);
  moveGuards(decisions.rewritten, dual !== undefined, findings);
  const blocks = new VersionBlocks(live, run);
  const target = tree.target ?? NEWEST;
  const isBranch = new Set(decisions.rewritten.flatMap((each) => (each.isBranch ? each.scope.order : [])));
  const files = {
    others: collected.scopes,
    overrides,
    isMeant: (scope: Scope): boolean => isTwin(scope, blocks) || isBranch.has(scope.order),
  };
  const standing = holds('override-list-replaced', target) ? standingNeeds(live, files) : [];
  reportOverrideLists(decisions.rewritten, standing, files, target, findings);
  return decisions;
}

/** Says of each `.htaccess` that is to let nobody in that it does, where none of its sections says so. */
function filesToShut({ htaccess, shuts, keeps }: ConfigTree, { denied }: Decisions): AccessFinding[] {
  if (shuts === undefined) return [];
  return htaccess.flatMap((file) => {
    const shut = shuts(file);
    if (shut === undefined) return [];
    const ofFile = denied.filter(({ place }) => place.root === file);
    const isShut = shut.isWhole ? ofFile.some(({ section }) => section === undefined) : ofFile.length > 0;
    return isShut ? [] : (shutFile(file, denyingFile(file, shut.isWhole), shut.why, keeps) ?? []);
  });
}

/** Whether a section names the homes of UserDir, as in the stock file: a `*` and the name. They are served in no other way. */
function namesHomes({ homes, servedPaths, mapping }: Collected): boolean {
  const ends = (homes?.node.args ?? []).map(({ value }) => `/*/${value}`);
  const above = servedPaths.flatMap((path) =>
    ends.filter((end) => path.endsWith(end)).map((end) => path.slice(0, -end.length) || '/'),
  );
  const served = mapping.served();
  return above.some((home) => !served.some((path) => mayBeOnOneWay(path, home)));
}

/**
 * The sections that no request reads, of files that are converted all the same. A file that is read where another path leads to
 * it gets the text that it needs there. One whose directory is shut for what it says keeps that.
 */
function unreadTexts(
  unread: readonly Scope[],
  live: readonly Scope[],
  collected: Collected,
): readonly Scope[] {
  if (unread.length === 0) return unread;
  const read = new Set(live.map(({ place }) => place.root));
  return unread.filter((scope) => {
    const { root } = scope.place;
    return !read.has(root) && root.isBeyond !== true && !isShutAbove(scope, collected);
  });
}

/** Decides sections that have nothing to do with others. @param toRewrite what to rewrite; the rest is context */
function decideScopes(
  given: readonly Scope[],
  toRewrite: readonly Scope[],
  outer: RunWithoutSections,
  decisions: Decisions,
): void {
  const orders = new Set(toRewrite.map(({ order }) => order));
  const { collected, facts, tree } = outer;
  const isInUse = outer.decidedEdits === undefined;
  const inTrees = withSslInTrees(collected.ssl, given, facts.hostsFirst, isComplete(tree), isInUse);
  const { scopes, keptChecks } = inTrees;
  const targetScopes = new Set(scopes.filter(({ order }) => orders.has(order)));
  // Where a 2.2 runs it, what it answers counts, and not what lines for 2.4 alone would change.
  const setters = scopes.filter(
    (scope) =>
      setsSomething(scope) ||
      (collected.shows22 && isReadFor24Alone(scope)) ||
      shutReason(scope, outer) !== undefined,
  );
  const notIncluded = isInUse ? undefined : targetScopes;
  const mixed = findMixedSections(scopes, tree, notIncluded);
  const plain = new ReadRun(scopes, setters, keptChecks, outer, false);
  const isMixed = (order: number): boolean => mixed?.orders.has(order) === true;
  plain.decide(new Set([...orders].filter((order) => !isMixed(order))), undefined, decisions);
  if (mixed !== undefined) decideMixed(mixed, toRewrite, outer, decisions, plain);
}

/** A LoadModule line that shows that a 2.2 runs the configuration. */
export interface LineShowing22 {
  readonly node: Directive;
  /** Lines for 2.2 stay, so that it must stay too. */
  readonly mustStay: boolean;
  /** The groups of the rewrites: if any of them is withdrawn, it must stay too. */
  readonly needs: readonly string[] | undefined;
}

/**
 * The line that the reading of lines for both versions hangs on: without it lines for 2.2 that have not been converted would
 * stand beside lines for 2.4 as those of a 2.4 with mod_access_compat do, and the next run would take them for such.
 */
export function lineShowing22(tree: ConfigTree, dual: boolean | undefined): LineShowing22 | undefined {
  const { shows22, loads22, scopes } = collect(tree);
  // Of a whole server its own files show a later run which version reads the others.
  const says = ({ place: { root } }: Scope): boolean => !tree.isServer || root.role !== 'htaccess';
  const meetsLinesFor24 = shows22 && scopes.some((scope) => isWrittenFor24(scope) && says(scope));
  if (loads22 === undefined || !meetsLinesFor24) return undefined;
  const { findings, edits, refused, rewritten } = decide(tree)(dual);
  // What stands in a file that is answered with 500 meets no other line.
  const mustStay = scopes.some(
    (scope) =>
      scope.lines.old.length > 0 &&
      says(scope) &&
      edits.has(scope.order) &&
      edits.get(scope.order) === undefined &&
      !refused.has(scope),
  );
  const groups = rewritten.flatMap(({ scope, group }) => (says(scope) ? findings.groupOf(group) : []));
  return { node: loads22, mustStay, needs: dual === true ? undefined : [...new Set(groups)] };
}

/** Sections of which what 2.2 reads must not go: nothing takes its place on 2.4, or they have not been converted. */
export function blocksToKeep(tree: ConfigTree): readonly Scope[] {
  const { unlike } = decide(tree)(false);
  const { scopes } = collect(tree);
  return scopes.filter(
    (scope) =>
      scope.only22Count > 0 &&
      (unlike.includes(scope) || (setsAccess(scope) && sectionFor24(scope, scopes) === undefined)),
  );
}

/** Reports, once a group, version blocks in what is written for 2.4 that do not say the same. */
export function reportBlockDifferences(tree: ConfigTree): AccessFinding[] {
  const collected = collect(tree);
  const findings: AccessFinding[] = [];
  for (const inside of [undefined, ...scopesByUnusedPart(collected.scopes)]) {
    const unusedPart = inside?.[0]?.unusedPart;
    const scopes = collected.scopes.filter(
      (scope) => scope.unusedPart === undefined || scope.unusedPart === unusedPart,
    );
    const { live } = splitUnread(scopes, collected.mapping, tree);
    const blocks = new VersionBlocks(live, { facts: factsOf(collected, tree), collected });
    const asked = live.filter((scope) => setsSomething(scope) || hasVersionBlocks(scope));
    for (const group of meetingGroups(asked)) {
      const isOfRoot = (scope: Scope): boolean => hasVersionBlocks(scope) && scope.unusedPart === unusedPart;
      if (!group.some(isOfRoot) || collected.shows22 || !group.some(isWrittenFor24)) continue;
      const difference = blocks.difference(group);
      const scope = difference?.met.findLast(hasVersionBlocks);
      if (difference === undefined || scope === undefined) continue;
      findings.push(blocksDiffer(scope, difference));
    }
  }
  return findings;
}
