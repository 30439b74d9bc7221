import { loadRereadable, memory } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/users\nRequire valid-user\n';
const ALL = 'Order allow,deny\nAllow from all\n';

const section = (path: string, body: string): string => `<Directory ${path}>\n${body}</Directory>\n`;

/** The text of a server with users' directories, once converted. */
function converted(more: string, files: Readonly<Record<string, string>> = {}): Map<string, string> {
  const server = `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n${section('/', 'AllowOverride None\n')}${more}`;
  const all = {
    '/etc/httpd/httpd.conf': server,
    '/srv/www/index.html': '',
    '/home/bo/www/index.html': '',
    ...files,
  };
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const tree = loadRereadable(
    memory(new Map(Object.entries(all))),
    ['/etc/httpd/httpd.conf', '/srv/www', '/home'],
    options,
  );
  return new Map(run(tree, transforms).plan.map(({ file, text }) => [file.path, text]));
}

/** The body of one Directory of a text. */
const bodyOf = (text: string | undefined, path: string): string | undefined =>
  text?.split(`<Directory ${path}>\n`)[1]?.split('</Directory>')[0];

test('a .htaccess comes after a Directory with wildcards that is for its directory', () => {
  const texts = converted(
    `UserDir /home/*/www\n${section('/home/*/www', `AllowOverride All\n${ALL}`)}${section('/home/*/www/priv', PASSWORD)}`,
    { '/home/bo/www/.htaccess': 'Satisfy any\nOrder deny,allow\nDeny from 127.0\n' },
  );
  expect(bodyOf(texts.get('/etc/httpd/httpd.conf'), '/home/*/www/priv')).toBe(
    `AuthType Basic
AuthName x
AuthUserFile /etc/users
<RequireAll>
    Require expr %{REQUEST_FILENAME} =~ m#^/home/bo/www(/|$)#
    <RequireAny>
        <RequireAll>
            Require all granted
            Require not ip 127.0
        </RequireAll>
        Require valid-user
    </RequireAny>
</RequireAll>
<RequireAll>
    Require expr %{REQUEST_FILENAME} !~ m#^/home/bo/www(/|$)#
    Require valid-user
</RequireAll>
`,
  );
});

test('Directory sections with wildcards are merged level by level, whichever server has them', () => {
  const outer = section('/home/*/www', ALL);
  const middle = section('/home/*/www/priv', 'Order allow,deny\nAllow from 10.1\n');
  const inner = section('/home/*/www/priv/x', PASSWORD);
  const host = (body: string): string =>
    `<VirtualHost *:80>\nServerName a\nDocumentRoot /srv/www\nUserDir /home/*/www\n${body}</VirtualHost>\n`;
  for (const more of [middle + host(outer + inner), host(inner + middle + outer)])
    expect(bodyOf(converted(more).get('/etc/httpd/httpd.conf'), '/home/*/www/priv/x')).toBe(
      `AuthType Basic
AuthName x
AuthUserFile /etc/users
<RequireAll>
    Require ip 10.1
    Require valid-user
</RequireAll>
`,
    );
});

test('a directory that no URL leads to inherits from the .htaccess above it all the same', () => {
  const texts = converted(
    section('/home', 'AllowOverride All\n') +
      section('/home/bo/www/a', 'Order deny,allow\nDeny from all\nAllow from 10.1\n'),
    { '/home/bo/www/.htaccess': PASSWORD },
  );
  expect(bodyOf(texts.get('/etc/httpd/httpd.conf'), '/home/bo/www/a')).toBe(
    '<RequireAll>\n    Require ip 10.1\n    Require valid-user\n</RequireAll>\n',
  );
});
