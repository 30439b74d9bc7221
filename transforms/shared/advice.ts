import { type Place, type Servers, serversOf } from '../../src/config';
import { type Finding, type Transform, defineTransform } from '../../src/engine';
import type { Release } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, eachLine } from './lines';

type AdviceFinding = Pick<Finding, 'level' | 'message'>;

export interface Advice extends Pick<Transform, 'id' | 'changes' | 'title' | 'why' | 'docs' | 'lifeSpan'> {
  /** The lines to look at. */
  readonly names: readonly string[];
  /** What there is to know about a line; nothing for most. */
  readonly findingFor: (
    node: Directive,
    place: Place,
    servers: Servers,
    target: Release,
  ) => AdviceFinding | undefined;
  /** Only for the first such line of the run. */
  readonly once?: boolean;
  /** Directives whose presence anywhere says that a person has seen to it. */
  readonly unless?: readonly string[];
}

/** A rule that changes nothing: it tells a person what no rewrite can meet, where the configuration has the thing. */
export function advice({ names, findingFor, once = false, unless = [], ...rest }: Advice): Transform {
  return defineTransform({
    ...rest,
    advisory: true,
    onlyWhenUpgrading: true,
    directives: [],
    run(context) {
      const servers = serversOf(context.tree);
      let isDone = false;
      eachLine(context, unless, () => (isDone = true));
      context.directives(names, (node, place) => {
        const finding = isDone ? undefined : findingFor(node, place, servers, context.target);
        if (finding === undefined || !isCarriedOver(place)) return;
        isDone = once;
        context.report({ file: place.file, at: node.from, safety: 'manual', edits: [], ...finding });
      });
    },
  });
}
