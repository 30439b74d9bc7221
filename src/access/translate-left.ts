import { type ConfigFile, isConditional } from '../config';
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
  hasVersionBlocks,
} from './policy';
import { ALL_METHODS, exprKey } from './primitives';
import type { AccessRun, Refusal } from './report';

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
  if (!isOf22Alone(run)) return false;
  let anyStays: boolean | undefined;
  for (const [scope, refusal] of refusals) {
    // What it says is known.
    if (refusal.kind === 'left-alone') {
      if (!isRefusedAsAsked(scope, run)) return false;
    } else if (!(anyStays ??= mayAnyStay(group, run)) || !canStay(scope, refusal, run)) return false;
  }
  return true;
}

/** Whether it is known what all of the run says to a 2.2, and whether anything else has a say. */
function isOf22Alone({ facts, decidedEdits, above }: AccessRun): boolean {
  return facts.reading === '2.2' && decidedEdits === undefined && above === undefined;
}

/** Whether sections of a group that cannot be converted may stay at all. */
export function mayAnyStay(group: readonly Scope[], run: AccessRun): boolean {
  if (!isOf22Alone(run) || run.dual) return false;
  return !group.some((scope) => scope.modern !== undefined || hasVersionBlocks(scope));
}

/** Whether a section may stay for the reason that it is refused for. */
export function canStay(scope: Scope, refusal: Refusal, run: AccessRun): boolean {
  return (
    (isRefusedBy24(scope) || (refusal.kind === 'inherits-left' && refusal.always)) &&
    (scope.place.root.role !== 'htaccess' || staysShut(scope, refusal, run)) &&
    scope.problems.every(({ problem }) => isOfLines(problem)) &&
    (isOfLines(refusal) || OF_THE_PLACE.has(refusal.kind) || refusal.kind === 'inherits-left')
  );
}

/** Whether 2.4 comes to a line of the section that it does not know. */
function isRefusedBy24({ old, variants }: Scope): boolean {
  return variants === undefined && old.some(isSure);
}

function isSure({ inner }: ScopeLine): boolean {
  return inner.every(({ section }) => !isConditional(section));
}

const HOSTS = new Set(['order', 'allow', 'deny']);

/**
 * Whether nobody new gets in by the old lines of a `.htaccess` where the sections around it are converted: a 2.4 with mod_access_compat takes
 * its host list and Satisfy with the Require lines that it has or inherits, and no host list or Satisfy of the sections above.
 */
function staysShut(scope: Scope, refusal: Refusal | undefined, { tree }: AccessRun): boolean {
  if (tree.targetModules?.has('access_compat_module') === false) return true;
  const { old, requires, lines24 } = scope;
  // Those of the file above are in force here, too.
  if (refusal?.kind === 'inherits-left' && refusal.always && old.length === 0) return true;
  const hasHosts = old.some(
    (line) => isSure(line) && line.node.kind === 'directive' && HOSTS.has(line.node.key),
  );
  const isAsked = requires.length + lines24.length > 0;
  const satisfies = policyVariants(scope).flatMap(({ policy }) => policy.satisfy.map(({ value }) => value));
  if (!hasHosts || satisfies.includes('any')) return !isAsked && old.length === 0;
  return satisfies.length === 0 || isAsked;
}

/** Whether a `.htaccess` that is left alone is a 500 to 2.4, and lets in nobody new where mod_access_compat reads it. */
function isRefusedAsAsked({ place: { root } }: Scope, run: AccessRun): boolean {
  const inFile = scopesByFile(run.collected).get(root) ?? [];
  return (
    inFile.some(({ old }) => old.some(isSure)) && inFile.every((scope) => staysShut(scope, undefined, run))
  );
}

const filed = new WeakMap<AccessRun['collected'], ReadonlyMap<ConfigFile, readonly Scope[]>>();

function scopesByFile(collected: AccessRun['collected']): ReadonlyMap<ConfigFile, readonly Scope[]> {
  let byFile = filed.get(collected);
  if (byFile === undefined) {
    const lists = new Map<ConfigFile, Scope[]>();
    for (const scope of collected.scopes) {
      const list = lists.get(scope.place.root);
      if (list === undefined) lists.set(scope.place.root, [scope]);
      else list.push(scope);
    }
    filed.set(collected, (byFile = lists));
  }
  return byFile;
}

/** A name that nobody can have: what a section that stays makes of a request. */
const UNKNOWN = '\0';

/**
 * The states before sections, with what is not known of those that stay marked as such.
 * @param denying what those set that are to let nobody in
 */
export function withLeftSections(
  inherited: InheritedStates,
  refusals: ReadonlyMap<Scope, Refusal>,
  denying: ReadonlyMap<Scope, SectionPolicy>,
): InheritedStates {
  if (refusals.size + denying.size === 0) return inherited;
  const unknown = new Map(denying);
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
  left: Iterable<Scope>,
  facts: Facts,
): (Refusal & { readonly kind: 'inherits-left' }) | undefined {
  const inherits = before.map((base) => unknownIn(base, scope, facts));
  const order = inherits.find((found) => found !== undefined);
  if (order === undefined) return undefined;
  const other = [...left].find((section) => section.order === order);
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
