import type { ConfigFile, ConfigTree, FileRole } from '../../../config';
import type { Argument, Document, Node, Span } from '../../../syntax';
import { oneLine } from '../../../report';

/** One node of the tree: `[start, end)` are bytes of the file, line ends and all, and the nodes of a file leave none out. */
interface NodeView extends Span {
  readonly kind: Node['kind'];
  /** From 1. */
  readonly line: number;
  readonly name?: string;
  /** The words as httpd splits the line: without quotes and escapes. */
  readonly args?: readonly Argument[];
  /** What a comment says, or a line that httpd would reject. */
  readonly text?: string;
  /** Why a line is a stray one. */
  readonly reason?: string;
  /** The files that an Include reads. */
  readonly reads?: readonly string[];
  /** The opening line of a section; beside it stand what is in it and its closing line, which may be missing. */
  readonly open?: Span;
  readonly body?: readonly NodeView[];
  readonly close?: Span | undefined;
}

interface FileView {
  readonly path: string;
  readonly role: FileRole;
  /** Whose rules about lines it was read by. */
  readonly grammar: string;
  readonly bytes: number;
  /** Bytes of the byte order mark. */
  readonly bom: number;
  readonly eol: 'LF' | 'CRLF';
  /** Lines that httpd would reject or never read. */
  readonly flaws: number;
  readonly nodes: readonly NodeView[];
}

interface TreeView {
  readonly files: readonly FileView[];
}

/** The lossless tree of each file. */
export function treeView(tree: ConfigTree): TreeView {
  return { files: tree.files.map((file) => fileView(file, tree)) };
}

function fileView({ name, role, document }: ConfigFile, tree: ConfigTree): FileView {
  const { grammar, text, bom, eol, flaws, body } = document;
  return {
    path: name,
    role,
    grammar,
    bytes: text.length,
    bom,
    eol: eol === '\n' ? 'LF' : 'CRLF',
    flaws,
    nodes: body.map((node) => nodeView(node, document, tree)),
  };
}

function nodeView(node: Node, document: Document, tree: ConfigTree): NodeView {
  const { kind, start, end } = node;
  const common: NodeView = { kind, start, end, line: document.positionAt(start).line };
  switch (node.kind) {
    case 'directive': {
      const reads = tree.includes.get(node)?.map((file) => file.name);
      return { ...common, name: node.name, args: node.args, ...(reads && { reads }) };
    }
    case 'section': {
      const { open, close } = node;
      return {
        ...common,
        name: node.name,
        args: node.args,
        open: { start: open.start, end: open.end },
        body: node.body.map((child) => nodeView(child, document, tree)),
        close: close && { start: close.start, end: close.end },
      };
    }
    case 'comment':
      return { ...common, text: node.text };
    case 'stray':
      return { ...common, text: node.text, reason: node.reason };
    case 'blank':
    case 'raw':
      return common;
  }
}

/** For people: a line a node, with its line number, its bytes, its kind, and its words as httpd reads them. A byte string. */
export function treeText({ files }: TreeView): string {
  return files.map(fileText).join('\n');
}

function fileText({ path, role, grammar, bytes, bom, eol, flaws, nodes }: FileView): string {
  const rows: (readonly [line: number | '', span: Span, kind: string, what: string])[] = [];
  if (bom > 0) rows.push([1, { start: 0, end: bom }, 'mark', 'byte order mark']);
  const add = (node: NodeView, depth: number): void => {
    const indent = '  '.repeat(depth);
    const words = (node.args ?? []).map(({ value }) => ` ${JSON.stringify(value)}`).join('');
    if (node.open === undefined) {
      const reads = node.reads === undefined ? '' : ` (reads ${node.reads.join(', ') || 'nothing'})`;
      const reason = node.reason === undefined ? '' : `${node.reason}: `;
      rows.push([
        node.line,
        node,
        node.kind,
        `${indent}${reason}${node.name ?? node.text ?? ''}${words}${reads}`,
      ]);
      return;
    }
    rows.push([node.line, node.open, node.kind, `${indent}<${node.name}${words}>`]);
    for (const child of node.body ?? []) add(child, depth + 1);
    if (node.close === undefined)
      rows.push(['', { start: node.end, end: node.end }, 'close', `${indent}missing`]);
    else rows.push(['', node.close, 'close', `${indent}</${node.name}>`]);
  };
  for (const node of nodes) add(node, 0);
  const spans = rows.map(([, { start, end }]) => `${start}-${end}`);
  const width = Math.max(0, ...spans.map((span) => span.length));
  const last = `${rows.findLast(([line]) => line !== '')?.[0] ?? ''}`.length;
  return [
    `${path}: ${role}, ${bytes} bytes, ${eol}, read as ${grammar} does${flaws === 0 ? '' : `, flawed lines: ${flaws}`}`,
    ...rows.map(([line, , kind, description], i) =>
      `  ${`${line}`.padStart(last)}  ${spans[i]!.padEnd(width)}  ${kind.padEnd(9)}  ${description}`.trimEnd(),
    ),
  ]
    .map((line) => `${oneLine(line)}\n`)
    .join('');
}
