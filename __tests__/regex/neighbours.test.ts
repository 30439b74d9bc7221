import { findsPattern, neighboursIn } from '../../src/regex';

const SLASH = 0x2f;

test.each<[string, boolean, boolean]>([
  ['^/a/b', true, false],
  ['^/a//b', true, true],
  ['^/a/s?/b', true, true],
  ['^/a/(s|q|)/b', true, true],
  ['^/a/(?:s|q)/b', true, false],
  ['^/(a/|b)/c', true, true],
  ['^/(a/|b)c', true, false],
  ['^/(a/)+c', true, false],
  ['^(/a/)+c', true, true],
  ['^(/a/){1}c', true, false],
  ['^/a/{0}/b', true, false],
  ['^/{2}a', true, true],
  ['^/a/[^/]*$', true, false],
  ['^/a/[^b]', true, true],
  ['^/a/.', true, true],
  ['a.b', true, false],
  ['^/a\\x2f/b', true, true],
  ['\\.bak$', false, false],
  ['[.a-z]+', false, false],
  ['^/a\\b', true, true],
  ['^/a/(?!b)', true, true],
  ['^/(a)\\1', true, true],
  ['(', true, true],
])('%s may have a slash: %s, two in a row: %s', (pattern, mayHave, mayDouble) => {
  expect(neighboursIn(pattern, SLASH)).toMatchObject({ mayHave, mayDouble });
});

test('what finds no two slashes in a row finds the same text with one', () => {
  const parts = ['/', 's?', 's', '(s|/)', '(/s)*', '[^/]', '.', '^', '$', 's*'];
  const texts = ['/s//s', '//s/s', '/s/s//', '///', 's//', '/s'];
  const lost: string[] = [];
  let tried = 0;
  for (const a of parts)
    for (const b of parts)
      for (const c of parts) {
        const pattern = a + b + c;
        if (neighboursIn(pattern, SLASH).mayDouble) continue;
        for (const text of texts) {
          if (findsPattern(pattern, text, false) !== true) continue;
          tried++;
          if (findsPattern(pattern, text.replace(/\/+/g, '/'), false) !== true)
            lost.push(`${pattern} ${text}`);
        }
      }
  expect(lost).toEqual([]);
  expect(tried).toBeGreaterThan(300);
});
