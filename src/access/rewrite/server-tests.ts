import { type Expr, type ServerTraits, and, equalAtom, not, or, serverNameAtom } from '../primitives';

/** Nobody could read a text that asks for more servers by name than these. */
const MAX_ASKED = 8;

/**
 * What tells requests to each group of servers from those to all others; undefined where some cannot be told apart by what no
 * client can say.
 * @param groups the traits of the servers of each; no server stands in two
 */
export function testsOfServers(groups: readonly (readonly ServerTraits[])[]): readonly Expr[] | undefined {
  const tests = groups.map((traits) => testOf(traits, groups.filter((other) => other !== traits).flat()));
  // The group that is the longest to tell is what the others leave.
  let rest = tests.indexOf(undefined);
  if (rest < 0) rest = tests.reduce((most, test, i) => (sizeOf(test!) > sizeOf(tests[most]!) ? i : most), 0);
  const others = tests.filter((_, i) => i !== rest);
  if (!others.every((test) => test !== undefined)) return undefined;
  if (others.reduce((sum, test) => sum + sizeOf(test), 0) > MAX_ASKED) return undefined;
  return tests.map((test, i) => (i === rest ? and(others.map(not)) : test!));
}

function testOf(traits: readonly ServerTraits[], others: readonly ServerTraits[]): Expr | undefined {
  const found = traits.map((server) => testOfServer(server, others));
  return found.every((test) => test !== undefined) ? or(found) : undefined;
}

/** What is asked of a request, and of which other servers no request answers it so. */
interface ServerTest {
  readonly test: Expr;
  readonly excludes: (other: ServerTraits) => boolean;
}

/** Marks of a server that none of the others shares all of: one, if one is enough. */
function testOfServer(server: ServerTraits, others: readonly ServerTraits[]): Expr | undefined {
  const tests = testsFor(server);
  const single = tests.find(({ excludes }) => others.every(excludes));
  if (single !== undefined) return single.test;
  const found: Expr[] = [];
  let left = others;
  for (const { test, excludes } of tests) {
    if (!left.some(excludes)) continue;
    found.push(test);
    left = left.filter((other) => !excludes(other));
  }
  // The first of the hosts at an address gets what is for none of the others.
  for (const other of left) {
    const test =
      isBeside(server, other) && !other.name!.isFirst ? serverNameAtom(other.name!.names) : undefined;
    if (test === undefined) return undefined;
    found.push(not(test));
  }
  return and(found);
}

function testsFor(server: ServerTraits): readonly ServerTest[] {
  const { documentRoot, tls, name } = server;
  const tests: ServerTest[] = [];
  if (documentRoot !== undefined)
    tests.push({
      test: equalAtom('DOCUMENT_ROOT', documentRoot),
      excludes: (other) => other.documentRoot !== undefined && other.documentRoot !== documentRoot,
    });
  if (tls !== undefined)
    tests.push({
      test: equalAtom('HTTPS', tls ? 'on' : 'off'),
      excludes: (other) => other.tls !== undefined && other.tls !== tls,
    });
  if (name?.isFirst === false)
    tests.push({ test: serverNameAtom(name.names), excludes: (other) => isBeside(server, other) });
  return tests;
}

/** Whether the name in the request chooses between the two. */
function isBeside({ name }: ServerTraits, other: ServerTraits): boolean {
  return name !== undefined && name !== other.name && name.addresses === other.name?.addresses;
}

/** How many comparisons an expression is made of. */
function sizeOf(expr: Expr): number {
  return expr.kind === 'and' || expr.kind === 'or' ? expr.of.reduce((sum, part) => sum + sizeOf(part), 0) : 1;
}
