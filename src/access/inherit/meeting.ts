import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { type Collected, collect, collectAsWritten } from '../collect';
import { type AllowOverrideIndex, splitUnread } from '../override';
import {
  type ConditionalTest,
  type Scope,
  conditionalTests,
  directoryOf,
  isWrittenFor24,
  setsSomething,
  testsAroundHost,
  testsExclude,
} from '../policy';
import { addTo, getOrInsert, isSamePattern, lazy, parentOf } from '../primitives';

/** Divides scopes into groups: those that one request can meet, directly or by way of others, are in one. */
export function meetingGroups(scopes: readonly Scope[]): Scope[][] {
  const links = new Links(scopes.length);
  const index = lazy(() => new Map(scopes.map((scope, i) => [scope, i])));
  const placed = new Map<string, number>();
  const everywhere: number[] = [];
  const locations: number[] = [];
  const proxies: number[] = [];
  const texts = new Map<object, number>();
  scopes.forEach((scope, i) => {
    const path = directoryOf(scope);
    if (scope.kind === 'location') locations.push(i);
    else if (scope.kind === 'proxy') proxies.push(i);
    else if (path === undefined) everywhere.push(i);
    else links.joinFirst(placed, path, i);
    // The same lines reached in two ways are one text: both ways are decided together. Only what a file brings that the section
    // itself does not stand in can be lines of another section too.
    links.joinFirst(texts, scope.section ?? scope.file, i);
    for (const { file } of scope.lines.deciding) if (file !== scope.file) links.joinFirst(texts, file, i);
    const parent = scope.parent && index().get(scope.parent);
    if (parent !== undefined) links.join(parent, i);
  });
  linkToAncestors(placed, links);
  const directories = [...placed.values(), ...everywhere];
  // A Location, or a section without a place, meets whatever a request's directory may be.
  if (everywhere.length + locations.length > 0)
    for (const i of [...directories, ...everywhere, ...(directories.length > 0 ? locations : [])])
      links.join(i, directories[0] ?? i);
  if (directories.length === 0) linkLocations(scopes, locations, links);
  proxies.forEach((i) => {
    for (const j of [...proxies, ...locations]) links.join(i, j);
  });
  const groups = new Map<number, Scope[]>();
  scopes.forEach((scope, i) => addTo(groups, links.find(i), scope));
  return [...groups.values()];
}

/** Joins every place with the nearest one above it. */
function linkToAncestors(placed: ReadonlyMap<string, number>, links: Links): void {
  /** The nearest place at or above the directories that have been looked at; undefined where there is none. */
  const nearest = new Map<string, number | undefined>(placed);
  const find = (path: string): number | undefined => {
    const passed: string[] = [];
    let at = path;
    for (; at !== '/' && !nearest.has(at); at = parentOf(at)) passed.push(at);
    const found = nearest.get(at);
    for (const passedPath of passed) nearest.set(passedPath, found);
    return found;
  };
  for (const [path, i] of placed) {
    const above = path === '/' ? undefined : find(parentOf(path));
    if (above !== undefined) links.join(i, above);
  }
}

/**
 * Joins the Locations that one URL can lie in, of one host, or of the main server and any host. Each looks for those whose path
 * is its own or leads to it, so that a large server does not hold each against each.
 */
function linkLocations(scopes: readonly Scope[], locations: readonly number[], links: Links): void {
  const byPath = new Map<string, Map<Scope['vhost'], number>>();
  const anywhere = new Map<Scope['vhost'], number>();
  for (const i of locations) {
    const { pattern, vhost } = scopes[i]!;
    const hosts = pattern.kind === 'path' ? getOrInsert(byPath, pattern.path, () => new Map()) : anywhere;
    links.joinFirst(hosts, vhost, i);
  }
  for (const i of locations) {
    const { pattern, vhost } = scopes[i]!;
    if (pattern.kind === 'path')
      for (const path of coveringPaths(pattern.path))
        for (const j of metIn(byPath.get(path), vhost)) links.join(i, j);
    for (const j of metIn(anywhere, vhost)) links.join(i, j);
  }
}

/** The sections, one for each host, that requests to a host of the main server, or to this virtual host, meet. */
function* metIn(
  hosts: ReadonlyMap<Scope['vhost'], number> | undefined,
  vhost: Scope['vhost'],
): Iterable<number> {
  if (hosts === undefined) return;
  if (vhost === undefined) {
    yield* hosts.values();
    return;
  }
  for (const host of [vhost, undefined]) {
    const i = hosts.get(host);
    if (i !== undefined) yield i;
  }
}

/** The paths of all Locations that cover a path (see `locationCovers`). */
function coveringPaths(path: string): string[] {
  const found = [path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    found.push(path.slice(0, at), path.slice(0, at + 1));
  return found;
}

/** Joins numbers into disjoint sets (union-find with path halving). */
class Links {
  readonly #parent: number[];

  constructor(size: number) {
    this.#parent = Array.from({ length: size }, (_, i) => i);
  }

  find(i: number): number {
    while (this.#parent[i] !== i) {
      this.#parent[i] = this.#parent[this.#parent[i]!]!;
      i = this.#parent[i]!;
    }
    return i;
  }

  join(i: number, j: number): void {
    this.#parent[this.find(i)] = this.find(j);
  }

  joinFirst<K>(firsts: Map<K, number>, key: K, i: number): void {
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, i);
    else this.join(first, i);
  }
}

/** Sections in which lines of 2.2's access control and of 2.4's meet: only a 2.4 with mod_access_compat runs them. */
export interface MixedSections {
  /** The decisions of the 2.4 with mod_access_compat that runs them. */
  readonly today: MixedReading;
  readonly asWritten: () => MixedReading;
  /** The sections of groups in which lines of both kinds meet, by `order`. */
  readonly orders: ReadonlySet<number>;
}

/** All sections of the run under one reading. */
export interface MixedReading {
  readonly collected: Collected;
  readonly scopes: readonly Scope[];
  readonly overrides: AllowOverrideIndex;
}

/**
 * @param notIncluded the sections of a file that nothing includes, if these are in question: what they would meet does not become
 * mixed by them, so that it is decided the same whether or not it has been rewritten
 * @returns undefined where no lines of both kinds meet
 */
export function findMixedSections(
  scopes: readonly Scope[],
  tree: ConfigTree,
  notIncluded?: ReadonlySet<Scope>,
): MixedSections | undefined {
  if (notIncluded === undefined) return mixedGroups(scopes, tree, () => true);
  const others = scopes.filter((scope) => !notIncluded.has(scope));
  const already = mixedGroups(others, tree, () => true)?.orders;
  return mixedGroups(
    scopes,
    tree,
    (group) =>
      group.every((scope) => notIncluded.has(scope)) ||
      group.some(({ order }) => already?.has(order) === true),
  );
}

function mixedGroups(
  scopes: readonly Scope[],
  tree: ConfigTree,
  counts: (group: readonly Scope[]) => boolean,
): MixedSections | undefined {
  const { shows22, showsCompat } = collect(tree);
  if (shows22 || !isRunByCompat(scopes, tree)) return undefined;
  const groups = meetingGroups(scopes.filter(setsSomething));
  const mixed = groups.filter((group) => (showsCompat || meets(group)) && counts(group));
  if (mixed.length === 0) return undefined;
  const inRunOrders = new Set(scopes.map(({ order }) => order));
  const read = (collected: Collected): MixedReading => {
    const inRun = collected.scopes.filter(({ order }) => inRunOrders.has(order));
    const { live, overrides } = splitUnread(inRun, collected.mapping, tree);
    return { collected, scopes: live, overrides };
  };
  const today = read(collect(tree, 'compat'));
  const all = [...groups, ...meetingGroups(today.scopes.filter(setsSomething))].map((group) =>
    group.map(({ order }) => order),
  );
  const orders = new Set(mixed.flatMap((group) => group.map(({ order }) => order)));
  // A section may meet others in one reading only: what hangs together under either is decided as one.
  for (let before = -1; before !== orders.size;) {
    before = orders.size;
    for (const group of all)
      if (group.some((order) => orders.has(order))) for (const order of group) orders.add(order);
  }
  return { today, asWritten: lazy(() => read(collectAsWritten(tree))), orders };
}

/** Whether a 2.4 with mod_access_compat runs it, as a line that loads it shows, or lines of both kinds. */
export function isRunByCompat(scopes: readonly Scope[], tree: ConfigTree): boolean {
  const isOld = ({ lines }: Scope): boolean => lines.old.length > 0;
  return collect(tree).showsCompat || (scopes.some(isWrittenFor24) && scopes.some(isOld));
}

/** Whether lines of both kinds are read by one server: not if each stands where conditionals keep the other out. */
function meets(group: readonly Scope[]): boolean {
  const under = (pick: (scope: Scope) => Iterable<readonly Section[]>): ConditionalTest[][] =>
    group.flatMap((scope) =>
      [...pick(scope)].map((sections) => [
        ...scope.aroundSection,
        ...testsAroundHost(scope),
        ...conditionalTests(sections),
      ]),
    );
  const modern = under((scope) => scope.underModern);
  const old = under((scope) => scope.underOld);
  if (modern.length === 0 || old.length === 0) return false;
  const isFree = (tests: ConditionalTest[]): boolean => tests.length === 0;
  return [...modern, ...old].some(isFree) || modern.some((a) => old.some((b) => !testsExclude(a, b)));
}

/** Whether 2.4 finds something in the place of what only 2.2 reads: in the section itself, or in another for the same place. */
export function hasCounterpart(scope: Scope, scopes: readonly Scope[]): boolean {
  return scopes.some(
    (other) =>
      other.only24Count > 0 &&
      other.lines.requires24.length > 0 &&
      (other.order === scope.order ||
        (openAlike(other, scope) &&
          (other.parent === scope.parent || openAlike(other.parent, scope.parent)))),
  );
}

function openAlike(a: Scope | undefined, b: Scope | undefined): boolean {
  if (a === undefined || b === undefined || a.kind !== b.kind) return false;
  return a.section?.open.rest === b.section?.open.rest && isSamePattern(a.pattern, b.pattern);
}
