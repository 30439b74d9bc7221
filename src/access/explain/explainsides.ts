import { classOf, decide22, decide24, decideCompat, state22, state24, stateCompat } from '../models';
import type { Governor } from '../override';
import { type Facts, INITIAL, type Scope, type State, merge, ownUnder, treeOf } from '../policy';
import type { AccessRequest, Answer } from '../primitives';
import { forbidden } from '../report';
import { type Line, type State22, linesOf22, liveOf, placeOf, reason22, stateOf22 } from './explained';
import { type Line24, leftLines, linesOf24, reason24 } from './explained24';

interface Step {
  readonly section: string;
  readonly file: string;
  readonly line: number;
  /** What the request would get if no further section came. */
  readonly answer: Answer;
}

/** One section on the request's way as 2.2 takes it in. */
export interface Step22 extends Step {
  readonly sets: readonly Line[];
  readonly state: State22;
}

/** One section of the rewrite as 2.4 takes it in. */
export interface Step24 extends Step {
  /** Its Require lines and containers; a section without any inherits. */
  readonly sets: readonly Line24[];
  /** Lines of 2.2 that the rewrite left. */
  readonly left: readonly Line[];
}

export interface Verdict {
  readonly answer: Answer;
  readonly why: string;
}

/** What the configuration says as it is: to a 2.2, or, where lines of both kinds meet, to a 2.4 with mod_access_compat. */
export interface Before extends Verdict {
  readonly reading: '2.2' | 'compat';
  readonly steps: readonly Step22[];
}

export interface After extends Verdict {
  readonly steps: readonly Step24[];
  /** What it would answer with mod_access_compat, where the rewrite left lines that need it. */
  readonly compat: Answer | undefined;
}

/**
 * What a 2.4 with mod_access_compat makes of lines of both kinds.
 * @param met the sections under the reading `compat`; `facts` too
 */
export function explainCompat(
  met: readonly Scope[],
  facts: Facts,
  request: AccessRequest,
  unknown: string[],
): Before {
  const steps = met.map((scope, i): Step22 => {
    const state = stateCompat(met.slice(0, i + 1), facts, request.config);
    const lines24 = scope.lines24.flatMap(({ node, file }) =>
      node.kind === 'directive'
        ? [
            {
              text: `${node.name} ${node.rest}`,
              file: file.name,
              line: file.document.positionAt(node.from).line,
            },
          ]
        : [],
    );
    const old = linesOf22(scope).filter(
      (one) => !lines24.some(({ line, file }) => line === one.line && file === one.file),
    );
    return {
      ...placeOf(scope),
      sets: [...old, ...lines24].sort((a, b) => (a.file === b.file ? a.line - b.line : 0)),
      state: { ...stateOf22(state.compat, facts, request), requires: undefined },
      answer: decideCompat(state, facts, request),
    };
  });
  const answer = decideCompat(stateCompat(met, facts, request.config), facts, request);
  if (answer === '?') unknown.push('2.4 with mod_access_compat: what a Require line says');
  return {
    reading: 'compat',
    steps,
    answer,
    why: 'the host lists and the Require lines together, as Satisfy says',
  };
}

export function explain22(
  met: readonly Scope[],
  facts: Facts,
  request: AccessRequest,
  governor: Governor,
  unknown: string[],
): Before {
  const reading = '2.2' as const;
  let state: State = INITIAL;
  const steps = met.map((scope) => {
    state = merge(state, ownUnder(scope, request.config), facts);
    return {
      ...placeOf(scope),
      sets: linesOf22(scope),
      state: stateOf22(state, facts, request),
      answer: decide22(state, facts, request),
    };
  });
  for (const scope of met) {
    const why = forbidden(scope, governor);
    if (why !== undefined) return { reading, steps, answer: 'E', why: `${placeOf(scope).section}: ${why}` };
  }
  const odd = met.find((scope) => scope.problems.length > 0 || scope.modern !== undefined);
  if (odd !== undefined) {
    const { section, file, line } = placeOf(odd);
    const why = odd.problems[0]?.message ?? 'it is written for 2.4';
    unknown.push(`2.2, ${section} at ${file}:${line}: ${why}`);
    return { reading, steps, answer: '?', why };
  }
  const last = state22(met, facts, request.config);
  const live = liveOf(last, facts, classOf(request.method, facts));
  const answer = decide22(last, facts, request);
  const strange = answer === 'U' && request.user !== undefined ? live?.lines.find(({ keyword }) => !/^(?:user|valid-user|group)$/.test(keyword)) : undefined; // prettier-ignore
  const doubt = live?.undecided ?? (strange && `whether Require ${strange.keyword} admits the user`);
  if (doubt !== undefined && (answer === '?' || strange !== undefined)) {
    unknown.push(`2.2: ${doubt}`);
    return { reading, steps, answer: '?', why: doubt };
  }
  return { reading, steps, answer, why: reason22(stateOf22(last, facts, request), answer, request.user) };
}

/** @param compat what the answer would be with mod_access_compat */
export function explain24(
  met: readonly Scope[],
  request: AccessRequest,
  unknown: string[],
  compat: () => Answer,
): After {
  const steps = met.map((scope, i) => ({
    ...placeOf(scope),
    sets: linesOf24(scope, request),
    left: leftLines(scope),
    answer: decide24(state24(met.slice(0, i + 1), request.config), request),
  }));
  const left = steps.find((step) => step.left.length > 0);
  if (left !== undefined) {
    const why = `${left.section} at ${left.file}:${left.line} is left as it is`;
    unknown.push(`2.4: ${why}`);
    return {
      steps,
      answer: '?',
      why: `${why}; 2.4 does not read it without mod_access_compat`,
      compat: compat(),
    };
  }
  const state = state24(met, request.config);
  const answer = decide24(state, request);
  if (answer === '?') unknown.push(`2.4: ${reason24(state, answer, request)}`);
  const last = met.findLast((scope) => treeOf(scope, request) !== undefined);
  return { steps, answer, why: reason24(state, answer, request, last && placeOf(last)), compat: undefined };
}
