import type { Place } from '../../src/config';
import {
  type DeclaredTransform,
  type Transform,
  type TransformContext,
  defineTransform,
} from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { type LineFinding, reportLines } from './lines';

interface LineRule extends Omit<DeclaredTransform, 'run'> {
  /** The lines to look at, where they are not those of the directives that the rule owns. */
  readonly names?: readonly string[];
  /** @returns what to report about a line, or undefined */
  readonly findingFor: (node: Directive, place: Place, context: TransformContext) => LineFinding | undefined;
}

export function lineRule({ findingFor, names, ...rest }: LineRule): Transform {
  return defineTransform({
    ...rest,
    run: (context) =>
      reportLines(context, names ?? rest.directives ?? [], (node, place) => findingFor(node, place, context)),
  });
}
