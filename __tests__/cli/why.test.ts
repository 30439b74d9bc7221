import { command, type CommandResult } from '../../testing/run/command';
import { memory } from '../../src/config';
import { MESSAGES } from '../../src/httpd/messages';
import { configtest, type CheckOptions } from '../../testing/httpd/check';
import { transforms } from '../../transforms';

const why = (
  message: string,
  paths: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<CommandResult> =>
  command(
    ['why', '-', ...paths],
    { stdin: () => message },
    { source: memory(new Map(Object.entries(files))) },
  );

describe('without a message, lines are read from standard input', () => {
  const line =
    "Invalid command 'LockFile', perhaps misspelled or defined by a module not included in the server configuration";
  const source = memory(new Map([['/c/httpd.conf', 'Listen 80\nLockFile logs/x\n']]));
  const run = (argv: readonly string[], stdin: string, isTyped: boolean): Promise<CommandResult> =>
    command(['why', ...argv], { stdin: () => stdin, isTyped }, { source });

  test('of a pipe', async () => {
    expect(await run([], line, false)).toEqual(await run(['-'], line, false));
    expect((await run([], line, false)).stdout).toContain('rule:   accept-mutex');
  });

  test('which say that all is well', async () => {
    const { status, stdout } = await run([], 'Syntax OK\n', false);
    expect([status, stdout]).toEqual([0, expect.stringContaining('httpd takes the configuration as it is')]);
    expect((await run([], 'it frobs\nSyntax OK\n', false)).status).toBe(1);
  });

  test('with a directory to look for the cause in', async () => {
    expect(await run(['/c'], line, false)).toEqual(await run(['-', '/c'], line, false));
    expect((await run(['/c'], line, false)).stdout).toContain('where:  c/httpd.conf:2');
  });

  test.each([
    ['a terminal', [], line, true],
    ['a terminal, with a directory', ['/c'], line, true],
    ['a pipe with nothing in it', [], '\n', false],
  ] as const)('of %s, both ways to give a message are named', async (_, argv, stdin, isTyped) => {
    const { status, stderr } = await run(argv, stdin, isTyped);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /none: give it, or .* \(httpd -t 2>&1 \| httpd-codemod why\) \(see httpd-codemod --help\)\n$/,
      ),
    ]);
  });
});

test('every message names a rule that there is', () => {
  const ids = new Set(transforms.map(({ id }) => id));
  expect(MESSAGES.flatMap(({ rule }) => (rule === undefined || ids.has(rule) ? [] : [rule]))).toEqual([]);
});

test.each([
  ['Cannot load modules/mod_auth_cas.so into server: /x/mod_auth_cas.so: undefined symbol: ap_requires', /mod_auth_cas as built for 2\.2: install .*libapache2-mod-auth-cas/], // prettier-ignore
  ['Cannot load /x/libphp5.so into server: /x/libphp5.so: undefined symbol: unixd_config', /PHP as built for 2\.2: .*PHP-FPM/], // prettier-ignore
  ['Cannot load modules/mod_rpaf-2.0.so into server: /x/mod_rpaf-2.0.so: cannot open shared object file: No such file', /mod_remoteip/], // prettier-ignore
  ['Cannot load modules/mod_frob.so into server: /x/mod_frob.so: undefined symbol: ap_default_type', /built for 2\.2, .*install its build for 2\.4/], // prettier-ignore
  ["API module structure 'jk_module' in file /x/mod_jk.so is garbled - expected signature 41503234 but saw 41503232", /mod_jk as built for 2\.2/], // prettier-ignore
  ['module mod_frob.c is not compatible with this version of Apache (found 20051115, need 20120211).', /built for 2\.2/], // prettier-ignore
  ['Cannot load modules/mod_dav_svn.so into server: /x/mod_dav_svn.so: undefined symbol: dav_register_provider', /load the module or the library that has this symbol before it/], // prettier-ignore
  ['Cannot load /usr/lib/libxml2.so.2 into server: /usr/lib/libxml2.so.2: cannot open shared object file: No such file', /remove the LoadFile line/], // prettier-ignore
  [
    "Invalid command 'PassengerHighPerformance', perhaps misspelled",
    /Phusion Passenger, which is not loaded/,
  ],
])('a module that is not httpd’s: %s', async (message, remedy) => {
  const { stdout } = await why(message);
  expect(stdout).toMatch(/^ {2}rule: {3}third-party-module: /m);
  expect(/^ {2}remedy: (.*)$/m.exec(stdout)?.[1]).toMatch(remedy);
});

test('a module of httpd that is not there is looked for by its name', async () => {
  const { stdout } = await why(
    'Cannot load modules/mod_disk_cache.so into server: cannot open shared object file',
  );
  expect(stdout).toMatch(/^ {2}rule: {3}load-module: /m);
});

describe('what httpd itself says of a configuration of 2.2', () => {
  test.each<[string, CheckOptions, string, RegExp]>([
    ['Order allow,deny', {}, 'order-allow-deny', /do not load mod_access_compat/],
    ['<Directory />\nSatisfy Any\n</Directory>', {}, 'order-allow-deny', /do not load/],
    ['<Directory />\nRequire all granted\n</Directory>', { without: ['authz_core', 'authz_host', 'authz_user', 'authz_groupfile', 'authz_owner', 'authz_dbm', 'authz_dbd', 'authnz_ldap', 'authnz_fcgi', 'proxy_fcgi', 'lua', 'md', 'ssl'] }, 'load-module', /load mod_authz_core/],
    ['AddOutputFilterByType DEFLATE text/html', { without: ['filter'] }, 'load-module', /load mod_filter/],
    ['RewriteLog logs/rewrite', {}, 'rewrite-log', /no longer has RewriteLog/],
    ['AcceptMutex fcntl', {}, 'accept-mutex', /no longer has AcceptMutex/],
    ['PHPIniDir /etc', {}, 'third-party-module', /PHPIniDir is of PHP, .*libapache2-mod-php/],
    ['NobodyKnowsThis on', {}, 'third-party-module', /no module of httpd has NobodyKnowsThis/],
    ['LoadModule disk_cache_module modules/mod_disk_cache.so', {}, 'load-module', /load mod_cache_disk instead/],
    ['<Directory />\nOptions Indexes +Includes\n</Directory>', {}, 'options', /every word a sign/],
    ['KeepAlive maybe', {}, 'keep-alive', /On or Off/],
    ['KeepAliveTimeout x', {}, 'keep-alive-timeout', /seconds/],
    ['ServerTokens Everything', {}, 'server-tokens', /or Full/],
    ['Mutex fcntl:/nonexistent default', {}, 'accept-mutex', /directory that exists/],
    ['SSLProtocol SSLv2', {}, 'ssl-protocol-sslv2', /remove SSLv2 from/],
    ['SSLSessionCache shm:/tmp/x', {}, 'ssl-session-cache', /shmcb/],
    ['<Directory />\nRequire VALID-USER-X\n</Directory>', {}, 'order-allow-deny', /or correct the word: 2\.4 has/],
    ['Include conf/nothing/*.conf', {}, 'include-pattern', /IncludeOptional/],
    ['ErrorDocument 404 "%{nothing"', {}, 'expression-text', /escape/],
    ['<Directory />\nListen 80\n</Directory>', {}, 'misplaced-directive', /out of this place, the <Directory>, .*Listen may stand in the server config/],
    ['<Directory />\nProxyPass http://a/\n</Directory>', {}, 'proxy-pass-in-directory', /<Location> of its URL/],
    ['<Limit GET>\n</Limit>', {}, 'limit-at-server-level', /out of the <Limit>/],
    ['Listen', {}, 'misplaced-directive', /arguments/],
    ['<Directory />\nAuthUserFile /x standard\n</Directory>', {}, 'auth-file-standard', /arguments/],
    ['FilterDeclare a\nFilterProvider a DEFLATE Content-Type $text', {}, 'filter-provider', /arguments/],
    ['<Directory />', {}, 'backslash-line-end', /closing line/],
    ['<VirtualHost *:80>\nServerName *.example\n</VirtualHost>', {}, 'server-name-pattern', /ServerAlias/],
    ['LoadModule so_module modules/mod_so.so', {}, 'load-module', /compiled in/],
    ['SSLSessionCache shmcb:/tmp/x(512000)', { without: ['socache_shmcb'] }, 'load-module', /mod_socache/],
    ['SSLRandomSeed startup egd:/x', {}, 'ssl-random-seed-egd', /urandom/],
    ['<AuthnProviderAlias file file>\nAuthUserFile /x\n</AuthnProviderAlias>', {}, 'authn-provider-alias-taken', /another name/],
    ['<AuthnProviderAlias file dbm>\nAuthUserFile /x\n</AuthnProviderAlias>', {}, 'authn-provider-alias-taken', /another name/],
    ['<Directory />\nAuthDigestQop auth-int\n</Directory>', {}, 'auth-digest-auth-int', /write auth/],
    ['<Directory />\nAuthDigestQop auth auth-int\n</Directory>', {}, 'auth-digest-auth-int', /write auth/],
    ['<Directory />\nAuthDigestAlgorithm MD5-sess\n</Directory>', {}, 'auth-digest-md5-sess', /write MD5/],
    ['CacheDisable nothing', {}, 'cache-disable', /no effect/],
    ['ProxyIOBufferSize 100', {}, 'proxy-io-buffer-size', /8192/],
    ['AddOutputFilterByType NOSUCH text/html', {}, 'load-module', /has this filter/],
    ['NameVirtualHost *:80', {}, 'name-virtual-host', /remove the line/],
    ['RewriteRule ^/([\\w-\\.]+)/?$ /x', {}, 'regex-pcre2', /hyphen beside/],
    ['RewriteCond %{HTTP_HOST} [\\w-.]', {}, 'regex-pcre2', /hyphen beside/],
    ['<Directory ~ "\\icons">\n</Directory>', {}, 'regex-pcre2', /hyphen beside/],
    ['RedirectMatch ^/[\\w-.] /x', {}, 'regex-pcre2', /hyphen beside/],
    ['SetEnvIf User-Agent \\yandex bot', {}, 'regex-pcre2', /hyphen beside/],
    ['ProxyRemoteMatch \\i http://127.0.0.1:1', {}, 'regex-pcre2', /hyphen beside/],
    ['Header edit Location \\i x', {}, 'regex-pcre2', /hyphen beside/],
    ['Substitute s/[\\w-.]/x/', {}, 'regex-pcre2', /hyphen beside/],
    ['<Directory />\nSSLRequire %{HTTP_HOST} =~ m/[\\w-.]/\n</Directory>', {}, 'regex-pcre2', /hyphen beside/],
    ['ErrorDocument 418 /x', {}, 'status-code-refused', /code that 2.4 knows/],
    ['RewriteRule ^/x$ - [R=425]', {}, 'status-code-refused', /code that 2.4 knows/],
    ['<Directory />\nOptions Indexes Foo\n</Directory>', {}, 'strict-argument', /is no option/],
    ['LogLevel "warn foo"', {}, 'strict-argument', /level alone/],
    ['LogLevel "info ssl:warn"', {}, 'strict-argument', /level alone/],
    ['Header edit X a "expr=%{"', {}, 'strict-argument', /expr= twice/],
    ['<Proxy ~ ^http:>\n</Proxy>', {}, 'proxy-section-regex', /<ProxyMatch>/],
    ['Listen 127.0.0.1:2\nListen 127.0.0.1:2', {}, 'listen-twice', /one of the two/],
    ['<Directory />\nRequire group a%{b}\n</Directory>', {}, 'require-expression', /put a backslash/],
    ['<Directory />\nAllow from 10.0.0.1 # x\n</Directory>', { compat: true }, 'host-list-comment', /on a separate line/],
  ])('%s', async (text, options, rule, remedy) => {
    const { message } = await configtest(`${text}\n`, { name: 'input.conf', ...options });
    const { stdout, stderr } = await why(message);
    expect(stderr).toBe('');
    expect(stdout).toContain(`\n  rule:   ${rule}: `);
    expect(stdout).toMatch(remedy);
  }); // prettier-ignore
});

describe('what stands in an error log', () => {
  test.each<[string, string]>([
    ['[core:error] [pid 1] AH00027: No authentication done but request not allowed without authentication for /x. Authentication not configured?', 'order-allow-deny'],
    ['RewriteRule: cannot compile regular expression \'^/([\\w-\\.]+)/?$\'', 'regex-pcre2'],
    ['PCRE2: compilation failed at offset 6: invalid range in character class', 'regex-pcre2'],
    ['[access_compat:error] AH01797: client denied by server configuration: /srv/www/, referer: http://a/', 'order-allow-deny'],
    ['configuration error:  couldn\'t check user: /x', 'load-module'],
    ['AH00534: apache2: Configuration error: No MPM loaded.', 'load-module'],
    ["Invalid command 'User', perhaps misspelled or defined by a module not included in the server configuration", 'load-module'],
    ['[core:warn] AH00117: Ignoring deprecated use of DefaultType in line 7 of /etc/httpd/t.conf.', 'default-type'],
    ['[proxy:error] AH00898: Error during SSL Handshake with remote server returned by /x', 'ssl-proxy-check-peer'],
    ['[core:alert] /srv/www/.htaccess: Order not allowed here', 'allow-override-unset'],
    ["[rewrite:error] AH10508: Unsafe URL with %3f URL rewritten without UnsafeAllow3F", 'rewrite-rule-unsafe'],
    ['[rewrite:error] AH10411: Rewritten query string contains control characters or spaces', 'rewrite-rule-unsafe'],
    ['[include:error] AH10129: Could not parse expr "$a = b" in /srv/a.shtml: syntax error', 'ssi-expr'],
    ['Setting Compression mode unsupported; not implemented by the SSL library', 'ssl-compression-on'],
    ['[substitute:error] AH01328: Line too long, URI /a', 'substitute-long-line'],
    ['[reqtimeout:info] AH01382: Request header read timeout', 'request-read-timeout-unset'],
    ['[core:error] AH00591: Requested content-length of 9999999999 is larger than the configured limit of 1073741824', 'limit-request-body-unset'],
    ["[proxy_balancer:emerg] AH01177: Failed to lookup provider 'shm' for 'slotmem': is mod_slotmem_shm loaded??", 'load-module'],
    ['[proxy:warn] AH01144: No protocol handler was valid for the URL /x (scheme \'http\').', 'load-module'],
    ['[ssl:info] AH02276: Certificate Verification: Error (3): unable to get certificate CRL', 'ssl-revocation-check'],
    ["[cgid:error] (2)No such file or directory: AH01243: Couldn't bind unix domain socket /srv/logs/logs/sock", 'script-sock'],
    ['[auth_digest:error] AH10560: invalid or missing qop value \'(null)\', RFC 2069 is no longer supported: /a', 'auth-digest-client-without-qop'],
    ['LimitXMLRequestBody must not exceed 3074457345618258601', 'strict-argument'],
    ["[ssl:notice] [pid 1] AH10510: 'SSLEngine optional' is no longer supported", 'strict-argument'],
    ['[core:alert] /srv/www/.htaccess: Unsupported HTTP response code 420', 'status-code-refused'],
    ["[core:alert] /srv/www/.htaccess: RewriteRule: invalid HTTP response code '509' for flag 'R'", 'status-code-refused'],
    ['Illegal option Foo', 'strict-argument'],
    ['SuexecUserGroup configured, but suEXEC is disabled: Invalid owner or file mode for /usr/lib/apache2/suexec', 'suexec-user-group'],
    ['[proxy_http:error] [pid 1] (70014)End of file found: [client 10.0.0.1:5] AH01102: error reading status line from remote server b:80', ''],
    ['[proxy_fcgi:error] [pid 1] (70014)End of file found: [client 10.0.0.1:5] AH01075: Error dispatching request to :', ''],
    ['[ssl:info] [pid 1] (70014)End of file found: [client 10.0.0.1:5] AH01991: SSL input filter read failed.', ''],
    ['[authn_dbm:error] [pid 1] (22)Invalid argument: [client 10.0.0.1:5] AH01755: could not open dbm (type default) auth file: /etc/u', ''],
    ['[access_compat:error] [pid 1] [client 10.0.0.1:5] AH01797: client denied by server configuration: /srv/x', 'order-allow-deny'],
    ['[authz_core:error] [pid 1] [client 10.0.0.1:5] AH01630: client denied by server configuration: uri /x', 'order-allow-deny'],
    ['[autoindex:error] AH01276: Cannot serve directory /srv/www/: No matching DirectoryIndex', 'options-unset'],
  ])('%s', async (line, rule) => {
    expect(await why(line)).toMatchObject({ status: 0, stdout: expect.stringContaining(rule === '' ? '  remedy: ' : `rule:   ${rule}:`) });
  }); // prettier-ignore
});

describe('where it is', () => {
  const files = {
    '/srv/conf/httpd.conf': 'ServerRoot /srv\n\nRewriteLog logs/x\nInclude conf/more.conf\n',
    '/srv/conf/more.conf': '<Directory />\n  Order allow,deny\n</Directory>\n',
  };

  test('as the message says, by the name that the file has here', async () => {
    const message =
      "AH00526: Syntax error on line 2 of /etc/httpd/conf/more.conf:\nInvalid command 'Order', perhaps\n";
    expect((await why(message, ['/srv/conf/httpd.conf'], files)).stdout).toContain(
      'where:  srv/conf/more.conf:2\n',
    );
  });

  test('the file that is included, where the message names both', async () => {
    const message =
      'Syntax error on line 4 of /etc/httpd/conf/httpd.conf: Syntax error on line 1 of /etc/httpd/conf/more.conf: Cannot load modules/mod_x.so into server';
    expect((await why(message, ['/srv/conf/httpd.conf'], files)).stdout).toContain(
      'where:  srv/conf/more.conf:1\n',
    );
  });

  test('as the message says at its end', async () => {
    const message =
      'AH00548: NameVirtualHost has no effect and will be removed in the next release /etc/httpd/conf/httpd.conf:1\nSyntax OK\n';
    expect(await why(message, ['/srv/conf/httpd.conf'], files)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('where:  srv/conf/httpd.conf:1\n'),
    });
  });

  test('a log in a directory that is not there', async () => {
    const message =
      "AH02291: Cannot access directory '/srv/none/' for main error log\nAH00014: Configuration check failed\n";
    expect(await why(message)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('create the directory'),
    });
  });

  test('where the directive stands, if the message does not say', async () => {
    expect((await why("Invalid command 'RewriteLog'", ['/srv/conf/httpd.conf'], files)).stdout).toContain(
      'where:  srv/conf/httpd.conf:3\n',
    );
  });

  test('without a configuration, as the message says', async () => {
    expect((await why("Syntax error on line 9 of /x y/a.conf:\nInvalid command 'Order'\n")).stdout).toContain(
      'where:  /x y/a.conf:9\n',
    );
  });

  test('in the .htaccess that the message names, not elsewhere', async () => {
    const message = '[core:alert] [client 127.0.0.1:4] /srv/www/a b/.htaccess: Order not allowed here\n';
    expect((await why(message, ['/srv/conf/httpd.conf'], files)).stdout).toContain(
      'where:  /srv/www/a b/.htaccess\n',
    );
    const given = { ...files, '/srv/a b/.htaccess': '\nOrder deny,allow\n' };
    expect((await why(message, ['/srv/conf/httpd.conf', '/srv/a b'], given)).stdout).toContain(
      'where:  srv/a b/.htaccess:2\n',
    );
  });

  test('once for lines that have one cause', async () => {
    const denied = (file: string): string =>
      `[error] AH01797: client denied by server configuration: /srv/${file}\n`;
    const { stdout } = await why(`${denied('a')}[notice] all is well\n${denied('b')}${denied('c')}`);
    expect(stdout).toMatch(
      /^[^\n]*\/srv\/a \(and 2 more like it\)\n  about:  \/srv\/a, \/srv\/b, \/srv\/c\n  rule: [^]*\n  remedy: [^\n]*\n\nOne other line /,
    );
    expect(stdout.match(/^  remedy: /gm)).toHaveLength(1);
  });

  const log = `[Sun Nov 22 10:00:00.1 2026] [authz_core:error] [pid 1:tid 2] [client 10.1.2.3:5] AH01630: client denied by server configuration: /srv/it's
[Sun Nov 22 10:00:01.1 2026] [mpm_event:notice] [pid 1] AH00489: configured
[Sun Nov 22 10:00:02.1 2026] [authz_core:error] [pid 1:tid 2] [client 10.1.2.4:5] AH01630: client denied by server configuration: /srv/it's
[Sun Nov 22 10:00:03.1 2026] [core:alert] [pid 1] [client 10.1.2.4:5] /srv/.htaccess: RewriteRule: cannot compile regular expression '^[\\\\w-.]'
AH00526: Syntax error on line 3 of /srv/conf/httpd.conf:
Invalid command 'RewriteLog', perhaps misspelled
`;

  test('a log in a file: what keeps httpd from starting first, each with its requests, and commands at the end', async () => {
    const given = {
      ...files,
      '/var/error_log': log,
      '/srv/.htaccess': 'RewriteRule ^a /b\nRewriteRule ^[\\w-.] /c\n',
    };
    const source = memory(new Map(Object.entries(given)));
    const { stdout, stderr, status } = await command(['why', '/var/error_log', '/srv'], {}, { source });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout.match(/^(?:\S.*|  (?:when|where|about):.*| +>.*)$/gm)).toEqual([
      "Invalid command 'RewriteLog', perhaps misspelled",
      '  where:  srv/conf/httpd.conf:3',
      '        >    3 | RewriteLog logs/x',
      expect.stringMatching(/AH01630: .* \(and 1 more like it\)$/),
      '  when:   Sun Nov 22 10:00:00.1 2026 to Sun Nov 22 10:00:02.1 2026',
      expect.stringMatching(/^ +> +\d+ +Order allow,deny/),
      expect.stringMatching(/RewriteRule: cannot compile/),
      '  where:  srv/.htaccess:2',
      '        >    2 | RewriteRule ^[\\w-.] /c',
      'Commands to run next:',
    ]);
    expect(stdout).toContain("\n  httpd-codemod --explain '/srv/it%27s?from=10.1.2.3' /srv ");
    expect(stdout).toContain('\n  httpd-codemod --rule regex-pcre2 /srv ');
    expect(stdout).toContain('\n  apachectl configtest ');
  });

  test('a place alone, with the line there', async () => {
    const { stdout, status } = await why(
      'AH00526: Syntax error on line 3 of /srv/conf/httpd.conf:',
      ['/srv/conf/httpd.conf'],
      files,
    );
    expect(stdout).toContain(
      '>    3 | RewriteLog logs/x\n             4 | Include conf/more.conf\n  remedy: what is wrong stands behind this message',
    );
    expect(status).toBe(0);
  });

  test('many requests with one cause take no time', async () => {
    const many = Array.from(
      { length: 20_000 },
      (_, i) => `[error] [client 10.0.0.1] client denied by server configuration: /srv/${i}`,
    );
    expect((await why(many.join('\n'))).stdout).toContain('(and 19999 more like it)');
  }, 4000);

  test('what is no such message', async () => {
    expect(await why('all is well\n')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /no message here that an upgrade from 2\.2 is known to bring about: give the line of the error log/,
      ),
    });
  });
});

test('a line that is longer than any of httpd takes no time', async () => {
  const { stdout } = await why(`${'a'.repeat(200_000)}\nInvalid command 'Order'\n`);
  expect(stdout).toContain('order-allow-deny');
}, 4000);
