import { type Place, type Servers, serversOf } from '../../src/config';
import { type Finding, type Transform, type TreeIndex, defineTransform } from '../../src/engine';
import type { Release } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { isCarriedOver } from './lines';

type AdviceFinding = Pick<Finding, 'level' | 'message' | 'concerns'>;

export interface Advice extends Pick<Transform, 'id' | 'changes' | 'title' | 'why' | 'docs' | 'lifeSpan'> {
  /** The lines to look at. */
  readonly names: readonly string[];
  /** @returns what to report about a line, or undefined */
  readonly findingFor: (
    node: Directive,
    place: Place,
    servers: Servers,
    target: Release,
  ) => AdviceFinding | undefined;
  /** Reports only the first such line of the run. */
  readonly once?: boolean;
  /** Directives that silence the rule, wherever they are set: somebody has dealt with the matter already. */
  readonly unless?: readonly string[];
  /** Whether the rest of the configuration makes the lines matter. */
  readonly onlyIf?: (index: TreeIndex) => boolean;
}

/** A rule that edits nothing: it reports a change that no rewrite can undo, where the configuration uses the feature. */
export function advice({ names, findingFor, once = false, unless = [], onlyIf, ...rest }: Advice): Transform {
  return defineTransform({
    ...rest,
    advisory: true,
    onlyWhenUpgrading: true,
    run(context) {
      const servers = serversOf(context.tree);
      let isDone = context.index.someDirective(unless, () => true) || onlyIf?.(context.index) === false;
      context.directives(names, (node, place) => {
        const finding = isDone ? undefined : findingFor(node, place, servers, context.target);
        if (finding === undefined || !isCarriedOver(place)) return;
        isDone = once;
        context.report({ file: place.file, at: node.from, ...finding, ...(once && { isForMore: true }) });
      });
    },
  });
}
