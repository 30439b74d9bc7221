import { type Document, type Node, parse, type Section } from '../syntax';
import { eolOf, indentOf, indentUnit } from './builders';
import { applyEdits, type Edit } from './edit';
import { isTrivia, joinRuns, type Run, runOf } from './run';

/** Every 2.4 has mod_authz_core, no 2.2 does; a block that asks for it is read by the one or by the other. */
const FOR_24 = '<IfModule mod_authz_core.c>';
const FOR_22 = '<IfModule !mod_authz_core.c>';
const END = '</IfModule>';

export interface OwnedEdit<Owner> extends Edit {
  readonly owner: Owner;
}

/** Edits that leave the old lines to 2.2 and give the new ones to 2.4. */
export interface DualEdits<Owner> {
  readonly edits: readonly { readonly edit: Edit; readonly owners: ReadonlySet<Owner> }[];
  /** The owners of edits that have no such form, with the reason. */
  readonly refused: ReadonlyMap<Owner, string>;
}

export interface DualRules {
  /** Whether 2.2 reads two texts alike: then the new one serves both versions as it is. */
  readonly alike22: (before: string, after: string) => boolean;
  /** Why a block that asks for the version cannot stand in place of these nodes; undefined where it can. */
  readonly refuse: (start: number, nodes: readonly Node[]) => string | undefined;
}

/**
 * Turns edits for 2.4 into edits that both versions read right: of the lines they touch, a block that only 2.4 reads holds the new ones
 * and a block that only 2.2 reads the old ones, byte for byte. Lines at either end that stay the same stay outside, for both.
 * @param edits of one file, not overlapping
 */
export function dualEdits<Owner>(
  document: Document,
  edits: readonly OwnedEdit<Owner>[],
  rules: DualRules,
): DualEdits<Owner> {
  const refused = new Map<Owner, string>();
  const refuse = (owners: Iterable<Owner>, why: string): void => {
    for (const owner of owners) if (!refused.has(owner)) refused.set(owner, why);
  };
  const runs: Run<Owner>[] = [];
  for (const { owner, ...edit } of edits) {
    const run = runOf(document, edit, owner);
    if (run === undefined) refuse([owner], 'it changes text that is no httpd configuration');
    else runs.push(run);
  }
  const result: { edit: Edit; owners: ReadonlySet<Owner> }[] = [];
  for (const run of balanced(document, joinRuns(runs))) {
    const made = writeBoth(document, run, rules);
    if (typeof made === 'string') refuse(atFault(document, run, edits, rules), made);
    else for (const edit of made) result.push({ edit, owners: run.owners });
  }
  return { edits: result, refused };
}

/** Those of a run's owners whose own edits have no form for both versions: the others can be had without them. All where none is alone. */
function atFault<Owner>(
  document: Document,
  run: Run<Owner>,
  edits: readonly OwnedEdit<Owner>[],
  rules: DualRules,
): Iterable<Owner> {
  if (run.owners.size === 1) return run.owners;
  const own = [...run.owners].filter((owner) => {
    const runs = edits.flatMap((edit) => (edit.owner === owner ? (runOf(document, edit, owner) ?? []) : []));
    const touching = joinRuns(runs).filter(({ start, end }) => start <= run.end && end >= run.start);
    return balanced(document, touching).some((one) => typeof writeBoth(document, one, rules) === 'string');
  });
  return own.length > 0 ? own : run.owners;
}

/** Joins what opens a container in one place and closes it in another: a block must hold both. */
function balanced<Owner>(document: Document, runs: readonly Run<Owner>[]): Run<Owner>[] {
  let list = [...runs];
  for (const run of runs) {
    if (isBalanced(parse(textAfter(document, run), '2.4').body)) continue;
    const others = list.filter(
      (one) => one.body === run.body && [...one.owners].some((owner) => run.owners.has(owner)),
    );
    const [first, last] = [others[0], others.at(-1)];
    if (others.length < 2) continue;
    const hull = { ...first!, to: last!.to, end: last!.end, edits: [], owners: new Set<Owner>() };
    list = joinRuns([hull, ...list]);
  }
  return list;
}

function isBalanced(body: readonly Node[]): boolean {
  return body.every((node) => {
    if (node.kind === 'stray' || node.kind === 'raw') return false;
    return (
      node.kind !== 'section' || (node.close !== undefined && node.open.complete && isBalanced(node.body))
    );
  });
}

/** The lines of a run after its edits; without the line end in front where they begin with the one that the file's last line lacks. */
function textAfter<Owner>({ text }: Document, { start, end, edits }: Run<Owner>): string {
  const own = edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text }));
  const after = applyEdits(text.slice(start, end), own);
  return start === end && start === text.length ? after.replace(/^\r?\n/, '') : after;
}

function writeBoth<Owner>(document: Document, run: Run<Owner>, rules: DualRules): readonly Edit[] | string {
  const { text } = document;
  const before = text.slice(run.start, run.end);
  const after = textAfter(document, run);
  if (rules.alike22(before, after)) return run.edits;
  const renewed = parse(after, '2.4');
  let old = run.body.slice(run.from, run.to);
  let news = [...renewed.body];
  if (!isBalanced(old) || !isBalanced(news))
    return 'a block for one version cannot be put around a section that is not closed, or around text that is no configuration';
  const textOf = (node: Node): string => text.slice(node.start, node.end);
  const newTextOf = (node: Node): string => after.slice(node.start, node.end);
  // The last line of a file gets a line end where another follows it now.
  const stays = (a: Node, b: Node): boolean =>
    textOf(a) === newTextOf(b) || (a.end === text.length && textOf(a) === newTextOf(b).replace(/\r?\n$/, ''));
  let same = 0;
  while (same < Math.min(old.length, news.length) && stays(old[same]!, news[same]!)) same++;
  const start = same === 0 ? run.start : old[same - 1]!.end;
  [old, news] = [old.slice(same), news.slice(same)];
  same = 0;
  while (
    same < Math.min(old.length, news.length) &&
    textOf(old.at(-1 - same)!) === newTextOf(news.at(-1 - same)!)
  )
    same++;
  if (same > 0) [old, news] = [old.slice(0, -same), news.slice(0, -same)];
  const end = old.at(-1)?.end ?? start;
  const reason = rules.refuse(start, [...old, ...news]);
  if (reason !== undefined) return reason;
  const [says22, says24] = [old, news].map((nodes) => !nodes.every(isTrivia));
  if (!says22 && !says24) return run.edits;

  const near = lineOf(old.find((node) => !isTrivia(node)));
  const eol = near === undefined ? document.eol : eolOf(document, near);
  const first = lineOf(news.find((node) => !isTrivia(node)));
  const indent = near === undefined ? indentOf(renewed, first!) : indentOf(document, near);
  const unit = indentUnit(document, indent, run.parent);
  const lines: string[] = [];
  if (says24) {
    const [top, bottom] = [news.find(isSaid)!, news.findLast(isSaid)!];
    const body = after.slice(top.start, bottom.end);
    lines.push(`${indent}${FOR_24}${eol}`, ended(indented(body, unit), eol), `${indent}${END}${eol}`);
  }
  if (says22)
    lines.push(`${indent}${FOR_22}${eol}`, ended(text.slice(start, end), eol), `${indent}${END}${eol}`);
  let written = lines.join('');
  const atEnd = end === text.length && start > 0 && text.charAt(text.length - 1) !== '\n';
  if (atEnd || (end === text.length && start === 0 && !text.endsWith('\n')))
    written = written.slice(0, -eol.length);
  // An insertion below a last line without line end brings that line's end along.
  const lead = start === text.length && start > 0 && text.charAt(start - 1) !== '\n' ? eol : '';
  return [{ start, end, text: lead + written }];
}

function lineOf(
  node: Node | undefined,
): Exclude<Node, Section | { kind: 'raw' }> | Section['open'] | undefined {
  if (node === undefined || node.kind === 'raw') return undefined;
  return node.kind === 'section' ? node.open : node;
}

function isSaid(node: Node): boolean {
  return node.kind !== 'blank';
}

function ended(text: string, eol: string): string {
  return text.endsWith('\n') ? text : text + eol;
}

/** Moves every line of a text in by `unit`; what continues a line stays where it is, for its blanks belong to the line. */
function indented(text: string, unit: string): string {
  const starts: number[] = [];
  const gather = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'section') {
        starts.push(node.open.start);
        gather(node.body);
        if (node.close !== undefined) starts.push(node.close.start);
      } else if (node.kind !== 'blank') starts.push(node.start);
    }
  };
  gather(parse(text, '2.4').body);
  return applyEdits(
    text,
    starts.map((at) => ({ start: at, end: at, text: unit })),
  );
}
