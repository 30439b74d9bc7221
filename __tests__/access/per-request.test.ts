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
