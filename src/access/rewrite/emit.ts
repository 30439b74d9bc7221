import { type Edit, eolOf, indentOf, indentUnit } from '../../edit';
import {
  type Directive,
  type Document,
  type Node,
  type Section,
  type SectionClose,
  type SectionOpen,
  firstWhere,
  quoteWord,
} from '../../syntax';
import { type Expr, type MethodClass, OTHER_METHODS, isRegistered, keyOf } from '../primitives';

/** One line of the rewrite, or a container of lines, with the 2.2 line it comes from. */
export type Output =
  | { readonly kind: 'line'; readonly text: string; readonly origin: Directive | undefined }
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly args: string;
      readonly body: readonly Output[];
    };

const GRANTED = 'Require all granted';
const DENIED = 'Require all denied';

/**
 * Writes a decision as 2.4 text at the top level of a section (access-semantics D1).
 * @returns undefined where no exact text exists (TRACE cannot stand in a `<Limit>`)
 */
export function emit(
  classes: readonly MethodClass[],
  exprs: readonly Expr[],
  mixed: boolean,
): Output[] | undefined {
  const [only] = exprs;
  if (classes.length === 1) return forAllMethods(only!, mixed);
  const groups = new Map<string, { expr: Expr; methods: MethodClass[] }>();
  classes.forEach((method, i) => {
    const expr = exprs[i]!;
    const key = keyOf(expr);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { expr, methods: [method] });
    else group.methods.push(method);
  });
  const list = [...groups.values()];
  if (list.length === 1) return forAllMethods(list[0]!.expr, mixed);
  const byMethod = methodsOnly(list);
  if (byMethod !== undefined) return byMethod;
  const blocks: Output[] = [];
  for (const { expr, methods } of list) {
    // Methods outside all Limits of a section are granted by 2.4 (mod_authz_core.c: the root covers its children's methods).
    if (expr.kind === 'true') continue;
    const rest = methods.includes(OTHER_METHODS);
    const names = rest ? classes.filter((method) => !methods.includes(method)) : methods;
    if (!rest && names.includes('TRACE')) return undefined;
    const body: Output[] = [];
    alternatives(expr, body);
    const args = names.map(quoteWord).join(' ');
    blocks.push({ kind: 'block', name: rest ? 'LimitExcept' : 'Limit', args, body });
  }
  const [first] = blocks;
  if (mixed && first?.kind === 'block' && blocks.every(isPlain))
    blocks[0] = { ...first, body: [{ kind: 'block', name: 'RequireAny', args: '', body: first.body }] };
  return blocks;
}

/** What holds for all methods. */
function forAllMethods(expr: Expr, mixed: boolean): Output[] {
  const lines: Output[] = [];
  alternatives(expr, lines);
  // Lines of several 2.2 modules that all count: without the container they would read as 2.2's, where not all do.
  return mixed && lines.every(isPlain)
    ? [{ kind: 'block', name: 'RequireAny', args: '', body: lines }]
    : lines;
}

/** Nothing in it that 2.2 would not read as its own. */
function isPlain(output: Output): boolean {
  if (output.kind === 'line') return /^Require (?:valid-user|user|group|file-|ldap-)/.test(output.text);
  return output.name.startsWith('Limit') && output.body.every(isPlain);
}

/** Everybody by some methods and nobody by the others is what `Require method` says. */
function methodsOnly(groups: readonly { expr: Expr; methods: MethodClass[] }[]): Output[] | undefined {
  const granted = groups.find((group) => group.expr.kind === 'true');
  const denied = groups.find((group) => group.expr.kind === 'false');
  if (groups.length !== 2 || granted === undefined || denied === undefined) return undefined;
  if (denied.methods.includes(OTHER_METHODS) && granted.methods.every(isRegistered))
    return [lineOf(`Require method ${granted.methods.join(' ')}`, originOf(granted.expr))];
  return undefined;
}

function lineOf(text: string, origin: Directive | undefined): Output {
  return { kind: 'line', text, origin };
}

function originOf(expr: Expr): Directive | undefined {
  return expr.kind === 'true' || expr.kind === 'false' || expr.kind === 'atom' ? expr.origin : undefined;
}

/** Where lines are alternatives: the top level of a section, RequireAny. Adds them to `to`. */
function alternatives(expr: Expr, to: Output[]): void {
  switch (expr.kind) {
    case 'true':
      to.push(lineOf(GRANTED, expr.origin));
      break;
    case 'false':
      to.push(lineOf(DENIED, expr.origin));
      break;
    case 'atom':
      to.push(lineOf(`Require ${expr.text}`, expr.origin));
      break;
    case 'not':
      to.push(all([expr]));
      break;
    case 'and':
      to.push(all(expr.of));
      break;
    case 'or':
      for (const part of expr.of) alternatives(part, to);
  }
}

/** A RequireAll; negatives alone grant nothing, so they get a `Require all granted` before them. */
function all(parts: readonly Expr[]): Output {
  const body: Output[] = [];
  if (parts.every((part) => part.kind === 'not' || part.kind === 'true')) {
    const base = parts.find((part) => part.kind === 'true');
    body.push(lineOf(GRANTED, base === undefined ? undefined : originOf(base)));
  }
  for (const part of parts) if (part.kind !== 'true') conditions(part, body);
  return { kind: 'block', name: 'RequireAll', args: '', body };
}

/** Where all lines must hold: inside RequireAll. Adds them to `to`. */
function conditions(expr: Expr, to: Output[]): void {
  switch (expr.kind) {
    case 'not':
      to.push(lineOf(`Require not ${expr.of.text}`, expr.of.origin));
      break;
    case 'or': {
      const body: Output[] = [];
      for (const part of expr.of) alternatives(part, body);
      to.push({ kind: 'block', name: 'RequireAny', args: '', body });
      break;
    }
    case 'and':
      for (const part of expr.of) conditions(part, to);
      break;
    default:
      alternatives(expr, to);
  }
}

/** A line that the rewrite takes away: an access line, or a line of a Limit that held nothing else. */
type Consumed = Directive | SectionOpen | SectionClose;

/**
 * Lays the new lines where the old ones stood, so that the comments between them stay, byte for byte, at what they speak of. A new line
 * takes the place of the line it comes from, or of a later one where the order of the new lines asks for it.
 * @param siblings the nodes of the section's body, to tell what stands between the lines
 */
export function layout(
  document: Document,
  consumed: readonly Consumed[],
  output: readonly Output[],
  siblings: readonly Node[],
  section: Section | undefined,
): Edit[] {
  const first = consumed[0]!;
  const eol = eolOf(document, first);
  const slots = consumed.map(() => '');
  let indent = indentOf(document, first);
  for (let i = 1; i < consumed.length; i++) {
    const other = indentOf(document, consumed[i]!);
    if (other.length < indent.length) indent = other;
  }
  let unit: string | undefined;
  let at = 0;
  for (const one of output) {
    if (one.kind === 'line') {
      at = slotFrom(consumed, one.origin, at);
      slots[at] += indent + one.text + eol;
      continue;
    }
    unit ??= indentUnit(document, indent, section);
    const spread: Row[] = [];
    flatten(one, indent, unit, spread);
    const wanted = place(spread, consumed, at);
    // A container must not close around a line that is not the rewrite's: then it stands in one place.
    const from = wanted[0]!;
    const to = wanted[wanted.length - 1]!;
    const together = from === to || !onlyTrivia(siblings, consumed, from, to);
    for (let i = 0; i < spread.length; i++) slots[together ? from : wanted[i]!] += spread[i]!.text + eol;
    at = together ? from : to;
  }
  return toEdits(document, consumed, slots, eol);
}

/** The lines of an output, one level of indentation inside each container. */
export function linesOf(output: readonly Output[], unit: string): string[] {
  const rows: Row[] = [];
  for (const one of output) flatten(one, '', unit, rows);
  return rows.map((row) => row.text);
}

interface Row {
  readonly text: string;
  readonly origin: Directive | undefined;
  /** Openers wait for the line after them, closers stay with the one before. */
  readonly waits: boolean;
}

/** Adds the rows of an output to `rows`. */
function flatten(output: Output, indent: string, unit: string, rows: Row[]): void {
  if (output.kind === 'line') {
    rows.push({ text: indent + output.text, origin: output.origin, waits: false });
    return;
  }
  const args = output.args === '' ? '' : ` ${output.args}`;
  rows.push({ text: `${indent}<${output.name}${args}>`, origin: undefined, waits: true });
  for (const inner of output.body) flatten(inner, indent + unit, unit, rows);
  rows.push({ text: `${indent}</${output.name}>`, origin: undefined, waits: false });
}

/** The slot of every row: never before the slot of the row above it. */
function place(rows: readonly Row[], consumed: readonly Consumed[], from: number): number[] {
  const result: number[] = [];
  let at = from;
  for (let i = 0; i < rows.length; i++) {
    let next = i;
    while (next < rows.length && rows[next]!.waits) next++;
    at = slotFrom(consumed, rows[next]?.origin, at);
    result.push(at);
  }
  return result;
}

/** The slot of a line, or `at` where that is later, or the line is none of those taken away. */
function slotFrom(consumed: readonly Consumed[], line: Directive | undefined, at: number): number {
  if (line === undefined) return at;
  const slot = firstWhere(consumed, (one) => one.start >= line.start);
  return slot > at && consumed[slot] === line ? slot : at;
}

function onlyTrivia(
  siblings: readonly Node[],
  consumed: readonly Consumed[],
  from: number,
  to: number,
): boolean {
  const start = consumed[from]!.end;
  const end = consumed[to]!.start;
  const taken = new Set<object>(consumed);
  const foreign = (node: Node): boolean => {
    if (node.end <= start || node.start >= end) return false;
    if (node.kind === 'section') return !taken.has(node.open) || node.body.some(foreign);
    return node.kind !== 'comment' && node.kind !== 'blank' && !taken.has(node);
  };
  return !siblings.some(foreign);
}

/** Lines that touch become one edit, so that the last of a file keeps its missing line end. */
function toEdits(
  document: Document,
  consumed: readonly Consumed[],
  slots: readonly string[],
  eol: string,
): Edit[] {
  const edits: Edit[] = [];
  for (let i = 0; i < consumed.length;) {
    const start = consumed[i]!.start;
    let end = consumed[i]!.end;
    let text = slots[i]!;
    for (i++; i < consumed.length && consumed[i]!.start === end; i++) {
      end = consumed[i]!.end;
      text += slots[i]!;
    }
    const ended = document.text.charCodeAt(end - 1) === 10;
    let from = start;
    if (!ended) {
      if (text !== '') text = text.slice(0, -eol.length);
      else if (document.text.charCodeAt(from - 1) === 10)
        from -= document.text.charCodeAt(from - 2) === 13 ? 2 : 1;
    }
    if (document.text.slice(from, end) !== text) edits.push({ start: from, end, text });
  }
  return edits;
}
