let loaded: typeof import('./jsdiff') | undefined;

/** jsdiff, evaluated at the first call. */
export function jsdiff(): typeof import('./jsdiff') {
  return (loaded ??= require('./jsdiff') as typeof import('./jsdiff'));
}
