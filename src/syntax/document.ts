import type { Grammar } from './lines';
import type { Node } from './nodes';
import { firstWhere } from './search';

/** Line and column, both from 1; the column counts bytes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Reads the nodes of a document. */
type BodyReader = (document: Document) => readonly Node[];

/** What is known of a document without its nodes. */
type DocumentFacts = Pick<Document, 'text' | 'grammar' | 'bom' | 'flaws' | 'longest'>;

/**
 * The lossless tree of one file. `text` is the file decoded as latin1, one character a byte, so every offset is a byte offset;
 * its nodes tile it: `bom`, then `body`, each byte in exactly one leaf (see {@link leaves}).
 */
export class Document {
  readonly text: string;
  readonly grammar: Grammar;
  /** Length of the UTF-8 byte order mark, 0 or 3. */
  readonly bom: number;
  /** The line end most of the file uses (LF for a file without any). */
  readonly eol: '\n' | '\r\n';
  /** How many lines httpd would reject or never read, sections without a closer or a `>` among them. */
  readonly flaws: number;
  /** Bytes of the longest logical line, line ends included; what stands in {@link Raw} parts is not looked at. */
  readonly longest: number;
  private nodes: readonly Node[] | BodyReader;
  private starts: readonly number[] | undefined;

  /** @param body its nodes, or who reads them when they are first asked for */
  constructor(parts: DocumentFacts, body: readonly Node[] | BodyReader) {
    const { text } = parts;
    this.text = text;
    this.grammar = parts.grammar;
    this.bom = parts.bom;
    this.nodes = body;
    this.flaws = parts.flaws;
    this.longest = parts.longest;
    this.starts = undefined;
    const first = text.indexOf('\n');
    this.eol = first > 0 && text.charCodeAt(first - 1) === 13 ? '\r\n' : '\n';
  }

  get body(): readonly Node[] {
    const { nodes } = this;
    return typeof nodes === 'function' ? (this.nodes = nodes(this)) : nodes;
  }

  /** Position of a byte offset; computed on demand, O(log lines) after the first call. */
  positionAt(offset: number): Position {
    const starts = (this.starts ??= lineStarts(this.text));
    const line = Math.max(
      1,
      firstWhere(starts, (start) => start > offset),
    );
    return { line, column: offset - starts[line - 1]! + 1 };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
