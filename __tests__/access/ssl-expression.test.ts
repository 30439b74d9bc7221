import { sslRequireTest } from '../../src/access/policy';
import { type Directive, parse } from '../../src/syntax';
import { configtestAll } from '../../testing/httpd/check';

function testOf(expression: string): string | undefined {
  return sslRequireTest(parse(`SSLRequire ${expression}\n`).body[0] as Directive);
}

const ALIKE: readonly (readonly [string, string])[] = [
  ['%{SSL_CLIENT_S_DN_O} eq "Staff"', "%{SSL_CLIENT_S_DN_O} == 'Staff'"],
  ['%{SSL_CLIENT_S_DN_O} == "Snake Oil, Ltd."', "%{SSL_CLIENT_S_DN_O} == 'Snake Oil, Ltd.'"],
  ['%{SSL_CLIENT_S_DN_OU} in {"Staff", "CA"}', "%{SSL_CLIENT_S_DN_OU} -in {'Staff', 'CA'}"],
  ['%{SSL_CLIENT_VERIFY} ne "NONE"', "%{SSL_CLIENT_VERIFY} != 'NONE'"],
  ['%{REMOTE_ADDR} =~ m/^192\\.76\\.[0-9]+$/', '%{REMOTE_ADDR} =~ m#^192\\.76\\.[0-9]+$#'],
  ['%{SSL_CLIENT_S_DN_CN} !~ m|^bob|i', '%{SSL_CLIENT_S_DN_CN} !~ m#^bob#i'],
  ['%{SSL_CIPHER_USEKEYSIZE} >= 128', '%{SSL_CIPHER_USEKEYSIZE} -ge 128'],
  [
    'not ( %{SSL_CLIENT_S_DN_O} eq "A" or %{SSL_CLIENT_S_DN_O} eq "B" ) and %{SSL_CLIENT_M_SERIAL} == "01"',
    "!(%{SSL_CLIENT_S_DN_O} == 'A' || %{SSL_CLIENT_S_DN_O} == 'B') && %{SSL_CLIENT_M_SERIAL} == '01'",
  ],
  [
    '%{SSL_CLIENT_S_DN_C} eq "A" or %{SSL_CLIENT_S_DN_C} eq "B" && !%{REMOTE_ADDR} == "10.0.0.1"',
    "%{SSL_CLIENT_S_DN_C} == 'A' || (%{SSL_CLIENT_S_DN_C} == 'B' && !(%{REMOTE_ADDR} == '10.0.0.1'))",
  ],
];

test.each(ALIKE)('SSLRequire %s is asked by Require expr', (expression, expected) => {
  expect(testOf(expression)).toBe(expected);
});

test('2.4 reads what is written for SSLRequire', async () => {
  const verdicts = await configtestAll(
    ALIKE.map(([id, expr]) => ({
      id,
      text: `<Directory /srv>\nRequire expr %{HTTPS} != 'on' || (${expr})\nRequire expr ${expr}\n</Directory>\n`,
    })),
  );
  expect([...verdicts].filter(([, { ok }]) => !ok)).toEqual([]);
});

test.each([
  ['words that are compared by their length first', '%{SSL_CLIENT_S_DN_O} lt "b"'],
  ['hours, which have two digits', '%{TIME_HOUR} >= 8'],
  ['a cipher, which TLS 1.3 names otherwise', '%{SSL_CIPHER} =~ m/^ECDHE/'],
  ['a whole name, which 2.4 writes in another order', '%{SSL_CLIENT_S_DN} eq "/O=Staff"'],
  ['an extension', '"x" in OID("1.2.3.4.5")'],
  ['a file', '%{SSL_CLIENT_CERT} eq file("/etc/cert.pem")'],
  ['an end that may stand before a line end', '%{SSL_CLIENT_S_DN_O} !~ m/Staff$/'],
  ['any character, which may be a line end', '%{SSL_CLIENT_S_DN_O} !~ m/a.b/'],
  ['a word that 2.4 fills in', '%{SSL_CLIENT_S_DN_O} eq "%{REMOTE_ADDR}"'],
  ['an expression that is quoted as a whole', '"%{SSL_CLIENT_S_DN_O} == \'a\'"'],
  ['an expression that is not closed', '( %{SSL_CLIENT_S_DN_O} eq "a"'],
  ['nothing', ''],
  ['what follows its end', '%{SSL_CLIENT_S_DN_O} eq "a" "b"'],
])('no Require expr is made of %s', (_, expression) => {
  expect(testOf(expression)).toBeUndefined();
});
