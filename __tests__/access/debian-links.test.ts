import type { RunOptions, RunResult } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';

// A conversion leaves Debian's links in mods-enabled to a2dismod: while they are there, they say nothing about its result.

const CONF = '/etc/apache2/apache2.conf';
const GUARD = '/var/www/plugins/guard/.htaccess';
const PATHS = ['/etc/apache2', '/var/www'];

const LINKS = Object.fromEntries(
  ['authz_default', 'authz_host', 'alias', 'mime', 'dir'].map((name) => [
    `/etc/apache2/mods-enabled/${name}.load`,
    `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`,
  ]),
);

const SERVER = `ServerRoot "/etc/apache2"
<Files ~ "^\\.ht">
    Order allow,deny
    Deny from all
</Files>
DefaultType None
Include mods-enabled/*.load
DocumentRoot /var/www
<Directory /var/www>
    Options None
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
`;

/** As plugins bring it: 2.2 lets everybody see the styles, and 2.4 does. */
const HALVES = `<IfModule !mod_authz_core.c>
Order Deny,Allow
Deny from all
<FilesMatch "\\.(css|js|png)$">
Allow from all
</FilesMatch>
</IfModule>
<IfModule mod_authz_core.c>
Require all denied
<FilesMatch "\\.(css|js|png)$">
Require all granted
</FilesMatch>
</IfModule>
`;

const VERSIONS = `<IfVersion < 2.4>
Order Deny,Allow
Deny from all
<Files "*.css">
Allow from all
</Files>
</IfVersion>
<IfVersion >= 2.4>
Require all denied
<Files "*.css">
Require all granted
</Files>
</IfVersion>
`;

const TREE: Readonly<Record<string, string>> = {
  ...LINKS,
  [CONF]: SERVER,
  '/var/www/.htaccess': 'Order allow,deny\nDeny from 81.5.238.245\nAllow from all\n',
};

const errorsOf = ({ outcomes }: RunResult): readonly string[] =>
  outcomes
    .filter(({ level, safety }) => level === 'error' && safety === 'manual')
    .map(({ rule, message }) => `${rule}: ${message}`);

const LEFT_TO_COMMANDS = /^load-module: 2\.4 (?:has no authz_default_module|needs )/;

function textsAfter(files: Readonly<Record<string, string>>, options: RunOptions): Record<string, string> {
  const result = convertFiles(files, PATHS, options);
  expect(result.failure).toBeUndefined();
  return Object.fromEntries(
    Object.keys(files).map((path) => [path, textAfter(result, path) ?? files[path]!]),
  );
}

describe.each([
  ['as it is', {}],
  ['with --pin-defaults', { pinDefaults: true }],
] satisfies [string, RunOptions][])('a server with links for modules of 2.2, %s', (_, options) => {
  test.each([
    ['IfModule', HALVES],
    ['IfVersion', VERSIONS],
  ])('a file with halves in %s stays, and nothing is said of what the run converts', (__, text) => {
    const files = { ...TREE, [GUARD]: text };
    const result = convertFiles(files, PATHS, options);
    expect(textAfter(result, GUARD)).toBe(text);
    expect(textAfter(result, '/var/www/.htaccess')).toContain('<RequireAll>');
    expect(errorsOf(result).filter((message) => !LEFT_TO_COMMANDS.test(message))).toEqual([]);
  });

  test('a second run, before a2dismod, changes nothing and says no more', () => {
    const files = textsAfter({ ...TREE, [GUARD]: HALVES }, options);
    const again = convertFiles(files, PATHS, options);
    expect(again.plan).toEqual([]);
    expect(errorsOf(again).filter((message) => !LEFT_TO_COMMANDS.test(message))).toEqual([]);
  });

  test('without the links the texts are the same', () => {
    const files = { ...TREE, [GUARD]: HALVES };
    const others = { ...files, ...Object.fromEntries(Object.keys(LINKS).map((path) => [path, ''])) };
    const [a, b] = [textsAfter(files, options), textsAfter(others, options)];
    for (const path of [CONF, GUARD, '/var/www/.htaccess']) expect(a[path]).toBe(b[path]);
  });
});

test('the commands load what --pin-defaults writes', () => {
  const files = { ...TREE, [CONF]: SERVER.replace('DefaultType None\n', '') };
  const { outcomes, plan } = convertFiles(files, PATHS, { pinDefaults: true });
  expect(plan.find(({ file }) => file.path === CONF)?.text).toContain('Header set Content-Type');
  expect(outcomes.flatMap(({ commands = [] }) => commands)).toContain('enable headers');
});

test('DefaultType None stays: 2.2 sent no type either, then and in a later run', () => {
  const files = textsAfter(TREE, { pinDefaults: true });
  expect(files[CONF]).toContain('DefaultType None\n');
  expect(textsAfter(files, { pinDefaults: true })[CONF]).not.toContain('Header');
});

/** What a 2.2 answers 500 to, on a server that is one. */
const WRITTEN_FOR_24: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a file of one customer': { ...TREE, '/var/www/a/.htaccess': 'Require all granted\n' },
  'a section of the server beside others for 2.2': {
    ...TREE,
    [CONF]: `${SERVER}<Directory /var/www/a>\n    Require all granted\n</Directory>\n`,
    '/var/www/a/.htaccess': '',
  },
  'a server without a line for 2.2, whose module is loaded by a line of its own': {
    [CONF]:
      'LoadModule authz_default_module modules/mod_authz_default.so\nDocumentRoot /var/www\n<Directory /var/www>\nRequire all granted\n</Directory>\n',
    '/var/www/.htaccess': '',
  },
};

test.each(Object.entries(WRITTEN_FOR_24))('an error tells of what is written for 2.4: %s', (_, files) => {
  expect(errorsOf(convertFiles(files, PATHS))).toContainEqual(
    expect.stringMatching(/written for 2\.4.*2\.2 answers 500/),
  );
});

test('an error tells of a section that 2.2 does not know', () => {
  const files = { ...TREE, '/var/www/a/.htaccess': '<RequireAll>\nRequire all granted\n</RequireAll>\n' };
  expect(errorsOf(convertFiles(files, PATHS))).toContainEqual(
    expect.stringMatching(/2\.2 answers 500, because it does not know <RequireAll>/),
  );
});

test('a half for 2.4 that lets in whom 2.2 asks for a password is rewritten', () => {
  const password = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/users\nRequire user alice\n';
  const result = convertFiles({ ...TREE, '/var/www/.htaccess': password, [GUARD]: HALVES }, PATHS);
  expect(textAfter(result, GUARD)).not.toContain('Require all granted');
  expect(textAfter(result, GUARD)).toContain('Require user alice');
});
