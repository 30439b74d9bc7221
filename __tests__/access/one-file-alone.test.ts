import type { RunResult } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { loadLines } from '../../testing/run/load-lines';

// A .htaccess by which 2.4 would answer differently than 2.2 is decided by itself: all others are converted as if it said nothing.

const SERVER = '/etc/httpd/httpd.conf';
const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\n';
const LIST = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
const MODULES = loadLines(
  'authz_host authz_default auth_basic authn_file authz_user authz_groupfile alias dir mime',
);

const server = (lines: string, override = 'All'): string =>
  `ServerRoot /etc/httpd\nListen 80\n${MODULES}DocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride ${override}\nOrder allow,deny\nAllow from all\n${lines}</Directory>\n<Location /all>\nOrder deny,allow\nDeny from all\nAllow from 10.1\n</Location>\n`;

const SERVERS = {
  open: server(''),
  'with a host list': server('Deny from 6.6.6.6\n'),
  'with passwords': server(`${PASSWORD}Require valid-user\n`),
  'with both': server(`Deny from 6.6.6.6\n${PASSWORD}Require valid-user\nSatisfy Any\n`),
  'that allows access lines alone': server('', 'AuthConfig Limit'),
};

const for22 = (lines: string): string => `<IfModule !mod_authz_core.c>\n${lines}</IfModule>\n`;
const for24 = (lines: string): string => `<IfModule mod_authz_core.c>\n${lines}</IfModule>\n`;
const NOT = 'Require not ip 1.2.3.4\n';

const ODD: Readonly<Record<string, string>> = {
  'Require not for 2.4': for24(NOT),
  'by version': `<IfVersion >= 2.4>\n${NOT}</IfVersion>\n`,
  'of several': for24(`${NOT}Require not host bad.example\n`),
  'among alternatives': for24(`<RequireAny>\n${NOT}</RequireAny>\n`),
  'in a section': `<Files x>\n${for24(NOT)}</Files>\n`,
  'beside a password': `${for24(NOT)}${PASSWORD}Require valid-user\n`,
  'beside Satisfy': `${for24(NOT)}Satisfy Any\n`,
  'joined with what is above': for24(`AuthMerging Or\n${NOT}`),
  'groups without a name': 'Require group\nDeny from 1.2.3.4\n',
  'users without a name': `${PASSWORD}Require user\nOrder deny,allow\nDeny from all\nAllow from 10\nSatisfy Any\n`,
  'nothing required': `${PASSWORD}Require\nDeny from 1.2.3.4\n`,
  'a default type': 'DefaultType text/plain\n',
  'a default type and a list': 'DefaultType text/plain\nDeny from 1.2.3.4\n',
  'a type for 2.2': for22('AddType text/html .x\n'),
  'options for 2.2': `${for22('Options None\n')}Deny from 1.2.3.4\n`,
  'no AuthType for 2.4': for24('AuthType None\n'),
  'no AuthType for 2.4 in a section': `<Files x>\n${for24('AuthType None\n')}</Files>\n`,
  'no AuthType for 2.4 under a name': `<IfDefine X>\n${for24('AuthType None\n')}</IfDefine>\n`,
  'no AuthType for 2.2': for22('AuthType None\n'),
  'AuthType for each version': for22('AuthType Basic\n') + for24('AuthType None\n'),
  'a last line that goes on': 'Order allow,deny\nAllow from all\nDeny from all \\',
};

const OTHERS = { '/srv/www/index.html': '', '/srv/www/v/.htaccess': LIST };

function convert(config: string, files: Readonly<Record<string, string>>): RunResult {
  const result = convertFiles({ [SERVER]: config, ...OTHERS, ...files }, [SERVER, '/srv/www']);
  expect(result.failure).toBeUndefined();
  return result;
}

/** The texts of the server and of the other user. */
function others(config: string, files: Readonly<Record<string, string>>): readonly (string | undefined)[] {
  const result = convert(config, files);
  return [SERVER, '/srv/www/v/.htaccess'].map((path) => textAfter(result, path));
}

const silent = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(files).map((path) => [path, '# nothing\n']));

const access = (directory: string): string => `/srv/www/${directory}/.htaccess`;

describe.each(Object.entries(SERVERS))('below a server %s', (_, config) => {
  const expectOthers = (files: Readonly<Record<string, string>>): void => {
    const alone = others(config, silent(files));
    expect(alone.join('')).not.toMatch(/^(?:Order|Deny|Allow) /m);
    expect(others(config, files)).toEqual(alone);
  };

  test.each(Object.entries(ODD))('%s keeps nobody else', (__, text) => {
    expectOthers({ [access('t')]: text });
    expectOthers({ [access('t')]: 'Order allow,deny\nAllow from all\n', [access('t/in')]: text });
  });

  test('nor do all of them together', () => {
    expectOthers(Object.fromEntries(Object.values(ODD).map((text, i) => [access(`t${i}`), text])));
  });

  test('nor the same text in the files of several users', () => {
    for (const text of [for24(NOT), for24('AuthType None\n'), 'DefaultType text/plain\n'])
      expectOthers(Object.fromEntries(['a', 'b', 'c'].map((name) => [access(name), text])));
  });
});

/** What is said of a file, as an error, with the line. */
function told(result: RunResult, path: string): readonly string[] {
  return result.outcomes
    .filter(({ file, level }) => file.path === path && level === 'error')
    .map(({ file, at, message, why }) => `${file.document.positionAt(at).line}: ${message} ${why ?? ''}`);
}

describe('the file itself', () => {
  const of = (name: keyof typeof SERVERS, text: string): RunResult =>
    convert(SERVERS[name], { [access('t')]: text });

  test('keeps what its author wrote for 2.4, which is told, where that only refuses more', () => {
    const result = of('open', for24(NOT));
    expect(textAfter(result, access('t'))).toBe(
      for24('<RequireAll>\n    Require all granted\n    Require not ip 1.2.3.4\n</RequireAll>\n'),
    );
    expect(told(result, access('t'))).toContainEqual(
      expect.stringMatching(/^2: .*they change who gets in.*from 1\.2\.3\.4 .*: 2\.2 admits, 2\.4 refuses/),
    );
  });

  test('lets nobody in where that would let in others', () => {
    const result = of('with a host list', for24(NOT));
    expect(textAfter(result, access('t'))).toBe('Require all denied\n');
    expect(told(result, access('t'))).toContainEqual(
      expect.stringMatching(/^2: .*lets nobody in.*from 6\.6\.6\.6.*: 2\.2 refuses/),
    );
  });

  test('lets nobody in, in the section alone that differs', () => {
    const text = `<Files x>\n${for24('AuthType None\n')}</Files>\n`;
    const result = of('with passwords', text);
    expect(textAfter(result, access('t'))).toBe(text.replace('\n', '\nRequire all denied\n'));
    expect(told(result, access('t'))).toContainEqual(
      expect.stringMatching(/^1: .*lets nobody in.*2\.2 asks for a password, the rewrite answers 500/),
    );
  });

  test('lets nobody in by a line before all others where it has no section', () => {
    const text = for22('AddType text/html .x\n');
    const result = of('that allows access lines alone', text);
    expect(textAfter(result, access('t'))).toBe(`Require all denied\n${text}`);
    expect(told(result, access('t'))).toContainEqual(
      expect.stringMatching(/^1: .*2\.2 (?:fails \(500\)|answers 500)/),
    );
  });

  test('keeps a line for which 2.2 answered 500, and nothing else of it goes', () => {
    for (const text of ['DefaultType text/plain\n', 'DefaultType text/plain\nDeny from 1.2.3.4\n']) {
      const result = of('that allows access lines alone', text);
      expect(textAfter(result, access('t'))).toBe(text);
      expect(told(result, access('t'))).toContainEqual(
        expect.stringMatching(/^1: .*2\.2 (?:fails \(500\)|answers 500)/),
      );
    }
  });

  test('says exactly what 2.2 made of a Require without a name', () => {
    const result = of('open', `${PASSWORD}Require user\nDeny from 1.2.3.4\n`);
    expect(textAfter(result, access('t'))).toBe(
      `${PASSWORD}<RequireAll>\n    Require not ip 1.2.3.4\n    Require user\n</RequireAll>\n`,
    );
    expect(told(result, access('t')).join('')).not.toContain('nobody in');
  });

  test('is read the same by a run over the result', () => {
    for (const [name, text] of Object.entries(ODD)) {
      const first = of('with passwords', text);
      const files = Object.fromEntries(
        [SERVER, access('t'), access('v')].map((path) => [path, textAfter(first, path)!]),
      );
      const again = convertFiles({ ...OTHERS, ...files }, [SERVER, '/srv/www']);
      expect([name, again.plan.map(({ text: changed }) => changed)]).toEqual([name, []]);
    }
  });
});

test('twin: the same lines in the files of the server are told there, and shut no file', () => {
  for (const text of [for24(NOT), for24('AuthType None\n')]) {
    const config = `${SERVERS['with passwords']}<Directory /srv/www/t>\n${text}</Directory>\n`;
    const result = convert(config, { [access('t')]: 'Options None\n', [access('t/in')]: LIST });
    expect(told(result, SERVER).length).toBeGreaterThan(0);
    for (const path of [access('t'), access('t/in'), access('v')])
      expect(textAfter(result, path)).not.toContain('Require all denied');
  }
});

test('a file that lets somebody in by lines that no change touches is shut alone', () => {
  const path = '/srv/fixture/docroot/mail/.htaccess';
  const conf = `ServerRoot /srv/fixture
Listen 127.0.0.1:80
DocumentRoot /srv/fixture/docroot
<Directory />
    AllowOverride None
    Order deny,allow
    Deny from all
</Directory>
<Directory /srv/fixture/docroot>
    AllowOverride AuthConfig Limit
    Order allow,deny
    Allow from all
</Directory>
<VirtualHost 127.0.0.1:80>
    ServerName www.example.com
    DocumentRoot /srv/fixture/docroot
    <Directory /srv/fixture/docroot/mail>
        AllowOverride Limit
    </Directory>
</VirtualHost>
`;
  const htaccess = `AuthType Basic
AuthName "Mail"
AuthUserFile /etc/httpd/passwords
Require user alice
<IfModule !mod_unixd.c>
    Order deny,allow
    Deny from all
    Allow from 192.0.2.1
</IfModule>
<IfVersion > 2.3>
    Require user bob
</IfVersion>
`;
  const result = convertFiles({ [SERVER]: conf, [path]: htaccess });
  expect(textAfter(result, SERVER)).not.toContain('Order');
  expect(textAfter(result, path)).toContain('Require all denied');
});
