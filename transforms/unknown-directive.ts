import { placeCondition } from '../src/config';
import { defineTransform } from '../src/engine';
import type { Transform, TransformContext } from '../src/engine';
import { findDirective } from '../src/httpd/directives';
import { reasonGone } from '../src/httpd/gone';

/**
 * Reports what 2.2 knew and 2.4 refuses to start with, where no other transform looks after it.
 * @param owned the directives of all other transforms
 */
export function unknownDirective(owned: readonly string[]): Transform {
  const others = new Set(owned.map((name) => name.toLowerCase()));
  return defineTransform({
    id: 'unknown-directive',
    seed: ['s2.3', 'R05', 'R09', 'R10', 'R11', 'R12'],
    title: 'Directives that 2.4 does not know',
    why: '2.4 removed them, and does not start (or answers 500, in a .htaccess) when it reads one.',
    docs: ['upgrading', 'server/config.c: ap_walk_config'],
    directives: [],
    run(context) {
      const gone = (name: string): boolean => !others.has(name) && isGone(name);
      context.directives([...context.index.names].filter(gone), ({ key, from }, place) => {
        if (placeCondition(place.chain).on24 !== false)
          report(context, findDirective(key)?.name ?? key, place.file, from);
      });
      context.sections([...context.index.sectionNames].filter(gone), ({ open }, place) => {
        if (placeCondition(place.chain).on24 !== false)
          report(context, `<${findDirective(open.key)?.name ?? open.key}>`, place.file, open.from);
      });
    },
  });
}

/** Third-party directives are nobody's that we know: both sides are empty or missing for them. */
function isGone(name: string): boolean {
  const known = findDirective(name);
  return known !== undefined && known.owners22.length > 0 && known.owners24.length === 0;
}

type File = Parameters<TransformContext['report']>[0]['file'];

function report(context: TransformContext, name: string, file: File, at: number): void {
  const why = reasonGone(name);
  context.report({
    file,
    at,
    level: 'error',
    safety: 'manual',
    message: `2.4 does not know ${name}${why === undefined ? '' : `: ${why}`}`,
    edits: [],
  });
}
