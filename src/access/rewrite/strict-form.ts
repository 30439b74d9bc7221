import { isNeverMetBy22 } from '../collect';
import { type Facts, INITIAL, type Scope, type State, decisionIn, statesWith, surelyLetIn } from '../policy';
import { EMPTY_LIST, type Expr, OTHER_METHODS, and, areEquivalent, not, strictest } from '../primitives';
import { ask } from './cases';
import { type Rewrite, placeRewrite } from './placement';
import { requestTest } from './request-tests';
import { type TextForm, TRACE, replacedLines, write } from './rewrite';

interface StrictRewrite {
  readonly rewrite: Rewrite;
  /** Files sections whose files it refuses to everybody. */
  readonly refused: readonly Scope[];
}

/**
 * Restates a scope so that a request gets in only if it would get in under every state that the scope can be merged over: for
 * what no text of 2.4 says exactly. It opens nothing, whatever the request has met.
 * @param statesBefore as for {@link rewrite}
 * @param nobodyLogsIn as for {@link surelyLetIn}
 * @param apart what it may refuse, so that it lets in more of the others
 */
export function rewriteStrictly(
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
  { marked, inSection }: TextForm,
  nobodyLogsIn: boolean,
  apart?: ExceptedFiles,
): StrictRewrite {
  const all = strictestIn(scope, statesBefore, facts, nobodyLogsIn);
  const others = apart && strictestIn(scope, apart.states, facts, nobodyLogsIn);
  const isBetter = others !== undefined && !others.every((expr, i) => areEquivalent(expr, all[i]!));
  const exprs = isBetter ? others.map((expr) => and([expr, apart!.test])) : all;
  const isMixed = mergedStates(scope, statesBefore, facts).some(
    (state) => decisionIn(state, facts).mixed === true,
  );
  const output = write(scope, exprs, isMixed || marked === true, facts);
  return {
    rewrite: output === undefined ? TRACE : placeRewrite(scope, replacedLines(scope), output, inSection),
    refused: isBetter ? apart!.files : EMPTY_LIST,
  };
}

/** The states with the section merged, by its conditionals; of one that no request of 2.2 meets, those before it too. */
export function mergedStates(scope: Scope, statesBefore: readonly State[], facts: Facts): readonly State[] {
  const merged = statesWith(scope, statesBefore, facts);
  return isNeverMetBy22(scope) ? [...merged, ...statesBefore] : merged;
}

/** Whom every one of these states lets in, one expression a method class. */
function strictestIn(
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
  nobodyLogsIn: boolean,
): readonly Expr[] {
  const routes = mergedStates(scope, statesBefore, facts);
  const decisions = routes.map((state) => surelyLetIn(state, facts, nobodyLogsIn));
  const exprs = facts.classes.map((_, i) => strictest(decisions.map((each) => each[i]!)));
  // TRACE cannot stand in a Limit: it gets what all others get.
  const [trace, others] = ['TRACE', OTHER_METHODS].map((method) => facts.classes.indexOf(method));
  if (trace !== undefined && others !== undefined && trace >= 0 && others >= 0)
    exprs[trace] = exprs[others] = strictest([exprs[trace]!, exprs[others]!]);
  return exprs;
}

/** The states before a section but for those of some files. */
export interface ExceptedFiles {
  readonly files: readonly Scope[];
  readonly states: readonly State[];
  readonly test: Expr;
}

/**
 * Sets apart the files of sections that let nobody in by themselves, as those for `.ht` files: for their sake a text in the
 * strictest form need not ask more of all other requests, if it refuses these.
 * @param routes the states before the section, each with how a request comes to it
 */
export function exceptedFiles(
  scope: Scope,
  routes: readonly State[] | undefined,
  facts: Facts,
): ExceptedFiles | undefined {
  const matched = new Set<Scope>();
  for (const { when } of routes ?? [])
    for (const test of when)
      if (test.kind === 'match' && test.is && test.scope.kind === 'files') matched.add(test.scope);
  const files = new Set([...matched].filter((section) => letsNobodyIn(section, facts)));
  const tests = [...files].map((section) =>
    requestTest(section, { scope, here: undefined, drives: facts.drives }),
  );
  const states = (routes ?? []).filter(
    ({ when }) => !when.some((test) => test.kind === 'match' && test.is && files.has(test.scope)),
  );
  const known = tests.filter((test) => test !== undefined);
  if (known.length === 0 || known.length < tests.length || states.length === 0) return undefined;
  return { files: [...files], states, test: ask(and(known.map(not))) };
}

function letsNobodyIn(scope: Scope, facts: Facts): boolean {
  return statesWith(scope, [INITIAL], facts).every((state) =>
    surelyLetIn(state, facts).every(({ kind }) => kind === 'false'),
  );
}
