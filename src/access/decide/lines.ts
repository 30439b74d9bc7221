import type { Scope, ScopeLine } from '../policy';
import { EMPTY_LIST, addTo } from '../primitives';

/** The sections that say something in the very same lines, where there are several. */
export function sharingLines(scopes: readonly Scope[]): readonly Scope[][] {
  if (scopes.length < 2) return EMPTY_LIST;
  const byLine = new Map<object | string, Scope[]>();
  for (const scope of scopes) {
    const [line] = linesOf(scope);
    if (line === undefined) continue;
    const key = lineKey(line);
    addTo(byLine, key, scope);
  }
  return [...byLine.values()].filter(
    ([first, ...others]) => others.length > 0 && others.every((scope) => haveSameLines(first!, scope)),
  );
}

function haveSameLines(a: Scope, b: Scope): boolean {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  if (a.kind !== b.kind || linesA.length !== linesB.length) return false;
  return linesA.every((line, i) => lineKey(line) === lineKey(linesB[i]!));
}

/** The lines that a rewrite of a section may change. */
export function linesOf({ old, requires, authType, lines22, lines24 }: Scope): readonly ScopeLine[] {
  const lines = authType === undefined ? [...old, ...requires] : [...old, ...requires, authType];
  for (const line of lines22) lines.push(line);
  if (lines24.length === 0) return lines;
  const forBoth = new Set(requires);
  for (const line of lines24) if (!forBoth.has(line)) lines.push(line);
  return lines;
}

/** What is the same for a line under each name of its file. */
export function lineKey({ file, node }: ScopeLine): object | string {
  return file.inode === undefined ? node : `${file.inode}:${node.start}`;
}
