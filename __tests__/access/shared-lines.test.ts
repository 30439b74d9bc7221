import fc from 'fast-check';
import { type AccessFinding, Findings } from '../../src/access/report';
import { sectionsInConflict } from '../../src/access/decide';
import type { Scope, ScopeLine } from '../../src/access/policy';
import type { RewrittenSection } from '../../src/access/rewrite';

const [site, part] = [{ name: 'site.conf' }, { name: 'part.conf' }] as unknown as Scope['file'][];
const sections = [{}, {}, {}] as unknown as NonNullable<Scope['section']>[];

function linesOf(file: Scope['file'], count: number): ScopeLine[] {
  return Array.from({ length: count }, () => ({ file, node: {}, inner: [] }) as unknown as ScopeLine);
}
/** The lines that stand in each section, and those that any section may include. */
const ownLines = sections.map(() => linesOf(site!, 2));
const included = linesOf(part!, 2);

const reached = fc.record({
  section: fc.nat(2),
  old: fc.option(fc.nat(1), { nil: undefined }),
  authType: fc.option(fc.nat(1), { nil: undefined }),
  included: fc.option(fc.nat(1), { nil: undefined }),
  /** What is included is a line to rewrite; else it is a Require. */
  asOld: fc.boolean(),
  text: fc.constantFrom('a', 'b'),
});

test('sections that read one line, and would be written differently, are in conflict wherever the line stands', () => {
  fc.assert(
    fc.property(fc.array(reached, { maxLength: 4 }), (list) => {
      const rewrites = new Map<Scope, RewrittenSection>();
      const read = list.map((section) => {
        const lines = ownLines[section.section]!;
        const oldLine = section.old === undefined ? [] : [lines[section.old]!];
        const includedLine = section.included === undefined ? [] : [included[section.included]!];
        const [old, requires] = section.asOld ? [[...oldLine, ...includedLine], []] : [oldLine, includedLine];
        const authType = section.authType === undefined ? undefined : lines[section.authType];
        const scope = {
          section: sections[section.section],
          file: site,
          lines: { old, requires, authType, beside: authType, only22: [], requires24: [] },
          includes: [],
        };
        const edits = [
          { start: 0, end: 0, text: section.text, written: { requires: [], sections: [], merges: false } },
        ];
        rewrites.set(scope as unknown as Scope, {
          file: site!,
          edits,
          consumed: old.filter(({ file }) => file === site).map(({ node }) => node),
          removals: [{ file: part!, edits, lines: [] }],
        });
        return new Set([...old, ...requires, ...(authType === undefined ? [] : [authType])]);
      });
      const expected = list.flatMap((section, i) =>
        list.some(
          (other, j) => other.text !== section.text && [...read[i]!].some((line) => read[j]!.has(line)),
        )
          ? [i]
          : [],
      );
      const scopes = [...rewrites.keys()];
      const found = [...sectionsInConflict(rewrites)].map((scope) => scopes.indexOf(scope));
      // Of three that read a line, one that is written as the first is may go untold: the group is refused all the same.
      expect(found.length > 0).toBe(expected.length > 0);
      for (const i of found) expect(expected).toContain(i);
    }),
    { numRuns: 2000 },
  );
});

test('a finding is reported once for each place and message', () => {
  const findings = new Findings();
  const place = (path: string, at: number, message: string): AccessFinding => {
    return {
      file: { path },
      at,
      message,
      level: 'error',
      safety: 'manual',
      edits: [],
    } as unknown as AccessFinding;
  };
  for (const path of ['/a', '/b'])
    for (const at of [1, 2])
      for (const message of ['x', 'y', 'z', 'y', 'x', 'z']) findings.add(place(path, at, message));
  expect(findings.list.map(({ file, at, message }) => `${file.path} ${at} ${message}`)).toEqual(
    ['/a', '/b'].flatMap((path) =>
      [1, 2].flatMap((at) => ['x', 'y', 'z'].map((name) => `${path} ${at} ${name}`)),
    ),
  );
});
