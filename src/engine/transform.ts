import type { Transform } from './types';

/** Declares a transform; all it does is to hold the type and freeze it. */
export function defineTransform(transform: Transform): Transform {
  return Object.freeze(transform);
}
