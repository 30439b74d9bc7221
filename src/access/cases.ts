import { requestTest } from './asking';
import { type Expr, and, atom, keyOf, or } from './expr';
import type { Facts, State, Test } from './state';
import { type Decision, decide, decisionKey } from './state';
import { isWithin } from './paths';

/** More kinds of requests than this told apart in one section, and nobody could read it: the section is refused. */
const MAX_GROUPS = 6;
const MAX_TESTS = 3;

/** One way of reaching a section, and what 2.2 decides then. */
interface Case {
  readonly when: readonly Test[];
  readonly decision: Exclude<Decision, { undecided: string }>;
  readonly key: string;
}

/** The decision of a section under one setting of the conditionals it depends on. */
export interface Variant {
  readonly config: readonly { readonly name: string; readonly is: boolean }[];
  readonly exprs: readonly Expr[];
  readonly mixed: boolean;
}

/**
 * A decision that differs by how a request came here, as one that asks the request: `Require expr` on the file name or URL, in variants
 * where it hangs on a conditional of the configuration.
 * @returns a reason where 2.4 cannot ask what makes the difference, or nobody could read the answer
 */
export function restate(states: readonly State[], facts: Facts): readonly Variant[] | string {
  const cases: Case[] = [];
  for (const state of states) {
    const decision = decide(state, facts);
    if (decision.undecided !== undefined) return decision.undecided;
    cases.push({ when: state.when, decision, key: decisionKey(decision) });
  }
  const names = variables(cases, (test) => (test.kind === 'config' ? test.name : undefined));
  const relevant = names.filter((name) =>
    isRelevant(cases, (test) => test.kind === 'config' && test.name === name),
  );
  if (relevant.length > MAX_TESTS) return 'it depends on more conditionals than can be told apart';
  const variants: Variant[] = [];
  for (const values of assignments(relevant.length)) {
    const config = relevant.map((name, i) => ({ name, is: values[i]! }));
    const chosen = cases.filter(({ when }) =>
      when.every(
        (test) =>
          test.kind !== 'config' || config.every((one) => one.name !== test.name || one.is === test.is),
      ),
    );
    if (chosen.length === 0) continue;
    const exprs = byRequest(chosen, facts);
    if (typeof exprs === 'string') return exprs;
    variants.push({ config, exprs, mixed: chosen.some((one) => one.decision.mixed) });
  }
  return variants;
}

function variables(cases: readonly Case[], pick: (test: Test) => string | undefined): string[] {
  return [...new Set(cases.flatMap(({ when }) => when.map(pick).filter((name) => name !== undefined)))];
}

/** Whether two cases that agree in all else but the tests picked decide differently. */
function isRelevant(cases: readonly Case[], picked: (test: Test) => boolean): boolean {
  return cases.some((a, i) =>
    cases.slice(i + 1).some((b) => a.key !== b.key && differOnly(a.when, b.when, picked)),
  );
}

function differOnly(a: readonly Test[], b: readonly Test[], picked: (test: Test) => boolean): boolean {
  return a.every((one) => picked(one) || b.every((other) => picked(other) || !contradict(one, other)));
}

/** Whether two tests cannot both hold. */
function contradict(a: Test, b: Test): boolean {
  if (a.kind === 'directory' && b.kind === 'directory') return a.path !== b.path;
  if (a.kind === 'match' && b.kind === 'match') return a.scope === b.scope && a.is !== b.is;
  if (a.kind === 'config' && b.kind === 'config') return a.name === b.name && a.is !== b.is;
  return a.kind === 'untold' && b.kind === 'untold' && a.name !== b.name;
}

function assignments(count: number): boolean[][] {
  return Array.from({ length: 2 ** count }, (_, n) =>
    Array.from({ length: count }, (__, i) => (n >> i) % 2 === 0),
  );
}

/** One expression a method class that asks the request which case it is. */
function byRequest(cases: readonly Case[], facts: Facts): readonly Expr[] | string {
  const keys = [...new Set(cases.map((one) => one.key))];
  const decisionOf = (key: string): Case['decision'] => cases.find((one) => one.key === key)!.decision;
  if (keys.length === 1) return decisionOf(keys[0]!).exprs;
  if (keys.length > MAX_GROUPS) return 'requests of too many kinds reach it';
  if (isRelevant(cases, (test) => test.kind === 'untold'))
    return 'it depends on the virtual host, or on whether the request is proxied, and is written once for all';
  const scopes = [
    ...new Set(
      cases.flatMap(({ when }) => when.flatMap((test) => (test.kind === 'match' ? [test.scope] : []))),
    ),
  ];
  const matches = scopes.filter((scope) =>
    isRelevant(cases, (test) => test.kind === 'match' && test.scope === scope),
  );
  if (matches.length > MAX_TESTS) return 'more sections can stand before it than can be told apart';
  const asked = matches.map(requestTest);
  const conditions = new Map<string, string[]>(keys.map((key) => [key, []]));
  for (const values of assignments(matches.length)) {
    const texts: string[] = [];
    for (const [i, value] of values.entries()) {
      const text = asked[i];
      if (text === undefined) return 'no expression of 2.4 asks whether a section above it has matched';
      texts.push(value ? text : `! (${text})`);
    }
    const fitting = cases.filter(({ when }) =>
      when.every(
        (test) =>
          test.kind !== 'match' ||
          !matches.includes(test.scope) ||
          test.is === values[matches.indexOf(test.scope)],
      ),
    );
    for (const [key, regions] of regionsOf(fitting)) {
      if (regions === undefined) return 'a directory name in it cannot be written in an expression';
      const all = [...texts, ...(regions === '' ? [] : [regions])];
      conditions.get(key)!.push(all.length === 0 ? '' : all.map(group).join(' && '));
    }
  }
  return combine(keys, conditions, (key) => decisionOf(key).exprs, facts);
}

/** Wraps an expression for use inside a larger one. */
function group(text: string): string {
  return / \|\| /.test(text) ? `(${text})` : text;
}

/** Which directories lead to which decision: decision key → expression ('' where all do); undefined where one cannot be written. */
function regionsOf(cases: readonly Case[]): Map<string, string | undefined> {
  const byPath = new Map<string, string>();
  for (const { when, key } of cases)
    for (const test of when) if (test.kind === 'directory') byPath.set(test.path, key);
  const result = new Map<string, string | undefined>();
  if (byPath.size === 0) {
    for (const { key } of cases) result.set(key, '');
    return result;
  }
  const paths = [...byPath.keys()].sort((a, b) => a.length - b.length);
  // A directory that decides as the nearest one above it does needs no mention.
  const kept: string[] = [];
  const above = (path: string): string | undefined =>
    kept.filter((one) => one !== path && isWithin(path, one)).sort((a, b) => b.length - a.length)[0];
  for (const path of paths) {
    const parent = above(path);
    if (parent === undefined || byPath.get(parent) !== byPath.get(path)) kept.push(path);
  }
  const parts = new Map<string, string[] | undefined>();
  for (const path of kept) {
    const key = byPath.get(path)!;
    const children = kept.filter((one) => one !== path && above(one) === path);
    const inside = under(path);
    const outside = children.map(under);
    if (inside === undefined || outside.includes(undefined)) {
      parts.set(key, undefined);
      continue;
    }
    const terms = [...(inside === '' ? [] : [inside]), ...outside.map((text) => `! (${text})`)];
    const list = parts.has(key) ? parts.get(key) : [];
    list?.push(terms.join(' && '));
    if (list !== undefined) parts.set(key, list);
  }
  for (const [key, list] of parts) result.set(key, list === undefined ? undefined : anyOf(list));
  return result;
}

function anyOf(list: readonly string[]): string {
  if (list.includes('')) return '';
  return list.length === 1
    ? list[0]!
    : list.map((text) => (text.includes(' && ') ? `(${text})` : text)).join(' || ');
}

/** `''` for the root, undefined where the path has a character that the expression cannot hold. */
function under(path: string): string | undefined {
  if (path === '/') return '';
  if (/[#\r\n\0]/.test(path)) return undefined;
  return `%{REQUEST_FILENAME} =~ m#^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(/|$)#`;
}

/** The alternatives put together; the one hardest to describe is what remains when the others do not apply. */
function combine(
  keys: readonly string[],
  conditions: ReadonlyMap<string, readonly string[]>,
  exprsOf: (key: string) => readonly Expr[],
  facts: Facts,
): readonly Expr[] {
  const described = keys.map((key) => ({ key, text: anyOf(conditions.get(key)!) }));
  const rest =
    described.find((one) => one.text === '') ??
    [...described].sort((a, b) => b.text.length - a.text.length)[0]!;
  const others = described.filter((one) => one !== rest);
  const restText = others.map(({ text }) => `! (${text})`).join(' && ');
  return facts.classes.map((_, i) =>
    or([
      ...others.map(({ key, text }) => and([atom(`expr ${text}`, undefined), exprsOf(key)[i]!])),
      unlessDecided(
        exprsOf(rest.key)[i]!,
        others.map(({ key }) => exprsOf(key)[i]!),
        restText,
      ),
    ]),
  );
}

/** What remains needs no condition of its own where everybody is let in by the others' conditions anyway. */
function unlessDecided(expr: Expr, others: readonly Expr[], text: string): Expr {
  const free = others.every((other) => other.kind === 'true' || keyOf(other) === keyOf(expr));
  return free ? expr : and([atom(`expr ${text}`, undefined), expr]);
}
