import type { Scope } from '../policy';
import { isWithin } from '../primitives';

/**
 * Whether it is known where a server would read a section, as far as that decides anything. A block for a module that is not
 * loaded stands where it stands. What Debian keeps in its `*-available` directories is included at server level, and what comes
 * before what there is of no account for a section that no other of its kind can meet.
 */
export function isPlaceKnown(scope: Scope, met: readonly Scope[]): boolean {
  const { unusedPart, vhost } = scope;
  if (unusedPart === undefined || 'open' in unusedPart) return true;
  if (!/\/(?:mods|sites|conf)-available\/[^/]+$/.test(unusedPart.path) || vhost !== undefined) return false;
  return !met.some((other) => other.unusedPart !== unusedPart && dependsOnOrder(scope, other));
}

/** Whether the order in which two sections are read may decide which of them a request meets last. */
function dependsOnOrder(a: Scope, b: Scope): boolean {
  if (a.kind !== b.kind) return false;
  if (a.pattern.kind !== 'path' || b.pattern.kind !== 'path') return true;
  const [first, second] = [a.pattern.path, b.pattern.path];
  if (a.kind === 'directory') return first === second;
  return a.kind !== 'location' || isWithin(first, second) || isWithin(second, first);
}
