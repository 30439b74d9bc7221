import { isConditional } from '../../config';
import type { Span } from '../../syntax';
import { fatesOf } from '../override';
import type { Scope } from '../policy';
import type { RewrittenSection } from '../rewrite';
import type { AccessGroup } from './group';
import { refusalByServer } from './refuse';
import { keptFrom, restateSection } from './restate';
import { withRefusals } from './unconverted';

/**
 * Gives a section a Require line, also where it would need none, if a server answers 500 to its file because AllowOverride
 * forbids the access lines that it had: 2.4 then answers 500 because of the Require line.
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
