import type { ConfigTree } from '../config';
import { type Collected, collect } from './collect';
import { type Line, type State22, liveOf, linesOf22, placeOf, reason22, stateOf22 } from './explained'; // prettier-ignore
import { type Line24, leftLines, linesOf24, reason24 } from './explained24';
import { factsOf } from './facts';
import { Governor, splitUnread } from './governor';
import { configured, placedScopes } from './match';
import { classOf, decide22, state22 } from './model22';
import { decide24, state24 } from './model24';
import { type Located, type Question, findHost, locate } from './question';
import { forbidden } from './reasons';
import { type AccessRequest, type Answer } from './request';
import { type Scope, hasAccess } from './scope';
import { ScopeIndex } from './scopeindex';
import { openTestNames, ownUnder } from './settings';
import { type Facts, type State, INITIAL, merge } from './state';
import { treeOf } from './tree24';

export { type Answer };

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

export interface Explanation {
  readonly located: Located;
  readonly v22: Verdict & { readonly steps: readonly Step22[] };
  readonly v24: Verdict & { readonly steps: readonly Step24[] };
  /** Conditional blocks that change an answer, and what it is then. */
  readonly otherwise: readonly { readonly when: string; readonly v22: Answer; readonly v24: Answer }[];
  /** Both versions answer alike, and nothing is unknown. */
  readonly agree: boolean;
  readonly unknown: readonly string[];
}

/**
 * How both versions decide one request, section by section: 2.2 over the configuration as it is, 2.4 (without mod_access_compat) over the
 * rewrite.
 * @returns undefined where no virtual host has the name asked for
 */
export function explain(before: ConfigTree, after: ConfigTree, question: Question): Explanation | undefined {
  const old = collect(before);
  const vhost = question.vhost === undefined ? undefined : findHost(before, question.vhost);
  if (question.vhost !== undefined && vhost === undefined) return undefined;
  const located = locate(question.path, vhost, old, before);
  const target = { uri: located.uri ?? '', filename: located.filename };
  const met = (collected: Collected): readonly Scope[] => {
    const { live } = splitUnread(collected.scopes.filter(inUse(before)), collected.mapping);
    const list = placedScopes(new ScopeIndex(live).candidates(target, vhost), target);
    return list.filter((scope) => setsSomething(scope));
  };
  const [met22, met24] = [met(old), met(collect(after))];
  const facts = factsOf(old, before);
  const governor = new Governor(old.scopes.filter(inUse(before)), old.mapping);
  const ask = (
    config: AccessRequest['config'],
  ): { v22: Explanation['v22']; v24: Explanation['v24']; unknown: string[] } => {
    const request = { ...question, ...target, config };
    const unknown: string[] = [];
    const v22 = explain22(configured(met22, config, '2.2'), facts, request, governor, unknown);
    const v24 = explain24(configured(met24, config, '2.4'), request, unknown);
    return { v22, v24, unknown };
  };
  const tests = openTestNames([...met22, ...met24]);
  const { v22, v24, unknown } = ask(() => true);
  if (question.tls)
    for (const { node, file } of met22.flatMap(({ ssl }) => ssl))
      if (node.key === 'sslrequire')
        unknown.push(`what SSLRequire at ${file.name}:${file.document.positionAt(node.from).line} says`);
  unknown.unshift(...located.unknown, ...placeless(old.scopes.filter(inUse(before))));
  const otherwise = settings(tests).flatMap(({ when, config }) => {
    const one = ask(config);
    const same = one.v22.answer === v22.answer && one.v24.answer === v24.answer;
    return same ? [] : [{ when, v22: one.v22.answer, v24: one.v24.answer }];
  });
  const agree = v22.answer === v24.answer && otherwise.every((one) => one.v22 === one.v24 && one.v22 !== '?');
  return {
    located,
    v22,
    v24,
    otherwise,
    agree: agree && unknown.length === 0 && v22.answer !== '?',
    unknown,
  };
}

/** Undecided conditionals otherwise than in the first answer, for which all hold. */
function settings(tests: readonly string[]): { when: string; config: AccessRequest['config'] }[] {
  const single = tests.map((test) => ({
    when: `without ${test}`,
    config: (name: string): boolean => name !== test,
  }));
  const none = { when: `without ${tests.join(', ')}`, config: (): boolean => false };
  return tests.length > 1 ? [...single, none] : single;
}

/** What nothing includes is not in use, unless there is nothing else. */
function inUse({ roots, htaccess }: ConfigTree): (scope: Scope) => boolean {
  const lone = roots.length + htaccess.length === 0;
  return (scope) => lone || scope.place.root.role !== 'unreached';
}

function setsSomething(scope: Scope): boolean {
  return (
    hasAccess(scope) ||
    scope.ssl.length > 0 ||
    scope.own.authType !== undefined ||
    scope.old.length + scope.lines24.length > 0 ||
    scope.modern !== undefined
  );
}

/** Sections of which it cannot be told whether the request meets them. */
function placeless(scopes: readonly Scope[]): string[] {
  return scopes
    .filter(
      (scope) =>
        scope.displaced ||
        (scope.kind === 'directory' && scope.pattern.kind === 'any') ||
        scope.kind === 'proxy',
    )
    .filter(setsSomething)
    .map((scope) => {
      const { section, file, line } = placeOf(scope);
      const why = scope.kind === 'proxy' ? 'whether the request is proxied' : 'where it lies';
      return `${section} at ${file}:${line}: ${why}`;
    });
}

function explain22(
  met: readonly Scope[],
  facts: Facts,
  request: AccessRequest,
  governor: Governor,
  unknown: string[],
): Explanation['v22'] {
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
    if (why !== undefined) return { steps, answer: 'E', why: `${placeOf(scope).section}: ${why}` };
  }
  const odd = met.find((scope) => scope.problems.length > 0 || scope.modern !== undefined);
  if (odd !== undefined) {
    const { section, file, line } = placeOf(odd);
    const why = odd.problems[0]?.message ?? 'it is written for 2.4';
    unknown.push(`2.2, ${section} at ${file}:${line}: ${why}`);
    return { steps, answer: '?', why };
  }
  const last = state22(met, facts, request.config);
  const live = liveOf(last, facts, classOf(request.method, facts));
  const answer = decide22(last, facts, request);
  const strange = answer === 'U' && request.user !== undefined ? live?.lines.find(({ keyword }) => !/^(?:user|valid-user|group)$/.test(keyword)) : undefined; // prettier-ignore
  const doubt = live?.undecided ?? (strange && `whether Require ${strange.keyword} admits the user`);
  if (doubt !== undefined && (answer === '?' || strange !== undefined)) {
    unknown.push(`2.2: ${doubt}`);
    return { steps, answer: '?', why: doubt };
  }
  return { steps, answer, why: reason22(stateOf22(last, facts, request), answer, request.user) };
}

function explain24(met: readonly Scope[], request: AccessRequest, unknown: string[]): Explanation['v24'] {
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
    return { steps, answer: '?', why: `${why}; 2.4 does not read it without mod_access_compat` };
  }
  const state = state24(met, request.config);
  const answer = decide24(state, request);
  if (answer === '?') unknown.push(`2.4: ${reason24(state, answer, request)}`);
  const last = met.findLast((scope) => treeOf(scope, request) !== undefined);
  return { steps, answer, why: reason24(state, answer, request, last && placeOf(last)) };
}
