import { command, type CommandResult } from '../../testing/run/command';
import { memory } from '../../src/config';
import { logMessage } from '../../src/httpd/messages';

const why = (message: string): Promise<CommandResult> =>
  command(['why', '-'], { stdin: () => message }, { source: memory(new Map()) });

const remedy = async (message: string): Promise<string> =>
  /^ {2}remedy: (.*)$/m.exec((await why(message)).stdout)?.[1] ?? '';

const LOG = '[Mon Nov 23 10:00:00.123456 2026]';

test.each([
  'mod_php and mpm_event',
  'Apache is running a threaded MPM, but your PHP Module is not compiled to be threadsafe.',
])('no rule is about the MPM that mod_php needs: %s', async (message) => {
  const { stdout } = await why(message);
  expect(stdout).toMatch(/remedy: .*PHP-FPM/);
  expect(stdout).not.toContain('php-kept-out');
});

describe('what people paste after an upgrade', () => {
  test.each<[string, string, RegExp]>([
    ['a name that the machine lacks', "AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using 127.0.1.1. Set the 'ServerName' directive globally to suppress this message", /nothing must be done.*ServerName/],
    ['a variable of envvars', '[core:warn] [pid 4242] AH00111: Config variable ${APACHE_RUN_DIR} is not defined', /apache2ctl.*envvars/],
    ['the user of envvars', 'apache2: bad user name ${APACHE_RUN_USER}', /apache2ctl.*envvars/],
    ['a process that has the number of a status', '[proxy:error] [pid 421] (111)Connection refused: AH00957: HTTP: attempt to connect to 127.0.0.1:8080 (localhost) failed', /^start the backend/],
    ['a line that has it', 'AH00526: Syntax error on line 421 of /etc/httpd/conf/httpd.conf: Either all Options must start with + or -, or no Option may.', /every word a sign/],
    ['the status itself', 'all sites answer 421 since the upgrade', /ProxyPreserveHost/],
    ['a user that LDAP lacks', '[authnz_ldap:info] [pid 1] [client 192.0.2.1:5] AH01695: auth_ldap authenticate: user bob authentication failed; URI /svn [User not found][No such object]', /nobody of this name/],
    ['a user with a wrong password for LDAP', 'auth_ldap authenticate: user bob authentication failed; URI /svn [ldap_simple_bind() to check user credentials failed][Invalid credentials]', /the password is wrong/],
    ['a bind of httpd that fails', 'AH01695: auth_ldap authenticate: user bob authentication failed; URI / [LDAP: ldap_simple_bind() failed][Invalid credentials]', /AuthLDAPBindDN/],
    ['a backend that Windows does not reach', '[proxy:error] [pid 6:tid 1] (OS 10013)An attempt was made to access a socket in a way forbidden by its access permissions.  : AH00957: HTTP: attempt to connect to 127.0.0.1:8080 (localhost) failed', /^start the backend/],
    ['a file of the configuration that is kept from it', 'httpd: Could not open configuration file /etc/httpd/conf/httpd.conf: Permission denied', /as root/],
    ['a directory of it, as 2.2 says it', 'Syntax error on line 9 of /etc/httpd/conf.d/a.conf: Could not open config directory /etc/httpd/rules: No such file or directory', /remove the Include line/],
    ['a module that is kept from it', 'Cannot load modules/mod_wsgi.so into server: /etc/httpd/modules/mod_wsgi.so: failed to map segment from shared object: Permission denied', /restorecon/],
    ['a module without room', 'Cannot load modules/mod_wsgi.so into server: /lib64/libgomp.so.1: cannot allocate memory in static TLS block', /LoadFile/],
    ['a module that is not signed', 'httpd: Syntax error on line 1 of /etc/apache2/httpd.conf: Cannot load /opt/libphp7.so into server: dlopen(/opt/libphp7.so, 10): no suitable image found.  Did find:\\n\\t/opt/libphp7.so: code signature in (/opt/libphp7.so) not valid for use in process using Library Validation', /codesign/],
    ['a symbol of a library on macOS', 'Cannot load /opt/libphp5.so into server: dlopen(/opt/libphp5.so, 10): Symbol not found: _ldap_control_find\\n  Referenced from: /opt/libphp5.so', /another library is loaded/],
    ['plain HTTP, as 2.2 said it', '[error] [client 192.0.2.1] Invalid method in request; unknown protocol speaking not SSL to HTTPS port!?', /plain HTTP where the other expects TLS/],
    ['an option of mod_ssl', "SSLOptions: Illegal option '+CompatEnvVars'", /SSLOptions has StdEnvVars/],
    ['a file that PHP-FPM refuses', "[proxy_fcgi:error] AH01071: Got error 'Access to the script '/var/www/a.html' has been denied (see security.limit_extensions)'", /FilesMatch/],
    ['a path that is refused, by its number', 'AH10244', /MergeSlashes/],
    ['files of httpd that others ask for', '[authz_core:error] [pid 1] [client 192.0.2.1:5] AH01630: client denied by server configuration: /var/www/html/.htpasswd', /^nothing: somebody/],
    ['a repository that is served', 'AH01630: client denied by server configuration: /srv/git/a/.git/info/refs', /^write `Require all granted`/],
    ['a directory with a dot elsewhere', 'AH01630: client denied by server configuration: /srv/site.git/index.html', /^write `Require all granted`/],
    ['too many logs', '(24)Too many open files: AH00649: could not open transfer log file /var/log/apache2/a.log.', /LimitNOFILE/],
    ['a full disk', '(28)No space left on device: AH00090: could not open error log file /var/log/a.log.', /df -i/],
    ['too many semaphores', '(28)No space left on device: AH00023: Couldn\'t create the rewrite-map mutex', /ipcs -s/],
    ['a rule of mod_security', 'ModSecurity: Access denied with code 403 (phase 2). Matched phrase "x" at REQUEST_HEADERS', /SecRuleRemoveById/],
    ['a lock that nobody takes', "[core:emerg] (22)Invalid argument: AH00024: Couldn't set permissions on the proxy mutex; check User and Group directives", /set User and Group/],
    ['a pattern without files, in two lines', "apache2: Syntax error on line 46 of /etc/apache2/apache2.conf: No\nmatches for the wildcard '*' in '/etc/apache2/sites-enabled', failing", /IncludeOptional/],
    ['a crash of the control program', '/usr/local/bin/apachectl: line 79: 46371 Segmentation fault: 11  $HTTPD -k $ARGV', /a module crashes/],
    ['what suexec says', '[2015-07-28 17:26:00]: command not in docroot (/usr/lib/cgi-bin/a.cgi)', /suexec -V/],
    ['a client of Subversion', "svn: E175002: Unexpected HTTP status 500 'Internal Server Error' on '/svn/a/!svn/me'", /SVNAdvertiseV2Protocol/],
    ['a request without a host', '[error] [client 192.0.2.1] client sent HTTP/1.1 request without hostname (see RFC2616 section 14.23): /a', /^mostly nothing/],
    ['a WebSocket by AJP', 'HTTP upgrade is not supported by the AJP protocol', /HTTP connector/],
    ['ProxySet without a backend', "ProxySet can not find 'http://b.example.com' Worker.", /<Proxy "http:\/\/b\.example\.com">/],
    ['one file of mod_fastcgi twice', 'FastCgiExternalServer: redefinition of previously defined class', /define each file once/],
    ['both sites', 'Both sites stopped working after upgrading to apache 2.4, 403 Forbidden', /Require all granted/],
    ['both versions', 'one .htaccess for both versions of apache, Order and Require', /IfModule !mod_authz_core/],
    ['a backend behind a proxy', '502 bad gateway behind nginx after upgrade to apache 2.4', /the backend that a proxy asks/],
    ['an upload that ends', 'since we moved to 2.4.39 the upload of a large file is reset after some seconds', /RequestReadTimeout/],
    ['what PHP-FPM says on a page', 'directories without an index page answer `File not found.` with DirectoryIndex and PHP-FPM', /SetHandler/],
    ['all sites gone', 'page not found (404) on all sites after upgrading Debian', /ends in \.conf/],
    ['apxs without its files', 'cannot open /usr/local/apache2/build/config_vars.mk: No such file or directory at /usr/local/apache2/bin/apxs line 203.', /apache2-dev/],
    ['apxs of an httpd that is gone', 'apxs:Error: Config file /usr/local/etc/apache2/2.4/httpd.conf not found.', /apache2-dev/],
    ['a crash at the start', 'Job for httpd.service failed because a fatal signal was delivered to the control process. See "systemctl status httpd.service" and "journalctl -xe" for details.', /a module crashes/],
    ['a line that is cut behind its time', 'Jan 19 16:45:10 a apache2[2419]: [Thu Jan 19 16:45:10.329498 2017]\nJan 19 16:45:10 a apache2[2419]: AH00013: Pre-configuration failed', /get the whole line/],
    ['sizes, by another program', 'MaxClients directive is higher than ServerLimit, using ServerLimit (256)', /raise ServerLimit/],
    ['a .htaccess beside PHP-FPM', 'with PHP-FPM the .htaccess rules are ignored for .php files', /SetHandler/],
    ['stapling', 'SSLUseStapling On makes problems at the start', /SSLStaplingCache/],
    ['changes of a .htaccess', 'what changes are required in our .htaccess to upgrade from v2.2 to v2.4', /Require all granted/],
    ['a class in a list of directives', "AH00116: Discarding unrecognized directive 'FileInfo' in AllowOverrideList at /etc/httpd/conf/httpd.conf:9", /write `AllowOverride FileInfo`/],
    ['a name that is none in that list', "AH00116: Discarding unrecognized directive `Redirct' in AllowOverrideList at a.conf:9", /correct the name in AllowOverrideList/],
    ['the same by its number', 'AH02304', /correct the name in AllowOverrideList/],
    ['AllowOverride where it does nothing', 'AH00114: Useless use of AllowOverride in line 3 of a.conf.', /without a pattern/],
    ['a line that Nonfatal passed over', 'AH02296: Unknown directive ExpiresActive perhaps misspelled or defined by a module not included in the server configuration', /load mod_expires/],
    ['an encrypted key', '[ssl:emerg] [pid 1] AH02564: Failed to configure encrypted (?) private key a:443:0, check /etc/ssl/a.key', /write it without one/],
    ['a proxy in front that sends no name', '[ssl:error] [pid 1] AH02032: Hostname a (default host as no SNI was provided) and hostname b provided via HTTP have no compatible SSL setup', /proxy_ssl_server_name on/],
    ['a client without a name', 'AH02033: No hostname was provided via SNI for a name based virtual host', /SSLStrictSNIVHostCheck off/],
    ['a module in the trunk', "API module structure 'a_module' in file /m/mod_a.so is garbled - expected signature 41503235 but saw 41503234", /with its own apxs/],
    ['a module with another name, in four lines', "httpd: Syntax error on line 2 of /etc/httpd/conf/httpd.conf:\nCan't locate API module structure `mod_x' in file\n/m/mod_x.so: /m/mod_x.so:\nundefined symbol: mod_x", /^write `LoadModule x_module`/],
    ['a symbol that Alpine lacks', 'Cannot load modules/mod_ssl.so into server: Error relocating /m/mod_ssl.so: SSL_CTX_up_ref: symbol not found', /another library is loaded/],
    ['php_value in a .htaccess', '[core:alert] [pid 1] [client 192.0.2.1:1] /w/.htaccess: php_value not allowed here', /AllowOverride Options/],
    ['php_admin_value there', '[core:alert] [pid 1] [client 192.0.2.1:1] /w/.htaccess: php_admin_value not allowed here', /whatever AllowOverride says/],
    ['a log of a module', "mod_evasive[1098]: Couldn't open logfile /var/log/apache2/dos-192.0.2.1: Permission denied", /write there/],
    ['a star that repeats nothing', '[core:alert] [pid 1] [client 192.0.2.1:1] /srv/a/.htaccess: Regex could not be compiled', /not \* alone/],
    ['a sign that stands by itself', 'AH00526: Syntax error on line 9 of /etc/apache2/conf-enabled/a.conf:\nRewriteCond: bad flag delimiters', /`!-d` is one word/],
    ['a closing line with an argument', "Syntax error on line 7 of /etc/apache2/sites-enabled/a.conf: </Directory> directive missing closing '>'", /`<\/Directory>` alone/],
    ['an opening line without its end', "Syntax error on line 7 of /etc/apache2/sites-enabled/a.conf: <Directory> directive missing closing '>'", /the line that opens/],
    ['a log without a format', 'AH00526: Syntax error on line 8 of /a.conf:\nCustomLog takes two or three arguments, a file name, a custom log format string or format name, and an optional "env=" or "expr=" clause (see docs)', /CustomLog logs\/access_log combined/],
    ['a user of another provider', '[auth_basic:error] [pid 1] [client 192.0.2.1:5] AH01618: user bob not found: /svn/a', /AuthBasicProvider ldap/],
    ['a loop to what is not there', "[core:error] AH00124: Request exceeded the limit of 10 internal redirects due to probable configuration error.", /A target that is no file/],
    ['stapling of what is signed by itself', "[ssl:error] [pid 1] AH02217: ssl_stapling_init_cert: can't retrieve issuer certificate! [subject: CN=a.example / issuer: CN=a.example / serial: 1F]\n[ssl:error] [pid 1] AH02604: Unable to configure certificate a.example:443:0 for stapling", /^nothing, .*signed by itself/],
    ['stapling of what an authority signed', "[ssl:error] [pid 1] AH02217: ssl_stapling_init_cert: can't retrieve issuer certificate! [subject: CN=a.example / issuer: CN=An Authority / serial: 1F]", /^put the certificates between/],
    ['stapling, by the line behind alone', '[ssl:error] [pid 1] AH02604: Unable to configure certificate a.example:443:0 for stapling', /^put the certificates between/],
    ['a certificate with another name, as 2.2 said it', "[warn] RSA server certificate CommonName (CN) `a.example' does NOT match server name!?", /^nothing, httpd starts/],
    ['a socket that the system refuses', '[proxy:error] [pid 1] (13)Permission denied: AH00952: HTTP: error creating fam 2 socket for target 127.0.0.1', /^let httpd open sockets/],
    ['a word that mod_auth_cas has lost', "Invalid command 'CASAuthoritative', perhaps misspelled or defined by a module not included in the server configuration", /^remove the line/],
    ['a place whose line somebody left out', "AH00526: Syntax error on line XX of /etc/apache2/a.conf:\nInvalid command 'LockFile', perhaps misspelled", /Mutex/],
    ['a reason that a terminal broke within a word', 'httpd: Syntax error on line 1 of /etc/httpd/conf/httpd.conf: Syntax error on line 2 of /etc/httpd/conf.d/a.conf: Cannot l\noad /m/mod_proxy_ajp.so into server: /m/mod_proxy_ajp.so: undefined symbol: proxy_module', /^load mod_proxy/],
    ['one line that grants beside one that refuses', 'Require all granted wins over my Require not ip lines', /into one <RequireAll>/],
    ['an MPM that a package takes away', 'every upgrade of the php package switches our server from mpm_event to mpm_prefork again', /needs mpm_prefork/],
    ['a name that the certificate lacks', '[ssl:warn] [pid 1] AH01909: a.example:443:0 server certificate does NOT include an ID which matches the server name', /write the ServerName that/],
    ['a path, as 2.2 said it', '[Sun Jan 19 15:55:23 2014] [error] [client 192.0.2.1](13)Permission denied: access to / denied', /namei -l PATH/],
    ["Debian's tools elsewhere", 'bash: a2ensite: command not found', /only Debian and Ubuntu have it/],
    ['a directory of /run', '[auth_digest:error] [pid 1] (2)No such file or directory: AH01762: Failed to create shared memory segment on file /run/httpd/authdigest_shm.1', /tmpfiles\.d/],
    ['a program that fails', "mod_wsgi TypeError: 'NoneType' object is not iterable", /it is the program that fails/],
    ['a module that crashes, by the kernel', 'kernel: httpd[1]: segfault at 10 ip 00007f sp 00007f error 4 in mod_evasive.so[7f6b+4000]', /mod_evasive crashes/],
    ['a crash, by systemd', 'systemd[1]: httpd.service: main process exited, code=killed, status=11/SEGV', /a module crashes/],
    ['a name with a word left out', "Invalid command 'SSLProxyPeerName', perhaps misspelled", /'SSLProxyCheckPeerName'/],
    ['a body of XML', 'AH00539: XML request body is larger than the configured limit of 1000000', /LimitXMLRequestBody/],
    ['a user that is not there', 'AH00543: httpd: bad user name apache', /www-data on Debian/],
    ['two MPMs', 'AH00534: apache2: Configuration error: More than one MPM loaded.', /leave one LoadModule line of an MPM/],
    ['mod_php below event', '[Mon Nov 23 10:00:00 2026] [crit] Apache is running a threaded MPM, but your PHP Module is not compiled to be threadsafe.  You need to recompile PHP.', /PHP-FPM.*mpm_prefork/],
    ['conf.d', 'apache2: Could not open configuration file /etc/apache2/conf.d/: No such file or directory', /conf-available.*a2enconf/],
    ['a file of another name', 'AH00526: Syntax error on line 3 of /etc/httpd/conf/httpd.conf:\nCould not open configuration file /etc/httpd/conf/extra/a.conf: No such file or directory', /copy the file to the path/],
    ['a site without .conf', 'ERROR: Site www.example.org does not exist!', /ends in \.conf.*a2ensite/],
    ['a conf without .conf', 'ERROR: Conf security does not exist!', /a2enconf/],
    ['a module that is gone, by its tool', 'ERROR: Module authz_default does not exist!', /remove the LoadModule line, or leave the a2enmod out: 2\.4 has no mod_authz_default/],
    ['a module that moved', 'Cannot load modules/mod_authn_alias.so into server: modules/mod_authn_alias.so: cannot open shared object file: No such file or directory', /load mod_authn_core instead/],
    ['a module of a package', 'httpd: Syntax error on line 5 of /etc/httpd/conf/httpd.conf: Cannot load modules/mod_ldap.so into server: /etc/httpd/modules/mod_ldap.so: cannot open shared object file: No such file or directory', /dnf install mod_ldap/],
    ['documents that were not copied', 'AH00112: Warning: DocumentRoot [/srv/www/a] does not exist', /copy the documents/],
    ['the same, as an error', "AH00526: Syntax error on line 8 of /etc/apache2/sites-enabled/a.conf:\nDocumentRoot '/srv/a' is not a directory, or is not readable", /copy the documents/],
    ['a port in use', '(98)Address already in use: AH00072: make_sock: could not bind to address [::]:80', /ss -ltnp/],
    ['no port', 'no listening sockets available, shutting down', /stop what holds the port/],
    ['logs', 'AH00015: Unable to open logs', /create the directory of the log/],
    ['a mutex', '[core:emerg] (13)Permission denied: AH00023: Couldn\'t create the rewrite-map mutex (file /var/lock/apache2/rewrite-map.1)', /remove the Mutex line/],
    ['unixd', '[core:crit] AH00136: Server MUST relinquish startup privileges before accepting connections.  Please ensure mod_unixd or other system security module is loaded.', /load mod_unixd/],
    ['sizes', 'AH00513: WARNING: MaxRequestWorkers of 256 is not an integer multiple of ThreadsPerChild of 25, decreasing to nearest multiple 250, for a maximum of 10 servers.', /multiple of ThreadsPerChild/],
    ['sizes of prefork', 'AH00180: WARNING: MaxRequestWorkers of 600 exceeds ServerLimit value of 256 servers, decreasing MaxRequestWorkers to 256.', /ServerLimit \(prefork\)/],
    ['a query with blanks', '[rewrite:error] [pid 1] AH10410: Rewritten query string contains control characters or spaces', /the flag B, .* or BCTLS/],
    ['the same by its number', 'AH10411', /the flag B, .* or BCTLS/],
    ['a full server', '[mpm_prefork:error] [pid 1] AH00161: server reached MaxRequestWorkers setting, consider raising the MaxRequestWorkers setting', /raise MaxRequestWorkers/],
    ['only Require not', '[authz_core:error] [pid 1] AH01624: <Directory>, <Location>, or similar directive contains only negative authorization directives', /<RequireAll>/],
    ['mod_php below event, with what failed behind it', '[Wed May 20 11:02:55 2020] [crit] Apache is running a threaded MPM, but your PHP Module is not compiled to be threadsafe.  You need to recompile PHP. Pre-configuration failed', /PHP-FPM.*mpm_prefork/],
    ['a file of Digest', "[auth_digest:error] AH01790: user `bob' in realm `x' not found: /private", /htdigest FILE REALM USER/],
    ['a wrong password of Digest', "[auth_digest:error] AH01794: user `bob': password mismatch: /private", /htdigest/],
    ['a way of balancing, as a line has it', 'AH00526: Syntax error on line 21 of /etc/httpd/conf.d/proxy.conf:\nunknown lbmethod', /mod_proxy_balancer, .* and mod_lbmethod_byrequests/],
    ['backends that have failed', 'AH01170: balancer://cluster: All workers are in error state for route (node1)', /start the backends/],
    ['a backend without a name', 'ProxyPass Unable to parse URL: balancer://', /the whole URL/],
    ['no FastCGI', '[proxy_fcgi:error] [client ::1:1] AH01068: Got bogus version 60', /speaks something else/],
    ['a slow program', '[proxy_fcgi:error] (70007)The timeout specified has expired: [client 1.1.1.1:1] AH01075: Error dispatching request to : (polling)', /raise ProxyTimeout/],
    ['a directory for DAV', '[dav:error] [client 1.1.1.1:2] Unable to PUT new contents for /dav/x. [403, #0]', /write in this directory/],
    ['the locks of DAV', '[dav_fs:error] (13)Permission denied: Could not open /var/lock/apache2/DavLock.', /DavLockDB/],
    ['a client that does not trust', 'SSL Library Error: error:14094416:SSL routines:ssl3_read_bytes:sslv3 alert certificate unknown', /the client that breaks off/],
    ['a group that the user is not in', "Authorization of user x to access /y failed, reason: user is not part of the 'require'ed group(s).", /no Require line admits this user/],
    ['ExecCGI, whatever the number', '[cgi:error] [pid 3] AH01222: Options ExecCGI is off in this directory: /var/www/cgi/a.pl', /Options \+ExecCGI/],
    ['links, as 2.2 said it', 'Options FollowSymLinks or SymLinksIfOwnerMatch is off which implies that RewriteRule directive is forbidden: /var/www', /Options \+FollowSymLinks/],
    ['a .htaccess that cannot be read, without its number', "unable to check htaccess file, ensure it is readable and that '/var/www/site/' is executable", /namei -l/],
    ['a server that was stopped', 'caught SIGTERM, shutting down', /^nothing/],
    ['nothing to stop', 'httpd (pid 2211?) not running', /start httpd/],
    ['one name twice', 'AH00526: Syntax error on line 1 of /etc/apache2/sites-enabled/x.conf:\nName duplicates previous WSGI daemon definition.', /a name of its own/],
    ['a pattern that is not closed', "RewriteRule: cannot compile regular expression '^(.*$'", /close each \( and \[/],
    ['a refusal, as 2.2 logs it', '[error] [client 10.2.3.4] client denied by server configuration: /srv/www/site/', /Require all granted.*in place of its Order/],
    ['a place and no more', 'AH00526: Syntax error on line 5:', /next line/],
    ['a line in the wrong section', 'AH00526: Syntax error on line 20 of /etc/apache2/sites-enabled/10_x.conf:\nFastCgiExternalServer not allowed in <Directory> context', /out of this place, the <Directory>, into the virtual host/],
    ['a line of the whole server', 'AH00526: Syntax error on line 2 of /etc/apache2/sites-enabled/x.conf:\nListen not allowed in <VirtualHost> context', /out of this place, the <VirtualHost> by itself, into the server configuration/],
    ['suexec, as 2.2 warned of it', 'Starting web server: apache2Warning: SuexecUserGroup directive requires SUEXEC wrapper.', /install the suexec program/],
    ['too few arguments', 'DAVMinTimeout requires a non-negative integer.', /write the argument/],
    ['a file of the process', 'apache2.service: Failed to parse PID from file /var/run/apache2/apache2.pid: Invalid argument', /as PidFile/],
    ['a module that Debian has built in', "Invalid command 'User', perhaps misspelled or defined by a module not included in the server configuration", /load mod_unixd.*Debian: it is built in/],
    ['a module of httpd, cut', 'Syntax error on line 40 of /etc/httpd/conf.modules.d/00-base.conf: Cannot load modules/mod_http2.so into se..._stream_priority', /get the whole line/],
    ['a module of others, cut', 'Cannot load /usr/lib/apache2/modules/mod_wsgi.so into server: /u...', /build of mod_wsgi for 2\.4/],
    ['a path that somebody has cut', 'Cannot load /usr/.../mod_http2.so into server: /usr/.../mod_http2.so: cannot open shared object file: No such file or directory', /2\.4 has mod_http2/],
    ['a library of Windows', 'httpd.exe: Syntax error on line 1 of F:/Program Files/X/conf/php.conf: Cannot load F:/Program Files/X/php8apache2_4.dll into server', /Visual C\+\+ runtime/],
    ['a library of Windows for 2.2', 'Cannot load F:/Program Files/X/php5apache2_2.dll into server: The specified module could not be found.', /php5apache2_4\.dll/],
    ['a word that Passenger has no more', "Invalid command 'RackAutoDetect', perhaps misspelled or defined by a module not include...uration", /^remove the line: Passenger/],
    ['a full server of 2.2', '[error] server reached MaxClients setting, consider raising the MaxClients setting', /raise MaxRequestWorkers/],
    ['a .htaccess, as the page says it', 'Server unable to read htaccess file, denying access to be safe', /namei -l/],
    ['a crash, as the system says it', 'apache2[9533]: segfault at 7f1a63a4d9e8 ip 00007f1a6381a8c1 sp 00007f1a52c37da0 error 7 in libpthread-2.27.so', /^a module crashes/],
    ['a crash, as the library of C says it', "Error in `/usr/sbin/apache2': double free or corruption (fasttop): 0x00007faca40608d0", /^a module crashes/],
    ['what follows a crash', '[core:error] [pid 1] AH00546: no record of generation 0 of exiting child 20380', /the line before this one/],
    ['a word that mod_auth_cas has no more', "Invalid command 'CASAllowWildcardCert', perhaps misspelled", /^remove the line/],
    ['a negative line in RequireAny', 'negative Require directive has no effect in <RequireAny> directive', /into <RequireAll>/],
    ['a 2.2 that reads lines for 2.4', "[crit] [client 10.0.0.1] configuration error:  couldn't perform authentication. AuthType not set!: /", /a 2\.2 reads this file/],
    ['a word of 2.4 on 2.2', "Invalid command 'IncludeOptional', perhaps misspelled or defined by a module not included in the server configuration", /this httpd is a 2\.2/],
    ['a block of 2.4 on 2.2', "Invalid command '<RequireAll>', perhaps misspelled or defined by a module not included in the server configuration", /load mod_authz_core.*a 2\.2 does not know it/],
    ['a module to enable', "Invalid command 'Header', perhaps misspelled or defined by a module not included in the server configuration", /a2enmod headers/],
    ['an MPM’s own', "Invalid command 'MaxSpareServers', perhaps misspelled or defined by a module not included in the server configuration", /of another MPM/],
    ['a password file', `${LOG} [authn_file:error] [pid 1] (2)No such file or directory: [client 10.0.0.1:2] AH01620: Could not open password file: /etc/apache2/htpasswd`, /copy the file from the old server/],
    ['a hash', `${LOG} [auth_basic:error] [pid 1] [client 10.0.0.1:2] AH01617: user bob: authentication failure for "/": Password Mismatch`, /htpasswd -B/],
    ['a module loaded twice', '[so:warn] [pid 1] AH01574: module ssl_module is already loaded, skipping', /leave one LoadModule line/],
    ['a variable of envvars', 'AH00526: Syntax error on line 80 of /a: Invalid Mutex directory in argument file:${APACHE_LOCK_DIR}', /apache2ctl configtest/],
    ['a directory for mutexes that is not there', 'AH00526: Syntax error on line 80 of /a: Invalid Mutex directory in argument file:/run/x', /give Mutex a directory/],
    ['a user', `${LOG} [auth_basic:error] [pid 1] [client 10.0.0.1:2] AH01618: user bob not found: /`, /not in it/],
    ['a group', `${LOG} [authz_core:error] [pid 1] [client 10.0.0.1:2] AH01631: user bob: authorization failure for "/admin":`, /no Require line admits this user/],
    ['rights on the way', '(13)Permission denied: [client 10.0.0.1:2] AH00035: access to / denied (filesystem path \'/home/u/www\') because search permissions are missing on a component of the path', /namei -l/],
    ['rights on a .htaccess', "(13)Permission denied: [client ::1:2] AH00529: /srv/www/.htaccess pcfg_openfile: unable to check htaccess file, ensure it is readable and that '/srv/www/' is executable", /namei -l/],
    ['links', '[core:error] [client 10.0.0.1:2] AH00037: Symbolic link not allowed or link target not accessible: /srv/www/a', /Options FollowSymLinks/],
    ['a loop', "[core:error] [client 10.0.0.1:2] AH00124: Request exceeded the limit of 10 internal redirects due to probable configuration error.", /\[END\]/],
    ['encoded slashes', "[core:info] [client 10.0.0.1:2] AH00026: found %2f (encoded '/') in URI path (/a%2fb), returning 404", /AllowEncodedSlashes NoDecode/],
    ['odd requests', "[core:error] [client 10.0.0.1:2] AH00126: Invalid URI in request 'GET /../a HTTP/1.1'", /mostly nothing/],
    ['a header with a line end', "[http:error] AH02430: Response header 'X' value of 'a\\nb' contains invalid characters, aborting request", /correct the program/],
    ['a certificate', '[ssl:emerg] AH02572: Failed to configure at least one certificate and key for www.example.org:443', /both SSLCertificateFile and SSLCertificateKeyFile, or take/],
    ['a certificate file', "SSLCertificateFile: file '/etc/ssl/a.pem' does not exist or is empty", /copy the certificate, key and chain/],
    ['a short key', 'SSL Library Error: error:0A00018F:SSL routines::ee key too small', /SECLEVEL=1/],
    ['a key of another certificate', '[ssl:emerg] SSL Library Error: error:05800074:x509 certificate routines::key values mismatch', /the key of this certificate/],
    ['a chain file', 'AH02559: The SSLCertificateChainFile directive (/etc/httpd/a.conf:9) is deprecated, SSLCertificateFile should be used instead', /nothing must be done/],
    ['a pass phrase', '[ssl:error] AH02577: Init: SSLPassPhraseDialog builtin is not supported on Win32 (key file /k)', /SSLPassPhraseDialog exec:/],
    ['SNI', '[ssl:error] AH02032: Hostname a.example provided via SNI and hostname b.example provided via HTTP have no compatible SSL setup', /421/],
    ['TLS 1.3 and certificates', '[ssl:error] [client 10.0.0.1:2] AH10158: cannot perform post-handshake authentication', /-TLSv1\.3/],
    ['FPM', "[proxy_fcgi:error] [client 10.0.0.1:2] AH01071: Got error 'Primary script unknown\\n'", /PHP-FPM was given a path/],
    ['FPM’s socket', '[proxy:error] (2)No such file or directory: AH02454: FCGI: attempt to connect to Unix domain socket /run/php/php-fpm.sock (*:80) failed', /start PHP-FPM/],
    ['PHP itself', "[proxy_fcgi:error] AH01071: Got error 'PHP message: PHP Fatal error:  Uncaught Error: Call to undefined function mysql_connect()'", /not a message of httpd/],
    ['a backend', '[proxy:error] (13)Permission denied: AH00957: HTTP: attempt to connect to 127.0.0.1:8080 (127.0.0.1:8080) failed', /httpd_can_network_connect/],
    ['fcgi without its module', "[proxy:warn] AH01144: No protocol handler was valid for the URL /a.php (scheme 'fcgi'). If you are using a DSO version of mod_proxy", /load mod_proxy_fcgi/],
    ['https without its modules', "[proxy:warn] AH01144: No protocol handler was valid for the URL /a (scheme 'https').", /mod_proxy_http .*SSLProxyEngine/],
    ['a scheme that there is not', "[proxy:warn] AH01144: No protocol handler was valid for the URL /a (scheme 'htp').", /correct the URL/],
    ['the path that was asked for, without a scheme, as older releases log it', '[proxy:warn] AH01144: No protocol handler was valid for the URL /app. If you are using a DSO', /load the module for the scheme .*mod_proxy_http/],
    ['the older form', '[warn] proxy: No protocol handler was valid for the URL ajp://localhost:8009/. If you are using a DSO', /load mod_proxy_ajp/],
    ['a program', "[cgid:error] [client 10.0.0.1:2] End of script output before headers: a.pl", /by hand/],
    ['a program’s own words', "[cgi:error] [client 10.0.0.1:2] AH01215: Can't locate CGI.pm in @INC: /srv/cgi-bin/a.pl", /not a message of httpd/],
    ['a program that is not there', '[cgi:error] [client 10.0.0.1:2] AH02811: stderr from /x: script not found or unable to stat: /usr/lib/cgi-bin/php5', /copy the program/],
    ['a proxy for mod_rewrite', '[rewrite:error] AH00669: attempt to make remote request from mod_rewrite without proxy enabled: proxy:http://a/', /load mod_proxy/],
    ['a pair that is broken', 'AH00526: Syntax error on line 9 of /a.conf:\n</Directory> without matching <Directory> section', /in pairs/],
    ['another pair', 'Expected </VirtualHost> but saw </Directory>', /in pairs/],
    ['where a directive may stand', "/srv/www/.htaccess: <Directory not allowed here", /may stand in the server config/],
    ['and what AllowOverride it needs', "[core:alert] /srv/www/.htaccess: RewriteEngine not allowed here", /^write `AllowOverride FileInfo`, or All, into the <Directory>/],
  ])('%s', async (_, message, expected) => {
    expect(await remedy(message)).toMatch(expected);
  }); // prettier-ignore
});

describe('in the forms that logs have', () => {
  const inner =
    "Invalid command 'RewriteLog', perhaps misspelled or defined by a module not included in the server configuration";
  test.each([
    ['a journal', `Nov 23 10:00:00 www apachectl[123]: AH00526: Syntax error on line 3 of /a/b.conf:\nNov 23 10:00:00 www apachectl[123]: ${inner}`],
    ['a terminal', `AH00526: Syntax error on line 3 of /a/b.conf:\n${inner}\nAction 'configtest' failed.\nThe Apache error log may have more information.`],
    ['an early release', `Syntax error on line 3 of /a/b.conf:\n${inner}`],
    ['a service', `Job for apache2.service failed because the control process exited with error code.\nSee "systemctl status apache2.service" and "journalctl -xe" for details.\nAH00526: Syntax error on line 3 of /a/b.conf:\n${inner}`],
  ])('%s: one message, with its place', async (_, text) => {
    const { stdout, status } = await why(text);
    expect(stdout.match(/^ {2}remedy: /gm)).toHaveLength(1);
    expect(stdout).toContain('where:  /a/b.conf:3\n');
    expect(stdout).toContain('2.4 no longer has RewriteLog');
    expect(status).toBe(0);
  }); // prettier-ignore

  test('a place and a reason that is not known need no other line', async () => {
    const { stdout } = await why('AH00526: Syntax error on line 3 of /a/b.conf:\nFrobnicate: not a number\n');
    expect(stdout).toContain('Frobnicate: not a number\n  where:  /a/b.conf:3\n');
    expect(stdout).toContain('remedy: correct the line');
    expect(stdout).not.toContain('give both');
  });

  test('that something failed is no reason', async () => {
    expect(await why('AH00016: Configuration Failed\n')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('give what stands before'),
    });
  });
});

describe('messages that no upgrade brings about', () => {
  test('the number says whose it is', async () => {
    const { stdout, status, stderr } = await why("[dbd:error] AH00629: Can't connect to mysql: nope\n");
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^ {2}source: AH00629 is of mod_dbd, level err \(modules\/database\/mod_dbd\.c:\d+\)\n {2}remedy: install the driver/m,
    );
  });

  test.each([
    ['AH02572: x', { module: 'ssl', level: 'emerg' }],
    ['[core] AH00136: x', { module: 'core', level: 'crit' }],
    ['AH00474', { module: 'mpm_event', level: 'alert' }],
    ['AH01797: x', { module: 'access_compat', level: 'err' }],
    ['AH00489: all is well', undefined],
    ['AH99999', undefined],
    ['no number', undefined],
  ])('%s', (line, expected) => {
    expect(logMessage(line)).toEqual(expected === undefined ? undefined : expect.objectContaining(expected));
  });
});

describe('with the configuration at hand', () => {
  const conf =
    'ServerRoot /srv\nListen 80\nRewriteLog logs/x\n<Directory /srv/a>\n  AllowOverride None\n  Order allow,deny\n  Allow from all\n</Directory>\n';
  const source = memory(new Map([['/srv/conf/httpd.conf', conf]]));
  const ask = (message: string): Promise<CommandResult> =>
    command(['why', '-', '/srv/conf/httpd.conf'], { stdin: () => message }, { source });

  test('the text to write stands below the message, that of the section and no other', async () => {
    const { stdout } = await ask(
      "AH00526: Syntax error on line 6 of /etc/httpd.conf:\nInvalid command 'Order', perhaps\n",
    );
    expect(stdout).toContain('\n  write:\n    @@ ');
    expect(stdout).toContain('\n    +  Require all granted\n');
    expect(stdout).toContain('\n    -  Allow from all\n');
    expect(stdout).not.toContain('-RewriteLog');
  });

  test('where the directive stands, if the message does not say', async () => {
    const { stdout } = await ask("Invalid command 'RewriteLog'\n");
    expect(stdout).toContain('\n    -RewriteLog logs/x\n');
    expect(stdout).not.toContain('Require');
  });

  test('a line that stays as it is has no text', async () => {
    const { stdout } = await ask('AH00526: Syntax error on line 2 of /etc/httpd.conf:\nListen takes x\n');
    expect(stdout).toContain('  where:  srv/conf/httpd.conf:2\n');
    expect(stdout).not.toContain('  write:');
  });
});

describe('what people ask in their own words', () => {
  test.each<[string, RegExp]>([
    ['Getting htaccess: RewriteEngine not allowed error in Apache log.', /AllowOverride FileInfo/],
    ['Do I need mod_access_compat?', /leave mod_access_compat out/],
    ['since the upgrade everybody can see my password protected directory', /AllowOverride AuthConfig/],
    ['2.4 no longer asks for a password', /AllowOverride AuthConfig/],
    ['everyone gets in without a password although there is Require valid-user and Require ip', /<RequireAll>/],
    ['Require ip with X-Forwarded-For behind a load balancer does not work in 2.4', /RemoteIPHeader X-Forwarded-For/],
    ['apache 2.4 SSLRequire deprecated, what to use', /Require expr/],
    ['client certificate 403 after upgrading apache to 2.4', /whole virtual host/],
    ['/server-status is 404 with wordpress on 2.4', /RewriteCond %\{REQUEST_URI\} !=\/server-status/],
  ])('%s', async (question, expected) => {
    expect(await remedy(question)).toMatch(expected);
  }); // prettier-ignore

  test('a place behind what the start script says is not lost', async () => {
    const { stdout } = await why(
      'Starting httpd: Syntax error on line 43 of /etc/httpd/custom.d/a.conf:\norder not allowed here',
    );
    expect(stdout).toContain('  where:  /etc/httpd/custom.d/a.conf:43\n');
  });

  test('lines of dpkg say only that something failed', async () => {
    const { stdout, stderr } = await why(
      'invoke-rc.d: initscript apache2, action "start" failed.\ndpkg: error processing package apache2 (--configure):\n subprocess installed post-installation script returned error exit status 1',
    );
    expect(stdout + stderr).toContain('these lines say only that httpd failed');
  });
});
