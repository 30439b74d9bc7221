import { judged, served, vetoesOf } from '../../testing/judge/vetoes';

const section = (lines: string): string => `<Directory /srv/www/a>\n${lines}</Directory>\n`;
const HOSTS = 'Order allow,deny\nAllow from all\n';
const BLOCK = `<IfModule !mod_authz_core.c>\nSSLRequireSSL\n${HOSTS}</IfModule>\n`;
const for24 = (lines: string): string => `<IfModule mod_authz_core.c>\n${lines}</IfModule>\n`;
const SSL = 'SSLRequireSSL\n';
const ANY = 'Satisfy Any\nAuthType Basic\nAuthName a\nAuthUserFile p\nRequire valid-user\n';
const inHost = (lines: string): string => `<VirtualHost *:443>\nSSLEngine on\n${lines}</VirtualHost>\n`;

const vetoes = (was: string, is: string): readonly string[] => vetoesOf(served(was), served(is));

test.each([
  ['what 2.4 asks for TLS by goes', section(BLOCK + for24('Require ssl\n')), section(BLOCK + for24('Require all granted\n'))],
  ['SSLRequireSSL goes', section(SSL + HOSTS), section('Require all granted\n')],
  ['one above is lost to a section below', `${section(BLOCK + for24('Require ssl\n'))}<Directory /srv/www/a/b>\n${HOSTS}</Directory>\n`, `${section(BLOCK + for24('Require ssl\n'))}<Directory /srv/www/a/b>\nRequire all granted\n</Directory>\n`],
  ['under Satisfy Any others get in by it', section(`${BLOCK}Satisfy Any\n`), section(`${BLOCK}${for24('Require all granted\n')}`)],
])('%s: an opening', (_, was, is) => {
  expect(vetoes(was, is)[0]).toMatch(/without TLS: 2\.2 refuses it \(403\), and with it 2\.4 lets it in$/);
}); // prettier-ignore

test.each([
  ['it stays', section(SSL + HOSTS), section(`${SSL}Require all granted\n`)],
  ['it becomes a Require', section(BLOCK), section(`${BLOCK}${for24('Require ssl\n')}`)],
  ['it becomes an expression', section(BLOCK), section(`${BLOCK}${for24("Require expr %{HTTPS} == 'on'\n")}`)],
  ['the host answers over TLS alone', inHost(section(BLOCK)), inHost(section(BLOCK + for24('Require all granted\n')))],
  ['a password does as well', section(`<IfModule !mod_authz_core.c>\n${SSL}</IfModule>\n${HOSTS}${ANY}`), section(`<IfModule !mod_authz_core.c>\n${SSL}</IfModule>\n${ANY.replace('Satisfy Any\n', 'Require ssl\n')}`)],
])('%s: nothing is said', (_, was, is) => {
  const { vetoes: found, asked, answered } = judged(served(was), served(is));
  expect(found).toEqual([]);
  // It has read what it was asked about.
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBe(asked);
}); // prettier-ignore

test('a check that no longer holds fails closed, and is said', () => {
  expect(vetoes(section(HOSTS), section('Require ssl\n'))[0]).toMatch(
    /without TLS: 2\.2 lets it in, and with it 2\.4 refuses/,
  );
});
