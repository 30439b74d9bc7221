import { command, type CommandResult } from '../../testing/run/command';
import { memory } from '../../src/config';

const why = (message: string): Promise<CommandResult> =>
  command(['why', '-'], { stdin: () => message }, { source: memory(new Map()) });

const remedy = async (message: string): Promise<string> =>
  /^ {2}remedy: (.*)$/m.exec((await why(message)).stdout)?.[1] ?? '';

test('a second message in a line is a message of its own', async () => {
  const { stdout } = await why(
    "AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using 127.0.1.1. Set the 'ServerName' directive globally to suppress this message      (13)Permission denied: AH00072: make_sock: could not bind to address [::]:80",
  );
  expect(stdout).toMatch(/remedy: start httpd as root/);
});

const place = async (message: string): Promise<string> =>
  /^ {2}where: {2}(.*)$/m.exec((await why(message)).stdout)?.[1] ?? '';

describe('what is no message of httpd, but comes with the move', () => {
  test.each<[string, RegExp]>([
    [
      'SELinux is preventing /usr/sbin/httpd from name_bind access on the tcp_socket port 8090.',
      /semanage port/,
    ],
    [
      'type=AVC msg=audit(1:2): avc:  denied  { read } for  pid=2 comm="httpd" name="a" scontext=u:r:httpd_t:s0 tcontext=u:object_r:user_home_t:s0',
      /restorecon/,
    ],
    [
      'type=AVC msg=audit(1:2): avc:  denied  { name_connect } for  pid=1 comm="httpd" dest=3306 scontext=u:r:httpd_t:s0',
      /httpd_can_network_connect_db/,
    ],
    [
      'audit: type=1400 apparmor="DENIED" operation="open" profile="/usr/sbin/apache2" name="/srv/www/a"',
      /apparmor_parser/,
    ],
    ['Failed to start apache2.service: Unit apache2.service is masked.', /systemctl unmask apache2`/],
    ['Failed to restart httpd.service: Unit not found.', /apache2 on Debian/],
    ['httpd (pid 1523) already running', /write restart or graceful/],
    ['AH00060: seg fault or similar nasty error detected in the parent process', /a module crashes/],
    [
      'httpd.exe: Could not open configuration file C:/Apache24/conf/httpd.conf: The system cannot find the path specified.',
      /SRVROOT/,
    ],
    [
      'apache2: Could not open configuration file /etc/apache2/apache2.conf: No such file or directory',
      /force-confmiss/,
    ],
    [
      "mod_wsgi (pid=1): Unable to connect to WSGI daemon process 'a' on '/etc/httpd/logs/wsgi.1.0.1.sock' after multiple attempts",
      /WSGISocketPrefix/,
    ],
    [
      "[wsgi:error] Truncated or oversized response headers received from daemon process 'a': /srv/a.wsgi",
      /WSGIApplicationGroup/,
    ],
    ['mod_wsgi (pid=1): Unable to stat Python home /srv/venv.', /python-home=/],
    ['*** ERROR: The PassengerAgent binary is not compiled.', /install Passenger/],
    ["[authz_svn:error] [pid 2] Access denied: 'bob' GET repos:/trunk", /AuthzSVNAccessFile/],
    ['[dav:error] [pid 2] Could not open the requested SVN filesystem  [500, #13]', /SVNParentPath/],
    ['URLs with %2F give 404 not found, the rewrite rules never see them', /AllowEncodedSlashes/],
    ['DELETE gives 405 Method Not Allowed on the new server', /Dav On/],
    ['after moving to CentOS 7 we only see the "Testing 123.." page', /welcome\.conf/],
    [
      '[auth_form:crit] [pid 7] AH02617: You must load mod_session to enable the mod_auth_form functions',
      /^load mod_session as well/,
    ],
    [
      '[ssl:emerg] [pid 1] AH02241: Init: Unable to read server certificate from file /a.crt',
      /copy the certificate/,
    ],
    ['[cache_disk:error] [pid 1] AH00708: cannot write', /CacheRoot/],
    ['[ldap:error] [pid 1] AH01282: something', /ldapsearch/],
    [
      '[authz_user:error] [pid 2] AH01663: access to /x failed, reason: user a does not meet require',
      /no Require line admits/,
    ],
    ['[cgid:error] [pid 3] AH01269: Timeout during reading request entity data', /run the program by hand/],
    ["Include directory '/etc/apache2/vhosts' not found", /IncludeOptional/],
    ['[core:error] [pid 1] AH00082: an unknown filter was not added: DEFLATE', /mod_deflate for DEFLATE/],
    ['File not found.', /SetHandler/],
    [
      '[mpm_worker:emerg] (43)Identifier removed: AH00273: apr_proc_mutex_lock failed. Attempting to shutdown process gracefully.',
      /ipcs -s/,
    ],
    ['NET::ERR_CERT_AUTHORITY_INVALID', /fullchain\.pem/],
    ['ERR_SSL_VERSION_OR_CIPHER_MISMATCH', /SSLProtocol all -SSLv3/],
    ['Size of a request header field exceeds server limit.', /LimitRequestFieldSize/],
    ['ServerAlias only used in <VirtualHost>', /move the line into the <VirtualHost>/],
    [
      'Apache Error 421: Misdirected Request\nThe client needs a new connection for this request',
      /the same SSLVerifyClient/,
    ],
    ['configure: error: APR not found.  Please read the documentation.', /with its headers/],
    ["mod_foo.c:212:24: error: 'conn_rec' has no member named 'remote_ip'", /client_ip/],
    [
      'pkg: apache24-2.4.10 conflicts with apache22-2.2.29 (installs files into the same place)',
      /remove apache22/,
    ],
    ['since 2.4 the logs all show the load balancer ip instead of the client', /mod_remoteip/],
    ['The requested URL /x was not found on this server.', /DocumentRoot/],
    ['"RewriteEngine On" in my .htaccess gives 403 Forbidden on every page', /FollowSymLinks/],
    [
      '18:09:42  [Apache]  Error: Apache shutdown unexpectedly.\n18:09:42  [Apache]  This may be due to a blocked port',
      /httpd\.exe -t/,
    ],
    [
      "Invalid command '../conf-available/x.conf', perhaps misspelled or defined by a module not included",
      /make the link anew/,
    ],
    [
      "Invalid command 'Require all granted', perhaps misspelled or defined by a module not included",
      /without quotation marks/,
    ],
    [
      "Invalid command 'Require', perhaps misspelled or defined by a module not included",
      /load mod_authz_core/,
    ],
    [
      "[ssl:emerg] AH01910: Oops, no RSA, DSA or ECC server certificate found for 'a.example:0'?!",
      /SSLCertificateFile/,
    ],
    ['(13)Permission denied: AH00072: make_sock: could not bind to address [::]:80', /as root/],
    [
      '(98)Address already in use: AH00072: make_sock: could not bind to address [::]:80',
      /stop what holds the port \(`ss/,
    ],
    [
      '(OS 10048)Only one usage of each socket address is normally permitted.  : AH00072: make_sock: could not bind to address [::]:80\nAH00451: no listening sockets available',
      /netstat/,
    ],
    [
      '[core:warn] (92)Protocol not available: AH00076: Failed to enable APR_TCP_DEFER_ACCEPT',
      /AcceptFilter http none/,
    ],
    [
      "(2)No such file or directory: AH00023: Couldn't create the mpm-accept mutex (file /run/a/mpm-accept-0.1)\ncould not create accept mutex",
      /mkdir -p \/run\/a`/,
    ],
    ["AH00023: Couldn't create the ssl-cache mutex", /remove the Mutex line/],
    [
      'AH01695: auth_ldap authenticate: user x authentication failed; URI / [ldap_search_ext_s() for user failed][Operations error]',
      /LDAPReferrals Off/,
    ],
    [
      "AH01695: auth_ldap authenticate: user x authentication failed; URI / [LDAP: ldap_simple_bind() failed][Can't contact LDAP server]",
      /reaches the LDAP server/,
    ],
    [
      '[proxy:warn] AH01136: Unescaped URL path matched ProxyPass; ignoring unsafe nocanon',
      /^nothing, in most cases/,
    ],
    ['AH00690: no acceptable variant: /srv/index.html', /ForceLanguagePriority/],
    ['Error parsing FilterProvider expression:Expression parse error: syntax error', /write `FilterProvider/],
    ['after dist-upgrade apache serves only the default debian page for all my domains', /ends in \.conf/],
    [
      'Der Apache startet nach dem Update auf Debian 8 nicht mehr: Job for apache2.service failed.',
      /apachectl configtest/,
    ],
    [
      'mod_authz_core.c(802): [client ::1:5] AH01626: authorization result of <RequireAny>: granted',
      /^nothing: with LogLevel debug/,
    ],
    [
      'mod_authz_core.c(802): [client ::1:5] AH01626: authorization result of <RequireAny>: denied',
      /which Require line denies/,
    ],
    ["Invalid command '...', perhaps misspelled or defined by a module not included", /the dots stand/],
    [
      'Cannot load modules/mod_wsgi_python3.so into server: /lib64/libpython3.6m.so.1.0: rebuild shared object with IBT support enabled',
      /built without the protection/,
    ],
    ['dyld: Symbol not found: _apr_crypto_block_cleanup', /from one source/],
    ["SSLProtocol: Illegal protocol 'SSLv3'", /take SSLv3 out/],
    ["SSLProtocol: Illegal protocol 'SSLv4'", /correct the word SSLv4/],
    ['httpd.conf: Invalid LoadModule path D:/a', /LoadModule/],
    [
      '- Starting web server apache2: Could not open configuration file /etc/apache2/httpd.conf: No such file or directory',
      /Include line/,
    ],
    [
      'Cannot load modules/mod_proxy_html.so into server: /usr/lib64/libxml2.so.2: cannot open shared object file: No such file',
      /library libxml2\.so\.2/,
    ],
  ])('%s', async (text, expected) => {
    expect(await remedy(text)).toMatch(expected);
  });
});

const LOAD = 'httpd: Syntax error on line 9 of /etc/httpd/conf/httpd.conf: Cannot load';

describe('the symbol that a module lacks says for which httpd it is built', () => {
  test.each<[string, RegExp]>([
    ['mod_x.so: undefined symbol: ap_requires', /built for 2\.2, and 2\.4 cannot load that/],
    ['mod_x.so: undefined symbol: unixd_set_global_mutex_perms', /built for 2\.2/],
    ['mod_x.so: undefined symbol: ap_log_error', /built for 2\.2/],
    ['libphp5.so: dlopen(/a/libphp5.so, 10): Symbol not found: _unixd_config', /PHP as built for 2\.2/],
    // These are functions of 2.4 alone.
    ['mod_x.so: undefined symbol: ap_log_error_', /built for a newer httpd/],
    ['mod_x.so: undefined symbol: ap_unixd_config', /built for a newer httpd/],
    ['mod_pagespeed_ap24.so: undefined symbol: ap_unixd_config', /built for a newer httpd/],
    ['libphp7.so: undefined symbol: ap_map_http_request_error', /built for a newer httpd/],
    ['mod_x.so: undefined symbol: proxy_run_check_trans', /built for a newer httpd/],
    ['mod_x.so: undefined symbol: xmlParse', /load the module or the library that has this symbol/],
  ])('%s', async (text, expected) => {
    expect(await remedy(`${LOAD} modules/${text}`)).toMatch(expected);
  });

  test('a name in LoadModule that the file does not have is told as that', async () => {
    const message =
      "httpd: Syntax error on line 9 of /a.conf: Can't locate API module structure `evasive24_module' in file /m/mod_evasive24.so: /m/mod_evasive24.so: undefined symbol: evasive24_module";
    expect(await remedy(message)).toMatch(
      /LoadModule calls the module evasive24_module, and mod_evasive24\.so has none/,
    );
  });
});

test('a place in the words of cPanel is that of the file', async () => {
  const message =
    'Configuration problem detected on line 134 of file /etc/apache2/conf/httpd.conf.work:  Invalid Mutex directory in argument file:/run/apache2';
  expect(await place(message)).toBe('/etc/apache2/conf/httpd.conf.work:134');
});

test('a quotation mark behind a path is none of it', async () => {
  const { stdout } = await why(
    'I get "[authz_core:error] [client 1.1.1.1:17233] AH01630: client denied by server configuration: /opt/kibana/"',
  );
  expect(stdout).toContain("--explain '/opt/kibana/?from=1.1.1.1'");
});

test('a drive is no file, and what is wrong may stand in the next line', async () => {
  const message =
    "AH00526: Syntax error on line 21 of C:/wamp/apache/conf/extra/httpd-vhosts.conf:\nFrobnicate must be followed by 'from'";
  const { stdout } = await why(message);
  expect(stdout).toContain("Frobnicate must be followed by 'from'\n  where:  C:/wamp/apache");
  expect(stdout).not.toContain('other line');
});

test.each([
  ['We moved to 2.4.\nApache says client denied by server configuration.\nIt is Debian 12.\nWhat can I do?', /remedy: write `Require/, ''],
  ["Invalid command 'LockFile'\nhttpd: frobbed\nThanks", /remedy: /, 'One other line is'],
  ["Invalid command 'LockFile'\n(13)frobbed\n<3>frobbed\n2026-11-23 10:00:00 frobbed", /remedy: /, '3 other lines are'],
])('what a person writes beside a message is counted as no message: %s', async (message, remedied, counted) => {
  const { stdout } = await why(message);
  expect(stdout).toMatch(remedied);
  expect(/\n(.*) no message that/.exec(stdout)?.[1] ?? '').toBe(counted);
}); // prettier-ignore

test('what looks like an option alone is refused as one', async () => {
  const { stderr, status } = await command(['why', '--frobnicate'], {}, { source: memory(new Map()) });
  expect([status, stderr]).toEqual([2, expect.stringContaining("unknown option '--frobnicate'")]);
});

const REFUSED_NOT = (lines: string): Promise<CommandResult> =>
  command(
    ['why', 'AH01624: negative Require directive has no effect in <RequireAny> directive', '/c/a.conf'],
    {},
    { source: memory(new Map([['/c/a.conf', `<Directory /srv>\n${lines}</Directory>\n`]])) },
  );

test('a Require not that 2.4 refuses is written into a RequireAll', async () => {
  const { stdout } = await REFUSED_NOT('  Require all granted\n  Require not ip 192.0.2.1\n');
  expect(stdout).toMatch(/where: {2}\S*a\.conf:3\n/);
  expect(stdout.replace(/ +/g, ' ')).toContain(
    ' + <RequireAll>\n + Require all granted\n + Require not ip 192.0.2.1\n + </RequireAll>\n',
  );
});

test('a file that is called otherwise here is named with the lines of the kind', async () => {
  const message =
    "AH00526: Syntax error on line 3 of /etc/apache2/sites-enabled/z.conf:\nInvalid command 'LockFile', perhaps misspelled";
  const files = memory(new Map([['/c/a.conf', 'Listen 80\nLockFile /a\n']]));
  const { stdout } = await command(['why', message, '/c/a.conf'], {}, { source: files });
  expect(stdout).toMatch(/where: {2}\/etc\/apache2\/sites-enabled\/z\.conf:3, \S*a\.conf:2\n/);
  expect(stdout).toContain('-LockFile /a');
});

test('beside a line of which one is enough, none is written', async () => {
  const { stdout } = await REFUSED_NOT('  Require ip 10.0.0.0/8\n  Require not ip 10.9.9.9\n');
  expect(stdout).toMatch(/where: {2}\S*a\.conf:3\n/);
  expect(stdout).not.toContain('write:');
});

describe('a message that somebody has folded', () => {
  test('is joined where its place is cut', async () => {
    const message =
      'AH00526: Syntax error on line 41 of\n/etc/apache2/sites-enabled/a.conf:\nEither all Options must start with + or -, or no Option may.';
    expect(await place(message)).toBe('/etc/apache2/sites-enabled/a.conf:41');
    expect(await remedy(message)).toMatch(/every word a sign/);
    expect((await why(message)).stdout).not.toMatch(/other line/);
  });

  test('is joined where its sentence is cut', async () => {
    const message =
      'AH01144: No protocol handler was valid for the URL\n/a/b.\nIf you are using a DSO version of mod_proxy, make sure the proxy\nsubmodules are included in the configuration using LoadModule.';
    expect(await remedy(message)).toMatch(/mod_proxy_http for http:/);
    expect((await why(message)).stdout).not.toMatch(/other line/);
  });

  test('is joined behind the file that could not be loaded', async () => {
    expect(
      await remedy(`${LOAD} /m/mod_x.so into server: \n/m/mod_x.so: undefined symbol: ap_requires`),
    ).toMatch(/built for 2\.2/);
  });

  test('is not joined with another one', async () => {
    const { stdout } = await why(
      "Invalid command 'LockFile', perhaps misspelled or defined by a module not included in the server configuration\nInvalid command 'SSLMutex', perhaps misspelled or defined by a module not included in the server configuration\n[Mon Nov 23 10:00:00 2026] [notice] something else\n",
    );
    expect(stdout.match(/remedy:/g)).toHaveLength(2);
    expect(stdout).toMatch(/One other line is/);
  });

  test('is known in any letter case, without what a log has in front', async () => {
    expect(await remedy('AH00534: httpd: configuration error: no mpm loaded.')).toMatch(
      /load one of mod_mpm_prefork/,
    );
    expect(await remedy('ah01144: no protocol handler was valid for the url /x')).toMatch(/mod_proxy_http/);
  });
});

test.each<[string, RegExp]>([
  ['/srv/a/.htaccess: Option All not allowed here', /add All to `AllowOverride Options=`/],
  ['/srv/a/.htaccess: Options not allowed here', /^write `AllowOverride Options`, or All/],
  ['SSLSessionCache cannot occur within <VirtualHost> section', /to the server level/],
  ['ProxyPass cannot occur within <Directory> section', /server level, or into the <Location>/],
  ["SSLSessionCache: 'shmcb' session cache not supported (known names: ).", /load mod_socache_shmcb/],
  ["SSLSessionCache: 'dbm' session cache not supported (known names: shmcb).", /load mod_socache_dbm/],
  ["SSLSessionCache: 'shm' session cache not supported (known names: ).", /write shmcb: instead/],
  ['Unknown Authz provider: valid-user', /load mod_authz_user/],
  ['Unknown Authz provider: ip', /load mod_authz_host/],
  ['Unknown Authz provider: group', /load mod_authz_groupfile/],
  ['Unknown Authz provider: ldap-group', /mod_authnz_ldap/],
  ['Unknown Authz provider: Valid-User', /^write `Require valid-user`, in small letters/],
  ['Unknown Authn provider: file', /load mod_authn_file/],
  ['Unknown Authn provider: alias-ldap', /<AuthnProviderAlias> stands above/],
  ["AH00526: Syntax error on line 1 of /a.conf: <IfModule> directive missing closing '>'", /end the line .* with >/],
  ['FilterProvider takes three arguments, filter-name provider-name match-expression', /becomes? one expression/],
  ['AH00513: WARNING: MaxRequestWorkers of 256 is not an integer multiple', /multiple of ThreadsPerChild/],
  ["(9)Bad file descriptor: AH02155: getpwuid: couldn't determine user name from uid 4294967295", /User and Group/],
  ['(36)File name too long: [client ::1:5] AH00036: access to /x failed', /^nothing: a client sent/],
  ['(13)Permission denied: [client ::1:5] AH00035: access to /x denied', /namei -l/],
  ['AH02240: Server should be SSL-aware but has no certificate configured [Hint: SSLCertificateFile]', /SSLCertificateFile/],
  ['AH00526: Syntax error on line 6 of /a.conf:\nUnrecognized LogFormat directive %O', /load mod_logio/],
  ['AH00526: Syntax error on line 6 of /a.conf:\nUnrecognized LogFormat directive %Z', /the letter behind the %/],
  ['Could not open configuration file /etc/apache2/mods-enabled/authz_user.load: No such file or directory', /a2dismod -f authz_user/],
  ['Could not open configuration file /etc/httpd/x.conf: No such file or directory', /copy the file to the path/],
  ['(2)No such file or directory: could not open transfer log file /etc/apache2/${APACHE_LOG_DIR}/a.log.', /apache2ctl configtest/],
  ['(2)No such file or directory: could not open transfer log file /var/log/a.log.', /create the directory of the log/],
  ['[proxy:crit] (22)Invalid argument: AH02478: failed to create proxy mutex', /remove the Mutex line/],
  ['/usr/sbin/apachectl: 175: /usr/sbin/apache2: not found', /install the program again/],
  ['[core:error] [client ::1:2] AH00128: File does not exist: /var/www/html/a', /DocumentRoot or Alias/],
  ['AH00687: Negotiation: discovered file(s) matching request: /a (None could be negotiated).', /MultiviewsMatch Any/],
  ["[ssl:error] AH02217: ssl_stapling_init_cert: can't retrieve issuer certificate!", /SSLUseStapling off/],
  ['[proxy:error] AH00898: Error reading from remote server returned by /x', /ProxyTimeout/],
  ['[proxy:error] AH00898: DNS lookup failure for: a.example returned by /x', /resolves the name/],
  ["AH01695: auth_ldap authenticate: user joe authentication failed; URI / [LDAP: ldap_simple_bind() failed][Can't contact LDAP server]", /ldapsearch/],
  ['Directory index forbidden by Options directive: /srv/www/', /`Options \+Indexes` for it/],
  ['AH00135: Invalid method in request \\x16\\x03\\x01', /speaks TLS/],
  ['AH00135: Invalid method in request PROPFINDX', /mostly nothing/],
  ['[:error] [client 1.2.3.4] PHP Fatal error:  Call to undefined function mysql_connect()', /message of PHP/],
  ['AH01630: client denied by server configuration: /srv/www', /`Require all granted`.*ask --explain/],
])('%s', async (message, expected) => {
  expect(await remedy(message)).toMatch(expected);
}); // prettier-ignore

describe('what says only that httpd failed asks for what stands before it', () => {
  test.each([
    "Action 'configtest' failed. The Apache error log may have more information.",
    'Nov 28 12:01:02 srv systemd[1]: apache2.service: Control process exited, code=exited status=1',
    'apache2.service: Main process exited, code=exited, status=1/FAILURE',
    'systemd[1]: Der Apache HTTP Server konnte nicht gestartet werden.',
    'Fehler beim Starten von The Apache HTTP Server.',
    '\xC9chec du d\xE9marrage de The Apache HTTP Server.',
    'Job f\xFCr apache2.service fehlgeschlagen, da der Steuerprozess mit Fehlercode beendet wurde.',
    'Starting httpd: [FAILED]',
  ])('%s', async (message) => {
    expect((await why(message)).stderr).toMatch(/say only that httpd failed/);
  });

  test.each(['Syntax OK', 'systemd[1]: Started The Apache HTTP Server.'])('%s does not', async (message) => {
    expect((await why(message)).stderr).not.toMatch(/say only that httpd failed/);
  });

  test('a message behind the name of what starts is told', async () => {
    const message = `Starting httpd: ${LOAD} modules/mod_authz_default.so into server`;
    expect(await remedy(message)).toMatch(/2\.4 has no mod_authz_default/);
  });
});

test('a directive that no .htaccess may have is to leave it, whatever AllowOverride says', async () => {
  expect(await remedy('/srv/.htaccess: AllowOverride not allowed here')).toMatch(
    /take the line out of the \.htaccess, .*: AllowOverride may stand in directory sections$/,
  );
  expect(await remedy('/srv/.htaccess: RewriteEngine not allowed here')).toMatch(
    /^write `AllowOverride FileInfo`, or All, into the <Directory>/,
  );
});

test.each([
  ['filesystem', /load mod_dav_fs before this line/],
  ['svn', /load the module that has this provider/],
])('a DAV provider %s is of a module', async (name, expected) => {
  expect(await remedy(`Unknown DAV provider: ${name}`)).toMatch(expected);
});

test('a directive without a blank behind it gets one', async () => {
  expect(await remedy("Invalid command 'DocumentRoot/var/www', perhaps misspelled")).toMatch(
    /^put a blank behind DocumentRoot/,
  );
});

describe('what package managers say', () => {
  test.each<[string, RegExp]>([
    ["E: Package 'apache2-mpm-worker' has no installation candidate", /each MPM is a module of that package/],
    [
      'Package apache2-mpm-prefork is not available, but is referred to by another package.',
      /each MPM is a module/,
    ],
    ['E: Unable to locate package apache2-threaded-dev', /install apache2-dev/],
    [' apache2 : Breaks: apache2.2-common but 2.2.22-13 is to be installed', /not purge/],
    [
      ' libapache2-mod-fastcgi : Depends: apache2.2-common but it is not installable',
      /^this package of mod_fastcgi is built for 2\.2: /,
    ],
    [
      'Error: Package: mod_foo-1.0 (epel) Requires: httpd-mmn = 20051115-x86-64',
      /install their builds for 2\.4/,
    ],
    [
      "E: Package 'libapache2-mod-php5' has no installation candidate",
      /^this system has no package of PHP under this name: /,
    ],
    [
      'No package mod_auth_mysql available.',
      /^this system has no package of mod_auth_mysql under this name: /,
    ],
    ['Unable to find a match: mod_frob', /the name that the package has in this release/],
    [
      "Configuration file '/etc/apache2/apache2.conf'\n ==> Modified (by you or by a script) since installation.",
      /convert that with httpd-codemod/,
    ],
    [
      'warning: /etc/httpd/conf/httpd.conf created as /etc/httpd/conf/httpd.conf.rpmnew',
      /convert that with httpd-codemod/,
    ],
  ])('%s', async (message, expected) => {
    expect(await remedy(message)).toMatch(expected);
  });

  test.each([
    'Package mod_ssl-2.4.6-97.el7 already installed and latest version',
    ' Package apache2-mpm-prefork is not configured yet.',
    ' Package apache2.2-common is not configured yet.',
  ])('but nothing of an upgrade is %s', async (message) => {
    expect(await why(message)).toMatchObject({ status: 1 });
  });
});

describe('a tool that does not know a module', () => {
  test('is told where the module may be, not to correct a line', async () => {
    expect(await remedy('ERROR: Module cern_meta does not exist!')).toMatch(
      /^remove the lines of mod_cern_meta, or install a build that has it/,
    );
    expect(await remedy('ERROR: Module authz_default does not exist!')).toMatch(
      /2\.4 has no mod_authz_default/,
    );
    expect(
      await remedy(`${LOAD} modules/mod_cern_meta.so into server: cannot open shared object file`),
    ).toMatch(/^remove the lines of mod_cern_meta/);
    expect(await remedy('ERROR: Module info does not exist!')).toMatch(/^2\.4 has mod_info: where a2enmod/);
  });
});

test.each<[string, RegExp]>([
  ['Unknown Authz provider: localhost', /`local` \(this machine\)/],
  ['Unknown Authz provider: 10.0.0.0/8', /^write `Require ip 10\.0\.0\.0\/8`/],
  ['(28)No space left on device: AH00023: Couldn\'t create the rewrite-map mutex', /^remove the semaphores/],
  ['(28)No space left on device: mod_rewrite: Parent could not create RewriteLock file /x', /^remove the semaphores/],
  ['(13)Permission denied: AH00023: Couldn\'t create the rewrite-map mutex', /^remove the Mutex line/],
  ["Syntax error on line 9 of /a: No matches for the wild card 'conf.d*' in '/etc/apache2', failing", /IncludeOptional/],
  ["[include:warn] [pid 7] AH01374: mod_include: Options +Includes (or IncludesNoExec) wasn't set, INCLUDES filter removed: /a.shtml", /`Options \+Includes`/],
  ['(2)No such file or directory: AH01257: unable to connect to cgi daemon after multiple tries: /x.cgi', /^restart httpd.*ScriptSock/],
  ['Can\'t locate object method "remote_ip" via package "Apache2::Connection" at /x.pm line 2.', /client_ip/],
  ["Can't locate DBI.pm in @INC (@INC contains: /etc/perl)", /module of Perl/],
  ['SSL received a record that exceeded the maximum permissible length.', /SSLEngine on, or is not read/],
  ['(Error code: ssl_error_rx_record_too_long)', /SSLEngine on/],
  ['curl: (35) error:140770FC:SSL routines:SSL23_GET_SERVER_HELLO:unknown protocol', /SSLEngine on/],
  ['SSL Library Error: error:1407609C:SSL routines:SSL23_GET_CLIENT_HELLO:unknown protocol', /old protocols named/],
  ["You're speaking plain HTTP to an SSL-enabled server port.", /SSLEngine on/],
  ['my shtml pages are not parsed any more', /mod_include.*`Options \+Includes`/],
])('%s: its cause', async (message, expected) => {
  expect(await remedy(message)).toMatch(expected);
}); // prettier-ignore

test('the key of --explain that a remedy names is one that it has', async () => {
  const { stdout } = await why('AH01631: user bob: authorization failure for "/private/":');
  expect(stdout).toContain('`user=USER`');
});

describe('what an answer takes for granted is so', () => {
  test.each<[string, string, RegExp]>([
    ['a file of the configuration is no .htaccess', '/etc/apache2/custom.d/a.conf: deny not allowed here', /^Deny may stand in directory sections.*: move the line there/],
    ['nor is one whose line is named', 'AH00526: Syntax error on line 3 of /etc/apache2/vhosts/a: Order not allowed here', /^Order may stand in directory sections.*: move the line there/],
    ['a .htaccess by another name is one', '/srv/www/.acl: Order not allowed here', /^write `AllowOverride Limit`, or All/],
    ['a module that is loaded may lack a directive', "Invalid command 'CASRootProxiedAs', perhaps misspelled", /Where `httpd -M` lists it, .* remove the line$/],
    ['PHP lacks none', "Invalid command 'php_value', perhaps misspelled", /to its pool$/],
    ['Options whose words all have a sign are no mixture', '.htaccess has "Options -Indexes", and 2.4 says 500', /AllowOverride Options/],
    ['with words of prose behind them', 'Options -Indexes +ExecCGI in my .htaccess gives a 500', /AllowOverride Options/],
    ['a mixture is one', 'Options -Indexes +ExecCGI FollowSymLinks in my .htaccess gives a 500', /^give every word of Options a sign/],
    ['whichever comes first', '2.4 and "Options Indexes +ExecCGI" in .htaccess: 500', /^give every word of Options a sign/],
  ])('%s', async (_, message, expected) => {
    expect(await remedy(message)).toMatch(expected);
  }); // prettier-ignore
});

test('a message that is folded in the middle of a place and of its own words is one', async () => {
  const message =
    "AH00526: Syntax error on line 36 of\n/opt/conf/a.conf: Invalid\ncommand 'php_value', perhaps misspelled or defined by a module";
  expect(await remedy(message)).toMatch(/^php_value is of PHP/);
  expect(await place(message)).toBe('/opt/conf/a.conf:36');
});

test.each([
  ['a web page', '&lt;Location /a&gt;\n Order allow,deny\n Allow from all\n&lt;/Location&gt;'],
  ['a mail', '> <Location /a>\n>  Order allow,deny\n>  Allow from all\n> </Location>'],
  ['a listing', '12: <Location /a>\n13:  Order allow,deny\n14:  Allow from all\n15: </Location>'],
  ['a template', '<Directory <%= @root %>>\n Order allow,deny\n Allow from all\n</Directory>'],
])('lines as %s has them are converted as a whole', async (_, lines) => {
  const { stdout } = await why(lines);
  expect(stdout).toMatch(/^ {5}<(?:Location|Directory)[^]*^ {4}\+ Require all granted$/m);
});
