import { parseModuleList } from '../../src/httpd/modules';
import { findDirective } from '../../src/httpd/directives';
import { findThirdParty, THIRD_PARTY_ROWS, thirdPartyOwner } from '../../src/httpd/third-party';
import type { RunOptions } from '../../src/engine';
import { isBlocker } from '../../src/report/content';
import { convertFiles } from '../../testing/run/convert';
import { command } from '../../testing/run/command';
import { memory } from '../../src/config';

const CONF = '/srv/httpd.conf';
const SERVER = 'ServerRoot "/srv"\nListen 80\n';

function about(text: string, options: RunOptions = {}, others: Readonly<Record<string, string>> = {}) {
  const files = { [CONF]: text, ...others };
  const { outcomes } = convertFiles(files, Object.keys(files), options);
  return outcomes.filter(({ rule }) => rule === 'third-party-module');
}

const blockers = (...args: Parameters<typeof about>): string[] =>
  about(...args)
    .filter(isBlocker)
    .map(({ message }) => message);

describe('a module of others', () => {
  test('is one blocker with its directives, and names what takes its place', () => {
    const text = `${SERVER}LoadModule rpaf_module modules/mod_rpaf-2.0.so\nRPAFenable On\nRPAFproxy_ips 10.0.0.1\nRPAFenable Off\n`;
    expect(blockers(text)).toEqual([
      expect.stringMatching(
        /^2\.4 cannot load rpaf_module as built for 2\.2, and has no RPAFenable, RPAFproxy_ips without it: load mod_remoteip/,
      ),
    ]);
  });

  test('is not asked about for the words of Perl that prints configuration', () => {
    const perl =
      '{\n    my $db = open_ro("a");\n    if ($db) {\n        $OUT .= <<\'EOF\';\nNosuchLine %\\{X\\}x\nEOF\n    }\n}\n';
    const names = (text: string): string[] =>
      about(`${SERVER}${text}`).map(({ message }) => / with (\S+)/.exec(message)![1]!);
    expect(names(`${perl}JkMount /a b\n`)).toEqual(['JkMount']);
    const format = `${SERVER}${perl}LogFormat "%h %\\{Referer\\}i" x\n`;
    expect(
      convertFiles({ [CONF]: format }, [CONF]).outcomes.filter(({ level }) => level === 'error'),
    ).toEqual([]);
    // What nothing closes is no such block, and nobody fills in a .htaccess.
    expect(names(`{\nJkMount /a b\n`)).toEqual(['JkMount']);
    expect(
      about(
        `${SERVER}DocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\n</Directory>\n`,
        {},
        { '/srv/www/.htaccess': perl },
      ),
    ).not.toEqual([]);
  });

  test.each([
    ['PassengerHighPerformance on', 'Phusion Passenger'],
    ['JkMount /app/* worker1', 'mod_jk'],
    ['PHPIniDir /etc/php', 'PHP'],
    ['SecFilterEngine On', 'mod_security 1'],
    ['SecRuleEngine On', 'mod_security2'],
    ['IPCCommTimeout 40', 'mod_fcgid'],
    ['<CBandUser x>\n</CBandUser>', 'mod_cband'],
    ['<Location />\nKrbMethodNegotiate On\n</Location>', 'mod_auth_kerb'],
  ])('%s is known without the LoadModule line', (line, name) => {
    expect(blockers(`${SERVER}${line}\n`)).toEqual([
      expect.stringMatching(`^2\\.4 does not start with \\S+ unless it loads ${name}: `),
    ]);
  });

  test('is none in a block that asks for it, for a 2.2, or in a part of a server', () => {
    const line = 'LoadModule jk_module modules/mod_jk.so\nJkMount /a b\n';
    expect(about(`${SERVER}<IfModule mod_jk.c>\nJkMount /a b\n</IfModule>\n`)).toEqual([]);
    expect(about(`${SERVER}<IfVersion < 2.4>\n${line}</IfVersion>\n`)).toEqual([]);
    expect(about('JkMount /a b\n')).toMatchObject([{ level: 'warning' }]);
  });

  test('is none where the target loads it', () => {
    const targetModules = parseModuleList(' core_module (static)\n jk_module (shared)\n mod_shib (shared)\n');
    const line = 'LoadModule jk_module modules/mod_jk.so\nJkMount /a b\nShibConfig x\n';
    expect(about(SERVER + line, { targetModules })).toEqual([]);
    expect(blockers(SERVER + line)).toHaveLength(2);
  });

  test('that the target loads by another name leaves the line alone in the way', () => {
    const targetModules = parseModuleList(' core_module (static)\n php_module (shared)\n');
    const text = `${SERVER}LoadModule php5_module modules/libphp5.so\nphp_value a b\n`;
    expect(blockers(text, { targetModules })).toEqual([
      '2.4 cannot load php5_module as built for 2.2: the target loads it as php_module: remove this line, and have 2.4 read that one',
    ]);
    expect(about(`${SERVER}php_value a b\n`, { targetModules })).toEqual([]);
  });

  test('is a note once somebody says that 2.4 has it', () => {
    const text = `${SERVER}LoadModule wsgi_module modules/mod_wsgi.so\nWSGIScriptAlias / /srv/a\nJkMount /a b\n`;
    const answer = (key: string, value: boolean) => ({ answers: [{ key, value, reason: 'installed' }] });
    expect(about(text, answer('wsgi', true)).map(({ level }) => level)).toEqual(['info', 'error']);
    expect(blockers(text, answer('wsgi', false))).toHaveLength(2);
    expect(
      blockers(text, { ...answer('wsgi', true), levels: { 'third-party-module': 'error' } }),
    ).toHaveLength(1);
  });

  test('of which no 2.4 has a build takes no answer', async () => {
    const files = { [CONF]: `${SERVER}LoadModule security_module modules/mod_security.so\n` };
    const run = (key: string) =>
      command(['--answer', `${key}=yes`, CONF], {}, { source: memory(new Map(Object.entries(files))) });
    expect((await run('security')).stderr).toMatch(/nothing is assumed by the name 'security'/);
    expect((await run('security2')).status).toBe(1);
  });

  test('says nothing of settings of PHP, of which a rule of their own tells', () => {
    expect(about(`${SERVER}php_value memory_limit 64M\n`)).toEqual([]);
    expect(blockers(`${SERVER}php_admin_flag engine off\n`)).toEqual([
      expect.stringMatching(/start with php_admin_flag unless it loads PHP/),
    ]);
    expect(
      blockers(`${SERVER}LoadModule php5_module modules/libphp5.so\nphp_value memory_limit 64M\n`),
    ).toEqual([
      expect.stringMatching(
        /^2\.4 cannot load php5_module as built for 2\.2, and has no php_value without it/,
      ),
    ]);
  });

  test('in a .htaccess alone answers 500 there, and one that the server has too stands in the server', () => {
    const htaccess = { '/srv/www/.htaccess': 'PerlSetVar a b\n' };
    const server = `${SERVER}DocumentRoot "/srv/www"\n`;
    expect(blockers(server, {}, htaccess)).toEqual([
      expect.stringMatching(/^2\.4 answers 500 where a \.htaccess has PerlSetVar unless/),
    ]);
    expect(about(`${server}PerlModule B\n`, {}, htaccess)).toMatchObject([
      { file: { path: CONF }, message: expect.stringMatching(/start with PerlModule unless/) },
    ]);
  });
});

describe('a module that is not in the table', () => {
  test('is a blocker too, with what begins as it does', () => {
    expect(blockers(`${SERVER}LoadModule frob20_module modules/mod_frob20.so\nFrobLevel 2\n`)).toEqual([
      '2.4 cannot load frob20_module as built for 2.2, and has no FrobLevel without it: install a build for 2.4, or remove the line and what only this module reads',
    ]);
  });

  test('nor what has a directive: one blocker a name', () => {
    const text = `${SERVER}Frob a\nfrob b\nKnock c\n<IfModule mod_x.c>\nOther d\n</IfModule>\n`;
    expect(blockers(text).map((message) => /with (\w+):/.exec(message)?.[1])).toEqual(['Frob', 'Knock']);
  });
});

describe('a name with bytes that no name has', () => {
  test('is a blocker that shows them, and says which directive is meant', () => {
    expect(blockers(`${SERVER}\xC2\xA0KeepAlive On\n`)).toEqual([
      '2.4 does not start with \\xc2\\xa0KeepAlive: httpd takes the bytes that are no letters for a part of the name: type KeepAlive anew',
    ]);
    expect(about(`${SERVER}\xFF\xFE\x01Weird a\n`)).toMatchObject([
      {
        level: 'error',
        message: expect.stringContaining('\\xff\\xfe\\x01Weird:') as string,
        task: { text: expect.stringMatching(/^type these names anew/) as string },
      },
    ]);
  });

  test('stops one directory in a .htaccess, and many bytes are not shown', () => {
    const files = { '/srv/www/.htaccess': `${'\x02'.repeat(1000)}\n` };
    const [found] = about(`${SERVER}DocumentRoot "/srv/www"\n`, {}, files);
    expect(found).toMatchObject({ level: 'warning' });
    expect(found!.message.length).toBeLessThan(350);
  });

  test('is none where the bytes are what a directive is given, and none is a line of signs', () => {
    expect(about(`${SERVER}ServerAdmin \xFCber@x\n# \xC2\xA0Timeout 5\n---\n`)).toEqual([]);
  });

  test('a number is one, too', () => {
    expect(blockers(`${SERVER}10.0.0.1 x\n`)).toEqual([
      expect.stringContaining('2.4 does not start with 10.0.0.1:'),
    ]);
  });
});

test('a word that nobody knows in a .htaccess stops one directory, and is a warning', () => {
  const files = { '/srv/www/.htaccess': 'Frob a\n' };
  expect(about(`${SERVER}DocumentRoot "/srv/www"\n`, {}, files)).toMatchObject([{ level: 'warning' }]);
  expect(about(`${SERVER}DocumentRoot "/srv/www"\nFrob b\n`, {}, files)).toMatchObject([{ level: 'error' }]);
});

describe('LoadFile', () => {
  test('above the line of a module goes with it', () => {
    const text = `${SERVER}LoadFile /usr/lib/libxml2.so.2\n# for it\nLoadModule security2_module modules/mod_security2.so\n`;
    expect(blockers(text)).toEqual([
      expect.stringContaining('security2_module (with the LoadFile line for it)'),
    ]);
  });

  test('beside a line that is commented out is a blocker, until somebody says that the library is there', () => {
    const text = `${SERVER}LoadFile /usr/lib/libxml2.so.2\n#LoadModule security_module modules/mod_security.so\n`;
    expect(blockers(text)).toEqual([
      expect.stringMatching(/^2\.4 does not start unless \/usr\/lib\/libxml2\.so\.2 is there/),
    ]);
    expect(blockers(text, { answers: [{ key: 'load-file', value: true, reason: 'it is' }] })).toEqual([]);
  });
});

test('no row claims a directive or a module of httpd, and none says the same as another', () => {
  for (const { directives } of THIRD_PARTY_ROWS)
    for (const word of directives.split(' ').filter((text) => text !== '' && !text.endsWith('*')))
      expect([word, findDirective(word.replace(/[<>]/g, ''))]).toEqual([word, undefined]);
  const identifiers = THIRD_PARTY_ROWS.flatMap((row): readonly string[] => row.identifiers);
  expect(new Set(identifiers).size).toBe(identifiers.length);
  expect(new Set(THIRD_PARTY_ROWS.map(({ key }) => key)).size).toBe(THIRD_PARTY_ROWS.length);
  for (const { key, source } of THIRD_PARTY_ROWS) {
    expect(key).toMatch(/^[a-z0-9-]+$/);
    expect(source).not.toBe('');
  }
  expect(findThirdParty('rewrite')).toBeUndefined();
  expect(thirdPartyOwner('secfilterscanpost')?.key).toBe('security');
});

const OLD = '<Directory /x>\nOrder allow,deny\nAllow from all\n</Directory>\n';

describe('a server for 2.4', () => {
  test('may load a build for 2.4, and is not told that it is one for 2.2', () => {
    const line = 'LoadModule dav_svn_module modules/mod_dav_svn.so\n';
    expect(blockers(SERVER + line)).toEqual([
      expect.stringMatching(/^2\.4 cannot load dav_svn_module as built for 2\.2/),
    ]);
    const core = 'LoadModule authz_core_module modules/mod_authz_core.so\n';
    // As the first run leaves it, or with lines of 2.2 left: whether a 2.4 runs it today is not known.
    for (const for24 of [
      `${SERVER}<IfModule !authz_core_module>\n${core}</IfModule>\n${line}<Directory />\nRequire all denied\n</Directory>\n`,
      `${SERVER}${core}${line}${OLD}`,
    ])
      expect(blockers(for24)).toContainEqual(
        expect.stringMatching(/^2\.4 does not start unless its build of dav_svn_module is one for 2\.4/),
      );
  });

  test('has built for 2.4 what it runs today', () => {
    const lines =
      'LoadModule authz_core_module x.so\nLoadModule dav_svn_module x.so\nLoadModule php5_module x.so\nphp_admin_value memory_limit 5\n';
    expect(blockers(`${SERVER}LoadModule unixd_module x.so\n${lines}`)).toEqual([]);
    expect(blockers(`${SERVER}LoadModule mpm_event_module x.so\n${lines}`)).toEqual([]);
    // This program writes such a line where others are, and no 2.4 has run that.
    expect(blockers(SERVER + lines)).toHaveLength(2);
    const compat = 'LoadModule access_compat_module x.so\n';
    expect(blockers(SERVER + compat + lines + OLD).filter((message) => /dav_svn|php/i.test(message))).toEqual(
      [],
    );
  });
});
