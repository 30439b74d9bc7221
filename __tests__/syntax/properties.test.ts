import fc from 'fast-check';
import { share } from '../../testing/run/size';
import { convertFiles, textAfter } from '../../testing/run/convert';

/** Configuration made at random of the lines that the transforms look at, well formed and not. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'Order allow,deny',
      'order deny,allow',
      'Order mutual-failure',
      'Order allow, deny',
      'Allow from all',
      'Deny from all',
      'deny from 10.',
      'Allow from env=!x',
      'Allow from 10.0.0.0/8 example.com',
      'Allow from 300',
      'Allow 1',
      'Deny from \\',
      'Satisfy Any',
      'Satisfy all',
      'Satisfy',
      'Require valid-user',
      'Require group a',
      'Require user b',
      'Require all granted',
      'Require foo',
      'AuthType Basic',
      'AuthGroupFile g',
      'AuthzGroupFileAuthoritative Off',
      'MaxClients 5',
      'MaxRequestsPerChild 0',
      'NameVirtualHost *:80',
      'AllowOverride None',
      'AllowOverride Limit',
      '# Allow from all',
      '# c \\\\',
      'Options +Indexes B',
      '',
      'SSLRequireSSL',
      'TimeOut x',
      'Include nothing',
      'ServerName a:80',
      'Allow from ${X}',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '<Directory />',
      '<Directory /a>',
      '<Directory /a/b>',
      '<Directory /a/*>',
      '<Directory ~ "b$">',
      '<DirectoryMatch "^/a(/|$)">',
      '<Files x>',
      '<FilesMatch "\\.ht">',
      '<Location /a>',
      '<Location /a/b>',
      '<LocationMatch b>',
      '<Proxy *>',
      '<Limit GET>',
      '<LimitExcept GET>',
      '<Limit put>',
      '<IfModule x>',
      '<IfModule !x>',
      '<IfModule mod_authz_core.c>',
      '<IfModule !mod_authz_core.c>',
      '<IfVersion < 2.4>',
      '<VirtualHost *:80>',
      '<RequireAll>',
      '<If "true">',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '</Directory>',
      '</DirectoryMatch>',
      '</Files>',
      '</FilesMatch>',
      '</Location>',
      '</LocationMatch>',
      '</Limit>',
      '</LimitExcept>',
      '</IfModule>',
      '</IfVersion>',
      '</VirtualHost>',
      '</RequireAll>',
      '</Proxy>',
      '</If>',
    ),
  },
);

/** Lines that 2.4 refuses or reads in another way, whose rewrites may come together at one place. */
const candidate = fc.constantFrom(
  'AcceptMutex fcntl',
  'LockFile logs/x',
  'RewriteLog f',
  'RewriteLogLevel 3',
  'LogLevel warn',
  'DumpIOInput On',
  'DumpIOLogLevel notice',
  'ErrorLog "|x y"',
  'ErrorLog "||$x"',
  'CookieLog "| x"',
  'Options Indexes +Includes',
  'Options -Indexes All',
  'Options +All',
  'KeepAlive yes',
  'KeepAliveTimeout 5mi',
  'ServerName *.a.example',
  'DefaultType text/plain',
  'Include c/*.conf',
  'ErrorDocument 404 "a\\b $1 %{x}"',
  'AuthName a\\b$1',
  'RedirectMatch ^/a(.) /b?$1&\\c',
  'RequestHeader edit A b "c\\d%&"',
  'IndexIgnore',
  'ScriptSock logs/s',
  'ServerRoot /etc',
  'Win32DisableAcceptEx',
  'SSLMutex file:x',
  'CharsetOptions DebugLevel=1 ImplicitAdd',
  'ExtFilterOptions DebugLevel=0',
  '<VirtualHost *:80>',
  '</VirtualHost>',
  '<IfModule x>',
  '</IfModule>',
  '<Directory /a>',
  '</Directory>',
  '<Limit GET BAN>',
  '</Limit>',
  'Listen 80',
);

/** Sections that close, with access lines in them. */
const section: fc.Arbitrary<string[]> = fc.letrec<{ node: string[]; body: string[] }>((tie) => ({
  node: fc
    .tuple(
      fc.constantFrom(
        'Directory /a',
        'Directory /a/b',
        'Files x',
        'Location /a',
        'Limit GET',
        'LimitExcept GET POST',
        'IfModule y',
        'DirectoryMatch /b',
      ),
      tie('body'),
    )
    .map(([name, body]) => [`<${name}>`, ...body.map((word) => `  ${word}`), `</${name.split(' ')[0]}>`]),
  body: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        line.map((word) => [word]),
        tie('node'),
      ),
      { maxLength: 6 },
    )
    .map((all) => all.flat()),
})).node;

const text = fc
  .tuple(
    fc.array(
      fc.oneof(
        section,
        line.map((word) => [word]),
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([lines, eol, ended]) => lines.flat().join(eol) + (ended ? eol : ''));

describe('any configuration', () => {
  test('is converted or left, and a second run changes nothing', () => {
    fc.assert(
      fc.property(text, text, text, (server, outer, inner) => {
        const files = { '/etc/httpd.conf': server, '/a/.htaccess': outer, '/a/b/.htaccess': inner };
        const result = convertFiles(files, ['/etc/httpd.conf', '/a']);
        // run() reads its result again and reports a failure if that would change once more.
        expect(result.failure).toBeUndefined();
        // The models of both versions agree on what was restated: nothing had to be taken back.
        expect(
          result.outcomes.filter((word) => word.why?.includes('the rewrite')).map((word) => word.why),
        ).toEqual([]);
        for (const change of result.plan) expect(change.text).not.toBe(change.file.document.text);
      }),
      { numRuns: share(1500, 24) },
    );
  });

  test('of lines of all kinds is converted or left, and a second run changes nothing', () => {
    const any = fc
      .tuple(fc.array(candidate, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([lines, eol, ended]) => lines.join(eol) + (ended ? eol : ''));
    fc.assert(
      fc.property(any, any, (server, inner) => {
        const result = convertFiles({ '/etc/httpd.conf': server, '/a/.htaccess': inner }, [
          '/etc/httpd.conf',
          '/a',
        ]);
        expect(result.failure).toBeUndefined();
        expect(result.outcomes.filter(({ status }) => status === 'not-applied')).toEqual([]);
      }),
      { numRuns: share(400, 8) },
    );
  });

  test('keeps every line that no transform owns', () => {
    const owned =
      /^\s*<?\/?(?:order|allow|deny|satisfy|require|limit|limitexcept|ifmodule|ifversion|namevirtualhost|directorymatch|authz\w+authoritative)\b/i;
    const kept = (source: string): string[] =>
      source
        .split(/\r?\n/)
        .filter((word) => word.trim() !== '' && !owned.test(word) && !/^\s*<\/?Require|\\$/.test(word));
    fc.assert(
      fc.property(text, (source) => {
        // A continued line takes the next with it, whatever that looks like.
        fc.pre(!/\\\r?\n/.test(source));
        const after = textAfter(convertFiles({ '/a.conf': source }), '/a.conf')!;
        const names = (word: string): string =>
          word
            .replace('MaxClients', 'MaxRequestWorkers')
            .replace('MaxRequestsPerChild', 'MaxConnectionsPerChild');
        const left = kept(after);
        for (const word of kept(source)) {
          const at = left.findIndex(
            (candidate) => candidate === word || candidate === names(word) || candidate === `${word} `,
          );
          expect([word, at]).not.toEqual([word, -1]);
          left.splice(at, 1);
        }
      }),
      { numRuns: share(2000, 20) },
    );
  });

  test('random bytes pass through', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const source = `MaxClients 1\n${Buffer.from(bytes).toString('latin1')}`;
        expect(convertFiles({ '/a/.htaccess': source }, ['/a/.htaccess']).failure).toBeUndefined();
      }),
      { numRuns: share(2000, 20) },
    );
  });
});
