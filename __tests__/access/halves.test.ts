import { loadTree, memory, overlay } from '../../src/config';
import { type Outcome, type RunOptions, run } from '../../src/engine';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
const CONF = '/etc/httpd/httpd.conf';
const TOP =
  'ServerRoot "/etc/httpd"\nListen 80\nDocumentRoot "/site"\n<Directory />\nOptions FollowSymLinks\nAllowOverride All\n</Directory>\n';
const AUTH = 'AuthType Basic\nAuthName "a"\nAuthUserFile /etc/httpd/users\n';
const GRANTED = ['Order allow,deny\nAllow from all\n', 'Require all granted\n'] as const;
const DENIED = ['Order deny,allow\nDeny from all\n', 'Require all denied\n'] as const;
const OFFICE = ['Order deny,allow\nDeny from all\nAllow from 10.4\n', 'Require ip 10.4\n'] as const;

type Files = Readonly<Record<string, string>>;

interface Converted {
  readonly text: (path: string) => string;
  readonly failure: string | undefined;
  /** Of access, as far as a person must act. */
  readonly errors: readonly Outcome[];
  readonly files: Files;
}

function convert(files: Files, dual?: boolean): Converted {
  const options: RunOptions = dual === undefined ? {} : { dual };
  const source = memory(new Map(Object.entries(files)));
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), Object.keys(files), LOAD);
  const { plan, outcomes, failure } = run({ tree: load(new Map()), reread: load }, transforms, options);
  const result = { ...files, ...Object.fromEntries(plan.map(({ file, text }) => [file.path, text])) };
  const errors = outcomes.filter(
    ({ rule, level, status }) => rule === 'order-allow-deny' && level === 'error' && status !== 'applied',
  );
  return { text: (path) => result[path]!, failure, errors, files: result };
}

function halves([for22, for24]: readonly [string, string], module = 'IfModule mod_authz_core.c'): string {
  const [name, words] = [module.split(' ')[0]!, module.slice(module.indexOf(' ') + 1)];
  return `<${name} ${words}>\n${for24}</${name}>\n<${name} !${words}>\n${for22}</${name}>\n`;
}

const PASSWORD = `<Directory "/site">\nAllowOverride All\n${AUTH}Require valid-user\n</Directory>\n`;
const ANY = `<Directory "/site">\nAllowOverride All\n${AUTH}Require user ann\n${OFFICE[0]}Satisfy Any\n</Directory>\n`;

/** Halves that say the same by themselves, and not to a request that has met what stands above them. */
const REWRITTEN: Readonly<
  Record<string, { readonly files: Files; readonly at: string; readonly to: string }>
> = {
  'a .htaccess below a password': {
    files: { [CONF]: TOP + PASSWORD, '/site/a/.htaccess': halves(GRANTED) },
    at: '/site/a/.htaccess',
    to: halves([GRANTED[0], 'Require valid-user\n']),
  },
  'a Directory below a password': {
    files: { [CONF]: `${TOP}${PASSWORD}<Directory "/site/a">\n${halves(GRANTED)}</Directory>\n` },
    at: CONF,
    to: `${TOP}${PASSWORD}<Directory "/site/a">\n${halves([GRANTED[0], 'Require valid-user\n'])}</Directory>\n`,
  },
  'a Location': {
    files: {
      [CONF]: `${TOP}${PASSWORD}<Location /a>\n${halves(DENIED, 'IfVersion >= 2.4')}</Location>\n<Location /b>\n${halves(GRANTED, 'IfVersion >= 2.4')}</Location>\n`,
    },
    at: CONF,
    to: `${TOP}${PASSWORD}<Location /a>\n${halves(DENIED, 'IfVersion >= 2.4')}</Location>\n<Location /b>\n${halves([GRANTED[0], 'Require valid-user\n'], 'IfVersion >= 2.4')}</Location>\n`,
  },
  'Files in a .htaccess': {
    files: { [CONF]: TOP + PASSWORD, '/site/a/.htaccess': `<Files "*.css">\n${halves(GRANTED)}</Files>\n` },
    at: '/site/a/.htaccess',
    to: `<Files "*.css">\n${halves([GRANTED[0], 'Require valid-user\n'])}</Files>\n`,
  },
  'sections of which each version reads one': {
    files: {
      [CONF]: `${TOP}${PASSWORD}${halves([`<Directory "/site/a">\n${GRANTED[0]}</Directory>\n`, `<Directory "/site/a">\n${GRANTED[1]}</Directory>\n`])}`,
    },
    at: CONF,
    to: `${TOP}${PASSWORD}${halves([`<Directory "/site/a">\n${GRANTED[0]}</Directory>\n`, '<Directory "/site/a">\nRequire valid-user\n</Directory>\n'])}`,
  },
  'halves that are Includes': {
    files: {
      [CONF]: `${TOP}${PASSWORD}<Directory "/site/a">\n${halves(['Include /etc/httpd/old.conf\n', 'Include /etc/httpd/new.conf\n'])}</Directory>\n`,
      '/etc/httpd/old.conf': GRANTED[0],
      '/etc/httpd/new.conf': GRANTED[1],
    },
    at: '/etc/httpd/new.conf',
    to: 'Require valid-user\n',
  },
  'a virtual host': {
    files: {
      [CONF]: `${TOP}${PASSWORD}<VirtualHost *:80>\nDocumentRoot "/site"\n<Directory "/site/a">\n${halves(GRANTED)}</Directory>\n</VirtualHost>\n`,
    },
    at: CONF,
    to: `${TOP}${PASSWORD}<VirtualHost *:80>\nDocumentRoot "/site"\n<Directory "/site/a">\n${halves([GRANTED[0], 'Require valid-user\n'])}</Directory>\n</VirtualHost>\n`,
  },
  'one that shuts out a user below Satisfy Any': {
    files: { [CONF]: TOP + ANY, '/site/a/.htaccess': halves(DENIED) },
    at: '/site/a/.htaccess',
    to: halves([DENIED[0], 'Require user ann\n']),
  },
  'a container of several lines': {
    files: {
      [CONF]: TOP + PASSWORD,
      '/site/a/.htaccess': halves(['Order allow,deny\nAllow from all\nDeny from 10.9\n', '<RequireAll>\nRequire all granted\nRequire not ip 10.9\n</RequireAll>\n']), // prettier-ignore
    },
    at: '/site/a/.htaccess',
    to: halves([
      'Order allow,deny\nAllow from all\nDeny from 10.9\n',
      '<RequireAll>\nRequire not ip 10.9\nRequire valid-user\n</RequireAll>\n',
    ]),
  },
  'a virtual host whose root lies below, where a Location decides for the others': {
    files: {
      [CONF]: `${TOP}<Location /a>\nAllow from all\n</Location>\n<VirtualHost *:80>\nDocumentRoot /site/a/b\n</VirtualHost>\n`,
      '/site/a/.htaccess': halves([DENIED[0], GRANTED[1]]),
      '/site/a/b/w.html': '',
    },
    at: '/site/a/.htaccess',
    to: halves(DENIED),
  },
};

test.each(Object.entries(REWRITTEN))('%s is rewritten to what 2.2 decides', (_, { files, at, to }) => {
  for (const dual of [undefined, true]) {
    const { text, errors, failure, files: result } = convert(files, dual);
    expect(failure).toBeUndefined();
    expect(errors).toEqual([]);
    if (dual === undefined || at.endsWith('.htaccess'))
      expect(
        text(at)
          .split('\n')
          .map((line) => line.trim()),
      ).toEqual(to.split('\n'));
    expect(convert(result, dual).files).toEqual(result);
  }
});

/** What 2.4 decides differently, and nobody can say what was meant: the request that the error names. */
const TOLD: Readonly<Record<string, { readonly files: Files; readonly request: RegExp }>> = {
  'halves that differ': {
    files: { [CONF]: `${TOP}<Directory "/site/a">\n${halves([DENIED[0], GRANTED[1]])}</Directory>\n` },
    request: /GET \/a\/w\.html .*2\.2 refuses, 2\.4 admits/,
  },
  'a half for 2.4 that lets in fewer': {
    files: { [CONF]: `${TOP}<Directory "/site/a">\n${halves([GRANTED[0], OFFICE[1]])}</Directory>\n` },
    request: /GET \/a\/w\.html .*2\.2 admits, 2\.4 refuses/,
  },
  'a block that only 2.4 reads': {
    files: {
      [CONF]: TOP + PASSWORD,
      '/site/a/.htaccess': '<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n',
    },
    request: /GET \/a\/w\.html .*without a password: 2\.2 asks for a password, 2\.4 admits/,
  },
  'a limit that one half lacks': {
    files: {
      [CONF]: `${TOP}<Directory "/site/a">\n${halves([`<Limit GET>\n${DENIED[0]}</Limit>\n`, DENIED[1]])}</Directory>\n`,
    },
    request: /POST \/a\/w\.html .*2\.2 admits, 2\.4 refuses/,
  },
  'a file that two sections include, which would need two texts': {
    files: {
      [CONF]: `${TOP}${PASSWORD}<Directory "/other">\nAllowOverride None\n</Directory>\nAlias /b /other/b\n${['/site/a', '/other/b'].map((path) => `<Directory "${path}">\nInclude /etc/httpd/both.conf\n</Directory>\n`).join('')}`,
      '/etc/httpd/both.conf': halves(GRANTED),
    },
    request: /GET \/a\/w\.html .*2\.2 asks for a password, 2\.4 admits/,
  },
  'a Require line of 2.4 that a 2.2 reads': {
    files: {
      [CONF]: `${TOP}LoadModule authz_host_module m\nLoadModule authz_default_module m\n<Directory "/site">\nAllowOverride All\n${OFFICE[0]}</Directory>\n`,
      '/site/a/.htaccess': GRANTED[1],
    },
    request: /GET \/a\/w\.html .*2\.2 refuses, 2\.4 admits/,
  },
  'a half for 2.2 of which it cannot be said whom it lets in': {
    files: {
      [CONF]: `${TOP}<Directory "/site/a">\n${AUTH}AuthGroupFile /g\nAuthDBMGroupFile /d\n${halves(['Require group staff\n', GRANTED[1]])}</Directory>\n`,
    },
    request: /2\.2 cannot be told, 2\.4 admits/,
  },
  'a Location for 2.4 that comes after one that it is for, too': {
    files: {
      [CONF]: `${TOP}<Location /a>\nAllow from all\n${AUTH}Require user ann\n</Location>\n<Location />\n<IfVersion >= 2.4>\nRequire all granted\n</IfVersion>\n</Location>\n`,
    },
    request: /GET \/a.* 2\.2 asks for a password(?:, 2\.4 admits|.* 2\.4 lets it in)/,
  },
  'a regex for a part of the name': {
    files: {
      [CONF]: `${TOP}${PASSWORD}<DirectoryMatch "/a/">\n<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n</DirectoryMatch>\n`,
    },
    request: /2\.2 asks for a password, 2\.4 admits/,
  },
};

test.each(Object.entries(TOLD))('%s: an error names a request', (_, { files, request }) => {
  for (const dual of [undefined, true, false]) {
    const { errors, failure } = convert(files, dual);
    expect(failure).toBeUndefined();
    expect(errors.map(({ message, why = '' }) => message + why)).toEqual([expect.stringMatching(request)]);
  }
});

/** What both versions answer the same. */
const SAME: Readonly<Record<string, Files>> = {
  'halves that are exact': { [CONF]: `${TOP}<Directory "/site">\n${halves(OFFICE)}</Directory>\n` },
  'a half for 2.4 that asks for the password again': {
    [CONF]: TOP + PASSWORD,
    '/site/a/.htaccess': halves([GRANTED[0], 'Require valid-user\n']),
  },
  'halves in the branches of a module that 2.4 always has': {
    [CONF]: TOP,
    '/site/a/.htaccess': `<IfModule mod_version.c>\n${halves(DENIED, 'IfVersion >= 2.4')}</IfModule>\n<IfModule !mod_version.c>\n${halves(DENIED)}</IfModule>\n`,
  },
  'blocks for 2.4 in what says nothing to 2.2': {
    [CONF]: `${TOP}<Directory "/site">\n<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n</Directory>\n`,
  },
};

test.each(Object.entries(SAME))('%s: nothing changes and nothing is said', (_, files) => {
  for (const dual of [undefined, true]) {
    const converted = convert(files, dual);
    expect(converted.files).toEqual(files);
    expect(converted.errors).toEqual([]);
  }
});

test.each([true, false])(
  'a password for 2.4 stays where a server that is not given may say who gets in by address, dual %s',
  (dual) => {
    const passwords = halves([`${AUTH}Require valid-user\n`, `${AUTH}Require valid-user\n`]);
    const files = {
      '/site/.htaccess': '<IfModule !mod_authz_core.c>\nSatisfy Any\n</IfModule>\n',
      '/site/a/.htaccess': passwords,
    };
    const { text, errors } = convert(files, dual);
    expect(text('/site/a/.htaccess')).not.toContain('granted');
    expect(errors.map(({ file }) => file.path)).toContain('/site/a/.htaccess');
  },
);

test('with --no-dual the stricter half stays as long as the other does not say the same', () => {
  const differ = `<Directory "/site/a">\n${halves([DENIED[0], GRANTED[1]])}</Directory>\n`;
  const { text } = convert({ [CONF]: TOP + differ }, false);
  expect(text(CONF)).toContain(differ);
});

test('with --no-dual a half that is rewritten stands alone', () => {
  const { text, errors } = convert({ [CONF]: TOP + PASSWORD, '/site/a/.htaccess': halves(GRANTED) }, false);
  expect(errors).toEqual([]);
  expect(text('/site/a/.htaccess')).toBe('Require valid-user\n');
});

const USER_AGENT = `Require expr "%{HTTP_USER_AGENT} != 'x'"\n`;
const LDAP = (group: string): string =>
  `AuthType Basic\nAuthName "a"\nAuthLDAPURL ldap://h/o=b\nRequire ldap-group cn=${group},o=b\n`;

/** Halves of which no model knows what 2.4 decides by them, and what is said. */
const NOT_KNOWN: readonly {
  readonly what: string;
  readonly pair: readonly [string, string];
  readonly said: RegExp | undefined;
}[] = [
  {
    what: 'an expression',
    pair: [GRANTED[0], USER_AGENT],
    said: /cannot be told, because of Require expr "%\{HTTP_USER_AGENT\} != 'x'"; .* 2\.4 perhaps refuses/,
  },
  {
    what: 'a word of another module',
    pair: [DENIED[0], 'Require dbd-group x\n'],
    said: /cannot be told, because of Require dbd-group x; .* 2\.4 perhaps admits/,
  },
  {
    what: 'an expression that does not matter',
    pair: [GRANTED[0], `Require all granted\n${USER_AGENT}`],
    said: undefined,
  },
  {
    what: 'an expression that is not all that differs',
    pair: [OFFICE[0], `Require ip 10.5\n${USER_AGENT}`],
    said: /do not decide as 2\.2 does/,
  },
  { what: 'the same group of LDAP', pair: [LDAP('c'), LDAP('c')], said: undefined },
  {
    what: 'another group of LDAP',
    pair: [LDAP('c'), LDAP('d')],
    said: /2\.2 asks for a password, 2\.4 (?:perhaps )?admits|2\.2 admits, 2\.4 (?:perhaps )?asks/,
  },
];

test.each(NOT_KNOWN)('of what no model knows it is said that it cannot be told: $what', ({ pair, said }) => {
  const directory = `<Directory "/site/a">\n${halves(pair)}</Directory>\n`;
  const files = { [CONF]: `${TOP}${directory}`, '/site/a/x.html': '' };
  const { errors, text } = convert(files);
  expect(text(CONF)).toContain(pair[1]);
  expect(errors.map(({ message }) => message)).toEqual(
    said === undefined ? [] : [expect.stringMatching(said)],
  );
});

test('a section that no request of 2.2 comes to keeps the strictest form of its half for 2.4', () => {
  const conf = `LoadModule authn_default_module modules/mod_authn_default.so
Listen 80
DocumentRoot /site
<Directory />
AllowOverride None
</Directory>
<Directory /site>
${GRANTED[0]}</Directory>
<Directory ~ "/s$">
${AUTH}Require valid-user
Satisfy any
Order deny,allow
Deny from 10
</Directory>
<Location />
Satisfy all
</Location>
<VirtualHost *:80>
DocumentRoot /site
<LocationMatch "/s/">
${AUTH}Require valid-user
Satisfy any
${DENIED[0]}</LocationMatch>
<LocationMatch "/s/">
Allow from 10
</LocationMatch>
</VirtualHost>
`;
  const result = convert({ [CONF]: conf }, true);
  const left = result.errors.filter(
    ({ message }) => !message.startsWith('1 section is written in the strictest form'),
  );
  expect(left).toEqual([]);
  expect(result.text(CONF)).toMatch(
    /<IfModule mod_authz_core\.c>\n +<RequireAll>\n +Require all granted\n +Require not ip 10\n/,
  );
  expect(convert(result.files, true).files).toEqual(result.files);
});
