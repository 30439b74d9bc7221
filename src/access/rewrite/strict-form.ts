import { isNeverMetBy22 } from '../collect';
import {
  type Facts,
  type Scope,
  type State,
  decisionIn,
  decisionKey,
  directoryIn,
  statesWith,
  surelyLetIn,
} from '../policy';
import {
  EMPTY_LIST,
  type Expr,
  OTHER_METHODS,
  and,
  areEquivalent,
  groupBy,
  not,
  strictest,
} from '../primitives';
import type { StatesByDirectory } from '../inherit';
import { ask, byDirectory, directoryOfAll } from './cases';
import { type Rewrite, placeRewrite } from './placement';
import { requestTest } from './request-tests';
import { type TextForm, TRACE, replacedLines, write } from './rewrite';

interface StrictRewrite {
  readonly rewrite: Rewrite;
  /** What is decided where it hangs on the directory; undefined where nothing else than for all is. */
  readonly inDirectories: InDirectories | undefined;
}

/**
 * Restates a scope so that a request gets in only if it would get in under every state that the scope can be merged over: for
 * what no text of 2.4 says exactly. It opens nothing, whatever the request has met.
 * @param statesBefore as for {@link rewrite}
 * @param nobodyLogsIn as for {@link surelyLetIn}
 * @param inDirectories what it may say in its place, where that lets in others
 */
export function rewriteStrictly(
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
  { marked, inSection }: TextForm,
  nobodyLogsIn: boolean,
  inDirectories?: InDirectories,
): StrictRewrite {
  const all = strictestIn(scope, statesBefore, facts, nobodyLogsIn);
  const isBetter = inDirectories?.exprs.some((expr, i) => !areEquivalent(expr, all[i]!)) === true;
  const exprs = isBetter ? inDirectories.exprs : all;
  const isMixed = mergedStates(scope, statesBefore, facts).some(
    (state) => decisionIn(state, facts).mixed === true,
  );
  const output = write(scope, exprs, isMixed || marked === true, facts);
  return {
    rewrite: output === undefined ? TRACE : placeRewrite(scope, replacedLines(scope), output, inSection),
    inDirectories: isBetter ? inDirectories : undefined,
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

/** A section that says in each directory what is surely decided there. */
export interface InDirectories extends StatesByDirectory {
  readonly exprs: readonly Expr[];
  /** Nothing else hangs on how a request came, so that it says what 2.2 does. */
  readonly isExact: boolean;
}

/**
 * Restates a scope so that in each directory a request gets in only if it would under every state that there is there. Files of
 * sections that let nobody in by themselves, as those for `.ht` files, are refused, lest more be asked of all others.
 * @param nobodyLogsIn as for {@link surelyLetIn}, in these states
 * @returns undefined where 2.4 cannot ask for the directory, or for these files
 */
export function strictestByDirectory(
  scope: Scope,
  { states, refused }: StatesByDirectory,
  facts: Facts,
  nobodyLogsIn: (states: readonly State[]) => boolean,
): InDirectories | undefined {
  const { drives } = facts;
  const tests = refused.map((section) => requestTest(section, { scope, here: undefined, drives }));
  const known = tests.filter((test) => test !== undefined);
  const inside = groupBy(states, directoryIn);
  const anywhere = inside.get(undefined) ?? EMPTY_LIST;
  inside.delete(undefined);
  if (inside.size === 0 || known.length < tests.length) return undefined;
  let isExact = refused.length === 0;
  const surely = (among: readonly State[]): readonly Expr[] => {
    isExact = false;
    return strictestIn(scope, among, facts, nobodyLogsIn(among));
  };
  const inDirectories = new Map<string, readonly Expr[]>();
  for (const [path, list] of inside) {
    const found = [...list, ...anywhere];
    const [decision, ...others] = mergedStates(scope, found, facts).map((state) => decisionIn(state, facts));
    const isOne = others.every((other) => decisionKey(other) === decisionKey(decision!));
    inDirectories.set(path!, (isOne ? decision!.exprs : undefined) ?? surely(found));
  }
  const from = { scope, here: directoryOfAll(scope, states), drives };
  const exprs = byDirectory(inDirectories, () => surely(states), facts, from);
  if (exprs === undefined) return undefined;
  const others = ask(and(known.map(not)));
  return { states, refused, isExact, exprs: exprs.map((expr) => and([expr, others])) };
}
