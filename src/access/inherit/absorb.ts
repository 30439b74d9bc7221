import type { Facts, OwnPolicy, Scope, State } from '../policy';
import { covers } from '../primitives';
import type { Needs } from './stateset';

/** To look for it among more states takes longer than to merge. */
const MOST_SEARCHED = 16;

/**
 * Whether merging a section over the states gives no other state than these, and in this order: most sections of a large run
 * do what those before them did, and to find that out by the keys of all states would take most of the time.
 * @param states stripped of what is not needed, and all different
 * @param kept a request may pass the section by
 */
export function absorbs(
  states: readonly State[],
  { own: single, settings }: Scope,
  kept: boolean,
  needs: Needs,
  facts: Facts,
): boolean {
  const count = settings?.length ?? 1;
  if (states.length > MOST_SEARCHED || (!kept && count > 1)) return false;
  for (let i = 0; i < states.length; i++) {
    // A state may bring the next one to light: that comes right behind it then, where it is already.
    const first = kept ? 0 : i;
    const last = kept ? Math.min(i + 1, states.length - 1) : i;
    for (let n = 0; n < count; n++) {
      const own = settings?.[n]!.own ?? single;
      let j = last;
      while (j >= first && !leadsTo(states[i]!, own, states[j]!, needs, facts)) j--;
      if (j < first) return false;
    }
  }
  return true;
}

/** Whether `merge(from, own)` is surely `to`, field by field. */
function leadsTo(from: State, own: OwnPolicy, to: State, needs: Needs, facts: Facts): boolean {
  const compat = facts.reading === 'compat' && (own.hosts !== undefined || own.satisfy.length > 0);
  if (compat || own.authorizers.size > 0 || from.authorizers !== to.authorizers) return false;
  if (needs.hosts && (own.hosts ?? from.hosts) !== to.hosts) return false;
  if (
    needs.requires &&
    ((own.requires ?? from.requires) !== to.requires || (own.authz?.tree ?? from.authz) !== to.authz)
  )
    return false;
  const authType = own.authType ?? from.authType;
  const authNone = own.authType === undefined ? from.authNone : !own.authType;
  if (authType !== to.authType || authNone !== to.authNone || (own.ssl ?? from.ssl) !== to.ssl) return false;
  const tree =
    from.tree ||
    own.hosts !== undefined ||
    own.requires !== undefined ||
    own.ssl?.kind === 'tree' ||
    own.authz !== undefined ||
    authType;
  return tree === to.tree && from.when === to.when && saysNothingNew(from, own, to, facts);
}

function saysNothingNew(from: State, own: OwnPolicy, to: State, facts: Facts): boolean {
  if (from.satisfy !== to.satisfy) return false;
  for (const { mask, value } of own.satisfy)
    for (const method of facts.classes)
      if (covers(mask, method) && from.satisfy.get(method) !== value) return false;
  return true;
}
