import type { Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';

/** Visits every RewriteRule in the order of the lines, with the conditions that stand before it and are for it alone. */
export function eachRule(
  { index }: Pick<TransformContext, 'index'>,
  visit: (rule: Directive, place: Place, conditions: readonly Directive[]) => void,
): void {
  let conditions: Directive[] = [];
  index.visitInOrder(['RewriteCond', 'RewriteRule'], [], (node, place) => {
    if (node.kind !== 'directive') return;
    if (node.key === 'rewritecond') {
      conditions.push(node);
      return;
    }
    const before = conditions;
    conditions = [];
    visit(node, place, before);
  });
}
