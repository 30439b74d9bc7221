import fc from 'fast-check';
import { ask } from '../../testing/httpd/ask';
import { serve } from '../../testing/httpd/server';
import { regexFlaw } from '../../transforms/regex/regex-refused';

const named: [regex: string, flaw: string | undefined][] = [
  ['*', 'nothing stands before the * that it could repeat'],
  ['a|*b', 'nothing stands before the * that it could repeat'],
  ['(?:+a)', 'nothing stands before the + that it could repeat'],
  ['a**', 'nothing stands before the * that it could repeat'],
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
  const part = fc.constantFrom('a', '*', '+', '?', '(', ')', '[', ']', '|', '^', '\\', '.', '{2}', '(?:', '[^', '[:alpha:]', '$', '(?i)', '(?=', '\\d', '-');
  const random = fc.sample(fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join('')), { numRuns: 1500, seed: Number(process.env.SEED ?? 1) });
  const flawed = [...new Set(random)].filter((regex) => regexFlaw(regex) !== undefined);
  expect(flawed.length).toBeGreaterThan(300);
  const all = [...named.map(([regex]) => regex), ...flawed];
  const htaccess = Object.fromEntries(all.map((regex, i) => [String(i), `<FilesMatch "${regex.replace(/\\/g, '\\\\')}">\n</FilesMatch>\n`]));
  const server = await serve([{ id: 'regex', conf: '', htaccess, files: all.map((_, i) => `${i}/x`) }]);
  try {
    const answers = await ask(server, all.map((_, i) => ({ case: 'regex', path: `/${i}/x` })));
    const wrong = all.filter((regex, i) => (regexFlaw(regex) === undefined ? answers[i] !== 'P' : answers[i] !== 'E'));
    expect(wrong).toEqual([]);
  } finally {
    await server.stop();
  }
}, 60_000); // prettier-ignore
