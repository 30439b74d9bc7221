import { readFileSync } from 'node:fs';
import { unservedDirectives } from '../../testing/rest/directives';

test('docs/facts/directives.md lists every directive that no real server serves, with the reason', () => {
  const rows = readFileSync('docs/facts/directives.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) =>
    [...row.split(' | ')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(new Set(listed)).toEqual(new Set(unservedDirectives()));
  expect(new Set(listed).size).toBe(listed.length);
});
