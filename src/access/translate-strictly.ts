import { isComplete } from '../config';
import { type Edit, sameEdits } from '../edit';
import type { Directive } from '../syntax';
import type { InheritedStates } from './inherit';
import { type Facts, type Scope, type State, mergePolicy, policyVariants, hasVersionBlocks } from './policy';
import { type MethodMask, OTHER_METHODS } from './primitives';
import type { AccessRun, Refusal, StrictForm } from './report';
import {
  type Rewrite,
  type RewriteProblem,
  type RewrittenSection,
  type TextForm,
  editsIn,
  rewriteStrictly,
} from './rewrite';
import { linesOf, sharingLines } from './translate-places';

const NO_HOST_LIST: RewriteProblem = { kind: 'no-host-list' };

/**
 * A section that joins the password with addresses that the run has not seen, as if nobody had one of these; a problem where its lines stand
 * in several places. What becomes of it is strict, too, where a list lets in everybody.
 */
export function writeWithoutHostList(
  scope: Scope,
  before: readonly State[],
  form: TextForm,
  strict: Map<Scope, StrictForm>,
  group: readonly Scope[],
  run: AccessRun,
): Rewrite {
  const problem = NO_HOST_LIST;
  const [line] = linesOf(scope);
  const isShared = sharingLines(group).some((scopes) => scopes.includes(scope));
  if (line?.node.kind !== 'directive' || isShared || hasVersionBlocks(scope)) return { problem };
  const origin = line.node;
  const unseen = policyVariants(scope).flatMap(({ policy }) =>
    before.flatMap((base) => {
      const { hosts, satisfy } = mergePolicy(base, policy, run.facts);
      const mask = hosts === undefined ? maskOfAny(satisfy, run.facts) : undefined;
      return mask === undefined ? [] : [{ ...base, hosts: nobodysAddress(mask, origin) }];
    }),
  );
  return writeStrictly(scope, [...before, ...unseen], problem, form, strict, group, run) ?? { problem };
}

/** The methods for which an address does in place of the password; undefined if there are none. */
function maskOfAny(satisfy: State['satisfy'], { classes }: Facts): MethodMask | undefined {
  const isAny = (method: string): boolean => satisfy.get(method) === 'any';
  if (!classes.some(isAny)) return undefined;
  const except = isAny(OTHER_METHODS);
  return { except, names: new Set(classes.filter((method) => isAny(method) !== except)) };
}

/** A list that no address is on. */
function nobodysAddress(mask: MethodMask, origin: Directive): State['hosts'] {
  return { orders: [{ order: 'allow,deny', mask, origin }], lines: [] };
}

/**
 * A section in the strictest form; undefined where it has none.
 * @param problem why there is no exact text
 * @param strict gets the section
 */
export function writeStrictly(
  scope: Scope,
  before: readonly State[],
  problem: RewriteProblem,
  form: TextForm,
  strict: Map<Scope, StrictForm>,
  group: readonly Scope[],
  run: AccessRun,
): Rewrite | undefined {
  if (!hasStrictForm(problem) || run.decidedEdits !== undefined) return undefined;
  const noLogin = mayNobodyLogIn([scope], group, run);
  let result = rewriteStrictly(scope, before, run.facts, form, noLogin);
  // Lines that are the strictest form as they stand show by a container that they are.
  if (result.problem === undefined && result.edits.length === 0 && linesOf(scope).length > 0)
    result = rewriteStrictly(scope, before, run.facts, { ...form, marked: true }, noLogin);
  if (result.problem !== undefined) return undefined;
  strict.set(scope, { problem, before, noLogin });
  return result;
}

/** Whether a login lets nobody in: there can be none, or none may be made of a certificate. */
function mayNobodyLogIn(scopes: readonly Scope[], group: readonly Scope[], run: AccessRun): boolean {
  return scopes.some((scope) => run.tls.withoutLogins.has(scope)) || canNobodyLogIn(group, run);
}

/** Whether no request that meets these sections has an AuthType, so that 2.2 answers 500 wherever it asks for a password. */
function canNobodyLogIn(group: readonly Scope[], { tree, unseen, facts }: AccessRun): boolean {
  if (facts.reading !== '2.2' || !isComplete(tree) || unseen !== undefined) return false;
  if (tree.above.length + tree.unreadable.length > 0) return false;
  return group.every((scope) => policyVariants(scope).every(({ policy }) => policy.authType !== true));
}

/**
 * Gives lines that stand in several places, and would need another text in each, the strictest of these.
 * @param rewrites what each place would need alone; those that get one text are replaced
 */
export function writePlacesStrictly(
  rewrites: Map<Scope, RewrittenSection>,
  strict: Map<Scope, StrictForm>,
  group: readonly Scope[],
  inherited: InheritedStates,
  run: AccessRun,
): void {
  if (run.decidedEdits !== undefined) return;
  for (const scopes of sharingLines([...rewrites.keys()])) {
    const haveOneText = (texts: ReadonlyMap<Scope, Rewrite>): boolean => {
      const [first, ...others] = scopes.map((scope) => editsOf(scope, texts));
      return others.every((edits) => edits !== undefined && first !== undefined && sameEdits(edits, first));
    };
    if (haveOneText(rewrites)) continue;
    const before = scopes.flatMap((scope) => inherited.statesBefore(scope) ?? []);
    const noLogin = mayNobodyLogIn(scopes, group, run);
    const results = new Map(
      scopes.map((scope) => [scope, rewriteStrictly(scope, before, run.facts, {}, noLogin)]),
    );
    if (!haveOneText(results)) continue;
    for (const [scope, result] of results) {
      if (result.problem !== undefined) continue;
      rewrites.set(scope, result);
      strict.set(scope, { problem: { kind: 'different-texts' }, before, noLogin });
    }
  }
}

/** What becomes of the file that the lines of a section stand in; undefined where it has no text. */
function editsOf(scope: Scope, texts: ReadonlyMap<Scope, Rewrite>): readonly Edit[] | undefined {
  const text = texts.get(scope);
  return text === undefined || text.problem !== undefined
    ? undefined
    : editsIn(text, linesOf(scope)[0]!.file);
}

/** Whether a section would need several texts, or it cannot be said which of its Require lines count. */
function hasStrictForm(problem: RewriteProblem): boolean {
  return problem.kind === 'inherits' ? hasStrictForm(problem.because) : STRICT_FORMS.has(problem.kind);
}

/** Not those where what an exact text would need has not been given; but who has no server's files has to go without. */
const STRICT_FORMS: ReadonlySet<Refusal['kind']> = new Set<RewriteProblem['kind']>([
  'certificate-asked',
  'depends-on-server',
  'directory-name',
  'maybe-configured',
  'no-expression',
  'no-host-list',
  'no-require',
  'not-loaded',
  'owner-among-others',
  'template-above',
  'test-of-22',
  'too-many-conditionals',
  'too-many-kinds',
  'too-many-sections',
  'too-many-ways',
  'trace',
  'two-group-files',
]);
