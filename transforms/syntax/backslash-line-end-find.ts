import { type Directive, type Document, type Span, type Stray, walk } from '../../src/syntax';

interface At {
  readonly document: Document;
  readonly at: number;
  /** Where the line's text ends: before its line end. */
  readonly stop: number;
  /** Whether the line below says anything. */
  readonly swallows: boolean;
}

/** A line that 2.2 and 2.4 end in different places. */
export type LineEnd = At &
  (
    | { readonly kind: 'directive'; readonly node: Directive }
    | { readonly kind: 'comment' | 'section' | 'raw' }
    | { readonly kind: 'forgotten' | 'forgotten-close'; readonly node: Stray }
  );

/** The lines of a file (parsed as 2.2 reads it) that 2.4 would join with the next, or that 2.2 forgot, from top to bottom. */
export function lineEnds(document: Document): LineEnd[] {
  const found: LineEnd[] = [];
  // The lookup is cheap, and nearly every file ends here.
  if (!/\\\r?\n/.test(document.text)) return found;
  for (const [node] of walk(document.body)) {
    if (node.kind === 'section') {
      line('section', node.open);
      // The closer comes after the body in the file: sorted below.
      if (node.close !== undefined) line('section', node.close);
    } else if (node.kind === 'comment') line('comment', node);
    else if (node.kind === 'directive') {
      const ends = lineEnd(node);
      if (ends !== undefined) found.push({ kind: 'directive', node, ...ends });
    } else if (node.kind === 'raw') raw(node.start, node.end);
    else if (node.kind === 'stray' && node.reason === 'forgotten') {
      const kind = node.logical.text.startsWith('</') ? 'forgotten-close' : 'forgotten';
      found.push({ kind, node, document, at: node.from, stop: node.to, swallows: false });
    }
  }
  return found.sort((a, b) => a.at - b.at);

  function line(kind: 'comment' | 'section', node: Span & { readonly from: number }): void {
    const ends = lineEnd(node);
    if (ends !== undefined) found.push({ kind, ...ends });
  }

  function lineEnd({ from, end }: Span & { readonly from: number }): At | undefined {
    const stop = doubled(document.text, end);
    return stop === undefined ? undefined : { document, at: from, stop, swallows: says(document.text, end) };
  }

  function raw(start: number, end: number): void {
    for (
      let lf = document.text.indexOf('\n', start);
      lf >= 0 && lf < end;
      lf = document.text.indexOf('\n', lf + 1)
    ) {
      const stop = doubled(document.text, lf + 1);
      if (stop === undefined) continue;
      const at = Math.max(start, document.text.lastIndexOf('\n', lf - 1) + 1);
      found.push({ kind: 'raw', document, at, stop, swallows: true });
    }
  }
}

/**
 * Where the text of the physical line that ends at `end` stops, if it stops in two backslashes and another line follows: at the end of the
 * file both versions read the same. What stands after a NUL is not read.
 */
function doubled(text: string, end: number): number | undefined {
  if (end >= text.length || text.charAt(end - 1) !== '\n') return undefined;
  const stop = text.charAt(end - 2) === '\r' ? end - 2 : end - 1;
  if (!text.startsWith('\\\\', stop - 2)) return undefined;
  return text.slice(text.lastIndexOf('\n', stop - 1) + 1, stop).includes('\0') ? undefined : stop;
}

/** False where the line that begins at `at` is blank or a comment that ends with it. */
function says(text: string, at: number): boolean {
  const lf = text.indexOf('\n', at);
  const line = text.slice(at, lf < 0 ? text.length : lf).replace(/\r$/, '');
  return !/^[ \t\v\f\r]*(?:#|$)/.test(line) || line.endsWith('\\');
}
