import { type Edit, removeLine, removeLines } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { type Comment, type Directive, type Document, type Node, firstEndingAfter } from '../../src/syntax';

/**
 * Removes a line together with the comment right above it, if that begins with what `about` matches and speaks of no other line,
 * and with one of the blank lines around them. With --dual the line goes into a block, and its comment stays above that.
 */
export function removeLineAndComment(
  { dual }: Pick<TransformContext, 'dual'>,
  document: Document,
  node: Directive,
  about: RegExp,
): Edit {
  const body = siblingsOf(document.body, node);
  const at = firstEndingAfter(body, node.start);
  let first = at;
  while (body[first - 1]?.kind === 'comment') first--;
  const comments = body.slice(first, at) as readonly Comment[];
  const next = body[at + 1];
  if (dual === true || next?.kind === 'directive' || (comments.length > 0 && !isAbout(comments, about)))
    return removeLine(document, node);
  const isApart = first === 0 || body[first - 1]?.kind === 'blank';
  const last = isApart && next?.kind === 'blank' ? next : node;
  return removeLines(document, { start: body[first]!.start, end: last.end });
}

function isAbout(comments: readonly Comment[], about: RegExp): boolean {
  const texts = comments.map(({ logical }) => logical.text.trim());
  const said = texts.map((text) => text.replace(/^#+[ \t]*/, '')).filter((text) => text !== '');
  // A line without a blank behind # is an example, or switched off.
  return (
    said.length > 0 &&
    about.test(said[0]!) &&
    !texts.some((text) => /^#+[A-Za-z<]/.test(text)) &&
    !said.some((text) => !about.test(text) && beginsWithDirective(text))
  );
}

/** A section's name is no beginning of a line: `If` begins a sentence. */
function beginsWithDirective(text: string): boolean {
  const word = /^[A-Z][A-Za-z]+/.exec(text)?.[0];
  const directive = word === undefined ? undefined : findDirective(word);
  return directive?.name === word && directive?.section === false;
}

function siblingsOf(body: readonly Node[], node: Node): readonly Node[] {
  const found = body[firstEndingAfter(body, node.start)];
  if (found === node) return body;
  return found?.kind === 'section' ? siblingsOf(found.body, node) : [];
}
