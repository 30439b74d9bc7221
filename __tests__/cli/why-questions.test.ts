import { command, type CommandResult } from '../../testing/run/command';
import { memory } from '../../src/config';
import { configError, logMessage, remedyOfArea } from '../../src/httpd/messages';
import { soon } from '../../testing/run/soon';

const why = (message: string, files: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  command(
    ['why', '-', ...Object.keys(files)],
    { stdin: () => message },
    { source: memory(new Map(Object.entries(files))) },
  );

const remedies = async (message: string): Promise<readonly string[]> =>
  [...(await why(message)).stdout.matchAll(/^ {2}remedy: (.*)$/gm)].map(([, text = '']) => text);

const LOAD = 'httpd: Syntax error on line 9 of /etc/httpd/conf/httpd.conf: Cannot load';
const PLACE = 'AH00526: Syntax error on line 3 of /a/b.conf:\n';

test.each<[string, RegExp]>([
  [`${LOAD} modules/mod_ssl.so into server: /m/mod_ssl.so: symbol EC_X, version OPENSSL_1.0.1_EC not defined in file libcrypto.so.10 with link time reference`, /another library is loaded/],
  [`${LOAD} modules/mod_qos.so into server: /m/mod_qos.so: undefined symbol: pcre_free`, /PCRE 10 alone/],
  [`${LOAD} modules/mod_lbmethod_bybusyness.so into server: /m/mod_lbmethod_bybusyness.so: undefined symbol: ap_proxy_balancer_get_best_worker`, /a2enmod proxy proxy_balancer/],
  [`${LOAD} modules/mod_auth_openidc.so into server: /m/mod_auth_openidc.so: undefined symbol: oidc_x`, /made for another httpd .*libapache2-mod-auth-openidc/],
  [`${LOAD} modules/libphp7.so into server: /m/libphp7.so: cannot open shared object file: No such file`, /^PHP is not installed in this place/],
  [`${LOAD} modules/libphp5.so into server: libmysqlclient.so.16: cannot open shared object file`, /install the library libmysqlclient\.so\.16/],
  [`${LOAD} /m/mod_access_compat.so into server: /m/mod_access_compat.so: cannot open shared object file`, /a2dismod -f access_compat/],
  ["API module structure 'x_module' in file /m/mod_x.so is garbled - expected signature 41503232 but saw 41503234", /is a 2\.2, and the module is built for 2\.4/],
  ["Invalid command '&lt;Directory', perhaps misspelled", /write the characters themselves/],
  [`${LOAD} modules/mod_csrfprotector.so into server: /m/mod_csrfprotector.so: invalid ELF header`, /^install the build of this module for this system again/],
  [`${LOAD} modules/mod_jk.so into server: /m/mod_jk.so: wrong ELF class: ELFCLASS32`, /^this file of mod_jk is not whole, or is made for another processor.*libapache2-mod-jk/],
  [`${LOAD} C:/php/php5apache2_2.dll into server: The specified module could not be found.`, /^name the file of PHP that is for 2\.4 \(php5apache2_4\.dll/],
  [`${LOAD} C:/m/mod_x.so into server: The specified procedure could not be found.`, /Visual C\+\+ runtime/],
  ["piped log program '/usr/sbin/rotatelogs /var/log/a.log 86400' failed unexpectedly", /a program behind a pipe must exist/i],
  ["ip address 'all' appears to be invalid", /^write `Require all granted` for/],
  ['Redirect URL not valid for this status', /^remove the URL, or write a status/],
  ['we had Satisfy any with Allow from 192.168.1 and Require valid-user; now everyone gets a 403', /^for `Satisfy Any` put `Require ip/],
  ['New XAMPP security concept: Access to the requested directory is only available from the local network.', /^write `Require ip NETWORK`.*<LocationMatch>/],
  ['Can\'t locate object method "remote_ip" via package "Apache2::Connection"', /useragent_ip/],
  ['AH01630: client denied by server configuration: proxy:http://127.0.0.1:9000/', /<Proxy> or <Location> that covers this URL/],
  ['(13)Permission denied: AH00649: could not open transfer log file /var/log/httpd/a_log.', /^start and test httpd as root/],
  ['my directory does not ask for a password any more, Require all granted and Require valid-user are there', /^put the Require lines that must all hold into <RequireAll>/],
  ["/var/www/.htaccess: RewriteRule: unknown flag 'R=301;L'", /^correct the flag R=301;L, or take it out/],
  ['[authz_svn:error] [pid 33] Failed to load the mod_authz_svn config: Section header expected', /^correct the file that AuthzSVNAccessFile names/],
  ['AH01797: client denied by server configuration: proxy:http://www.google.com/', /^nothing, if the URL is none of yours/],
  ['AH01630: client denied by server configuration: /var/www/html/.well-known/acme-challenge/xyz', /^leave \.well-known out of the section/],
  ['httpd.service start operation timed out. Enter SSL pass phrase for www.example.com:443 (RSA)', /^give the key without a pass phrase/],
  ['500 error after switching to php-fpm, htaccess has php_value upload_max_filesize 20M', /^move what php_value and php_flag set to a \.user\.ini/],
  ['403 with both "Order deny,allow" and "Require all granted" in the same directory', /^remove the Order, Allow and Deny lines beside/],
  ['Unknown Authz provider: file-owner', /^load mod_authz_owner/],
  ['Unknown Authn provider: ldap', /^load mod_authnz_ldap/],
  ['Unknown Authn provider: ldap-corp', /an <AuthnProviderAlias> stands above/],
  ['Unknown Authn provider: file-staff', /an <AuthnProviderAlias> stands above/],
  ['[wsgi:warn] [pid 29] mod_wsgi: Compiled for Python/2.7.5.', /^install the build of mod_wsgi/],
  ['ya no me pide contrase\xc3\xb1a el directorio tras actualizar', /^look for one of three/],
  ['seit dem Upgrade fragt der Server nicht nach dem Passwort: er fragt nicht mehr nach dem Passwort', /^look for one of three/],
  ["Invalid command 'PassangerEnabled', perhaps misspelled", /^write PassengerEnabled if that is meant.*is of Phusion Passenger/],
  ["Invalid command 'php_vlaue', perhaps misspelled", /^write php_value if that is meant/],
  ["Invalid command 'WSGISomethingNew', perhaps misspelled", /^WSGISomethingNew is of mod_wsgi/],
  ["Invalid command 'state.ALSA', perhaps misspelled", /the line is no configuration/],
  ["Invalid command '>>>>>>>', perhaps misspelled", /the line is no configuration/],
  ["Invalid command 'Options+Indexes', perhaps misspelled", /put a blank behind Options:/],
  ['/srv/a/.htaccess: <IfModule takes one argument, Container for directives', /one word between `<IfModule`/],
  ["SSLCACertificateFile: file '/etc/ssl/ca.crt' does not exist or is empty", /^copy the file or directory of certificate authorities/],
  ['what replaces SSLCertificateChainFile in 2.4.8?', /^append the certificates of SSLCertificateChainFile/],
  ['RewriteRule ^a$ b [NC, L] gives a 500, and nothing in the log', /^take the blanks out of the flags/],
  ['FilterProvider giving error 500 after moving to apache 2.4', /^write `FilterProvider NAME PROVIDER/],
  ['Satisfy any, Allow from all and Require valid-user: nobody is asked for a password', /^remove `Satisfy Any` and `Allow from all`/],
  ['Dec 18 18:18:06 localhost httpd[4102]: httpd: Syntax error on line 142 of /usr/local/apache/conf/httpd.conf: Cannot load...finish', /^get the whole line/],
  ['Mai 20 22:21:49 h apachectl[24]: apache2: Syntax error on line 1 of /etc/apache2/mods-enabled/env.load: <IfModule> dir>', /^look at the line of <IfModule/],
  ["Invalid command '\\xc2\\xa0Order', perhaps misspelled", /invisible character/],
  ["Invalid command 'ServerTokens', perhaps misspelled", /invisible character/],
  ["Invalid command 'Listen80', perhaps misspelled", /put a blank behind Listen:/],
  ["Invalid command 'AuthAuthoritative', perhaps misspelled", /write AuthBasicAuthoritative/],
  ["Invalid command 'SSLPassPhraseDialog', perhaps misspelled", /^load mod_ssl/],
  ["Invalid command 'CGIPassAuth', perhaps misspelled", /since 2\.4\.13: where this httpd is older/],
  ["Invalid command 'ProxyFCGIBackendType', perhaps misspelled", /^load mod_proxy_fcgi.*since 2\.4\.26/],
  ["Invalid command 'Require', perhaps misspelled", /^load mod_authz_core/],
  ['mod_evasive24.so: undefined symbol: evasive24_module', /LoadModule calls the module evasive24_module/],
  ['AH01796: AuthType CAS configured without corresponding module', /libapache2-mod-auth-cas/],
  ['AH01796: AuthType Kerberos configured without corresponding module', /mod_auth_gssapi/],
  ['AH01796: AuthType Digest configured without corresponding module', /^load mod_auth_digest/],
  ["SSLProtocol: Illegal protocol 'TLSv1.3'", /2\.4\.37 with OpenSSL 1\.1\.1/],
  ["SSLProtocol: Illegal protocol 'SSLv2'", /remove SSLv2/],
  ["SSLProtocol: Illegal protocol 'TLS1.2'", /correct the word TLS1\.2/],
  ["Invalid ProxyPass|ProxyPassMatch parameter. Parameter must be in the form 'key=value'", /equals sign/],
  ['"FollowSymLinks not allowed here" in .htaccess', /`AllowOverride Options=`/],
  ['"Order not allowed here" in /var/www/.htaccess', /AllowOverride Limit/],
  ['Module rewrite already enabled', /^nothing must be done/],
  ["Invalid command 'MaxClients', perhaps misspelled", /below the LoadModule line of the MPM/],
  ["Invalid command 'NameVirtualHost', perhaps misspelled", /remove the line/],
  [".htaccess: order takes one argument, 'allow,deny', 'deny,allow', or 'mutual-failure'", /in one word, without a blank/],
  ['.htaccess: Require not allowed here', /AllowOverride AuthConfig/],
  ['Illegal option Indexes,FollowSymLinks', /blanks between the words/],
  [`${PLACE}<VirtualHost> cannot occur within <VirtualHost> section`, /close the section above \(`<\/VirtualHost>`\)/],
  ['RewriteRule: bad flag delimiters', /quotation marks/],
  [`${PLACE}Argument for 'Require all' must be 'granted' or 'denied'`, /in small letters/],
  ['env: apache2ctl: No such file or directory', /install the program again/],
  ['ERROR: APACHE_PID_FILE needs to be defined in /etc/apache2/envvars', /force-confmiss/],
  ['ERROR: Module mpm_event is enabled - cannot proceed due to conflicts. It needs to be disabled first!', /run `a2dismod mpm_event` first/],
  ['ERROR: Conf phpmyadmin does not exist!', /conf-available/],
  ['(99)Cannot assign requested address: AH00072: make_sock: could not bind to address 10.0.0.1:80', /an address that this machine has/],
  ['AH01629: authorization failure (no authenticated user): /x', /nobody was asked for a password/],
  ['AH01797: client denied by server configuration', /convert the access lines/],
  ['AH01276: Cannot serve directory /srv/www/: No matching DirectoryIndex', /DirectoryIndex names/],
  ['AH00670: Options FollowSymLinks and SymLinksIfOwnerMatch are both off', /`Options \+FollowSymLinks`/],
  ['AH01268: Options ExecCGI is off in this directory: /x.cgi', /`Options \+ExecCGI`/],
  ['AH01220: Timeout waiting for output from CGI script /x', /raise Timeout/],
  ['AH02031: Hostname a provided via SNI, but no hostname provided in HTTP request', /nothing, if it is rare/],
  ['AH01898: Unable to configure permitted SSL ciphers', /HIGH:!aNULL/],
  ['AH02039: Certificate Verification: Error (20): unable to get local issuer certificate', /SSLCACertificateFile/],
  ['AH00961: failed to enable ssl support for 10.0.0.1:443 (a)', /SSLProxyEngine on/],
  ['AH00052: child pid 12 exit signal Segmentation fault (11)', /a module crashes/],
  ['Target WSGI script not found or unable to stat: /x.wsgi', /WSGIScriptAlias/],
  ['mod_fcgid: HTTP request length 136536 (so far) exceeds MaxRequestLen (131072)', /raise FcgidMaxRequestLen/],
  ['AH01144: No protocol handler was valid for the URL /index.php. If you are using a DSO version', /^load mod_proxy_fcgi/],
  ['AH01958: SSLStapling: no stapling cache available', /SSLStaplingCache shmcb/],
  ['[warn] NameVirtualHost *:80 has no VirtualHosts', /it is a warning of a 2\.2/],
  ['the sizes are not taken: <IfModule prefork_module>', /^write <IfModule mpm_prefork_module> or <IfModule prefork\.c>/],
  ['in the .htaccess stands <ifModule mod_authz_core> and it has no effect', /^write <IfModule authz_core_module> or <IfModule mod_authz_core\.c>/],
  ['client denied by server configuration: /srv/a/var/config.ini', /^nothing, if nobody is to read this file/],
  ["similar to 'client denied by server configuration: /home/u/app/' in error.log", /^write `Require all granted`/],
  ['client denied by server configuration: /srv/a/index.cgi', /^nothing, if the page itself comes/],
  ['500 error of the Options directive in .htaccess: Options +FollowSymLinks', /^write `AllowOverride Options`/],
  ['php_value needs mod_php, with FCGI it gives 500', /\.user\.ini/],
  ['SSLCertificateFile does not take chained certificates in 2.2', /2\.2, and a 2\.4 before 2\.4\.8, need it/],
  ['since the upgrade a 403 is sent where 2.2 sent 401', /^take out what refuses before a password/],
  ['AuthType CAS is refused', /^this AuthType is of mod_auth_cas/],
  ['Apache 2.4 wants `a2enmod cgi`', /^load mod_cgi \(Debian: a2enmod cgi/],
  ['Require all denied in the .htaccess will fail on Apache 2.2', /^keep the lines of 2\.4 from the 2\.2/],
  ['Apache is configured with mpm_event, and libapache2-mod-php does not suit it', /a2enmod mpm_prefork/],
  ['mixing Options with and without a sign is an error', /^give every word of Options a sign/],
  ['/srv/a/.htaccess: <IfModule not allowed here', /^write `AllowOverride All`/],
  ['IndexIgnore not allowed here', /^IndexIgnore may stand in .*for a \.htaccess write `AllowOverride Indexes`/],
  ['Cannot load /m/mod_authz_svn.so into server: /m/mod_authz_svn.so: undefined symbol: dav_svn_split_uri', /^load mod_dav_svn before/],
  ['Cannot load modules/mod_x.so into server: /etc/httpd/modules/mod_x.\n so: invalid ELF header', /^install the build of this module/],
  ['(111)Connection refused: AH00957: FCGI: attempt to connect to 127.0.0.1:9000 (*) failed\n[proxy_fcgi:error] [client ::1:6] AH01079: failed to make connection to backend: 127.0.0.1', /^start PHP-FPM, and have its pool listen/],
  ['Premature end of script headers: x.cgi', /run the program by hand/],
  ['(2)No such file or directory: AH00091: httpd: could not open error log file /x/e.log. AH00015: Unable to open logs', /^create the directory of the log/],
  ["Invalid command 'Order allow,deny', perhaps misspelled", /^convert the access lines/],
  ['RewriteMap: file for map m not found:/etc/m.map', /^copy the file or program of the RewriteMap/],
  ['ERROR: Module mod_rewrite does not exist!', /^run `a2enmod rewrite`/],
  ['ERROR: Module mod_authz_default does not exist!', /2\.4 has no mod_authz_default/],
  [".htaccess: Invalid command 'php_flag', perhaps misspelled", /\.user\.ini/],
  ['Ung\xc3\xbcltiger Befehl Order nach dem Update', /^convert the access lines/],
  ['\xe3\x81\xae\xe5\xbe\x8c\xe3\x81\xab403\xe3\x81\x8c Apache 2.4', /^write `Require all granted`/],
  ['2.4 is much slower than 2.2 was, with MaxClients 150', /^see which MPM runs/],
  ['everyone can see my .htpasswd since the upgrade', /<FilesMatch "\^\\\.ht">/],
  ['The client IP in the logs is the address of the proxy since 2.4', /^load mod_remoteip/],
])('%s', async (message, expected) => {
  expect(await remedies(message)).toEqual([expect.stringMatching(expected)]);
}); // prettier-ignore

describe('of lines that say what another says better, the other is told', () => {
  test.each<[string, RegExp]>([
    ['(98)Address already in use: AH00072: make_sock: could not bind to address [::]:80\nno listening sockets available, shutting down\nAH00015: Unable to open logs', /stop what holds the port/],
    ['(13)Permission denied: AH00091: apache2: could not open error log file /x.\nAH00015: Unable to open logs', /^start and test httpd as root/],
    ['AH02562: Failed to configure certificate a:443:0, check /x.pem\nSSL Library Error: error:0A00018F:SSL routines::ee key too small', /below 2048 bits/],
    ['_Line 89_: `LockFile ${APACHE_LOCK_DIR}/accept.lock`\nAH00526: Syntax error on line 89 of /a.conf:\nInvalid command \'LockFile\', perhaps misspelled', /no longer has LockFile/],
    ['AH00094: Command line: \'httpd\'\nAH01630: client denied by server configuration: /srv', /Require all granted/],
  ])('%s', async (message, expected) => {
    expect(await remedies(message)).toEqual([expect.stringMatching(expected)]);
  }); // prettier-ignore

  test('and alone it is told itself', async () => {
    expect(await remedies('AH00015: Unable to open logs')).toEqual([
      expect.stringMatching(/read the line before/),
    ]);
    expect(await remedies('AH00163: Apache/2.4.6 configured -- resuming normal operations')).toEqual([
      expect.stringMatching(/^nothing: /),
    ]);
  });
});

describe('a message that a terminal or a tracker has folded', () => {
  test('behind Cannot, and behind the file', async () => {
    const message =
      'httpd: Syntax error on line 484 of /a/httpd.conf: \nSyntax error on line 10 of /a/pagespeed.conf: Cannot \nload /m/mod_pagespeed_ap24.so into server: \n/m/mod_pagespeed_ap24.so: cannot open shared object \nfile: No such file or directory';
    const { stdout } = await why(message);
    expect(stdout).toContain('  where:  /a/pagespeed.conf:10\n');
    expect(stdout).toMatch(/remedy: mod_pagespeed is not installed/);
    expect(stdout.match(/remedy:/g)).toHaveLength(1);
  });

  test('in the middle of a URL', async () => {
    const message =
      "AH01144: No protocol handler was valid for the URL /\njackett (scheme 'http'). If you are using a DSO version\nof mod_proxy, make sure that they are loaded by\nLoadModule.";
    const { stdout } = await why(message);
    expect(stdout).toContain('remedy: load mod_proxy_http');
    expect(stdout).not.toContain('other line');
  });

  test('as systemctl shows it, with all that stands around it', async () => {
    const message =
      "● apache2.service - LSB: Apache2 web server\n   Loaded: loaded (/etc/init.d/apache2)\n   Active: failed (Result: exit-code)\n\nAug 13 08:51:29 h apache2[1]: Output of config test was:\nAug 13 08:51:29 h apache2[1]: AH00526: Syntax error on line 11 of /a.conf:\nAug 13 08:51:29 h apache2[1]: Either all Options must start with + or -, or no Opti…\nAug 13 08:51:29 h apache2[1]: Action 'configtest' failed.\n";
    const { stdout } = await why(message);
    expect(stdout).toContain('  where:  /a.conf:11\n');
    expect(stdout).toMatch(/remedy: give every word a sign/);
    expect(stdout).not.toContain('other line');
  });

  test('a reason on the line of the place is read, and no other asked for', async () => {
    const { stdout } = await why('AH00526: Syntax error on line 3 of /a/b.conf: Frobnicate: not a number');
    expect(stdout).toContain('remedy: correct the line');
  });
});

test.each<[string, RegExp]>([
  ['Why do I get 403 Forbidden after upgrading to Apache 2.4?', /^write `Require all granted`.*AH01630/],
  ['Zugriff verweigert: 403 bei allen Seiten', /^write `Require all granted`/],
  [
    "Vous n'avez pas l'autorisation d'acc\xc3\xa9der \xc3\xa0 cette ressource",
    /^write `Require all granted`/,
  ],
  [
    'Warum funktioniert meine .htaccess nach dem Upgrade auf Apache 2.4 nicht mehr?',
    /^write `AllowOverride All`/,
  ],
  ['tous mes sites affichent la page par d\xc3\xa9faut', /a2ensite/],
  ['la configuraci\xc3\xb3n de conf.d no se carga', /a2enconf/],
  ['Meine vhosts werden ignoriert', /a2ensite/],
  ['RewriteRules no longer work on OS X 10.10', /load mod_rewrite/],
  ['Laravel: The requested URL /home was not found on this server', /`AllowOverride FileInfo`/],
  ['The requested URL /phpmyadmin was not found on this server', /a2enconf NAME/],
  ['The requested URL /a.html was not found on this server', /DocumentRoot/],
  ['Header names with underscores ignored in PHP', /with a hyphen/],
  ['How to write a config that works in both Apache 2.2 and 2.4?', /--dual/],
  ['NameVirtualHost is set, and all virtual hosts show the same site', /a2ensite/],
  ['NameVirtualHost in 2.4', /remove the line/],
  ['Apache 2.4: "Options Indexes -FollowSymLinks" gives a syntax error', /a sign/],
  ['AuthGroupFile and Require group admin: in 2.4 401', /mod_authz_groupfile/],
  ['401 Authorization Required after the upgrade', /AH01617/],
  ["The app doesn't support Apache 2.4", /`Require all granted` for `Order allow,deny`/],
  ['AuthzSVNAccessFile Invalid command', /mod_authz_svn/],
  ['Require host example.com does not work', /name server/],
  ['fail2ban finds nothing any more', /ErrorLogFormat/],
  ['apache does not start after the upgrade', /apachectl configtest/],
  ['Order allow,deny does not work in apache 2.4', /`Require all granted` for `Order allow,deny`/],
  ['Satisfy Any in 2.4', /<RequireAny>/],
  ['only the default page "It works" shows', /ends in \.conf/],
  ['browser downloads php file after upgrade', /SetHandler "proxy:unix:/],
  ['what replaces mod_authz_default?', /2\.4 has no mod_authz_default/],
  ['mod_python apache 2.4', /mod_wsgi/],
  ['RewriteLog in 2.4', /rewrite:trace1/],
  ['.htaccess ignored after upgrade', /`AllowOverride All`/],
  ['Directory listing shows instead of index.php', /DirectoryIndex/],
  ['cgi-bin scripts are shown as text', /mod_cgid/],
])('a question in words: %s', async (message, expected) => {
  expect(await remedies(message)).toEqual([expect.stringMatching(expected)]);
});

describe('with lines of a configuration in the text', () => {
  const SECTION = '<Directory /srv/dev>\n  Order allow,deny\n  Allow from all\n</Directory>\n';

  test('they are converted first, and no lines that are unknown', async () => {
    const { stdout } = await why(`My vhost gives 403:\n\n${SECTION}\nWhat am I missing?\n`);
    expect(stdout).toMatch(
      /^the lines .*\n {2}write:\n[^]*\+ {2}Require all granted\n[^]*remedy: write `Require/,
    );
    expect(stdout).not.toContain('other line');
  });

  test('in a sentence, too', async () => {
    const { stdout } = await why('what is the new syntax for "Deny from 10.252.46.165"?');
    expect(stdout).toMatch(/\+ {4}Require not ip 10\.252\.46\.165\n/);
    expect(stdout).not.toContain('remedy:');
  });

  test.each([
    '"Deny from 10.0.0.1" beside Require valid-user',
    'Allow from all with Order allow,deny or Order deny,allow?',
    'Order allow,deny does not work',
  ])('not where it is not known what belongs together: %s', async (message) => {
    expect((await why(message)).stdout).not.toContain('write:');
  });

  test.each([
    'Allow from 10.0.0.1 is ignored',
    'Allow from 10.0.0.1\nAllow from 10.0.0.2\nWhat is it now?\n',
    'Options None\nAllow from 10.0.0.1\n<Files x>\n  Order deny,allow\n</Files>\n',
  ])(
    'not where only those allowed are named, as 2.2 lets in everybody by these alone: %s',
    async (message) => {
      expect((await why(message)).stdout).not.toContain('write:');
    },
  );

  test('where the others are kept out, too', async () => {
    expect((await why('Deny from all\nAllow from 10.0.0.1\n')).stdout).toMatch(/\+Require ip 10\.0\.0\.1\n/);
  });

  test('beside a message', async () => {
    const denied = `[error] [client 10.0.0.1:5] AH01630: client denied by server configuration: /srv/dev/x\n${SECTION}`;
    expect((await why(denied)).stdout).toMatch(
      /remedy: .*\n {2}denied: \/srv\/dev\/x\n[^]*\+ {2}Require all granted/,
    );
    const syntax = `AH00526: Syntax error on line 3 of /a.conf:\nInvalid command 'Order', perhaps misspelled\n${SECTION}`;
    expect((await why(syntax)).stdout).toMatch(
      /remedy: .*\n\nthe lines .*\n {2}write:\n[^]*\+ {2}Require all granted/,
    );
  });

  test('not where lines of a section are left out, or it has no end', async () => {
    const left = SECTION.replace('  Allow from all', '  ...');
    expect((await why(`What of this?\n${left}`)).stdout).not.toContain('write:');
    expect((await why(`What of this?\n${SECTION.replace('</Directory>\n', '')}`)).stdout).not.toContain(
      'write:',
    );
    const apart = 'Order allow,deny\nAllow from all\nworks, but not\nOrder deny,allow\nDeny from all\n';
    expect((await why(apart)).stdout).not.toContain('write:');
    const foreign = SECTION.replace('  Allow', '  PassengerEnabled on\n  Allow');
    expect((await why(`What of this?\n${foreign}`)).stdout).toMatch(/\n {5} {2}PassengerEnabled on\n/);
  });

  test('prose that begins with the name of a directive is none', async () => {
    expect((await why('Options are the problem\nAllow me to ask\n')).stdout).not.toContain('write:');
  });
});

describe('with a configuration', () => {
  const files = {
    '/a/httpd.conf':
      'RewriteLog /x\nSSLMutex default\nInclude conf.d/\n<Directory /srv>\nOrder allow,deny\nAllow from all\n</Directory>\n',
  };

  test('a question ends with the text to write', async () => {
    const { stdout } = await why('Order allow,deny in 2.4?', files);
    expect(stdout).toMatch(/ {2}write:\n[^]*-Order allow,deny\n[^]*\+Require all granted\n/);
  });

  test('a message that names no line does not take any change for its own', async () => {
    const { stdout } = await why('AH01624: contains only negative authorization directives', files);
    expect(stdout).not.toContain('write:');
  });

  test('the change of a line beside the one named is not told', async () => {
    const { stdout } = await why("Invalid command 'RewriteLog', perhaps misspelled", files);
    expect(stdout).toContain('-RewriteLog /x');
    expect(stdout).not.toContain('-SSLMutex');
  });

  test('conf.d and names of sites lead to the script', async () => {
    const { stdout } = await why('ERROR: Site a does not exist!', files);
    expect(stdout).toContain('\n  httpd-codemod --format sh /a/httpd.conf ');
  });
});

test('a line of a log that is not known is no question', async () => {
  expect(await why('[fcgid:error] mod_fcgid: fcgid process manager died\n')).toMatchObject({ status: 1 });
  expect(await why('the server is fine')).toMatchObject({ status: 1 });
});

describe('the data', () => {
  const messages = Array.from({ length: 11_000 }, (_, i) =>
    logMessage(`AH${String(i).padStart(5, '0')}`),
  ).filter((message) => message !== undefined);

  test('has a remedy for each number of an error of 2.4.62', () => {
    expect(messages.length).toBeGreaterThan(1400);
    expect(messages.filter((message) => remedyOfArea(message) === undefined).map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['AH00526', 'emerg', 'server/config.c'],
    ['AH00534', 'crit', 'server/config.c'],
    ['AH00072', 'crit', 'server/listen.c'],
    ['AH02811', 'err', 'modules/generators/mod_cgi.c'],
  ])('has the gravest level of %s', (id, level, file) => {
    expect(logMessage(id)).toMatchObject({ level, source: expect.stringContaining(file) });
  });

  test('says what a module came with 2.4 for', async () => {
    expect(await remedies('AH10056: processing a.example: failed')).toEqual([
      expect.stringMatching(/mod_md came with 2\.4/),
    ]);
  });

  test.each([
    ['DeflateWindowSize must be between 1 and 15', 'modules/filters/mod_deflate.c'],
    ["The 'dbd' Authn provider doesn't support Digest Authentication", 'modules/aaa/mod_auth_digest.c'],
    ['CoreDumpDirectory /x does not exist', 'server/mpm_common.c'],
  ])('has the errors of the reader of configurations: %s', async (message, file) => {
    expect(configError(message)?.source).toContain(file);
    const { stdout } = await why(`${PLACE}${message}`);
    expect(stdout).toContain('  where:  /a/b.conf:3\n');
    expect(stdout).toContain(file);
  });

  test('takes no other sentence for one', () => {
    expect(configError('Error parsing stuff')).toBeUndefined();
    expect(configError('the line must be longer')).toBeUndefined();
  });
});

test('a message that names a virtual host shows where that says its certificate', async () => {
  const files = {
    '/a.conf':
      '<VirtualHost *:443>\nServerName https://www.example.com:443\nSSLEngine on\n</VirtualHost>\n' +
      '<VirtualHost *:443>\nServerName shop.example.com\nSSLEngine on\nSSLCertificateFile /c/shop.crt\n</VirtualHost>\n',
  };
  const message = (host: string): string =>
    `[ssl:emerg] [pid 1] AH02572: Failed to configure at least one certificate and key for ${host}:443`;
  expect((await why(message('www.example.com'), files)).stdout).toContain('  where:  a.conf:2\n');
  expect((await why(message('shop.example.com'), files)).stdout).toContain('  where:  a.conf:8\n');
  expect((await why(message('other.example.com'), files)).stdout).not.toContain('  where:');
});

test('a message about a module shows its LoadModule line alone', async () => {
  const conf =
    'Listen 80\nLoadModule authn_alias_module modules/mod_authn_alias.so\nLoadModule authz_default_module modules/mod_authz_default.so\n';
  const { stdout } = await why('ERROR: Module authz_default does not exist!', { '/a.conf': conf });
  expect(stdout).toContain('  where:  a.conf:3\n');
  expect(stdout).not.toContain('-LoadModule authn_alias_module');
});

describe('what people ask after the move', () => {
  test.each<[string, RegExp]>([
    [
      '.htaccess with "Deny from all" has no effect, I can still open core/changelog.txt',
      /^write `AllowOverride AuthConfig Limit`/,
    ],
    [
      'die .htaccess mit "Deny from all" und "Allow from all" funktioniert nicht mehr, Apache 2.4',
      /^write `Require all granted` for/,
    ],
    [
      'Require all denied is ignored, the directory is still accessible because of Satisfy Any',
      /^remove `Satisfy Any`/,
    ],
    ['Avec "Satisfy any" la protection par mot de passe ne fonctionne plus', /^remove `Satisfy Any`/],
    ['Satisfy any does not work: either the address or a password', /^for `Satisfy Any` put/],
    ["Require all granted doesn't work", /^look into the error log for the path/],
    ['still 403 although I wrote Require all granted', /^look into the error log for the path/],
    ['403 on localhost after adding a virtual host in XAMPP', /^write a <VirtualHost \*:80> for localhost/],
    ['RewriteRule ^.*$ index.php [QSA,L] gives a 500 error on 2.4', /AH00124 means a loop/],
    ['~user directories give 403 Forbidden', /homedirs on/],
    ['phpMyAdmin: Forbidden, you have no permission to access /phpmyadmin', /^write `Require local`/],
    [
      '.htaccess directive Options -Indexes causes an internal server error',
      /^write `AllowOverride Options`/,
    ],
    ['How do I restrict /admin to 192.168.1.0/24 in Apache 2.4?', /^write `Require all denied` for nobody/],
    [
      'RequireAll with Require not ip not working in VirtualHost',
      /^put the Require lines, with their blocks/,
    ],
    ['nagios asks for no password after upgrading to 2.4', /^look for one of three/],
    ['how to deny access to all files except index.php', /<Files "index\.php">/],
    ['"AuthType not set", it says', /^a 2\.2 reads this file/],
  ])('%s', async (question, expected) => {
    expect(await remedies(question)).toEqual([expect.stringMatching(expected)]);
  });

  test('lines that somebody quotes one by one are no section', async () => {
    const { stdout } = await why('2.4: .htaccess with "Deny from all" and "Allow from all" stopped working');
    expect(stdout).not.toContain('write:\n');
  });
});

describe('messages that lines of others or broken files bring about', () => {
  test.each<[string, RegExp]>([
    [`${PLACE}Expected </link> but saw </head>`, /^get the file again/],
    [`${PLACE}Invalid command '<!DOCTYPE', perhaps misspelled`, /^get the file again/],
    [`${PLACE}Expected </Directory> but saw </VirtualHost>`, /^open and close sections in pairs/],
    [
      `${PLACE}</VirtualHost><VirtualHost> directive missing closing '>'`,
      /^begin a new line before the second </,
    ],
    [`${PLACE}<VirtualHost> directive missing closing '>'`, /^end the line that opens/],
    [
      "SSLCipherSuite takes one argument, Colon-delimited list of permitted SSL Ciphers ('XXX:...:XXX' - see manual)",
      /older than 2\.4\.36/,
    ],
    [
      `${PLACE}Rules error. File: /m/x.conf. Line: 23. Column: 17. Unknown variable`,
      /^correct line 23 of \/m\/x\.conf/,
    ],
    [
      `${PLACE}Rules error. File: /m/x.conf. Line: 23. Failed to locate the unicode map file from: unicode.mapping`,
      /^copy unicode\.mapping/,
    ],
    [`${PLACE}Error parsing actions: Unknown action: ver`, /^take the file of the rules anew/],
    [`${PLACE}Invalid command 'Dav', perhaps misspelled`, /^load mod_dav, and mod_dav_fs/],
    [`${PLACE}Unknown Authz provider: granted`, /^write `Require all granted`, all three/],
    ['client denied by server configuration: proxy:http://127.0.0.1:8082/a', /<Proxy> or <Location>/],
    [
      '[:error] [pid 2] (17)File exists: Upload Progress cache: could not create shared memory segment',
      /^stop httpd and start it again/,
    ],
    ['apache2_switch_mpm: MPM prefork not found', /^install apache2 first/],
    [
      '[ssl:warn] [pid 1] AH01882: Init: this version of mod_ssl was compiled against a newer library',
      /^restart httpd, not only reload/,
    ],
    [
      '[ssl:emerg] [pid 1] AH02407: "SSLOpenSSLConfCmd DHParameters /l/dhparam.pem" failed for A:443\n[ssl:emerg] [pid 1] AH02311: Fatal error initialising mod_ssl, exiting. See /e.log',
      /openssl dhparam/,
    ],
  ])('%s', async (message, expected) => {
    expect(await remedies(message)).toEqual([expect.stringMatching(expected)]);
  });
});

test('a path that goes on in the next line is one', async () => {
  const { stdout } = await why(
    "web httpd[9]: AH00526: Syntax error on line 33 of /etc/httpd/conf.d/\nnagios.conf:\nweb httpd[9]: Invalid command 'Order', perhaps misspelled",
  );
  expect(stdout).toContain('  where:  /etc/httpd/conf.d/nagios.conf:33\n');
  expect(stdout).toContain('convert the access lines');
});

describe('a message with what a terminal, a word processor or a web page puts into it', () => {
  test.each([
    'Invalid command \xe2\x80\x98Order\xe2\x80\x99, perhaps misspelled',
    'Invalid command &#39;Order&#39;, perhaps misspelled',
    "Invalid command **'Order',** perhaps misspelled",
    "\x1b[0;1;31mInvalid command 'Order', perhaps misspelled\x1b[0m",
  ])('%s', async (message) => {
    const { stdout } = await why(
      `\x1b[0;1;31mAH00526: Syntax error on line 5 of /a/b.conf:\x1b[0m\n${message}`,
    );
    expect(stdout).toContain('  where:  /a/b.conf:5\n');
    expect(stdout).toContain('convert the access lines');
  });
});

test.each([
  ['half of a question stands', 'works 2.2 and '.repeat(2000)],
  ['two words of a message stand', `${'apache24 conflicts '.repeat(420)}\n`.repeat(25)],
])('a long text in which %s again and again is answered at once', async (_, text) => {
  const { status, stderr } = await soon(() => why(text));
  expect(status).toBe(1);
  expect(stderr).toContain('no message here');
});

test('a question about both versions is known by its words in their order', async () => {
  expect(
    await remedies('is my file, which works on 2.2, and others, compatible on 2.2 and on the new 2.4?'),
  ).toEqual([expect.stringContaining('--dual')]);
});

test.each([
  ['nginx returns 405 method not allowed for a form', 'httpd returns 405 method not allowed for a form'],
  [
    'Tomcat returns 403 Forbidden on its manager',
    'Tomcat behind Apache 2.4 returns 403 Forbidden on its manager',
  ],
  ['nginx 414 request uri too large', '414 request uri too large'],
])('a question about another program is no question about httpd: %s', async (other, question) => {
  expect(await remedies(other)).toEqual([]);
  expect(await remedies(question)).toHaveLength(1);
});
