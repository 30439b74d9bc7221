import type { RunOptions, RunResult } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';

const SERVER = '/etc/httpd/httpd.conf';
const HTACCESS = '/h/m/.htaccess';

/** A server whose URLs nobody but httpd can tell: what is served there no request can be named for. */
const START = 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /h\nUseCanonicalName Off\n';
const MODULES = {
  '2.2': 'LoadModule authz_host_module modules/mod_authz_host.so\n',
  '2.4':
    'LoadModule mpm_prefork_module modules/mod_mpm_prefork.so\nLoadModule unixd_module modules/mod_unixd.so\n' +
    'LoadModule authz_core_module modules/mod_authz_core.so\n',
};

const directory = (...lines: readonly string[]): string =>
  ['<Directory /h>', ...lines.map((line) => `    ${line}`), '</Directory>', ''].join('\n');

const SERVERS = {
  'a 2.2 server': (override: string) =>
    START + MODULES['2.2'] + directory(`AllowOverride ${override}`, 'Order allow,deny', 'Allow from all'),
  'a 2.2 server without access lines': (override: string) =>
    START + MODULES['2.2'] + directory(`AllowOverride ${override}`),
  'a 2.4 server': (override: string) =>
    START + MODULES['2.4'] + directory(`AllowOverride ${override}`, 'Require all granted'),
} as const;

const convert = (files: Readonly<Record<string, string>>, options: RunOptions = {}): RunResult =>
  convertFiles(files, ['/etc/httpd', ...(HTACCESS in files ? ['/h'] : [])], options);

const written = (files: Readonly<Record<string, string>>, result: RunResult): Record<string, string> =>
  Object.fromEntries(Object.keys(files).map((path) => [path, textAfter(result, path)!]));

const FORMS: readonly RunOptions[] = [{}, { dual: true }, { dual: false }, { rules: ['default-type'] }];

describe.each(Object.keys(SERVERS) as (keyof typeof SERVERS)[])('%s', (server) => {
  test.each([
    ['DefaultType text/plain', 'Indexes'],
    ['<IfModule mod_mime.c>\nDefaultType text/plain\n</IfModule>', 'Indexes'],
    ['<IfModule mod_x.c>\nSetEnv a b\n</IfModule>\nDefaultType text/plain', 'Indexes'],
    ['AuthDefaultAuthoritative off', 'Indexes'],
    ['AuthzDefaultAuthoritative off', 'Limit'],
    ['LanguagePriority', 'AuthConfig'],
    ['SubstituteMaxLineLength 1m\nAuthzDefaultAuthoritative off', 'All'],
  ])('what 2.2 and 2.4 answer 500 to stays that: %j under AllowOverride %s', (lines, override) => {
    for (const options of FORMS) {
      let files: Record<string, string> = { [SERVER]: SERVERS[server](override), [HTACCESS]: `${lines}\n` };
      for (let count = 0; count < 2; count++) {
        const result = convert(files, options);
        expect(result.failure).toBeUndefined();
        files = written(files, result);
        expect(files[HTACCESS]).toBe(`${lines}\n`);
        const left = result.outcomes.filter(
          ({ file, status }) => file.path === HTACCESS && status === 'not-applied',
        );
        if (options.rules === undefined)
          expect(left.map(({ level, why }) => [level, why])).toEqual([
            ['error', expect.stringContaining('2.2 answers 500, because')],
          ]);
      }
    }
  });

  test('what 2.2 takes there is written for 2.4', () => {
    const files = { [SERVER]: SERVERS[server]('All'), [HTACCESS]: 'DefaultType text/plain\nSetEnv a b\n' };
    expect(written(files, convert(files))[HTACCESS]).toBe('SetEnv a b\n');
    const other = { ...files, [HTACCESS]: 'AuthDefaultAuthoritative off\n' };
    expect(written(other, convert(other))[HTACCESS]).toBe('');
  });
});

test('where 2.4 runs it, what AllowOverride lets 2.2 alone say stays a 500', () => {
  const files = {
    [SERVER]: START + MODULES['2.4'] + directory('Require all granted'),
    [HTACCESS]: 'DefaultType text/plain\n',
  };
  expect(convert(files).plan).toEqual([]);
});

describe('what the judge refuses of a first run a second one does not write', () => {
  const PASSWORD = ['AuthType Basic', 'AuthName x', 'AuthUserFile /p', 'Require valid-user'];
  const above = [
    ['Order allow,deny', 'Deny from all'],
    [...PASSWORD, 'Order allow,deny', 'Allow from 10.0.0.0/8', 'Satisfy Any'],
  ];
  const below = [['Require not ip 192.0.2.1'], ['Require all granted', 'Require not ip 192.0.2.1']];
  test.each(above.flatMap((lines) => below.map((block) => [lines, block] as const)))(
    '%j above a block for 2.4 with %j',
    (lines, block) => {
      const server =
        'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /h\n' +
        MODULES['2.2'] +
        directory('AllowOverride None', ...lines) +
        `<Directory /h/m>\n<IfModule mod_authz_core.c>\n${block.join('\n')}\n</IfModule>\n</Directory>\n`;
      const files = { [SERVER]: server };
      const first = convert(files);
      const refused = first.outcomes.filter(({ status }) => status === 'not-applied');
      expect(refused.map(({ why }) => why)).toContainEqual(expect.stringContaining('2.4 lets it in'));
      const once = written(files, first);
      expect(once[SERVER]).toContain(block.join('\n'));
      expect(written(once, convert(once))).toEqual(once);
    },
  );
});

test('what a block for 2.2 holds for 2.2 alone is no news to a second run', () => {
  const files = {
    [SERVER]:
      START +
      MODULES['2.2'] +
      'DefaultType text/plain\nInclude conf.d/*.conf\n' +
      directory('AllowOverride None'),
  };
  const once = written(files, convert(files, { dual: true }));
  const said = convert(once, { dual: true }).outcomes.map(({ rule }) => rule);
  expect(once[SERVER]).toContain('<IfModule !mod_authz_core.c>\n    DefaultType text/plain');
  expect(said).not.toContain('block-for-22');
});
