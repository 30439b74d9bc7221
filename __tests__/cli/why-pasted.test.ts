import { command, type CommandResult } from '../../testing/run/command';
import { memory } from '../../src/config';

const why = (message: string): Promise<CommandResult> =>
  command(['why', '-'], { stdin: () => message }, { source: memory(new Map()) });

const remedy = async (message: string): Promise<string> =>
  /^ {2}remedy: (.*)$/m.exec((await why(message)).stdout)?.[1] ?? '';

const place = async (message: string): Promise<string> =>
  /^ {2}where: {2}(.*)$/m.exec((await why(message)).stdout)?.[1] ?? '';

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
  ['/srv/a/.htaccess: Options not allowed here', /set AllowOverride for this directory/],
  ['SSLSessionCache cannot occur within <VirtualHost> section', /to the server level/],
  ['ProxyPass cannot occur within <Directory> section', /server level, or into the <Location>/],
  ["SSLSessionCache: 'shmcb' session cache not supported (known names: ).", /load mod_socache_shmcb/],
  ["SSLSessionCache: 'dbm' session cache not supported (known names: shmcb).", /load mod_socache_dbm/],
  ["SSLSessionCache: 'shm' session cache not supported (known names: ).", /write shmcb: instead/],
  ['Unknown Authz provider: valid-user', /load mod_authz_user/],
  ['Unknown Authz provider: ip', /load mod_authz_host/],
  ['Unknown Authz provider: group', /load mod_authz_groupfile/],
  ['Unknown Authz provider: ldap-group', /mod_authnz_ldap/],
  ['Unknown Authz provider: Valid-User', /misspelled, in capitals/],
  ['Unknown Authn provider: file', /load mod_authn_file/],
  ['Unknown Authn provider: alias-ldap', /<AuthnProviderAlias> stands above/],
  ["AH00526: Syntax error on line 1 of /a.conf: <IfModule> directive missing closing '>'", /end the line .* with >/],
  ['FilterProvider takes three arguments, filter-name provider-name match-expression', /becomes? one expression/],
  ['AH00513: WARNING: MaxRequestWorkers of 256 is not an integer multiple', /multiple of ThreadsPerChild/],
  ["(9)Bad file descriptor: AH02155: getpwuid: couldn't determine user name from uid 4294967295", /User and Group/],
  ['(36)File name too long: [client ::1:5] AH00036: access to /x failed', /mostly nothing/],
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
  ['Directory index forbidden by Options directive: /srv/www/', /set Options for this directory/],
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
    /^set AllowOverride for this directory/,
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
