import { sameEdits } from '../edit';
import type { InheritedStates } from './inherit';
import type { Scope, State } from './policy';
import type { AccessRun, Refusal, StrictForm } from './report';
import { type RewriteProblem, type RewrittenSection, rewriteStrictly } from './rewrite';
import { sharingLines } from './translate-places';

/**
 * Writes a section in the strictest form, where there is one.
 * @param problem why there is no exact text
 * @param rewrites gets it; `strict` gets why
 */
export function writeStrictly(
  scope: Scope,
  before: readonly State[],
  problem: RewriteProblem,
  rewrites: Map<Scope, RewrittenSection>,
  strict: Map<Scope, StrictForm>,
  run: AccessRun,
): boolean {
  if (!hasStrictForm(problem) || run.decidedEdits !== undefined) return false;
  const result = rewriteStrictly(scope, before, run.facts);
  if (result.problem !== undefined) return false;
  rewrites.set(scope, result);
  strict.set(scope, { problem, before });
  return true;
}

/**
 * Gives lines that stand in several places, and would need another text in each, the strictest of these.
 * @param rewrites what each place would need alone; those that get one text are replaced
 */
export function writePlacesStrictly(
  rewrites: Map<Scope, RewrittenSection>,
  strict: Map<Scope, StrictForm>,
  inherited: InheritedStates,
  run: AccessRun,
): void {
  if (run.decidedEdits !== undefined) return;
  for (const scopes of sharingLines([...rewrites.keys()])) {
    const { edits } = rewrites.get(scopes[0]!)!;
    if (scopes.every((scope) => sameEdits(rewrites.get(scope)!.edits, edits))) continue;
    const before = scopes.flatMap((scope) => inherited.statesBefore(scope) ?? []);
    const results = scopes.map((scope) => rewriteStrictly(scope, before, run.facts));
    const [first] = results;
    if (first === undefined || first.problem !== undefined) continue;
    const isSame = results.every(
      (result) => result.problem === undefined && sameEdits(result.edits, first.edits),
    );
    if (!isSame) continue;
    scopes.forEach((scope, i) => {
      const result = results[i]!;
      if (result.problem !== undefined) return;
      rewrites.set(scope, result);
      strict.set(scope, { problem: { kind: 'different-texts' }, before });
    });
  }
}

/** Whether a section would need several texts, or it cannot be said which of its Require lines count. */
function hasStrictForm(problem: RewriteProblem): boolean {
  return problem.kind === 'inherits' ? hasStrictForm(problem.because) : STRICT_FORMS.has(problem.kind);
}

/** Not those where something has not been given: with it there may be an exact text. */
const STRICT_FORMS: ReadonlySet<Refusal['kind']> = new Set<RewriteProblem['kind']>([
  'depends-on-server',
  'directory-name',
  'no-expression',
  'no-require',
  'not-loaded',
  'no-group-file',
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
