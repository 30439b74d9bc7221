import { addressMatches, edgesOf } from './address';
import { type Expr, atomsOf, exprKey, FALSE, and, atom } from './expression';

/** With more atoms than these that are not addresses, or more addresses to try, nothing is claimed. */
const MAX_ATOMS = 6;
const MAX_ADDRESSES = 400;

/** Addresses that lie in no range of either expression, as a rule: one of each family. */
const ELSEWHERE = ['192.0.2.201', '2001:db8:fffe::201'];

/**
 * Whether two expressions have the same value for every request. Addresses are told apart by the ranges that the expressions
 * name: at the edges of these their values change. All other atoms may be true or false together in any way.
 * @returns false, too, where there are too many cases to try
 */
export function areEquivalent(a: Expr, b: Expr): boolean {
  return exprKey(a) === exprKey(b) || holdsAlways(a, b, (valueA, valueB) => valueA === valueB);
}

/** Whether the second lets in whom the first lets in. @returns false, too, where there are too many cases to try */
export function implies(a: Expr, b: Expr): boolean {
  return exprKey(a) === exprKey(b) || holdsAlways(a, b, (valueA, valueB) => !valueA || valueB);
}

function holdsAlways(a: Expr, b: Expr, relation: (valueA: boolean, valueB: boolean) => boolean): boolean {
  const ranges = new Set<string>();
  const others = new Set<string>();
  for (const { text } of [...atomsOf(a), ...atomsOf(b)]) {
    const words = rangesOf(text);
    if (words === undefined) others.add(text);
    else for (const word of words) ranges.add(word);
  }
  const addresses = [...ELSEWHERE, ...[...ranges].flatMap((range) => edgesOf(range) ?? [])];
  if (others.size > MAX_ATOMS || addresses.length > MAX_ADDRESSES) return false;
  const names = [...others];
  for (const address of new Set(addresses))
    for (let setting = 0; setting < 2 ** names.length; setting++) {
      const holds = (text: string): boolean => ((setting >> names.indexOf(text)) & 1) === 1;
      if (!relation(valueOf(a, address, holds), valueOf(b, address, holds))) return false;
    }
  return true;
}

/** The ranges of an address atom; undefined for any other atom, and where one of them cannot be read. */
function rangesOf(text: string): readonly string[] | undefined {
  const [provider, ...words] = text.split(/[ \t]+/);
  return provider === 'ip' && words.every((word) => edgesOf(word) !== undefined) ? words : undefined;
}

function valueOf(expr: Expr, address: string, holds: (text: string) => boolean): boolean {
  switch (expr.kind) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'atom':
      return rangesOf(expr.text)?.some((range) => addressMatches(range, address)) ?? holds(expr.text);
    case 'not':
      return !valueOf(expr.of, address, holds);
    case 'and':
      return expr.of.every((part) => valueOf(part, address, holds));
    case 'or':
      return expr.of.some((part) => valueOf(part, address, holds));
  }
}

/** With more parts than these left nobody could read it: nobody is let in then. */
const MAX_PARTS = 24;

/** Up to so many parts are held against the others. */
const FEW = 12;

/** What lets in only whom each expression lets in, in few words: without implied parts, user lines as one. */
export function strictest(exprs: readonly Expr[]): Expr {
  const whole = and(exprs);
  if (whole.kind !== 'and') return whole;
  let parts = withCommonUsers(whole.of);
  if (parts === undefined) return { kind: 'false', origin: undefined };
  if (parts.length <= FEW)
    for (const part of parts) {
      const others: readonly Expr[] = parts.filter((other) => other !== part);
      if (others.length > 0 && implies(and(others), part)) parts = others;
    }
  return parts.length > MAX_PARTS ? FALSE : and(parts);
}

/** @returns undefined where no user is on all lists */
function withCommonUsers(parts: readonly Expr[]): readonly Expr[] | undefined {
  const lines = parts.filter((part) => namesOf(part) !== undefined);
  const isAnyUser = (part: Expr): boolean => part.kind === 'atom' && part.text === 'valid-user';
  if (lines.length === 0) return parts;
  const [first, ...others] = lines;
  const names = namesOf(first!)!.filter((name) => others.every((line) => namesOf(line)!.includes(name)));
  if (names.length === 0) return undefined;
  const origin = first!.kind === 'atom' ? first!.origin : undefined;
  const common = lines.length === 1 ? first! : atom('user', names.join(' '), origin);
  return parts.flatMap((part) =>
    part === first ? [common] : lines.includes(part) || isAnyUser(part) ? [] : [part],
  );
}

/** The names that a user line lists, where they are plain words. */
function namesOf(expr: Expr): readonly string[] | undefined {
  if (expr.kind !== 'atom' || expr.provider !== 'user' || !/^user [\w.@ \t-]+$/.test(expr.text))
    return undefined;
  return expr.text
    .slice('user '.length)
    .split(/[ \t]+/)
    .filter((name) => name !== '');
}
