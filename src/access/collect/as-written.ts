import type { ConfigTree } from '../../config';
import { type Scope, type SectionPolicy, isWrittenFor24 } from '../policy';
import { memo } from '../primitives';
import { type Collected, collect } from './collect';

/**
 * The sections of a configuration with lines of both kinds, each as its author wrote it: of one with lines for 2.4 these alone
 * count, and every other one is read as 2.2 reads it. No server reads them so: it is what a person may want of one that has been
 * upgraded, or half converted.
 */
export const collectAsWritten = memo((tree: ConfigTree): Collected => {
  const compat = collect(tree, 'compat');
  const plain = new Map(collect(tree).scopes.map((scope) => [scope.order, scope]));
  const made = new Map<number, Scope>();
  for (const scope of compat.scopes) {
    const old = plain.get(scope.order);
    const read22 = old !== undefined && !isWrittenFor24(old) ? old : undefined;
    const chosen = read22 ?? withoutLists(scope);
    made.set(scope.order, { ...chosen, parent: scope.parent && made.get(scope.parent.order) });
  }
  return { ...compat, reading: 'as-written', scopes: [...made.values()] };
});

/** A section for 2.4 without what its lines for 2.2 say. Which of them a conditional leaves in is not told apart. */
function withoutLists(scope: Scope): Scope {
  const { policies, problems } = scope;
  const { old } = scope.lines;
  const isSplit = policies !== undefined && old.length > 0;
  return {
    ...scope,
    reading: 'as-written',
    policy: spoken(scope.policy),
    policies: policies?.map((variant) => ({ ...variant, policy: spoken(variant.policy) })),
    problems: isSplit
      ? [...problems, { node: old[0]?.node, problem: { kind: 'too-many-blocks' } }]
      : problems,
  };
}

function spoken(policy: SectionPolicy): SectionPolicy {
  return { ...policy, hosts: undefined, satisfy: [] };
}
