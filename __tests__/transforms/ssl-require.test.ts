import fc from 'fast-check';
import { ask } from '../../testing/httpd/ask';
import { requireHttpd } from '../../testing/httpd/binary';
import { serve } from '../../testing/httpd/server';
import { isExpression22, readTokens22 } from '../../transforms/common/words/ssl-require-22';
import { refusal24 } from '../../transforms/ssl-client/ssl-require-24';

const is22 = (text: string): boolean => {
  const tokens = readTokens22(text);
  return tokens !== undefined && isExpression22(tokens);
};

/** What the expression parser of 2.2.34 itself said; 2.4 is asked below. */
const rows: [expression: string, by22: boolean, by24: boolean][] = [
  ['true', true, true],
  ['TRUE', false, false],
  ['"true"', false, false],
  ['"%{SSL_X} eq 1"', false, false],
  ['%{SSL_X} eq "a"', true, true],
  ['%{ SSL_X } eq "a"', true, false],
  ['%{SSL_X}', false, false],
  ['%{SSL_X} EQ "a"', false, false],
  ['%{SSL_X} eq a', false, false],
  ["%{SSL_X} eq 'a'", false, true],
  ['%{SSL_X} = "a"', false, true],
  ['%{SSL_X} == 12', true, true],
  ['%{SSL_X} == -12', false, true],
  ['%{SSL_X} eq "a" "b"', false, false],
  ['%{SSL_A-B} eq "a"', true, false],
  ['%{HTTP:} eq "a"', true, false],
  ['%{HTTP:X-Y} eq "a"', true, true],
  ['%{in} eq "a"', false, false],
  ['%{mx} eq "a"', false, false],
  ['%{IPV6} eq "a"', true, true],
  ['%{NOPE} eq "a"', true, false],
  ['"a" eq "\\8"', true, false],
  ['"a" eq "\\400"', true, false],
  ['"a" eq "\\0777"', true, false],
  ['"a" eq "\\101\\n\\x\\""', true, true],
  ['"%{NOPE}" eq "a"', true, false],
  ['"a" eq "b', false, false],
  ['not ! "a" eq "b" and false or ( "c" ne 3 )', true, true],
  ['( "a" eq "b"', false, false],
  ['"a" eq "b" & true', false, false],
  ['"a" in {"b", 3, %{SSL_X}}', true, true],
  ['"a" in {}', false, false],
  ['"a" in {"b" "c"}', false, false],
  ['"a" in OID("1.2")', true, false],
  ['"a" in PeerExtList("1.2")', false, true],
  ['OID("1.2") eq "a"', false, false],
  ['PeerExtList("1.2") eq "a"', false, false],
  ['"a" =~ m/^b.*/i', true, true],
  ['"a" =~ /^b.*/i', false, true],
  ['"a" =~ "b"', false, false],
  ['"a" =~ m~b~', true, false],
  ['"a" =~ m:b:', false, true],
  ['"a" =~ m_b_', false, false],
  ['"a" =~ m_#b_', true, true],
  ['"a" =~ m/b', false, false],
  ['"a" -strmatch "b*"', false, true],
  ['"a" -nope "b"', false, false],
  ['%{REMOTE_ADDR} -ipmatch "10.0.0.0/8"', false, true],
  ['%{REMOTE_ADDR} -ipmatch %{SSL_X}', false, false],
  ['-R "::1"', false, true],
  ['-R %{SSL_X}', false, false],
  ['-z %{SSL_X}', false, true],
  ['tolower("A") . "b" eq "ab"', false, true],
  ['nope("A") eq "a"', false, false],
];

test.each(rows)('%s', (expression, by22, by24) => {
  expect([is22(expression), refusal24(expression) === undefined]).toEqual([by22, by24]);
});

const parts =
  `%{SSL_X}|%{ SSL_X }|%{HTTP:X-Y}|%{HTTP:}|%{NOPE}|%{IPV6}|"a"|"a%{SSL_X}b"|"\\101"|"\\8"|"$1"|'x'|""|3|-3|eq|ne|lt|==|=|!=|<=|=~|!~|in|-in|-eq|and|or|&&|!|not|(|)|{|}|,|m/a/|m#a#i|m_|m@a@|/a/|true|TRUE|OID("1.2")|PeerExtList("1.2")|-z|-R|-ipmatch|"10.1.2.3"|-nope|.|abc|tolower("X")|%{tolower:X}|"a|&|%`.split(
    '|',
  );
const words = fc.constantFrom(...parts.slice(0, 15));
const whole = fc.tuple(words, fc.constantFrom('eq', 'ne', '==', '<=', 'lt', '-eq', '-strmatch'), words);
const piece = fc.constantFrom(...parts);
const random = fc.oneof(
  whole.map((comparison) => comparison.join(' ')),
  fc.tuple(whole, piece, whole).map(([a, between, b]) => [...a, between, ...b].join(' ')),
  fc.array(piece, { minLength: 1, maxLength: 5 }).map((some) => some.join(' ')),
);

test('what is called refused a real httpd refuses, and takes everything else', async () => {
  const sample = fc.sample(random, { numRuns: 1000, seed: Number(process.env.SEED ?? 1) });
  const all = [...new Set([...rows.map(([expression]) => expression), ...sample])];
  const accepted = all.filter((expression) => refusal24(expression) === undefined);
  expect(accepted.length).toBeGreaterThan(150);
  const htaccess = Object.fromEntries(all.map((expression, i) => [String(i), `SSLRequire ${expression}\n`]));
  const server = await serve([{ id: 'expr', conf: '', htaccess, files: all.map((_, i) => `${i}/x`) }]);
  try {
    const answers = await ask(
      server,
      all.map((_, i) => ({ case: 'expr', path: `/${i}/x` })),
    );
    const isWrong = (expression: string, i: number): boolean =>
      (refusal24(expression) === undefined) === (answers[i] === 'E');
    expect(all.filter(isWrong)).toEqual([]);
  } finally {
    await server.stop();
  }
}, 60_000);

test('file() in a .htaccess', async () => {
  const { version } = requireHttpd();
  const server = await serve([
    { id: 'file', conf: '', htaccess: { a: 'SSLRequire file("/dev/null") eq ""\n' }, files: ['a/x'] },
  ]);
  try {
    const [answer] = await ask(server, [{ case: 'file', path: '/a/x' }]);
    // CVE-2026-59797
    expect([version, answer]).toEqual([version, Number(version.split('.')[2]) >= 69 ? 'E' : 'P']);
  } finally {
    await server.stop();
  }
}, 60_000);
