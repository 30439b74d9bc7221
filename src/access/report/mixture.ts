import { type Decision, type Facts, INITIAL, type Scope, type State, decide, merge } from '../policy';

/** What a 2.4 with mod_access_compat makes of a section and of what stands above it, for a message (access-semantics B4, B5). */
export function mixture(scope: Scope, bases: readonly State[], facts: Facts): string {
  const { own } = scope;
  const [base] = bases;
  if (base === undefined) return '';
  const state = merge(base, own, facts);
  const hosts = own.hosts !== undefined || own.satisfy.length > 0;
  const drops = hosts && own.hosts === undefined && base.hosts !== undefined;
  const loses = hosts && own.satisfy.length === 0 && [...base.satisfy.values()].includes('any');
  const both = state.hosts !== undefined && state.authz !== undefined;
  const any = [...state.satisfy.values()].includes('any');
  const above = [
    !hosts && state.hosts !== undefined ? ['Order, Allow and Deny'] : [],
    own.authz === undefined && state.authz !== undefined ? ['Require'] : [],
  ].flat();
  const all = (kind: 'true' | 'false', one: Decision): boolean =>
    one.undecided === undefined && one.exprs.every((expr) => expr.kind === kind);
  const decision = decide(state, facts);
  // Worth saying where the section by itself says otherwise.
  const alone = decide(merge(INITIAL, own, facts), facts);
  return [
    both && (any ? 'the host lists or the Require lines must admit' : 'the host lists and the Require lines must both admit'), // prettier-ignore
    both && above.length > 0 && `the ${above.join(' and ')} lines above it count too`,
    drops && 'its Satisfy drops the Order, Allow and Deny lines above it',
    loses && 'its Order, Allow and Deny lines drop the Satisfy Any above it',
    all('false', decision) && !all('false', alone) && 'nobody gets in',
    all('true', decision) && (drops || (any && own.authz !== undefined)) && 'everybody gets in',
  ]
    .filter((part) => part !== false)
    .join(', ');
}
