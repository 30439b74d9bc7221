import { type Edit, indentOf, indentUnit, insertAfter } from '../edit';
import type { ConfigFile } from '../config';
import type { Directive, Node, Section, SectionClose, SectionOpen } from '../syntax';
import { type Output, emit } from './emit';
import { restate } from './cases';
import { type Expr, TRUE, keyOf } from './expr';
import { layout, linesOf } from './layout';
import { covers, coversAll } from './methods';
import type { Scope, ScopeLine } from './scope';
import { type Decision, type Facts, type State, decide, decisionKey, merge } from './state';

/** What becomes of one scope: its edits, or why there are none to be had. */
export type Rewrite =
  | {
      readonly file: ConfigFile;
      readonly edits: readonly Edit[];
      readonly consumed: readonly object[];
      readonly problem?: undefined;
    }
  | { readonly problem: string };

/** A rewrite that there is. */
export type Restated = Exclude<Rewrite, { problem: string }>;

type Line = Directive | SectionOpen | SectionClose;

/**
 * Restates the effective policy of a scope in 2.4's words for every state it can be merged over (access-semantics D1).
 * @param bases the states before the scope; all must lead to one text
 * @param cases the same, told apart by how a request comes to them
 * @param marked the text must show that it is written for 2.4: plain Require lines go into a RequireAny
 */
export function rewrite(
  scope: Scope,
  bases: readonly State[],
  facts: Facts,
  cases: () => readonly State[] | undefined,
  marked = false,
): Rewrite {
  const merged = bases.map((base) => merge(base, scope.own, facts));
  const decisions = merged.map((state) => decide(state, facts));
  const [decision] = decisions;
  if (decision === undefined) return { file: scope.file, edits: [], consumed: [] };
  for (const one of decisions) if (one.undecided !== undefined) return { problem: one.undecided };
  if (decision.undecided !== undefined) return { problem: decision.undecided };
  if (new Set(decisions.map(decisionKey)).size > 1) return rewriteCases(scope, facts, cases());

  if (!marked && requiresStay(scope, decision, facts)) return take(scope, scope.old, []);
  if (!hasOwnTree(scope) && merged.every((state, i) => isInherited(bases[i]!, state, decision, facts)))
    return take(scope, scope.old, []);
  const output = write(scope, decision.exprs, decision.mixed || marked, facts);
  if (output === undefined) return { problem: NO_TRACE };
  return take(scope, [...scope.old, ...scope.requires], output);
}

const NO_TRACE = 'TRACE cannot stand in a 2.4 <Limit>';

function write(scope: Scope, exprs: readonly Expr[], mixed: boolean, facts: Facts): Output[] | undefined {
  const order = writtenOrder(scope, facts);
  return emit(
    order.map((i) => facts.classes[i]!),
    order.map((i) => exprs[i]!),
    mixed,
  );
}

/** A scope whose decision hangs on what a request has met before it: the rewrite asks the request. */
function rewriteCases(scope: Scope, facts: Facts, cases: readonly State[] | undefined): Rewrite {
  const inherits = `it leaves ${missingParts(scope)} to the sections above it, and not every request has met the same ones`;
  if (cases === undefined) return { problem: inherits };
  const variants = restate(
    cases.map((base) => merge(base, scope.own, facts)),
    facts,
  );
  if (typeof variants === 'string') return { problem: `${inherits}: ${variants}` };
  const output: Output[] = [];
  for (const { config, exprs, mixed } of variants) {
    let body = write(scope, exprs, mixed, facts);
    if (body === undefined) return { problem: NO_TRACE };
    for (const { name, is } of [...config].reverse()) {
      const [container = '', ...words] = name.split(' ');
      if (!/^If(?:Module|Define)$/i.test(container)) return { problem: `${inherits}: it hangs on <${name}>` };
      body = [{ kind: 'block', name: container, args: (is ? '' : '!') + words.join(' '), body }];
    }
    output.push(...body);
  }
  return take(scope, [...scope.old, ...scope.requires], output);
}

/** The method classes in the order in which the scope names them; those it does not name after them. */
function writtenOrder(scope: Scope, facts: Facts): number[] {
  const { hosts, requires, satisfy } = scope.own;
  const lines = [...(hosts?.orders ?? []), ...(hosts?.lines ?? []), ...(requires ?? []), ...satisfy];
  const named = [...new Set(lines.flatMap((line) => [...line.mask.names]))];
  const rank = (method: string): number => (named.includes(method) ? named.indexOf(method) : named.length);
  return facts.classes
    .map((_, i) => i)
    .sort((a, b) => rank(facts.classes[a]!) - rank(facts.classes[b]!) || a - b);
}

/** The parts of the decision that a scope inherits, for a message. */
function missingParts(scope: Scope): string {
  const parts = [
    scope.own.hosts === undefined ? ['Order, Allow and Deny'] : [],
    scope.own.requires === undefined ? ['Require'] : [],
    scope.own.satisfy.some((line) => coversAll(line.mask)) ? [] : ['Satisfy'],
  ].flat();
  return parts.length === 0 ? 'the rest' : parts.join(' and ');
}

function hasOwnTree(scope: Scope): boolean {
  return scope.own.hosts !== undefined || scope.own.requires !== undefined;
}

/** True if 2.4, with nothing written here, inherits the very decision. */
function isInherited(base: State, state: State, decision: Decision, facts: Facts): boolean {
  if (base.tree) return decisionKey(decide(base, facts)) === decisionKey(decision);
  // Without a Require tree 2.4 admits everybody, and answers 500 once an AuthType is in effect (mod_authz_core.c).
  if (decision.undecided !== undefined || state.authType) return false;
  return decision.exprs.every((expr) => expr.kind === 'true');
}

/** True if the Require lines, as they stand, are the whole decision. */
function requiresStay(scope: Scope, decision: Decision, facts: Facts): boolean {
  const { requires } = scope.own;
  if (requires === undefined || decision.undecided !== undefined || decision.mixed) return false;
  if (!requires.every((line) => line.verbatim)) return false;
  return facts.classes.every((method, i) => {
    const own = requires.filter((line) => covers(line.mask, method));
    const texts = new Set(
      own.map((line) => (line.rest === '' ? line.keyword : `${line.keyword} ${line.rest}`)),
    );
    const expr = decision.exprs[i]!;
    if (texts.size === 0) return keyOf(expr) === keyOf(TRUE);
    const parts = expr.kind === 'or' ? expr.of : [expr];
    return parts.length === texts.size && parts.every((part) => part.kind === 'atom' && texts.has(part.text));
  });
}

/** Takes lines away and lays `output` in their place. */
function take(scope: Scope, lines: readonly ScopeLine[], output: readonly Output[]): Rewrite {
  const taken = new Set<Node>(lines.map((line) => line.node));
  const consumed = new Set<Line>();
  for (const { node, inner } of lines) {
    if (node.kind === 'directive') consumed.add(node);
    for (const { section } of inner) {
      if (section.key !== 'limit' && section.key !== 'limitexcept') continue;
      if (holdsSection(section)) return { problem: `the <${section.name}> in it holds another section` };
      if (section.close === undefined) return { problem: `the <${section.name}> in it is not closed` };
      // A Limit goes with its last access line: nothing else in it looks at the method (access-semantics A6).
      if (lines.length > scope.old.length || output.length > 0 || isSpent(section, taken)) {
        consumed.add(section.open);
        consumed.add(section.close);
      }
    }
  }
  const home = homeOf(scope, lines.length > 0 || scope.authType === undefined ? lines : [scope.authType]);
  if (home === undefined) return { problem: 'its lines stand in several files or blocks' };
  const { document } = home.file;
  if (consumed.size === 0) {
    if (output.length === 0) return { file: scope.file, edits: [], consumed: [] };
    if (scope.authType === undefined) return { problem: 'it has no line that the new ones could stand at' };
    // AuthType looks at no method: a Limit around it must not limit what is written for all.
    const limit = scope.authType.inner.find(
      ({ section }) => section.key === 'limit' || section.key === 'limitexcept',
    );
    const place = limit === undefined ? scope.authType.node : limit.section.close;
    if (place === undefined) return { problem: 'the Limit in it is not closed' };
    const unit = indentUnit(document, indentOf(document, place), home.section);
    return {
      file: home.file,
      edits: [insertAfter(document, place, linesOf(output, unit))],
      consumed: [scope.authType.node],
    };
  }
  const ordered = [...consumed].sort((a, b) => a.start - b.start);
  return {
    file: home.file,
    edits: layout(document, ordered, output, home.body, home.section),
    consumed: ordered,
  };
}

/** httpd refuses sections inside a Limit; taking the Limit away would bring them to life. */
function holdsSection(section: Section): boolean {
  return section.body.some(
    (node) => node.kind === 'section' && (!/^(?:if|limit)/.test(node.key) || holdsSection(node)),
  );
}

/** True if nothing but blanks and comments would be left in a section. */
function isSpent(section: Section, taken: ReadonlySet<Node>): boolean {
  return section.body.every(
    (node) =>
      node.kind === 'comment' ||
      node.kind === 'blank' ||
      taken.has(node) ||
      (node.kind === 'section' && isSpent(node, taken)),
  );
}

/** The one body all lines stand in, Limits looked through; undefined where there are several. */
function homeOf(
  scope: Scope,
  lines: readonly ScopeLine[],
): { file: ConfigFile; body: readonly Node[]; section: Section | undefined } | undefined {
  const file = lines[0]?.file ?? scope.file;
  const inner = lines[0]?.inner.filter(
    (frame) => frame.file === file && frame.section.key !== 'limit' && frame.section.key !== 'limitexcept',
  );
  const last = inner?.[inner.length - 1]?.section;
  const own = file === scope.file ? scope.section?.body : undefined;
  const body = last?.body ?? own ?? file.document.body;
  const within = new Set<Node>();
  const gather = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      within.add(node);
      if (node.kind === 'section') gather(node.body);
    }
  };
  gather(body);
  return lines.every((line) => line.file === file && within.has(line.node))
    ? { file, body, section: last ?? (file === scope.file ? scope.section : undefined) }
    : undefined;
}
