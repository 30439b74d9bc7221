import { isConditional } from '../../config';
import { EMPTY_LIST } from '../primitives';
import { conditionalTests } from './conditionals';
import type { ConditionalTest, Scope } from './scope';

/** What is asked around the virtual host that a section stands in: whether there is one. */
export function testsAroundHost({ vhost, place: { chain } }: Scope): readonly ConditionalTest[] {
  const at = chain.findIndex(({ section }) => section === vhost);
  if (at <= 0) return EMPTY_LIST;
  return conditionalTests(
    chain.slice(0, at).flatMap(({ section }) => (isConditional(section) ? section : [])),
  );
}

/** Whether what one place asks and what another asks cannot both hold. */
export function testsExclude(a: readonly ConditionalTest[], b: readonly ConditionalTest[]): boolean {
  return a.some((testA) => b.some((testB) => testA.name === testB.name && testA.is !== testB.is));
}
