import { convertFiles } from '../../testing/run/convert';

const SERVER = '/etc/httpd/httpd.conf';
const MODULES = ['authz_host', 'authz_user', 'auth_basic', 'authn_file', 'version', 'dir']
  .map((name) => `LoadModule ${name}_module modules/mod_${name}.so\n`)
  .join('');
const HEAD = `ServerRoot /etc/httpd\nListen 80\n${MODULES}DocumentRoot /w\n<Directory />\nAllowOverride None\nOrder deny,allow\nDeny from all\n</Directory>\n<Directory /w>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n`;
const HT = '<Files ~ "^\\.ht">\nOrder allow,deny\nDeny from all\n</Files>\n';
const LIST = 'Order deny,allow\nDeny from all\nAllow from 10.2\n';
const REST = 'AuthName x\nAuthUserFile /x\n';

interface Converted {
  readonly texts: ReadonlyMap<string, string>;
  readonly messages: readonly string[];
}

function convert(
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = [SERVER, '/w'],
): Converted {
  const { plan, outcomes } = convertFiles(files, [...paths]);
  const texts = new Map(Object.entries(files));
  for (const { file, text } of plan) texts.set(file.path, text);
  return { texts, messages: outcomes.map(({ message }) => message) };
}

const OLD_LINE = /^[ \t]*(?:Order|Allow|Deny|Satisfy)[ \t]/m;

const in22 = `<IfVersion < 2.4>\nAuthType Basic\n</IfVersion>\n${REST}Require valid-user\n`;
const inAbsent = `<IfModule mod_authz_default.c>\nAuthType Basic\n</IfModule>\n${REST}Require valid-user\n`;

describe('one odd section of the server keeps no other from being converted', () => {
  test.each<[string, string]>([
    ['an AuthType for 2.2 alone, around all', `<Directory /w>\n${in22}</Directory>\n`],
    ['an AuthType for 2.2 alone', `<Directory /w/u1>\n${in22}</Directory>\n`],
    ['an AuthType behind a module that nothing loads', `<Directory /w/u1>\n${inAbsent}</Directory>\n`],
    ['the same for a URL', `<Location /u1>\n${inAbsent}</Location>\n`],
  ])('%s', (_, odd) => {
    const files = { [SERVER]: HEAD + odd + HT, '/w/u2/.htaccess': LIST, '/w/u2/index.html': '' };
    const { texts } = convert(files);
    for (const [path, text] of texts)
      expect([path, text]).toEqual([path, expect.not.stringMatching(OLD_LINE)]);
    expect(texts.get('/w/u2/.htaccess')).toContain('Require ip 10.2');
    // Whoever asks for the server's own pages is no more refused than before.
    expect(texts.get(SERVER)).toMatch(/<Directory \/w>\nAllowOverride All\nRequire all granted\n/);
  });

  test('without a file of a user, too', () => {
    const { texts } = convert({ [SERVER]: `${HEAD}<Directory /w/u1>\n${inAbsent}</Directory>\n${HT}` }, [
      SERVER,
    ]);
    expect(texts.get(SERVER)).not.toMatch(OLD_LINE);
    expect(texts.get(SERVER)).toMatch(/<Directory \/w\/u1>\n(?:(?!<\/Directory>)[^])*Require all denied\n/);
  });
});

describe('a .htaccess of which nobody knows the place makes no section ask for TLS', () => {
  const user = `AuthType Basic\n${REST}Require valid-user\nSatisfy Any\n${LIST}`;
  const files = { [SERVER]: HEAD + HT, '/w/u2/.htaccess': user, '/w/u2/index.html': '' };
  const paths = [SERVER, '/w', '/elsewhere'];

  test.each([
    'SSLRequireSSL\n',
    `SSLRequireSSL\nSatisfy Any\n${LIST}`,
    'SSLOptions +FakeBasicAuth\nSSLRequireSSL\n',
    '<Files x>\nSSLRequireSSL\n</Files>\n',
    `${LIST}<Limit GET>\nSSLRequireSSL\n</Limit>\n`,
  ])('%j', (text) => {
    const { texts } = convert({ ...files, '/elsewhere/a/.htaccess': text }, paths);
    expect(texts.get(SERVER)).not.toMatch(/ssl/i);
    expect(texts.get(SERVER)).toMatch(/<Directory \/w>\nAllowOverride All\nRequire all granted\n/);
    expect(texts.get('/w/u2/.htaccess')).toMatch(/Require ip 10\.2\nRequire valid-user\n$/);
  });
});
