import type { Scope } from '../policy';

/** Whether 2.4 finds something in the place of what only 2.2 reads: in the section itself, or in another for the same place. */
export function hasCounterpart(scope: Scope, scopes: readonly Scope[]): boolean {
  const place = JSON.stringify(scope.pattern);
  return scopes.some(
    (one) =>
      one.only24 > 0 &&
      (one === scope ||
        (one.kind === scope.kind &&
          one.section?.open.rest === scope.section?.open.rest &&
          JSON.stringify(one.pattern) === place)),
  );
}
