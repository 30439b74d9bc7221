import {
  type ConditionalTest,
  type Decision,
  type Facts,
  type ReachCondition,
  type Scope,
  type State,
  decisionKey,
  decisionOrRefusal,
  directoryOf,
} from '../policy';
import {
  type Expr,
  type ServerTraits,
  TRUE,
  groupBy,
  and,
  areEquivalent,
  atom,
  directoriesAbove,
  exprKey,
  implies,
  isWithin,
  matchAtom,
  not,
  or,
  strictest,
  addTo,
} from '../primitives';
import type { NoRewrite } from './problems';
import { type AskedFrom, below, requestTest, testsByName } from './request-tests';
import { joinRegions } from './regions';
import { testsOfServers } from './server-tests';

/** Nobody could read a section that asks for more kinds of requests than this: it is refused. */
const MAX_GROUPS = 8;
const MAX_REGIONS = 16;
/** So many are found before those that lie beside one another are made one. */
const MAX_PARTS = 128;
const MAX_VARIANTS = 8;

/** The directory that a section is for, where all these routes come there; undefined for a text that stands in several places. */
export function directoryOfAll(scope: Scope, routes: readonly Pick<State, 'when'>[]): string | undefined {
  const directory = directoryOf(scope);
  const isThere = (test: ReachCondition): boolean =>
    test.kind !== 'directory' || directory === undefined || isWithin(test.path, directory);
  return routes.every(({ when }) => when.every(isThere)) ? directory : undefined;
}

export interface ReachedState {
  /** With the section merged. */
  readonly state: State;
  readonly decision: Decision;
  /** 2.4 inherits the decision where nothing is written. */
  readonly inherited: boolean;
}

/** A way with what 2.2 decides then. */
interface Case {
  readonly when: readonly ReachCondition[];
  readonly decision: Exclude<Decision, { undecided: object }>;
  readonly key: string;
  readonly inherited: boolean;
}

/** What to write for a section: one decision, nothing at all, or a question to the conditionals of the configuration. */
export type Restatement =
  | ({ readonly kind: 'decision'; readonly mixed: boolean } & AskedDecision)
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'test';
      readonly test: ConditionalTest;
      readonly yes: Restatement;
      readonly no: Restatement;
    };

/** A decision that asks the request where it must. */
interface AskedDecision {
  /** One a method class. */
  readonly exprs: readonly Expr[];
  /** Directories with wildcards that it asks for by a name which a file could have, too: it would get the stricter answer. */
  readonly byName: readonly Scope[];
}

/**
 * A decision that differs by how a request came here, as one that asks the request: `Require expr` on the file name or URL, and
 * in conditionals where it depends on these.
 * @param from where the answer stands
 * @returns a problem where 2.4 cannot ask what makes the difference, or nobody could read the answer
 */
export function restate(
  routes: readonly ReachedState[],
  facts: Facts,
  from: AskedFrom,
): Restatement | NoRewrite {
  const cases: Case[] = [];
  for (const { state, decision: given, inherited } of routes) {
    const decision = decisionOrRefusal(state, facts, given);
    if (decision.undecided !== undefined) return { problem: decision.undecided };
    cases.push({ when: state.when, decision, key: decisionKey(decision), inherited });
  }
  let variants = 0;
  const vary = (chosen: readonly Case[], tests: readonly ConditionalTest[]): Restatement | NoRewrite => {
    if (chosen.every((each) => each.inherited)) return { kind: 'nothing' };
    const asked =
      (condition: string) =>
      (test: ReachCondition): boolean =>
        test.kind === 'config' && test.name === condition;
    const found = tests.find(
      ({ name }) => chosen.some(({ when }) => when.some(asked(name))) && isRelevant(chosen, asked(name)),
    );
    if (found === undefined) {
      if (++variants > MAX_VARIANTS) return { problem: { kind: 'too-many-conditionals' } };
      const decided = byRequest(chosen, facts, from);
      if ('problem' in decided) return decided;
      return { kind: 'decision', ...decided, mixed: chosen.some((each) => each.decision.mixed) };
    }
    const under = (is: boolean): readonly Case[] =>
      chosen.filter(({ when }) =>
        when.every((test) => test.kind !== 'config' || test.name !== found.name || test.is === is),
      );
    const rest = tests.filter((other) => other !== found);
    const [yes, no] = [under(true), under(false)].map((list) =>
      list.length === 0 ? undefined : vary(list, rest),
    );
    if (yes === undefined || no === undefined) return (yes ?? no)!;
    if ('problem' in yes) return yes;
    return 'problem' in no ? no : { kind: 'test', test: found, yes, no };
  };
  return vary(cases, conditionalsOf(cases));
}

function conditionalsOf(cases: readonly Case[]): ConditionalTest[] {
  const found = new Map<string, ConditionalTest>();
  for (const { when } of cases)
    for (const test of when) if (test.kind === 'config' && !found.has(test.name)) found.set(test.name, test);
  return [...found.values()];
}

/** Whether two cases that agree in all else but the tests picked decide differently. */
function isRelevant(cases: readonly Case[], picked: (test: ReachCondition) => boolean): boolean {
  const differOnly = (a: Case, b: Case): boolean =>
    a.when.every(
      (test) => picked(test) || b.when.every((other) => picked(other) || !contradict(test, other)),
    );
  return cases.some((a, i) => cases.some((b, j) => j > i && a.key !== b.key && differOnly(a, b)));
}

/** Whether two tests cannot both hold. */
function contradict(a: ReachCondition, b: ReachCondition): boolean {
  if (a.kind === 'directory' && b.kind === 'directory') return a.path !== b.path;
  if (a.kind === 'match' && b.kind === 'match') return a.scope === b.scope && a.is !== b.is;
  if (a.kind === 'config' && b.kind === 'config') return a.name === b.name && a.is !== b.is;
  if (a.kind === 'proxied' && b.kind === 'proxied') return a.is !== b.is;
  return a.kind === 'server' && b.kind === 'server' && a.name !== b.name;
}

function byRequest(cases: readonly Case[], facts: Facts, from: AskedFrom): AskedDecision | NoRewrite {
  const keys = [...new Set(cases.map((each) => each.key))];
  const decided = new Map(cases.map(({ key, decision }) => [key, decision.exprs]));
  if (keys.length === 1) return { exprs: decided.get(keys[0]!)!, byName: [] };
  if (keys.length > MAX_GROUPS) return { problem: { kind: 'too-many-kinds' } };
  // Two ways that one request can come by decide differently.
  if (isRelevant(cases, () => false)) return { problem: { kind: 'depends-on-server' } };
  const conditions = new Map<string, Expr[]>(keys.map((key) => [key, []]));
  const byName = new Set<Scope>();
  let count = 0;
  /** Asks no more than what tells these cases apart. @param asked what has been asked before */
  const describe = (chosen: readonly Case[], asked: readonly Expr[]): NoRewrite | undefined => {
    const kinds = kindsOf(chosen, from, byName);
    if ('problem' in kinds) return kinds;
    for (const { test, excludes, isEither } of kinds) {
      // Another section asks for the same.
      if (test !== undefined && asked.some((other) => exprKey(other) === exprKey(not(test)))) continue;
      const fitting = chosen.filter(({ when }) => !when.some(excludes));
      if (fitting.length === 0) continue;
      if (isEither === true) {
        const exprs = strictestOf(fitting);
        const key = `either\n${exprs.map(exprKey).join('\n')}`;
        decided.set(key, exprs);
        addTo(conditions, key, and([...asked, test!]));
        continue;
      }
      if (test === undefined) return { problem: { kind: 'no-expression' } };
      const found = describe(fitting, [...asked, test]);
      if (found !== undefined) return found;
    }
    if (kinds.length > 0) return undefined;
    for (const [key, region] of regionsOf(chosen, from)) {
      if (region === undefined) return { problem: { kind: 'directory-name' } };
      if (facts.unplaced && region.kind !== 'true' && region.kind !== 'false')
        return { problem: { kind: 'unplaced' } };
      if (++count > MAX_PARTS) return { problem: { kind: 'too-many-sections' } };
      addTo(conditions, key, and([...asked, region]));
    }
    return undefined;
  };
  const refused = describe(cases, []);
  if (refused !== undefined) return refused;
  const regions = new Map([...conditions].map(([key, parts]) => [key, joinRegions(parts)]));
  if ([...regions.values()].flat().length > MAX_REGIONS) return { problem: { kind: 'too-many-sections' } };
  return { exprs: combine(regions, decided, facts), byName: [...byName] };
}

/**
 * What to ask next of requests that come by these cases; nothing where no more than the directory tells them apart.
 * @param byName as in {@link AskedDecision}: gets what is asked for
 */
function kindsOf(
  cases: readonly Case[],
  from: AskedFrom,
  byName: Set<Scope>,
): readonly RequestKind[] | NoRewrite {
  if (isRelevant(cases, (test) => test.kind === 'server'))
    return serverTests(cases) ?? { problem: { kind: 'depends-on-server' } };
  if (isRelevant(cases, (test) => test.kind === 'proxied') || directoriesMissProxied(cases))
    return PROXY_TESTS;
  const scopes = new Set<Scope>();
  for (const { when } of cases) for (const test of when) if (test.kind === 'match') scopes.add(test.scope);
  for (const scope of scopes) {
    if (!isRelevant(cases, (test) => test.kind === 'match' && test.scope === scope)) continue;
    const place = directoryOf(scope);
    const excluding =
      (is: boolean) =>
      (test: ReachCondition): boolean =>
        test.kind === 'match'
          ? test.scope === scope && test.is !== is
          : is && place !== undefined && test.kind === 'directory' && !isWithin(test.path, place);
    const test = requestTest(scope, from);
    const names = test === undefined ? testsByName(scope, from) : undefined;
    if (names === undefined) return yesOrNo(test, excluding);
    byName.add(scope);
    // A file that has the name gets the stricter answer.
    if (areStrictest(cases, excluding(true))) return yesOrNo(names.either, excluding);
    if (areStrictest(cases, excluding(false))) return yesOrNo(names.inDirectory, excluding);
    return [
      { test: names.inDirectory, excludes: excluding(true) },
      { test: not(names.either), excludes: excluding(false) },
      { test: names.isFile, excludes: () => false, isEither: true },
    ];
  }
  return [];
}

/** Whether the cases that are left decide as the strictest of all would. */
function areStrictest(cases: readonly Case[], isExcluded: (test: ReachCondition) => boolean): boolean {
  const left = cases.filter(({ when }) => !when.some(isExcluded));
  const exprs = strictestOf(cases);
  return (
    left.length > 0 &&
    left.every(({ decision }) => exprs.every((expr, i) => areEquivalent(expr, decision.exprs[i]!)))
  );
}

function strictestOf(cases: readonly Case[]): readonly Expr[] {
  const [first] = cases;
  return first!.decision.exprs.map((_, i) => strictest(cases.map(({ decision }) => decision.exprs[i]!)));
}

/** Whether directories make a difference to requests beside which proxied ones come, which lie in none. */
function directoriesMissProxied(cases: readonly Case[]): boolean {
  const isProxied = (is: boolean): boolean =>
    cases.some(({ when }) => when.some((test) => test.kind === 'proxied' && test.is === is));
  return isProxied(true) && isProxied(false) && isRelevant(cases, (test) => test.kind === 'directory');
}

/** Requests of one kind, of several that differ in one thing. */
interface RequestKind {
  /** Undefined where no expression asks it. */
  readonly test: Expr | undefined;
  /** Whether no request of the kind has come by what this says. */
  readonly excludes: (test: ReachCondition) => boolean;
  /** Which of the cases it is cannot be asked. */
  readonly isEither?: true;
}

function yesOrNo(test: Expr | undefined, excluding: (is: boolean) => RequestKind['excludes']): RequestKind[] {
  return [
    { test, excludes: excluding(true) },
    { test: test && not(test), excludes: excluding(false) },
  ];
}

/** A proxied request has no file: its name says where it goes (2.2 and 2.4 mod_proxy.c: proxy_trans). */
const PROXY_TESTS = yesOrNo(
  matchAtom('REQUEST_FILENAME', '^proxy:'),
  (is) => (test) => test.kind === 'proxied' && test.is !== is,
);

/** The servers that decide alike, each with what tells their requests from those of the others; undefined where nothing does. */
function serverTests(cases: readonly Case[]): readonly RequestKind[] | undefined {
  const groups: { cases: Case[]; readonly names: Set<string>; readonly traits: ServerTraits[] }[] = [];
  for (const [name, traits] of serversOf(cases)) {
    const ofServer = cases.filter(({ when }) =>
      when.some((test) => test.kind === 'server' && test.name === name),
    );
    const like = groups.find(
      (group) => !isRelevant([...group.cases, ...ofServer], (test) => test.kind === 'server'),
    );
    if (like === undefined) groups.push({ cases: ofServer, names: new Set([name]), traits });
    else {
      like.cases.push(...ofServer);
      like.names.add(name);
      like.traits.push(...traits);
    }
  }
  const tests = testsOfServers(groups.map(({ traits }) => traits));
  return tests?.map((test, i) => ({
    test,
    excludes: (other) => other.kind === 'server' && !groups[i]!.names.has(other.name),
  }));
}

/** The servers that cases name, each with the traits of all that it stands for. */
function serversOf(cases: readonly Case[]): ReadonlyMap<string, ServerTraits[]> {
  const found = new Map<string, ServerTraits[]>();
  for (const test of new Set(cases.flatMap(({ when }) => when)))
    if (test.kind === 'server') found.set(test.name, [...(found.get(test.name) ?? []), ...test.traits]);
  return found;
}

/** More decisions than these are not told apart by directory: those for the fewest directories are one for all of these. */
const MAX_KINDS = 32;

/**
 * What is decided in each directory, as one decision that asks for the directory; undefined where a name cannot be written.
 * @param inDirectories by path
 * @param rest what takes the place of those that are not told apart: asked for only if there are any
 */
export function byDirectory(
  inDirectories: ReadonlyMap<string, readonly Expr[]>,
  rest: () => readonly Expr[],
  facts: Facts,
  from: AskedFrom,
): readonly Expr[] | undefined {
  const kinds = groupBy(inDirectories, ([, exprs]) => exprs.map(exprKey).join('\n'));
  const cases: Pick<Case, 'when' | 'key'>[] = [];
  const decided = new Map<string, readonly Expr[]>();
  for (const [key, list] of [...kinds].sort(([, a], [, b]) => b.length - a.length)) {
    const as = decided.size < MAX_KINDS ? key : '';
    if (!decided.has(as)) decided.set(as, as ? list[0]![1] : rest());
    for (const [path] of list) cases.push({ when: [{ kind: 'directory', path }], key: as });
  }
  const regions = regionsOf(cases, from);
  const tests = [...regions].flatMap(([key, region]) =>
    region === undefined ? [] : [[key, [region]] as const],
  );
  if (tests.length < regions.size || (facts.unplaced && regions.size > 1)) return undefined;
  return combine(new Map(tests), decided, facts);
}

/** Which directories lead to which decision: decision key → a test of the file name; undefined where none can be written. */
function regionsOf(
  cases: readonly Pick<Case, 'when' | 'key'>[],
  from: AskedFrom,
): Map<string, Expr | undefined> {
  const byPath = new Map<string, string>();
  for (const { when, key } of cases)
    for (const test of when) if (test.kind === 'directory') byPath.set(test.path, key);
  // Where all decide the same it is the same outside of the directories, too: proxied requests lie in none.
  const isOne = cases.every(({ key }) => key === cases[0]!.key);
  if (byPath.size === 0 || isOne) return new Map(cases.map(({ key }) => [key, TRUE]));
  // A directory that decides as the nearest one above it does needs no mention. The longest ones come last.
  const kept = new Map<string, string[]>();
  for (const path of [...byPath.keys()].sort((a, b) => a.length - b.length)) {
    const parent = directoriesAbove(path).find((above) => kept.has(above) && isWithin(path, above));
    if (parent !== undefined && byPath.get(parent) === byPath.get(path)) continue;
    kept.set(path, []);
    if (parent !== undefined) kept.get(parent)!.push(path);
  }
  // All these requests lie in the directory that all others lie in.
  const isPlaced = cases.every(({ when }) => when.some(({ kind }) => kind === 'directory'));
  const [first, ...others] = kept.keys();
  const top = isPlaced && others.every((path) => isWithin(path, first!)) ? first : undefined;
  const parts = new Map<string, (Expr | undefined)[]>();
  for (const [path, within] of kept) {
    const inside = path === top ? TRUE : below(path, from);
    const outside = allKnown(within.map((inner) => below(inner, from)));
    addTo(parts, byPath.get(path)!, inside && outside && and([inside, ...outside.map(not)]));
  }
  return new Map([...parts].map(([key, list]) => [key, allKnown(list) && or(allKnown(list)!)]));
}

function allKnown(tests: readonly (Expr | undefined)[]): readonly Expr[] | undefined {
  const known = tests.filter((test) => test !== undefined);
  return known.length === tests.length ? known : undefined;
}

/**
 * The alternatives put together; the one hardest to describe is what remains when the others do not apply. Only one that lets in
 * no more than all others is that: a module that maps URLs may lead to files of which the configuration says nothing.
 */
function combine(
  conditions: ReadonlyMap<string, readonly Expr[]>,
  decided: ReadonlyMap<string, readonly Expr[]>,
  facts: Facts,
): readonly Expr[] {
  const all = [...conditions].map(([key, regions]) => ({ key, test: or(regions) }));
  // What no request can be is not asked.
  const possible = all.filter(({ test }) => test.kind !== 'false');
  const described = possible.length > 0 ? possible : all;
  const safe = described.filter(({ key }) =>
    described.every((other) =>
      decided.get(key)!.every((expr, i) => implies(expr, decided.get(other.key)![i]!)),
    ),
  );
  const rest =
    described.find((each) => each.test.kind === 'true') ??
    [...(safe.length > 0 ? safe : described)].sort(
      (a, b) => render(b.test).length - render(a.test).length,
    )[0]!;
  const others = described.filter((each) => each !== rest);
  const noneOfOthers = and(others.map(({ test }) => not(test)));
  const isShorter = rest.test.kind !== 'true' && render(rest.test).length < render(noneOfOthers).length;
  const remaining = ask(isShorter ? rest.test : noneOfOthers);
  return facts.classes.map((_, i) => {
    const last = decided.get(rest.key)![i]!;
    // What remains needs no test of its own where the others let everybody in, or decide the same.
    const free = others.every(({ key }) => {
      const expr = decided.get(key)![i]!;
      return expr.kind === 'true' || exprKey(expr) === exprKey(last);
    });
    return or([
      ...others.map(({ key, test }) => and([ask(test), decided.get(key)![i]!])),
      free ? last : and([remaining, last]),
    ]);
  });
}

export function ask(test: Expr): Expr {
  return test.kind === 'true' || test.kind === 'false' ? test : atom('expr', render(test), undefined);
}

/** Writes a test in the syntax of 2.4's expressions. */
function render(test: Expr): string {
  switch (test.kind) {
    case 'true':
    case 'false':
      return test.kind;
    case 'atom':
      return test.text;
    case 'not':
      return test.of.negation!;
    case 'and':
      return test.of.map((part) => (part.kind === 'or' ? `(${render(part)})` : render(part))).join(' && ');
    case 'or':
      return test.of.map((part) => (part.kind === 'and' ? `(${render(part)})` : render(part))).join(' || ');
  }
}
