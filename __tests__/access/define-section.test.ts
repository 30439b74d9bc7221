import { convertFiles, textAfter } from '../../testing/run/convert';

const CONF = '/etc/httpd/httpd.conf';
const OFFICE = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
const server = (lines: string): string =>
  `ServerRoot /etc/httpd\nListen 80\n<Directory /srv/www>\nAllowOverride None\n${lines}</Directory>\n`;
const block = (lines: string, name = 'X'): string => `<IfDefine ${name}>\n${lines}</IfDefine>\n`;

const after = (lines: string, defines: readonly string[]): string | undefined => {
  const files = { [CONF]: server(lines) };
  return textAfter(convertFiles(files, undefined, { rules: ['order-allow-deny'] }, defines), CONF);
};

// A server is started with a name today and without it tomorrow: the text is right both ways.
test.each([
  ['all its lines', block(OFFICE), block('Require ip 10.0.0.0/8\n')],
  ['lines for either', block(OFFICE) + block('Order allow,deny\nAllow from all\n', '!X'), block('Require ip 10.0.0.0/8\n') + block('Require all granted\n', '!X')],
])('a section with %s in <IfDefine> is converted, with -D and without', (_, lines, expected) => {
  for (const defines of [[], ['X'], ['Y']]) expect(after(lines, defines)?.replace(/^ +/gm, '')).toBe(server(expected));
}); // prettier-ignore

test('one with a line of several in it says the same with -D as without', () => {
  const lines = `Order deny,allow\nDeny from all\n${block('Allow from 10.0.0.0/8\n')}`;
  expect(after(lines, ['X'])).toBe(after(lines, []));
  expect(after(lines, ['X'])).not.toBe(server(lines));
});
