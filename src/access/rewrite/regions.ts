import { type Expr, and, exprKey, not, or } from '../primitives';

/** What is asked of a request, as parts that all hold. */
const partsOf = (expr: Expr): readonly Expr[] => (expr.kind === 'and' ? expr.of : [expr]);

/** Asks of regions in fewer and shorter questions: one for two that differ in one question, none for one inside another. */
export function joinRegions(regions: readonly Expr[]): readonly Expr[] {
  const found = regions.map(shortened);
  for (let i = 0; i < found.length; i++)
    for (let j = 0; j < found.length; j++) {
      const joined = i === j ? undefined : joinedRegion(found[i]!, found[j]!);
      if (joined === undefined) continue;
      found[Math.min(i, j)] = joined;
      found.splice(Math.max(i, j), 1);
      [i, j] = [0, -1];
    }
  return found;
}

function joinedRegion(a: Expr, b: Expr): Expr | undefined {
  const keysOf = (expr: Expr): readonly string[] => partsOf(expr).map(exprKey);
  const without = (expr: Expr, keys: readonly string[]): Expr =>
    and(partsOf(expr).filter((part) => !keys.includes(exprKey(part))));
  const restA = without(a, keysOf(b));
  if (restA.kind === 'true') return a;
  const shared = partsOf(a).filter((part) => keysOf(b).includes(exprKey(part)));
  return exprKey(not(restA)) === exprKey(without(b, keysOf(a))) ? and(shared) : undefined;
}

/** A region without what its other questions say already: a file in one directory is in none beside it. */
function shortened(region: Expr): Expr {
  const parts = partsOf(region);
  const surely = parts.filter(({ kind }) => kind !== 'or');
  const isSaid = (part: Expr): boolean =>
    valueIn(
      part,
      surely.filter((other) => other !== part),
    ) === true;
  const rest = parts.map((part) => {
    if (part.kind !== 'or') return isSaid(part) ? [] : [part];
    const values = part.of.map((alternative) => valueIn(alternative, surely));
    return values.includes(true) ? [] : [or(part.of.filter((_, i) => values[i] !== false))];
  });
  return and(rest.flat());
}

/** Whether something is so where all of these are; undefined where they do not say. */
function valueIn(expr: Expr, all: readonly Expr[]): boolean | undefined {
  const [key, opposite] = [exprKey(expr), exprKey(not(expr))];
  const directory = directoryAsked(expr.kind === 'not' ? expr.of : expr);
  for (const other of all) {
    const otherKey = exprKey(other);
    if (otherKey === key) return true;
    if (otherKey === opposite) return false;
    const inside = directoryAsked(other);
    if (directory === undefined || inside === undefined) continue;
    if (isBelow(inside, directory)) return expr.kind !== 'not';
    if (!isBelow(directory, inside)) return expr.kind === 'not';
  }
  return undefined;
}

const DIRECTORY_TEST = /^%\{REQUEST_FILENAME\} =~ m#\^((?:[\w/ -]|\\[^\w\n])+)\(\/\|\$\)#$/;

/** The directory that the file is asked to lie below, as a regex writes it. */
function directoryAsked(expr: Expr): string | undefined {
  const asked = expr.kind === 'atom' ? DIRECTORY_TEST.exec(expr.text) : null;
  return asked?.[1];
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
