import { type Directive, quoteWord } from '../../syntax';
import { type Expr, type MethodClass, TRUE, and, atom, covers, not, or } from '../primitives';
import { type HostPolicy, type HostWord, orderFor } from './policy';

/** The host lists' decision for one method class (access-semantics A3, D1). A policy that was never set admits everybody. */
export function hostsExpr(policy: HostPolicy | undefined, method: MethodClass): Expr {
  if (policy === undefined) return TRUE;
  const allowed: Expr[] = [];
  const denied: Expr[] = [];
  for (const line of policy.lines) {
    if (covers(line.mask, method)) addLine(line.words, line.origin, line.allow ? allowed : denied);
  }
  const { order, origin } = orderFor(policy, method);
  const allow = or(allowed);
  const deny = or(denied);
  const base: Expr = { kind: 'true', origin };
  if (order === 'allow,deny') {
    if (deny.kind === 'true') return { kind: 'false', origin };
    if (allow.kind === 'false') return { kind: 'false', origin: origin ?? allow.origin };
    return withBase(and([allow, not(deny)]), allow);
  }
  if (allow.kind === 'true' || deny.kind === 'false') return allow.kind === 'true' ? allow : base;
  if (deny.kind === 'true')
    return allow.kind === 'false' ? { kind: 'false', origin: deny.origin ?? origin } : allow;
  return or([allow, withBase(not(deny), base)]);
}

/** A conjunction of negatives alone needs a `Require all granted` before it; that line stands where its source stood. */
function withBase(expr: Expr, base: Expr): Expr {
  if (base.kind !== 'true') return expr;
  if (expr.kind === 'not') return { kind: 'and', of: [base, expr] };
  if (expr.kind === 'and' && expr.of.every((part) => part.kind === 'not'))
    return { kind: 'and', of: [base, ...expr.of] };
  return expr;
}

/** Words of one line and one provider share a `Require` line; `env=!X` words cannot. Adds what stands for a line to `to`. */
function addLine(words: readonly HostWord[], origin: Directive, to: Expr[]): void {
  const kind = words[0]?.kind;
  if (words.length === 1 && kind === 'all') {
    to.push({ kind: 'true', origin });
    return;
  }
  if (kind === 'ip' || kind === 'host') {
    // Most lines have words of one provider.
    let text: string = kind;
    let same = 0;
    for (; same < words.length; same++) {
      const word = words[same]!;
      if (word.kind !== kind) break;
      text += ` ${word.text}`;
    }
    if (same === words.length) {
      to.push(atom(text, origin));
      return;
    }
  }
  const plain = new Map<'env' | 'ip' | 'host', string>();
  const negated: string[] = [];
  for (const word of words) {
    if (word.kind === 'all') {
      to.push({ kind: 'true', origin });
      return;
    }
    if (word.kind === 'env' && word.negated) negated.push(quoteWord(word.name));
    else if (word.kind !== 'never' && word.kind !== 'invalid')
      plain.set(
        word.kind,
        `${plain.get(word.kind) ?? word.kind} ${word.kind === 'env' ? quoteWord(word.name) : word.text}`,
      );
  }
  for (const text of plain.values()) to.push(atom(text, origin));
  for (const name of negated) to.push(not(atom(`env ${name}`, origin)));
}
