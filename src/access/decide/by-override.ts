import {
  type AllowOverrideIndex,
  type LinesFate,
  fateOfLines,
  fatesOf,
  forReading,
  forbiddenIn,
} from '../override';
import { isConditional } from '../../config';
import type { Scope } from '../policy';
import type { Refusal } from '../report';
import type { RewrittenSection } from '../rewrite';
import type { AccessGroup } from './group';
import { keptFrom, restateSection } from './restate';
import { withRefusals } from './unconverted';

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
function refusalByServer(scope: Scope, overrides: AllowOverrideIndex): Refusal {
  const seen = new Map<Scope['vhost'], LinesFate | undefined>();
  for (const state of overrides.statesFor(scope)) {
    const fate = fateOfLines(scope, state, overrides);
    if (seen.has(state.vhost) && seen.get(state.vhost) !== fate) return { kind: 'override-in-conditional' };
    seen.set(state.vhost, fate);
  }
  return { kind: 'override-by-host' };
}

/**
 * Gives a section a Require line, also where it would need none, if a server answers 500 to its file for the access lines that it
 * had: 2.4 goes on with that for this line.
 */
export function keepRefused(group: AccessGroup): AccessGroup {
  const { overrides } = group.run;
  const refusals = new Map(group.refusals);
  const rewrites = new Map(group.rewrites);
  for (const [scope, text] of group.rewrites) {
    if (scope.place.root.role !== 'htaccess' || group.denied.has(scope) || refusals.has(scope)) continue;
    const fates = fatesOf(scope, overrides);
    if (!fates.has('taken') || fates.size === 1 || hasRequire(scope, text)) continue;
    const { rewrite, strict } = restateSection(group, scope, { explicit: true });
    const isMade = rewrite.problem === undefined && strict === undefined && hasRequire(scope, rewrite);
    if (isMade && keptFrom(scope, rewrite, group.run) === undefined) rewrites.set(scope, rewrite);
    else refusals.set(scope, refusalByServer(scope, overrides));
  }
  const changed = { ...group, rewrites };
  return refusals.size === group.refusals.size ? changed : withRefusals(changed, refusals);
}

/** Whether a section, once it is rewritten, has a Require line where 2.2 read an access line of it. */
function hasRequire({ lines }: Scope, { edits }: RewrittenSection): boolean {
  const isWritten = lines.old.some(({ inner }) =>
    edits.some(
      ({ start, written }) =>
        written.requires.length > 0 &&
        inner.every(
          ({ section }) => !isConditional(section) || (section.start <= start && start <= section.end),
        ),
    ),
  );
  const isGone = (node: Span): boolean =>
    edits.some(({ start, end }) => start <= node.start && node.end <= end);
  return isWritten || lines.requires.some(({ node }) => !isGone(node));
}

interface Span {
  readonly start: number;
  readonly end: number;
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
    return { kind: 'override-forbids', what, words: inForce.line.words, reading: scope.reading };
  }
  return undefined;
}
