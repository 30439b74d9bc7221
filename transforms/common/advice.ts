import { DirectorySet, type Place, type Servers, serversOf } from '../../src/config';
import { type Finding, type Transform, type TreeIndex, defineTransform } from '../../src/engine';
import type { Release } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { reportLines } from './lines';

type Head = Pick<Transform, 'id' | 'changes' | 'title' | 'why' | 'docs' | 'lifeSpan'>;

export interface Advice extends Head, Pick<Finding, 'level' | 'concerns'> {
  /** The lines to look at. */
  readonly names: readonly string[];
  /** @returns what to say of a line, and where each line is about other requests, which; or undefined */
  readonly messageFor: (
    node: Directive,
    place: Place,
    servers: Servers,
    target: Release,
  ) => string | Pick<Finding, 'message' | 'concerns'> | undefined;
  /** Reports only the first such line of the run. */
  readonly once?: boolean;
  /**
   * Directives that silence the rule, as somebody has dealt with the matter already: wherever they are set in the server's own
   * files, and in a `.htaccess` for its directory.
   */
  readonly unless?: readonly string[];
  /** Whether the rest of the configuration makes the lines matter. */
  readonly onlyIf?: (index: TreeIndex) => boolean;
}

/** A rule that edits nothing: it reports a change that no rewrite can undo, where the configuration uses the feature. */
export function advice({
  names,
  level,
  concerns,
  messageFor,
  once = false,
  unless = [],
  onlyIf,
  ...rest
}: Advice): Transform {
  return defineTransform({
    ...rest,
    advisory: true,
    onlyWhenUpgrading: true,
    run(context) {
      const servers = serversOf(context.tree);
      let isDone = onlyIf?.(context.index) === false;
      const dealtWith = new DirectorySet();
      for (const { place } of context.index.directives(unless))
        if (place.root.role === 'htaccess') for (const path of place.root.directories) dealtWith.add(path);
        else isDone = true;
      reportLines(context, names, (node, place) => {
        const { root } = place;
        const isSilent =
          isDone || (root.role === 'htaccess' && root.directories.some((path) => dealtWith.covers(path)));
        const said = isSilent ? undefined : messageFor(node, place, servers, context.target);
        if (said === undefined) return undefined;
        isDone = once;
        const finding = typeof said === 'string' ? { message: said } : said;
        return { level, ...(concerns && { concerns }), ...(once && { isForMore: true }), ...finding };
      });
    },
  });
}
