import {
  type Facts,
  type HostPolicy,
  type Scope,
  type SectionPolicy,
  type State,
  routeKey,
  statesWith,
  surelyLetIn,
} from '../policy';
import type { Directive } from '../../syntax';
import type { InheritedStates } from '../inherit';
import { ALL_METHODS, EMPTY_LIST, type Expr, atomsOf, exprKey, getOrInsert } from '../primitives';
import { type Refusal, isRefusedBy22, unknownPart } from '../report';
import { denyingPolicy } from './denied';
import type { AccessGroup } from './group';
import { letsInBelow } from './unconverted';

/** How a name begins that nobody can have: a name of this kind stands for what a section that stays makes of a request. */
const UNKNOWN = '\0';

/**
 * Lets sections inherit what is left of others: what a section says that stays as it is counts as not known, and one that is to
 * let nobody in counts as that.
 */
export function inheritFromUnconverted(group: AccessGroup): AccessGroup {
  if (group.isKept || group.refusals.size + group.denied.size === 0) return group;
  const unknown = new Map<string, Scope>();
  const policies = policiesInPlace(group, denyingPolicy, unknown);
  return policies.size === 0
    ? group
    : { ...group, unknown, inherited: group.inherited.withPolicies(policies) };
}

/** What is inherited of sections in place of what they say. @param unknown gets the names of what is not known */
function policiesInPlace(
  { denied, refusals }: AccessGroup,
  ofDenied: (scope: Scope, refusal: Refusal) => SectionPolicy,
  unknown: Map<string, Scope>,
): Map<Scope, SectionPolicy> {
  const policies = new Map([...denied].map(([scope, refusal]) => [scope, ofDenied(scope, refusal)]));
  for (const [scope, refusal] of refusals) {
    if (unknownPart(refusal) === undefined) continue;
    const name = nameOf(scope);
    unknown.set(name, scope);
    policies.set(scope, unknownPolicy(scope, refusal, name));
  }
  return policies;
}

function nameOf({ order }: Scope): string {
  return `${UNKNOWN}${order}`;
}

/**
 * Notes of exact texts that they may refuse whom 2.2 let in: where a section above that is to let nobody in has a part in what
 * they say, whatever it said itself.
 */
export function noteDeniedAbove(group: AccessGroup): AccessGroup {
  const { denied, rewrites, inherited, run } = group;
  const isOpen = (scope: Scope, refusal: Refusal): boolean =>
    ![refusal, ...scope.problems.map(({ problem }) => problem)].some(isRefusedByBoth);
  if (group.isKept || ![...denied].some(([scope, refusal]) => isOpen(scope, refusal))) return group;
  const policies = policiesInPlace(group, (scope, refusal) => {
    const policy = denyingPolicy(scope);
    return isOpen(scope, refusal) ? openPolicy(scope, policy, nameOf(scope)) : policy;
  }, new Map()); // prettier-ignore
  const open = inherited.withPolicies(policies);
  const strict = new Map(group.strict);
  for (const scope of rewrites.keys()) {
    if (strict.has(scope)) continue;
    const other = otherwiseDecided(scope, [inherited, open], run.facts);
    const isOf = (above: Scope): boolean => other !== undefined && hasName(other, nameOf(above));
    if (other !== undefined) strict.set(scope, { below: [...denied.keys()].find(isOf) });
  }
  return { ...group, strict };
} // prettier-ignore

/** Who gets in by some way to a section with the second states before it, and does not with the first; undefined without. */
function otherwiseDecided(
  scope: Scope,
  [inherited, open]: readonly [InheritedStates, InheritedStates],
  facts: Facts,
): Expr | undefined {
  const before = open.statesBefore(scope) ?? EMPTY_LIST;
  const byRoute = (states: InheritedStates): readonly State[] =>
    (before.length > 1 ? states.statesByRoute(scope) : undefined) ?? states.statesBefore(scope) ?? EMPTY_LIST;
  const known = new Map<string, Set<string>>();
  // Ways that end alike may have been made one.
  const all = new Set<string>();
  const decided = (state: State): readonly Expr[] => surelyLetIn(state, facts);
  for (const state of statesWith(scope, byRoute(inherited), facts)) {
    const keys = getOrInsert(known, routeKey(state), () => new Set<string>());
    for (const key of decided(state).map(exprKey)) {
      keys.add(key);
      all.add(key);
    }
  }
  for (const state of statesWith(scope, byRoute(open), facts)) {
    const keys = known.get(routeKey(state)) ?? all;
    const other = decided(state).find((expr) => !keys.has(exprKey(expr)));
    if (other !== undefined) return other;
  }
  return undefined;
}

/** Whether both versions refuse a `.htaccess` for it, whatever else it says. */
function isRefusedByBoth(refusal: Refusal): boolean {
  return refusal.kind === 'misplaced-section' || isRefusedBy22(refusal);
}

/** What lets in whoever has a name, in the parts of which a section that lets nobody in has a say. */
function openPolicy({ lines: { old } }: Scope, policy: SectionPolicy, name: string): SectionPolicy {
  const [line] = policy.hosts?.orders ?? EMPTY_LIST;
  if (line === undefined) return policy;
  const { origin } = line;
  const mask = ALL_METHODS;
  const isSatisfy = old.some(({ node }) => node.key === 'satisfy' || node.kind === 'section');
  return {
    ...policy,
    hosts: unknownHosts(origin, name),
    requires: policy.requires && [{ mask, origin, keyword: 'user', source: name, rest: name, verbatim: false }],
    satisfy: isSatisfy ? [{ mask, origin, value: 'any' }] : EMPTY_LIST,
  };
} // prettier-ignore

function hasName(expr: Expr, name: string): boolean {
  return [...atomsOf(expr)].some(({ text }) => text.endsWith(name));
}

/**
 * What a section sets of which it is not known what its host lists, or its Require lines too, say.
 * @param name that nobody has
 */
function unknownPolicy(
  { policy, problems, lines: { old } }: Scope,
  refusal: Refusal,
  name: string,
): SectionPolicy {
  const origin = old.flatMap(({ node }) => (node.kind === 'directive' ? [node] : []))[0]!;
  const line = { mask: ALL_METHODS, origin };
  const hosts = unknownHosts(origin, name);
  const refusals = [refusal, ...problems.map(({ problem }) => problem)];
  if (!refusals.some((each) => unknownPart(each) === 'requires')) return { ...policy, hosts };
  return {
    ...policy,
    hosts,
    requires: [{ ...line, keyword: 'user', source: name, rest: name, verbatim: false }],
  };
}

function unknownHosts(origin: Directive, name: string): HostPolicy {
  const line = { mask: ALL_METHODS, origin };
  return {
    orders: [{ ...line, order: 'deny,allow' }],
    lines: [
      { ...line, allow: false, words: [{ kind: 'all' }] },
      { ...line, allow: true, words: [{ kind: 'host', text: name }] },
    ],
  };
}

/** Why a section stays, too: it inherits what is not known of one that stays. Undefined where it inherits nothing of that. */
export function refusalBelow(
  { unknown, run, inherited }: AccessGroup,
  scope: Scope,
  before: readonly State[],
): Refusal | undefined {
  if (unknown.size === 0) return undefined;
  const opening = [...unknown].find(
    ([name, mixed]) =>
      scope.lines.old.length > 0 &&
      letsInBelow(mixed, mixed, run) &&
      inherited.wholeStatesBefore(scope)?.every(({ hosts }) => !isAbout(hosts, name)) !== true,
  );
  if (opening !== undefined) return { kind: 'inherits-unconverted', other: opening[1], always: false };
  const inherits = before.map((base) => unknownIn(base, scope, unknown, run.facts));
  const other = inherits.find((found) => found !== undefined);
  return other && { kind: 'inherits-unconverted', other, always: !inherits.includes(undefined) };
}

function isAbout(hosts: State['hosts'], name: string): boolean {
  return (
    hosts?.lines.some(({ words }) => words.some((word) => word.kind === 'host' && word.text === name)) ===
    true
  );
}

/** The section whose unknown lines have a part in a decision. */
function unknownIn(
  base: State,
  scope: Scope,
  unknown: ReadonlyMap<string, Scope>,
  facts: Facts,
): Scope | undefined {
  for (const state of statesWith(scope, [base], facts))
    for (const expr of surelyLetIn(state, facts))
      for (const { text } of atomsOf(expr)) {
        const at = text.indexOf(UNKNOWN);
        if (at >= 0) return unknown.get(text.slice(at));
      }
  return undefined;
}
