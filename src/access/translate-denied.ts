import type { ConfigFile } from '../config';
import { eolOf, indentOf, removeLines } from '../edit';
import type { Directive, Node, Section } from '../syntax';
import { SCOPES, isOld } from './collect';
import { type RequireNode, type Scope, type SectionPolicy, UNANSWERED } from './policy';
import { ALL_METHODS } from './primitives';
import { type AccessRun, ACCESS_RULE, type Refusal } from './report';
import { NOTHING_WRITTEN, type RewriteEdit, type RewrittenSection, isContainer } from './rewrite';
import { canStay, mayAnyStay } from './translate-left';

/** Refusals of what a `.htaccess` may say, or of the run: not of what its lines say. */
const NOT_OF_ITS_LINES: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'access-file-name',
  'meets-modern',
  'not-included-changes',
  'not-included-meets-blocks',
  'nothing-for-22',
  'not-read',
  'override-by-host',
  'override-forbids',
  'override-in-conditional',
  'override-list-stays',
  'override-wakes',
  'unplaced',
]);

/**
 * The sections of `.htaccess` files that would keep those of other files from being converted: whoever may write such a file must not decide
 * that. They are to let nobody in, which is answered for them and what inherits from them alone.
 */
export function sectionsToDeny(
  group: readonly Scope[],
  refusals: ReadonlyMap<Scope, Refusal>,
  denied: ReadonlyMap<Scope, Refusal>,
  run: AccessRun,
): ReadonlyMap<Scope, Refusal> {
  const { decidedEdits } = run;
  const found = new Map<Scope, Refusal>();
  if (decidedEdits !== undefined) return found;
  const anyStays = mayAnyStay(group, run);
  const files = new Set(group.flatMap(({ old, place }) => (old.length > 0 ? place.root : [])));
  for (const [scope, refusal] of refusals) {
    const { root } = scope.place;
    const concernsOthers = files.size > (files.has(root) ? 1 : 0);
    if (root.role !== 'htaccess' || !concernsOthers || !isOfItsLines(refusal)) continue;
    const isBelowDenied = refusal.kind === 'inherits-left' && denied.has(refusal.other);
    if (anyStays && !isBelowDenied && canStay(scope, refusal, run)) continue;
    const rewritten = denySection(scope);
    if (rewritten !== undefined && run.tree.keeps?.(scope.file, ACCESS_RULE, rewritten.edits) === undefined)
      found.set(scope, refusal);
  }
  return found;
}

function isOfItsLines(refusal: Refusal): boolean {
  return refusal.kind === 'inherits' ? isOfItsLines(refusal.because) : !NOT_OF_ITS_LINES.has(refusal.kind);
}

/** What a section that lets nobody in leaves to those after it: where each part of it could have been anything, what lets in the fewest. */
export function denyingPolicy(scope: Scope): SectionPolicy {
  const { policy, requires, old, lines24, lines22 } = scope;
  const origin = firstDirective([...old, ...requires, ...lines24, ...lines22]);
  if (origin === undefined) return policy;
  const line = { mask: ALL_METHODS, origin };
  return {
    ...policy,
    hosts: { orders: [{ ...line, order: 'allow,deny' }], lines: [] },
    requires: asksForUsers(scope)
      ? [{ ...line, keyword: UNANSWERED, source: '', rest: '', verbatim: false }]
      : policy.requires,
    satisfy: [{ ...line, value: 'all' }],
    ...(scope.reading !== '2.2' && { authz: { tree: allDenied(origin), merging: undefined } }),
  };
}

function allDenied(origin: Directive): RequireNode {
  return { kind: 'require', negated: false, provider: 'all', args: 'denied', masks: [], origin };
}

function asksForUsers({ policy, requires, unanswered, problems, only22, only24 }: Scope): boolean {
  if (policy.requires !== undefined || requires.length + unanswered.length + only22 + only24 > 0) return true;
  return problems.some(
    ({ node }) => node?.kind !== 'directive' || node.key === 'require' || node.key.startsWith('ssl'),
  );
}

function firstDirective(lines: readonly { readonly node: Directive | Section }[]): Directive | undefined {
  return lines.flatMap(({ node }) => (node.kind === 'directive' ? node : []))[0];
}

/**
 * A section as one that lets nobody in: its access lines go, in whatever blocks they stand, and one line takes the place of the first. A line that
 * 2.2 itself refuses stays: either version answers 500 to all below its file, also where a section that comes later lets somebody in.
 * @returns undefined where it has none
 */
export function denySection(scope: Scope): RewrittenSection | undefined {
  const { file, section, problems } = scope;
  const stays = new Set<unknown>(problems.flatMap(({ node, problem }) => (REFUSED_BY_22.has(problem.kind) ? node : [])));
  const gone: Node[] = [];
  let first: Node | undefined;
  for (const node of section?.body ?? file.document.body) {
    const lines: Node[] = [];
    gatherLines(node, lines);
    if (lines.length > 0) first ??= node;
    gone.push(...lines.filter((line) => !stays.has(line)));
  }
  if (first === undefined) return undefined;
  return { file, edits: denyingEdits(file, first, gone), consumed: gone };
} // prettier-ignore

/** Problems of lines that are a syntax error to 2.2, and to 2.4 with mod_access_compat; without that, 2.4 does not know them. */
const REFUSED_BY_22: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'invalid-address',
  'invalid-line',
  'no-host',
]);

function isAccessLine(key: string): boolean {
  return isOld(key) || key === 'require' || key === 'authmerging' || /^authz.*authoritative$/.test(key);
}

/** Each access line below a node, and each container of such lines, whoever reads it. */
function gatherLines(node: Node, gone: Node[]): void {
  if (node.kind === 'directive' && isAccessLine(node.key)) gone.push(node);
  if (node.kind !== 'section' || SCOPES[node.key] === 'files') return;
  if (isContainer(node.key)) gone.push(node);
  else for (const inner of node.body) gatherLines(inner, gone);
}

function denyingEdits(file: ConfigFile, first: Node, gone: readonly Node[]): readonly RewriteEdit[] {
  const { document } = file;
  const head = first.kind === 'section' ? first.open : (first as Directive);
  const text = `${indentOf(document, head)}${DENIED}`;
  const written = {
    requires: [
      { kind: 'require', provider: 'all', negated: false, text: DENIED, origin: undefined } as const,
    ],
    sections: [],
    merges: false,
  };
  const edits = gone.map((node): RewriteEdit => ({
    ...removeLines(document, node),
    written: NOTHING_WRITTEN,
  }));
  if (first !== gone[0])
    return [{ start: first.start, end: first.start, text: text + eolOf(document, head), written }, ...edits];
  const ends = document.text.charCodeAt(first.end - 1) === 10;
  return [
    { start: first.start, end: first.end, text: ends ? text + eolOf(document, head) : text, written },
    ...edits.slice(1),
  ];
}

const DENIED = 'Require all denied';
