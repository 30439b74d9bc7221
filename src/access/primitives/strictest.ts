import { implies } from './equivalence';
import { type Expr, FALSE, and, atom } from './expression';

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
