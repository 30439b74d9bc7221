import { type Directive, quoteWord } from '../../syntax';
import { type Expr, type MethodClass, OTHER_METHODS, isRegistered, keyOf } from '../primitives';

/** One line of the rewrite, or a container of lines, with the 2.2 line it comes from. */
export type Output =
  | { readonly kind: 'line'; readonly text: string; readonly origin: Directive | undefined }
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly args: string;
      readonly body: readonly Output[];
    };

const GRANTED = 'Require all granted';
const DENIED = 'Require all denied';

/**
 * Writes a decision as 2.4 text at the top level of a section (access-semantics D1).
 * @returns undefined where no exact text exists (TRACE cannot stand in a `<Limit>`)
 */
export function emit(
  classes: readonly MethodClass[],
  exprs: readonly Expr[],
  mixed: boolean,
): Output[] | undefined {
  const [only] = exprs;
  if (classes.length === 1) return together(only!, mixed);
  const groups = new Map<string, { expr: Expr; methods: MethodClass[] }>();
  classes.forEach((method, i) => {
    const expr = exprs[i]!;
    const key = keyOf(expr);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { expr, methods: [method] });
    else group.methods.push(method);
  });
  const list = [...groups.values()];
  if (list.length === 1) return together(list[0]!.expr, mixed);
  const byMethod = methodsOnly(list);
  if (byMethod !== undefined) return byMethod;
  const blocks: Output[] = [];
  for (const { expr, methods } of list) {
    // Methods outside all Limits of a section are granted by 2.4 (mod_authz_core.c: the root covers its children's methods).
    if (expr.kind === 'true') continue;
    const rest = methods.includes(OTHER_METHODS);
    const names = rest ? classes.filter((method) => !methods.includes(method)) : methods;
    if (!rest && names.includes('TRACE')) return undefined;
    const body: Output[] = [];
    alternatives(expr, body);
    const args = names.map(quoteWord).join(' ');
    blocks.push({ kind: 'block', name: rest ? 'LimitExcept' : 'Limit', args, body });
  }
  const [first] = blocks;
  if (mixed && first?.kind === 'block' && blocks.every(isPlain))
    blocks[0] = { ...first, body: [{ kind: 'block', name: 'RequireAny', args: '', body: first.body }] };
  return blocks;
}

/** What holds for all methods. */
function together(expr: Expr, mixed: boolean): Output[] {
  const lines: Output[] = [];
  alternatives(expr, lines);
  // Lines of several 2.2 modules that all count: without the container they would read as 2.2's, where not all do.
  return mixed && lines.every(isPlain)
    ? [{ kind: 'block', name: 'RequireAny', args: '', body: lines }]
    : lines;
}

/** Nothing in it that 2.2 would not read as its own. */
function isPlain(output: Output): boolean {
  if (output.kind === 'line') return /^Require (?:valid-user|user|group|file-|ldap-)/.test(output.text);
  return output.name.startsWith('Limit') && output.body.every(isPlain);
}

/** Everybody by some methods and nobody by the others is what `Require method` says. */
function methodsOnly(groups: readonly { expr: Expr; methods: MethodClass[] }[]): Output[] | undefined {
  const granted = groups.find((group) => group.expr.kind === 'true');
  const denied = groups.find((group) => group.expr.kind === 'false');
  if (groups.length !== 2 || granted === undefined || denied === undefined) return undefined;
  if (denied.methods.includes(OTHER_METHODS) && granted.methods.every(isRegistered))
    return [line(`Require method ${granted.methods.join(' ')}`, originOf(granted.expr))];
  return undefined;
}

function line(text: string, origin: Directive | undefined): Output {
  return { kind: 'line', text, origin };
}

function originOf(expr: Expr): Directive | undefined {
  return expr.kind === 'true' || expr.kind === 'false' || expr.kind === 'atom' ? expr.origin : undefined;
}

/** Where lines are alternatives: the top level of a section, RequireAny. Adds them to `to`. */
function alternatives(expr: Expr, to: Output[]): void {
  switch (expr.kind) {
    case 'true':
      to.push(line(GRANTED, expr.origin));
      break;
    case 'false':
      to.push(line(DENIED, expr.origin));
      break;
    case 'atom':
      to.push(line(`Require ${expr.text}`, expr.origin));
      break;
    case 'not':
      to.push(all([expr]));
      break;
    case 'and':
      to.push(all(expr.of));
      break;
    case 'or':
      for (const part of expr.of) alternatives(part, to);
  }
}

/** A RequireAll; negatives alone grant nothing, so they get a `Require all granted` before them. */
function all(parts: readonly Expr[]): Output {
  const body: Output[] = [];
  if (parts.every((part) => part.kind === 'not' || part.kind === 'true')) {
    const base = parts.find((part) => part.kind === 'true');
    body.push(line(GRANTED, base === undefined ? undefined : originOf(base)));
  }
  for (const part of parts) if (part.kind !== 'true') conditions(part, body);
  return { kind: 'block', name: 'RequireAll', args: '', body };
}

/** Where all lines must hold: inside RequireAll. Adds them to `to`. */
function conditions(expr: Expr, to: Output[]): void {
  switch (expr.kind) {
    case 'not':
      to.push(line(`Require not ${expr.of.text}`, expr.of.origin));
      break;
    case 'or': {
      const body: Output[] = [];
      for (const part of expr.of) alternatives(part, body);
      to.push({ kind: 'block', name: 'RequireAny', args: '', body });
      break;
    }
    case 'and':
      for (const part of expr.of) conditions(part, to);
      break;
    default:
      alternatives(expr, to);
  }
}
