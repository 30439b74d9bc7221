import { type ConfigFile, isConditional } from '../../config';
import { type Edit, eolOf, indentOf, indentUnit } from '../../edit';
import type { Directive } from '../../syntax';
import type { InheritedStates } from '../inherit';
import {
  type Facts,
  type Scope,
  type SslObstacle,
  type State,
  type SslLine,
  hostsExpr,
  mergePolicy,
  policiesOf,
} from '../policy';
import { type Expr, FALSE, exprKey, getOrInsert } from '../primitives';
import { type KeptCheck, mayMeet } from './ssl';

/** A line of mod_ssl that goes into an `<If>` for whom the host lists let in. */
export interface LineInIf {
  readonly file: ConfigFile;
  readonly node: Directive;
  readonly edits: readonly Edit[];
}

/** What becomes of SSLVerifyClient and its like, and of SSLRequire, in the sections of a run. */
export interface TlsPlan {
  readonly inIf: ReadonlyMap<Scope, readonly LineInIf[]>;
  /** By section: what stays, and refuses or asks more in 2.4. */
  readonly checks: ReadonlyMap<Scope, KeptCheck>;
  /** Sections in which 2.4 would take a certificate for a login that 2.2 did not ask for: no login may let in there. */
  readonly withoutLogins: ReadonlySet<Scope>;
}

interface LineInForce {
  readonly line: SslLine;
  /** A client is asked in another handshake: the last line of its name holds alone. */
  readonly isHandshake: boolean;
  readonly uses: LineUse[];
}

interface LineUse {
  readonly scope: Scope;
  readonly state: State;
  /** The host lists, one expression a method class. */
  readonly hosts: readonly Expr[];
  /** A password lets in whom the host lists refuse. */
  readonly isOpen: boolean;
  readonly isStrict: boolean;
}

/** More uses of lines than these are not followed: what is left is taken for one that stays. */
const MAX_USES = 20_000;

/**
 * Under `Satisfy Any` 2.2 asks mod_ssl for a certificate, and what SSLRequire says, only if the host lists let a client in, where
 * these are asked first. 2.4 always asks mod_ssl, before any Require. An `<If>` that asks what the host lists say makes that the
 * same.
 * @param isLogin a server makes a certificate a login
 * @param isForBoth a block for each version is made of what is written: it must be one piece
 */
export function planTlsLines(
  groups: readonly (readonly Scope[])[],
  inherited: InheritedStates,
  facts: Facts,
  isLogin: boolean,
  isForBoth: boolean,
): TlsPlan {
  const inIf = new Map<Scope, LineInIf[]>();
  const checks = new Map<Scope, KeptCheck>();
  const withoutLogins = new Set<Scope>();
  for (const group of groups) {
    if (!group.some(({ policy }) => policy.tls !== undefined)) continue;
    const lines = linesInForce(group, inherited, facts);
    const holders = holdersIn(group);
    for (const { line, isHandshake, uses } of lines) {
      const open = uses.filter(({ isOpen }) => isOpen);
      const noteStaying = (some: readonly LineUse[], because: SslObstacle): void => {
        for (const { scope } of some) checks.set(scope, { directive: line.node.name, because });
      };
      const isLater = ({ hosts }: LineUse): boolean => hosts.some(({ kind }) => kind !== 'true');
      const later = facts.hostsFirst === false ? [] : open.filter(isLater);
      const holder =
        later.length === 0 || facts.hostsFirst === undefined ? undefined : holders.get(line.node);
      const isAlone = !isHandshake || (holder !== undefined && asksAlone(holder, line.node.key, group));
      const test = holder === undefined || !isAlone ? undefined : commonTest(uses);
      if (test !== undefined) {
        const lineInIf = { ...line, edits: editsFor(holder!, line, test, isForBoth) };
        inIf.set(holder!, [...(inIf.get(holder!) ?? []), lineInIf]);
      } else if (isHandshake) {
        noteStaying(later, facts.hostsFirst === undefined ? 'order-not-known' : 'asked-later');
        if (line.node.key !== 'sslverifyclient') continue;
        const logins = later.filter(({ state }) => state.tls?.isLogin ?? isLogin);
        for (const { scope } of logins) withoutLogins.add(scope);
      } else noteStaying(later, 'expression');
      // Without StrictRequire a password does in place of what SSLRequire asks.
      const lax = open.filter(({ isStrict }) => !isStrict);
      if (!isHandshake && test !== 'false') noteStaying(lax, 'expression');
    }
  }
  return { inIf, checks, withoutLogins };
}

function linesInForce(group: readonly Scope[], inherited: InheritedStates, facts: Facts): LineInForce[] {
  const found = new Map<Directive, LineInForce>();
  let left = MAX_USES;
  const note = (line: SslLine, isHandshake: boolean, use: LineUse): void => {
    getOrInsert(found, line.node, () => ({ line, isHandshake, uses: [] })).uses.push(use);
  };
  for (const scope of group)
    for (const base of inherited.statesBefore(scope) ?? [])
      for (const { policy } of policiesOf(scope)) {
        const state = mergePolicy(base, policy, facts);
        const { tls } = state;
        if (tls === undefined || --left < 0) continue;
        const use = useIn(scope, state, facts);
        const asking = tls.handshake.filter(({ node }) => !/^none$/i.test(node.args[0]?.value ?? ''));
        for (const line of asking) note(line, true, use);
        for (const line of tls.requires.filter(({ inTree }) => inTree !== true)) note(line, false, use);
      }
  return [...found.values()];
}

/** Whether no other line of its name is met where the one of a section is. */
function asksAlone(holder: Scope, name: string, group: readonly Scope[]): boolean {
  return group.every((scope) => {
    const count = scope.handshake.filter(({ node }) => node.key === name).length;
    return scope === holder ? count === 1 : count === 0 || !mayMeet(scope, holder);
  });
}

function useIn(scope: Scope, state: State, facts: Facts): LineUse {
  const hosts = facts.classes.map((method) => hostsExpr(state.hosts, method));
  const isAny = facts.classes.some((method) => state.satisfy.get(method) === 'any');
  const isOpen = isAny && (state.requires ?? state.authz) !== undefined;
  return { scope, state, hosts, isOpen, isStrict: state.tls?.strict ?? facts.strictRequire };
}

/** The first section that says each line itself, in its own file, where an `<If>` can stand around it. */
function holdersIn(group: readonly Scope[]): ReadonlyMap<Directive, Scope> {
  const found = new Map<Directive, Scope>();
  for (const scope of group)
    for (const { node, file, isReadBy24, inner } of [...scope.handshake, ...scope.ssl])
      if (
        !found.has(node) &&
        file === scope.file &&
        isReadBy24 &&
        inner.every(({ section }) => isConditional(section))
      )
        found.set(node, scope);
  return found;
}

/** What the host lists ask wherever a line is in force; undefined where it differs, or no expression asks it. */
function commonTest(uses: readonly LineUse[]): string | undefined {
  const [first] = uses;
  const expr = first?.hosts[0] ?? FALSE;
  const key = exprKey(expr);
  const isSame = uses.every(({ hosts }) => hosts.every((other) => exprKey(other) === key));
  return isSame ? testText(expr) : undefined;
}

/** Only what needs no more than the address: variables are set later, and names are looked up in other ways. */
function testText(expr: Expr): string | undefined {
  switch (expr.kind) {
    case 'true':
    case 'false':
      return expr.kind;
    case 'atom': {
      if (expr.provider !== 'ip') return undefined;
      const [, ...words] = expr.text.split(' ');
      if (words.length === 0 || words.some((word) => !/^[0-9a-f.:/]+$/i.test(word))) return undefined;
      const tests = words.map((word) => `-R '${word}'`);
      return tests.length === 1 ? tests[0] : `(${tests.join(' || ')})`;
    }
    case 'not': {
      const inner = testText(expr.of);
      return inner === undefined ? undefined : `!(${inner})`;
    }
    default: {
      const parts = expr.of.map(testText);
      if (parts.some((part) => part === undefined)) return undefined;
      return `(${parts.join(expr.kind === 'and' ? ' && ' : ' || ')})`;
    }
  }
}

function editsFor(scope: Scope, { file, node }: SslLine, test: string, isForBoth: boolean): readonly Edit[] {
  const { document } = file;
  const [indent, eol] = [indentOf(document, node), eolOf(document, node)];
  const unit = indentUnit(document, indent, scope.section);
  const isEnded = document.text.charCodeAt(node.end - 1) === 10;
  const open = `${indent}<If "${test.replace(/^\((.*)\)$/, '$1')}">${eol}`;
  const close = isEnded ? `${indent}</If>${eol}` : `${eol}${indent}</If>`;
  const { start, end } = node;
  if (isForBoth) return [{ start, end, text: open + unit + document.text.slice(start, end) + close }];
  // What another rule writes in the line stays apart.
  return [
    { start, end: start, text: open + unit },
    { start: end, end, text: close },
  ];
}
