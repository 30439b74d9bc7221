import type { ConfigFile, Frame } from '../../config';
import type { Node } from '../../syntax';
import { LINE_KEYS, SCOPES } from '../collect';
import { hasCounterpart } from '../inherit';
import {
  type LineWithReaders,
  type Scope,
  type ScopeLine,
  type SectionPolicy,
  hasVersionBlocks,
  isWrittenFor24,
  linesByReader,
} from '../policy';
import { addTo } from '../primitives';
import type { GivenGroup } from '../report';
import { type BranchDifference, areBothAnswersKnown, branchFor24 } from '../verify';
import { carriedBlocks, isReadBy22, isReadBy24 } from './carried';
import { answersAs22, pairOf } from './restated-branch';

/**
 * Sections as if both versions read all of their lines, to be rewritten as such: those with lines that only 2.2 reads and of
 * which nothing takes the place on 2.4, and those with lines for both beside lines for one version each, where what 2.4 reads
 * says what 2.2 decides, or is the twin of what 2.2 reads in its place.
 * @param group none of its sections is written for 2.4 alone
 */
export function withoutBlocks(group: GivenGroup): ReadonlyMap<Scope, Scope> {
  const { targets, run } = group;
  if (run.facts.reading !== '2.2' || run.decidedEdits !== undefined || !targets.some(hasVersionBlocks))
    return new Map();
  const unwrapped = new Map<Scope, Scope>();
  const add = (scope: Scope, isShared: boolean): boolean => {
    const whole = withoutBlock(scope, group, isShared);
    if (whole !== undefined) unwrapped.set(scope, whole);
    return whole !== undefined;
  };
  const goes = (frame: Frame): boolean => isReadBy22(frame, run.collected) && mayUnwrap(frame, unwrapped);
  for (const scope of targets) add(scope, false);
  if (unwrapped.size === 0) return unwrapped;
  for (let before = -1; before !== unwrapped.size;) {
    before = unwrapped.size;
    for (const scope of unwrapped.keys())
      if (!blocksAround(scope).every((frame) => frame.file === scope.file && goes(frame)))
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
function withoutBlock(scope: Scope, group: GivenGroup, isShared: boolean): Scope | undefined {
  const { run } = group;
  const { only22Count, only24Count } = scope;
  const { only22, old } = scope.lines;
  if (only22Count === 0 && (only24Count === 0 || (old.length === 0 && !isShared))) return undefined;
  if (isWrittenFor24(scope) || scope.oldFor24 !== undefined) return undefined;
  if (scope.problems.length + scope.lines.merging.length > 0) return undefined;
  const linesFor24 = onlyFor24(scope);
  // For both versions the blocks stay, and what 2.4 reads beside them may be all that it needs.
  if (
    run.dual &&
    old.length === 0 &&
    !isShared &&
    linesFor24.length === 0 &&
    answersAs22(scope, branchFor24(scope, run.collected.mapping), group)
  )
    return undefined;
  const carried = carriedBlocks(scope, run.collected);
  if (carried === undefined || (run.dual && carried.length > 0)) return undefined;
  const isReplaced =
    linesFor24.length === 0
      ? !hasCounterpart(scope, run.collected.scopes)
      : (old.length > 0 || isShared || lacksAuthType(scope, group)) && isMeantFor22(scope, group);
  if (!isReplaced) return undefined;
  const requires22 = only22.filter(isRequire);
  const oldInOrder = inOrder([...old, ...only22.filter((line) => !isRequire(line) && !isAuthType(line))]);
  const requires = inOrder([...scope.lines.requires, ...requires22, ...linesFor24]);
  const forBoth = [...oldInOrder, ...requires].filter(({ node }) => node.key !== 'authtype');
  // An AuthType comes to life with the section.
  const live = [...forBoth, ...only22.filter(isAuthType)];
  const all = live.map((line) => ({ ...line, readBy22: true, readBy24: true }));
  const byReader = linesByReader([...all, ...scope.lines.authTypesFor24], scope.lines.beside);
  const lines = { ...byReader, old: oldInOrder };
  return { ...scope, lines, only22Count: 0, only24Count: 0 };
}

/** Whether 2.2 alone reads some lines of a section, and no Require is among these: what 2.4 reads may say all that it needs. */
export function isReadLessBy24(scope: Scope): boolean {
  return scope.lines.old.length === 0 && onlyFor24(scope).length === 0 && !scope.lines.only22.some(isRequire);
}

function onlyFor24({ lines: { requires24 } }: Scope): readonly LineWithReaders[] {
  return requires24.filter(({ readBy22 }) => !readBy22);
}

/** Sections that are none of these and have lines in common with some of them, by `order`, each with those. */
function sharedWith(
  unwrapped: ReadonlyMap<Scope, Scope>,
  scopes: readonly Scope[],
): ReadonlyMap<number, readonly Scope[]> {
  const orders = new Set([...unwrapped.keys()].map(({ order }) => order));
  const holders = new Map<object, Scope[]>();
  for (const [scope, { lines }] of unwrapped)
    for (const { node } of [...lines.old, ...lines.requires]) addTo(holders, node, scope);
  const shared = new Map<number, Scope[]>();
  for (const scope of scopes) {
    if (orders.has(scope.order)) continue;
    const sharing = [...new Set(scope.lines.deciding.flatMap(({ node }) => holders.get(node) ?? []))];
    if (sharing.length > 0) shared.set(scope.order, sharing);
  }
  return shared;
}

function isRequire({ node }: ScopeLine): boolean {
  return node.key === 'require';
}

function isAuthType({ node }: ScopeLine): boolean {
  return node.key === 'authtype';
}

function inOrder(lines: readonly LineWithReaders[]): readonly LineWithReaders[] {
  const files = new Map<ConfigFile, number>();
  for (const { file } of lines) if (!files.has(file)) files.set(file, files.size);
  return [...lines].sort((a, b) => files.get(a.file)! - files.get(b.file)! || a.node.start - b.node.start);
}

/**
 * Whether lines for 2.4 say what 2.2 decides, or by themselves what those for 2.2 in their place say by themselves; where a 2.2
 * runs the configuration they have never been in force, and may say something else that is known.
 */
function isMeantFor22(scope: Scope, group: GivenGroup): boolean {
  const { collected, dual } = group.run;
  const pair = pairOf(scope, branchFor24(scope, collected.mapping), group);
  if (pair === undefined) return false;
  const difference = pair.difference();
  if (difference === undefined || (collected.shows22 && !dual && areBothAnswersKnown(difference)))
    return true;
  const { authTypesFor24, merging } = scope.lines;
  const nodes = new Set<object>(scope.lines.only22.map(({ node }) => node));
  const lines = linesByReader([...onlyFor24(scope), ...authTypesFor24, ...merging], scope.lines.beside);
  const alone = branchFor24({ ...scope, lines }, collected.mapping);
  return nodes.size > 0 && alone !== undefined && pair.areTwins(saidBy(nodes, scope.policy), alone);
}

/** Whether lines for 2.4 say something else than 2.2 decides, and what that is cannot be said without an AuthType for 2.2. */
function lacksAuthType(scope: Scope, group: GivenGroup): boolean {
  const { only22, authTypesFor24 } = scope.lines;
  if (!group.run.collected.shows22 || authTypesFor24.length > 0 || !only22.some(isAuthType)) return false;
  return replacedDifference(scope, group) !== undefined;
}

/** What lines for 2.4 that go with their block said otherwise than 2.2 decides, where that is known. */
export function replacedDifference(scope: Scope, group: GivenGroup): BranchDifference | undefined {
  const { mapping } = group.run.collected;
  const branch = onlyFor24(scope).length > 0 ? branchFor24(scope, mapping) : undefined;
  const difference = pairOf(scope, branch, group)?.difference();
  return difference !== undefined && areBothAnswersKnown(difference) ? difference : undefined;
}

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

/** Whether a block around sections may go: nothing but access lines comes to life. */
function mayUnwrap({ section: { body, close } }: Frame, unwrapped: ReadonlyMap<Scope, Scope>): boolean {
  const sections = new Set([...unwrapped.keys()].map(({ section }) => section));
  const isOfAccess = (node: Node): boolean =>
    node.kind === 'section'
      ? (SCOPES[node.key] === undefined || sections.has(node)) && node.body.every(isOfAccess)
      : node.kind === 'comment' ||
        node.kind === 'blank' ||
        (node.kind === 'directive' && (LINE_KEYS.has(node.key) || node.key.startsWith('auth')));
  return close !== undefined && body.every((node) => node.kind !== 'directive' && isOfAccess(node));
}
