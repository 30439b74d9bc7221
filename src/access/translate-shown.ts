import {
  type Facts,
  type Scope,
  type ScopeLine,
  authorizerOf,
  hostsExpr,
  wouldEscapeAgain,
  hasVersionBlocks,
} from './policy';
import { isWithin } from './primitives';
import type { AccessRun } from './report';
import { type Rewrite, type RewriteEdit, type RewrittenSection, type Written, isContainer } from './rewrite';
import { lineKey, linesOf } from './translate-places';

/** Of the providers that the rewrite asks, those that only 2.4 has. */
const NEW_PROVIDERS = new Set(['all', 'ip', 'host', 'env', 'method', 'expr', 'ssl']);

/** Whether lines show that they are written for 2.4. */
function showsVersion({ requires, sections, merges }: Written): boolean {
  return (
    merges ||
    sections.some(isContainer) ||
    requires.some(({ provider, negated }) => negated || NEW_PROVIDERS.has(provider))
  );
}

/**
 * Require lines alone read the same as 2.2's. Where a reader who takes them for 2.2's would come to another result (lines of several
 * modules, an AuthType without Require), one container shows that the group has been converted.
 */
export function showRewritten(
  group: readonly Scope[],
  rewrites: Map<Scope, RewrittenSection>,
  show: (scope: Scope) => Rewrite,
  { facts }: AccessRun,
): void {
  // In most groups the first line shows it.
  for (const { edits } of rewrites.values()) if (edits.some(({ written }) => showsVersion(written))) return;
  const changed = [...rewrites].filter(([, rewritten]) => rewritten.edits.length > 0);
  if (changed.length === 0) return;
  const changes = new Set(changed.map(([scope]) => scope));
  const fragile =
    group.some(
      (block) => hasVersionBlocks(block) && changed.some(([scope]) => leavesOtherwise(block, scope, facts)),
    ) ||
    (facts.reading === 'compat'
      ? !group.some((scope) => !changes.has(scope) && scope.requires.some(isFor24))
      : group.some(
          (scope) =>
            (scope.policy.authType === true && scope.policy.requires === undefined) ||
            (facts.escapes && scope.policy.requires?.some(wouldEscapeAgain) === true) ||
            modulesLeft(scope, rewrites.get(scope)?.edits ?? []).size > 1,
        ));
  if (!fragile) return;
  for (const [scope] of changed) {
    const result = show(scope);
    if (result.problem !== undefined || !result.edits.some(({ written }) => showsVersion(written))) continue;
    rewrites.set(scope, result);
    const lines = new Set(linesOf(scope).map(lineKey));
    const sharing = [...rewrites.keys()].filter((other) => linesOf(other).some((line) => lines.has(lineKey(line)))); // prettier-ignore
    for (const place of sharing) {
      const same = show(place);
      if (same.problem === undefined) rewrites.set(place, same);
    }
    return;
  }
}

/**
 * Whether lines for 2.2 that stay would be read otherwise beside a section once that is converted: as they inherit from it what no Require
 * line says, or as it no longer replaces what they say.
 */
function leavesOtherwise(block: Scope, { policy, pattern }: Scope, { classes }: Facts): boolean {
  if (policy.hosts === undefined && policy.satisfy.length === 0) return false;
  const isBelow =
    block.pattern.kind === 'path' &&
    pattern.kind === 'path' &&
    block.pattern.path !== pattern.path &&
    (block.kind === 'directory' || block.kind === 'htaccess') &&
    isWithin(block.pattern.path, pattern.path);
  return (
    !isBelow ||
    policy.satisfy.some(({ value }) => value === 'any') ||
    classes.some((method) => hostsExpr(policy.hosts, method).kind !== 'true')
  );
}

/** Whether a line of the file is one that only 2.4 has. */
function isFor24({ node, inner }: ScopeLine): boolean {
  const [first] = node.kind === 'directive' ? node.args : [];
  const word = first?.value.toLowerCase() ?? '';
  return word === 'not' || NEW_PROVIDERS.has(word) || inner.some(({ section }) => isContainer(section.key));
}

/** The 2.2 modules that the Require lines of a scope are for, once it is rewritten. */
function modulesLeft(scope: Scope, edits: readonly RewriteEdit[]): Set<unknown> {
  const written = edits.flatMap(({ written: { requires } }) => requires.map(({ provider }) => provider));
  const keywords = written.length > 0 ? written : (scope.policy.requires?.map((line) => line.keyword) ?? []);
  return new Set(keywords.map(authorizerOf));
}
