import { eolOf, indentOf, indentUnit } from './builders';
import type { Edit } from './edit';
import { type Directive, type Document, type Node, type Section, firstWhere } from '../syntax';

/**
 * The edits that put the Require lines of a section into <RequireAll>, where 2.4 refuses a `Require not` among them; none where
 * other lines than `Require all granted` let somebody in, of which one is enough.
 * @param at the offset of a line that 2.4 refuses
 */
export function requireAllAt(document: Document, at: number): readonly Edit[] {
  const { body, parent } = bodyAt(document, at);
  const lines = body.filter(
    (node): node is Directive => node.kind === 'directive' && node.key === 'require' && !node.joined,
  );
  const isNegated = ({ rest }: Directive): boolean => /^not[ \t]/i.test(rest);
  const grants = lines.filter((line) => !isNegated(line));
  const [first, ...others] = lines;
  if (first === undefined || grants.length === lines.length) return [];
  // Another container beside them lets somebody in as well, and `not all` is refused everywhere.
  if (body.some((node) => node.kind === 'section' && node.key.startsWith('require'))) return [];
  if (lines.some(({ rest }) => /^not[ \t]+all\b/i.test(rest)) || parent?.key === 'requirenone') return [];
  if (grants.some(({ rest }) => !/^all[ \t]+granted[ \t]*$/i.test(rest))) return [];
  const [indent, eol] = [indentOf(document, first), eolOf(document, first)];
  const isInside = parent?.key === 'requireall';
  const inner = isInside ? indent : indent + indentUnit(document, indent, parent);
  const said = ['Require all granted', ...lines.filter(isNegated).map(({ rest }) => `Require ${rest}`)];
  const rows = said.map((line) => inner + line);
  const all = isInside ? rows : [`${indent}<RequireAll>`, ...rows, `${indent}</RequireAll>`];
  return [
    { start: first.start, end: first.end, text: all.map((row) => row + eol).join('') },
    ...others.map(({ start, end }) => ({ start, end, text: '' })),
  ];
}

function bodyAt(document: Document, at: number): { body: readonly Node[]; parent: Section | undefined } {
  let body = document.body;
  let parent: Section | undefined;
  for (;;) {
    const node = body[firstWhere(body, ({ end }) => at < end)];
    if (node?.kind !== 'section') return { body, parent };
    // What is said of a container is about the lines in it.
    if (at < node.open.end && node.key !== 'requireall') return { body, parent };
    parent = node;
    body = node.body;
    if (at < node.open.end) return { body, parent };
  }
}
