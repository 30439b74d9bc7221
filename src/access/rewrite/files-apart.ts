import {
  type Facts,
  INITIAL,
  type Scope,
  type State,
  mergePolicy,
  policyVariants,
  surelyLetIn,
} from '../policy';
import { type Expr, and, not } from '../primitives';
import { ask } from './cases';
import { requestTest } from './request-tests';

/** The states before a section but for those of some files. */
export interface FilesApart {
  /** The Files sections for these. */
  readonly files: readonly Scope[];
  readonly states: readonly State[];
  /** That a request is for none of them. */
  readonly test: Expr;
}

/**
 * Sets apart the files of sections that let nobody in by themselves, as those for `.ht` files: for their sake a text in the
 * strictest form need not ask more of all other requests, if it refuses these.
 * @param routes the states before the section, each with how a request comes to it
 */
export function filesApart(
  scope: Scope,
  routes: readonly State[] | undefined,
  facts: Facts,
): FilesApart | undefined {
  const files = new Set<Scope>();
  for (const { when } of routes ?? [])
    for (const test of when)
      if (test.kind === 'match' && test.is && test.scope.kind === 'files' && letsNobodyIn(test.scope, facts))
        files.add(test.scope);
  const tests = [...files].map((section) => requestTest(section, { scope, here: undefined }, facts.drives));
  const states = (routes ?? []).filter(
    ({ when }) => !when.some((test) => test.kind === 'match' && test.is && files.has(test.scope)),
  );
  const known = tests.filter((test) => test !== undefined);
  if (known.length === 0 || known.length < tests.length || states.length === 0) return undefined;
  return { files: [...files], states, test: ask(and(known.map(not))) };
}

function letsNobodyIn(scope: Scope, facts: Facts): boolean {
  return policyVariants(scope).every(({ policy }) =>
    surelyLetIn(mergePolicy(INITIAL, policy, facts), facts).every(({ kind }) => kind === 'false'),
  );
}
