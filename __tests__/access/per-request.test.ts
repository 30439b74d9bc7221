import type { RunOptions } from '../../src/engine';
import { convertFiles } from '../../testing/run/convert';

const SERVER = '/etc/httpd/httpd.conf';
const HEAD =
  'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\nLoadModule authz_default_module modules/mod_authz_default.so\n';
const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\nRequire valid-user\n';
const OPEN = '<Directory /srv/www>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n';
const SECTION = `<Directory /srv/www/p>\n${PASSWORD}</Directory>\n`;
const BLOCK = '<IfVersion >= 2.4>\n<If "-R \'10.0.0.0/8\'">\nRequire all granted\n</If>\n</IfVersion>\n';

/** What a run says of blocks for each request. */
function told(
  server: string,
  files: Readonly<Record<string, string>> = {},
): readonly (readonly [string, string])[] {
  const all = { [SERVER]: server, '/srv/www/p/x.txt': '', ...files };
  return convertFiles(all, [SERVER, '/srv/www'])
    .outcomes.filter(({ message }) => /per-request block, which|lets nobody in whatever/.test(message))
    .map(({ level, file }) => [level, file.path]);
}

describe('a Require in an <If> that 2.4 alone reads', () => {
  test.each([
    ['alone in a .htaccess', BLOCK],
    ['for all requests', BLOCK.replace(/"-R.*"/, '"true"')],
    ['that refuses', BLOCK.replace('granted', 'denied')],
    ['in a section for files', `<Files x.txt>\n${BLOCK}</Files>\n`],
  ])('is told %s', (_, text) => {
    const path = '/srv/www/p/.htaccess';
    expect(told(HEAD + OPEN + SECTION, { [path]: text })).toEqual([['error', path]]);
  });

  test.each([
    ['that neither version reads', OPEN, BLOCK.replace('2.4', '2.9')],
    ['without a Require', OPEN, BLOCK.replace('Require all granted', 'Header set a b')],
    ['in a file that is not read', OPEN.replace('ride All', 'ride None'), BLOCK],
  ])('is not told %s', (_, open, text) => {
    expect(told(HEAD + open + SECTION, { '/srv/www/p/.htaccess': text })).toEqual([]);
  });

  test('is not told of a server of 2.4', () => {
    const open = OPEN.replace(/Order.*\nAllow from.*/, 'Require all granted');
    expect(told(HEAD.replace(/LoadModule.*\n/, '') + open, { '/srv/www/p/.htaccess': BLOCK })).toEqual([]);
  });

  test('that lets nobody into a section without another line is told', () => {
    const block =
      '<IfVersion >= 2.4>\n<Location /p>\n<If "true">\nRequire all denied\n</If>\n</Location>\n</IfVersion>\n';
    expect(told(HEAD + OPEN + block)).toEqual([['warning', SERVER]]);
    expect(told(HEAD + OPEN + block.replace('denied', 'granted'))).toEqual([['error', SERVER]]);
  });
});

describe.each([
  ['shown to be of a 2.2', HEAD],
  ['shown by its own access lines alone', HEAD.replace(/LoadModule.*\n/, '')],
])('one of a user, in a .htaccess, of a server %s,', (_server, head) => {
  const other = '/srv/www/other/.htaccess';
  const texts = (text: string, options: RunOptions = {}): ReadonlyMap<string, string> => {
    const server = `${head}${OPEN}<Directory /srv/www/p>\nOrder deny,allow\nDeny from all\n</Directory>\n`;
    const files = { '/srv/www/p/.htaccess': text, [other]: 'Order allow,deny\nDeny from all\n' };
    const { plan } = convertFiles({ [SERVER]: server, ...files }, [SERVER, '/srv/www'], options);
    return new Map(plan.map((change) => [change.file.path, change.text]));
  };
  const IF = '<If "true">\nRequire all granted\n</If>\n';

  test.each([
    ['alone', IF],
    ['for 2.4', `<IfModule mod_authz_core.c>\n${IF}</IfModule>\n`],
    ['beside old lines', `Order allow,deny\nAllow from 10.0.0.1\n${IF}`],
    ['in a section for files', `<Files x.txt>\n${IF}</Files>\n`],
    ['in one beside old lines', `Order allow,deny\nDeny from all\n<Files x.txt>\n${IF}</Files>\n`],
    [
      'in one for a regex, in a block',
      `Deny from all\n<IfVersion >= 2.4>\n<FilesMatch x>\n${IF}</FilesMatch>\n</IfVersion>\n`,
    ],
    ['in one in another', `Deny from all\n<Files x.txt>\n<Files x.txt>\n${IF}</Files>\n</Files>\n`],
    ['in one for methods', `Deny from all\n<Files x.txt>\n<Limit GET>\n${IF}</Limit>\n</Files>\n`],
    ['with AuthMerging', `Deny from all\n<Files x.txt>\n${IF.replace('\n', '\nAuthMerging Or\n')}</Files>\n`],
    [
      'an <Else>',
      `Deny from all\n<Files x.txt>\n<If "false">\n</If>\n${IF.replaceAll('If "true"', 'Else').replace('/If', '/Else')}</Files>\n`,
    ],
    ['around one', '<If "true">\n<Files x.txt>\nRequire all granted\n</Files>\n</If>\n'],
    ['in another', `<If "true">\n${IF}<Else>\nRequire all granted\n</Else>\n</If>\n`],
    ['in a block for methods', `<Limit GET>\n${IF}</Limit>\n`],
  ])('keeps nobody else from being converted, and lets nobody in: %s', (_, text) => {
    const made = texts(text);
    expect(made.get(SERVER)).toContain('<Directory /srv/www/p>\nRequire all denied\n</Directory>');
    expect(made.get(other)).toBe('Require all denied\n');
    expect(made.get('/srv/www/p/.htaccess')).toContain('Require all denied\n');
    expect(made.get('/srv/www/p/.htaccess')).not.toContain('granted');
  });

  test('twin: without its strictest form nothing that it comes after is converted', () => {
    const made = texts(IF, { exact: true });
    expect(made.get(SERVER) ?? '').not.toContain('Require');
    expect(made.has(other)).toBe(false);
  });

  test('twin: one that is not about access stays', () => {
    const text = '<If "true">\nHeader set a b\n</If>\nOrder allow,deny\nDeny from all\n';
    expect(texts(text).get('/srv/www/p/.htaccess')).toBe(text.replace(/Order[^]*/, 'Require all denied\n'));
  });
});
