import { type Facts, type Scope, type State, merge, settingsOfScope, withTests } from '../policy';
import type { StateSet } from './stateset';

/**
 * Merges a scope over a state whose way is told: each way past the scope, and each into it, becomes a state with the tests that lead there.
 * @param sure the scope matches, where it is read
 */
export function branch(state: State, scope: Scope, sure: boolean, facts: Facts, result: StateSet): void {
  for (const { name, is } of scope.conditions) {
    const known = state.when.find((test) => test.kind === 'config' && test.name === name);
    if (known === undefined) {
      result.add({ ...state, when: [...state.when, { kind: 'config', name, is: !is }] });
      state = { ...state, when: [...state.when, { kind: 'config', name, is }] };
    } else if (known.kind === 'config' && known.is !== is) {
      result.add(state);
      return;
    }
  }
  if (!sure) {
    result.add({ ...state, when: [...state.when, { kind: 'match', scope, is: false }] });
    state = { ...state, when: [...state.when, { kind: 'match', scope, is: true }] };
  }
  for (const { tests, own } of settingsOfScope(scope)) {
    const when = withTests(state.when, tests);
    if (when !== undefined) result.add(merge({ ...state, when }, own, facts));
  }
}
