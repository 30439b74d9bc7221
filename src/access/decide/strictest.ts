import { isComplete } from '../../config';
import { type Edit, sameEdits } from '../../edit';
import {
  type Facts,
  type Scope,
  type State,
  hasVersionBlocks,
  mergePolicy,
  policiesOf,
  statesWith,
  surelyLetIn,
} from '../policy';
import { EMPTY_LIST, type MethodMask, OTHER_METHODS } from '../primitives';
import { type AccessRun, hasStrictForm } from '../report';
import {
  type Rewrite,
  type RewriteProblem,
  type TextForm,
  editsIn,
  mergedStates,
  rewriteStrictly,
  strictestByDirectory,
} from '../rewrite';
import { mayMeetOneOf } from '../subrequests';
import type { AccessGroup, Restated } from './group';
import { rewritableLines, sharingLines } from './lines';

const NO_HOST_LIST: RewriteProblem = { kind: 'no-host-list' };

/**
 * Satisfy Any says nothing but that an address will do in place of the password. Where no list of hosts is in force, the one that
 * is meant stands in a file that is not at hand: to take it for empty would let everybody in. A configuration that is given
 * together with what it serves is taken for all there is, and the message says so.
 */
export function needsHostsNotSeen(scope: Scope, before: readonly State[], run: AccessRun): boolean {
  const whole = run.tree.isServer || (run.tree.roots.length > 0 && run.tree.directories.length > 0);
  if (whole || scope.reading !== '2.2') return false;
  return policiesOf(scope).some(
    ({ policy }) =>
      policy.hosts === undefined &&
      (policy.requires !== undefined || policy.satisfy.length > 0) &&
      before.some((base) => {
        const { hosts, requires, satisfy } = mergePolicy(base, policy, run.facts);
        return hosts === undefined && requires !== undefined && [...satisfy.values()].includes('any');
      }),
  );
}

/**
 * A section that joins the password with addresses that the run has not seen, as if nobody had one of these; a problem where its
 * lines stand in several places. What becomes of it is strict, too, where a list lets in everybody.
 */
export function textWithoutHostList(
  group: AccessGroup,
  scope: Scope,
  before: readonly State[],
  form: TextForm,
): Restated {
  const { met, run } = group;
  const [line] = rewritableLines(scope);
  const isShared = sharingLines(met).some((scopes) => scopes.includes(scope));
  if (line === undefined || isShared || hasVersionBlocks(scope))
    return { rewrite: { problem: NO_HOST_LIST } };
  const origin = line.node;
  // With a list that no address is on.
  const unseen = policiesOf(scope).flatMap(({ policy }) =>
    before.flatMap((base): State[] => {
      const { hosts, satisfy } = mergePolicy(base, policy, run.facts);
      const mask = hosts === undefined ? maskOfAny(satisfy, run.facts) : undefined;
      return mask === undefined
        ? []
        : [{ ...base, hosts: { orders: [{ order: 'allow,deny', mask, origin }], lines: [] } }];
    }),
  );
  return strictestText(group, scope, [...before, ...unseen], NO_HOST_LIST, form);
}

/** The methods for which an address does in place of the password; undefined if there are none. */
function maskOfAny(satisfy: State['satisfy'], { classes }: Facts): MethodMask | undefined {
  const isAny = (method: string): boolean => satisfy.get(method) === 'any';
  if (!classes.some(isAny)) return undefined;
  const except = isAny(OTHER_METHODS);
  return { except, names: new Set(classes.filter((method) => isAny(method) !== except)) };
}

/** A section in the strictest form; where it has none, the problem. @param problem why there is no exact text */
export function strictestText(
  { inherited, run }: AccessGroup,
  scope: Scope,
  before: readonly State[],
  problem: RewriteProblem,
  form: TextForm,
): Restated {
  if (!hasStrictForm(problem) || run.decidedEdits !== undefined) return { rewrite: { problem } };
  const noLogin = (states: readonly State[]): boolean => hasNoLogin([scope], states, run);
  // What has not been seen comes by no route.
  const isAsSeen = before === inherited.statesBefore(scope);
  const mayAsk = isAsSeen && !run.tls.withoutLogins.has(scope);
  const found = mayAsk ? inherited.statesByDirectory(scope) : undefined;
  const directories = found && strictestByDirectory(scope, found, run.facts, noLogin);
  const write = (as: TextForm): ReturnType<typeof rewriteStrictly> =>
    rewriteStrictly(scope, before, run.facts, as, noLogin(before), directories);
  let { rewrite, inDirectories } = write(form);
  // Lines that are the strictest form as they stand show by a container that they are.
  if (rewrite.problem === undefined && rewrite.edits.length === 0 && rewritableLines(scope).length > 0)
    ({ rewrite, inDirectories } = write({ ...form, marked: true }));
  if (rewrite.problem !== undefined) return { rewrite: { problem } };
  if (inDirectories?.isExact === true && problem.kind === 'inherits') return { rewrite };
  const { states, refused } = inDirectories ?? { states: before, refused: EMPTY_LIST };
  return { rewrite, strict: { problem, before: states, noLogin, refused } };
}

/**
 * Whether the strictest form asks nobody for a password: where none may be made of a certificate, and where no AuthType is in
 * force for any request, or for some that need no password in 2.2, to which 2.4 would answer 500.
 */
function hasNoLogin(scopes: readonly Scope[], before: readonly State[], run: AccessRun): boolean {
  if (scopes.some((scope) => run.tls.withoutLogins.has(scope))) return true;
  const { tree, unseen, facts } = run;
  if (facts.reading !== '2.2' || !isComplete(tree) || unseen !== undefined) return false;
  if (tree.unreadable.length > 0) return false;
  const states = scopes.flatMap((scope) => mergedStates(scope, before, facts));
  const without = states.filter(({ authType }) => authType !== true);
  return (
    without.length === states.length ||
    without.some((state) => surelyLetIn(state, facts, true).some(({ kind }) => kind !== 'false'))
  );
}

/** Gives lines that stand in several places, and would need another text in each, the strictest of these. */
export function restatePlacesStrictly(group: AccessGroup): AccessGroup {
  const { inherited, run } = group;
  if (group.isKept || run.decidedEdits !== undefined || group.rewrites.size < 2) return group;
  const sharing = sharingLines([...group.rewrites.keys()]);
  if (sharing.length === 0) return group;
  const rewrites = new Map(group.rewrites);
  const strict = new Map(group.strict);
  for (const scopes of sharing) {
    const haveOneText = (texts: ReadonlyMap<Scope, Rewrite>): boolean => {
      const [first, ...others] = scopes.map((scope) => editsInFile(scope, texts));
      return others.every((edits) => edits !== undefined && first !== undefined && sameEdits(edits, first));
    };
    if (haveOneText(rewrites)) continue;
    const before = scopes.flatMap((scope) => inherited.statesBefore(scope) ?? []);
    const noLogin = (states: readonly State[]): boolean => hasNoLogin(scopes, states, run);
    const results = new Map(
      scopes.map((scope) => [scope, rewriteStrictly(scope, before, run.facts, {}, noLogin(before))]),
    );
    if (!haveOneText(new Map([...results].map(([scope, { rewrite }]) => [scope, rewrite])))) continue;
    for (const [scope, { rewrite }] of results) {
      if (rewrite.problem !== undefined) continue;
      rewrites.set(scope, rewrite);
      const problem = { kind: 'different-texts' } as const;
      strict.set(scope, { problem, before, noLogin, refused: EMPTY_LIST });
    }
  }
  return { ...group, rewrites, strict };
}

/** Notes of exact texts that a check of TLS beside them refuses whom 2.2 let in by a password. */
export function noteChecksThatStay(group: AccessGroup): AccessGroup {
  const { met, inherited, rewrites, run } = group;
  if (run.keptChecks.size === 0) return group;
  const strict = new Map(group.strict);
  const meetsCheck = mayMeetOneOf(
    met.filter(({ ssl }) => ssl.length > 0),
    run.collected.mapping,
  );
  for (const scope of rewrites.keys()) {
    const check = run.keptChecks.get(scope);
    if (check === undefined || strict.has(scope) || !meetsCheck(scope)) continue;
    const states = statesWith(scope, inherited.statesBefore(scope) ?? EMPTY_LIST, run.facts);
    // Whom the check refuses a password may let in.
    const letsInOtherwise = states.some(
      ({ satisfy, requires, authz }) =>
        (requires ?? authz) !== undefined && [...satisfy.values()].includes('any'),
    );
    if (letsInOtherwise) strict.set(scope, check);
  }
  return { ...group, strict };
}

/** What becomes of the file that the lines of a section stand in; undefined where it has no text. */
function editsInFile(scope: Scope, texts: ReadonlyMap<Scope, Rewrite>): readonly Edit[] | undefined {
  const text = texts.get(scope);
  return text === undefined || text.problem !== undefined
    ? undefined
    : editsIn(text, rewritableLines(scope)[0]!.file);
}
