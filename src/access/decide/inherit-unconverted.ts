import {
  type Facts,
  type HostPolicy,
  type RequireLine,
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

/** Lets sections inherit what is left of others: what one that stays says is not known, and a denied one lets nobody in. */
export function inheritFromUnconverted(group: AccessGroup): AccessGroup {
  const { isKept, refusals, denied, inherited } = group;
  if (isKept || refusals.size + denied.size === 0) return group;
  const unknown = new Map<string, Scope>();
  const policies = new Map([...denied.keys()].map((scope) => [scope, denyingPolicy(scope)]));
  for (const [scope, refusal] of refusals) {
    if (unknownPart(refusal) === undefined) continue;
    const name = nameOf(scope);
    unknown.set(name, scope);
    policies.set(scope, unknownPolicy(scope, refusal, name));
  }
  return policies.size === 0 ? group : { ...group, unknown, inherited: inherited.withPolicies(policies) };
}

function nameOf({ order }: Scope): string {
  return `${UNKNOWN}${order}`;
}

/**
 * Notes of exact texts that they may refuse whom 2.2 let in: where a section above that is to let nobody in has a part in what
 * they say, whatever it said itself. What both versions answer 500 for, it said nothing in.
 */
export function noteDeniedAbove(group: AccessGroup): AccessGroup {
  const { denied, rewrites, inherited, isKept, run } = group;
  const isRefusedByBoth = (refusal: Refusal): boolean =>
    refusal.kind === 'misplaced-section' || isRefusedBy22(refusal);
  const above = [...denied].flatMap(([scope, refusal]) =>
    [refusal, ...scope.problems.map(({ problem }) => problem)].some(isRefusedByBoth) ? [] : scope,
  );
  if (isKept || above.length === 0) return group;
  const open = inherited.withPolicies(new Map(above.map((scope) => [scope, openPolicy(scope)])));
  const strict = new Map(group.strict);
  for (const scope of rewrites.keys()) {
    const other = strict.has(scope) ? undefined : otherwiseDecided(scope, [inherited, open], run.facts);
    const isOf = (denying: Scope): boolean =>
      [...atomsOf(other!)].some(({ text }) => text.endsWith(nameOf(denying)));
    if (other !== undefined) strict.set(scope, { below: above.find(isOf) });
  }
  return { ...group, strict };
}

/** Who gets in by some way to a section with the second states before it, and does not with the first; undefined without. */
function otherwiseDecided(
  scope: Scope,
  [inherited, open]: readonly [InheritedStates, InheritedStates],
  facts: Facts,
): Expr | undefined {
  const before = open.statesBefore(scope) ?? EMPTY_LIST;
  const statesOf = (states: InheritedStates): readonly State[] => {
    const byRoute = before.length > 1 ? states.statesByRoute(scope) : undefined;
    return statesWith(scope, byRoute ?? states.statesBefore(scope) ?? EMPTY_LIST, facts);
  };
  const known = new Map<string, Set<string>>();
  // Ways that end alike may have been made one.
  const all = new Set<string>();
  for (const state of statesOf(inherited)) {
    const keys = getOrInsert(known, routeKey(state), () => new Set<string>());
    for (const key of surelyLetIn(state, facts).map(exprKey)) {
      keys.add(key);
      all.add(key);
    }
  }
  for (const state of statesOf(open)) {
    const keys = known.get(routeKey(state)) ?? all;
    const other = surelyLetIn(state, facts).find((expr) => !keys.has(exprKey(expr)));
    if (other !== undefined) return other;
  }
  return undefined;
}

/** What lets in whoever has a name, in the parts of which a section that lets nobody in has a say. */
function openPolicy(scope: Scope): SectionPolicy {
  const policy = denyingPolicy(scope);
  const [line] = policy.hosts?.orders ?? EMPTY_LIST;
  if (line === undefined) return policy;
  const isSatisfy = scope.lines.old.some(({ node }) => node.key === 'satisfy');
  return {
    ...policy,
    hosts: unknownHosts(line.origin, nameOf(scope)),
    requires: policy.requires && [unknownUser(line.origin, nameOf(scope))],
    satisfy: isSatisfy ? policy.satisfy.map((all) => ({ ...all, value: 'any' })) : EMPTY_LIST,
  };
}

/** What a section sets whose host lists, or Require lines too, are not known. @param name that nobody has */
function unknownPolicy({ policy, problems, lines }: Scope, refusal: Refusal, name: string): SectionPolicy {
  const origin = lines.old[0]!.node;
  const hosts = unknownHosts(origin, name);
  const refusals = [refusal, ...problems.map(({ problem }) => problem)];
  if (!refusals.some((each) => unknownPart(each) === 'requires')) return { ...policy, hosts };
  return { ...policy, hosts, requires: [unknownUser(origin, name)] };
}

function unknownUser(origin: Directive, name: string): RequireLine {
  return { mask: ALL_METHODS, origin, keyword: 'user', source: name, rest: name, verbatim: false };
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
  const isAbout = ({ hosts }: State, name: string): boolean =>
    hosts?.lines.some(({ words }) => words.some((word) => word.kind === 'host' && word.text === name)) ===
    true;
  const opening = [...unknown].find(
    ([name, mixed]) =>
      scope.lines.old.length > 0 &&
      letsInBelow(mixed, mixed, run) &&
      inherited.wholeStatesBefore(scope)?.some((state) => isAbout(state, name)) !== false,
  );
  if (opening !== undefined) return { kind: 'inherits-unconverted', other: opening[1], always: false };
  const inherits = before.map((base) => unknownIn(base, scope, unknown, run.facts));
  const other = inherits.find((found) => found !== undefined);
  return other && { kind: 'inherits-unconverted', other, always: !inherits.includes(undefined) };
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
