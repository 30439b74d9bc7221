import type { Edit } from '../../src/edit';
import { defineTransform, type Finding } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { type Directive, type Document, quoteWord, type Span, type Stray, walk } from '../../src/syntax';

type Told = Pick<Finding, 'level' | 'safety' | 'message' | 'edits'>;

export default defineTransform({
  id: 'backslash-line-end',
  changes: ['C19', 'C20'],
  title: 'Lines that end in backslashes',
  why: '2.2 reads two backslashes at the end of a line as one, and drops a last line that ends in a backslash. 2.4 joins every line that ends in a backslash with the next, which then disappears from the configuration.',
  docs: ['server/util.c: ap_cfg_getline'],
  directives: [],
  run(context) {
    for (const file of context.tree.files) {
      for (const found of lineEnds(file.document)) context.report({ file, at: found.at, ...told(found) });
    }

    function told(found: LineEnd): Told {
      // What follows is swallowed: harmless where it says nothing.
      const level = found.swallows ? 'error' : 'info';
      const swallowed = '2.4 joins this line with the next one, where 2.2 did not';
      switch (found.kind) {
        case 'comment':
          return {
            level,
            safety: 'safe',
            message: `${swallowed}: a blank at its end keeps them apart`,
            edits: [commentEdit(found)],
          };
        case 'directive':
        case 'section': {
          const { edit, blank } = lineEdit(found);
          return blank
            ? {
                level,
                safety: 'review',
                message: `${swallowed}: a blank at its end keeps them apart, as long as no editor removes it`,
                edits: [edit],
              }
            : {
                level,
                safety: 'safe',
                message: `${swallowed}: the backslash goes into quotes`,
                edits: [edit],
              };
        }
        case 'raw':
          return {
            level: 'error',
            safety: 'manual',
            message: `${swallowed}: rewrite it so that no backslash ends it`,
            edits: [],
          };
        case 'forgotten':
          return {
            level: 'error',
            safety: 'safe',
            message: 'the backslash before the end of the file made 2.2 drop this line; 2.4 would read it',
            edits: [{ start: found.node.start, end: found.node.end, text: '' }],
          };
        case 'forgotten-close':
          return {
            level: 'error',
            safety: 'manual',
            message:
              'the backslash before the end of the file made 2.2 drop this closing line; 2.4 reads it: remove the backslash, or the line',
            edits: [],
          };
      }
    }
  },
});

interface At {
  readonly document: Document;
  readonly at: number;
  /** Where the line's text ends: before its line end. */
  readonly stop: number;
  /** Whether the line below says anything. */
  readonly swallows: boolean;
}

/** A line that 2.2 and 2.4 end in different places. */
type LineEnd = At &
  (
    | { readonly kind: 'directive'; readonly node: Directive }
    | { readonly kind: 'comment' | 'section' | 'raw' }
    | { readonly kind: 'forgotten' | 'forgotten-close'; readonly node: Stray }
  );

/** The lines of a file (parsed as 2.2 reads it) that 2.4 would join with the next, or that 2.2 forgot, from top to bottom. */
function lineEnds(document: Document): LineEnd[] {
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

/** 2.2 and 2.4 join a line only where the backslash is its very last character. */
function commentEdit({ stop }: LineEnd): Edit {
  return { start: stop, end: stop, text: ' ' };
}

/**
 * Writes what 2.2 read: one backslash less, and not at the end of the line. In quotes where that is sure to be read back as the same
 * argument, else with a blank behind it, which httpd trims.
 */
function lineEdit(found: LineEnd): { edit: Edit; blank: boolean } {
  const { stop } = found;
  const quoted = found.kind === 'directive' ? quotedEdit(found.document, found.node, stop) : undefined;
  if (quoted !== undefined) return { edit: quoted, blank: false };
  return { edit: { start: stop - 1, end: stop, text: ' ' }, blank: true };
}

/** Only for one last bare word without variables, of a directive known to leave splitting to httpd. */
function quotedEdit(document: Document, node: Directive, stop: number): Edit | undefined {
  const known = findDirective(node.key);
  const last = node.args.at(-1);
  if (known === undefined || known.raw || last === undefined || last.end !== stop - 1) return undefined;
  if (/["'$]/.test(document.text.charAt(last.start) + last.value)) return undefined;
  return { start: last.start, end: stop, text: quoteWord(last.value) };
}
