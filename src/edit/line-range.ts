import { appendAll, type Document, type Node, type Section, firstEndingAfter } from '../syntax';
import type { Edit } from './edit';

/** Whole lines of one body that edits touch, to put a block around. `from === to`: they insert between two lines. */
export interface LineRange<Owner> {
  readonly body: readonly Node[];
  /** The section of that body; undefined at the top of the file. */
  readonly parent: Section | undefined;
  /** Indexes into the body, `to` exclusive. */
  from: number;
  to: number;
  /** Byte offsets of the same. */
  start: number;
  end: number;
  readonly edits: Edit[];
  readonly owners: Set<Owner>;
}

/** The smallest range that holds an edit; undefined inside a body that is no configuration. */
export function lineRangeOf<Owner>(
  document: Document,
  asGiven: Edit,
  owner: Owner,
): LineRange<Owner> | undefined {
  const { text } = document;
  const edit = withOwnLineEnd(text, asGiven);
  const { start, end } = edit;
  let body = document.body;
  let parent: Section | undefined;
  let bodyStart = document.bom;
  for (;;) {
    let { from, to } = nodesTouched(body, edit);
    const only = to - from === 1 ? body[from]! : undefined;
    if (only?.kind === 'raw') return undefined;
    if (only?.kind === 'section' && start >= only.open.end && end <= (only.close?.start ?? only.end)) {
      parent = only;
      body = only.body;
      bodyStart = only.open.end;
      continue;
    }
    const stop = to > from ? body[to - 1]!.end : start;
    // What the edits leave without a line end runs into the next line, which is then part of it; so with the line before.
    const ended = edit.end < stop ? text.charAt(stop - 1) === '\n' : endsLine(edit, text);
    if (!ended && stop < text.length) to++;
    if (from === to && continuesLastLine(text, edit)) from--;
    if (to > body.length || from < 0)
      return parent && { ...rangeOfSection(document, parent), edits: [edit], owners: new Set([owner]) };
    const at = from < body.length ? body[from]!.start : (body.at(-1)?.end ?? bodyStart);
    return {
      body,
      parent,
      from,
      to,
      start: from === to ? start : at,
      end: from === to ? start : body[to - 1]!.end,
      edits: [edit],
      owners: new Set([owner]),
    };
  }
}

/** The nodes of a body that an edit touches, `to` exclusive. */
function nodesTouched(
  body: readonly Node[],
  { start, end }: Edit,
): { readonly from: number; readonly to: number } {
  const from = firstEndingAfter(body, start);
  if (start === end && (body[from]?.start ?? start) < start) return { from, to: from + 1 };
  let to = from;
  while (to < body.length && body[to]!.start < end) to++;
  return { from, to };
}

/** Whether what is inserted at the end of a text becomes a part of its last line, which has no end. */
function continuesLastLine(text: string, edit: Edit): boolean {
  return edit.start === text.length && text !== '' && !text.endsWith('\n') && !/^\r?\n/.test(edit.text);
}

/** Removing the last line of a file without a final line end takes the one before it: the line is meant, not its neighbour. */
function withOwnLineEnd(text: string, edit: Edit): Edit {
  if (edit.text !== '' || edit.end !== text.length || text.endsWith('\n')) return edit;
  const eol = /^\r?\n/.exec(text.slice(edit.start, edit.start + 2))?.[0] ?? '';
  return eol === '' ? edit : { ...edit, start: edit.start + eol.length };
}

function endsLine(edit: Edit, text: string): boolean {
  if (edit.text !== '') return edit.text.endsWith('\n');
  return edit.start === 0 || text.charAt(edit.start - 1) === '\n';
}

/** The section around a body, as a range of one node. */
function rangeOfSection(document: Document, section: Section): Omit<LineRange<never>, 'edits' | 'owners'> {
  const { body, parent } = bodyHolding(document, section);
  const from = firstEndingAfter(body, section.start);
  return { body, parent, from, to: from + 1, start: section.start, end: section.end };
}

function bodyHolding(
  document: Document,
  section: Section,
): { body: readonly Node[]; parent: Section | undefined } {
  let body = document.body;
  let parent: Section | undefined;
  for (;;) {
    const node = body[firstEndingAfter(body, section.start)];
    if (node === section || node?.kind !== 'section') return { body, parent };
    parent = node;
    body = node.body;
  }
}

/**
 * Joins ranges that touch, that lie inside one another, or that have an owner in common and nothing but comments and blank lines
 * between them. In the order of the file.
 */
export function joinLineRanges<Owner>(ranges: readonly LineRange<Owner>[]): LineRange<Owner>[] {
  const joined: LineRange<Owner>[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || !isJoinable(last, range)) {
      joined.push({ ...range, edits: [...range.edits], owners: new Set(range.owners) });
      continue;
    }
    appendAll(last.edits, range.edits);
    for (const owner of range.owners) last.owners.add(owner);
    if (last.body === range.body) {
      last.from = Math.min(last.from, range.from);
      last.to = Math.max(last.to, range.to);
    }
    last.end = Math.max(last.end, range.end);
  }
  return joined;
}

function isJoinable<Owner>(last: LineRange<Owner>, range: LineRange<Owner>): boolean {
  if (last.body !== range.body)
    return range.start >= last.start && range.end <= last.end && last.to > last.from;
  if (range.from <= last.to) return true;
  const shared = [...range.owners].some((owner) => last.owners.has(owner));
  return shared && range.body.slice(last.to, range.from).every(isTrivia);
}

export function isTrivia(node: Node): boolean {
  return node.kind === 'comment' || node.kind === 'blank';
}
