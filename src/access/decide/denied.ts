import type { ConfigFile } from '../../config';
import { type Edit, eolOf, indentOf, removeLines } from '../../edit';
import type { Directive, Node } from '../../syntax';
import { SCOPES, needsCompat } from '../collect';
import { type AllowOverrideIndex, fateOfLines } from '../override';
import { type Scope, type ScopeLine, type SectionPolicy, UNANSWERED, allDenied } from '../policy';
import { ALL_METHODS } from '../primitives';
import { ACCESS_RULE, type AccessRun, type Refusal, isOfLines, isOfOverride, isRefusedBy22 } from '../report';
import { NOTHING_WRITTEN, type RewriteEdit, type RewrittenSection, isContainer } from '../rewrite';
import type { AccessGroup } from './group';
import { unreadAbove } from './refuse';
import { shutFromAbove } from './shut-above';
import { canKeepAlone, mayBeKept } from './unconverted';

/**
 * Finds the sections of `.htaccess` files that would keep those of other files from being converted: whoever may write such a
 * file must not decide that. They are to let nobody in, which is answered for them and what inherits from them alone.
 */
export function denyUnconvertible(group: AccessGroup): AccessGroup {
  const { met, refusals, denied, run } = group;
  if (!group.isKept || run.decidedEdits !== undefined) return group;
  const toDeny = new Map<Scope, Refusal>();
  const mayKeep = mayBeKept(met, run);
  // What stays for lines of its own is kept by nobody else: two such files do not keep each other.
  const isKeptByOthers = (scope: Scope): boolean => {
    const refusal = refusals.get(scope);
    return refusal === undefined || refusal.kind === 'inherits-unconverted' || !isOfLines(refusal);
  };
  const kept = met.filter((scope) => scope.lines.old.length > 0 && isKeptByOthers(scope));
  const files = new Set(kept.map(({ place }) => place.root));
  for (const [scope, refusal] of refusals) {
    const { root } = scope.place;
    const concernsOthers =
      root.role === 'htaccess'
        ? files.size > (files.has(root) ? 1 : 0)
        : KEEPS_NO_OTHERS.has(refusal.kind) && kept.length > 0;
    if (!concernsOthers || !(isOfLines(refusal) || isOfOverride(refusal))) continue;
    const isBelowDenied = refusal.kind === 'inherits-unconverted' && denied.has(refusal.other);
    if (mayKeep(scope) && !isBelowDenied && canKeepAlone(scope, refusal, run)) continue;
    if (denyingText(scope, refusal, group) !== undefined) toDeny.set(scope, refusal);
  }
  return { ...group, toDeny };
}

/**
 * Finds the sections of the `.htaccess` files that are to let nobody in, since 2.4 would answer by any other text otherwise, and
 * those of the server's own files below a `.htaccess` that could not be read: left as they are, they would keep 2.4 from
 * starting.
 */
export function denyShut(group: AccessGroup): AccessGroup {
  const { targets, denied, run } = group;
  if (run.tree.shuts === undefined || run.decidedEdits !== undefined) return group;
  const toDeny = new Map<Scope, Refusal>();
  for (const scope of targets) {
    if (denied.has(scope)) continue;
    const why = shutReason(scope, run);
    const refusal = why === undefined ? refusalBelowUnread(scope, run) : ({ kind: 'differs', why } as const);
    if (refusal !== undefined && denyingText(scope, refusal, group) !== undefined) toDeny.set(scope, refusal);
  }
  return toDeny.size === 0 ? group : { ...group, toDeny };
}

function refusalBelowUnread(scope: Scope, { tree }: AccessRun): Refusal | undefined {
  const isOfServer = tree.isServer && scope.place.root.role !== 'htaccess' && scope.lines.old.length > 0;
  const directory = isOfServer ? unreadAbove(scope, tree) : undefined;
  return directory === undefined ? undefined : { kind: 'below-unread', directory };
}

/** Why a section is to let nobody in for the sake of its file; undefined for all others, and for what says nothing itself. */
export function shutReason(scope: Scope, { tree }: Pick<AccessRun, 'tree'>): string | undefined {
  const { root } = scope.place;
  const shut = root.role === 'htaccess' ? tree.shuts?.(root) : undefined;
  if (shut === undefined) return undefined;
  const { unanswered, problems, ssl } = scope;
  return linesOfAccess(scope).length + unanswered.length + problems.length + ssl.length > 0
    ? shut.why
    : undefined;
}

/** The lines of a section that have a part in who gets in, by either version. */
function linesOfAccess({ lines }: Scope): readonly ScopeLine[] {
  const { requires, old, requires24, only22, authTypesFor24, merging, beside } = lines;
  const all = [...old, ...requires, ...requires24, ...only22, ...authTypesFor24, ...merging];
  return beside === undefined ? all : [...all, beside];
}

/** Whether whoever answers 500 to the file of a section still does where that has Require lines alone. */
function isRefusedWithRequire(scope: Scope, overrides: AllowOverrideIndex): boolean {
  return overrides
    .statesFor(scope)
    .every((state) => fateOfLines(scope, state, overrides) !== 'refused-by-22');
}

/** Why a section of the server's own files, too, lets nobody in rather than keep others: it is not known what it says at all. */
const KEEPS_NO_OTHERS: ReadonlySet<Refusal['kind']> = new Set([
  'unknown-keyword',
  'no-counterpart',
  'too-many-blocks',
  'ssl-for-22',
]);

/** What a section that lets nobody in leaves to those after it: where a part could be anything, what lets in the fewest. */
export function denyingPolicy(scope: Scope): SectionPolicy {
  const { policy } = scope;
  const origin = linesOfAccess(scope)[0]?.node;
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

function asksForUsers(scope: Scope): boolean {
  const { policy, unanswered, problems, lines } = scope;
  if (policy.requires !== undefined || lines.requires.length + unanswered.length > 0) return true;
  if (scope.only22Count + scope.only24Count > 0) return true;
  return problems.some(
    ({ node }) => node?.kind !== 'directive' || node.key === 'require' || node.key.startsWith('ssl'),
  );
}

/**
 * What is written of a section that is to let nobody in: in its own file, or in those of the server where that cannot be written.
 * @param shut as for {@link shutFromAbove}
 */
export function denyingText(
  scope: Scope,
  refusal: Refusal,
  group: AccessGroup,
  shut?: Set<string>,
): RewrittenSection | undefined {
  // Where 2.4 takes a Require line, the 500 of 2.2 would become a section that what comes after it takes the place of.
  if (!isRefusedWithRequire(scope, group.run.overrides)) {
    const above = shutFromAbove(scope, group, shut, true);
    if (above !== undefined || isOfOverride(refusal)) return above;
  }
  const text = denySection(scope);
  const isKept =
    text !== undefined && group.run.tree.keeps?.(text.file, ACCESS_RULE, text.edits) !== undefined;
  return isKept ? shutFromAbove(scope, group, shut) : text;
}

/**
 * What is written of a `.htaccess` that is to let nobody in, where none of its sections says so: a line before all others. None
 * where one stands there already.
 * @param isWhole whether a line in one of its sections for files is not enough
 */
export function denyingFile(file: ConfigFile, isWhole: boolean): readonly Edit[] {
  const { body } = file.document;
  const first = firstLine(body);
  const isThere = body.some(
    (node) =>
      isDenial(node) ||
      (!isWhole && node.kind === 'section' && SCOPES[node.key] === 'files' && node.body.some(isDenial)),
  );
  return first === undefined || isThere ? [] : denyingEdits(file, first, [], []);
}

function isDenial(node: Node): boolean {
  return node.kind === 'directive' && node.key === 'require' && /^all[ \t]+denied$/i.test(node.rest.trim());
}

/**
 * A section as one that lets nobody in: its access lines go, in whatever blocks they stand, and one line takes the place of the
 * first. A Require line of its own that no module known here answers stays beside it as a comment. A line that 2.2 itself refuses
 * stays: either version answers 500 to all below its file, also where a section that comes later lets somebody in. Where it has
 * no access line, that one stands before its Auth lines.
 * @returns undefined where it has none of these either, and is no whole file
 */
function denySection(scope: Scope): RewrittenSection | undefined {
  const { file, section, problems, lines } = scope;
  const { old, beside } = lines;
  const converted = new Set<Node>(old.map(({ node }) => node));
  const refused = new Set<unknown>(
    problems.flatMap(({ node, problem }) => (isRefusedBy22(problem) ? node : [])),
  );
  const gone: Node[] = [];
  let first: Node | undefined;
  const body = section?.body ?? file.document.body;
  for (const node of body) {
    const found: Node[] = [];
    gatherLines(node, converted, found);
    if (found.length > 0) first ??= node;
    for (const line of found) if (!refused.has(line)) gone.push(line);
  }
  const auth = beside?.file === file ? beside.node : undefined;
  first ??= auth && body.find(({ start, end }) => start <= auth.start && auth.end <= end);
  if (scope.place.root.role === 'htaccess') first ??= firstLine(body);
  if (first === undefined) return undefined;
  const going = new Set<Node>(gone);
  const words = scope.unanswered.flatMap(({ node }) =>
    going.has(node) ? `# ${node.name} ${withoutTail(node.rest)}` : [],
  );
  return { file, edits: denyingEdits(file, first, gone, words), consumed: gone };
}

/**
 * A text without the blanks and backslashes at its end: the last would take the next line into a comment. A pattern would try
 * each run of them that stands elsewhere.
 */
function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\v\f\r\\'.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

function firstLine(body: readonly Node[]): Node | undefined {
  return body.find(({ kind }) => kind !== 'comment' && kind !== 'blank');
}

function isAccessLine(key: string): boolean {
  return needsCompat(key) || key === 'require' || key === 'authmerging' || /^authz.*authoritative$/.test(key);
}

/** Each access line below a node, and each container of such lines, whoever reads it; an SSLRequire where it is converted. */
function gatherLines(node: Node, converted: ReadonlySet<Node>, gone: Node[]): void {
  if (node.kind === 'directive' && (isAccessLine(node.key) || converted.has(node))) gone.push(node);
  if (node.kind !== 'section' || SCOPES[node.key] === 'files') return;
  if (isContainer(node.key)) gone.push(node);
  else for (const inner of node.body) gatherLines(inner, converted, gone);
}

function denyingEdits(
  file: ConfigFile,
  first: Node,
  gone: readonly Node[],
  comments: readonly string[],
): readonly RewriteEdit[] {
  const { document } = file;
  const head = first.kind === 'section' ? first.open : (first as Directive);
  const text = [DENIED, ...comments]
    .map((line) => indentOf(document, head) + line)
    .join(eolOf(document, head));
  const all = { kind: 'require', provider: 'all', negated: false, text: DENIED, origin: undefined } as const;
  const written = { ...NOTHING_WRITTEN, requires: [all] };
  const cuts = gone.map((node): RewriteEdit => ({
    ...removeLines(document, node),
    written: NOTHING_WRITTEN,
  }));
  if (first !== gone[0])
    return [{ start: first.start, end: first.start, text: text + eolOf(document, head), written }, ...cuts];
  const { start, end } = first;
  const ends = document.text.charCodeAt(end - 1) === 10;
  const line = ends ? text + eolOf(document, head) : text;
  // What an earlier run has written is no change: it would come again after each.
  const isThere = document.text.slice(start, end) === line;
  return [...(isThere ? [] : [{ start, end, text: line, written }]), ...cuts.slice(1)];
}

const DENIED = 'Require all denied';
