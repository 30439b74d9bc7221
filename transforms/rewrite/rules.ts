import type { Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { addTo, memo } from '../../src/maps';
import type { Directive } from '../../src/syntax';
import { scopeOf } from '../common/lines';

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

/** Several rules ask for the same lines. Conditions are for a rule of their own section or file. */
const rulesOf = memo((index: TransformContext['index']): readonly RuleInPlace[] => {
  const rules: RuleInPlace[] = [];
  const pending = new Map<object, Directive[]>();
  index.visitInOrder(['RewriteCond', 'RewriteRule'], [], (node, place) => {
    if (node.kind !== 'directive') return;
    const scope = scopeOf(place);
    if (node.key === 'rewriterule') {
      rules.push({ node, place, conditions: pending.get(scope) ?? NONE });
      pending.delete(scope);
    } else addTo(pending, scope, node);
  });
  return rules;
});

const NONE: readonly Directive[] = [];
