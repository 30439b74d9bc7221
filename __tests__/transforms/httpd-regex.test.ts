import fc from 'fast-check';
import { ask } from '../../testing/httpd/ask';
import { serve } from '../../testing/httpd/server';
import { regexFlaw } from '../../transforms/regex/regex-refused';
import { patternForPcre2, patternParts } from '../../transforms/common/words/pattern';

const named: [regex: string, flaw: string | undefined][] = [
  ['*', 'there is nothing before the * that it could repeat'],
  ['a|*b', 'there is nothing before the * that it could repeat'],
  ['(?:+a)', 'there is nothing before the + that it could repeat'],
  ['a**', 'there is nothing before the * that it could repeat'],
  ['(a', 'a ( is not closed'],
  ['(a|b))', 'a ) has no ( before it'],
  ['[]a', 'a [ is not closed'],
  ['[[:alpha:]', 'a [ is not closed'],
  ['a\\', 'it ends in a backslash'],
  ['.*', undefined],
  ['[]a]', undefined],
  ['[^]a]', undefined],
  ['[[:alpha:]]+', undefined],
  ['[(]\\)', undefined],
  ['a*?b*+c', undefined],
  ['()*', undefined],
  ['(?=a)b', undefined],
  ['(?i)a', undefined],
  ['\\.(gif|jpe?g)$', undefined],
  ['a{2}', undefined],
];

test.each(named)('%s', (regex, flaw) => {
  expect(regexFlaw(regex)).toBe(flaw);
});

test('what is called refused a real httpd refuses, and takes the others named here', async () => {
  const part = fc.constantFrom(
    'a',
    '*',
    '+',
    '?',
    '(',
    ')',
    '[',
    ']',
    '|',
    '^',
    '\\',
    '.',
    '{2}',
    '(?:',
    '[^',
    '[:alpha:]',
    '$',
    '(?i)',
    '(?=',
    '\\d',
    '-',
  );
  const random = fc.sample(
    fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join('')),
    { numRuns: 1500, seed: Number(process.env.SEED ?? 1) },
  );
  const flawed = [...new Set(random)].filter((regex) => regexFlaw(regex) !== undefined);
  expect(flawed.length).toBeGreaterThan(300);
  const all = [...named.map(([regex]) => regex), ...flawed];
  const htaccess = Object.fromEntries(
    all.map((regex, i) => [String(i), `<FilesMatch "${regex.replace(/\\/g, '\\\\')}">\n</FilesMatch>\n`]),
  );
  const server = await serve([{ id: 'regex', conf: '', htaccess, files: all.map((_, i) => `${i}/x`) }]);
  try {
    const answers = await ask(
      server,
      all.map((_, i) => ({ case: 'regex', path: `/${i}/x` })),
    );
    const wrong = all.filter((regex, i) =>
      regexFlaw(regex) === undefined ? answers[i] !== 'P' : answers[i] !== 'E',
    );
    expect(wrong).toEqual([]);
  } finally {
    await server.stop();
  }
}, 60_000);

/** The kinds of differences that follow; none where PCRE2 takes what PCRE 8 took. */
test.each<[string, string | undefined, readonly string[]]>([
  ['^/([\\w-\\.]+)/?$', '^/([\\w\\-\\.]+)/?$', ['class-range']],
  ['[a-\\d]', '[a\\-\\d]', ['class-range']],
  ['[[:alpha:]-z]', '[[:alpha:]\\-z]', ['class-range']],
  ['[^\\w--z]', '[^\\w\\--z]', ['class-range']],
  ['\\icons', 'icons', ['escape']],
  ['[\\B]', '[B]', ['escape']],
  ['[--\\B]', undefined, ['escape']],
  ['[a-\\i]', '[a-i]', ['escape']],
  ['\\x4\\F', '\\x4\\x46', ['escape']],
  ['a\\8', 'a\\x38', ['reference-digit']],
  ['a\\81', undefined, ['reference-digit']],
  ['(?Xi)a', '(?i)a', ['option-extra']],
  ['(?-X:a)', '(?:a)', ['option-extra']],
  ['(?=a\\K)b', undefined, ['keep-in-assertion']],
  ['\\c\u0001', undefined, ['control']],
  ['a\\x', 'a\\x00', ['hex-digits']],
  ['a{,3}b{ 2}', 'a\\{,3}b\\{ 2}', ['brace', 'brace']],
  ['(a(?1)?b)', undefined, ['recursion']],
  ['[-\\w][\\w-][+--\\w][a-z-\\d]', '[-\\w][\\w-][+--\\w][a-z-\\d]', []],
  ['\\Q[\\w-.]\\i\\E(?#[\\w-.])', '\\Q[\\w-.]\\i\\E(?#[\\w-.])', []],
  ['(a)(b)(c)(d)(e)(f)(g)(h)\\8', '(a)(b)(c)(d)(e)(f)(g)(h)\\8', []],
  ['a{2}\\.\\x41\\K', 'a{2}\\.\\x41\\K', []],
])('%s is %s for PCRE2', (pattern, now, kinds) => {
  expect(patternForPcre2(pattern)).toBe(now);
  expect(patternParts(pattern).map(({ kind }) => kind)).toEqual(kinds);
});

test('what is written for PCRE2 a real httpd takes, and needs no more', async () => {
  const part = fc.constantFrom(
    'a',
    '-',
    '.',
    '[\\w-.]',
    '[a-\\d]',
    '[[:digit:]-z]',
    '\\i',
    '\\F',
    '[\\B]',
    '[^\\R-]',
    '\\8',
    '(?X)',
    '(a)',
    '{,3}',
    '{ 2}',
    '[\\d\\-x]',
    '[\\s-\\S]',
    '\\x4',
    '\\x',
    '\\.',
    '(?:b|\\y)',
  );
  const random = fc.sample(
    fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    { numRuns: 1500, seed: Number(process.env.SEED ?? 1) },
  );
  const all = [...new Set(random)].flatMap((regex) => {
    const now = patternForPcre2(regex);
    return patternParts(regex).length > 0 && now !== undefined ? [now] : [];
  });
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter((regex) => patternParts(regex).length > 0)).toEqual([]);
  const htaccess = Object.fromEntries(
    all.map((regex, i) => [String(i), `<FilesMatch "${regex.replace(/\\/g, '\\\\')}">\n</FilesMatch>\n`]),
  );
  const server = await serve([{ id: 'pcre2', conf: '', htaccess, files: all.map((_, i) => `${i}/x`) }]);
  try {
    const answers = await ask(
      server,
      all.map((_, i) => ({ case: 'pcre2', path: `/${i}/x` })),
    );
    expect(all.filter((_, i) => answers[i] !== 'P')).toEqual([]);
  } finally {
    await server.stop();
  }
}, 60_000);
