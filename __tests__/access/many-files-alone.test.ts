import { convertFiles, textAfter } from '../../testing/run/convert';
import { loadLines } from '../../testing/run/load-lines';

// However many files of one user 2.4 would answer differently, each is decided by itself: they keep nobody else.

const SERVER = '/etc/httpd/httpd.conf';
const LIST = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
const MODULES = loadLines('authz_host authz_default auth_basic authn_file authz_user dir mime');

const server = (override: string, lines = ''): string =>
  `ServerRoot /etc/httpd\nListen 80\n${MODULES}DocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride ${override}\nOrder allow,deny\nAllow from all\n${lines}</Directory>\n<Directory /srv/www/v>\nAllowOverride All\n</Directory>\n`;

const for22 = (lines: string): string => `<IfModule !mod_authz_core.c>\n${lines}</IfModule>\n`;
const for24 = (lines: string): string => `<IfModule mod_authz_core.c>\n${lines}</IfModule>\n`;

/** The texts of the server and of another user beside files of one text. */
function others(config: string, text: string, count: number): readonly (string | undefined)[] {
  const files: Record<string, string> = { [SERVER]: config, '/srv/www/v/.htaccess': LIST };
  for (let i = 0; i < count; i++) {
    files[`/srv/www/m/d${i}/.htaccess`] = text;
    files[`/srv/www/m/d${i}/index.html`] = '';
  }
  const result = convertFiles(files, [SERVER, '/srv/www']);
  expect(result.failure).toBeUndefined();
  return [SERVER, '/srv/www/v/.htaccess'].map((path) => textAfter(result, path));
}

test.each([
  ['lines for 2.2 that AllowOverride forbids', 'Options FileInfo', '', for22('Deny from all\n')],
  ['such lines in a section', 'Options FileInfo', '', `<Files x>\n${for22('Deny from all\n')}</Files>\n`],
  ['lines for 2.2 alone', 'Limit', '', `${for22('Options None\n')}Deny from 1.2.3.4\n`],
  ['a Require not for 2.4', 'AuthConfig Limit', 'Deny from 6.6.6.6\n', for24('Require not ip 1.2.3.4\n')],
  ['a line that 2.2 refuses, and another rule removes', 'AuthConfig Limit', '', 'DefaultType text/plain\n'],
])('%s', (_, override, lines, text) => {
  const config = server(override, lines);
  for (const count of [1, 40]) {
    const found = others(config, text, count).join('');
    expect(found).not.toMatch(/^(?:Order|Deny|Allow) /m);
    expect(found).toContain('Require ip 10.0.0.0/8\n');
  }
}); // prettier-ignore
