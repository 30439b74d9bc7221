import { convertFiles, textAfter } from '../../testing/run/convert';

const PATH = '/w/.htaccess';

function converted(text: string, dual: boolean | undefined, others: Record<string, string> = {}): string {
  const files = { [PATH]: text, ...others };
  const result = convertFiles(files, ['/w'], dual === undefined ? {} : { dual });
  expect(result.failure).toBeUndefined();
  return textAfter(result, PATH) ?? text;
}

const lines = (...list: string[]): string => list.map((line) => `${line}\n`).join('');
const OLD = ['<Files "*.inc">', '  Order allow,deny', '  Deny from all', '</Files>'];
const NEW = ['<Files "*.inc">', '  Require all denied', '</Files>'];

const pair = (
  guard24: string,
  guard22: string,
  {
    above = ['', ''],
    inside = ['', ''],
    apart = false,
    oldFirst = false,
    body = ['Require all denied', ['Order allow,deny', 'Deny from all']] as const,
  }: {
    above?: [string, string];
    inside?: [string, string];
    apart?: boolean;
    oldFirst?: boolean;
    body?: readonly [string, readonly string[]];
  } = {},
): string[] => {
  const block = (guard: string, text: readonly string[], i: 0 | 1): string[] => [
    ...(above[i] === '' ? [] : [above[i]]),
    `<${guard}>`,
    ...(inside[i] === '' ? [] : [`  ${inside[i]}`]),
    ...text.map((line) => `  ${line}`),
    `</${guard.split(' ')[0]}>`,
  ];
  const [first, second] = [block(guard24, [body[0]], 0), block(guard22, body[1], 1)];
  const list = oldFirst ? [second, first] : [first, second];
  return [...list[0]!, ...(apart ? [''] : []), ...list[1]!];
};

const asInSection = (list: readonly string[]): string[] => [
  OLD[0]!,
  ...list.map((line) => (line === '' ? '' : `  ${line}`)),
  OLD.at(-1)!,
];
const XML = [
  'Require ip 10.0.0.0/8',
  ['Order deny,allow', 'Deny from all', 'Allow from 10.0.0.0/8'],
] as const;

type Form = Parameters<typeof pair>;
const FORMS: [what: string, form: Form][] = [
  ['asks for the module', ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c']],
  ['asks for the identifier', ['IfModule authz_core_module', 'IfModule !authz_core_module']],
  ['asks for the version', ['IfVersion >= 2.4', 'IfVersion < 2.4']],
  ['asks for 2.3', ['IfVersion >= 2.3', 'IfVersion < 2.3']],
  ['writes the name in its own letters', ['ifModule mod_authz_core.c', 'ifModule !mod_authz_core.c']],
  ['puts 2.2 first', ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c', { oldFirst: true }]],
  ['labels its blocks above', ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c', { above: ['# Apache 2.4', '# Apache 2.2'] }]],
  ['labels its blocks inside', ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c', { inside: ['#Apache 2.3+', '#Apache 2.2'] }]],
  ['labels them with signs of another alphabet', ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c', { above: ['# Apache \u00e2\u0089\u00a5 2.3', '# Apache < 2.3'], oldFirst: true, apart: true }]],
  ['leaves a line between them', ['IfVersion >= 2.4', 'IfVersion < 2.4', { above: ['# Apache 2.4', '# Apache 2.2'], apart: true }]],
]; // prettier-ignore

describe('blocks for both versions are written as the file writes them', () => {
  test.each(FORMS)('a file that %s', (_, [guard24, guard22, style = {}]) => {
    const habit = [
      '<Files "*.xml">',
      ...asInSection(pair(guard24, guard22, { ...style, body: XML })).slice(1),
    ];
    const before = lines(...habit, ...OLD);
    const after = converted(before, true);
    expect(after).toBe(lines(...habit, ...asInSection(pair(guard24, guard22, style))));
    expect(converted(after, true)).toBe(after);
    expect(converted(after, false)).toBe(
      lines('<Files "*.xml">', '  Require ip 10.0.0.0/8', '</Files>', ...NEW),
    );
  });

  test('a file that has one block for 2.4 alone: the other asks the opposite', () => {
    const habit = ['<IfVersion >= 2.4>', '  Header set X y', '</IfVersion>'];
    const body = pair('IfVersion >= 2.4', 'IfVersion < 2.4');
    expect(converted(lines(...habit, ...OLD), true)).toBe(lines(...habit, ...asInSection(body)));
  });

  test('a file without such blocks: as most of its neighbours', () => {
    const other = (guard: string): string =>
      lines(`<${guard}>`, '  Deny from all', `</${guard.split(' ')[0]}>`);
    const neighbours = {
      '/w/a/.htaccess': other('IfVersion < 2.4'),
      '/w/b/.htaccess': other('IfVersion < 2.4'),
      '/w/c/.htaccess': other('IfModule !mod_authz_core.c'),
    };
    expect(converted(lines(...OLD), true, neighbours)).toBe(
      lines(...asInSection(pair('IfVersion >= 2.4', 'IfVersion < 2.4'))),
    );
  });

  const usual = lines(...asInSection(pair('IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c')));

  test.each([
    ['asks for the version only where mod_version is there', '<IfModule mod_version.c>\n  <IfVersion >= 2.4>\n    Header set X y\n  </IfVersion>\n</IfModule>\n'],
    ['asks for a module that both versions have', '<IfModule mod_authz_host.c>\n  Header set X y\n</IfModule>\n'],
    ['asks for what no server of 2.2 after the first answers', '<IfVersion <= 2.2>\n  Header set X y\n</IfVersion>\n'],
    ['asks for a release of 2.4', '<IfVersion >= 2.4.10>\n  Header set X y\n</IfVersion>\n'],
    ['says the version in a sentence', '# Works with Apache 2.4 as well\n<IfModule mod_headers.c>\n  Header set X y\n</IfModule>\n'],
  ])('not as a file that %s', (_, habit) => {
    expect(converted(habit + lines(...OLD), true)).toBe(habit + usual);
  }); // prettier-ignore

  test('mod_version is not asked for above the line that loads it', () => {
    const conf = (text: string): string =>
      `${text}LoadModule version_module modules/mod_version.so\n<IfVersion >= 2.4>\n  Header set X y\n</IfVersion>\n`;
    const result = convertFiles({ '/etc/httpd.conf': conf(lines(...OLD)) }, ['/etc/httpd.conf'], {
      dual: true,
    });
    expect(textAfter(result, '/etc/httpd.conf')).not.toMatch(/IfVersion < 2\.4/);
  });
});

describe('what both versions read alike stands once', () => {
  test.each([
    ['Options -Indexes FollowSymLinks', ['Options FollowSymLinks']],
    ['Options FollowSymLinks -MultiViews -Indexes', ['Options FollowSymLinks']],
    ['Options +All', ['Options +Indexes +Includes +FollowSymLinks +ExecCGI']],
  ])('%s', (before, after) => {
    const text = converted(lines(before), true);
    expect(text).not.toContain('<If');
    expect(text).toBe(converted(lines(before), undefined));
    if (after.length === 1 && !before.includes('All')) expect(text).toBe(lines(...after));
  });

  test('a block inside the old lines that 2.2 skips is not put into the block for 2.2', () => {
    const before = [
      '<Files "*.inc">',
      '  Order allow,deny',
      '  <IfVersion >= 2.3>',
      '    Require all denied',
      '  </IfVersion>',
      '  Deny from all',
      '</Files>',
    ];
    expect(converted(lines(...before), true)).toBe(
      lines(...asInSection(pair('IfVersion >= 2.3', 'IfVersion < 2.3'))),
    );
  });
});
