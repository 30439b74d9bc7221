import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { type Collected, collect } from '../collect';
import { type Governor, splitUnread } from '../override';
import { type ConfigTest, type Scope, configTests, setsSomething } from '../policy';
import { meetingGroups } from './groups';

/** Sections in which lines of 2.2's access control and of 2.4's meet: only a 2.4 with mod_access_compat runs them. */
export interface Mixed {
  /** Under the reading `compat`. */
  readonly collected: Collected;
  /** All sections of the run, under that reading. */
  readonly scopes: readonly Scope[];
  readonly governor: Governor;
  /** Those of the groups in which lines of both kinds meet, by `order`. */
  readonly orders: ReadonlySet<number>;
}

/**
 * @param own the sections of a file that nothing includes, if these are in question: what they would meet does not become mixed by them,
 * so that it is decided the same whether or not it has been rewritten
 * @returns undefined where no lines of both kinds meet
 */
export function mixedIn(
  scopes: readonly Scope[],
  tree: ConfigTree,
  own?: ReadonlySet<Scope>,
): Mixed | undefined {
  if (own === undefined) return mixedGroups(scopes, tree, () => true);
  const others = scopes.filter((scope) => !own.has(scope));
  const already = mixedGroups(others, tree, () => true)?.orders;
  return mixedGroups(
    scopes,
    tree,
    (group) =>
      group.every((scope) => own.has(scope)) || group.some(({ order }) => already?.has(order) === true),
  );
}

function mixedGroups(
  scopes: readonly Scope[],
  tree: ConfigTree,
  counts: (group: readonly Scope[]) => boolean,
): Mixed | undefined {
  if (!scopes.some(isModern) || !scopes.some(isOld)) return undefined;
  const groups = meetingGroups(scopes.filter(setsSomething));
  const mixed = groups.filter((group) => meets(group) && counts(group));
  if (mixed.length === 0) return undefined;
  const known = new Set(scopes.map(({ order }) => order));
  const collected = collect(tree, 'compat');
  const twins = collected.scopes.filter(({ order }) => known.has(order));
  const { live, governor } = splitUnread(twins, collected.mapping);
  const all = [...groups, ...meetingGroups(live.filter(setsSomething))].map((group) =>
    group.map(({ order }) => order),
  );
  const orders = new Set(mixed.flatMap((group) => group.map(({ order }) => order)));
  // A section may meet others in one reading only: what hangs together under either is decided as one.
  for (let before = -1; before !== orders.size;) {
    before = orders.size;
    for (const group of all)
      if (group.some((order) => orders.has(order))) for (const order of group) orders.add(order);
  }
  return { collected, scopes: live, governor, orders };
}

/** Whether lines of both kinds are read by one server: not if each stands where conditionals keep the other out. */
function meets(group: readonly Scope[]): boolean {
  const under = (pick: (scope: Scope) => Iterable<readonly Section[]>): ConfigTest[][] =>
    group.flatMap((scope) => [...pick(scope)].map((sections) => [...scope.outer, ...configTests(sections)]));
  const modern = under((scope) => scope.underModern);
  const old = under((scope) => scope.underOld);
  const free = (list: ConfigTest[][]): boolean => list.some((tests) => tests.length === 0);
  if (modern.length === 0 || old.length === 0 || free(modern) || free(old))
    return modern.length > 0 && old.length > 0;
  return modern.some((a) => old.some((b) => !excludes(a, b)));
}

function excludes(a: readonly ConfigTest[], b: readonly ConfigTest[]): boolean {
  return a.some((one) => b.some((other) => one.name === other.name && one.is !== other.is));
}

function isModern(scope: Scope): boolean {
  return scope.modern !== undefined;
}

function isOld(scope: Scope): boolean {
  return scope.old.length > 0;
}
