import type { Directive } from '../../syntax';
import {
  type Facts,
  type HostPolicy,
  INITIAL,
  type Scope,
  type State,
  decisionIn,
  decisionKey,
  mergePolicy,
  policyVariants,
} from '../policy';
import { ALL_METHODS, memo, methodMask } from '../primitives';

/** Whether a scope decides the same over nothing as over any host lists, password and Satisfy that might stand above it. */
export function decidesAlone(scope: Scope, facts: Facts): boolean {
  return policyVariants(scope).every(({ policy }) => {
    const alone = decisionKey(decisionIn(mergePolicy(INITIAL, policy, facts), facts));
    return samplesFor(facts).every(
      (base) => decisionKey(decisionIn(mergePolicy(base, policy, facts), facts)) === alone,
    );
  });
}

const samplesFor = memo(sampleStates);

/** States that a section might be merged over, made of conditions that no configuration has. */
function sampleStates(facts: Facts): State[] {
  const origin = undefined as unknown as Directive;
  const hosts: HostPolicy = {
    orders: [{ order: 'allow,deny', mask: ALL_METHODS, origin }],
    lines: [
      {
        allow: true,
        words: [{ kind: 'env', name: '\0', negated: false }],
        mask: methodMask([], true),
        origin,
      },
    ],
  };
  const requires = [{ keyword: 'user', source: '\0', rest: '\0', verbatim: true, mask: ALL_METHODS, origin }];
  const states: State[] = [];
  for (const h of [undefined, hosts])
    for (const r of [undefined, requires])
      for (const s of ['all', 'any'] as const)
        states.push({
          ...INITIAL,
          hosts: h,
          requires: r,
          satisfy: new Map(facts.classes.map((method) => [method, s])),
        });
  return states;
}
