import { type Node, Section, SectionClose, type Stray, TemplateOpen } from './nodes';
import { versionChoices } from './template-version';

/**
 * The nodes of a body, those between a line of a template that asks for the version and its end as sections: `<% if v >= 2.4 %>`
 * opens one, `<% else %>` opens the other, and what ends the first has no text of its own.
 */
export function versionSections(text: string, body: readonly Node[]): readonly Node[] {
  const choices = versionChoices(body.map((node) => (isLine(node) ? node.text : undefined)));
  if (choices.length === 0) return body.slice();
  // By the place in the body; the inner ones come before those around them.
  const sections = new Map<number, { readonly section: Section; readonly next: number }>();
  const nodesIn = (from: number, to: number): Node[] => {
    const nodes: Node[] = [];
    for (let at = from; at < to;) {
      const known = sections.get(at);
      nodes.push(known?.section ?? body[at]!);
      at = known?.next ?? at + 1;
    }
    return nodes;
  };
  for (const { branches, end } of choices)
    for (const [i, { at, reads }] of branches.entries()) {
      const next = branches[i + 1]?.at ?? end;
      const isLast = next === end;
      const ends = body[next] as Stray;
      const inside = nodesIn(at + 1, next);
      const { start } = ends;
      const close = new SectionClose(
        text,
        isLast ? lineOf(ends) : { start, end: start, from: start, to: start, cuts: undefined },
        '',
      );
      const open = new TemplateOpen(text, lineOf(body[at] as Stray), reads);
      sections.set(at, {
        section: new Section(open, inside, close, close.end),
        next: isLast ? end + 1 : next,
      });
    }
  return nodesIn(0, body.length);
}

function isLine(node: Node): node is Stray {
  return node.kind === 'stray' && node.reason === 'template' && !node.joined;
}

function lineOf({ start, end, from, to }: Stray): ConstructorParameters<typeof SectionClose>[1] {
  return { start, end, from, to, cuts: undefined };
}
