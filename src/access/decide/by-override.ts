import {
  type AllowOverrideIndex,
  type LinesFate,
  fateOfLines,
  fatesOf,
  forReading,
  forbiddenIn,
} from '../override';
import type { Scope } from '../policy';
import type { Refusal } from '../report';

/** Why a section cannot be rewritten for what AllowOverride lets its file say. */
export function reasonOfOverride(scope: Scope, overrides: AllowOverrideIndex): Refusal | undefined {
  return fatesOf(scope, overrides).has('taken')
    ? differingOverrides(scope, overrides)
    : overrideRefusal(scope, overrides);
}

/**
 * Whether the file may say it for some requests and not for others, and 2.4 would not answer 500 to these once it says the same
 * in Require lines. What has such lines alone is forbidden there where it was in 2.2.
 */
function differingOverrides(scope: Scope, overrides: AllowOverrideIndex): Refusal | undefined {
  if (scope.reading === '2.2' && scope.lines.old.length + scope.unanswered.length === 0) return undefined;
  const fates = fatesOf(scope, overrides);
  if (fates.size === 1) return undefined;
  // Of lines that are split over blocks it is not known whether a Require line stands wherever one of them did.
  const isShutByRequire = scope.variants === undefined && !fates.has('refused-by-22');
  return isShutByRequire ? undefined : refusalByServer(scope, overrides);
}

/** What differs by server, or by a conditional around AllowOverride. */
export function refusalByServer(scope: Scope, overrides: AllowOverrideIndex): Refusal {
  const seen = new Map<Scope['vhost'], LinesFate | undefined>();
  for (const state of overrides.statesFor(scope)) {
    const fate = fateOfLines(scope, state, overrides);
    if (seen.has(state.vhost) && seen.get(state.vhost) !== fate) return { kind: 'override-in-conditional' };
    seen.set(state.vhost, fate);
  }
  return { kind: 'override-by-host' };
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
export function overrideRefusal(scope: Scope, overrides: AllowOverrideIndex): Refusal | undefined {
  const ofBoth = scope.reading !== '2.2' ? scope.lines.requires.length : 0;
  if (scope.lines.old.length + scope.unanswered.length + ofBoth === 0) return undefined;
  for (const state of overrides.statesFor(scope)) {
    const inForce = forReading(state, scope);
    if (!inForce.isRead || inForce.line === undefined) continue;
    const forbidden = forbiddenIn(scope, state, overrides);
    if (forbidden === undefined) continue;
    const what = forbidden === 'access' ? 'it' : forbidden.name;
    const isSure = scope.certain && scope.variants === undefined;
    return { kind: 'override-forbids', what, isSure, words: inForce.line.words, reading: scope.reading };
  }
  return undefined;
}
