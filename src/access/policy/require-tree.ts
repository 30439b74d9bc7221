import { type Frame, isConditional } from '../../config';
import { asksForUser } from '../../httpd/providers';
import { type Directive, type Section, type Word, readWords } from '../../syntax';
import {
  ALL_METHODS,
  type AccessRequest,
  type Expr,
  FALSE,
  type MethodClass,
  type MethodMask,
  TRUE,
  and,
  atom,
  covers,
  exprKey,
  methodMask,
  not,
  or,
  getOrInsert,
  memo,
  areEquivalent,
} from '../primitives';
import type { ScopeLine } from './access-lines';
import { asksForCompat, conditionUnder, conditionalTests } from './conditionals';
import type { AuthzConfig, Merging, RequireNode } from './policy';
import type { Scope } from './scope';

/** What lets nobody in. */
export function allDenied(origin: Directive): RequireNode {
  return { kind: 'require', negated: false, provider: 'all', args: 'denied', masks: [], origin };
}

/** The tree that 2.4 reads in a section, the implicit RequireAny at its root; undefined where it has no Require at all. */
export function requireTreeOf(scope: Scope, request: Pick<AccessRequest, 'config'>): RequireNode | undefined {
  return buildTree(readIn(scope.lines.requires24, request));
}

function buildTree(lines: readonly ScopeLine[]): RequireNode | undefined {
  const root: RequireNode = { kind: 'container', op: 'or', negated: false, children: [] };
  const containers = new Map<object, RequireNode>();
  for (const { node, inner } of lines) {
    let parent: RequireNode = root;
    const masks: MethodMask[] = [];
    for (const { section } of inner) {
      const { key } = section;
      if (key === 'limit' || key === 'limitexcept') {
        const words = section.args.map((arg) => arg.value);
        masks.push(methodMask(words, key === 'limitexcept'));
      } else if (key.startsWith('require')) {
        const around: RequireNode = parent;
        parent = getOrInsert(containers, section, () => containerIn(around, key));
      }
    }
    if (parent.kind !== 'container') continue;
    const words: Word[] = readWords(node.rest);
    const negated = words[0]?.value.toLowerCase() === 'not';
    const provider = words[negated ? 1 : 0];
    parent.children.push({
      kind: 'require',
      negated,
      provider: provider?.value ?? '',
      args: provider === undefined ? '' : node.rest.slice(provider.end).trimStart(),
      masks: masks.length === 0 ? [ALL_METHODS] : masks,
      origin: node,
    });
  }
  return root.children.length > 0 ? root : undefined;
}

/** True if a negation stands inside another: to an unknown user that is not what no negation would be. */
function negatesTwice(node: RequireNode, inside = false): boolean {
  if (node.negated && inside) return true;
  return (
    node.kind === 'container' && node.children.some((child) => negatesTwice(child, inside || node.negated))
  );
}

export function requireNodes(node: RequireNode | undefined): (RequireNode & { kind: 'require' })[] {
  if (node === undefined) return [];
  return node.kind === 'require' ? [node] : node.children.flatMap(requireNodes);
}

/** The AuthMerging in force in a section: the last line that is read, whatever container or Limit it stands in. */
export function authMergingOf(scope: Scope, request: Pick<AccessRequest, 'config'>): Merging | undefined {
  return merge(readIn(scope.lines.merging, request));
}

function merge(lines: readonly ScopeLine[]): Merging | undefined {
  let merging: Merging | undefined;
  for (const { node } of lines) {
    const value = node.args[0]?.value.toLowerCase();
    if (value === 'and' || value === 'or' || value === 'off') merging = value;
  }
  return merging;
}

/** What Require and AuthMerging lines say together; undefined where there are none. */
export function authzOf(lines: readonly ScopeLine[]): AuthzConfig | undefined {
  const tree = buildTree(lines.filter(({ node }) => node.key === 'require'));
  const merging = merge(lines.filter(({ node }) => node.key === 'authmerging'));
  return tree === undefined && merging === undefined ? undefined : { tree, merging };
}

/** Whether a section asks for authentication, `AuthType None` taking that back; undefined where it says nothing of it. */
export function authTypeOf(scope: Scope, request: Pick<AccessRequest, 'config'>): boolean | undefined {
  let authType: boolean | undefined;
  for (const { node } of readIn(scope.lines.authTypesFor24, request))
    authType = node.args[0]?.value.toLowerCase() !== 'none';
  return authType;
}

/** The merge of two of them (2.4 mod_authz_core.c: merge_authz_core_dir_config). */
export function mergeAuthz(base: AuthzConfig | undefined, section: AuthzConfig): AuthzConfig {
  const { merging } = section;
  if (base === undefined || merging === undefined || merging === 'off')
    return section.tree === undefined && merging === undefined && base !== undefined ? base : section;
  if (base.tree === undefined || section.tree === undefined)
    return { tree: section.tree ?? base.tree, merging };
  const children = [base.tree, section.tree];
  return { tree: { kind: 'container', op: merging, negated: false, children }, merging };
}

/** A new container of Require lines, in another. @param key of the section */
function containerIn(parent: RequireNode, key: string): RequireNode {
  const op = key === 'requireall' ? 'and' : 'or';
  const container: RequireNode = { kind: 'container', op, negated: key === 'requirenone', children: [] };
  if (parent.kind === 'container') parent.children.push(container);
  return container;
}

function readIn(lines: readonly ScopeLine[], request: Pick<AccessRequest, 'config'>): readonly ScopeLine[] {
  return lines.filter((line) => isLineRead(line, request));
}

/** Whether 2.4 reads a line, for all conditionals in its section that it stands in. */
export function isLineRead({ inner }: ScopeLine, request: Pick<AccessRequest, 'config'>): boolean {
  return inner.every(({ section }) => isRead(section, request));
}

/** Whether 2.4 reads what stands in a conditional; any other section always. */
function isRead(section: Section, request: Pick<AccessRequest, 'config'>): boolean {
  if (!isConditional(section)) return true;
  // What 2.4 reads without mod_access_compat: what it reads with it is refused where it may let somebody in.
  if (asksForCompat(section) === false) return true;
  const [test] = conditionalTests([section]);
  return conditionUnder(section).after ?? request.config(test!.name) === test!.is;
}

/** The conditionals around what 2.4 reads in sections of which it is not known whether they hold on a 2.4, by what they test. */
export function testNames24(scopes: readonly Scope[]): string[] {
  const names = new Set<string>();
  const isOpen = ({ section }: Frame): boolean => conditionUnder(section).after === undefined;
  for (const { lines } of scopes)
    for (const { inner } of [...lines.requires24, ...lines.authTypesFor24, ...lines.merging]) {
      const open = inner.filter(isOpen).map(({ section }) => section);
      for (const { name } of conditionalTests(open)) names.add(name);
    }
  return [...names];
}

/**
 * Whom a Require tree of 2.4 lets in, for one method class (2.4 mod_authz_core.c: authorize_user_core, apply_authz_sections);
 * undefined where nothing in it is for the method.
 */
export function authzExpr(node: RequireNode, method: MethodClass): Expr | undefined {
  const expr = knownExpr(node)(method);
  return expr !== undefined && negatesTwice(node) ? inTwoPasses(node, method, expr) : expr;
}

/** Equal for trees that let in the same, alone and joined with others. */
export function authzKey(node: RequireNode, method: MethodClass): string {
  const exprs = [knownExpr(node)(method), authzExpr(node, method)];
  return exprs.map((expr) => (expr === undefined ? '-' : exprKey(expr))).join(' ');
}

/** What whole trees say, which is asked for often; for each part of them it would take much room. */
const knownExpr = memo((node: RequireNode) =>
  memo((method: MethodClass): Expr | undefined => exprOf(node, method), new Map()),
);

/** Whom it lets in once the user is known, or as if. */
function exprOf(node: RequireNode, method: MethodClass): Expr | undefined {
  const expr = node.kind === 'require' ? requireExpr(node, method) : containerExpr(node, method);
  return expr !== undefined && node.negated ? not(expr) : expr;
}

function containerExpr(node: RequireNode & { kind: 'container' }, method: MethodClass): Expr | undefined {
  const parts = node.children.map((child) => exprOf(child, method));
  const said = parts.filter((part) => part !== undefined);
  if (said.length === 0) return undefined;
  // In a RequireAll what is for other methods counts as granted; elsewhere it counts for nothing.
  if (node.op === 'or') return or(said);
  return and(said.length < parts.length ? [TRUE, ...said] : said);
}

function requireExpr(node: RequireNode & { kind: 'require' }, method: MethodClass): Expr | undefined {
  if (!node.masks.every((mask) => covers(mask, method))) return undefined;
  if (node.provider === 'all')
    return { ...(node.args.trim().toLowerCase() === 'granted' ? TRUE : FALSE), origin: node.origin } as Expr;
  return atom(node.provider, node.args.trim(), node.origin);
}

/** When a node says what, before the user is known; the rest of the time it says nothing. */
interface FirstPass {
  readonly granted: Expr;
  /** A user may change it: then httpd asks for one. */
  readonly noUser: Expr;
  readonly denied: Expr;
}

/**
 * Whom a Require tree lets in that has a negation inside another. httpd goes through the tree without a user first, and asks for
 * one only if that may help (2.4 mod_authz_core.c: authorize_user_core): what is negated twice does not ask.
 * @param ifKnown whom it would let in if the user were known at once
 */
function inTwoPasses(node: RequireNode, method: MethodClass, ifKnown: Expr): Expr {
  const first = firstPass(node, method);
  if (first === undefined) return ifKnown;
  const exact = or([first.granted, and([first.noUser, ifKnown])]);
  return areEquivalent(exact, ifKnown) ? ifKnown : exact;
}

/** Undefined where nothing in it is for the method. */
function firstPass(node: RequireNode, method: MethodClass): FirstPass | undefined {
  const found = node.kind === 'require' ? ofRequire(node, method) : ofContainer(node, method);
  if (found === undefined || !node.negated) return found;
  return { granted: FALSE, noUser: FALSE, denied: found.granted };
}

function ofRequire(node: RequireNode & { kind: 'require' }, method: MethodClass): FirstPass | undefined {
  const { masks, provider, args, origin } = node;
  if (!masks.every((mask) => covers(mask, method))) return undefined;
  if (asksForUser(provider)) return { granted: FALSE, noUser: TRUE, denied: FALSE };
  const isGranted = args.trim().toLowerCase() === 'granted';
  const ofAll = isGranted ? TRUE : FALSE;
  const granted = provider === 'all' ? ofAll : atom(provider, args.trim(), origin);
  return { granted, noUser: FALSE, denied: not(granted) };
}

function ofContainer(node: RequireNode & { kind: 'container' }, method: MethodClass): FirstPass | undefined {
  const parts = node.children.map((child) => firstPass(child, method));
  const said = parts.filter((part) => part !== undefined);
  if (said.length === 0) return undefined;
  // In a RequireAll what is for other methods counts as granted.
  const ofAny = (key: keyof FirstPass): Expr => or(said.map((part) => part[key]));
  if (node.op === 'or') {
    const granted = ofAny('granted');
    const noUser = and([not(granted), ofAny('noUser')]);
    return { granted, noUser, denied: and([not(granted), not(ofAny('noUser')), ofAny('denied')]) };
  }
  const denied = ofAny('denied');
  const noUser = and([not(denied), ofAny('noUser')]);
  const grants = said.length < parts.length ? TRUE : ofAny('granted');
  return { granted: and([not(denied), not(ofAny('noUser')), grants]), noUser, denied };
}
