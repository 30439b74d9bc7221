import { loadTree, memory, serverStateOf, type ServerState } from '../../src/config';

function stateOf(files: Record<string, string>, main = '/etc/httpd/httpd.conf'): ServerState | undefined {
  const source = memory(new Map(Object.entries(files)));
  return serverStateOf(loadTree(source, [main], { cwd: '/', defines: new Map(), env: new Map() }));
}

const MAIN = '/etc/httpd/httpd.conf';
const HEAD = 'ServerRoot /etc/httpd\nListen 80\n';
const section = (lines: string, path = '/srv/www'): string => `<Directory ${path}>\n${lines}</Directory>\n`;
const OLD = section('Order allow,deny\nAllow from all\n');
const NEW = section('Require all denied\n', '/');
const SITE = { '/etc/httpd/sites/a.conf': OLD };
const BOTH =
  '<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nAllow from all\n</IfModule>\n';
const LOADS = 'LoadModule authz_core_module modules/mod_authz_core.so\n';

describe('what users write in their files', () => {
  const below = (server: string, file: string): ServerState | undefined =>
    stateOf({ [MAIN]: `${HEAD}DocumentRoot /srv\n${server}`, '/srv/a/.htaccess': file });

  test('makes no 2.4 of a 2.2', () => {
    expect(below(OLD, 'Require all denied\n')).toMatchObject({
      kind: '2.2',
      evidence: expect.stringContaining('Order') as string,
    });
    expect(below('', 'Require all denied\n')).toBeUndefined();
    expect(below(OLD, 'Order allow,deny\nRequire all denied\n')?.kind).toBe('2.2');
  });

  test('is told where the server itself is a 2.4', () => {
    expect(below(NEW, 'Order allow,deny\n')).toMatchObject({
      kind: '2.4 with old lines',
      evidence: expect.stringContaining('.htaccess:1 Order') as string,
    });
    expect(below(NEW, 'Require all denied\n')?.kind).toBe('2.4');
    expect(below(`${LOADS}${NEW}`, 'Order allow,deny\n')?.text).toMatch(
      /without mod_access_compat, so that 2\.4 answers 500 where a \.htaccess has them$/,
    );
  });
});

test('a server in which nothing tells is in no state', () => {
  expect(stateOf({ [MAIN]: HEAD })).toBeUndefined();
});

test.each<[string, Record<string, string>, ServerState['kind'], RegExp, RegExp]>([
  ['lines of 2.2', { [MAIN]: HEAD + OLD }, '2.2', /^a 2\.2 server$/, /httpd\.conf:4 Order allow,deny/],
  ['a module that no 2.4 has', { [MAIN]: `${HEAD}LoadModule authz_default_module x\n${NEW}` }, '2.2', /^a 2\.2 server$/, /authz_default_module.*no 2\.4 has/],
  ['lines for 2.4', { [MAIN]: HEAD + NEW }, '2.4', /^a 2\.4 server$/, /httpd\.conf:4 Require all denied/],
  ['a site of 2.2', { [MAIN]: `${HEAD}${NEW}Include sites/*.conf\n`, ...SITE }, '2.4 with old lines', /with lines of 2\.2/, /Require all denied; .*sites\/a\.conf:2 Order/],
  ['… with mod_access_compat', { [MAIN]: `${HEAD}LoadModule access_compat_module x\n${NEW}Include sites/*.conf\n`, ...SITE }, '2.4 with old lines', /, with mod_access_compat$/, /LoadModule access_compat_module/],
  ['… without it', { [MAIN]: `${HEAD}${LOADS}${NEW}Include sites/*.conf\n`, ...SITE }, '2.4 with old lines', /without mod_access_compat, so that 2\.4 does not start/, /sites\/a\.conf:2/],
  ['lines of both in one file', { [MAIN]: HEAD + OLD + NEW }, 'half-converted', /half-converted/, /Require all denied; .*Order allow,deny/],
  ['blocks for each version', { [MAIN]: HEAD + section(BOTH) }, 'for both', /^files for 2\.2 and 2\.4$/, /Order allow,deny; .*Require all granted/],
  ['blocks for each version beside lines of 2.2', { [MAIN]: HEAD + section(BOTH) + OLD }, '2.2', /^a 2\.2 server$/, /Order/],
  ['modules for each version', { [MAIN]: `${HEAD}<IfVersion < 2.4>\nLoadModule authz_default_module x\n</IfVersion>\n<IfVersion >= 2.4>\n${LOADS}</IfVersion>\n${section(BOTH)}` }, 'for both', /^files for 2\.2 and 2\.4$/, /authz_default_module.*; .*authz_core_module/],
  ['a site alone', { [MAIN]: OLD }, 'part', /^a part of a server$/, /Order/],
])('%s', (_, files, kind, text, evidence) => {
  const state = stateOf(files);
  expect(state?.kind).toBe(kind);
  expect(state?.text).toMatch(text);
  expect(state?.evidence).toMatch(evidence);
}); // prettier-ignore
