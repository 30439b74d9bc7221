import { isRegistered } from '../../httpd/methods';
import { type Directive, quoteWord } from '../../syntax';
import { type ConditionalTest, authorizerOf } from '../policy';
import { type Expr, type MethodClass, OTHER_METHODS, exprKey, getOrInsert } from '../primitives';

/** A Require line of the rewrite, with the 2.2 line it comes from. */
export interface RequireOutput {
  readonly kind: 'require';
  readonly provider: string;
  readonly negated: boolean;
  readonly text: string;
  readonly origin: Directive | undefined;
}

/** One line of the rewrite, or a container, a Limit or a conditional with lines. */
export type RewriteOutput =
  | RequireOutput
  | { readonly kind: 'merging'; readonly merging: 'And' | 'Or' }
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly args: string;
      readonly body: readonly RewriteOutput[];
      /** What a conditional asks, and whether its lines are for those where that is so. */
      readonly asks?: Pick<ConditionalTest, 'name' | 'is'>;
    };

const CONTAINERS = new Set(['requireall', 'requireany', 'requirenone']);

/** True for the name of a section that holds Require lines: a Limit or a conditional is none. */
export function isContainer(name: string): boolean {
  return CONTAINERS.has(name.toLowerCase());
}

/** The words by which the configuration names a set of methods in a Limit; undefined where it names another. */
export type MethodWords = (names: readonly MethodClass[]) => readonly string[] | undefined;

/**
 * Writes a decision as 2.4 text at the top level of a section (docs/facts/access-rewrite.md: the decision).
 * @param wordsFor words to name methods by; HEAD is GET's other name
 * @returns undefined where no exact text exists (TRACE cannot stand in a `<Limit>`)
 */
export function emit(
  classes: readonly MethodClass[],
  exprs: readonly Expr[],
  mixed: boolean,
  wordsFor: MethodWords,
): RewriteOutput[] | undefined {
  const groups = new Map<string, { expr: Expr; methods: MethodClass[] }>();
  classes.forEach((method, i) => {
    const expr = exprs[i]!;
    const key = exprKey(expr);
    getOrInsert(groups, key, () => ({ expr, methods: [] })).methods.push(method);
  });
  const list = [...groups.values()];
  if (list.length === 1) return forAllMethods(list[0]!.expr, mixed);
  const byMethod = methodsOnly(list, wordsFor);
  if (byMethod !== undefined) return byMethod;
  const blocks: RewriteOutput[] = [];
  for (const { expr, methods } of list) {
    // Methods outside all Limits of a section are granted by 2.4 (mod_authz_core.c: the root covers its children's methods).
    if (expr.kind === 'true') continue;
    const rest = methods.includes(OTHER_METHODS);
    const names = rest ? classes.filter((method) => !methods.includes(method)) : methods;
    if (!rest && names.includes('TRACE')) return undefined;
    const body: RewriteOutput[] = [];
    alternatives(expr, body);
    const args = (wordsFor(names) ?? names).map(quoteWord).join(' ');
    blocks.push({ kind: 'block', name: rest ? 'LimitExcept' : 'Limit', args, body });
  }
  const [first] = blocks;
  if (mixed && first?.kind === 'block' && blocks.every(isReadAlikeBy22))
    blocks[0] = { ...first, body: [{ kind: 'block', name: 'RequireAny', args: '', body: first.body }] };
  return blocks;
}

function forAllMethods(expr: Expr, mixed: boolean): RewriteOutput[] {
  const lines: RewriteOutput[] = [];
  alternatives(expr, lines);
  // Lines of several 2.2 modules that all count: without the container they would read as 2.2's, where not all do.
  return mixed && lines.every(isReadAlikeBy22)
    ? [{ kind: 'block', name: 'RequireAny', args: '', body: lines }]
    : lines;
}

/** Nothing in it that 2.2 would not read as its own: words that it takes for its own, whoever answers them there. */
function isReadAlikeBy22(output: RewriteOutput): boolean {
  if (output.kind === 'require') {
    const { provider, negated } = output;
    return !negated && (authorizerOf(provider) !== undefined || provider.startsWith('ldap-'));
  }
  return output.kind === 'block' && output.name.startsWith('Limit') && output.body.every(isReadAlikeBy22);
}

/** Everybody by some methods and nobody by the others is what `Require method` says. */
function methodsOnly(
  groups: readonly { expr: Expr; methods: MethodClass[] }[],
  wordsFor: MethodWords,
): RewriteOutput[] | undefined {
  const granted = groups.find((group) => group.expr.kind === 'true');
  const denied = groups.find((group) => group.expr.kind === 'false');
  if (groups.length !== 2 || granted === undefined || denied === undefined) return undefined;
  if (!denied.methods.includes(OTHER_METHODS) || !granted.methods.every(isRegistered)) return undefined;
  const words = (wordsFor(granted.methods) ?? granted.methods).join(' ');
  return [requireLine('method', `method ${words}`, originOf(granted.expr))];
}

/** @param words what stands after `Require` and `not` */
function requireLine(
  provider: string,
  words: string,
  origin: Directive | undefined,
  negated = false,
): RequireOutput {
  return { kind: 'require', provider, negated, text: `Require ${negated ? 'not ' : ''}${words}`, origin };
}

function allGranted(origin: Directive | undefined): RequireOutput {
  return requireLine('all', 'all granted', origin);
}

function originOf(expr: Expr): Directive | undefined {
  return expr.kind === 'true' || expr.kind === 'false' || expr.kind === 'atom' ? expr.origin : undefined;
}

/** Where lines are alternatives: the top level of a section, RequireAny. Adds them to `to`. */
function alternatives(expr: Expr, to: RewriteOutput[]): void {
  switch (expr.kind) {
    case 'true':
      to.push(allGranted(expr.origin));
      break;
    case 'false':
      to.push(requireLine('all', 'all denied', expr.origin));
      break;
    case 'atom':
      to.push(requireLine(expr.provider, expr.text, expr.origin));
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
function all(parts: readonly Expr[]): RewriteOutput {
  const body: RewriteOutput[] = [];
  if (parts.every((part) => part.kind === 'not' || part.kind === 'true')) {
    const base = parts.find((part) => part.kind === 'true');
    body.push(allGranted(base === undefined ? undefined : originOf(base)));
  }
  for (const part of parts) if (part.kind !== 'true') conditions(part, body);
  return { kind: 'block', name: 'RequireAll', args: '', body };
}

/** Where all lines must hold: inside RequireAll. Adds them to `to`. */
function conditions(expr: Expr, to: RewriteOutput[]): void {
  switch (expr.kind) {
    case 'not':
      to.push(requireLine(expr.of.provider, expr.of.text, expr.of.origin, true));
      break;
    case 'or': {
      const body: RewriteOutput[] = [];
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
