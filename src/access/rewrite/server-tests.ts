import { type Expr, type ServerMarks, and, equalAtom, not, or } from '../primitives';

/** Nobody could read a text that asks for more servers by name than these. */
const MAX_ASKED = 8;

/**
 * What tells requests to each group of servers from those to all others; undefined where some cannot be told apart by what no client can
 * say.
 * @param groups the marks of the servers of each; no server stands in two
 */
export function testsOfServers(groups: readonly (readonly ServerMarks[])[]): readonly Expr[] | undefined {
  const tests = groups.map((marks) => testOf(marks, groups.filter((other) => other !== marks).flat()));
  // The group that is the longest to tell is what the others leave.
  let rest = tests.indexOf(undefined);
  if (rest < 0) rest = tests.reduce((most, test, i) => (sizeOf(test!) > sizeOf(tests[most]!) ? i : most), 0);
  const others = tests.filter((_, i) => i !== rest);
  if (!others.every((test) => test !== undefined)) return undefined;
  if (others.reduce((sum, test) => sum + sizeOf(test), 0) > MAX_ASKED) return undefined;
  return tests.map((test, i) => (i === rest ? and(others.map(not)) : test!));
}

function testOf(marks: readonly ServerMarks[], others: readonly ServerMarks[]): Expr | undefined {
  const found: Expr[] = [];
  for (const server of marks) {
    const test = testOfServer(server, others);
    if (test === undefined) return undefined;
    found.push(test);
  }
  return or(found);
}

/** The fewest of its marks that none of the others shares all of. */
function testOfServer({ documentRoot, tls }: ServerMarks, others: readonly ServerMarks[]): Expr | undefined {
  const hasOtherRoot = (other: ServerMarks): boolean =>
    other.documentRoot !== undefined && other.documentRoot !== documentRoot;
  const isOtherwiseOver = (other: ServerMarks): boolean => other.tls !== undefined && other.tls !== tls;
  const byRoot = documentRoot === undefined ? undefined : equalAtom('DOCUMENT_ROOT', documentRoot);
  if (byRoot !== undefined && others.every(hasOtherRoot)) return byRoot;
  const byTls = tls === undefined ? undefined : equalAtom('HTTPS', tls ? 'on' : 'off');
  if (byTls !== undefined && others.every(isOtherwiseOver)) return byTls;
  const both = (other: ServerMarks): boolean => hasOtherRoot(other) || isOtherwiseOver(other);
  return byRoot !== undefined && byTls !== undefined && others.every(both) ? and([byRoot, byTls]) : undefined;
}

/** How many comparisons an expression is made of. */
function sizeOf(expr: Expr): number {
  return expr.kind === 'and' || expr.kind === 'or' ? expr.of.reduce((sum, part) => sum + sizeOf(part), 0) : 1;
}
