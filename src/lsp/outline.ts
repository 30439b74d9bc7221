import {
  type CodeLens,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  SymbolKind,
} from 'vscode-languageserver/node';
import type { Document, Node, Section } from '../syntax';
import { saysAccess } from './access-lines';
import { EditorLines } from './positions';

/** How long a name in the outline may be: longer than any editor has room for. */
const MAX_NAME = 200;

/** The sections of a file, as an editor lists them. */
export function symbolsOf({ text, body }: Document, decode: (bytes: string) => string): DocumentSymbol[] {
  const lines = new EditorLines(text);
  const symbolOf = (section: Section): DocumentSymbol => {
    const { start, end, open } = section;
    const range = lines.rangeOf(start, trimmedEnd(text, start, end));
    const words = decode(`${section.name} ${open.rest}`.trimEnd().slice(0, MAX_NAME)) || '?';
    return {
      name: words,
      detail: decode(serverNameOf(section).slice(0, MAX_NAME)),
      kind: section.key === 'virtualhost' ? SymbolKind.Namespace : SymbolKind.Struct,
      range,
      selectionRange: lines.rangeOf(open.from, open.to),
      children: sectionsIn(section.body).map(symbolOf),
    };
  };
  return sectionsIn(body).map(symbolOf);
}

const sectionsIn = (body: readonly Node[]): Section[] => body.filter((node) => node.kind === 'section');

function serverNameOf({ key, body }: Section): string {
  if (key !== 'virtualhost') return '';
  const name = body.find((node) => node.kind === 'directive' && node.key === 'servername');
  return name?.kind === 'directive' ? name.rest : '';
}

/** Where the text of a node ends, without its line end. */
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[\r\n]/.test(text.charAt(at - 1))) at--;
  return at;
}

/** Sections, and comments of several lines. */
export function foldsOf({ text, body }: Document): FoldingRange[] {
  const lines = new EditorLines(text);
  const lineOf = (at: number): number => lines.positionAt(at).line;
  const folds: FoldingRange[] = [];
  const visit = (nodes: readonly Node[]): void => {
    let comment: { first: number; last: number } | undefined;
    const endComment = (): void => {
      if (comment !== undefined && comment.last > comment.first)
        folds.push({ startLine: comment.first, endLine: comment.last, kind: FoldingRangeKind.Comment });
      comment = undefined;
    };
    for (const node of nodes) {
      const [first, last] = [lineOf(node.start), lineOf(trimmedEnd(text, node.start, node.end))];
      if (node.kind === 'comment') comment = { first: comment?.first ?? first, last };
      else endComment();
      if (node.kind !== 'section') continue;
      // The closing line stays in sight.
      const end = node.close === undefined ? last : last - 1;
      if (end > first) folds.push({ startLine: first, endLine: end });
      visit(node.body);
    }
    endComment();
  };
  visit(body);
  return folds;
}

const PLACES = new Set([
  'directory',
  'directorymatch',
  'location',
  'locationmatch',
  'files',
  'filesmatch',
  'proxy',
  'proxymatch',
]);

/** Where somebody may want to know who gets in: a lens for each section that decides it, without its text. */
export function lensesOf({ text, body }: Document, path: string, isHtaccess: boolean): CodeLens[] {
  const lines = new EditorLines(text);
  const lensAt = (at: number): CodeLens => {
    const start = lines.positionAt(at);
    return { range: { start, end: start }, data: { path, line: start.line } };
  };
  const visit = (nodes: readonly Node[]): CodeLens[] =>
    sectionsIn(nodes).flatMap((section) => [
      ...(PLACES.has(section.key) && section.body.some(saysAccess) ? [lensAt(section.open.from)] : []),
      ...visit(section.body),
    ]);
  const first = isHtaccess ? body.find((node) => node.kind === 'directive' && saysAccess(node)) : undefined;
  return [...(first === undefined ? [] : [lensAt(first.start)]), ...visit(body)];
}
