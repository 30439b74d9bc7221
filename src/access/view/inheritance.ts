import { type ConfigFile, type ConfigTree, isComplete } from '../../config';
import { firstWhere } from '../../syntax';
import { collect, factsOf } from '../collect';
import { InheritedStates, findMixedSections, meetingGroups } from '../inherit';
import { splitUnread, unseenDirectories } from '../override';
import {
  type Facts,
  type ReachCondition,
  type Reading,
  type Scope,
  type ScopeKind,
  type State,
  linesOfPolicy,
  requireNodes,
  scopesByUnusedPart,
  sectionWithPlace,
  setsSomething,
} from '../policy';
import { addTo, getOrInsert, memo } from '../primitives';
import { withSslInTrees } from '../rewrite';
import { type ConfigLine, limited, linesOf22, linesOfCompat, shownAt } from './section-lines';

/**
 * What a request may have met when it comes to a section, without what the section replaces by lines of its own: its host lists
 * take the place of all others, and so do its Require lines.
 */
export interface Inherited {
  /** The host lists and the Require lines in effect, as they stand. */
  readonly lines: readonly string[];
  /** `Any` or `All`, where a Satisfy says so: for each method class, `*` for all methods that no Limit names. */
  readonly satisfy: Readonly<Record<string, 'any' | 'all'>>;
  /** An AuthType is in effect by which somebody can log in. */
  readonly authType: boolean;
  readonly ssl: boolean;
  /** How a request comes to be in this state, if there are several states and it is known: all parts of one way hold. */
  readonly ways: readonly (readonly string[])[];
}

/** One section, or `.htaccess`, that has a part in who gets in. */
export interface SectionView {
  readonly section: string;
  readonly file: string;
  readonly line: number;
  readonly kind: ScopeKind;
  /** The path or the wildcard it is for; undefined where any request may meet it: a regex, a variable, a relative path. */
  readonly covers: string | undefined;
  /** What stands in the opening of its virtual host; undefined for the main server. */
  readonly vhost: string | undefined;
  /** The conditionals around it that cannot be decided: what they ask for, and whether it is read where that holds. */
  readonly conditions: readonly { readonly name: string; readonly is: boolean }[];
  readonly sets: readonly ConfigLine[];
  /** Undefined where there are more ways of reaching it than are followed. */
  readonly inherits: readonly Inherited[] | undefined;
}

/** Sections that one request can meet, directly or by way of others: they are rewritten together or not at all. */
export interface GroupView {
  /** `2.2`, or `compat`: where lines of both kinds meet, a 2.4 with mod_access_compat. */
  readonly reading: Reading;
  /** `no`: no server reads it, since AllowOverride keeps it silent; `not included`: a file that nothing of the run includes. */
  readonly inUse: 'yes' | 'no' | 'not included';
  readonly sections: readonly SectionView[];
}

export interface AccessView {
  readonly groups: readonly GroupView[];
  /** The directories whose `.htaccess` files the server would read, and the run has not seen. */
  readonly unseen: string | undefined;
}

/** What a run knows of access before it rewrites: groups of sections that can meet, and what each section inherits. */
export function accessView(tree: ConfigTree): AccessView {
  const groups: GroupView[] = [];
  const unseen = eachGroup(tree, (group, inherited, { reading }, inUse) => {
    groups.push({ reading, inUse, sections: inOrder(group).map((scope) => sectionView(scope, inherited)) });
  });
  return { groups, unseen };
}

/** Asks about each group of sections that can meet. @returns the directories whose `.htaccess` files have not been seen */
function eachGroup(
  tree: ConfigTree,
  visit: (
    group: readonly Scope[],
    inherited: InheritedStates,
    facts: Facts,
    inUse: GroupView['inUse'],
  ) => void,
): string | undefined {
  const collected = collect(tree);
  const facts = factsOf(collected, tree);
  const reached = collected.scopes.filter(({ unusedPart }) => unusedPart === undefined);
  const { opened, live, silent, unread, overrides } = splitUnread(reached, collected.mapping, tree);
  const add = (given: readonly Scope[], listed: readonly Scope[], inUse: GroupView['inUse']): void => {
    const shownOrders = new Set(listed.map(({ order }) => order));
    // As translateAccess does it, so that the groups are those that are rewritten together.
    const isInUse = inUse !== 'not included';
    const { scopes } = withSslInTrees(collected.ssl, given, facts.hostsFirst, isComplete(tree), isInUse);
    const setters = scopes.filter(setsSomething);
    const among = isInUse ? undefined : new Set(scopes.filter(({ order }) => shownOrders.has(order)));
    const mixed = findMixedSections(scopes, tree, among);
    const inherited = new InheritedStates(setters, facts, collected.mapping, overrides.files);
    for (const group of meetingGroups(setters))
      if (group.some(({ order }) => shownOrders.has(order) && mixed?.orders.has(order) !== true))
        visit(group, inherited, facts, inUse);
    if (mixed === undefined) return;
    const { collected: read, scopes: all, overrides: lines } = mixed.today;
    const both = all.filter(setsSomething);
    const compat = factsOf(read, tree);
    const compatBases = new InheritedStates(both, compat, read.mapping, lines.files);
    for (const group of meetingGroups(both))
      if (group.some(({ order }) => shownOrders.has(order) && mixed.orders.has(order)))
        visit(group, compatBases, compat, inUse);
  };
  add(live, live, 'yes');
  for (const scope of unread) add([scope], [scope], 'no');
  for (const inFile of silent) add(inFile, inFile, 'yes');
  for (const inside of scopesByUnusedPart(collected.scopes))
    add([...live, ...inside], inside, 'not included');
  return unseenDirectories(opened, collected.mapping.served(), overrides, tree)?.join(', ');
}

function inOrder(group: readonly Scope[]): readonly Scope[] {
  return [...group].sort((a, b) => a.order - b.order);
}

/** The states before a section, with how a request comes there where it comes in several ways. */
function statesMet(scope: Scope, inherited: InheritedStates): readonly State[] | undefined {
  const states = inherited.statesBefore(scope);
  return states !== undefined && states.length > 1 ? (inherited.statesByRoute(scope) ?? states) : states;
}

function linesSet(scope: Scope): ConfigLine[] {
  return scope.reading === 'compat' ? linesOfCompat(scope) : linesOf22(scope);
}

function sectionView(scope: Scope, inherited: InheritedStates): SectionView {
  const { kind, pattern, vhost, aroundLines } = scope;
  const states = statesMet(scope, inherited);
  return {
    ...shownAt(scope),
    kind,
    covers: pattern.kind === 'path' ? pattern.path : pattern.kind === 'glob' ? pattern.glob : undefined,
    vhost: vhost?.open.rest,
    conditions: aroundLines.map(({ name, is }) => ({ name, is })),
    sets: linesSet(scope),
    inherits: states && grouped(states),
  };
}

/** The states that hold the same, with all ways that lead there. */
function grouped(states: readonly State[]): Inherited[] {
  const byKey = new Map<string, Inherited & { readonly ways: string[][] }>();
  // Which server answers is worth telling where it makes a difference.
  const servers = new Set(
    states
      .map(({ when }) => when.find(({ kind }) => kind === 'server'))
      .map((test) => test && testText(test)),
  );
  for (const state of states) {
    const content = contentOf(state);
    const key = JSON.stringify(content);
    const group = getOrInsert(byKey, key, () => ({ ...content, ways: [] }));
    const when = state.when.filter(({ kind }) => kind !== 'server' || servers.size > 1);
    if (when.length > 0) group.ways.push(when.map(testText));
  }
  return [...byKey.values()];
}

function contentOf({ hosts, requires, authz, satisfy, authType, ssl }: State): Omit<Inherited, 'ways'> {
  const lines = linesOfPolicy({ hosts, requires }).map(
    ({ origin, mask }) => `${origin.name} ${origin.rest}${limited(mask)}`,
  );
  const for24 = requireNodes(authz).map(({ origin }) => `${origin.name} ${origin.rest}`);
  const all = [...lines, ...for24];
  const said = Object.fromEntries(satisfy);
  return { lines: all, satisfy: said, authType: authType === true, ssl: ssl !== undefined };
}

function testText(test: ReachCondition): string {
  switch (test.kind) {
    case 'directory':
      return `the file lies in ${test.path} and no deeper directory that is named`;
    case 'match': {
      return `${sectionWithPlace(shownAt(test.scope))} ${test.is ? 'matches' : 'does not match'}`;
    }
    case 'config':
      return `${test.name} ${test.is ? 'holds' : 'does not hold'}`;
    case 'proxied':
      return test.is ? 'it is proxied' : 'it is not proxied';
    case 'server':
      return test.name === '' ? 'the main server answers' : 'a virtual host answers';
  }
}

/**
 * What the decision about the section at a place rests on, as text: the lines of the section, and what a request has met before
 * it comes there. Without names of files: copies of one site have the same. Empty where no section that decides access is there.
 */
export function accessBasis(
  tree: ConfigTree,
  { file, at }: { readonly file: ConfigFile; readonly at: number },
): string {
  const { line } = file.document.positionAt(at);
  const sections = basesOf(tree).get(file.name) ?? [];
  return sections[firstWhere(sections, (section) => section.line > line) - 1]?.basis ?? '';
}

interface SectionBasis {
  readonly line: number;
  readonly basis: string;
}

/** By file, in the order of their lines. Nothing else is kept: there may be very many, each reached in hundreds of ways. */
const basesOf = memo((tree: ConfigTree): ReadonlyMap<string, readonly SectionBasis[]> => {
  const byFile = new Map<string, SectionBasis[]>();
  eachGroup(tree, (group, inherited) => {
    for (const scope of inOrder(group)) {
      const { file, line } = shownAt(scope);
      addTo(byFile, file, { line, basis: basisOf(scope, inherited) });
    }
  });
  for (const sections of byFile.values()) sections.sort((a, b) => a.line - b.line);
  return byFile;
});

function basisOf(scope: Scope, inherited: InheritedStates): string {
  const inherits = statesMet(scope, inherited)?.map((state) => {
    const { lines, satisfy, authType, ssl } = contentOf(state);
    return JSON.stringify([lines, satisfy, authType, ssl]);
  });
  return JSON.stringify([scope.kind, linesSet(scope).map(({ text }) => text), [...new Set(inherits)].sort()]);
}
