import {
  type Facts,
  type HostPolicy,
  type Scope,
  type SectionPolicy,
  type State,
  statesWith,
  surelyLetIn,
} from '../policy';
import { ALL_METHODS, atomsOf } from '../primitives';
import { type Refusal, unknownPart } from '../report';
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
  const policies = new Map([...group.denied.keys()].map((scope) => [scope, denyingPolicy(scope)]));
  const unknown = new Map<string, Scope>();
  for (const [scope, refusal] of group.refusals) {
    if (unknownPart(refusal) === undefined) continue;
    const name = `${UNKNOWN}${scope.order}`;
    unknown.set(name, scope);
    policies.set(scope, unknownPolicy(scope, refusal, name));
  }
  return policies.size === 0
    ? group
    : { ...group, unknown, inherited: group.inherited.withPolicies(policies) };
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
  const hosts: HostPolicy = {
    orders: [{ ...line, order: 'deny,allow' }],
    lines: [
      { ...line, allow: false, words: [{ kind: 'all' }] },
      { ...line, allow: true, words: [{ kind: 'host', text: name }] },
    ],
  };
  const refusals = [refusal, ...problems.map(({ problem }) => problem)];
  if (!refusals.some((each) => unknownPart(each) === 'requires')) return { ...policy, hosts };
  return {
    ...policy,
    hosts,
    requires: [{ ...line, keyword: 'user', source: name, rest: name, verbatim: false }],
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
