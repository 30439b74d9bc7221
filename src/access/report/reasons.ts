import { holds } from '../../httpd/facts';
import { NEWEST, type Release } from '../../httpd/release';
import type { Directive } from '../../syntax';
import type { MisplacedLine } from '../collect';
import { hasCounterpart } from '../inherit';
import { type AllowOverrideIndex, allowsClass, ignoresFile } from '../override';
import { type Scope, type State, mergePolicy, policyVariants } from '../policy';
import type { Refusal } from './refusals';
import type { AccessRun } from './run-context';

/** Why a scope cannot be rewritten whatever it meets. */
export function sectionRefusal(scope: Scope, run: AccessRun): Refusal | undefined {
  if (run.dual && scope.reading === 'compat' && scope.old.length > 0) return { kind: 'nothing-for-22' };
  const { perRequest } = run.collected;
  if (scope.old.length > 0 && perRequest !== undefined)
    return { kind: 'per-request-block', node: perRequest.node, file: perRequest.place.file };
  const loose = looseLine(scope, run);
  if (loose !== undefined) return { kind: 'loose-line', line: loose };
  const [first] = scope.problems;
  if (first !== undefined) return first.problem;
  const strange = scope.unanswered[0];
  if (strange !== undefined && !run.facts.onlyKnownModules)
    return { kind: 'unknown-keyword', keyword: strange.keyword };
  if (scope.old.length > 0 && scope.modern !== undefined) return { kind: 'mixed' };
  if (scope.old.length > 0 && (scope.only22 > 0 || scope.only24 > 0)) return { kind: 'partly-one-version' };
  if (scope.only22 > 0 && scope.modern === undefined && !hasCounterpart(scope, run.collected.scopes))
    return { kind: 'no-counterpart', reading: scope.reading };
  if (scope.reading === 'compat' && scope.policy.satisfy.some(({ value }) => value === 'any')) {
    const ssl = firstSsl(run);
    if (ssl !== undefined) return { kind: 'ssl-without-satisfy', directive: ssl.name };
  }
  return overrideReason(scope, run);
}

/** A line that goes before the section, wherever a file that the run does not hold includes this one: its section is not known. */
function looseLine({ old, place }: Scope, { tree, collected }: AccessRun): MisplacedLine | undefined {
  if (old.length === 0 || (tree.isServer && place.root.role !== 'unreached')) return undefined;
  return collected.misplaced.find((line) => line.reason === 'no-section' && line.place.root === place.root);
}

/**
 * Satisfy Any says nothing but that an address will do in place of the password. Where no list of hosts is in force, the one that is meant
 * stands in a file that is not at hand: to take it for empty would let everybody in. A configuration that is given together with what it
 * serves is taken for all there is, and the message says so.
 */
export function needsHostsNotSeen(
  scope: Scope,
  before: readonly State[],
  { tree, facts }: AccessRun,
): boolean {
  const whole = tree.isServer || (tree.roots.length > 0 && tree.directories.length > 0);
  if (whole || scope.reading !== '2.2') return false;
  return policyVariants(scope).some(
    ({ policy }) =>
      policy.hosts === undefined &&
      (policy.requires !== undefined || policy.satisfy.length > 0) &&
      before.some((base) => {
        const { hosts, requires, satisfy } = mergePolicy(base, policy, facts);
        return hosts === undefined && requires !== undefined && [...satisfy.values()].includes('any');
      }),
  );
}

function firstSsl({ collected }: AccessRun): Directive | undefined {
  return collected.scopes.find(({ ssl }) => ssl.length > 0)?.ssl[0]?.node;
}

function overrideReason(scope: Scope, { overrides, tree }: AccessRun): Refusal | undefined {
  if (scope.place.root.role === 'htaccess' && tree.accessDiffers) return { kind: 'access-file-name' };
  const { kind, pattern, placeUnknown } = scope.parent ?? scope;
  if (kind === 'htaccess' && pattern.kind === 'path' && !placeUnknown) {
    if (overrides.differsByHost(pattern.path)) return { kind: 'override-by-host' };
    if (overrides.undecided(pattern.path)) return { kind: 'override-in-conditional' };
  }
  return overrideRefusal(scope, overrides) ?? listReason(scope, overrides, tree.target);
}

/** The AllowOverrideList that a rewrite needs applies to every file below the line: one that 2.2 answers 500 to would be read. */
function listReason(
  scope: Scope,
  overrides: AllowOverrideIndex,
  target: Release = NEWEST,
): Refusal | undefined {
  const line = overrides.lineFor(scope);
  if (scope.old.length === 0 || allowsClass(line, 'authconfig') || ignoresFile(line)) return undefined;
  if (!holds('override-list-replaced', target)) return { kind: 'override-list-stays', target };
  const other = overrides.sectionRefusedBy(line!);
  return other && { kind: 'override-wakes', other };
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
export function overrideRefusal(scope: Scope, overrides: AllowOverrideIndex): Refusal | undefined {
  const line = overrides.lineFor(scope);
  if (line === undefined) return undefined;
  const { hosts, requires, authz, satisfy, authType, authorizers } = scope.policy;
  const auth = [requires, authz, authType].some((part) => part !== undefined);
  const needed = [
    hosts === undefined ? [] : 'limit',
    auth || satisfy.length + authorizers.size > 0 ? 'authconfig' : [],
  ].flat();
  const touched = scope.old.length + scope.unanswered.length > 0;
  if (!touched || ignoresFile(line) || needed.every((overrideClass) => allowsClass(line, overrideClass)))
    return undefined;
  return { kind: 'override-forbids', words: line.words, reading: scope.reading };
}
