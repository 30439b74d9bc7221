import type { ConfigFile, ConfigTree } from '../config';
import type { Edit } from '../edit';
import { Bases } from './bases';
import { type Collected, type Misplaced, collect } from './collect';
import { allows, Governor, splitUnread } from './governor';
import { overrideLists } from './overridelist';
import { meetingGroups } from './groups';
import { factsOf, isComplete } from './facts';
import { authorizerOf } from './requires';
import { type Rewrite, rewrite } from './rewrite';
import { hasAccess, type Scope, scopeName } from './scope';
import { isClosed } from './closed';
import type { Facts } from './state';

/** What the access transform has to say about one section. */
export interface AccessFinding {
  readonly file: ConfigFile;
  readonly at: number;
  readonly level: 'error' | 'warning';
  readonly safety: 'safe' | 'review' | 'manual';
  readonly message: string;
  readonly edits: readonly Edit[];
  readonly group?: string;
}

/** Decides access for the whole run: each group of sections that can meet is restated in 2.4's words, or refused. */
export function translateAccess(tree: ConfigTree): AccessFinding[] {
  const collected = collect(tree);
  const findings = new Findings();
  const reached = collected.scopes.filter((scope) => scope.place.root.role !== 'unreached');
  const { live, unread } = splitUnread(reached);
  const facts = factsOf(collected, tree);
  const governor = new Governor(live);
  const world = { tree, facts, collected, governor };
  translateWorld(live, live, world, findings);
  for (const scope of unread) translateWorld([scope], [scope], world, findings);
  for (const root of tree.unreached) {
    const own = collected.scopes.filter((scope) => scope.place.root === root);
    if (own.length > 0)
      translateWorld([...live, ...own], own, { ...world, settled: findings.texts }, findings);
  }
  for (const finding of misplacedFindings(collected.misplaced)) findings.add(finding);
  findings.addOverrides(governor);
  return findings.list;
}

/** One finding a file, at the first of its lines. */
function misplacedFindings(misplaced: readonly Misplaced[]): AccessFinding[] {
  const byFile = new Map<string, Misplaced[]>();
  for (const one of misplaced) {
    const key = `${one.reason} ${one.place.file.path}`;
    const list = byFile.get(key);
    if (list === undefined) byFile.set(key, [one]);
    else list.push(one);
  }
  return [...byFile.values()].map((list) => {
    const { node, place, reason } = list[0]!;
    const count =
      list.length === 1 ? '' : ` (and ${list.length - 1} more such ${list.length === 2 ? 'line' : 'lines'})`;
    return {
      file: place.file,
      at: node.from,
      level: 'error',
      safety: 'manual',
      message:
        reason === 'per-request'
          ? `${node.name}${count} stands in a per-request block of 2.4, which does not know it: left as it is`
          : `${node.name}${count} stands outside any section: httpd refuses it at server level; if another file includes this one inside a section, convert it together with that file`,
      edits: [],
    };
  });
}

interface World {
  readonly tree: ConfigTree;
  readonly facts: Facts;
  readonly collected: Collected;
  readonly governor: Governor;
  /** What becomes of the scopes that are there to be met, when they have been decided without these. */
  readonly settled?: ReadonlyMap<Scope, string>;
}

/** @param own the scopes to rewrite; the others are there to be met */
function translateWorld(
  scopes: readonly Scope[],
  own: readonly Scope[],
  world: World,
  findings: Findings,
): void {
  const mine = new Set(own);
  const setters = scopes.filter(setsSomething);
  const bases = new Bases(setters, world.facts, world.collected.mapping);
  for (const group of meetingGroups(setters)) {
    const targets = group.filter((scope) => mine.has(scope));
    if (targets.length > 0) translateGroup(group, targets, bases, world, findings);
  }
}

function setsSomething(scope: Scope): boolean {
  return (
    hasAccess(scope) || scope.own.authType === true || scope.modern !== undefined || scope.old.length > 0
  );
}

function translateGroup(
  group: readonly Scope[],
  targets: readonly Scope[],
  bases: Bases,
  world: World,
  findings: Findings,
): void {
  const old = group.some((scope) => scope.old.length > 0);
  const modern = group.find((scope) => scope.modern !== undefined);
  // Nothing of 2.2 that 2.4 does not read the same, among sections written for 2.4: not ours to judge.
  if (!old && (modern !== undefined || group.every((scope) => scope.only22 > 0))) return;
  const reasons = new Map<Scope, string>();
  const rewrites = new Map<Scope, Exclude<Rewrite, { problem: string }>>();
  for (const scope of targets) {
    const reason = ownReason(scope, group, world);
    if (reason !== undefined) reasons.set(scope, reason);
  }
  if (modern !== undefined) {
    for (const scope of targets)
      if (scope.old.length > 0 && !reasons.has(scope))
        reasons.set(
          scope,
          `it can meet ${where(modern, modern.modern!.start)}, which is written for 2.4 already`,
        );
  }
  // A group that is refused already needs no texts.
  for (const scope of reasons.size > 0 ? [] : group.filter(isEditable)) {
    const before = bases.before(scope);
    const result: Rewrite =
      before === undefined
        ? { problem: 'there are too many ways in which a request can reach it' }
        : rewrite(scope, before, world.facts, () => bases.cases(scope));
    if (result.problem !== undefined) reasons.set(scope, result.problem);
    else rewrites.set(scope, result);
  }
  if (world.settled !== undefined) keepSettled(targets, rewrites, reasons, world.settled);
  if (reasons.size === 0) mark(group, rewrites, bases, world.facts);
  for (const [scope, message] of twins(rewrites)) reasons.set(scope, message);
  for (const scope of targets) findings.texts.set(scope, reasons.size > 0 ? '' : textOf(rewrites.get(scope)));
  const changed = [...rewrites].filter(([, one]) => one.edits.length > 0);
  if (changed.length === 0 && !old && reasons.size === 0) return;
  if (reasons.size > 0) refuse(group, targets, reasons, findings);
  else convert(changed, group, world, findings);
}

function textOf(one: Exclude<Rewrite, { problem: string }> | undefined): string {
  return JSON.stringify(one?.edits ?? []);
}

/**
 * A file that nothing includes is converted as what it would be if it were in use. Where that would call for other texts in files that
 * are in use, it cannot be.
 */
function keepSettled(
  targets: readonly Scope[],
  rewrites: Map<Scope, Exclude<Rewrite, { problem: string }>>,
  reasons: Map<Scope, string>,
  settled: ReadonlyMap<Scope, string>,
): void {
  for (const scope of new Set([...rewrites.keys(), ...reasons.keys()])) {
    if (targets.includes(scope)) continue;
    const same = rewrites.has(scope) && textOf(rewrites.get(scope)) === (settled.get(scope) ?? '[]');
    rewrites.delete(scope);
    reasons.delete(scope);
    if (same) continue;
    for (const one of targets)
      if (!reasons.has(one))
        reasons.set(
          one,
          `nothing includes this file; if it were in use, ${where(scope, scope.section?.start ?? 0)} would need another text`,
        );
  }
}

const MARK = /^[ \t]*(?:<Require|Require (?:all|ip|host|env|method|expr|not) )/m;

/**
 * Require lines alone read the same as 2.2's. Where a reader who takes them for 2.2's would come to another result (lines of several
 * modules, an AuthType without Require), one container tells that the group has been converted.
 */
function mark(
  group: readonly Scope[],
  rewrites: Map<Scope, Exclude<Rewrite, { problem: string }>>,
  bases: Bases,
  facts: Facts,
): void {
  const changed = [...rewrites].filter(([, one]) => one.edits.length > 0);
  if (changed.length === 0 || changed.some(([, { edits }]) => edits.some(({ text }) => MARK.test(text))))
    return;
  const fragile = group.some(
    (scope) =>
      (scope.own.authType === true && scope.own.requires === undefined) ||
      keptModules(scope, rewrites.get(scope)?.edits ?? []).size > 1,
  );
  if (!fragile) return;
  for (const [scope] of changed) {
    const result = rewrite(scope, bases.before(scope) ?? [], facts, () => bases.cases(scope), true);
    if (result.problem !== undefined || !result.edits.some(({ text }) => MARK.test(text))) continue;
    rewrites.set(scope, result);
    return;
  }
}

/** The 2.2 modules that the Require lines of a scope are for, once it is rewritten. */
function keptModules(scope: Scope, edits: readonly Edit[]): Set<unknown> {
  const written = edits.flatMap(({ text }) =>
    [...text.matchAll(/^[ \t]*Require ([a-z-]+)/gm)].map(([, word]) => word!),
  );
  const keywords = written.length > 0 ? written : (scope.own.requires?.map((line) => line.keyword) ?? []);
  return new Set(keywords.map(authorizerOf));
}

function isEditable(scope: Scope): boolean {
  return scope.modern === undefined && (scope.old.length > 0 || scope.only22 === 0);
}

/** Why a scope cannot be rewritten whatever it meets. */
function ownReason(scope: Scope, group: readonly Scope[], world: World): string | undefined {
  const [problem] = scope.problems;
  if (problem !== undefined) return problem.message;
  if (scope.old.length > 0 && scope.modern !== undefined) return 'it mixes lines of 2.2 and of 2.4';
  if (scope.old.length > 0 && (scope.only22 > 0 || scope.only24 > 0))
    return 'some of its access lines stand in blocks that only one version reads, others in both';
  if (
    scope.only22 > 0 &&
    scope.only24 === 0 &&
    !group.some((one) => one.only24 > 0 || one.modern !== undefined)
  )
    return 'its access lines are for 2.2 alone, and nothing takes their place on 2.4';
  const ssl = world.collected.sslChecks[0];
  if (ssl !== undefined && scope.own.satisfy.some((line) => line.value === 'any'))
    return `${ssl.name} was one way in among others under Satisfy Any and is a must in 2.4`;
  return overrideReason(scope, world.governor);
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
function overrideReason(scope: Scope, governor: Governor): string | undefined {
  const line = governor.of(scope);
  const { hosts, requires, satisfy } = scope.own;
  const needed = [
    hosts === undefined ? [] : 'limit',
    requires === undefined && satisfy.length === 0 ? [] : 'authconfig',
  ].flat();
  const missing = scope.old.length === 0 ? undefined : needed.find((one) => !allows(line, one));
  return (
    missing && `AllowOverride ${line!.words.join(' ')} does not let this file say it: 2.2 answers 500 here`
  );
}

/** A text that is reached in several ways must be rewritten the same way for all of them. */
function twins(rewrites: ReadonlyMap<Scope, Exclude<Rewrite, { problem: string }>>): Map<Scope, string> {
  const texts = new Map<object, { scope: Scope; text: string }>();
  const result = new Map<Scope, string>();
  for (const [scope, { edits, consumed }] of rewrites) {
    const text = JSON.stringify(edits);
    for (const node of [...consumed, ...scope.old.map((line) => line.node)]) {
      const known = texts.get(node);
      if (known === undefined) texts.set(node, { scope, text });
      else if (known.text !== text) {
        const message = 'these lines are reached in several ways that would need different texts';
        result.set(scope, message);
        result.set(known.scope, message);
      }
    }
  }
  return result;
}

function refuse(
  group: readonly Scope[],
  targets: readonly Scope[],
  reasons: ReadonlyMap<Scope, string>,
  findings: Findings,
): void {
  const cause = [...reasons.keys()][0]!;
  for (const scope of targets) {
    const reason = reasons.get(scope);
    if (reason === undefined && scope.old.length === 0) continue;
    const line =
      scope.problems[0]?.node ?? scope.section?.open ?? scope.old[0]?.node ?? scope.requires[0]?.node;
    const first = scope.old[0] ?? scope.requires[0] ?? scope.authType;
    const file = scope.problems[0] !== undefined ? (first?.file ?? scope.file) : scope.section ? scope.file : (first?.file ?? scope.file); // prettier-ignore
    findings.add({
      file,
      at: line === undefined ? 0 : 'from' in line ? line.from : line.start,
      level: 'error',
      safety: 'manual',
      message:
        reason !== undefined
          ? `${scopeName(scope)} is left as it is: ${reason}${group.length > 1 ? '; so are the sections it can meet' : ''}`
          : `${scopeName(scope)} is left as it is: it can meet ${where(cause, cause.section?.start ?? 0)}, which cannot be converted`,
      edits: [],
    });
  }
}

function convert(
  changed: readonly (readonly [Scope, Exclude<Rewrite, { problem: string }>])[],
  met: readonly Scope[],
  world: World,
  findings: Findings,
): void {
  const [first] = changed;
  if (first === undefined) return;
  const astray = met.find((scope) => scope.displaced || scope.movedFrom !== undefined);
  const group = `access:${first[1].file.name}:${first[1].edits[0]!.start}`;
  for (const [scope, { file, edits }] of changed) {
    const known = isComplete(world.tree) && scope.place.root.role !== 'unreached' && astray === undefined;
    const safe = known || isClosed(scope, world.facts);
    const line = scope.section?.open ?? scope.old[0]?.node ?? scope.requires[0]?.node ?? scope.authType!.node;
    const at =
      scope.section !== undefined && scope.file !== file ? edits[0]!.start : 'from' in line ? line.from : 0;
    findings.add({
      file,
      at,
      level: 'error',
      safety: safe ? 'safe' : 'review',
      message: `${scopeName(scope)}: ${summary(scope)} become Require${safe ? '' : `, assuming that ${assumption(astray)}`}`,
      edits,
      group,
    });
    findings.rewritten.push({ scope, edits, group });
    for (const note of scope.notes)
      findings.add({
        file,
        at: note.node.from,
        level: 'warning',
        safety: 'manual',
        message: note.message,
        edits: [],
      });
  }
}

function assumption(astray: Scope | undefined): string {
  return astray?.movedFrom === undefined || astray.pattern.kind !== 'path'
    ? 'nothing outside the files given restricts access here'
    : `${astray.movedFrom} is what the server calls ${astray.pattern.path}`;
}

/** The old directives of a scope by name, in the order they first stand. */
function summary(scope: Scope): string {
  const names = [
    ...new Set(scope.old.map(({ node }) => (node.kind === 'directive' ? canonical(node.name) : ''))),
  ];
  if (names.length === 0) return 'its access lines';
  return names.length === 1
    ? `${names[0]} lines`
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

function canonical(name: string): string {
  return name.length <= 7 ? name.charAt(0).toUpperCase() + name.slice(1).toLowerCase() : name;
}

function where(scope: Scope, at: number): string {
  return `${scopeName(scope)} at ${scope.file.name}:${scope.file.document.positionAt(at).line}`;
}

/** Findings without the copies that a file included twice would bring. */
class Findings {
  list: AccessFinding[] = [];
  /** What was decided for each scope: its edits as text, '' where it was refused. */
  readonly texts = new Map<Scope, string>();
  readonly rewritten: { scope: Scope; edits: readonly Edit[]; group: string }[] = [];
  readonly #seen = new Set<string>();

  add(finding: AccessFinding): void {
    const key = `${finding.file.path}\n${finding.at}\n${finding.message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(finding);
  }

  /** Adds what AllowOverride must let in from now on; all that hangs on one such line becomes one group. */
  addOverrides(governor: Governor): void {
    for (const { file, at, words, edit, groups } of overrideLists(this.rewritten, governor)) {
      const [group = ''] = groups;
      this.list = this.list.map((one) =>
        one.group !== undefined && groups.has(one.group) ? { ...one, group } : one,
      );
      for (const one of this.rewritten) if (groups.has(one.group)) one.group = group;
      this.list.push({
        file,
        at,
        level: 'error',
        safety: 'review',
        message: `the rewritten .htaccess files below use ${words}, which AllowOverride does not let in: AllowOverrideList does; whoever writes such a file may then also lift a password asked for above it`,
        edits: [edit],
        group,
      });
    }
  }
}
