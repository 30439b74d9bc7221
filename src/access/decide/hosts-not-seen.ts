import { type Scope, type State, mergePolicy, policyVariants } from '../policy';
import type { AccessRun } from '../report';

/**
 * Satisfy Any says nothing but that an address will do in place of the password. Where no list of hosts is in force, the one that
 * is meant stands in a file that is not at hand: to take it for empty would let everybody in. A configuration that is given
 * together with what it serves is taken for all there is, and the message says so.
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
