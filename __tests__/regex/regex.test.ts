import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { findsPattern, startsOf, forgetPatterns } from '../../src/regex';
import { soon } from '../../testing/run/soon';

type Recorded = [
  pattern: string,
  text: string,
  ignoreCase: boolean,
  in8: boolean | null,
  in2: boolean | null,
];

const RECORDED = readFileSync(join(__dirname, '../../testing/regex/recorded.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

beforeEach(forgetPatterns);

test('says what PCRE 8 and PCRE2 said, or nothing', () => {
  const wrong = RECORDED.filter(([pattern, text, ignoreCase, in8, in2]) => {
    const found = findsPattern(pattern, text, ignoreCase);
    return found !== undefined && ((in8 ?? found) !== found || (in2 ?? found) !== found);
  });
  expect(wrong).toEqual([]);
});

test('says something of most that both answer alike', () => {
  const answered = RECORDED.filter(([, , , in8, in2]) => in8 !== null && in8 === in2);
  const said = answered.filter(
    ([pattern, text, ignoreCase]) => findsPattern(pattern, text, ignoreCase) !== undefined,
  );
  expect(answered.length).toBeGreaterThan(1000);
  expect(said.length / answered.length).toBeGreaterThan(0.6);
});

test.each<[string, string, boolean | undefined]>([
  ['^[[:alpha:]]+$', 'abc', true],
  ['^[[:alpha:]]+$', 'a:c', false],
  ['\\Aindex\\.\\h?php', 'index.php', true],
  ['index$', 'index', true],
  // 2.2 lets it match before a last line end, 2.4 only where it is told to.
  ['index$', 'index\n', undefined],
  ['index$', 'index\n.php', false],
  ['(?i)^README', 'readme.txt', true],
  ['(?i)\xe9', '\xc9', false],
  ['\\.ph(?:p|tml)$', 'a.phtml', true],
  // Look-around, atomic groups and references may match, but not where the rest does not.
  ['(?<!a)b$', 'xb', undefined],
  ['(?<!a)b$', 'xc', false],
  ['a++b', 'aab', undefined],
  ['a++b', 'aac', false],
  ['(a)\\1c', 'aac', undefined],
  ['(a)\\1c', 'aab', false],
  // Other releases of PCRE refuse it, or read it otherwise.
  ['[a-\\w]', 'a', undefined],
  ['a{,2}', 'b', undefined],
  ['[[:nope:]]', 'n', undefined],
  ['(unclosed', 'unclosed', undefined],
  ['*', 'a', undefined],
  ['a\0b', 'a', undefined],
  [`${'('.repeat(5000)}a${')'.repeat(5000)}`, 'a', undefined],
])('%.40s finds in %j: %s', (pattern, text, found) => {
  expect(findsPattern(pattern, text)).toBe(found);
});

test.each([
  ['^(a+)+$', `${'a'.repeat(5000)}!`],
  ['^(a|a)*$', `${'a'.repeat(5000)}!`],
  ['^(?:.*)(?:.*)(?:.*)(?:.*)(?:.*)x$', 'a'.repeat(5000)],
  [`${'(?:|'.repeat(60)}a${')'.repeat(60)}b`, 'a'.repeat(1000)],
  [`${'a?'.repeat(500)}${'a'.repeat(500)}$`, 'a'.repeat(499)],
])('%.40s does not take long', async (pattern, text) => {
  expect(await soon(() => findsPattern(pattern, text))).toBe(false);
});

test('sizes beyond the limits may match', () => {
  expect(findsPattern('(?:(?:a{100}){100}){100}', 'a')).toBeUndefined();
  expect(findsPattern('a'.repeat(9000), 'a')).toBeUndefined();
  expect(findsPattern('a', 'b'.repeat(9000))).toBeUndefined();
  const many = Array.from({ length: 130 }, (_, i) => `^(?:(?:x|y)+z${i}){20}(?:a+)+$`);
  expect(
    many.some((pattern) => findsPattern(`${pattern}${'b?'.repeat(500)}`, 'a'.repeat(100)) === undefined),
  ).toBe(true);
});

test('no bytes make it throw', () => {
  const char = fc.constantFrom(...'ab^$.*+?{}[]()|\\-,:=!<>PQEdwsAZbkg12 \n\xe9\0'.split(''));
  fc.assert(
    fc.property(
      fc.string({ unit: char, maxLength: 40 }),
      fc.string({ unit: char, maxLength: 10 }),
      (pattern, text) => {
        expect([true, false, undefined]).toContain(findsPattern(pattern, text));
      },
    ),
    { numRuns: 3000 },
  );
});

test.each([
  ['^/(admin|private/x)', ['/admin', '/private/x']],
  ['^/private(/|$)', ['/private/', '/private$']],
  ['^/?a', ['a', '/a']],
  ['^/(?i)Ad', ['/ad']],
  ['^/(?!x)a+b', ['/a']],
  ['^/[ab]c', ['/ac', '/bc']],
  ['^(/a|/b)/.*c', ['/a/', '/b/']],
  // Where it may match anywhere, nothing is certain.
  ['/a', ['']],
  ['^/a|b', ['']],
  ['(^/a)?b', ['']],
  ['(?m)^/a', ['']],
  ['^/a(', ['']],
])('what %s finds begins with one of %j', (pattern, starts) => {
  expect(startsOf(pattern).map(({ text, isWhole }) => text + (isWhole ? '$' : ''))).toEqual(starts);
});

test('what a pattern finds begins as it says, and is no longer than it says', () => {
  const part = fc.constantFrom(
    ...'^ $ a B /x (?i) [ab] . a? b* (a|B/) (?:^/|/a) {2} | (?=a) (?!b) \\.'.split(' '),
  );
  const pattern = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
  const text = fc.string({ unit: fc.constantFrom(...'aAbB/x.\n'.split('')), maxLength: 8 });
  let found = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        pattern,
        pattern.map((rest) => `^${rest}`),
      ),
      text,
      (regex, asked) => {
        if (findsPattern(regex, asked) !== true) return;
        found++;
        const isOne = startsOf(regex).some(({ text: start, ignoresCase, isWhole }) => {
          const folded = ignoresCase ? asked.toLowerCase() : asked;
          const wanted = ignoresCase ? start.toLowerCase() : start;
          return isWhole ? folded.replace(/\n$/, '') === wanted : folded.startsWith(wanted);
        });
        expect([regex, asked, isOne]).toEqual([regex, asked, true]);
      },
    ),
    { numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(500);
});
