import { holds } from '../../httpd/facts';
import { NEWEST } from '../../httpd/release';
import { type ConfigTree, accessNamesByHost } from '../../config';
import { type MisplacedLine, type PerRequestLine, serverDirectory } from '../collect';
import { hasCounterpart } from '../inherit';
import {
  type AllowOverrideIndex,
  type LinesFate,
  canKeepOut,
  fateOfLines,
  fatesOf,
  forReading,
  forbiddenIn,
  linesToWiden,
  sectionsLetIn,
} from '../override';
import { type Scope, directoryOf, hasLinesForEachVersion, hasVersionBlocks, saysSatisfyAny } from '../policy';
import { memo, parentOf, directoriesAbove } from '../primitives';
import { ACCESS_RULE, type AccessRun, type Refusal, fileOf, isOfLines } from '../report';
import type { AccessGroup } from './group';
import { restatedBranch } from './restated-branch';
import { isRefusedAsWritten, withRefusals } from './unconverted';

/** Refuses each section that cannot be rewritten, whatever it meets. */
export function refuseByLines(group: AccessGroup): AccessGroup {
  const refusals = new Map<Scope, Refusal>();
  for (const scope of group.targets) {
    const refusal = group.denied.has(scope)
      ? undefined
      : sectionRefusal(group.unwrapped.get(scope) ?? scope, group);
    if (refusal !== undefined) refusals.set(scope, leftInFile(scope, refusal, group.run) ?? refusal);
  }
  return refusals.size === 0 ? group : withRefusals(group, refusals);
}

/** What cannot be written for its lines stays for its file where that is a 500 to 2.4 as it stands: it keeps nobody else. */
function leftInFile(scope: Scope, refusal: Refusal, run: AccessRun): Refusal | undefined {
  const { root } = scope.place;
  if (root.role !== 'htaccess' || run.tree.cannotWrite?.(root) !== true || !isOfLines(refusal))
    return undefined;
  const why = run.tree.keeps?.(scope.file, ACCESS_RULE, [{ start: 0, end: 0 }]);
  return why !== undefined && isRefusedAsWritten(scope, run, 'below-unread')
    ? { kind: 'left-alone', why }
    : undefined;
}

/**
 * Refuses sections with old lines because of other sections that the same request can meet: one that is written for 2.4, or,
 * where no file includes the old lines, one with blocks for each version.
 */
export function refuseByContext(group: AccessGroup): AccessGroup {
  const { met, targets, modernScope, run } = group;
  // How a file would be rewritten if it were in use is not known where those in use have blocks for both versions.
  const blocks =
    run.decidedEdits === undefined
      ? undefined
      : met.find((scope) => hasVersionBlocks(scope) && !targets.includes(scope));
  const other = modernScope ?? blocks;
  if (other === undefined) return group;
  const kind = modernScope === undefined ? 'not-included-meets-blocks' : 'meets-modern';
  const refusals = new Map(group.refusals);
  for (const scope of targets)
    if (scope.lines.old.length > 0 && !refusals.has(scope)) refusals.set(scope, { kind, other });
  return withRefusals(group, refusals);
}

/** Ends it where all that is refused is what a section would mean to others if a server read it: it is converted by itself. */
export function endOutOfContext(group: AccessGroup): AccessGroup {
  const isForContext = ({ kind }: Refusal): boolean =>
    kind === 'not-included-meets-blocks' || kind === 'not-included-changes';
  return group.refusals.size > 0 && [...group.refusals.values()].every(isForContext)
    ? { ...group, ending: 'not-in-context' }
    : group;
}

/** Why a scope cannot be rewritten whatever it meets. */
function sectionRefusal(scope: Scope, group: AccessGroup): Refusal | undefined {
  const { run } = group;
  const question = run.openQuestions?.get(scope.order);
  if (question !== undefined) return question;
  if (run.dual && scope.reading === 'compat' && scope.lines.old.length > 0) return { kind: 'nothing-for-22' };
  if (scope.lines.old.length > 0) {
    const perRequest = perRequestLine(scope, run);
    if (perRequest !== undefined)
      return { kind: 'per-request-block', node: perRequest.node, file: perRequest.place.file };
    const directory = unreadAbove(scope, run.tree);
    if (directory !== undefined) return { kind: 'below-unread', directory };
    const line = looseLine(scope, run);
    if (line !== undefined) return { kind: 'loose-line', line };
  }
  const first = scope.problems.find(
    ({ problem }) => problem.kind !== 'per-request-block' || run.collected.shows22,
  );
  if (first !== undefined) return first.problem;
  const strange = scope.unanswered[0];
  if (strange !== undefined && !run.facts.onlyKnownModules)
    return { kind: 'unknown-keyword', ...strange, file: fileOf(scope, strange.node) };
  if (scope.lines.old.length > 0 && scope.modernLine !== undefined) return { kind: 'mixed' };
  if (scope.lines.old.length > 0 && (scope.only22Count > 0 || scope.only24Count > 0))
    return { kind: 'partly-one-version' };
  if (scope.only22Count > 0 && scope.modernLine === undefined && !hasCounterpart(scope, run.collected.scopes))
    return { kind: 'no-counterpart', reading: scope.reading };
  const check = run.keptChecks.get(scope);
  if (check !== undefined && saysSatisfyAny(scope) && run.decidedEdits !== undefined)
    return { kind: 'ssl-without-satisfy', directive: check.directive };
  return reasonFromAround(scope, group);
}

/**
 * A line in a block that is decided for each request (`<If>`), where it may come after the section. One in a `.htaccess` comes
 * after all that stands in its directory and below.
 */
function perRequestLine(scope: Scope, { collected, tree }: AccessRun): PerRequestLine | undefined {
  const { server, byDirectory } = collected.perRequest;
  if (server !== undefined || byDirectory.size === 0) return server;
  // Where a lone file stands among others is not known.
  if (!tree.isServer && tree.directories.length === 0) return byDirectory.values().next().value;
  const { root } = scope.place;
  // Beside a server of 2.2 it is that file which is refused: it keeps none of the server's sections from being converted.
  if (root.role !== 'htaccess' && tree.isServer && collected.shows22) return undefined;
  const places = root.role === 'htaccess' ? root.directories : [directoryOf(scope) ?? '/'];
  return places
    .flatMap((place) => [place, ...directoriesAbove(place)])
    .map((directory) => byDirectory.get(directory))
    .find((line) => line !== undefined);
}

/**
 * A directory above a section whose `.htaccess` is there and has not been read: a password that it asks for would be asked for no
 * more where the section's own Require takes its place.
 */
export function unreadAbove(scope: Scope, tree: ConfigTree): string | undefined {
  const unread = unreadDirectories(tree);
  if (unread.size === 0) return undefined;
  const { root } = scope.place;
  const places =
    root.role === 'htaccess' ? root.directories.map(serverDirectory) : [directoryOf(scope) ?? '/'];
  return places.flatMap(directoriesAbove).find((directory) => unread.has(directory));
}

const unreadDirectories = memo(
  ({ unread, unvisited, tooMuch = new Set() }: ConfigTree): ReadonlySet<string> =>
    new Set([
      ...unread
        .flatMap(({ role, directories }) => (role === 'htaccess' ? directories : []))
        .map(serverDirectory),
      ...[...tooMuch].map((path) => parentOf(serverDirectory(path))),
      // Of what stands for its own directory, as a link to nothing does, there is no file.
      ...unvisited.flatMap(({ path, within = path }) => (within === path ? [] : [within])),
    ]),
);

/** A line to stand before the section, where the file that includes it is not in the run: its own section is not known. */
function looseLine({ place }: Scope, { tree, collected }: AccessRun): MisplacedLine | undefined {
  if (tree.isServer && place.root.role !== 'unreached') return undefined;
  return collected.misplaced.find((line) => line.reason === 'no-section' && line.place.root === place.root);
}

/** What other files say, or may say, about a section. */
function reasonFromAround(scope: Scope, group: AccessGroup): Refusal | undefined {
  const { overrides, tree } = group.run;
  if (scope.place.root.role === 'htaccess' && tree.accessDiffers && accessNamesByHost(tree) === undefined)
    return { kind: 'access-file-name' };
  const ofOverride = fatesOf(scope, overrides).has('taken')
    ? differingOverrides(scope, overrides)
    : overrideRefusal(scope, overrides);
  return ofOverride ?? listReason(scope, group);
}

/**
 * The AllowOverrideList that a rewrite needs applies to every file below the line: one that 2.2 answers 500 to would be read, if
 * no section for its directory can keep the list from it.
 */
function listReason(scope: Scope, group: AccessGroup): Refusal | undefined {
  const { overrides, collected, versionBlocks, tree } = group.run;
  if (scope.lines.old.length === 0) return undefined;
  const lines = linesToWiden(scope, overrides);
  if (lines.size === 0) return undefined;
  const target = tree.target ?? NEWEST;
  if (!holds('override-list-replaced', target)) return { kind: 'override-list-stays', target };
  const letIn = sectionsLetIn(lines, new Set([scope.place.root]), {
    others: collected.scopes,
    overrides,
    isMeant: (each) =>
      isTwin(each, versionBlocks) || (group.met.includes(each) && restatedBranch(each, group) !== undefined),
  });
  const other = letIn.find((each) => !canKeepOut(each, lines, overrides));
  return other && { kind: 'override-wakes', other };
}

/** A section with a half for each version that say the same, as far as that is known. */
export function isTwin(scope: Scope, versionBlocks: AccessRun['versionBlocks']): boolean {
  return hasLinesForEachVersion(scope) && versionBlocks.difference([scope]) === undefined;
}

/**
 * Whether the file may say it for some requests and not for others, and 2.4 would not answer 500 to these once it says the same
 * in Require lines. What has such lines alone is forbidden there where it was in 2.2.
 */
function differingOverrides(scope: Scope, overrides: AllowOverrideIndex): Refusal | undefined {
  if (scope.reading === '2.2' && scope.lines.old.length + scope.unanswered.length === 0) return undefined;
  const fates = fatesOf(scope, overrides);
  if (fates.size === 1) return undefined;
  // Of lines that are split over blocks it is not known whether a Require line stands wherever one of them did.
  const isShutByRequire = scope.policies === undefined && !fates.has('refused-by-22');
  return isShutByRequire ? undefined : refusalByServer(scope, overrides);
}

/** What differs by server, or by a conditional around AllowOverride. */
export function refusalByServer(scope: Scope, overrides: AllowOverrideIndex): Refusal {
  const seen = new Map<Scope['vhost'], LinesFate | undefined>();
  for (const state of overrides.statesFor(scope)) {
    const fate = fateOfLines(scope, state, overrides);
    if (seen.has(state.vhost) && seen.get(state.vhost) !== fate) return { kind: 'override-in-conditional' };
    seen.set(state.vhost, fate);
  }
  return { kind: 'override-by-host' };
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
export function overrideRefusal(scope: Scope, overrides: AllowOverrideIndex): Refusal | undefined {
  const ofBoth = scope.reading !== '2.2' ? scope.lines.requires.length : 0;
  if (scope.lines.old.length + scope.unanswered.length + ofBoth === 0) return undefined;
  for (const state of overrides.statesFor(scope)) {
    const inForce = forReading(state, scope);
    if (!inForce.isRead || inForce.line === undefined) continue;
    const forbidden = forbiddenIn(scope, state, overrides);
    if (forbidden === undefined) continue;
    const what = forbidden === 'access' ? 'it' : forbidden.name;
    const isSure = scope.aroundLines.length === 0 && scope.policies === undefined;
    return { kind: 'override-forbids', what, isSure, words: inForce.line.words, reading: scope.reading };
  }
  return undefined;
}
