import { convertFiles } from '../../testing/run/convert';

const SERVER = '/etc/httpd/httpd.conf';
const USERS = '/home/t/site/.htaccess';
const LOGIN = 'AuthType Basic\nAuthName x\nAuthUserFile /u\nRequire user alice\n';
const HEAD = `ServerRoot /etc/httpd\nListen 80\nLoadModule ssl_module modules/mod_ssl.so\nLoadModule auth_basic_module modules/mod_auth_basic.so\nDocumentRoot /srv/www\n<Directory />\nAllowOverride All\n</Directory>\n`;

const host = (root: string, inside = ''): string =>
  `<VirtualHost *:80>\nDocumentRoot ${root}\n${inside}</VirtualHost>\n`;
const location = (path: string, inside: string): string => `<Location ${path}>\n${inside}</Location>\n`;

/** What is said, by rule, of all files but the one of the user, and the texts that become of these. */
function ofOthers(
  config: string,
  theirs: string,
  rules: readonly string[],
  more: Readonly<Record<string, string>> = {},
): unknown {
  const { outcomes, plan } = convertFiles({ [SERVER]: HEAD + config, ...more, [USERS]: theirs }, [
    SERVER,
    '/home',
  ]);
  const said = outcomes.filter(({ rule, file }) => rules.includes(rule) && file.path !== USERS);
  return [
    said.map(({ file, at, message }) => [file.path, at, message]),
    plan.filter(({ file }) => file.path !== USERS).map(({ file, text }) => [file.path, text]),
  ];
}

const RULES = ['ssl-user-name', 'program-changes'];
const NAME = 'SSLVerifyClient require\nSSLUserName SSL_CLIENT_S_DN_CN\n';

describe('what a .htaccess says of the user that a certificate sets', () => {
  test.each([
    ['a login in a host that does not serve it', NAME, host('/srv/a', location('/private', LOGIN))],
    ['a login where no URL leads to it', NAME, host('/home/t', location('/private', LOGIN))],
    [
      'a login for directories of another',
      NAME,
      host('/srv/a', `<Directory ~ "^/srv/(a|b)">\n${LOGIN}</Directory>\n`),
    ],
    ['a user that is set in a host that does not serve it', LOGIN, host('/srv/a', location('/x', NAME))],
    [
      'logins by certificate in a host that does not serve it',
      'SSLOptions -FakeBasicAuth\n',
      host(
        '/srv/a',
        `SSLOptions +FakeBasicAuth\n${NAME}${location('/x', `SSLOptions +FakeBasicAuth\n${LOGIN}`)}`,
      ),
    ],
  ])('is nothing to %s', (_, theirs, config) => {
    const all = host('/home/t') + config;
    expect(ofOthers(all, theirs, RULES)).toEqual(ofOthers(all, '# nothing\n', RULES));
  });

  test.each([
    ['a login for its URLs', NAME, host('/home/t', location('/site', LOGIN)), 'SSL_NONE is added'],
    ['a login for all URLs', NAME, location('/', LOGIN), 'SSL_NONE is added'],
    [
      'a login by a pattern',
      NAME,
      host('/home/t', `<LocationMatch "e$">\n${LOGIN}</LocationMatch>\n`),
      'SSL_NONE is added',
    ],
    [
      'a login behind an Alias',
      NAME,
      host('/srv/a', `Alias /in /home/t\n${location('/in/site', LOGIN)}`),
      'SSL_NONE is added',
    ],
    [
      'a login where rewriting may lead there',
      NAME,
      host('/srv/a', `RewriteEngine on\nRewriteRule ^/in /home/t/site\n${location('/in', LOGIN)}`),
      'SSL_NONE is added',
    ],
    [
      'a login in homes',
      NAME,
      `UserDir site\n${host('/srv/a', location('/~t', LOGIN))}`,
      'SSL_NONE is added',
    ],
    [
      'a user that is set for its URLs',
      LOGIN,
      host('/home/t', location('/site', NAME)),
      'the line is removed',
    ],
    [
      'logins by certificate that it ends',
      `SSLOptions -FakeBasicAuth\n${LOGIN}`,
      host('/home/t', `SSLOptions +FakeBasicAuth\n${NAME}`),
      '',
    ],
  ])('twin: is told of %s', (_, theirs, config, words) => {
    const { outcomes } = convertFiles(
      { [SERVER]: HEAD + host('/srv/b') + config, '/home/t/site/.htaccess': theirs },
      [SERVER, '/home'],
    );
    const said = outcomes.filter(({ rule }) => rule === 'ssl-user-name').map(({ message }) => message);
    expect(said.join('\n')).toContain(words);
    expect(said).not.toEqual([]);
  });

  test.each([
    ['by the file of a user', '/home/t', '', { [USERS]: NAME }],
    ['by the host itself', '/srv/b', NAME, { [USERS]: '# nothing\n' }],
  ])(
    'is told of a login in a file that an earlier host includes, too, where the user is set %s',
    (_, root, lines, theirs) => {
      const include = 'Include conf/login.conf\n';
      const files = {
        [SERVER]: HEAD + host('/srv/a', include) + host(root, lines + include),
        '/etc/httpd/conf/login.conf': location('/site', LOGIN),
        '/srv/a/site/.htaccess': '# nothing\n',
        ...theirs,
      };
      const { outcomes, plan } = convertFiles(files, [SERVER, '/home', '/srv']);
      const said = outcomes.filter(({ rule }) => rule === 'ssl-user-name').map(({ message }) => message);
      expect(said.join('\n')).toContain('SSL_NONE is added');
      expect(
        plan
          .map(({ text }) => text)
          .join('')
          .match(/SSL_NONE/g),
      ).toHaveLength(1);
    },
  );

  test('does not change what is said of the programs of another', () => {
    const others = { '/home/a/.htaccess': 'AddHandler cgi-script .cgi\n' };
    const config = host('/home/t') + host('/home/a');
    expect(ofOthers(config, NAME, RULES, others)).toEqual(ofOthers(config, '# nothing\n', RULES, others));
    const { outcomes } = convertFiles(
      { [SERVER]: HEAD + config, ...others, '/home/t/site/.htaccess': NAME },
      [SERVER, '/home'],
    );
    const told = outcomes.filter(
      ({ rule, message }) => rule === 'program-changes' && message.includes('ClientCert'),
    );
    expect(told.map(({ file }) => file.path)).toEqual(['/home/t/site/.htaccess']);
  });
});

test('what a file of several hosts says of filters is told at the file of a user to which any of them leads', () => {
  const include = 'Include conf/filters.conf\n';
  const files = {
    '/etc/httpd/conf/filters.conf':
      '<DirectoryMatch "site">\nAddOutputFilterByType DEFLATE text/html\nSSITimeFormat %c\n</DirectoryMatch>\n',
    '/srv/a/.htaccess': '# nothing\n',
    [USERS]: 'AddOutputFilterByType DEFLATE text/plain\nSSIUndefinedEcho none\n',
  };
  const saidIn = (hosts: string): readonly string[] => {
    const { outcomes } = convertFiles({ [SERVER]: HEAD + hosts, ...files }, [SERVER, '/home', '/srv']);
    return outcomes.filter(({ file }) => file.path === USERS).map(({ rule }) => rule);
  };
  const alone = saidIn(host('/home/t', include));
  expect(alone).toEqual(expect.arrayContaining(['by-type-inherited', 'ssi-inherited']));
  expect(saidIn(host('/srv/a', include) + host('/home/t', include))).toEqual(alone);
  expect(saidIn(host('/srv/a', include) + host('/home/t'))).not.toContain('by-type-inherited');
});
