import { convertFiles, textAfter } from '../../testing/run/convert';

const CONF = '/etc/httpd.conf';
const MODULES =
  'LoadModule authz_default_module modules/mod_authz_default.so\nLoadModule authz_host_module modules/mod_authz_host.so\n';
const TOP = `${MODULES}DocumentRoot "/site"\n<Directory "/site">\nAllowOverride All\n</Directory>\n`;

function errorsOf(files: Readonly<Record<string, string>>): string[] {
  return convertFiles(files, [CONF, '/site'])
    .outcomes.filter(
      ({ level, safety, rule }) => level === 'error' && safety === 'manual' && rule !== 'options-unset',
    )
    .map(({ message }) => message);
}

test('a bare line of 2.4 that a 2.2 answers 500 to is told, without any line of Order, Allow or Deny', () => {
  for (const word of ['granted', 'denied'])
    expect(errorsOf({ [CONF]: TOP, '/site/a/.htaccess': `Require all ${word}\n` })).toContainEqual(
      expect.stringMatching(/written for 2\.4.*2\.2 answers 500/),
    );
});

test('a half for 2.4 in another directory does not take the place of one for 2.2', () => {
  const files = {
    [CONF]: TOP,
    '/site/a/.htaccess': '<Files x>\n<IfVersion < 2.4>\nDeny from all\n</IfVersion>\n</Files>\n',
    '/site/b/.htaccess': '<Files x>\n<IfVersion >= 2.4>\nRequire all denied\n</IfVersion>\n</Files>\n',
  };
  const result = convertFiles(files, [CONF, '/site']);
  expect(textAfter(result, '/site/a/.htaccess')).toBe('<Files x>\nRequire all denied\n</Files>\n');
});

test('the line that shows a 2.2 stays while lines for 2.2 stay beside lines for 2.4', () => {
  const files = {
    [CONF]: `${TOP}<Directory "/site/a">\nDeny from all\nRequire all denied\n</Directory>\n`,
  };
  const result = convertFiles(files, [CONF]);
  expect(result.failure).toBeUndefined();
  expect(textAfter(result, CONF) ?? files[CONF]).toContain('authz_default_module');
});

const ALIASED = `${TOP}Alias /b "/data"\n<Directory "/data">\nAllowOverride All\n</Directory>\n`;

/** What 2.2 answers 500 to in a `.htaccess`, or lets everybody see, and 2.4 does not. */
const TOLD: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly says: RegExp }>
> = {
  'a section that 2.2 does not know beside a half for 2.2': {
    files: {
      [CONF]: TOP,
      '/site/.htaccess':
        '<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>\n<RequireAll>\nRequire all denied\n</RequireAll>\n',
    },
    says: /2\.2 answers 500, because it does not know <RequireAll>, and 2\.4 serves/,
  },
  'a line of a module that 2.2 does not load': {
    files: { [CONF]: TOP, '/site/.htaccess': 'ExpiresActive On\n' },
    says: /2\.2 answers 500, because no module that it loads has ExpiresActive, and 2\.4 serves/,
  },
  'a line of a module that 2.4 loads for something else, and 2.2 did not load': {
    files: {
      [CONF]: `${TOP}AddOutputFilterByType DEFLATE text/html\n`,
      '/site/.htaccess': 'FilterDeclare x\n',
    },
    says: /2\.2 answers 500, because no module that it loads has FilterDeclare, and 2\.4 serves what is there once/,
  },
  'the same in a file that was not given': {
    files: { [CONF]: ALIASED, '/data/.htaccess': 'ExpiresActive On\n', '/site/.htaccess': '' },
    says: /2\.2 answers 500, because no module that it loads has ExpiresActive/,
  },
  'a block that only 2.4 reads where nothing else says who gets in': {
    files: {
      [CONF]: TOP,
      '/site/a/.htaccess': '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n',
    },
    says: /only 2\.4 reads its lines, and they change who gets in.*2\.2 admits, 2\.4 refuses/,
  },
  'a half that another virtual host reads otherwise, beside a file for 2.4 below it': {
    files: {
      [CONF]: `${TOP}UseCanonicalName DNS\nListen 80\n<VirtualHost *:80>\nServerName one\n<Directory "/site/a">\nDeny from all\nAllow from 10\nAuthType Basic\nAuthName x\nRequire user alice\nSatisfy Any\n</Directory>\n</VirtualHost>\n<VirtualHost *:80>\nServerName two\n</VirtualHost>\n`,
      '/site/a/.htaccess':
        '<IfModule mod_authz_default.c>\nAuthType Basic\nAuthName x\nDeny from all\nAllow from 192.168.1.5\nRequire valid-user\n</IfModule>\n<IfModule mod_authz_core.c>\nAuthType Basic\nAuthName x\n<RequireAll>\nRequire ip 192.168.1.5\nRequire valid-user\n</RequireAll>\n</IfModule>\n',
      '/site/a/b/.htaccess': '<IfVersion >= 2.4>\nRequire all denied\n</IfVersion>\n',
    },
    says: /site\/a\/\.htaccess: its lines for 2\.4 do not decide as 2\.2 does here/,
  },
  'a document root that is not there, whose section a Location counts on': {
    files: {
      [CONF]: `ServerRoot "/etc"\n${MODULES}DocumentRoot "/site/none"\n<Directory "/site/none">\nDeny from 10.1.2.3\n</Directory>\n<Location /a>\nRequire user alice\nAuthType Basic\nAuthName x\n</Location>\n`,
      '/site/x/.htaccess': '',
    },
    says: /requests lead to \/site\/none, where there is no directory.*2\.2 asks for a password, 2\.4 refuses/,
  },
  'a directory in the document root that is not there, whose section a Location counts on': {
    files: {
      [CONF]: `ServerRoot "/etc"\n${MODULES}DocumentRoot "/site"\n<Directory "/site">\nDeny from all\n</Directory>\n<Directory "/site/none/x">\nAllow from all\n</Directory>\n<Location /none/x/state>\nSetHandler server-status\nRequire user alice\nAuthType Basic\nAuthName x\nSatisfy Any\n</Location>\n`,
      '/site/a/.htaccess': '',
    },
    says: /requests lead to \/site\/none, where there is no directory.*2\.2 asks for a password, 2\.4 admits/,
  },
  'a section for a directory that is a file, which a Location counts on': {
    files: {
      [CONF]: `ServerRoot "/etc"\n${MODULES}DocumentRoot "/site"\n<Directory "/site">\nDeny from all\n</Directory>\n<Directory "/site/p.cgi">\nAllow from all\n</Directory>\n<Location /p.cgi>\nRequire user alice\nAuthType Basic\nAuthName x\nSatisfy Any\n</Location>\n`,
      '/site/p.cgi': '',
    },
    says: /requests lead to \/site\/p\.cgi, where there is no directory.*2\.2 asks for a password, 2\.4 admits/,
  },
  'the second alternative of a regular expression': {
    files: {
      [CONF]: `${TOP}<Location /a>\nDeny from all\n</Location>\n<DirectoryMatch "^/site/(a|c)/">\n<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n</DirectoryMatch>\n`,
      '/site/.htaccess': '',
    },
    says: /GET \/c\/.*2\.2 admits, 2\.4 refuses/,
  },
  'a line of 2.4 in a FilesMatch, which a Location above it asks for by the last part of the file name': {
    files: {
      [CONF]: `${MODULES}LoadModule authz_user_module modules/mod_authz_user.so\n${TOP.slice(MODULES.length)}<Location /a>\nDeny from all\nSatisfy Any\n</Location>\n`,
      '/site/a/.htaccess':
        'AuthType Basic\nAuthName x\n<Files "y.*">\nDeny from all\nAllow from 10.1.2.3\nRequire valid-user\nSatisfy Any\n</Files>\n',
      '/site/a/b/.htaccess': '<FilesMatch "\\.php$">\nRequire all granted\n</FilesMatch>\n',
    },
    says: /<Location \/a>: it meets <FilesMatch .* at \S*b\/\.htaccess:1, which is already written for 2\.4.*GET \/a\/b\/\S*\.php\b.*2\.2 asks for a password, 2\.4 refuses/,
  },
};

test.each(Object.entries(TOLD))('an error tells of %s', (_, { files, says }) => {
  expect(errorsOf(files)).toContainEqual(expect.stringMatching(says));
});

test.each([
  ['of a module that is not loaded', '<IfModule mod_expires.c>\nExpiresActive On\n</IfModule>\n'],
  ['of a module that is compiled in', '<IfVersion < 2.4>\nOptions None\n</IfVersion>\n'],
  ['of a module that is not one of httpd', 'NonexistentLine on\n'],
])('nothing is said of a block or line %s', (_, text) => {
  expect(errorsOf({ [CONF]: TOP, '/site/.htaccess': text })).toEqual([]);
});

const LIMITED = `${MODULES}DocumentRoot "/site"\n<Directory "/site">\nAllowOverride Limit\n</Directory>\n`;
const HALF_REFUSED =
  '<IfModule !mod_authz_core.c>\nDeny from all\nAuthType Basic\nRequire user alice\n</IfModule>\n' +
  '<IfModule mod_authz_core.c>\nAuthType Basic\n<RequireAll>\nRequire all denied\nRequire user alice\n</RequireAll>\n</IfModule>\n';

/** Files that 2.2 answers 500 to, for what AllowOverride does not let them say, beside those that need an AllowOverrideList. */
const BESIDE_REFUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a file with halves below a file with halves that ask for a password': {
    [CONF]: LIMITED,
    '/site/.htaccess': HALF_REFUSED,
    '/site/a/.htaccess': 'Allow from 10.1.2.3\n',
  },
  'two files with halves, one of which asks for a password': {
    [CONF]: LIMITED,
    '/site/a/.htaccess': HALF_REFUSED,
    '/site/c/.htaccess':
      '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>\n',
  },
  'a file with a bare Require line': {
    [CONF]: LIMITED,
    '/site/.htaccess':
      'Require user alice\n<IfModule mod_authz_core.c>\n<RequireAny>\n</RequireAny>\n</IfModule>\n',
    '/site/a/.htaccess':
      '<IfModule authz_core_module>\nRequire ip 10.1\n</IfModule>\n<IfModule !authz_core_module>\nDeny from all\nAllow from 10.1\n</IfModule>\n',
  },
  'old lines in a file that is refused, beside one written for 2.4': {
    [CONF]: `${MODULES}DocumentRoot "/site"\n<Directory "/site">\nAllowOverride Limit\nAllow from all\n</Directory>\n<Location /a>\n<IfVersion < 2.4>\nAllow from all\n</IfVersion>\n<IfVersion >= 2.4>\nRequire all granted\n</IfVersion>\n</Location>\n`,
    '/site/.htaccess': 'Deny from 192.168.1.5\nRequire valid-user\n',
    '/site/a/.htaccess': 'Require all granted\n',
  },
};

test.each(Object.entries(BESIDE_REFUSED))('one run settles it: %s', (_, files) => {
  expect(convertFiles(files, [CONF, '/site']).failure).toBeUndefined();
});

test('no list lets in a file that 2.2 answers 500 to, though its halves say the same', () => {
  const files = {
    [CONF]: LIMITED,
    '/site/a/.htaccess':
      '<IfVersion < 2.4>\nDeny from all\nSatisfy Any\n</IfVersion>\n<IfVersion >= 2.4>\nRequire all denied\n</IfVersion>\n',
    '/site/c/.htaccess': 'Deny from all\n',
  };
  const result = convertFiles(files, [CONF, '/site']);
  expect(textAfter(result, '/site/c/.htaccess')).toBe('Require all denied\n');
  expect(textAfter(result, CONF)).toMatch(
    /AllowOverrideList Require\n[^]*<Directory \/site\/a>\n *AllowOverrideList None\n<\/Directory>\n/,
  );
});

describe('lines for 2.4 alone in a .htaccess, where the access lines of the server are all old,', () => {
  const server = (path: string): string =>
    `ServerRoot /etc/httpd\nDocumentRoot "/site"\n<Directory "${path}">\nAllowOverride All\nOrder allow,deny\nDeny from all\n</Directory>\n`;
  const block = (inside: string): string => `<IfVersion >= 2.4>\n${inside}</IfVersion>\n`;

  test.each([
    ['alone', block('Require all granted\n')],
    ['for 2.4 by its module', '<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n'],
    ['in a section for files', `<Files x>\n${block('Require all granted\n')}</Files>\n`],
    ['around one', block('<FilesMatch "^x">\nRequire all granted\n</FilesMatch>\n')],
    ['for a method', block('<Files x>\n<Limit GET>\nRequire all granted\n</Limit>\n</Files>\n')],
  ])('let nobody in whom 2.2 keeps out: %s', (_, text) => {
    const result = convertFiles({ [CONF]: server('/site'), '/site/a/.htaccess': text }, [CONF, '/site']);
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, CONF)).toContain('Require all denied');
    expect(textAfter(result, '/site/a/.htaccess')).toContain('Require all denied');
    expect(textAfter(result, '/site/a/.htaccess')).not.toContain('granted');
  });

  test('twin: those that say what 2.2 answers stay', () => {
    const files = { [CONF]: server('/site/b'), '/site/a/.htaccess': block('Require all granted\n') };
    const result = convertFiles(files, [CONF, '/site']);
    expect(result.plan.map(({ file }) => file.path)).toEqual([CONF]);
  });
});
