import type { Place } from '../../src/config';
import { type Transform, type TransformContext, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { type LineFinding, reportLines } from './lines';

interface LineRule extends Omit<Transform, 'run'> {
  /** @returns what to report about a line, or undefined */
  readonly findingFor: (node: Directive, place: Place, context: TransformContext) => LineFinding | undefined;
}

/** A rule that looks at each line of its directives by itself. */
export function lineRule({ findingFor, ...rest }: LineRule): Transform {
  return defineTransform({
    ...rest,
    run: (context) =>
      reportLines(context, rest.directives, (node, place) => findingFor(node, place, context)),
  });
}
