import fc from 'fast-check';
import { differences } from '../../page/differences';

/** The new text, made of the old one and what differs: only what is marked may come from the new one. */
function rebuilt(a: string, b: string): string {
  let [text, at] = ['', 0];
  for (const { fromA, toA, fromB, toB } of differences(a, b)) {
    expect(fromA).toBeGreaterThanOrEqual(at);
    text += a.slice(at, fromA) + b.slice(fromB, toB);
    at = toA;
  }
  return text + a.slice(at);
}

/** Each mark, as the two pieces of text that stand for each other. */
const marks = (a: string, b: string): unknown[] =>
  differences(a, b).map(({ fromA, toA, fromB, toB }) => [a.slice(fromA, toA), b.slice(fromB, toB)]);

test('what is not marked is the same in both texts', () => {
  const line = fc.constantFrom(
    '',
    'a',
    'b',
    'c',
    ' a',
    '  Order x',
    'Order x',
    'Allow from all',
    'x y z',
    'x q z',
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(fc.property(text, text, (a, b) => expect(rebuilt(a, b)).toBe(b)));
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => expect(rebuilt(a, b)).toBe(b)));
});

test.each([
  [
    'a word of a line',
    'a\nMaxClients 10 # x\nb\n',
    'a\nMaxRequestWorkers 10 # x\nb\n',
    [['MaxClients', 'MaxRequestWorkers']],
  ],
  ['lines that are gone', 'a\nb\nc\n', 'a\nc\n', [['b\n', '']]],
  ['a last line without an end', 'a\nb', 'a', [['\nb', '']]],
  ['lines for lines', '  Order x\n  Deny y\n', '  Require z\n', [['Order x\n  Deny y', 'Require z']]],
  ['nothing', 'a\n', 'a\n', []],
])('%s', (_, a, b, expected) => {
  expect(marks(a, b)).toEqual(expected);
});

test('a line is marked where it stands, however many there are', () => {
  const before = Array.from({ length: 20_000 }, (_, i) => `# ${i}\nDeny from all\nMaxClients ${i}\n`).join(
    '',
  );
  const after = before.replaceAll('MaxClients', 'MaxRequestWorkers').replaceAll('Deny from all\n', '');
  const found = differences(before, after);
  expect(found).toHaveLength(20_000);
  expect(marks(before, after)[7]).toEqual(['Deny from all\nMaxClients 7', 'MaxRequestWorkers 7']);
  // Without a line that is there once, too.
  const same = 'Order allow,deny\nAllow from all\n'.repeat(200);
  expect(marks(same, same.replace('Allow from all\n', 'Require all granted\n'))).toEqual([
    ['Allow from all', 'Require all granted'],
  ]);
});
