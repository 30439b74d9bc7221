import { checkRewrites } from '../../src/access';
import { evaluateExpr } from '../../src/access/models';
import type { ServerTraits } from '../../src/access/primitives';
import { loadTree, memory, overlay } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
const SERVER = '/etc/httpd/httpd.conf';
const MAIN = 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w/main\nNameVirtualHost *:80\n';
/** Under another list of addresses it lets in others: no AuthMerging says that. */
const PASSWORD =
  'Order deny,allow\nDeny from all\nAllow from 10.2\nSatisfy Any\nAuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n';
const DENIED = 'Order deny,allow\nDeny from all\n';

interface Converted {
  readonly text: string;
  readonly strict: number;
  /** The sections that no question tells apart: in the strictest form, or once more in a host. */
  readonly untold: number;
  /** What the check says of the whole, or of a server with other lines in place of it. */
  readonly withdrawn: (text: string) => number;
}

function convert(server: string): Converted {
  const source = memory(new Map([[SERVER, server]]));
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), [SERVER], LOAD);
  const tree = load(new Map());
  const result = run({ tree, reread: load }, transforms);
  expect(result.failure).toBeUndefined();
  const access = result.outcomes.filter(({ rule }) => rule === 'order-allow-deny');
  const applied = access.filter(({ status }) => status === 'applied');
  return {
    text: result.plan[0]?.text ?? '',
    strict: access.filter(({ safety }) => safety === 'strict').length,
    untold: access.filter(
      ({ safety, message }) =>
        safety === 'strict' || message.includes('decides differently in this virtual host'),
    ).length,
    withdrawn: (text) => checkRewrites(tree, load(new Map([[SERVER, text]])), applied).size,
  };
}

function host(lines: string, address = '*:80'): string {
  return `<VirtualHost ${address}>\n${lines}</VirtualHost>\n`;
}

const STATUS = `<Location /status>\n${DENIED}Allow from 10.1\n</Location>\n`;

test('a section for all servers asks for the DocumentRoot where one of them wants a password', () => {
  const { text, strict, withdrawn } = convert(
    MAIN +
      STATUS +
      host('ServerName one.example\nDocumentRoot /w/one\n') +
      host(`ServerName two.example\nDocumentRoot /w/two\n<Files "*">\n${PASSWORD}</Files>\n`),
  );
  expect(strict).toBe(0);
  expect(text).toContain(`%{DOCUMENT_ROOT} == '/w/two'`);
  // The check asks both servers.
  expect(withdrawn(text)).toBe(0);
  expect(withdrawn(text.replaceAll("'/w/two'", "'/w/one'"))).toBeGreaterThan(0);
});

test('of two servers with one DocumentRoot that over TLS is told by HTTPS', () => {
  const { text, strict } = convert(
    MAIN.replace('80\n', '80\nListen 443\n') +
      `<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
      host('ServerName one.example\nDocumentRoot /w/one\n') +
      host(
        `ServerName one.example\nDocumentRoot /w/one\nSSLEngine on\n<Directory />\n${PASSWORD}</Directory>\n`,
        '*:443',
      ),
  );
  expect(strict).toBe(0);
  expect(text).toContain(`%{HTTPS} == 'on'`);
});

test('what decides for a connection is the first virtual host at its address: HTTPS is not asked where others have no SSLEngine', () => {
  const { text, untold } = convert(
    MAIN +
      `<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
      host('DocumentRoot /w/one\n') +
      host(`DocumentRoot /w/one\nSSLEngine on\n<Directory />\n${PASSWORD}</Directory>\n`, '*:80'),
  );
  expect(text).not.toContain('HTTPS');
  expect(untold).toBeGreaterThan(0);
});

/** A section for all servers, beside a main server that answers at port 8080 what the host over TLS does not. */
function besideMain(listen: string, around: (host: string) => string = (text) => text): Converted {
  return convert(
    `ServerRoot /etc/httpd\nLoadModule authn_file_module m\nLoadModule ssl_module m\n${listen}DocumentRoot /w/one\n<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
      around(host(`DocumentRoot /w/one\nSSLEngine on\n<Directory />\n${PASSWORD}</Directory>\n`, '*:443')),
  );
}

test.each([
  ['it has no SSLEngine', 'Listen 8080\nListen 443\n'],
  ['Listen names the protocol of another port', 'Listen 8080\nListen 443 https\n'],
])('the main server is told from a host over TLS by HTTPS: %s', (_, listen) => {
  const { text, strict, withdrawn } = besideMain(listen);
  expect(strict).toBe(0);
  expect(text).toContain(`%{HTTPS} == 'on'`);
  expect(withdrawn(text)).toBe(0);
});

test.each([
  ['SSLEngine may be on', '<IfDefine SSL>\nSSLEngine on\n</IfDefine>\nListen 8080\nListen 443\n'],
  ['Protocol says what is spoken', 'Protocol https\nListen 8080\nListen 443\n'],
])('HTTPS does not tell the main server where %s', (_, listen) => {
  const { text, untold } = besideMain(listen);
  expect(text).not.toContain('HTTPS}');
  expect(untold).toBeGreaterThan(0);
});

test('a host that Listen may make one over TLS is not told by HTTPS, others are', () => {
  const withPort = (port: string): Converted =>
    convert(
      `${MAIN}Listen 81\nListen 443\nListen ${port} https\n<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
        host('DocumentRoot /w/one\n', '*:80') +
        host('DocumentRoot /w/main\n', '*:81') +
        host(`DocumentRoot /w/one\nSSLEngine on\n<Directory />\n${PASSWORD}</Directory>\n`, '*:443'),
    );
  expect(withPort('444').strict).toBe(0);
  expect(withPort('80').text).not.toContain('HTTPS}');
  expect(withPort('80').untold).toBeGreaterThan(0);
});

test.each([
  ['a LoadModule line loads it', 'LoadModule alias_module m\n', 0],
  ['whether it is loaded hangs on a name', '<IfDefine ALIAS>\nLoadModule alias_module m\n</IfDefine>\n', 1],
  ['no line loads it', 'LoadModule dir_module m\n', 1],
])('no request is left to the main server by a host in an <IfModule> where %s', (_, load, strict) => {
  const { untold: found } = convert(
    `ServerRoot /etc/httpd\n${load}Listen 80\nDocumentRoot /w/one\n<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
      `<IfModule mod_alias.c>\n${host(`DocumentRoot /w/one\n<Directory />\n${PASSWORD}</Directory>\n`)}</IfModule>\n`,
  );
  expect(found).toBe(strict);
});

/** Two hosts with one DocumentRoot, the second with a password. */
function twins(first: string, second: string, around = ''): Converted {
  return convert(
    `${MAIN}${around}<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
      host(`${first}DocumentRoot /w/one\n`) +
      host(`${second}DocumentRoot /w/one\n<Directory />\n${PASSWORD}</Directory>\n`),
  );
}

test('of two hosts at one address the name in the request tells the second: it has chosen it', () => {
  const { text, strict, withdrawn } = twins(
    'ServerName one.example\n',
    'ServerName Two.example:80\nServerAlias www.two.example *.two.test\n',
  );
  expect(strict).toBe(0);
  expect(text).toContain(String.raw`m#^(two\.example|www\.two\.example|.*\.two\.test)$#i`);
  expect(withdrawn(text)).toBe(0);
  expect(withdrawn(text.replaceAll('#^(two', '#^(not'))).toBeGreaterThan(0);
});

test.each<[string, string, string, string]>([
  ['the second has no name', 'ServerName one.example\n', '', ''],
  ['the first has no name', '', 'ServerName two.example\n', ''],
  ['both have it', 'ServerName one.example\nServerAlias two.example\n', 'ServerName two.example\n', ''],
  [
    'a pattern of the first covers it',
    'ServerName one.example\nServerAlias *.example\n',
    'ServerName two.example\n',
    '',
  ],
  ['both have patterns', 'ServerName a.test\nServerAlias a*\n', 'ServerName b.test\nServerAlias *b\n', ''],
  ['it is looked up', 'ServerName one.example\n', 'ServerName two.example\n', 'UseCanonicalName DNS\n'],
  ['a path leads there too', 'ServerName one.example\n', 'ServerName two.example\nServerPath /two\n', ''],
  [
    'a conditional decides of it',
    'ServerName one.example\n',
    '<IfDefine X>\nServerName two.example\n</IfDefine>\n',
    '',
  ],
])('a name tells nothing where %s', (_, first, second, around) => {
  const { text, untold } = twins(first, second, around);
  expect(text).not.toContain('SERVER_NAME');
  expect(untold).toBeGreaterThan(0);
});

test('a name tells nothing of hosts at other addresses', () => {
  const { text, untold } = convert(
    `${MAIN}<Directory /w/one>\n${DENIED}Allow from 10.1\n</Directory>\n` +
      host('ServerName one.example\nDocumentRoot /w/one\n', '*:81') +
      host('ServerName three.example\nDocumentRoot /w/three\n') +
      host(`ServerName two.example\nDocumentRoot /w/one\n<Directory />\n${PASSWORD}</Directory>\n`),
  );
  expect(text).not.toContain('SERVER_NAME');
  expect(untold).toBeGreaterThan(0);
});

test('a document root made of the name in the request tells nothing', () => {
  const { text } = convert(
    MAIN +
      STATUS +
      host('ServerName one.example\nVirtualDocumentRoot /w/%0\n') +
      host(`ServerName two.example\nDocumentRoot /w/two\n<Files "*">\n${PASSWORD}</Files>\n`),
  );
  expect(text).not.toContain('%{DOCUMENT_ROOT}');
});

test('a proxied request is told by its name, and so is what it meets', () => {
  const { text, strict } = convert(
    `${MAIN}ProxyPass /p/ http://10.0.0.1/p/\n<Proxy http://10.0.0.1/p/*>\n${PASSWORD}</Proxy>\n${STATUS}`,
  );
  expect(strict).toBe(0);
  expect(text).toContain('%{REQUEST_FILENAME} =~ m#^proxy:http://10\\.0\\.0\\.1/p/#');
});

test('no expression asks for a Directory with wildcards: it is also for files whose name it matches, unless DirectoryIndex leads there', () => {
  const { text, strict } = convert(
    `${MAIN}<Directory /w/main/*>\n${PASSWORD}</Directory>\n<Files "x*">\n${DENIED}Allow from 10.1\n</Files>\n`,
  );
  expect(strict).toBe(1);
  expect(text).not.toContain('REQUEST_FILENAME');
});

const LIST = 'Order deny,allow\nDeny from 10.9\n';
const USERS = 'AuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n';
const allowed = (address: string): string => `${DENIED}Allow from ${address}\n`;

test.each([
  [
    'no file of the section can have the name of the directory',
    '',
    PASSWORD,
    `<Files "x*">\n${LIST}`,
    'm#^/w/[^/]*/admin/#',
  ],
  [
    'a file of that name gets what is stricter inside',
    '',
    allowed('10.2') + USERS,
    `<Files "*">\n${LIST}`,
    'admin(/|$)#',
  ],
  [
    'a file of that name gets what is stricter outside',
    '',
    PASSWORD,
    `<Files "*">\n${LIST}`,
    '&& -d %{REQUEST_FILENAME}',
  ],
  [
    'a file of that name gets what both let in',
    allowed('10.1') + USERS,
    allowed('10.2'),
    '<Files "*">\nSatisfy Any\n',
    '&& ! -d %{REQUEST_FILENAME}',
  ],
])('a Directory with wildcards is asked for by its name: %s', (_, above, inDirectory, files, asked) => {
  const { text, strict, withdrawn } = convert(
    `${MAIN}<Directory />\n${above}</Directory>\n<Directory /w/*/admin>\n${inDirectory}</Directory>\n${files}</Files>\n`,
  );
  expect(strict).toBe(0);
  expect(text).toContain(asked);
  expect(withdrawn(text)).toBe(0);
});

test('the name is not asked for where a later host has the address that VirtualHost itself names', () => {
  const server = (alias: string): string =>
    `${MAIN.replace('*:80', '127.0.0.1:80')}<Directory /w/doc>\n${DENIED}Allow from 10.1\n</Directory>\n${host('ServerName a.example\nDocumentRoot /w/doc\n', '127.0.0.1:80')}${host(`ServerName b.example\nServerAlias ${alias}\nDocumentRoot /w/doc\n<Directory />\n${PASSWORD}</Directory>\n`, '127.0.0.1:80')}`;
  expect(convert(server('c.example')).text).toContain('%{SERVER_NAME}');
  for (const alias of ['127.0.0.1', '127.*']) {
    const { text, untold } = convert(server(alias));
    expect(text).not.toContain('%{SERVER_NAME}');
    expect(untold).toBeGreaterThan(0);
  }
});

test('what a request shows of its server has a value as far as it is known', () => {
  const valueOf = (text: string, server?: ServerTraits): boolean | undefined =>
    evaluateExpr(text, { uri: '/a', filename: '/w/a', ...(server === undefined ? {} : { server }) });
  const known: ServerTraits = {
    documentRoot: '/w',
    tls: false,
    name: { addresses: '*:80', names: ['two.example'], isFirst: false },
  };
  expect(valueOf(`%{DOCUMENT_ROOT} == '/w' && %{HTTPS} != 'on'`, known)).toBe(true);
  expect(valueOf(`%{DOCUMENT_ROOT} == '/w/'`, known)).toBe(false);
  expect(valueOf(`%{HTTPS} == 'off'`, { ...known, documentRoot: undefined, tls: undefined })).toBeUndefined();
  expect(valueOf(`%{HTTPS} == 'off'`)).toBeUndefined();
  expect(valueOf('%{SERVER_NAME} =~ m#^TWO.example$#i', known)).toBe(true);
  expect(valueOf('%{SERVER_NAME} !~ m#^(one|two)[.]example$#i', known)).toBe(false);
  expect(valueOf('%{SERVER_NAME} =~ m#^two$#i')).toBeUndefined();
});
