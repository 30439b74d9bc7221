import fc from 'fast-check';
import {
  areDisjoint,
  globEndings,
  globMayMatch,
  regexEndings,
  regexMayMatch,
} from '../../src/access/primitives';

test.each<[string, string[] | undefined]>([
  ['\\.(inc|bak)$', ['.inc', '.bak']],
  ['\\.ph(p[34]?|tml)$', ['.php3', '.php4', '.php', '.phtml']],
  ['^.*\\.([Hh][Tt]|~)$', ['.ht', '.~']],
  ['(?i)\\.INC$', ['.inc']],
  ['x+\\.a$', ['.a']],
  ['\\.(?:a|b)c$', ['.ac', '.bc']],
  ['\\.inc', undefined],
  ['\\.inc\\$', undefined],
  ['\\.inc$|^x', undefined],
  ['a$|b$', undefined],
  ['\\.[^a]$', undefined],
  ['.*$', undefined],
  ['(|a)$', undefined],
  ['\\.(a|(b)$', undefined],
  ['\\d$', undefined],
  ['(?x)a b$', undefined],
  ['\\Q(a|b)\\E$', ['(a|b)']],
  ['a[[:digit:]]$', undefined],
  ['\\.[^[:space:]]$', undefined],
  ['\\.\\x70hp$', ['.php']],
  ['\\.\\160hp$', ['hp']],
  ['\\p{L}$', undefined],
  ['(^#.*#|\\.(bak|sw[op])|~)$', ['#', '.bak', '.swo', '.swp', '~']],
  ['(\\.php$)', ['.php']],
  ['(a)\\g{1}$', undefined],
  ['a(*ACCEPT)b$', undefined],
])('the endings of %s', (regex, endings) => {
  expect(regexEndings(regex)?.toSorted()).toEqual(endings?.toSorted());
});

test('the endings of patterns with wildcards', () => {
  expect(globEndings('*.inc')).toEqual(['.inc']);
  expect(globEndings('a?')).toBeUndefined();
  expect(globEndings('*.[ch]')).toBeUndefined();
});

test('what is called disjoint is: no name matches both', () => {
  const part = fc.constantFrom(
    '\\.',
    'a',
    'b',
    'ab',
    '[ab]',
    '(a|b)',
    '(a|\\.b)',
    '(?:ab?|b)',
    'a?',
    '.',
    '.*',
    '^',
    'a+',
    '[^a]',
    '(a|.)',
    '\\x61',
    '\\w',
    '\\142',
  );
  const regex = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join('')}$`);
  const name = fc
    .array(fc.constantFrom('a', 'b', '.', 'B'), { minLength: 1, maxLength: 5 })
    .map((all) => all.join(''));
  let disjoint = 0;
  fc.assert(
    fc.property(regex, regex, fc.array(name, { minLength: 20, maxLength: 20 }), (left, right, names) => {
      const [a, b] = [regexEndings(left), regexEndings(right)];
      if (a === undefined || b === undefined || !areDisjoint(a, b)) return;
      disjoint++;
      const [first, second] = [new RegExp(left), new RegExp(right)];
      for (const name of names) expect(first.test(name) && second.test(name)).toBe(false);
    }),
    { numRuns: 4000 },
  );
  expect(disjoint).toBeGreaterThan(100);
});

test.each([
  ['^\\.ht', 'index.html', false],
  ['^\\.ht', '.HTpasswd', true],
  ['\\.(inc|po)$|^(Entries.*|Root)$', 'index.html', false],
  ['\\.(inc|po)$|^(Entries.*|Root)$', 'entries.old', true],
  ['(?i)INDEX', 'index.html', true],
  // As PCRE reads it, or not at all.
  ['[]x]', 'index.html', true],
  ['\\x69', 'index.html', true],
  ['(?x)a b', 'index.html', true],
  ['[[:digit:]]', 'index.html', false],
  ['a++', 'index.html', false],
  ['i++', 'index.html', true],
])('%s may match %s: %s', (regex, name, may) => {
  expect(regexMayMatch(regex, name)).toBe(may);
});

test('a pattern with wildcards may match a name', () => {
  expect(globMayMatch('.ht*', 'index.html')).toBe(false);
  expect(globMayMatch('Index.*', 'index.HTML')).toBe(true);
  expect(globMayMatch('[!a]*', 'a')).toBe(true);
});
