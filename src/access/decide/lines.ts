import type { Scope, ScopeLine } from '../policy';
import { EMPTY_LIST, addTo } from '../primitives';

/** Providers that only 2.4 has, among those that the rewrite asks: none of them needs to know a user. */
export const NEW_PROVIDERS = new Set(['all', 'ip', 'host', 'env', 'method', 'expr', 'ssl']);

/** The sections that say something in the very same lines, where there are several. */
export function sharingLines(scopes: readonly Scope[]): readonly Scope[][] {
  if (scopes.length < 2) return EMPTY_LIST;
  const byLine = new Map<object, Scope[]>();
  for (const scope of scopes) {
    const [line] = rewritableLines(scope);
    if (line === undefined) continue;
    addTo(byLine, line.node, scope);
  }
  return [...byLine.values()].filter(
    (sharing) => sharing.length > 1 && sharing.every((scope) => haveSameLines(sharing[0]!, scope)),
  );
}

function haveSameLines(a: Scope, b: Scope): boolean {
  const [linesA, linesB] = [rewritableLines(a), rewritableLines(b)];
  if (a.kind !== b.kind || linesA.length !== linesB.length) return false;
  return linesA.every((line, i) => line.node === linesB[i]!.node);
}

/** The lines that a rewrite of a section may change. */
export function rewritableLines({ lines }: Scope): readonly ScopeLine[] {
  const { old, requires, beside, only22, requires24 } = lines;
  // In most sections all lines are of one kind.
  if (beside === undefined && requires.length + only22.length + requires24.length === 0) return old;
  return [
    ...old,
    ...requires,
    ...(beside === undefined ? EMPTY_LIST : [beside]),
    ...only22,
    ...requires24.filter(({ readBy22 }) => !readBy22),
  ];
}
