import { type Place, isConditional, placeCondition } from '../../src/config';
import { type Edit, overlaps, requireAllAt } from '../../src/edit';
import type { ReportedFinding, TransformContext } from '../../src/engine';
import { getOrInsert } from '../../src/maps';

const CONTAINERS = new Set(['requireall', 'requireany', 'requirenone']);

/**
 * Lines of a block for 2.4 that 2.4 refuses, because a `Require not` stands among alternatives: until they are put right no such
 * server answers, so nobody is let in by them who was before. What they let in then is held against 2.2 as every rewrite is.
 * @param taken edits of the same file that come first
 */
export function requireNotAlone(
  { index }: Pick<TransformContext, 'index'>,
  taken: (file: Place['file']) => readonly Edit[],
): readonly ReportedFinding[] {
  const found: ReportedFinding[] = [];
  const bodies = new Map<Place['file'], Set<number>>();
  index.visitDirectives(['require'], (node, place) => {
    if (!/^not[ \t]/i.test(node.rest) || !hasAlternatives(place)) return;
    const { on22, on24 } = placeCondition(place.chain);
    if (on22 !== false || on24 === false) return;
    const { file } = place;
    const edits = requireAllAt(file.document, node.from);
    const [first] = edits;
    if (first === undefined) return;
    const known = getOrInsert(bodies, file, () => new Set<number>());
    if (known.size === known.add(first.start).size) return;
    if (edits.some((edit) => taken(file).some((other) => overlaps(edit, other)))) return;
    found.push({
      file,
      at: node.from,
      level: 'error',
      safety: 'review',
      message:
        '2.4 refuses Require not among alternatives: the lines go into <RequireAll> with Require all granted, assuming that everybody else is to get in',
      edits,
    });
  });
  return found;
}

/** Whether what stands at a place is one of several of which one is enough. */
function hasAlternatives({ chain, root }: Place): boolean {
  const container = chain.findLast(({ section }) => CONTAINERS.has(section.key));
  if (container !== undefined) return container.section.key === 'requireany';
  return root.role === 'htaccess' || chain.some(({ section }) => !isConditional(section));
}
