import { collect, factsOf } from '../../src/access/collect';
import { directoryOf } from '../../src/access/policy';
import { globMatches } from '../../src/access/primitives';
import type { RunOptions, RunResult } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { loadLines } from '../../testing/run/load-lines';

const SERVER = '/etc/httpd/httpd.conf';
const HEAD = 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n';
const MODULES = loadLines('authz_host authz_default auth_basic authn_file authz_user');
const SECTIONS =
  '<Directory />\nOrder deny,allow\nDeny from all\nAllowOverride None\n</Directory>\n<Directory /srv/www>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n';
const LOCATION = '<Location />\nOrder allow,deny\nAllow from all\nDeny from 6.6.6.6\n</Location>\n';
const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\nRequire valid-user\n';
const LIST = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
/** What the other users have. */
const OTHERS = [
  LIST,
  PASSWORD,
  `${PASSWORD}${LIST}Satisfy Any\n`,
  '<Files "*.inc">\nOrder allow,deny\nDeny from all\n</Files>\n',
  '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n',
];
/** Host lists and Require lines that may each be in force or not. */
const ENDLESS = `${Array.from({ length: 40 }, (_, i) => `<Files "*${i}*">\nAllow from 10.0.0.${i}\n</Files>\n<Files "*x${i}*">\nRequire user u${i}\n</Files>\n`).join('')}<Files "*z">\nSatisfy any\n</Files>\n`;
const ATTACKER = '/srv/www/t0/.htaccess';
const IGNORED = '# httpd-codemod-ignore-file\n';

const blocks = (count: number, text: (i: number) => string, name = 'IfModule mod_x'): string =>
  Array.from(
    { length: count },
    (_, i) => `<${name}${i}${name.includes('_') ? '.c' : ''}>\n${text(i)}</${name.split(' ')[0]}>\n`,
  ).join('');

const forEach = (for22: string, for24: string): string =>
  `<IfVersion < 2.3>\n${for22}</IfVersion>\n<IfVersion >= 2.3>\n${for24}</IfVersion>\n`;

interface Server {
  readonly result: RunResult;
  /** The texts of all but the attacker's file. */
  readonly others: Readonly<Record<string, string | undefined>>;
  readonly attackers: string | undefined;
}

function convert(
  head: string,
  attack: string | undefined,
  options: RunOptions = {},
  more: Readonly<Record<string, string>> = {},
): Server {
  const files: Record<string, string> = { [SERVER]: head, '/srv/www/index.html': '', ...more };
  OTHERS.forEach((text, i) => (files[`/srv/www/t${i + 1}/.htaccess`] = text));
  const names = Object.keys(files);
  if (attack !== undefined) files[ATTACKER] = attack;
  const result = convertFiles(files, [SERVER, '/srv/www'], options);
  const others = Object.fromEntries(names.map((name) => [name, textAfter(result, name)]));
  return { result, others, attackers: attack && textAfter(result, ATTACKER) };
}

const HEADS = { 'shown to be of a 2.2': MODULES, 'without LoadModule lines': '' };

/** What has no exact text: it lets nobody in from now on. */
const DENIED: Readonly<Record<string, string>> = {
  'four blocks around Deny': blocks(4, () => 'Deny from all\n'),
  'a thousand': blocks(1000, (i) => `Order deny,allow\nDeny from all\nAllow from 10.0.0.${i % 256}\n`),
  '… of them IfDefine': blocks(5, () => 'Deny from all\n', 'IfDefine D'),
  '… with Limits in them': blocks(4, () => '<Limit GET>\nDeny from all\n</Limit>\n'),
  '… around Satisfy': blocks(6, (i) => (i % 2 === 0 ? 'Allow from 10.0.0.1\n' : 'Satisfy Any\n')),
  'a placeholder for Satisfy': 'Satisfy {{ x }}\nDeny from all\n',
  'a placeholder and Satisfy Any': 'Satisfy Any\nAllow from ${office}\n',
  'Limit in Limit': '<Limit GET>\n<LimitExcept POST>\nDeny from all\n</LimitExcept>\n</Limit>\n',
  'a block per request': '<If "true">\nRequire all granted\n</If>\nDeny from all\n',
  'hosts on one line without an end': `Deny from ${'1.2.3.4 '.repeat(33_000)}\n`,
  '… with an Order beside it': `Order deny,allow\nDeny from ${'1.2.3.4 '.repeat(33_000)}\n`,
  'users on one line without an end': `AuthType Basic\nAuthName x\nRequire user${' somebody'.repeat(30_000)}\n`,
  'a Directory': '<Directory /srv/www/t1>\nAllow from all\n</Directory>\n',
  'a Location': '<Location />\nAllow from all\n</Location>\n',
  'a Directory around lines for 2.4':
    '<Directory /srv>\n<Limit PUT>\nRequire all denied\n</Limit>\n</Directory>\n',
};

describe.each(Object.entries(HEADS))('a configuration %s', (_, modules) => {
  const head = HEAD + modules + SECTIONS;
  const alone = convert(head, undefined);

  test('is converted without him', () => {
    expect(JSON.stringify(alone.others)).not.toMatch(/<Directory[^>]*>[^<]*(?:Order|Deny from)/);
    expect(alone.others['/srv/www/t1/.htaccess']).toBe('Require ip 10.0.0.0/8\n');
  });

  test.each(Object.entries(DENIED))('%s keeps nobody else from being converted', (__, attack) => {
    const { others, attackers, result } = convert(head, attack);
    expect(result.failure).toBeUndefined();
    expect(others).toEqual(alone.others);
    expect(attackers).toContain('Require all denied\n');
    expect(attackers).not.toMatch(/granted|\bAllow|Satisfy|Require (?!all denied)/);
    const told = result.outcomes.filter(({ file, safety }) => file.path === ATTACKER && safety === 'strict');
    expect(told.map(({ level, message }) => [level, message])).toContainEqual([
      'error',
      expect.stringContaining('its access lines become Require all denied, which lets nobody in'),
    ]);
  });

  test.each([
    ['a password in blocks', PASSWORD + blocks(5, (i) => `Require user u${i}\n`)],
    ['both kinds of lines, joined', 'AuthMerging Or\nRequire all granted\nDeny from all\n'],
    ['more states than can be followed', ENDLESS],
  ])('%s keeps no section that comes after it', (__, attack) => {
    const { others, result } = convert(head + LOCATION, attack);
    expect(result.failure).toBeUndefined();
    const { [SERVER]: server, ...texts } = others;
    const { [SERVER]: before, ...known } = convert(head + LOCATION, undefined).others;
    expect(texts).toEqual(known);
    expect([before, server].map((text) => /^(?:Order|Deny)/m.test(text!))).toEqual([false, false]);
  }); // prettier-ignore

  test.each([
    'Require all granted\n',
    'Require all denied\n',
    'Require ip 10\n',
    'Require all granted\nDeny from all\n',
    '<Files x>\nRequire all denied\n</Files>\n',
  ])('lines for 2.4 (%j) decide about his file alone', (attack) => {
    const list = '<Directory /srv/www/t7>\nOrder deny,allow\nDeny from all\nAllow from 10\n</Directory>\n';
    const victim = { '/srv/www/t7/x/.htaccess': `${PASSWORD}Satisfy any\n` };
    const { others, attackers, result } = convert(head + list, attack, {}, victim);
    expect(others).toEqual(convert(head + list, undefined, {}, victim).others);
    expect(others['/srv/www/t7/x/.htaccess']).toBe(PASSWORD.replace('Require', 'Require ip 10\nRequire'));
    expect(attackers).toBe(attack.includes('Deny') ? 'Require all denied\n' : attack);
    const told = result.outcomes.filter(({ file, level }) => file.path === ATTACKER && level === 'error');
    expect(told.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /it mixes lines|already written for 2\.4, but the server's own lines are of a 2\.2/,
      ),
    );
  });

  test.each(['Deny from {{ x }}\n', 'Allow from a/b/c\n'])(
    'two files with %j, which stay for that, keep nobody',
    (attack) => {
      const files = {
        [SERVER]: head,
        '/srv/www/v/.htaccess': LIST,
        '/srv/www/m/.htaccess': attack,
        '/srv/www/n/.htaccess': attack,
      };
      const result = convertFiles(files, [SERVER, '/srv/www']);
      expect(result.failure).toBeUndefined();
      expect(textAfter(result, '/srv/www/v/.htaccess')).toBe('Require ip 10.0.0.0/8\n');
      expect(textAfter(result, SERVER)).not.toMatch(/^(?:Order|Deny)/m);
      expect(['m', 'n'].map((name) => textAfter(result, `/srv/www/${name}/.htaccess`))).toEqual([
        attack,
        attack,
      ]);
    },
  );

  test.each([
    '<IfModule !mod_authz_core.c>\nAllow from all\n<IfModule mod_authz_core.c>\n',
    '<Location /a>\nAuthGroupFile /x\n</Location>\n',
    '<LimitExcep\nAuthType Basic\n</LimitExcept>\n',
  ])('what 2.2 itself refuses (%j) keeps nobody', (attack) => {
    const { others, result } = convert(head + LOCATION, attack);
    expect(result.failure).toBeUndefined();
    const { [SERVER]: server, ...texts } = others;
    const { [SERVER]: _server, ...known } = convert(head + LOCATION, undefined).others;
    expect(texts).toEqual(known);
    expect(server).not.toMatch(/^(?:Order|Deny)/m);
  });

  test('twin: a Require line in it is not taken for nothing', () => {
    const section = '<Location /a>\nAuthGroupFile /x\n</Location>\n';
    expect(convert(head, `${section}Require valid-user\n`).attackers).toBe(`${section}Require all denied\n`);
  });

  test('blocks in each other, thousands deep, end no run', () => {
    const attack = `${'<IfModule mod_x.c>\n'.repeat(2500)}Deny from all\n${'</IfModule>\n'.repeat(2500)}`;
    const { others, result } = convert(head, attack);
    expect(result.failure).toBeUndefined();
    expect(others).toEqual(alone.others);
    // Told once, for there are as many lines as he likes.
    const told = result.outcomes.filter(({ file, rule }) => file.path === ATTACKER && rule === 'syntax');
    expect(told.map(({ message }) => message)).toEqual([
      'sections are nested too deeply: this line is not read (and 4599 more such lines), and what stands inside is taken for a part of the section around',
    ]);
  });

  test.each([
    ['</Files>', '</Files> closes a section that is not open here: httpd refuses the file'],
    ['<Files a>', '<Files> is not closed: httpd refuses the file'],
  ])('%s on many lines is told of once', (line, message) => {
    const { others, result } = convert(head, `${line}\n`.repeat(150));
    expect(others).toEqual(alone.others);
    const told = result.outcomes.filter(({ file, rule }) => file.path === ATTACKER && rule === 'syntax');
    expect(told.map((outcome) => outcome.message)).toEqual([`${message} (and 149 more such lines)`]);
  });

  test('a section for files in another one lies in the directory of its own file alone', () => {
    const nested = '<Files a>\nDeny from 10.1\n<Files a>\nDeny from 10.2\n</Files>\n</Files>\n';
    const { result } = convert(head, nested, {}, { '/srv/www/t9/.htaccess': nested });
    const { scopes } = collect(result.tree);
    const places = scopes.flatMap((scope) =>
      scope.section?.args[0]?.value === 'a' ? [directoryOf(scope)] : [],
    );
    expect(places).toEqual(['/srv/www/t0', '/srv/www/t0', '/srv/www/t9', '/srv/www/t9']);
  });

  test('what is ignored stays, and 2.4 answers 500 there', () => {
    for (const attack of [
      `${IGNORED}${LIST}`,
      `# httpd-codemod-ignore-next-line\n${LIST}`,
      `${IGNORED}<Files x>\n${LIST}</Files>\n`,
    ]) {
      const { others, attackers, result } = convert(head, attack);
      expect(result.failure).toBeUndefined();
      expect(others).toEqual(alone.others);
      expect(attackers).toBe(attack);
      // Nobody sees this in the changes.
      const told = result.outcomes.filter(
        ({ file, status }) => file.path === ATTACKER && status !== 'ignored',
      );
      expect(told).toEqual([
        expect.objectContaining({
          level: 'error',
          message: expect.stringMatching(/asks to leave it alone;.*answers 500 there/),
        }),
      ]);
    }
  });

  test('so does what cannot be written', () => {
    const unwritable = new Map([[ATTACKER, 'it has two names']]);
    const { others, attackers, result } = convert(head, LIST, { unwritable });
    expect([others, attackers]).toEqual([alone.others, LIST]);
    expect(result.outcomes).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringMatching(/t0.*answers 500 there/) }),
    );
  });

  test('it is told, and blocks, where mod_access_compat would let somebody in', () => {
    // It would take Satisfy with what is inherited, and no host list of the sections above.
    for (const attack of [`${IGNORED}Satisfy Any\n`, `${IGNORED}${PASSWORD}Satisfy All\n`]) {
      const { others, attackers, result } = convert(head, attack);
      expect([others, attackers]).toEqual([alone.others, attack]);
      expect(result.outcomes).toContainEqual(
        expect.objectContaining({
          level: 'error',
          status: 'none',
          message: expect.stringMatching(
            /t0.*answers 500 there without mod_access_compat, and with it may let in there whom other sections refuse/,
          ),
        }),
      );
    }
  });

  test('but not where 2.4 need not refuse it', () => {
    // A block need not be read at all.
    const attack = IGNORED + blocks(1, () => 'Deny from all\n');
    expect(convert(head, attack).others['/srv/www/t1/.htaccess']).toBe(LIST);
  });
});

describe('what cannot be written', () => {
  // Above is a host list, which 2.4 would let the file's own lines take the place of.
  const head = HEAD + MODULES + SECTIONS.replace(/Allow from all\n/, 'Allow from all\nDeny from 6.6.6.6\n');
  const FILES = '<Files x.txt>\nRequire user a\n</Files>\n';
  const alone = convert(head, undefined);
  const unwritable = (path: string): RunOptions => ({ unwritable: new Map([[path, 'EPERM']]) });

  const convertBeside = (path: string, text: string, config = head): RunResult =>
    convertFiles(
      { [SERVER]: config, '/srv/www/t1/.htaccess': LIST, [path]: text },
      [SERVER, '/srv/www'],
      unwritable(path),
    );

  // Each is a section for this directory alone.
  test.each([
    ['a%20b', 'a[%]20b', 'a-20b'],
    ['a[b]', 'a[[]b]', 'ab'],
    ['a*b', 'a[*]b', 'axb'],
    ['a?b', 'a[?]b', 'axb'],
    ['[!x]', '[[]!x]', 'y'],
    ["a'b", "a'b", 'axb'],
    ['a\\b', '"a[\\\\\\]b"', 'ab'],
    ['${x}', '[$][{]x[}]', 'x'],
    ['{{ x }}', '"[{][{] x [}][}]"', 'x'],
    ['a<b>', 'a[<]b[>]', 'axb'],
    ['a\nb', '"a[\t-\v]b"', 'a b'],
  ])('a directory called %j is shut by its name', (name, written, other) => {
    const result = convertBeside(`/srv/www/${name}/.htaccess`, PASSWORD);
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, '/srv/www/t1/.htaccess')).toBe('Require ip 10.0.0.0/8\n');
    const text = textAfter(result, SERVER)!;
    const quote = written.startsWith('"') ? '"' : '';
    const argument = `${quote}/srv/www/${written.replace(/^"|"$/g, '')}${quote}`;
    expect(text).toContain(`<Directory ${argument}>\n    AllowOverride None\n`);
    const glob = `/srv/www/${written.replace(/^"|"$/g, '').replaceAll('\\\\', '\\')}`;
    expect([name, other].map((last) => globMatches(glob, `/srv/www/${last}`))).toEqual([true, false]);
  });

  test.each([
    ['a Files section alone', FILES],
    ['a Files section below passwords', PASSWORD.replace('Require valid-user\n', FILES)],
    ['other lines', `${PASSWORD}Options -ExecCGI\nRewriteEngine On\n`],
    ['lines in a block', blocks(5, (i) => `Require user u${i}\n`)],
    ['more blocks than can be restated', blocks(4, () => 'Deny from all\n')],
    ['a placeholder', 'Satisfy {{ x }}\nRequire valid-user\n'],
    ['lines for 2.2 alone', '<IfModule !mod_authz_core.c>\nRequire user x\n</IfModule>\n'],
    ['lines of both kinds', 'AuthMerging Or\nRequire all granted\nDeny from all\n'],
    ['a section that is not closed', '<Files x>\nRequire valid-user\n'],
  ])('%s keeps nobody, with what may let in there too', (_, attack) => {
    const below = '<Directory /srv/www/t0/s>\nOrder allow,deny\nAllow from all\n</Directory>\n';
    const config = `${head}${below}${LOCATION}`;
    const { others, attackers, result } = convert(config, attack, unwritable(ATTACKER));
    expect(result.failure).toBeUndefined();
    expect(attackers).toBe(attack);
    const { [SERVER]: server, ...texts } = others;
    const { [SERVER]: _server, ...known } = convert(config, undefined).others;
    expect(texts).toEqual(known);
    expect(server).not.toMatch(/^(?:Order|Deny)/m);
  });

  test('nor do the blocks for each version of somebody else', () => {
    const { others } = convert(head, PASSWORD, unwritable(ATTACKER));
    expect(others).toMatchObject({ ...alone.others, [SERVER]: expect.anything() });
    expect(others[SERVER]).toContain('<Directory /srv/www/t0>\n    AllowOverride None\n');
  });

  test.each([
    ['that say the same', PASSWORD, PASSWORD],
    ['that let everybody in', LIST, 'Require all granted\n'],
    ['without the AuthType of those for 2.2', `${PASSWORD}Satisfy any\n`, 'Require all granted\n'],
  ])('a half for 2.4 with lines %s keeps nobody, and its directory is shut', (_, for22, for24) => {
    const attack = forEach(for22, for24);
    const { others, attackers, result } = convert(head, attack, unwritable(ATTACKER));
    expect(result.failure).toBeUndefined();
    expect(attackers).toBe(attack);
    const { [SERVER]: server, ...texts } = others;
    const { [SERVER]: _server, ...known } = alone.others;
    expect(texts).toEqual(known);
    expect(server).not.toMatch(/^(?:Order|Deny)/m);
    expect(server).toContain('<Directory /srv/www/t0>\n    AllowOverride None\n');
  });

  test('a directory that is shut is not shut again', () => {
    const { others } = convert(head, PASSWORD, unwritable(ATTACKER));
    const again = convert(others[SERVER]!, PASSWORD, unwritable(ATTACKER));
    expect(again.others[SERVER]).toBe(others[SERVER]);
  });
});

describe('lines for 2.4 that lack the AuthType of those for 2.2', () => {
  const head = HEAD + MODULES + SECTIONS.replace(/Allow from all\n/, 'Allow from all\nDeny from 6.6.6.6\n');

  test('keep nobody: both go out of their blocks', () => {
    const attack = forEach(`${PASSWORD}Satisfy any\n`, 'Require all granted\n');
    const { others, attackers } = convert(head, attack);
    expect(others).toEqual(convert(head, undefined).others);
    expect(attackers).toBe(
      `${PASSWORD.replace('Require valid-user\n', '')}<RequireAll>\n    Require all granted\n    Require not ip 6.6.6.6\n</RequireAll>\nRequire valid-user\n`,
    );
  });

  test("twin: somebody else's do not, and keep no lines from being restated", () => {
    const more = { '/srv/www/v/.htaccess': forEach(PASSWORD, PASSWORD) };
    const { others } = convert(head, forEach(`${PASSWORD}Satisfy any\n`, 'Require all granted\n'), {}, more);
    expect(others).toEqual(convert(head, undefined, {}, more).others);
    expect(others['/srv/www/v/.htaccess']).toContain('Require not ip 6.6.6.6');
  });
});

test('twin: a server whose own files have lines of both kinds is asked about', () => {
  const ofServer = '<Directory /srv/www/t8>\nRequire all granted\n</Directory>\n';
  const list = '<Directory /srv/www/t7>\nOrder deny,allow\nDeny from all\nAllow from 10\n</Directory>\n';
  const victim = { '/srv/www/t7/x/.htaccess': `${PASSWORD}Satisfy any\n` };
  const { others } = convert(HEAD + SECTIONS + list + ofServer, 'Require all granted\n', {}, victim);
  expect(others['/srv/www/t7/x/.htaccess']).toBe(PASSWORD.replace('valid-user', 'all denied'));
});

test('twin: a line that loads mod_access_compat or another module of 2.4 says that a 2.4 runs it', () => {
  const list = '<Directory /srv/www/t7>\nOrder deny,allow\nDeny from all\nAllow from 10\n</Directory>\n';
  const victim = { '/srv/www/t7/x/.htaccess': `${PASSWORD}Satisfy any\n` };
  for (const name of ['access_compat', 'authz_core']) {
    const head = `${HEAD}LoadModule ${name}_module modules/mod_${name}.so\n${SECTIONS}${list}`;
    const { others } = convert(head, 'Require all granted\n', {}, victim);
    expect(others['/srv/www/t7/x/.htaccess']).not.toContain('Require ip 10');
  }
});

test('a target answers 500 to any old line, or lets in where it is told, whatever modules it has', () => {
  const head = HEAD + MODULES + SECTIONS;
  const targetModules = new Map([['authz_core_module', 'shared' as const]]);
  const attack = `${IGNORED}Satisfy Any\n`;
  expect(convert(head, attack, { targetModules }).others['/srv/www/t1/.htaccess']).toBe(
    'Require ip 10.0.0.0/8\n',
  );
  targetModules.set('access_compat_module', 'shared');
  expect(convert(head, attack, { targetModules }).others['/srv/www/t1/.htaccess']).toBe(
    'Require ip 10.0.0.0/8\n',
  );
});

describe('a line that 2.2 itself refuses, in a file that is to let nobody in', () => {
  const head = `${HEAD}${MODULES}${SECTIONS}<Files "pub*">\nOrder allow,deny\nAllow from all\n</Files>\n`;

  // 2.2 answers 500 to /t0/pub.html, too, which the last section would let in.
  test.each([
    ['Satisfy maybe\nDeny from all\n', 'Require all denied\nSatisfy maybe\n'],
    ['Satisfy Any\nAllow from 300.1.2.3/99\n', 'Require all denied\nAllow from 300.1.2.3/99\n'],
    [
      '<Files x>\nDeny from all\nSatisfy maybe\n</Files>\n',
      '<Files x>\nRequire all denied\nSatisfy maybe\n</Files>\n',
    ],
    [`${blocks(4, () => 'Deny from all\n')}Order x\n`, 'Require all denied\nOrder x\n'],
  ])('%j stays', (attack, attackers) => {
    const { result, ...texts } = convert(head, attack);
    expect(result.failure).toBeUndefined();
    expect(texts.attackers).toBe(attackers);
    expect(texts.others).toEqual(convert(head, undefined).others);
    // It is no more than that to a second run.
    expect(convert(texts.others[SERVER]!, attackers).attackers).toBe(attackers);
  });

  test('lines that are only not known go', () => {
    expect(convert(head, 'Satisfy {{ x }}\nDeny from all\n').attackers).toBe('Require all denied\n');
  });
});

test('lines for 2.4 in many files keep nobody: each is told, not only those of a sample', () => {
  const host = (name: string): string =>
    `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot /home/${name}/www\n</VirtualHost>\n`;
  const names = Array.from({ length: 40 }, (_, i) => `u${i}`);
  const config = `${HEAD}${MODULES}<Directory />\nOrder deny,allow\nDeny from all\nAllowOverride None\n</Directory>\n<Directory /home/*/www>\nAllowOverride All\nOrder allow,deny\nAllow from all\nDeny from 6.6.6.6\n</Directory>\nNameVirtualHost *:80\n${names.map(host).join('')}${host('t')}`;
  const files = {
    [SERVER]: config,
    ...Object.fromEntries(names.flatMap((name, i) => [[`/home/${name}/www/.htaccess`, OTHERS[i % 4]!], [`/home/${name}/www/p/.htaccess`, OTHERS[(i + 1) % 4]!]])),
    ...Object.fromEntries(names.map((_, i) => [`/home/t/www/d${i}/.htaccess`, 'Require all granted\n'])),
  }; // prettier-ignore
  const result = convertFiles(files, [SERVER, '/home']);
  expect(result.failure).toBeUndefined();
  expect(textAfter(result, SERVER)).not.toMatch(/^(?:Order|Deny)/m);
  const told = result.outcomes.filter(
    ({ file, level }) => file.path.startsWith('/home/t/') && level === 'error',
  );
  expect(told).toHaveLength(40);
});

test('a file that keeps nobody else stays as it is', () => {
  const text = blocks(4, () => 'Deny from all\n');
  const result = convertFiles({ '/srv/.htaccess': text });
  expect(result.plan).toEqual([]);
  expect(result.outcomes).toContainEqual(
    expect.objectContaining({ level: 'error', message: expect.stringContaining('more conditional blocks') }),
  );
});

describe('a line that AllowOverride does not let in, in a file whose access lines it does', () => {
  const head = `${HEAD}${MODULES}LoadModule rewrite_module modules/mod_rewrite.so\n${SECTIONS}<Directory /srv/www/t0>\nAllowOverride Indexes Limit\n</Directory>\n`;

  // Asked of both: 500 for all that lies there.
  test.each([
    `RewriteEngine on\n${LIST}`,
    `${LIST}<IfModule mod_rewrite.c>\nRewriteEngine on\n</IfModule>\n`,
    `Options -Indexes\n${LIST}`,
    `<Files x>\nErrorDocument 404 x\n</Files>\n${LIST}`,
  ])('%j is a 500 to both, and keeps nobody else', (attack) => {
    const { others, attackers, result } = convert(head, attack);
    expect(result.failure).toBeUndefined();
    expect(others).toEqual(convert(head, undefined).others);
    expect(others['/srv/www/t1/.htaccess']).toBe('Require ip 10.0.0.0/8\n');
    expect(attackers).toBe(attack);
    const told = result.outcomes.filter(({ file }) => file.path === ATTACKER);
    expect(told.map(({ level, message }) => [level, message])).toContainEqual([
      'warning',
      expect.stringMatching(/does not let this file say (?:RewriteEngine|Options|ErrorDocument): 2\.2 answers 500 here, and 2\.4 does/),
    ]);
  }); // prettier-ignore

  test('twin: in a block that is not read it is nothing', () => {
    const attack = `<IfModule mod_headers.c>\nHeader set x y\n</IfModule>\n${LIST}`;
    const { attackers, result } = convert(head, attack);
    expect(attackers).toBe(attack.replace(LIST, 'Require ip 10.0.0.0/8\n'));
    expect(textAfter(result, SERVER)).toContain('AllowOverrideList Require\n');
  });
});

test.each([
  ['with a Require word that no module known here answers', 'Require grup x\n', 'grup'],
  ['split over more blocks than can be told apart', blocks(4, (i) => `Allow from 10.0.0.${i}\n`), 'more conditional blocks'],
  ['split so, of whose Satisfy another inherits', `${PASSWORD}${blocks(4, (i) => `Allow from 10.0.0.${i}\n`)}Satisfy Any\n`, 'more conditional blocks'],
])('a section of the server %s keeps nothing but itself, and lets nobody in', (_name, lines, words) => {
  const odd = `<Directory /srv/www/odd>\n${lines}</Directory>\n`;
  const below = '<Directory /srv/www/odd/below>\nOrder allow,deny\nAllow from all\n</Directory>\n';
  const head = HEAD + MODULES + SECTIONS;
  const { [SERVER]: _, ...without } = convert(head, undefined).others;
  const { result, others } = convert(`${head}${lines.includes('Satisfy') ? '' : 'Include missing.conf\n'}${odd}${below}`, undefined);
  const { [SERVER]: server, ...files } = others;
  expect(files).toEqual(without);
  expect(server).toMatch(/<Directory \/srv\/www\/odd>\n(?:Auth.*\n)*Require all denied\n/);
  expect(server).not.toMatch(/Allow from 10\.0|^Require grup/m);
  const told = result.outcomes.filter(({ message }) => message.includes(words));
  expect(told.map(({ level, status }) => [level, status])).toEqual([['error', 'applied']]);
}); // prettier-ignore

test.each([
  ['a list of hosts', 'Order allow,deny\nAllow from all\n', true],
  ['a password and an address, either of which does', `${PASSWORD}Order allow,deny\nAllow from 10\nSatisfy Any\n`, false],
  ['one that lets everybody in, and Satisfy Any', 'Order allow,deny\nAllow from all\nSatisfy Any\n', false],
  ['addresses, and Satisfy Any', 'Order allow,deny\nAllow from 10\nSatisfy Any\n', true],
  ['one that lets nobody in', 'Order allow,deny\nDeny from all\n', false],
  ['a password and a list', `${PASSWORD}Order allow,deny\nAllow from 10\n`, false],
])('below a section that lets nobody in from now on %s', (_name, lines, isStrict) => {
  const odd = `<Directory /srv/www/odd>\n${PASSWORD}Require grup x\n</Directory>\n`;
  const below = `<Directory /srv/www/odd/below>\n${lines}</Directory>\n`;
  const { result } = convert(`${HEAD}${MODULES}${SECTIONS}Include missing.conf\n${odd}${below}`, undefined);
  const told = result.outcomes.filter(({ message }) => message.startsWith('<Directory /srv/www/odd/below>: '));
  expect(told.map(({ safety }) => safety === 'strict')).toEqual([isStrict]);
  expect(told[0]!.message.includes('<Directory /srv/www/odd> has become Require all denied: whoever 2.2 let in')).toBe(isStrict);
}); // prettier-ignore

test.each([
  ['a Location around SSLRequire', '<Location />\nSSLRequire %{SSL_CLIENT_S_DN_CN} in {"a", "b"}\n</Location>\n'],
  ['a Location in a block for 2.4', '<IfModule authz_core_module>\n<Location /a>\nRequire ip 10.0.0.0/8\n</Location>\n</IfModule>\n'],
])('%s keeps nobody else beside a file that lets nobody in', (_, attack) => {
  const head = `${HEAD}${MODULES}${SECTIONS}<Location /private>\n${PASSWORD}${LIST}Satisfy any\n</Location>\n`;
  const more = { '/srv/www/mixed/.htaccess': 'Require all denied\nOrder deny,allow\nDeny from all\n' };
  expect(convert(head, attack, {}, more).others).toEqual(convert(head, '# nothing\n', {}, more).others);
}); // prettier-ignore

/** What is said of the server by a `.htaccess`: httpd answers 500 to most of these lines there. */
const OF_SERVER = {
  'that it is a 2.2': 'LoadModule authz_default_module modules/mod_authz_default.so\n',
  'that it has these modules': 'alias authz_core dir mime setenvif version'.split(' ').map((name) => `LoadModule ${name}_module x.so\n`).join(''),
  'that its pages have been looked at': 'SSILegacyExprParser on\n',
  'that it has PHP, on Windows': 'LoadModule php5_module "C:/php/php5apache2_2.dll"\nLoadFile "C:/x.dll"\nWin32DisableAcceptEx\n',
}; // prettier-ignore
const PHP = '<Files "*.php">\nAddType application/x-httpd-php .php\n</Files>\n';

describe.each([
  ['of a 2.2', HEAD + MODULES + SECTIONS],
  ['without LoadModule lines', HEAD + SECTIONS],
  ['half converted', `${HEAD}${SECTIONS}<Directory /srv/www/t1>\nRequire all granted\n</Directory>\n`],
])('what a .htaccess says of the server is nothing to a configuration %s', (_, head) => {
  const more = {
    '/srv/www/php/.htaccess': PHP,
    '/srv/www/ssi/.htaccess': 'Options +Includes\nAddOutputFilter INCLUDES .shtml\n',
  };
  const alone = convert(head, '# nothing\n', {}, more);

  test.each(Object.entries(OF_SERVER))('%s', (__, attack) => {
    const { others, result } = convert(head, attack, {}, more);
    expect(others).toEqual(alone.others);
    const toldOf = (outcomes: RunResult['outcomes']): readonly string[] =>
      outcomes.flatMap(({ file, message }) => (file.path === ATTACKER ? [] : message));
    expect(toldOf(result.outcomes)).toEqual(toldOf(alone.result.outcomes));
  });
});

test.each(Object.entries(OF_SERVER))(
  'a run over files of users alone does not take from one of them %s',
  (_, attack) => {
    const files: Record<string, string> = {
      '/srv/www/php/.htaccess': PHP,
      '/srv/www/ssi/.htaccess': 'Options +Includes\nAddOutputFilter INCLUDES .shtml\n',
    };
    OTHERS.forEach((text, i) => (files[`/srv/www/t${i + 1}/.htaccess`] = text));
    const of = (text: string): readonly (readonly [string, string])[] => {
      const { outcomes, plan } = convertFiles({ ...files, [ATTACKER]: text }, ['/srv/www']);
      const changed = plan.map(({ file, text: after }) => [file.path, after] as const);
      return [...changed, ...outcomes.map(({ file, message }) => [file.path, message] as const)].filter(
        ([path]) => path !== ATTACKER,
      );
    };
    expect(of(`${attack}MaxClients 5\nRegisterHttpMethod X\n`)).toEqual(of('# nothing\n'));
  },
);

test('a line for the server is told, not converted, in a file of a user given alone', () => {
  const { outcomes, plan } = convertFiles({ '/srv/www/t/.htaccess': 'MaxClients 5\n' }, ['/srv/www']);
  expect(plan).toEqual([]);
  expect(outcomes.map(({ message }) => message)).toEqual([
    '2.4 does not allow MaxClients in a .htaccess; 2.2 refused it too',
  ]);
});

describe('methods that files of users ask for', () => {
  const limit = (names: readonly string[]): string =>
    names.map((name) => `<Limit ${name}>\nDeny from all\n</Limit>\n`).join('');
  const head = HEAD + MODULES + SECTIONS;
  const more = { '/srv/www/purge/.htaccess': limit(['PURGE', 'BAN']) };
  const registered = (attack: string): string | undefined =>
    /^RegisterHttpMethod .*/m.exec(convert(head, attack, {}, more).others[SERVER]!)?.[0];

  test.each([
    ['a thousand on a line', limit([Array.from({ length: 1000 }, (_, i) => `M${i}`).join(' ')])],
    ['a thousand sections', limit(Array.from({ length: 1000 }, (_, i) => `M${i}`))],
    ['one without an end', limit(['M'.repeat(100_000)])],
  ])('%s do not take the room of others', (_, attack) => {
    expect(registered(attack)).toBe('RegisterHttpMethod PURGE BAN');
    const told = convert(head, attack, {}, more).result.outcomes.filter(
      ({ file, message }) => file.path === ATTACKER && message.includes('RegisterHttpMethod'),
    );
    expect(told.length).toBeGreaterThan(0);
    expect(Math.max(...told.map(({ message }) => message.length))).toBeLessThan(600);
  });

  test('those that httpd has no room for are not asked about in each section of others', () => {
    const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `M${i}`);
    const asked = (attack: string): readonly string[] => {
      const { tree } = convert(head, attack, {}, more).result;
      return factsOf(collect(tree), tree).classes;
    };
    const ofOthers = asked('# nothing\n');
    expect(asked(limit(names(2000)))).toEqual(ofOthers);
    expect(asked(limit(names(3)))).toEqual(expect.arrayContaining([...ofOthers, ...names(3)]));
    // What the server's own files name is asked about, however much that is.
    const { tree } = convert(
      `${head}<Directory /srv/www/own>\n${limit(names(50))}</Directory>\n`,
      undefined,
      {},
      more,
    ).result;
    expect(factsOf(collect(tree), tree).classes).toEqual(expect.arrayContaining([...ofOthers, ...names(50)]));
  });

  test('twin: a few are registered', () => {
    expect(registered(limit(['M1 M2']))).toBe('RegisterHttpMethod PURGE BAN M1 M2');
  });
});

test('a text that an earlier run has written is no change that the sections of others wait for', () => {
  const config =
    'LoadModule authz_default_module modules/mod_authz_default.so\n<VirtualHost *:80>\n<Directory /home/a>\nAllowOverride AuthConfig Limit\n</Directory>\n<Location /private>\nSatisfy any\n</Location>\n</VirtualHost>\n<VirtualHost *:80>\nDocumentRoot /home/t\n</VirtualHost>\n';
  const others = {
    [SERVER]: config,
    '/home/a/.htaccess': 'Deny from 1.2.3.4\nErrorDocument 403 /e.html\n',
    '/home/b/.htaccess': LIST,
  };
  const attack = {
    '/home/t/d0/.htaccess': 'Require all denied\n',
    '/home/t/d1/.htaccess': '<Directory "/x">\nAuthType Basic\nRequire valid-user\n</Directory>\n',
  };
  const textsWith = (files: Readonly<Record<string, string>>): readonly (string | undefined)[] => {
    const result = convertFiles(files, [SERVER, '/home']);
    return Object.keys(others).map((path) =>
      path === SERVER ? String(textAfter(result, path)?.includes('Satisfy')) : textAfter(result, path),
    );
  };
  expect(textsWith({ ...others, ...attack })).toEqual(textsWith(others));
});

test('two files that httpd refuses for a section, one with nothing but a file of groups in it, keep nobody else', () => {
  const attack = '<Proxy balancer://x>\nAuthGroupFile /x\n</Proxy>\n';
  const other = (text: string): Record<string, string> => ({ '/srv/www/t9/.htaccess': text });
  const { others, result } = convert(
    HEAD + MODULES + SECTIONS,
    attack,
    {},
    other('<Directory /x>\nAllow from all\n</Directory>\n'),
  );
  const { '/srv/www/t9/.htaccess': _other, ...texts } = others;
  const { '/srv/www/t9/.htaccess': _nothing, ...known } = convert(
    HEAD + MODULES + SECTIONS,
    '# nothing\n',
    {},
    other('# nothing\n'),
  ).others;
  expect(result.failure).toBeUndefined();
  expect(texts).toEqual(known);
});

describe('two files of one user, one of which has a line for 2.4', () => {
  const head = HEAD + MODULES + SECTIONS;

  test.each([
    ['beside one that stays', 'Allow from a/b/c\n', 'Require all granted\n'],
    [
      'beside one in a block that may not be read',
      'Require all denied\n',
      '<IfModule !version_module>\nRequire all denied\n</IfModule>\n',
    ],
  ])('%s', (_, attack, other) => {
    const more = { '/srv/www/t9/.htaccess': '# nothing\n' };
    const { others, result } = convert(head, attack, {}, { '/srv/www/t9/.htaccess': other });
    const { '/srv/www/t9/.htaccess': _other, ...texts } = others;
    const { '/srv/www/t9/.htaccess': _nothing, ...known } = convert(head, '# nothing\n', {}, more).others;
    expect(result.failure).toBeUndefined();
    expect(texts).toEqual(known);
    expect(texts[SERVER]).not.toContain('authz_default_module');
  });
});

test("twin: the server's own line for 2.4 keeps the module as long as its own lines for 2.2 stay", () => {
  const mixed = '<Directory /srv/www/t8>\nRequire all granted\nDeny from all\n</Directory>\n';
  expect(convert(HEAD + MODULES + SECTIONS + mixed, undefined).others[SERVER]).toContain(
    'authz_default_module',
  );
});

test.each([
  ['AuthLDAPURL', '<FilesMatch "\\.html$">\nAuthLDAPURL ldap://ldap.example.com/o=x?uid\n</FilesMatch>\n'],
  ['the same in a block', '<FilesMatch "\\.html$">\n<IfModule mod_auth_basic.c>\nAuthLDAPURL ldap://ldap.example.com/o=x?uid\n</IfModule>\n</FilesMatch>\n'],
])('a section whose only line about users is %s stays, and keeps nobody', (_, attack) => {
  const sections = SECTIONS.replace(/Allow from all\n/, 'Allow from all\nDeny from 6.6.6.6\n');
  const head = `${HEAD}${MODULES}${sections}<Files ~ "^\\.ht">\nOrder allow,deny\nDeny from all\n</Files>\n`;
  const { others, attackers, result } = convert(head, attack);
  expect(result.failure).toBeUndefined();
  expect(others).toEqual(convert(head, '# nothing\n').others);
  expect(attackers).toBe(attack);
}); // prettier-ignore

describe('beside a file that stays, as AllowOverride lets it say this in one host alone', () => {
  const head = `${HEAD}${MODULES}${SECTIONS}NameVirtualHost *:80\n<VirtualHost *:80>\nServerName v\nDocumentRoot /srv/www/v\n<Directory /srv/www/v>\nAllowOverride AuthConfig\nOrder allow,deny\nAllow from all\n</Directory>\n</VirtualHost>\n<VirtualHost *:80>\nServerName w\n</VirtualHost>\n`;
  const more = { '/srv/www/v/.htaccess': 'Deny from 1.2.3.4\n' };
  const BLOCKS = [
    'Satisfy Any\n<IfVersion >= 2.4>\nRequire ip 10.1\n</IfVersion>\n',
    '<FilesMatch "x">\n<IfModule !mod_authz_core.c>\nSatisfy All\n</IfModule>\n</FilesMatch>\n',
  ];
  const alone = convert(head, '# nothing\n', {}, more);

  test.each(BLOCKS)('blocks for each version (%j) keep nobody in another directory', (attack) => {
    const { others, result } = convert(head, attack, {}, more);
    expect(result.failure).toBeUndefined();
    expect(others).toEqual(alone.others);
    expect(others['/srv/www/v/.htaccess']).toBe(more['/srv/www/v/.htaccess']);
    expect(others['/srv/www/t1/.htaccess']).toBe('Require ip 10.0.0.0/8\n');
  });

  test.each(BLOCKS)('twin: below it (%j) the file does not stay: its directory is shut', (block) => {
    const { others, result } = convert(
      head,
      '# nothing\n',
      {},
      { ...more, '/srv/www/v/in/.htaccess': block },
    );
    expect(others[SERVER]).not.toMatch(/^(?:Order|Deny)/m);
    expect(others[SERVER]).toMatch(
      /<Directory \/srv\/www\/v>\n *AllowOverride None\n[^<]*Require all denied\n/,
    );
    expect(others['/srv/www/v/.htaccess']).toBe(more['/srv/www/v/.htaccess']);
    const told = result.outcomes.filter(
      ({ file, level }) => file.path === '/srv/www/v/.htaccess' && level === 'error',
    );
    expect(told.map(({ message }) => message)).toEqual([expect.stringMatching(/lets nobody in there$/)]);
  });
});

describe('a section without an access line keeps nobody else', () => {
  const host = (inside: string): string => `<VirtualHost *:80>\n${inside}</VirtualHost>\n`;
  const of = (path: string, inside: string): string => `<Directory ${path}>\n${inside}</Directory>\n`;
  const textsWith = (
    files: Readonly<Record<string, string>>,
    attack: string,
  ): readonly (string | undefined)[] => {
    const [server, other] = Object.keys(files);
    const home = other!.split('/a/')[0]!;
    const result = convertFiles({ ...files, [`${home}/t/public_html/d/.htaccess`]: attack }, [server!, home]);
    return Object.keys(files).map((path) => textAfter(result, path));
  };
  const LINES = {
    'a file of groups': 'AuthGroupFile /x\n',
    'a file of groups in a block':
      '<IfModule mod_authz_dbm.c>\nAuthDBMGroupFile /x\n</IfModule>\nAuthGroupFile /x\n',
    'two files of groups, one in a Limit': '<Limit GET>\nAuthGroupFile /x\n</Limit>\nAuthDBMGroupFile /x\n',
    'a directory server': 'Options -Indexes\nAuthLDAPURL ldap://x\n',
  };

  test.each(Object.entries(LINES))('which names %s where each host may serve it', (_, lines) => {
    const config =
      host(of('/copy/home/a/public_html/sec', 'Deny from all\n')) +
      host(of('/copy/home/b/public_html', '')) +
      host('DocumentRoot /copy/home/t/public_html\n');
    const files = { '/copy/etc/httpd/conf/httpd.conf': config, '/copy/home/a/public_html/.htaccess': LIST };
    const texts = textsWith(files, `<Files "*.txt">\n${lines}</Files>\n`);
    expect(texts).toEqual(textsWith(files, '# nothing\n'));
    expect(texts[1]).toBe('Require ip 10.0.0.0/8\n');
  });

  test.each(Object.entries(LINES))('which names %s where that says who gets in', (_, lines) => {
    const groups = 'AuthType Basic\nAuthName x\nAuthUserFile /u\nRequire group adm\nRequire user bob\n';
    const config = `ServerRoot /etc/httpd\n${MODULES}LoadModule authz_groupfile_module x\nLoadModule authz_dbm_module x\n${of('/home/t', groups)}${of('/home', 'AllowOverride All\nDeny from 1.2.3.4\n')}`;
    const hosts = `${host('DocumentRoot /home/a\n')}${host('DocumentRoot /home/t\n')}${host(`DocumentRoot /home/a\n${of('/home/t', 'Deny from all\nSatisfy any\n')}`)}`;
    const files = { [SERVER]: config + hosts, '/home/a/.htaccess': LIST };
    const texts = textsWith(files, `<Files "*.txt">\n${lines}</Files>\n`);
    expect(texts).toEqual(textsWith(files, '# nothing\n'));
    expect(texts[1]).toBe('Require ip 10.0.0.0/8\n');
  });
});

test.each([
  '<VirtualHost *:*>\n</VirtualHost>\n',
  '<VirtualHost _default_:*>\nServerName x\n</VirtualHost>\n',
  '<Directory /srv/www/*/public_html>\n</Directory>\n',
  '<Directory ~ "^/data">\n</Directory>\n',
])('a section that httpd refuses in a .htaccess is nothing that the server has: %j', (attack) => {
  const head = `${HEAD}${MODULES}${SECTIONS}UserDir public_html\nRewriteEngine on\nRewriteRule ^/q/(.*) /data/$1\n`;
  const serverOf = (text: string): unknown => {
    const { tree, outcomes } = convert(head, text).result;
    const { mapping, servedPaths } = collect(tree);
    const told = outcomes.filter(({ file }) => file.path === SERVER).map(({ at, message }) => [at, message]);
    return [mapping.hostsExcept().length, mapping.targets(undefined), [...new Set(servedPaths)], told];
  };
  expect(serverOf(attack)).toEqual(serverOf('# nothing\n'));
}); // prettier-ignore
