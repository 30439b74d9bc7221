import { isConditional } from '../config';
import type { InheritedStates } from './inherit';
import {
  type Facts,
  type HostPolicy,
  type RequireLine,
  type Scope,
  type ScopeLine,
  type SectionPolicy,
  type State,
  mergePolicy,
  policyVariants,
  surelyLetIn,
} from './policy';
import { ALL_METHODS, exprKey } from './primitives';
import type { AccessRun, Refusal } from './report';
import { hasVersionBlocks } from './verify';

/** The directives of which one may hold what is not known: not Satisfy, which decides how the others are joined. */
const HOST_LINES = new Set(['order', 'allow', 'deny']);

/** Whether it is not known what host lists or Require lines of a section say: a second run finds that again. */
function isOfLines(problem: Refusal): boolean {
  switch (problem.kind) {
    case 'invalid-address':
    case 'no-host':
      return true;
    case 'invalid-line':
      return problem.directive === 'Order';
    case 'placeholder':
      return isOfHosts(problem) || problem.directive.toLowerCase() === 'require';
    default:
      return false;
  }
}

function isOfHosts(problem: Refusal): boolean {
  return problem.kind !== 'placeholder' || HOST_LINES.has(problem.directive.toLowerCase());
}

/** Problems of the place that its lines stand in: what it decides is known. */
const OF_THE_PLACE: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'not-closed',
  'other-lines',
  'scattered',
  'section-in-limit',
]);

/**
 * Whether the sections that are refused can stay while those that they meet are converted. 2.4 must refuse each of them by itself: it does not
 * start with old lines in the server's files, and answers 500 to those of a `.htaccess`, so that nobody gets in where they are met. What is only
 * met below such a section may stay too.
 */
export function canStayAlone(
  group: readonly Scope[],
  refusals: ReadonlyMap<Scope, Refusal>,
  run: AccessRun,
): boolean {
  if (refusals.size === 0) return true;
  const { facts, dual, decidedEdits, above } = run;
  if (facts.reading !== '2.2' || dual || decidedEdits !== undefined || above !== undefined) return false;
  if (group.some((scope) => scope.modern !== undefined || hasVersionBlocks(scope))) return false;
  return [...refusals].every(
    ([scope, refusal]) =>
      (isRefusedBy24(scope) || (refusal.kind === 'inherits-left' && refusal.always)) &&
      scope.problems.every(({ problem }) => isOfLines(problem)) &&
      (isOfLines(refusal) || OF_THE_PLACE.has(refusal.kind) || refusal.kind === 'inherits-left'),
  );
}

/** Whether 2.4 comes to a line of the section that it does not know. */
function isRefusedBy24({ old, variants }: Scope): boolean {
  const isSure = ({ inner }: ScopeLine): boolean => inner.every(({ section }) => !isConditional(section));
  return variants === undefined && old.some(isSure);
}

/** A name that nobody can have: what a section that stays makes of a request. */
const UNKNOWN = '\0';

/** The states before sections, with what is not known of those that stay marked as such. */
export function withLeftSections(
  inherited: InheritedStates,
  refusals: ReadonlyMap<Scope, Refusal>,
): InheritedStates {
  if (refusals.size === 0) return inherited;
  const unknown = new Map<Scope, SectionPolicy>();
  for (const [scope, refusal] of refusals) if (isOfLines(refusal)) unknown.set(scope, unknownPolicy(scope));
  return unknown.size === 0 ? inherited : inherited.withPolicies(unknown);
}

function unknownPolicy(scope: Scope): SectionPolicy {
  const { policy, problems } = scope;
  const origin = scope.old.flatMap(({ node }) => (node.kind === 'directive' ? [node] : []))[0]!;
  const text = `${UNKNOWN}${scope.order}`;
  const line = { mask: ALL_METHODS, origin };
  const hosts: HostPolicy = {
    orders: [{ ...line, order: 'deny,allow' }],
    lines: [
      { ...line, allow: false, words: [{ kind: 'all' }] },
      { ...line, allow: true, words: [{ kind: 'host', text }] },
    ],
  };
  if (problems.every(({ problem }) => isOfHosts(problem))) return { ...policy, hosts };
  const require: RequireLine = { ...line, keyword: 'user', source: text, rest: text, verbatim: false };
  return { ...policy, hosts, requires: [require] };
}

/** Why a section stays, too: it inherits what is not known of one that stays. Undefined where it inherits nothing of that. */
export function leftBelow(
  scope: Scope,
  before: readonly State[],
  refusals: ReadonlyMap<Scope, Refusal>,
  facts: Facts,
): (Refusal & { readonly kind: 'inherits-left' }) | undefined {
  const inherits = before.map((base) => unknownIn(base, scope, facts));
  const order = inherits.find((found) => found !== undefined);
  const other = [...refusals.keys()].find((section) => section.order === order);
  return other && { kind: 'inherits-left', other, always: !inherits.includes(undefined) };
}

/** The order of the section whose unknown lines have a part in a decision. */
function unknownIn(base: State, scope: Scope, facts: Facts): number | undefined {
  for (const { policy } of policyVariants(scope))
    for (const expr of surelyLetIn(mergePolicy(base, policy, facts), facts)) {
      const key = exprKey(expr);
      const at = key.indexOf(UNKNOWN);
      if (at >= 0) return Number.parseInt(key.slice(at + 1), 10);
    }
  return undefined;
}
