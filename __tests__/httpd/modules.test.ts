import { parseModuleList } from '../../src/httpd/modules';
import { isBlocker } from '../../src/report/content';
import { convertFiles, textAfter } from '../../testing/run/convert';

const CONF = '/srv/httpd.conf';

const BASE = `Listen 80
User nobody
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule dir_module modules/mod_dir.so
LoadModule mime_module modules/mod_mime.so
LoadModule alias_module modules/mod_alias.so
<Directory "/">
    AllowOverride None
</Directory>
`;

const list = (shared: readonly string[], statics: readonly string[]): string =>
  [
    'AH00558: httpd: Could not reliably determine the name',
    'Loaded Modules:',
    ...statics.map((name) => ` ${name}_module (static)`),
    ...shared.map((name) => ` ${name}_module (shared)`),
    '',
  ].join('\n');

const PRESENT = ['authz_host', 'authz_core', 'authn_core', 'dir', 'mime', 'alias'];

function convertFor(text: string, shared: readonly string[], statics: readonly string[]) {
  const targetModules = parseModuleList(list(shared, statics));
  const result = convertFiles({ [CONF]: text }, [CONF], { targetModules });
  expect(result.failure).toBeUndefined();
  const messages = result.outcomes.filter(({ rule }) => rule === 'load-module').map(({ message }) => message);
  return { text: textAfter(result, CONF) ?? '', messages, outcomes: result.outcomes };
}

test('httpd -M is read, warnings and headings passed over', () => {
  expect([...parseModuleList(list(['dir'], ['core', 'so']))]).toEqual([
    ['core_module', 'static'],
    ['so_module', 'static'],
    ['dir_module', 'shared'],
  ]);
  expect(parseModuleList('mod_dir.so\nhttpd: not found\n').size).toBe(0);
});

test("beside that list, the names of modules' files count, but for an MPM and mod_access_compat that nothing loads", () => {
  const files = 'httpd.exp\nmod_access_compat.so\nmod_dir.so\nmod_info.so\nmod_mpm_event.so\nlibphp.so\n';
  expect([...parseModuleList(list(['mpm_prefork'], ['core', 'dir']) + files)]).toEqual([
    ['core_module', 'static'],
    ['dir_module', 'static'],
    ['mpm_prefork_module', 'shared'],
    ['info_module', 'shared'],
  ]);
});

describe('with the module list of the target', () => {
  test('nothing that is compiled in there is inserted, and what is not has no guard', () => {
    const { text } = convertFor(BASE, [...PRESENT, 'mpm_worker'], ['core', 'so', 'http', 'unixd']);
    expect(text).not.toMatch(/unixd|IfModule/);
    expect(text).toMatch(/^LoadModule mpm_worker_module modules\/mod_mpm_worker\.so$/m);
    expect(text).toMatch(/^LoadModule authz_core_module modules\/mod_authz_core\.so$/m);
  });

  test('no MPM is loaded beside one that is compiled in', () => {
    const { text } = convertFor(BASE, [...PRESENT, 'unixd'], ['core', 'so', 'http', 'mpm_event']);
    expect(text).not.toMatch(/mpm_/);
    expect(text).toMatch(/^LoadModule unixd_module/m);
  });

  test('a line for a module that is compiled in there goes', () => {
    const statics = ['core', 'so', 'http', 'unixd', 'mpm_event', 'dir'];
    const { text, messages } = convertFor(
      BASE,
      PRESENT.filter((name) => name !== 'dir'),
      statics,
    );
    expect(text).not.toMatch(/dir_module/);
    expect(messages).toContain(
      'dir_module is compiled into the target, which does not start if a line loads it: the line is removed',
    );
  });

  test('what is needed or loaded, and not there, keeps 2.4 from starting', () => {
    const lines = `${BASE}LoadModule ldap_module modules/mod_ldap.so\nLoadModule php5_module modules/libphp5.so\n`;
    const { outcomes } = convertFor(
      lines,
      ['authz_host', 'mime', 'alias', 'authn_core'],
      ['core', 'so', 'http', 'unixd', 'mpm_event'],
    );
    const absent = outcomes.filter(({ message }) => message.startsWith('the target does not load'));
    expect(absent).toMatchObject([
      {
        level: 'error',
        message:
          'the target does not load dir_module, ldap_module, authz_core_module: install or enable what is missing there',
        remedy:
          'RHEL and its kin have packages of their own for some: mod_ldap. Debian and SUSE enable them with a2enmod dir ldap authz_core',
      },
    ]);
    expect(absent.every(isBlocker)).toBe(true);
  });

  test('of what is there, nothing is said', () => {
    const { messages } = convertFor(BASE, PRESENT, ['core', 'so', 'http', 'unixd', 'mpm_event', 'filter']);
    expect(messages.filter((message) => message.includes('does not load'))).toEqual([]);
  });

  test('what a .htaccess may need gets no line where it is not there, and is said', () => {
    const { text, outcomes } = convertFor(BASE.replace('None', 'All'), PRESENT, [
      'core',
      'so',
      'http',
      'unixd',
      'mpm_event',
    ]);
    expect(text).not.toMatch(/filter_module/);
    expect(outcomes.filter(({ message }) => message.includes('filter_module'))).toMatchObject([
      {
        level: 'warning',
        message: expect.stringMatching(/AddOutputFilterByType lines that a \.htaccess may have/),
      },
    ]);
  });

  test('without any line, what nothing can load is a blocker', () => {
    const { outcomes } = convertFor(
      'Listen 80\nUser nobody\n',
      ['authz_core'],
      ['core', 'so', 'http', 'unixd', 'mpm_event', 'filter'],
    );
    const found = outcomes.filter((outcome) => outcome.rule === 'load-module' && isBlocker(outcome));
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^no LoadModule line loads authn_core .*authz_core/),
    ]);
  });

  test('what is not compiled in there gets a line, however few lines there are', () => {
    const lines = 'Listen 80\nLoadModule alias_module modules/mod_alias.so\n';
    const { text } = convertFor(
      `${lines}<Location "/a">\n    AuthType Basic\n</Location>\n`,
      [],
      ['core', 'so'],
    );
    expect(text).toMatch(/^LoadModule auth_basic_module modules\/mod_auth_basic\.so$/m);
  });

  test('a configuration without any line needs none where all is compiled in', () => {
    const statics = ['core', 'so', 'http', 'unixd', 'mpm_event', 'authz_core', 'authn_core', 'filter'];
    expect(convertFor('Listen 80\nUser nobody\n', [], statics).messages).toEqual([]);
    const without = statics.filter((name) => name !== 'authz_core');
    expect(convertFor('Listen 80\nUser nobody\n', [], without).messages).toEqual([
      expect.stringMatching(/^no LoadModule line loads authz_core for Require \(in the core of 2\.2\): /),
    ]);
  });
});
