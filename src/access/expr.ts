import type { Directive } from '../syntax';

/**
 * A decision as a boolean expression over 2.4 providers. `text` of an atom is what stands after `Require`; `origin` is the 2.2 line it
 * comes from, so that the rewrite can stand where that line stood.
 */
export type Expr =
  | { readonly kind: 'true'; readonly origin: Directive | undefined }
  | { readonly kind: 'false'; readonly origin: Directive | undefined }
  | { readonly kind: 'atom'; readonly text: string; readonly origin: Directive | undefined }
  | { readonly kind: 'not'; readonly of: Atom }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expr[] };

export type Atom = Extract<Expr, { kind: 'atom' }>;

export const TRUE: Expr = { kind: 'true', origin: undefined };
export const FALSE: Expr = { kind: 'false', origin: undefined };

export function atom(text: string, origin: Directive | undefined): Expr {
  return { kind: 'atom', text, origin };
}

export function not(expr: Expr): Expr {
  switch (expr.kind) {
    case 'true':
      return { kind: 'false', origin: expr.origin };
    case 'false':
      return { kind: 'true', origin: expr.origin };
    case 'atom':
      return { kind: 'not', of: expr };
    case 'not':
      return expr.of;
    case 'and':
      return or(expr.of.map(not));
    case 'or':
      return and(expr.of.map(not));
  }
}

export function and(parts: readonly Expr[]): Expr {
  return combine('and', parts);
}

export function or(parts: readonly Expr[]): Expr {
  return combine('or', parts);
}

function combine(kind: 'and' | 'or', parts: readonly Expr[]): Expr {
  const neutral = kind === 'and' ? 'true' : 'false';
  const absorbing = kind === 'and' ? 'false' : 'true';
  const seen = new Set<string>();
  const kept: Expr[] = [];
  let dropped: Expr | undefined;
  const add = (part: Expr): Expr | undefined => {
    if (part.kind === absorbing) return part;
    if (part.kind === neutral) {
      dropped ??= part;
      return undefined;
    }
    if (part.kind === kind) {
      for (const inner of part.of) {
        const found = add(inner);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const key = keyOf(part);
    if (!seen.has(key)) {
      seen.add(key);
      kept.push(part);
    }
    return undefined;
  };
  for (const part of parts) {
    const found = add(part);
    if (found !== undefined) return found;
  }
  if (kept.length === 0) return dropped ?? (kind === 'and' ? TRUE : FALSE);
  if (kept.length === 1) return kept[0]!;
  return { kind, of: kept };
}

const keys = new WeakMap<Expr, string>();

/** A text that two expressions share exactly if they read the same; used to compare decisions. */
export function keyOf(expr: Expr): string {
  let key = keys.get(expr);
  if (key === undefined) {
    key = computeKey(expr);
    keys.set(expr, key);
  }
  return key;
}

function computeKey(expr: Expr): string {
  switch (expr.kind) {
    case 'true':
    case 'false':
      return expr.kind;
    case 'atom':
      return expr.text;
    case 'not':
      return `!${expr.of.text}`;
    case 'and':
    case 'or':
      return `${expr.kind}(${expr.of.map(keyOf).sort().join(';')})`;
  }
}
