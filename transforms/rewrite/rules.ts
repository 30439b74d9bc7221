import type { Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { memo } from '../../src/maps';
import type { Directive } from '../../src/syntax';

/** A RewriteRule, with the conditions that stand before it and are for it alone. */
interface RuleInPlace {
  readonly node: Directive;
  readonly place: Place;
  readonly conditions: readonly Directive[];
}

/** Visits every RewriteRule in the order of the lines, with the conditions that stand before it and are for it alone. */
export function eachRule(
  { index }: Pick<TransformContext, 'index'>,
  visit: (rule: Directive, place: Place, conditions: readonly Directive[]) => void,
): void {
  rulesOf(index).forEach(({ node, place, conditions }) => visit(node, place, conditions));
}

/** Several rules ask for the same lines. */
const rulesOf = memo((index: TransformContext['index']): readonly RuleInPlace[] => {
  const rules: RuleInPlace[] = [];
  let conditions = NONE;
  index.visitInOrder(['RewriteCond', 'RewriteRule'], [], (node, place) => {
    if (node.kind !== 'directive') return;
    if (node.key === 'rewriterule') {
      rules.push({ node, place, conditions });
      conditions = NONE;
    } else if (conditions === NONE) conditions = [node];
    else conditions.push(node);
  });
  return rules;
});

const NONE: Directive[] = [];
