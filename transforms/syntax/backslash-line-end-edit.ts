import type { Edit } from '../../src/edit';
import { findDirective } from '../../src/httpd/directives';
import { type Directive, type Document, quoteWord } from '../../src/syntax';
import type { LineEnd } from './backslash-line-end-find';

/** 2.2 and 2.4 join a line only where the backslash is its very last character. */
export function commentEdit({ stop }: LineEnd): Edit {
  return { start: stop, end: stop, text: ' ' };
}

/**
 * Writes what 2.2 read: one backslash less, and not at the end of the line. In quotes where that is sure to be read back as the same
 * argument, else with a blank behind it, which httpd trims.
 */
export function lineEdit(found: LineEnd): { edit: Edit; blank: boolean } {
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
