import type { Directive } from '../../syntax';
import { memo } from '../../maps';

/** A decision as an expression over 2.4's providers. `origin` is its 2.2 line: the rewrite stands where that stood. */
export type Expr =
  | { readonly kind: 'true'; readonly origin: Directive | undefined }
  | { readonly kind: 'false'; readonly origin: Directive | undefined }
  | Atom
  | { readonly kind: 'not'; readonly of: Atom }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expr[] };

interface Atom {
  readonly kind: 'atom';
  readonly provider: string;
  /** What stands after `Require`: the provider and its arguments. */
  readonly text: string;
  /** How the negation is written of a comparison inside `Require expr`. */
  readonly negation?: string;
  readonly origin: Directive | undefined;
}

export const TRUE: Expr = { kind: 'true', origin: undefined };
export const FALSE: Expr = { kind: 'false', origin: undefined };

/** @param args empty for a provider that takes none */
export function atom(provider: string, args: string, origin: Directive | undefined): Expr {
  return { kind: 'atom', provider, text: args === '' ? provider : `${provider} ${args}`, origin };
}

/** A comparison inside `Require expr`. @param regex without `#` */
export function matchAtom(field: 'REQUEST_FILENAME' | 'REQUEST_URI', regex: string): Expr {
  return comparison(`%{${field}}`, ['=~', '!~'], `m#${regex}#`);
}

/** A comparison inside `Require expr` with a whole value. @param value without `'`, `%` and `\` */
export function equalAtom(field: 'DOCUMENT_ROOT' | 'HTTPS', value: string): Expr {
  return comparison(`%{${field}}`, ['==', '!='], `'${value}'`);
}

/** Whether the name of the server is one of these. @param names with `*` and `?`, else plain words; in any letter case */
export function serverNameAtom(names: readonly string[]): Expr {
  const regexes = names.map((name) => name.replace(/\./g, '\\.').replace(/\*/g, '.*').replace(/\?/g, '.'));
  const regex = regexes.length === 1 ? regexes[0]! : `(${regexes.join('|')})`;
  return comparison('%{SERVER_NAME}', ['=~', '!~'], `m#^${regex}$#i`);
}

/** Whether the file is a directory: its name need not show it. */
export const DIRECTORY: Atom = {
  kind: 'atom',
  provider: 'expr',
  text: '-d %{REQUEST_FILENAME}',
  negation: '! -d %{REQUEST_FILENAME}',
  origin: undefined,
};

function comparison(field: string, [is, isNot]: readonly [string, string], value: string): Expr {
  return {
    kind: 'atom',
    provider: 'expr',
    text: `${field} ${is} ${value}`,
    negation: `${field} ${isNot} ${value}`,
    origin: undefined,
  };
}

/** How a regex begins that is asked of the last part of a file name alone: at the slash that no other one follows. */
export const AT_LAST_NAME = '/(?=[^/]*$)';

/** Whether a regex has a `|` outside of groups and classes: nothing can be put before it then. */
export function hasOpenChoice(regex: string): boolean {
  const bare = regex.replace(/\\.|\[\^?\]?[^\]]*\]/g, '');
  return bare.replace(/\([^()]*\)/g, '').includes('|');
}

/** Everything that an expression asks of providers. */
export function* atomsOf(expr: Expr): Iterable<Atom> {
  if (expr.kind === 'atom') yield expr;
  else if (expr.kind === 'not') yield expr.of;
  else if (expr.kind === 'and' || expr.kind === 'or') for (const part of expr.of) yield* atomsOf(part);
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
  // A conjunction holds no other as a part of it, nor an alternative another one.
  const whole = parts.flatMap((part) => (part.kind === kind ? part.of : part));
  const [settles, saysNothing] = kind === 'and' ? (['false', 'true'] as const) : (['true', 'false'] as const);
  const deciding = whole.find((part) => part.kind === settles);
  if (deciding !== undefined) return deciding;
  const byKey = new Map<string, Expr>();
  for (const part of whole)
    if (part.kind !== saysNothing && !byKey.has(exprKey(part))) byKey.set(exprKey(part), part);
  const kept = [...byKey.values()];
  if (kept.length > 1) return { kind, of: kept };
  return kept[0] ?? whole[0] ?? (kind === 'and' ? TRUE : FALSE);
}

/** A text that two expressions share exactly if they read the same; used to compare decisions. */
export function exprKey(expr: Expr): string {
  if (expr.kind === 'atom') return expr.text;
  if (expr.kind === 'true' || expr.kind === 'false') return expr.kind;
  if (expr.kind === 'not') return `!${expr.of.text}`;
  return keyOfParts(expr);
}

const keyOfParts = memo(
  (expr: Extract<Expr, { kind: 'and' | 'or' }>): string =>
    `${expr.kind}(${expr.of.map(exprKey).sort().join(';')})`,
);
