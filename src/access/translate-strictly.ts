import { type Edit, sameEdits } from '../edit';
import type { InheritedStates } from './inherit';
import type { Scope, State } from './policy';
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
  run: AccessRun,
): Rewrite | undefined {
  if (!hasStrictForm(problem) || run.decidedEdits !== undefined) return undefined;
  let result = rewriteStrictly(scope, before, run.facts, form);
  // Lines that are the strictest form as they stand show by a container that they are.
  if (result.problem === undefined && result.edits.length === 0 && linesOf(scope).length > 0)
    result = rewriteStrictly(scope, before, run.facts, { ...form, marked: true });
  if (result.problem !== undefined) return undefined;
  strict.set(scope, { problem, before });
  return result;
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
    const haveOneText = (texts: ReadonlyMap<Scope, Rewrite>): boolean => {
      const [first, ...others] = scopes.map((scope) => editsOf(scope, texts));
      return others.every((edits) => edits !== undefined && first !== undefined && sameEdits(edits, first));
    };
    if (haveOneText(rewrites)) continue;
    const before = scopes.flatMap((scope) => inherited.statesBefore(scope) ?? []);
    const results = new Map(scopes.map((scope) => [scope, rewriteStrictly(scope, before, run.facts, {})]));
    if (!haveOneText(results)) continue;
    for (const [scope, result] of results) {
      if (result.problem !== undefined) continue;
      rewrites.set(scope, result);
      strict.set(scope, { problem: { kind: 'different-texts' }, before });
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

/** Not those where something has not been given: with it there may be an exact text. */
const STRICT_FORMS: ReadonlySet<Refusal['kind']> = new Set<RewriteProblem['kind']>([
  'depends-on-server',
  'directory-name',
  'maybe-configured',
  'no-expression',
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
