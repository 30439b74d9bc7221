import fc from 'fast-check';
import { meetingGroups } from '../../src/access/inherit';
import { locationsMeet } from '../../src/access/primitives';
import { NO_ACCESS_LINES, type Scope } from '../../src/access/policy';

const hosts = [undefined, {}, {}, {}] as unknown as Scope['vhost'][];

const location = fc.record({
  host: fc.constantFrom(0, 1, 2, 3),
  /** Undefined for one that may match any URL. */
  path: fc.option(
    fc.constantFrom('/', '/a', '/a/', '/a/b', '/a/b/', '/ab', '/a//b', '/b', '/b/a', '//', 'a', ''),
    { nil: undefined },
  ),
});

function scopeOf(host: number, path: string | undefined, order: number): Scope {
  const pattern = path === undefined ? { kind: 'any' } : { kind: 'path', path };
  const empty = { section: {}, file: {}, parent: undefined, lines: NO_ACCESS_LINES };
  return { ...empty, kind: 'location', pattern, vhost: hosts[host], order } as unknown as Scope;
}

test('Locations are in one group if one URL, or a chain of such Locations, leads from one to the other', () => {
  fc.assert(
    fc.property(fc.array(location, { maxLength: 8 }), (list) => {
      const meet = (a: (typeof list)[number], b: (typeof list)[number]): boolean =>
        (a.host === b.host || a.host === 0 || b.host === 0) &&
        (a.path === undefined || b.path === undefined || locationsMeet(a.path, b.path));
      // Each against each, until nothing changes any more.
      const group = list.map((_, i) => i);
      for (let changed = true; changed;) {
        changed = false;
        for (const [i, a] of list.entries())
          for (const [j, b] of list.entries())
            if (group[i]! < group[j]! && meet(a, b)) {
              group[j] = group[i]!;
              changed = true;
            }
      }
      const groups = meetingGroups(list.map(({ host, path }, i) => scopeOf(host, path, i)));
      const found = list.map(
        (_, i) => groups.find((group) => group.some(({ order }) => order === i))![0]!.order,
      );
      expect(found).toEqual(group);
    }),
    { numRuns: 2000 },
  );
});
