import { type ConfigFile, type Frame, conditionOf, isConditional } from '../../config';
import { findModule } from '../../httpd/modules';
import type { Node } from '../../syntax';
import { LINE_KEYS, SCOPES } from '../collect';
import { type InheritedStates, hasCounterpart } from '../inherit';
import { type Scope, type ScopeLine, type SectionPolicy, conditionUnder, hasVersionBlocks } from '../policy';
import { addTo } from '../primitives';
import type { AccessRun } from '../report';
import { areTwins, branchFor24, branchesAgree } from '../verify';

/**
 * Sections as if both versions read all of their lines, to be rewritten as such: those with lines that only 2.2 reads and of which nothing
 * takes the place on 2.4, and those with lines for both beside lines for one version each, where what 2.4 reads says what 2.2 decides, or
 * is the twin of what 2.2 reads in its place.
 * @param targets sections of one group, none of which is written for 2.4 alone
 */
export function withoutBlocks(
  targets: readonly Scope[],
  inherited: InheritedStates,
  run: AccessRun,
): ReadonlyMap<Scope, Scope> {
  if (run.facts.reading !== '2.2' || run.decidedEdits !== undefined || !targets.some(hasVersionBlocks))
    return new Map();
  const unwrapped = new Map<Scope, Scope>();
  const add = (scope: Scope, isShared: boolean): boolean => {
    const whole = withoutBlock(scope, inherited, run, isShared);
    if (whole !== undefined) unwrapped.set(scope, whole);
    return whole !== undefined;
  };
  for (const scope of targets) add(scope, false);
  if (unwrapped.size === 0) return unwrapped;
  for (let before = -1; before !== unwrapped.size;) {
    before = unwrapped.size;
    for (const scope of unwrapped.keys())
      if (
        !blocksAround(scope).every(
          (frame) =>
            isReadBy22(frame, run.collected) && frame.file === scope.file && mayUnwrap(frame, unwrapped),
        )
      )
        unwrapped.delete(scope);
    // What goes from a file that several sections include goes for all of them.
    for (const [other, sharing] of sharedWith(unwrapped, run.collected.scopes)) {
      const target = targets.find(({ order }) => order === other);
      if (target === undefined || !add(target, true)) for (const scope of sharing) unwrapped.delete(scope);
    }
  }
  for (const [scope, whole] of unwrapped) {
    const parent = whole.parent && unwrapped.get(whole.parent);
    if (parent !== undefined) unwrapped.set(scope, { ...whole, parent });
  }
  return unwrapped;
}

/**
 * A section as if both versions read all of its lines; undefined where it is not to be rewritten as that.
 * @param isShared another one whose lines go stands in the same file
 */
function withoutBlock(
  scope: Scope,
  inherited: InheritedStates,
  run: AccessRun,
  isShared: boolean,
): Scope | undefined {
  const { lines22, only22, only24, old } = scope;
  if (only22 === 0 && (only24 === 0 || (old.length === 0 && !isShared))) return undefined;
  if (scope.modern !== undefined || scope.old24 !== undefined) return undefined;
  if (scope.problems.length + scope.merging.length > 0) return undefined;
  const lines24 = linesFor24(scope);
  // For both versions the blocks stay, and what 2.4 reads beside them may be all that it needs.
  if (run.dual && old.length === 0 && !isShared && lines24.length === 0 && agrees(scope, inherited, run))
    return undefined;
  const isReplaced =
    lines24.length === 0
      ? !hasCounterpart(scope, run.collected.scopes)
      : (old.length > 0 || isShared) && isMeantFor22(scope, inherited, run);
  if (!isReplaced || !mayLeaveBlocks(scope, run.collected)) return undefined;
  const requires22 = lines22.filter(isRequire);
  const old22 = lines22.filter((line) => !isRequire(line));
  return {
    ...scope,
    old: inOrder([...old, ...old22]),
    requires: inOrder([...scope.requires, ...requires22, ...lines24]),
    only22: 0,
    only24: 0,
  };
}

/** Whether 2.2 alone reads some lines of a section, and no Require is among these: what 2.4 reads may say all that it needs. */
export function isReadLessBy24(scope: Scope): boolean {
  return scope.old.length === 0 && linesFor24(scope).length === 0 && !scope.lines22.some(isRequire);
}

/** The Require lines that only 2.4 reads. */
function linesFor24({ lines24, requires }: Scope): readonly ScopeLine[] {
  return lines24.filter((line) => !requires.includes(line));
}

/** Sections that are none of these and have lines in common with some of them, by `order`, each with those. */
function sharedWith(
  unwrapped: ReadonlyMap<Scope, Scope>,
  scopes: readonly Scope[],
): ReadonlyMap<number, readonly Scope[]> {
  const orders = new Set([...unwrapped.keys()].map(({ order }) => order));
  const holders = new Map<object, Scope[]>();
  for (const [scope, { old, requires }] of unwrapped)
    for (const { node } of [...old, ...requires]) addTo(holders, node, scope);
  const shared = new Map<number, Scope[]>();
  for (const scope of scopes) {
    if (orders.has(scope.order)) continue;
    const lines = [...scope.old, ...scope.requires, ...scope.lines22, ...scope.lines24];
    const sharing = [...new Set(lines.flatMap(({ node }) => holders.get(node) ?? []))];
    if (sharing.length > 0) shared.set(scope.order, sharing);
  }
  return shared;
}

function isRequire({ node }: ScopeLine): boolean {
  return node.kind === 'directive' && node.key === 'require';
}

function inOrder(lines: readonly ScopeLine[]): readonly ScopeLine[] {
  const files = new Map<ConfigFile, number>();
  for (const { file } of lines) if (!files.has(file)) files.set(file, files.size);
  return lines.toSorted((a, b) => files.get(a.file)! - files.get(b.file)! || a.node.start - b.node.start);
}

/** Whether 2.4 answers with what it reads as 2.2 does. */
function agrees(scope: Scope, inherited: InheritedStates, { collected, facts }: AccessRun): boolean {
  const branch = branchFor24(scope, collected.mapping);
  const before = branch && inherited.statesBefore(scope);
  return branch !== undefined && before !== undefined && branchesAgree(scope.policy, branch, before, facts);
}

/** Whether lines for 2.4 say what 2.2 decides, or by themselves what those for 2.2 in their place say by themselves. */
function isMeantFor22(scope: Scope, inherited: InheritedStates, { collected, facts }: AccessRun): boolean {
  const branch = branchFor24(scope, collected.mapping);
  const before = branch && inherited.statesBefore(scope);
  if (branch === undefined || before === undefined) return false;
  if (branchesAgree(scope.policy, branch, before, facts)) return true;
  const nodes = new Set<object>(scope.lines22.map(({ node }) => node));
  const alone = branchFor24({ ...scope, lines24: linesFor24(scope) }, collected.mapping);
  return nodes.size > 0 && alone !== undefined && areTwins(saidBy(nodes, scope.policy), alone, before, facts);
}

/** What lines of a section alone set. */
function saidBy(nodes: ReadonlySet<object>, policy: SectionPolicy): SectionPolicy {
  const said = <T extends { readonly origin: object }>(lines: readonly T[]): readonly T[] =>
    lines.filter(({ origin }) => nodes.has(origin));
  const { hosts, requires, satisfy } = policy;
  const [orders, lines] = [said(hosts?.orders ?? []), said(hosts?.lines ?? [])];
  const users = said(requires ?? []);
  return {
    ...policy,
    hosts: orders.length + lines.length > 0 ? { orders, lines } : undefined,
    requires: users.length > 0 ? users : undefined,
    satisfy: said(satisfy),
  };
}

/** The blocks around a section that 2.4 does not read. */
export function blocksAround({ place: { chain }, section }: Scope): readonly Frame[] {
  const at = section === undefined ? 0 : chain.findIndex((frame) => frame.section === section);
  return (at < 0 ? chain : chain.slice(0, at)).filter((frame) => !isReadBy24(frame));
}

function isReadBy24({ section }: Frame): boolean {
  return !isConditional(section) || conditionUnder(section, undefined, '2.2').after !== false;
}

/** Whether the 2.2 of the run surely reads a block. */
function isReadBy22({ section }: Frame, { loadModules }: AccessRun['collected']): boolean {
  const { on22 } = conditionOf(section);
  if (on22 !== undefined) return on22;
  const module = section.key === 'ifmodule' ? findModule(section.open.rest) : undefined;
  return module !== undefined && loadModules.includes(module.identifier);
}

/** Whether what only 2.2 reads in a section is its access lines, and nothing that these need on 2.4 too. */
function mayLeaveBlocks({ lines22, authTypes24 }: Scope, collected: AccessRun['collected']): boolean {
  if (
    lines22.some(({ node }) => node.kind === 'directive' && node.key === 'authtype') &&
    authTypes24.length === 0
  )
    return false;
  const nodes = new Set<Node>(lines22.map(({ node }) => node));
  const isSpent = (node: Node): boolean =>
    node.kind === 'section' ? node.body.every(isSpent) : node.kind !== 'directive' || nodes.has(node) || !node.key.startsWith('auth'); // prettier-ignore
  return lines22.every(({ inner }) =>
    inner.every((frame) => isReadBy24(frame) || (isReadBy22(frame, collected) && isSpent(frame.section))),
  );
}

/** Whether a block around sections may go: nothing but access lines comes to life. */
function mayUnwrap({ section: { body, close } }: Frame, unwrapped: ReadonlyMap<Scope, Scope>): boolean {
  const sections = new Set([...unwrapped.keys()].map(({ section }) => section));
  const isOfAccess = (node: Node): boolean =>
    node.kind === 'section'
      ? (SCOPES[node.key] === undefined || sections.has(node)) && node.body.every(isOfAccess)
      : node.kind === 'comment' || node.kind === 'blank' || (node.kind === 'directive' && (LINE_KEYS.has(node.key) || node.key.startsWith('auth'))); // prettier-ignore
  return close !== undefined && body.every((node) => node.kind !== 'directive' && isOfAccess(node));
}
