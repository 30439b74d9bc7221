import { convertFiles } from '../../testing/run/convert';
import { judgeTree } from '../../testing/shapes/judge';
import { URIS, treeOf } from '../../testing/shapes/layout';

type Lines = readonly string[];
type Texts = Readonly<Record<string, Lines>>;

const AUTH: Lines = ['AuthType Basic', 'AuthName x', 'AuthUserFile "@B@/conf/htpasswd"'];
const OFFICE: Lines = ['Order deny,allow', 'Deny from all', 'Allow from 10.1'];
const DENIED: Lines = ['Order deny,allow', 'Deny from all'];
const block = (open: string, lines: Lines): Lines => [`<${open}>`, ...lines, `</${open.split(' ')[0]!}>`];
const inA = (lines: Lines): Lines => block('Directory "@B@/htdocs/a"', lines);
const for22 = (lines: Lines): Lines => block('IfModule !mod_authz_core.c', lines);
const for24 = (lines: Lines): Lines => block('IfModule mod_authz_core.c', lines);
const none: Texts = {};

const judge = (server: Lines, files: Texts, dual: boolean): ReturnType<typeof judgeTree> =>
  judgeTree(treeOf({ name: 'blocks', server, files, uris: URIS }), dual);

test.each<[string, Lines, Texts]>([
  ['a module of 2.2', inA(block('IfModule mod_authz_default.c', OFFICE)), none],
  ['a module of 2.2, in a .htaccess', [], { 'htdocs/a/.htaccess': block('IfModule authz_default_module', OFFICE) }],
  ['the lack of a module of 2.4, and nothing for that', inA(for22(OFFICE)), none],
  ['the same in a .htaccess', [], { 'htdocs/a/.htaccess': for22(OFFICE) }],
  ['the version, with a password for both', inA([...AUTH, ...block('IfVersion < 2.4', ['Require valid-user', ...DENIED, 'Satisfy any'])]), none],
  ['the version, around the section', block('IfVersion < 2.4', [...inA(DENIED), ...block('Directory "@B@/htdocs/c"', OFFICE)]), none],
  ['the version, around a section with its password', block('IfVersion < 2.4', [...inA([...AUTH, 'Require valid-user']), ...block('Directory "@B@/htdocs/c"', [...OFFICE, ...AUTH, 'Require user alice', 'Satisfy any'])]), none],
  ['the version, beside lines for both', inA([...block('IfVersion < 2.4', ['Order deny,allow', 'Deny from all']), 'Allow from 10.1']), none],
  ['the version, beside a comment and another line', inA(block('IfVersion < 2.4', ['# as before', 'Options None', ...OFFICE])), none],
  ['the version, with a twin, beside lines for both', inA([...for22(DENIED), ...for24(['Require all denied']), 'Allow from 10.1']), none],
  ['the version, with what 2.2 decides, beside lines for both', inA([...for22(OFFICE), ...for24(['Require ip 10.1']), 'Order deny,allow']), none],
  ['the version, in a file that a section includes beside its lines', inA(['Satisfy any', ...AUTH, 'Require valid-user', 'Include "@B@/conf/office.inc"']), { 'conf/office.inc': [...for22(OFFICE), ...for24(['Require ip 10.1'])] }],
  ['the version, in a file of two sections, one of which says more', [...inA(['Include "@B@/conf/office.inc"']), ...block('Directory "@B@/htdocs/c"', ['Include "@B@/conf/office.inc"', 'Deny from 192.168.1.5'])], { 'conf/office.inc': [...for22(OFFICE), ...for24(['Require ip 10.1'])] }],
  ['an alternative that 2.2 alone reads, in a Files', [], { 'htdocs/a/.htaccess': block('Files x.txt', for22(DENIED)) }],
  ['the first release of 2.2', block('IfVersion 2.2', inA(DENIED)), none],
  ['the lack of a module that 2.2 had', inA(block('IfModule !mod_authz_default.c', DENIED)), none],
])('lines in a block that asks for %s', (_, server, files) => {
  for (const dual of [false, true]) {
    const { verdict, errors, differences } = judge(server, files, dual);
    expect({ dual, verdict, errors, differences }).toEqual({ dual, verdict: 'same', errors: [], differences: [] });
  }
}); // prettier-ignore

test.each<[string, Lines, Texts]>([
  ['hold a section beside a line that would come to life', block('IfVersion < 2.4', ['ErrorDocument 404 no', ...inA(DENIED)]), none],
])('lines are left to a person where blocks %s', (_, server, files) => {
  for (const dual of [false, true]) {
    const { verdict, errors, texts } = judge(server, files, dual);
    expect(['same', 'refused', 'told']).toContain(verdict);
    expect(errors).not.toEqual([]);
    expect(texts['conf/httpd.conf'] ?? '').not.toMatch(/Require ip|all denied/);
  }
}); // prettier-ignore

test.each<[string, Lines, Texts]>([
  ['beside a line for both', inA([...for22(OFFICE), ...for24(['Require all granted']), 'Deny from 192.168.1.5']), none],
  ['in a file of two sections', [...inA(['Include "@B@/conf/office.inc"', 'Deny from 192.168.1.5']), ...block('Directory "@B@/htdocs/c"', ['Include "@B@/conf/office.inc"'])], { 'conf/office.inc': [...for22(OFFICE), ...for24(['Require all granted'])] }],
])('lines for 2.4 that say something else become what a 2.2 decides, and that is assumed: %s', (_, server, files) => {
  const { verdict, result, differences } = judge(server, files, false);
  expect({ verdict, differences }).toEqual({ verdict: 'same', differences: [] });
  expect(result!.outcomes.filter(({ message }) => message.includes('something else than 2.2 decides'))).not.toEqual([]);
  const both = judge(server, files, true);
  expect(['same', 'refused', 'told']).toContain(both.verdict);
  expect(both.errors).not.toEqual([]);
}); // prettier-ignore

test('AuthType and its like come out of a block for 2.2, with --dual they stay', () => {
  const lines = inA(block('IfVersion < 2.4', [...AUTH, 'Require valid-user', ...OFFICE]));
  const { verdict, errors, texts } = judge(lines, {}, false);
  expect({ verdict, errors }).toEqual({ verdict: 'same', errors: [] });
  expect(texts['conf/httpd.conf']).not.toContain('IfVersion');
  const both = judge(lines, {}, true);
  expect(['refused', 'told']).toContain(both.verdict);
  expect(both.errors).not.toEqual([]);
});

test('a block for 2.2 stays where a 2.4 with mod_access_compat runs the configuration: its passwords are not in force', () => {
  const lines = inA([
    ...AUTH,
    ...OFFICE,
    'Require valid-user',
    'Satisfy any',
    ...block('IfVersion < 2.4', ['AuthUserFile "/srv/old"']),
  ]);
  const { plan } = convertFiles({
    '/srv/httpd.conf': [
      'LoadModule authz_core_module m.so',
      'LoadModule access_compat_module m.so',
      ...lines,
    ].join('\n'),
  });
  const text = plan[0]!.text;
  expect(text).toMatch(/<IfVersion < 2.4>\n *AuthUserFile "\/srv\/old"\n<\/IfVersion>/);
  expect(text).toContain('Require ip 10.1');
});

test('lines for 2.4 that name other lists of users are left to a person: what 2.2 decides would be asked of others', () => {
  const lines = inA([
    ...AUTH,
    ...for24(['AuthUserFile "/srv/other"']),
    ...for22([...OFFICE, 'Require user alice', 'Satisfy any']),
  ]);
  const { errors, texts } = judge(lines, {}, false);
  expect(errors).not.toEqual([]);
  expect(texts['conf/httpd.conf'] ?? '').not.toContain('Require ip');
});

test('an If that refuses requests of 2.4 alone is told beside lines for both', () => {
  const lines = inA([
    ...OFFICE,
    ...for24(['<If "%{REMOTE_ADDR} == \'10.1.1.1\'">', 'Require all denied', '</If>']),
  ]);
  expect(judge(lines, {}, false).errors).not.toEqual([]);
});

test('a section with lines for both is not what stands for 2.4 in place of another', () => {
  const files = (lines: Lines): Lines => block('Files x.txt', lines);
  const lines = [
    ...files([...AUTH, ...DENIED, ...block('IfVersion >= 2.3', ['Require valid-user'])]),
    ...for22(files([...block('IfVersion < 2.3', AUTH), 'Satisfy all'])),
  ];
  const { verdict, texts } = judge(lines, {}, false);
  expect(verdict).toBe('same');
  expect(texts['conf/httpd.conf']).not.toContain('Order');
});

test('a word of 2.4 where only 2.2 reads it lets nobody in, and that is said', () => {
  const lines = block('IfVersion < 2.4', ['Deny from all', 'Satisfy Any', 'Require ip 10']);
  const { verdict, errors, texts } = judge(inA(lines), {}, false);
  expect(verdict).toBe('told');
  expect(errors).toEqual([expect.stringContaining('no module answers "Require ip"')]);
  expect(texts['conf/httpd.conf']).toContain('Require all denied');
});

test.each<[string, Lines, Texts]>([
  ['a Satisfy above a password', block('VirtualHost *:80', inA(['AllowOverride All', 'Satisfy any'])), { 'htdocs/a/.htaccess': ['Require valid-user'] }],
  ['addresses that all pass, beside a password', [...block('VirtualHost *:80', block('Files ~ "php$"', DENIED)), ...block('Directory ~ "/a/b"', block('FilesMatch "^z"', ['AuthType Basic'])), ...inA(['Require valid-user', 'Allow from all'])], none],
])('with --dual a block for 2.2 stays where 2.4 needs nothing in its place: %s', (_, server, files) => {
  const tree = treeOf({ name: 'blocks', server, files, uris: URIS, root: ['AllowOverride None'] });
  const { result, differences, texts } = judgeTree(tree, true);
  // A second run would change nothing.
  expect({ failure: result!.failure, differences }).toEqual({ failure: undefined, differences: [] });
  expect(texts['conf/httpd.conf']).toMatch(/<IfModule !mod_authz_core.c>\n *(?:Satisfy any|Allow from all)\n<\/IfModule>/);
}); // prettier-ignore

test('a half for 2.4 that says what 2.2 decides as it stands is not rewritten, whatever stands in blocks that are never read', () => {
  const text = `Listen 80
<Directory "/srv/w/c">
  <IfDefine !X>
    <IfDefine X>
      Allow from all
      Require user alice
    </IfDefine>
  </IfDefine>
</Directory>
<DirectoryMatch "^/srv/w/a/b/">
    <IfModule !mod_authz_core.c>
        Deny from all
        Allow from 10.1
    </IfModule>
    <IfModule mod_authz_core.c>
        Require ip 10.1
    </IfModule>
</DirectoryMatch>
`;
  const { outcomes, plan } = convertFiles({ '/srv/conf/httpd.conf': text }, ['/srv/conf/httpd.conf'], {});
  expect(outcomes.flatMap(({ trouble, message }) => (trouble === undefined ? [] : message))).toEqual([]);
  expect(plan[0]!.text.slice(plan[0]!.text.indexOf('<DirectoryMatch'))).toBe(
    text.slice(text.indexOf('<DirectoryMatch')),
  );
});

test('lines that only 2.2 reads become lines of 2.4 in the place of their block', () => {
  const { texts } = judge(block('IfVersion < 2.4', [...inA(['# the office', ...OFFICE])]), {}, false);
  expect(texts['conf/httpd.conf']).toContain(
    '<Directory "/srv/tree/htdocs/a">\n# the office\nRequire ip 10.1\n</Directory>\n',
  );
  expect(texts['conf/httpd.conf']).not.toContain('IfVersion');
});

test('lines that AllowOverride keeps out of a .htaccess of both versions stay as they are, with a warning', () => {
  const server = inA(['AllowOverride FileInfo', 'Order allow,deny', 'Allow from all']);
  const { verdict, errors, result } = judge(server, { 'htdocs/a/b/.htaccess': OFFICE }, false);
  expect({ verdict, errors }).toEqual({ verdict: 'same', errors: [] });
  const left = result!.outcomes.filter(({ file }) => file.path.endsWith('/b/.htaccess'));
  expect(left.map(({ level, message }) => [level, message])).toEqual([
    ['warning', expect.stringContaining('2.2 answers 500 here, and 2.4 does')],
  ]);
});

test('a .htaccess that only 2.4 serves is told of, and the sections above it are converted all the same', () => {
  const server = inA(['AllowOverride AuthConfig', ...OFFICE]);
  const halves = [...for22(DENIED), ...for24(['Require all denied'])];
  const { errors, texts } = judge(server, { 'htdocs/a/b/.htaccess': halves }, false);
  expect(errors).toEqual([expect.stringContaining('htaccess-not-allowed: GET /a/b/: 2.2 answers 500')]);
  expect(texts['conf/httpd.conf']).not.toMatch(/^(?:Order|Deny|Allow) /m);
});

test('lines that neither version reads do not keep the module that only 2.2 has', () => {
  const server = [
    ...inA(['AllowOverride FileInfo', ...DENIED]),
    ...block('Directory "@B@/htdocs/c"', ['Require all granted', ...for22(DENIED)]),
  ];
  const { errors } = judge(server, { 'htdocs/a/b/.htaccess': OFFICE }, false);
  expect(errors.filter((error) => error.includes('load-module'))).toEqual([]);
});

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `10.${i >> 8}.${i & 255}.7`);
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `u${i}`);
const LISTS: Readonly<Record<string, (count: number, more: string) => Lines>> = {
  'one address more': (count, more) => [
    ...for22([...DENIED, ...addresses(count).map((address) => `Allow from ${address}`)]),
    ...for24([`Require ip ${addresses(count).join(' ')}${more && ' 127.1.0.1'}`]),
  ],
  'one user more': (count, more) => [
    ...AUTH,
    ...for22([`Require user ${names(count).join(' ')}`]),
    ...for24([`Require user ${names(count).join(' ')}${more && ' carol'}`]),
  ],
};

test.each(Object.keys(LISTS))('%s for 2.4 alone is told, however long the lists are', (name) => {
  for (const count of [3, 60, 300]) {
    const errorsOf = (more: string): string[] =>
      convertFiles({ '/w/.htaccess': `${LISTS[name]!(count, more).join('\n')}\n` }, [
        '/w/.htaccess',
      ]).outcomes.flatMap(({ level, message }) => (level === 'error' ? [message] : []));
    expect(errorsOf('')).toEqual([]);
    expect(errorsOf('more')).toEqual([expect.stringContaining('do not decide as 2.2 does here')]);
  }
});
