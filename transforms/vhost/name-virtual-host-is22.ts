import { placeCondition } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';

/** Known to 2.4 for now, but no finished 2.4 configuration has them. */
const OLD = new Set(['order', 'allow', 'deny', 'satisfy', 'maxclients', 'maxrequestsperchild']);

/**
 * Whether a configuration is still one for 2.2, without which virtual hosts that share an address mean nothing: after the rewrite they
 * look the same, and are name-based as they always were. It has lines that only 2.2 is for, and none that 2.2 refuses.
 */
export function isFor22({ index }: TransformContext): boolean {
  let old = false;
  for (const name of index.names) {
    const known = findDirective(name);
    const gone = known !== undefined && known.owners24.length === 0;
    const fresh = known !== undefined && known.owners22.length === 0;
    if (!gone && !fresh && !OLD.has(name) && name !== 'require') continue;
    const tellsOf24 = fresh || name === 'require';
    // Of what tells of 2.2 one line is enough.
    if (old && !tellsOf24) continue;
    const found = index.someDirective([name], (node, { chain }) => {
      if (name === 'require' && node.args[0]?.value !== 'all') return false;
      const { on22, on24 } = placeCondition(chain);
      return on22 !== false && on24 !== false;
    });
    if (found && tellsOf24) return false;
    if (found) old = true;
  }
  return old;
}
