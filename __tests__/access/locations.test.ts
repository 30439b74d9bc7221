import fc from 'fast-check';
import { LocationsByUrl } from '../../src/access/inherit';
import type { Scope } from '../../src/access/policy';
import { locationsMeet } from '../../src/access/primitives';

const PATHS = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/',
  '/ab',
  '/a//b',
  '/a//',
  '/b',
  '/b/a',
  '/b/a/c/',
  '//',
  'a',
  'a/b',
  '',
];

/** @param path undefined for one that may match any URL */
function location(path: string | undefined, order: number): Scope {
  const pattern = path === undefined ? { kind: 'any' } : { kind: 'path', path };
  return { kind: 'location', pattern, order, section: undefined } as unknown as Scope;
}

test('the Locations before one are all that the same request can meet, in their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom(...PATHS), { nil: undefined }), { maxLength: 12 }),
      (paths) => {
        const scopes = paths.map(location);
        const filed = new LocationsByUrl(scopes);
        const meet = (a: string | undefined, b: string | undefined): boolean =>
          a === undefined || b === undefined || a === '/' || b === '/' || locationsMeet(a, b);
        scopes.forEach((scope, at) => {
          const expected = scopes.filter((_, i) => i < at && meet(paths[i], paths[at]));
          expect(filed.before(scope)).toEqual(expected);
        });
      },
    ),
    { numRuns: 500 },
  );
});
