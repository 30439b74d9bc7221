import { convertFiles, textAfter } from '../../testing/run/convert';

const PATH = '/w/.htaccess';

function converted(text: string, dual: boolean): string {
  const result = convertFiles({ [PATH]: text }, ['/w'], { dual });
  expect(result.failure).toBeUndefined();
  return textAfter(result, PATH) ?? text;
}

const lines = (...list: string[]): string => list.map((line) => `${line}\n`).join('');
const LOGIN = ['AuthType Basic', 'AuthName x', 'AuthUserFile /u'];
const HOSTS = ['Order deny,allow', 'Deny from all', 'Allow from 10.0.0.0/8'];

const both = (for24: readonly string[], for22: readonly string[]): string[] => [
  '<IfModule mod_authz_core.c>',
  ...for24.map((line) => `    ${line}`),
  '</IfModule>',
  '<IfModule !mod_authz_core.c>',
  ...for22.map((line) => `    ${line}`),
  '</IfModule>',
];

const ALL = ['<RequireAll>', '    Require ip 10.0.0.0/8', '    Require valid-user', '</RequireAll>'];

describe('the old lines of a section stand in one block for 2.2', () => {
  test.each([
    ['hosts above a login', [...HOSTS, ...LOGIN, 'Require valid-user'], [...HOSTS, 'Require valid-user']],
    ['with Satisfy', [...HOSTS, ...LOGIN, 'Require valid-user', 'Satisfy All'], [...HOSTS, 'Require valid-user', 'Satisfy All']],
    ['with a list of its own', ['Order deny,allow', 'Deny from all', ...LOGIN, 'Allow from 10.0.0.0/8', 'Require valid-user'], [...HOSTS, 'Require valid-user']],
  ])('%s', (_, old, for22) => {
    const text = converted(lines(...old), true);
    expect(text.match(/<IfModule !mod_authz_core\.c>/g)).toHaveLength(1);
    const [before, behind] = text.split(lines(...both(ALL, for22)));
    expect(`${before!}${behind!}`).toBe(lines(...LOGIN));
    expect(converted(text, true)).toBe(text);
    expect(converted(text, false)).toBe(converted(lines(...old), false));
  }); // prettier-ignore

  test('a line of which the last counts stays where it is beside another', () => {
    const old = ['Order allow,deny', 'Allow from 10.0.0.0/8', ...LOGIN, 'Order deny,allow', 'Deny from all'];
    const text = converted(lines(...old), true);
    const read = text.split('\n').filter((line) => /Order/.test(line));
    expect(read.map((line) => line.trim())).toEqual(['Order allow,deny', 'Order deny,allow']);
    expect(text.match(/<IfModule !mod_authz_core\.c>/g)).toHaveLength(2);
  });

  test('a line of which the last counts stays where it is beside an Include', () => {
    const place =
      '<Directory /w>\nOrder deny,allow\nAuthType Basic\nInclude /e/order\nAuthName x\nAllow from 10.0.0.0/8\n</Directory>\n';
    const files = { '/e/httpd.conf': place, '/e/order': 'Order allow,deny\n' };
    const text = textAfter(convertFiles(files, ['/e/httpd.conf'], { dual: true }), '/e/httpd.conf')!;
    expect(text).toContain('Allow from');
    expect(text.indexOf('Order deny,allow')).toBeLessThan(text.indexOf('Include'));
  });
});
