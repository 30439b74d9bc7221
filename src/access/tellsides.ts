import type { ConfigTree } from '../config';
import { collect, factsOf } from './collect';
import { meetingGroups } from './inherit';
import { splitUnread } from './override';
import { scopeName, setsSomething } from './policy';
import type { AccessFinding } from './report';
import { Sides, isApart } from './verify';

/** Tells where blocks for one version each do not say the same: one finding for each set of sections that can meet. */
export function tellSides(tree: ConfigTree): AccessFinding[] {
  const collected = collect(tree);
  const findings: AccessFinding[] = [];
  for (const root of [undefined, ...tree.unreached]) {
    const mine = collected.scopes.filter(
      ({ place }) => place.root.role !== 'unreached' || place.root === root,
    );
    const { live } = splitUnread(mine, collected.mapping);
    const sides = new Sides(live, { facts: factsOf(collected, tree), collected });
    for (const group of meetingGroups(live.filter((scope) => setsSomething(scope) || isApart(scope)))) {
      if (!group.some((scope) => isApart(scope) && (scope.place.root === root) === (root !== undefined)))
        continue;
      const found = sides.difference(group);
      const scope = found?.met.findLast(isApart);
      if (found === undefined || scope === undefined) continue;
      findings.push({
        file: scope.file,
        at: scope.section?.open.from ?? scope.lines24[0]?.node.start ?? 0,
        level: 'warning',
        safety: 'manual',
        message: `${scopeName(scope)}: its lines for 2.2 and those for 2.4 do not say the same; 2.4's stay: ${found.message}`,
        edits: [],
      });
    }
  }
  return findings;
}
