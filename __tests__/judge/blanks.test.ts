import { judged, served } from '../../testing/judge/vetoes';

// httpd parts words at whatever isspace() takes for a blank: whoever writes one into a .htaccess keeps nobody else's from being
// converted.

const FILE = '/srv/www/a/.htaccess';
const section = (lines: string): string => `<Directory /srv/www>\nAllowOverride All\n${lines}</Directory>\n`;
const [OLD, NEW] = [section('Order allow,deny\nAllow from all\n'), section('Require all granted\n')];

const vetoes = (was: string, is: string): readonly string[] =>
  judged(served(OLD, { [FILE]: was }), served(NEW, { [FILE]: is })).vetoes.map(({ why }) => why);

describe.each([
  ['vertical tab', '\v'],
  ['form feed', '\f'],
  ['carriage return', '\r'],
])('a %s', (_, blank) => {
  test.each([
    [
      `Order deny,allow\nDeny from all\nAllow from 10.0.0.1${blank}10.0.0.2${blank}\n`,
      'Require ip 10.0.0.1 10.0.0.2\n',
    ],
    [
      `Order${blank}deny,allow\nDeny${blank}from${blank}all\n${blank}Allow${blank}from 10.0.0.1\n`,
      'Require ip 10.0.0.1\n',
    ],
    [
      `Order deny,allow\nDeny from all\nAllow from "10.0.0.1"${blank}10.0.0.2\n`,
      'Require ip 10.0.0.1 10.0.0.2\n',
    ],
    [
      `<Files${blank}secret>\nOrder deny,allow\nDeny from all\n</Files>\n`,
      '<Files secret>\nRequire all denied\n</Files>\n',
    ],
  ])('parts words, as a blank does: %j', (was, is) => {
    expect(vetoes(was, is)).toEqual([]);
    expect(vetoes(was.replaceAll(blank, ' '), is)).toEqual([]);
  });

  test('twin: what is more than 2.2 said is refused all the same', () => {
    const was = `Order deny,allow\nDeny from all\nAllow from 10.0.0.1${blank}\n`;
    expect(vetoes(was, 'Require ip 10.0.0.1 10.0.0.2\n')).not.toEqual([]);
  });
});
