import type { Edit } from '../../src/edit';
import { defineTransform, type Finding } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import {
  type Directive,
  type Document,
  joinedLine,
  quoteWord,
  type Span,
  type Stray,
  walk,
} from '../../src/syntax';

type LineEndFinding = Pick<Finding, 'level' | 'safety' | 'message' | 'edits'>;

export default defineTransform({
  id: 'backslash-line-end',
  changes: ['C19', 'C20'],
  title: 'Lines that end in backslashes',
  why: '2.2 reads two backslashes at the end of a line as one, and drops a last line that ends in a backslash. 2.4 joins every line that ends in a backslash with the next, which then disappears from the configuration.',
  docs: ['server/util.c: ap_cfg_getline'],
  run(context) {
    for (const file of context.tree.files) {
      const all = lineEnds(file.document).map((found) => ({ file, at: found.at, ...findingFor(found) }));
      // What 2.4 reads between two line ends depends on both: where one edit is not safe, none is made without it.
      const isMixed =
        all.some(({ safety }) => safety === 'safe') && all.some(({ safety }) => safety === 'review');
      const group = isMixed ? { group: `backslash-line-end:${file.path}` } : {};
      for (const found of all) context.report({ ...found, ...(found.edits.length > 0 ? group : {}) });
    }

    function findingFor(found: LineEnd): LineEndFinding {
      // Joining is harmless if the next line is blank or a comment.
      const level = found.joinsContent ? 'error' : 'info';
      const joined = 'unlike 2.2, 2.4 joins this line with the next one';
      switch (found.kind) {
        case 'comment':
          return {
            level,
            safety: 'safe',
            message: `${joined}: a blank at its end keeps them apart`,
            edits: [commentEdit(found)],
          };
        case 'directive':
        case 'section': {
          const { edit, blank } = lineEdit(found);
          return blank
            ? {
                level,
                safety: 'review',
                message: `${joined}: a blank at its end keeps them apart, as long as no editor removes it`,
                edits: [edit],
              }
            : {
                level,
                safety: 'safe',
                message: `${joined}: quotes around the backslash keep them apart`,
                edits: [edit],
              };
        }
        case 'raw':
          return {
            level: 'error',
            safety: 'manual',
            message: `${joined}: rewrite it so that it does not end in a backslash`,
            edits: [],
          };
        case 'forgotten':
          return {
            level: 'error',
            safety: 'safe',
            message:
              '2.2 dropped this line because of the backslash before the end of the file; 2.4 would read it, so it is removed',
            edits: [{ start: found.node.start, end: found.node.end, text: '' }],
          };
        case 'forgotten-close':
          return {
            level: 'error',
            safety: 'manual',
            message:
              '2.2 dropped this closing line because of the backslash before the end of the file; 2.4 reads it: remove the backslash, or the line',
            edits: [],
          };
      }
    }
  },
});

interface LineEndPosition {
  readonly document: Document;
  readonly at: number;
  /** The end of the line's text, before its line end. */
  readonly textEnd: number;
  /** Whether the next line is more than blank or a comment. */
  readonly joinsContent: boolean;
}

/** A line that 2.2 and 2.4 end in different places. */
type LineEnd = LineEndPosition &
  (
    | { readonly kind: 'directive'; readonly node: Directive }
    | { readonly kind: 'comment' | 'section' | 'raw' }
    | { readonly kind: 'forgotten' | 'forgotten-close'; readonly node: Stray }
  );

/** The lines of a file (parsed as 2.2 reads it) that 2.4 would join with the next, or that 2.2 dropped, from top to bottom. */
function lineEnds(document: Document): LineEnd[] {
  const lineEndings: LineEnd[] = [];
  // This test is cheap, and nearly every file ends here.
  if (!/\\\r?\n/.test(document.text)) return lineEndings;
  for (const [node] of walk(document.body)) {
    if (node.kind === 'section') {
      addLine('section', node.open);
      // The closing line comes after the body: the list is sorted below.
      if (node.close !== undefined) addLine('section', node.close);
    } else if (node.kind === 'comment') addLine('comment', node);
    else if (node.kind === 'directive') {
      const position = positionOf(node);
      if (position !== undefined) lineEndings.push({ kind: 'directive', node, ...position });
    } else if (node.kind === 'raw') addRawLines(node.start, node.end);
    else if (node.kind === 'stray' && node.reason === 'forgotten') {
      const kind = node.logical.text.startsWith('</') ? 'forgotten-close' : 'forgotten';
      lineEndings.push({ kind, node, document, at: node.from, textEnd: node.to, joinsContent: false });
    } else if (node.kind === 'stray') addLine('section', node);
  }
  return lineEndings.sort((a, b) => a.at - b.at);

  function addLine(kind: 'comment' | 'section', node: Span & { readonly from: number }): void {
    const position = positionOf(node);
    if (position !== undefined) lineEndings.push({ kind, ...position });
  }

  function positionOf({ from, end }: Span & { readonly from: number }): LineEndPosition | undefined {
    const textEnd = endOfText(document.text, end);
    return textEnd === undefined
      ? undefined
      : { document, at: from, textEnd, joinsContent: hasContent(document.text, textEnd) };
  }

  function addRawLines(start: number, end: number): void {
    for (
      let lf = document.text.indexOf('\n', start);
      lf >= 0 && lf < end;
      lf = document.text.indexOf('\n', lf + 1)
    ) {
      const textEnd = endOfText(document.text, lf + 1);
      if (textEnd === undefined) continue;
      const at = Math.max(start, document.text.lastIndexOf('\n', lf - 1) + 1);
      lineEndings.push({ kind: 'raw', document, at, textEnd, joinsContent: true });
    }
  }
}

/**
 * The end of the text of the physical line that ends at `end`, if the text ends in two backslashes and another line follows. At
 * the end of the file both versions read the same, and neither reads what follows a NUL.
 */
function endOfText(text: string, end: number): number | undefined {
  if (end >= text.length || text.charAt(end - 1) !== '\n') return undefined;
  const textEnd = text.charAt(end - 2) === '\r' ? end - 2 : end - 1;
  if (!text.startsWith('\\\\', textEnd - 2)) return undefined;
  return text.slice(text.lastIndexOf('\n', textEnd - 1) + 1, textEnd).includes('\0') ? undefined : textEnd;
}

/** False if what 2.4 joins with a line ending at `textEnd` is blank, or a comment that ends with its line. */
function hasContent(text: string, textEnd: number): boolean {
  const at = joinedLine(text, textEnd);
  const lf = text.indexOf('\n', at);
  const line = text.slice(at, lf < 0 ? text.length : lf).replace(/\r$/, '');
  return !/^[ \t\v\f\r]*(?:#|$)/.test(line) || line.endsWith('\\');
}

/** Adds a blank: both versions join a line only if a backslash is its very last character. */
function commentEdit({ textEnd }: LineEnd): Edit {
  return { start: textEnd, end: textEnd, text: ' ' };
}

/**
 * Writes what 2.2 read: one backslash less, and not at the end of the line. The last argument is quoted if httpd is sure to read
 * it back as the same; otherwise a blank follows, which httpd trims.
 */
function lineEdit(found: LineEnd): { edit: Edit; blank: boolean } {
  const { textEnd } = found;
  const quoted = found.kind === 'directive' ? quotedEdit(found.document, found.node, textEnd) : undefined;
  if (quoted !== undefined) return { edit: quoted, blank: false };
  return { edit: { start: textEnd - 1, end: textEnd, text: ' ' }, blank: true };
}

/** Quotes the last argument, if it is a bare word without variables and httpd is known to split the arguments. */
function quotedEdit(document: Document, node: Directive, textEnd: number): Edit | undefined {
  const info = findDirective(node.key);
  const lastArgument = node.args.at(-1);
  if (info === undefined || info.raw || lastArgument === undefined || lastArgument.end !== textEnd - 1)
    return undefined;
  if (/["'$]/.test(document.text.charAt(lastArgument.start) + lastArgument.value)) return undefined;
  return { start: lastArgument.start, end: textEnd, text: quoteWord(lastArgument.value) };
}
