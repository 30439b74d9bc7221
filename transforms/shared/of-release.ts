import type { Transform } from '../../src/engine';
import { type FactName, holds } from '../../src/httpd/facts';

/** A rule about what is not so in every 2.4: it is asked only where it holds for the target. */
export function ofRelease(transform: Transform, fact: FactName): Transform {
  return {
    ...transform,
    run: (context) => {
      if (holds(fact, context.target)) transform.run(context);
    },
  };
}
