import { type Expr, FALSE, type MethodClass, TRUE, and, atom, covers, not, or } from '../primitives';
import type { Node24 } from './policy';

const known = new WeakMap<Node24, Map<MethodClass, Expr | undefined>>();

/**
 * What a Require tree of 2.4 decides for one method class, as an expression (2.4 mod_authz_core.c: apply_authz_sections); undefined where
 * nothing in it is for the method.
 */
export function authzExpr(node: Node24, method: MethodClass): Expr | undefined {
  let byMethod = known.get(node);
  if (byMethod === undefined) known.set(node, (byMethod = new Map()));
  if (!byMethod.has(method)) byMethod.set(method, compute(node, method));
  return byMethod.get(method);
}

function compute(node: Node24, method: MethodClass): Expr | undefined {
  const own = node.kind === 'require' ? requireExpr(node, method) : containerExpr(node, method);
  return own !== undefined && node.negated ? not(own) : own;
}

function containerExpr(node: Node24 & { kind: 'container' }, method: MethodClass): Expr | undefined {
  const parts = node.children.map((child) => authzExpr(child, method));
  const said = parts.filter((part) => part !== undefined);
  if (said.length === 0) return undefined;
  // In a RequireAll what is for other methods counts as granted; elsewhere it counts for nothing.
  if (node.op === 'or') return or(said);
  return and(said.length < parts.length ? [TRUE, ...said] : said);
}

function requireExpr(node: Node24 & { kind: 'require' }, method: MethodClass): Expr | undefined {
  if (!node.masks.every((mask) => covers(mask, method))) return undefined;
  if (node.provider === 'all')
    return { ...(node.args.trim().toLowerCase() === 'granted' ? TRUE : FALSE), origin: node.origin } as Expr;
  const args = node.args.trim();
  return atom(args === '' ? node.provider : `${node.provider} ${args}`, node.origin);
}
