import { command } from '../../testing/run/command';

const said = async (message: string): Promise<string> =>
  (await command(['why', '-'], { stdin: () => message })).stdout;

const remedies = async (message: string): Promise<readonly string[]> => {
  const stdout = await said(message);
  return [...stdout.matchAll(/^ {2}remedy: (.*)$/gm)].map(([, text = '']) => text);
};

test.each<[string, RegExp]>([
  ['the .htaccess contains an invalid option called "FollowSymLinks", 500', /SymLinksIfOwnerMatch in its place/],
  ['an internal error occurs with Apache v2.4, .htaccess with Order lines', /Require all granted|look into the error log/],
  ['Basic auth fails with PHP by fcgi on Apache 2.4', /^write `CGIPassAuth On`/],
  ['the authorisation header is empty with PHP-FPM', /^write `CGIPassAuth On`/],
  ['pages are shown as plain text, fcgid and cgi are enabled', /^load mod_cgi/],
  ['Directory listing instead of the Rails application with Passenger', /^see with `httpd -M`/],
  ['on Apache 2.2 it gives a 500 error with Require all granted', /^keep the lines of 2\.4 from the 2\.2/],
  ['fine on Apache 2.2, and a 403 error on 2.4: Require all granted is there', /^(?!keep the lines)/],
  ['using the reverse proxy configuration I got a 403', /^write `Require all granted`.*<Proxy> or <Location>/],
  ['with Require not ip I get 403; if I add Require all granted, nothing is blocked', /into one <RequireAll>/],
  ['to bypass the password for one location, allow from all and Satisfy Any does not work any more', /^remove `Satisfy Any` and `Allow from all`.*If everybody is to get in/],
  ['gzip is mentioned here, and the server answers 403', /^write `Require all granted`/],
  ['when showing php files I only got text', /^give PHP a handler/],
  ['Apache does not run PHP pages, it delivers the PHP code instead', /`SetHandler application\/x-httpd-php` there where PHP is loaded/],
  ['mod-auth-pgsql is not available with Apache 2.4', /mod_authn_dbd/],
  ['libapache2-mod-auth-kerb is gone', /^install mod_auth_gssapi/],
  ["Error executing action `run` on resource 'execute[a2enmod authz_default]'", /2\.4 has no mod_authz_default/],
  ['an incompatibility between this module and Apache 2.4', /^never/],
  ['AJP connector does not work since Tomcat wants a secret', /^write `secret=WORD`/],
  ['The upload directory is not secured by the .htaccess in 2.4', /AllowOverride AuthConfig Limit/],
  ['It worked if I manually add the index.php to the URL', /^write `DirectoryIndex index\.php index\.html`/],
  ['localhost is forbidden since I have set up local domains', /^write a <VirtualHost \*:80> for localhost/],
  ['With MultiViews enabled the server maps news/ to news.php', /^write `Options -MultiViews`/],
  ['If an Include directory does not have a single .conf file it crashes', /^write IncludeOptional/],
  ['httpd.conf does not include conf.modules.d', /^write `Include conf\.modules\.d\/\*\.conf`/],
  ['All visitors have the IP of Cloudflare in the access log', /^load mod_remoteip/],
  ["the header 'api_key' does not arrive on the server side", /^have the client send the header with a hyphen/],
  ['the sample cgi script is not currently working since 2.4', /^load mod_cgi/],
  ["it falls back to http 1 because of 'mpm_prefork', can I keep mod_php?", /^load mod_http2.*mpm_event/],
  ['with mod_xsendfile all my downloads are 0Kb', /^write `XSendFile On`/],
  ['CentOS8: httpd fails to start without any error but a graceful shutdown', /^write `Include conf\.modules\.d\/\*\.conf`.*mod_systemd/],
  ["WebDAV: No 'Authorization: Basic' header found", /^write `CGIPassAuth On`/],
  ['with mod_rpaf and php-fpm, REMOTE_ADDR is the address of the reverse proxy', /^load mod_remoteip/],
  ['nobody is asked:\n<Location /in>\n  AuthType Basic\n  Require valid-user\n</Location>\n<Location />\n  Require all granted\n</Location>', /^write <Location \/> before <Location \/in>/],
  ['Cannot load D:/neko/mod_neko2.ndll into server: The specified procedure could not be found.', /^install the module as built for 2\.4.*the file is there/],
  ['Cannot load D:/neko/mod_neko2.ndll into server: The specified module could not be found.', /^see that the file exists/],
  ['Error: No such file or directory @ dir_s_mkdir - /etc/apache2/conf.d/a.conf.lock at /etc/puppet/manifests/conf.pp:88\nDistribution: Ubuntu 16.04', /^move each file of conf\.d/],
  ["Invalid command 'WSGIDaemonProcess', perhaps misspelled", /is of mod_wsgi.*On Windows/],
  ['"Satisfy any" at the root prevents the protection of all directories below', /^remove `Satisfy Any`/],
  ['Satisfy Any does not work on 2.4: superfluous password requests', /^for `Satisfy Any` put/],
  ['it is 403:\n<Location "/server-status">\nRequire local\n</Location>\n<Location "/">\nAuthMerging And\nRequire all granted\n</Location>', /^put the more specific section behind the other/],
  ["httpd.conf has 'Include conf.d/*.conf' and ignores conf.modules.d, httpd does not start", /^write `Include conf\.modules\.d/],
  ['Invalid AuthExternal keyword (pwauth)', /^write AddExternalAuth/],
  ["AH01144: No protocol handler was valid for the URL /index.php (scheme 'unix').", /^append what the socket speaks/],
  ["Can't load module mod_auth_openidc - undefined symbol : ap_requires.", /built for 2\.2|for 2\.4/],
  ['to concatenate the domain and the intermediate certificate does not work for Apache 2.2', /^write `SSLCertificateChainFile FILE`/],
  ['PHP5.6.30ntsWin32 has no php5apache2_4.dll, which does not exist there', /^take the thread-safe package/],
  ['apache 2.4.7: PHP is plain text, SetHandler proxy:fcgi://127.0.0.1:9000', /^write `ProxyPassMatch/],
  ['Deny in a .htaccess is a 500 on 2.4: how do I write it so that it works on both?', /^put the lines of 2\.4 into `<IfModule mod_authz_core\.c>`/],
  ['with 2.4 we need mod_access_compat: support both Apache 2.2 and Apache 24 in the .htaccess', /^put the lines of 2\.4 into `<IfModule mod_authz_core\.c>`/],
  ['2.4 refuses `Options All -Indexes` here', /For `All -Indexes` write `-Indexes`/],
  ['my sites in sites-available are not picked up by 2.4, a2ensite fails:\nIncludeOptional sites-enabled/*.conf', /ends in \.conf/],
  ['ubuntu 18: I can not find httpd.conf', /^look into \/etc\/apache2/],
  ['the apache rpaf module does not work properly under 2.4, all client addresses are wrong', /^load mod_remoteip/],
  ['I compiled it for 2.4.10: mod_tile.so: undefined symbol: unixd_set_global_mutex_perms', /by the apxs of this httpd/],
  ['vagrant complains that 25-***.conf fails:\n<Directory "/var/www/html">\nAllowOverride All\nRequire all\nRequire granted\n</Directory>', /^write both words in one line/],
  ['a server error comes from\nOrder deny, allow\nDeny from all', /^write no blank beside the comma/],
  ['every domain comes up as the first domain', /ends in \.conf/],
  ['what about SSLHonorCipherOrder?', /^give the line with SSLHonorCipherOrder.* of mod_ssl in 2\.4 .*may stand in the server config/],
  ['what about ErrorDocument?', /^give the line with ErrorDocument.*reads the text of ErrorDocument/],
  ['compression does not work since the upgrade', /^load mod_deflate/],
  ['AllowOverride in Location was causing a warning when I started Apache', /^take AllowOverride out/],
  ['Require all granted leads to all Require not ip entries being ignored', /into one <RequireAll>/],
  ['a question mark in the title gives a 403 Forbidden from Apache', /^give the RewriteRule the flag B/],
  ['rewrites are weird if a file with a similar name exists', /^write `Options -MultiViews`/],
  ['there is no REMOTE_USER, but a REDIRECT_REMOTE_USER', /^have the program read/],
  ['ErrorDocument 401 is not triggered with mod_auth_openidc', /^give ErrorDocument 401 a path/],
  ['the CORS preflight by OPTIONS gets a 401', /^write `Require method OPTIONS`/],
  ['Header set Access-Control-Allow-Origin is not there in a 302 redirect of mod_auth_cas', /^write `Header always set/],
  ['WAMP 403 Forbidden, onlineoffline tag', /^write `Require ip NETWORK`/],
  ['a 301 redirect to a trailing slash before .htaccess', /^write `DirectorySlash Off`/],
  ['.httaccess does not work', /^write `AllowOverride All`/],
  ['`Require local` does not work in Apache 2.4', /^write `Require ip ADDRESS`/],
  ['with SELinux PHP cannot write, chmod 777 is set', /httpd_sys_rw_content_t/],
  ['timeout of an upload, disabling mod_reqtimeout resolves it', /^write `RequestReadTimeout body=0`/],
  ["'AllowEncodedSlashes' is not allowed in htaccess files, it gives a 500", /^take the line out of the \.htaccess/],
  ['my host does not have the Apache module mod_env loaded', /^load mod_env/],
  ['RewriteCond %{QUERY_STRING} a [NC]\nRewriteRule ^(.*)/a$ /b [L]\ndo not work with Apache 2.4', /^never/],
  ['with mod_deflate the server never answers 304', /^write `DeflateAlterETag NoChange`/],
  ['the .htaccess of the uploads gives a 500 where I expect 403 Forbidden', /^look into the error log/],
  ['Options -MultiViews in the .htaccess: error 500', /^write `AllowOverride Options` \(or All, which MultiViews needs\)/],
  ['git push: insufficient permission for adding an object to repository database, by Apache', /^let the user that httpd runs as write/],
])('%s', async (question, expected) => {
  const isUnknown = expected.source === '^never';
  expect(await remedies(question)).toEqual(isUnknown ? [] : [expect.stringMatching(expected)]);
}); // prettier-ignore

test.each<[string, RegExp]>([
  ['AH01630: client denied by server configuration: C:/xampp/phpMyAdmin/index.php', /^nothing, if the client is none of yours/],
  ['[core:alert] [client ::1] web/.htaccess: error: envclause should be in the form env=envar', /IfVersion >= 2\.4\.10/],
  ["Error: Access to '/svn/Demo/!svn/me' forbidden", /Could not open the requested SVN/],
  ['AH01630: client denied by server configuration: `./data/.ocdata`', /^nothing, if nobody is to read/],
  ['AH01797: client denied by server configuration: /var/www/rainloop/data/VERSION', /^nothing, if nobody is to read/],
  ['AH01630: client denied by server configuration: /data/www/index.php', /^write `Require all granted`/],
  ['AH01695: auth_ldap authenticate: user a authentication failed; URI / [LDAP: ldap initialization failed][Unknown (private extension) error]', /libaprutil1-ldap/],
  ['[auth_gssapi:error] GSS ERROR gss_acquire_cred[_from]() failed to get server creds: [Unspecified GSS failure.  Minor code may provide more information (Permission denied)]', /keytab/],
  ['DNS lookup failure for: 192.168.0.108:5000users', /^end the URL of ProxyPass with a slash/],
  ['DNS lookup failure for: backend.example.com', /^see that this machine resolves/],
  ['Unknown Authz provider: Shibboleth', /^write `Require shibboleth`, in small letters/],
  ['Unknown Authz provider: claims_expr', /of mod_auth_openidc/],
  ['Unknown Authz provider: SOAP_USER', /^write `Require user SOAP_USER`/],
  ['Unknown Authz provider: from', /^write `Require ip ADDRESS`/],
  ["Can't locate API module structure `mod_xsendfile' in file /m/mod_xsendfile.so: undefined symbol: mod_xsendfile", /^write `LoadModule xsendfile_module`/],
  ["Can't locate API module structure `security2_module' in file /m/mod_security2.so: undefined symbol: security2_module", /a library and no module of httpd/],
  ["Invalid command 'ModPagepseedStatistics', perhaps misspelled", /^write ModPagespeedStatistics if that is meant/],
  ['[error] ap_proxy_connect_backend disabling worker for (127.0.0.1)', /`retry=0`/],
  ['(13)Permission denied: AH00058: Error retrieving pid file /run/httpd/httpd.pid', /^start httpd as root/],
  ['AH00058: Error retrieving pid file /run/httpd/httpd.pid', /^remove the pid file/],
  ['Unknown Authz provider: wsgi-group', /of mod_wsgi/],
  ['E: Unable to locate package libapache2-mod-auth-mysql', /mod_authn_dbd/],
  ['[proxy_fcgi:error] [client 192.0.2.1:5] AH01067: Failed to read FastCGI header', /^look into the log of the FastCGI program/],
  ["/srv/.htaccess: 'ExpiresDefault 7200': bad expires code, unrecognised <base> '7200'", /^write `A7200`/],
  ['DocumentRoot takes one argument, Root directory of the document tree', /A template may have left one empty/],
  ['RewriteBase takes one argument, the base URL of the per-directory context', /^write one word, the path of the URL/],
  ['(20019)DSO load failed: AH00576: The DBM driver could not be loaded', /^install the driver of this type of DBM/],
  ['AH00526: Syntax error on line 9 of /etc/apache2/a.conf:\\nInvalid command \'ProxyPassMatch\', perhaps misspelled or defined by a module not included in the server configuration\\n', /^load mod_proxy,/],
])('%s', async (message, expected) => {
  expect(await remedies(message)).toEqual([expect.stringMatching(expected)]);
}); // prettier-ignore

test.each<[string, RegExp]>([
  ['"Require all granted" does not work on Apache 2.2', /^keep the lines of 2\.4 from the 2\.2/],
  ['Require all granted does not work since the upgrade from Apache 2.2', /^look into the error log for the path/],
  ['our .htaccess with Require rules answers 500 on 2.2', /^keep the lines of 2\.4 from the 2\.2/],
  ['files are written for 2.2 and fail with 2.4: how to be compatible with both?', /^put the lines of 2\.4 into `<IfModule mod_authz_core\.c>`/],
  ["Apache 2.2: Invalid command '&lt;IfVersion', perhaps misspelled", /^load mod_version/],
  ['LogLevel requires level keyword: one of emerg/alert/crit/error/warn/notice/info/debug', /^write one level for all/],
  ['the new syntax LogLevel ssl:debug does not start on Apache 2.2', /^write one level for all/],
  ['since we upgraded from 2.2, LogLevel rewrite:trace3 shows nothing', /^write `LogLevel warn rewrite:trace3` into the virtual host/],
  ['several *.load modules cannot be loaded because they were already built-in', /^remove the LoadModule line/],
  ['mod_ident is not built any more in 2.4', /^load mod_ident \(Debian: a2enmod ident/],
  ['mod_logio is not loaded', /^load mod_logio \(Debian: it is built in/],
  ['it works since I enabled the CGI module', /^load mod_cgi /],
  ['the server does not start after enabling the auth_openidc module', /^install the build of mod_auth_openidc/],
  ['$r->connection->remote_ip fails in mod_perl', /^call `\$r->useragent_ip`/],
  ['mod_fcgid cannot do PHP-FPM: how to link 2.4 and PHP-FPM?', /^load mod_proxy_fcgi/],
  ['Cannot use FastCgiExternalServer in Debian 9', /^FastCgiExternalServer is of mod_fastcgi.*mod_proxy_fcgi/],
  ['the default page is shown instead of my WSGIScriptAlias', /ends in \.conf/],
  ['I see a directory listing until I a2dissite the default vhost', /a2dissite 000-default/],
  ['a site called "foo.com" won\'t be picked up', /ends in \.conf/],
  ['my virtual host does not work in xampp', /httpd-vhosts\.conf/],
  ['the log has the wrong client IP, nginx in front logs the right one', /^load mod_remoteip/],
  ['403 on any permalink', /AH00670 means that the rules/],
  ['my_cgi.py is downloaded instead of run: as text', /^load mod_cgi, or mod_cgid/],
  ['the documentroot outside /var/www is not permitted', /^write `Require all granted` into a <Directory> of the DocumentRoot/],
  ['the login dialog does not appear with Require ip and Require valid-user', /<RequireAll>/],
  ['#if of mod_include reads its expression otherwise', /^write `SSILegacyExprParser on`/],
  ['SSI does not work', /^load mod_include/],
  ['it says all Options must start with + or -', /^give every word of Options a sign/],
  ['require all\nrequire granted', /^write both words in one line/],
  ['error in /etc/httpd/conf.d/ssl.conf', /^never/],
  ['script not found or unable to stat: /usr/lib/nagios/cgi-binstatus.cgi', /^write ScriptAlias with a slash/],
  ['script not found or unable to stat: /usr/lib/cgi-bin/status.cgi', /^copy the program/],
  ['AH01630: client denied by server configuration: /srv/app/config', /^nothing, if nobody is to read this file/],
  ['AH01630: client denied by server configuration: /srv/app/', /^write `Require all granted`/],
])('%s', async (question, expected) => {
  const isUnknown = expected.source === '^never';
  expect(await remedies(question)).toEqual(isUnknown ? [] : [expect.stringMatching(expected)]);
}); // prettier-ignore

test.each<[string, RegExp]>([
  ['behind the proxy %20 becomes %2520 with RewriteRule [P]', /^give the RewriteRule the flag NE/],
  ['404 for a path with %2F', /^write `AllowEncodedSlashes On`/],
  ['RewriteRule (.*) uwsgi://127.0.0.1:3031$1 [P] does not work', /^load mod_proxy_uwsgi/],
  ['RewriteRule (.*) /index.php$1 [L] does not work', /^write `AllowOverride FileInfo`/],
  ['Options Indexes FollowSymLinks MultiViews +ExecCGI is refused', /^give every word of Options a sign/],
  ['Options -MultiViews is needed for the rules', /^write `Options -MultiViews`/],
  ['the server does not start: modules unixd and authn_core are needed', /^load mod_unixd and mod_authn_core \(Debian: a2enmod authn_core;/],
  ['the lbmethod_byrequests module does not show up', /^load mod_lbmethod_byrequests/],
  ['php5 cannot be installed on Ubuntu 16.04', /^this system has no package of PHP/],
  ['it is not starting due to bad group name', /^write a user and group that this system has/],
  ['Error parsing actions: Unknown action: \\\\', /^update httpd to 2\.4\.11 or later/],
  ['Error parsing actions: Unknown action: ver', /^take the file of the rules anew/],
  ['apache2: Syntax error on line 1 of /a/wsgi.load: Cannot load /usr/lib/python3/mod_w', /^get the whole line/],
  ['`[Mon] AH00526: Syntax error on line 7 of /a/b.conf:`\n`DocumentRoot takes one argument, Root directory`', /^write the arguments/],
  ["There are processes named 'apache2' running which do not match your pid file", /^stop the old processes/],
  ["/svn/test1/!svn/me' 500", /^look into the error log of the server/],
  ['the authorization commands have changed in 2.4', /^write `Require all granted` for/],
  ['403 on the vhost, AllowOverride All did not help', /^write `Require all granted`/],
  ['the apache rpaf module does not work under 2.4', /^load mod_remoteip/],
  ['a Perl module is missing', /^never/],
  ['<IfModule mod_evasive24.so> is not read', /^write the word of the LoadModule line/],
  ['the site sent an invalid response', /^one side speaks plain HTTP/],
])('%s', async (question, expected) => {
  const isUnknown = expected.source === '^never';
  expect(await remedies(question)).toEqual(isUnknown ? [] : [expect.stringMatching(expected)]);
}); // prettier-ignore

test('names the file of a line in backticks', async () => {
  const stdout = await said("`AH00526: Syntax error on line 7 of /a/b.conf:`\n`Invalid command 'Lock'`");
  expect(stdout).toMatch(/^ {2}where: {2}\/a\/b\.conf:7$/m);
});

test('writes the line for an environment variable that stands in prose', async () => {
  const stdout = await said('"deny from env=bad_bot" is refused by 2.4');
  expect(stdout).toMatch(/^ {4}\+ {4}Require not env bad_bot$/m);
});

test.each<[string, RegExp]>([
  ['Access forbidden! Error 403, Apache/2.4.46 (Unix) OpenSSL/1.1.1j PHP/7.4.16 mod_perl/2.0.11', /^write `Require all granted`/],
  ['mod_perl does not work with Apache/2.4.46', /^install the build of mod_perl/],
  ["(13)Permission denied: exec of '/srv/cgi-bin/logo.png' failed", /^put the file into a directory that Alias names/],
  ["(13)Permission denied: exec of '/srv/cgi-bin/a.pl' failed", /^make the program executable/],
  ['it only shows all perl scripts', /^load mod_cgi/],
  ['the browser gets plaintext PHP code', /^give PHP a handler/],
  ['I get the contents of the PHP files', /^give PHP a handler/],
  ["PHP doesn't seem to be executing", /^give PHP a handler/],
  ['php files are downloadable, #LoadModule php5_module is there', /^give PHP a handler/],
  ['how can I bypass authentication for an IP range', /^for `Satisfy Any`/],
  ['all should be asked for a password from the internet', /^for `Satisfy Any`/],
  ["I'm not asked for user credentials", /^look for one of three/],
  ['everybody gets in without a password from any network', /^look for one of three/],
  ['Shibboleth: Require user NAME gives Unauthorized', /Require shib-user NAME/],
  ['Forbidden with SSL; Require all granted is there in *:80, and not in *:443', /<VirtualHost \*:443>/],
  ['403 on http and https', /^write `Require all granted`, or whom/],
  ['clean URLs do not work since 2.4.17', /^update httpd: 2\.4\.17/],
  ['it does not start since 2.4.17', /^run `apachectl configtest`/],
  ["'requireall is not allowed here'", /^RequireAll may stand in directory sections/],
  ['"Option All is not allowed here" in .htaccess', /^add All to `AllowOverride Options=`/],
  ["Got error 'Pimary script unknown'", /^PHP-FPM was given a path/],
  ['svn: E175013: Access forbidden; AH01630: client denied by server configuration: /svn', /^write `Require all granted`/],
  ["AH00526: Syntax error on line 7 of /a.conf:\nUnrecognized option 'Foo'", /^correct the word: .*MultiviewsMatch/],
  ["/srv/.htaccess: Unrecognized option 'Foo', referer: http://a/", /^correct the word: .*MultiviewsMatch/],
  ["openssl: Unrecognized option '-foo'", /^never/],
  ["Error: Unrecognized option '--add-opens'", /^never/],
  ['it is not asked\n<Location /a>\nAuthType Basic\nRequire all granted\nRequire valid-user\n</Location>', /^write `Require valid-user`/],
  ['it is not asked\n<Location /a>\nAuthType None\nRequire all granted\n</Location>', /^never/],
  ['mod_evasive ignores my file\n<IfModule mod_evasive24.so>\nDOSHashTableSize 3097\n</IfModule>', /^write the word of the LoadModule line/],
])('%s', async (question, expected) => {
  const isUnknown = expected.source === '^never';
  expect(await remedies(question)).toEqual(isUnknown ? [] : [expect.stringMatching(expected)]);
}); // prettier-ignore

test.each<[string, RegExp]>([
  ['ProxyPassMatch to fcgi://127.0.0.1:9000: DirectoryIndex is ignored', /^write SetHandler/],
  ['DirectoryIndex index.php is ignored', /^write `DirectoryIndex/],
  ['the page has [an error occurred while processing this directive]', /SSILegacyExprParser on/],
  ['every SSL vhost shows the certificate of the first one', /^give each <VirtualHost \*:443> its own/],
  ['Apache presents the wrong SSL certificate', /^give each <VirtualHost \*:443> its own/],
  ['the certificate of the first site is expired', /^never/],
  ['can two virtual hosts use the same certificate', /^never/],
  ['https does not answer, all of it is in <IfDefine SSL>', /^write `Define NAME`/],
  ['Cannot load modules/mod_authz_default.so into server: The specified module could not be found.', /2\.4 has no mod_authz_default/],
  ['Cannot load modules/mod_ssl.so into server: The specified module could not be found.', /Visual C\+\+ runtime/],
  ['after updating to El Capitan localhost shows It works!', /^take your lines over into \/etc\/apache2\/httpd\.conf/],
  ['Yosemite: http://localhost/~me/ is forbidden', /^write `Require all granted` into `<Directory \/home/],
  ['after the upgrade It works! is shown for all sites', /ends in \.conf/],
  ['all umlauts are broken since the upgrade', /^write `AddDefaultCharset/],
  ['JkMount gives 404', /JkMountCopy On/],
  ["Invalid command 'JkMount', perhaps misspelled", /^JkMount is of mod_jk/],
  ['%{REMOTE_USER} is empty in RewriteCond', /LA-U:REMOTE_USER/],
  ['"OPTIONS * HTTP/1.0" 200 126 "-" "Apache/2.4.7 (Ubuntu) (internal dummy connection)"', /^nothing: /],
  ['the log is full of "-" 408 - since 2.4', /^nothing: /],
  ['WordPress and php-fpm do not work with 2.4.26', /ProxyFCGIBackendType GENERIC/],
  ['two Require ip lines: do both have to match?', /^put the Require lines that must all hold/],
  ['Require host my.dyndns.example does not let me in', /Require forward-dns/],
  ['Header set X "y" in .htaccess gives 500', /^load mod_headers/],
  ['AuthDigestFile is unknown in apache 2.4', /^2\.2 did not have AuthDigestFile any more/],
  ['Require ip 127.0.0.1, and 403 for client ::1', /^write `Require local`/],
  ['only one of my subdomains works, the others show its page', /ends in \.conf/],
  ['PYNTLM authentication works with 2.4, Require valid-user does not', /^never/],
  ['originally Permission denied - /srv/app/tmp/sessions', /^let the user that httpd runs as/],
  ['the htaccess does not work with 2.4, all images are 403', /^write `Require all granted`, or whom/],
  ['what is it for SVN in 2.4\n<LimitExcept GET PROPFIND>\nRequire valid-user\n</LimitExcept>', /^never/],
])('%s', async (question, expected) => {
  const isUnknown = expected.source === '^never';
  expect(await remedies(question)).toEqual(isUnknown ? [] : [expect.stringMatching(expected)]);
}); // prettier-ignore

/** What people write in an issue, and its twin: a near question that must not be answered so. */
test.each<[string, RegExp]>([
  ['HSTS header is not set, though <IfModule mod_headers.c> has it', /^load mod_headers.*passed over without a word/],
  ['the rules of mod_expires have no effect on the new server', /^load mod_expires/],
  ['the rules of mod_rewrite have no effect on the new server', /^write `AllowOverride FileInfo`/],
  ['mod_expires: which MPM does it need?', /^never/],
  ['Docker php:7.4-apache: the .htaccess of CodeIgniter does not work, routes are 404', /^write `AllowOverride FileInfo`/],
  ['PHP files do not work on 2.4', /^give PHP a handler/],
  ['nobody gets a login prompt: Require ip 10.0.0.0/8 and Require valid-user', /^put the Require lines that must all hold/],
  ['Vagrant: where do the CSS files of the shared folder come from', /^never/],
  ['allow anonymous checkout, but a password for commits, with SVN on 2.4', /^write `Require method GET HEAD/],
  ['disable anonymous checkout: SVN on 2.4 must ask everybody for a login', /^(?!write `Require method)|^never/],
  ['/var/www/index.html is replaced by the Apache2 Ubuntu default page', /^move the documents to \/var\/www\/html/],
  ['/var/www/html/index.html is replaced by the Apache2 Ubuntu default page', /^(?!move the documents)/],
  ['Trac with mod_wsgi: 403 on every page', /^write `Require all granted`/],
  ['mod_wsgi is not available in Debian 8', /^install the build of mod_wsgi/],
  ['httpd crashes on each reload with mod_php', /^never/],
  ['RewriteRule ^/a http://b/ [P,L] gives a 500', /^load mod_proxy and the module for the scheme/],
  ['RewriteRule ^/a ajp://b/ [P,L] gives a 500', /^load mod_proxy_ajp/],
  ['ProxyHTMLURLMap does nothing after the upgrade', /^load mod_proxy_html and mod_xml2enc/],
  ["Invalid command 'ProxyHTMLURLMap'", /^load mod_proxy_html/],
  ["balancer: no lbmethod 'bybusyness'", /^load mod_lbmethod_bybusyness/],
  ['the ETag of compressed files ends in -gzip, no 304', /^write `DeflateAlterETag NoChange`/],
  ['a password for the directory, except for one file', /^write a section for what is to be open/],
  ['the header X_API_KEY is not passed to PHP', /^have the client send the header with a hyphen/],
  ['the option header_image is not set', /^never/],
  ['site files need the .conf suffix now', /ends in \.conf/],
  ['httpd on CentOS 7 does not start if conf.d/sites/*.conf is empty', /^write IncludeOptional/],
  ['403 in place of the list of files, Options +Indexes is set', /^write `Options \+Indexes`/],
  ['everybody may come in except two IP addresses', /<RequireAll> with `Require all granted` and `Require not ip/],
  ['Alias /static /srv/static is forbidden beside a proxied site', /into its <Directory>/],
  ['how to deny access to .git', /DirectoryMatch/],
  ['use mod_authz_core in place of IfVersion', /`<IfModule !mod_authz_core\.c>`/],
  ['old browsers on Windows XP cannot connect by https', /^see what both sides know/],
  ['suPHP_UserGroup is not known', /mod_suphp/],
  ['Unknown Authz provider group, since the upgrade', /^load mod_authz_groupfile/],
  ['a redirect to https is an endless loop behind Cloudflare', /^leave out what is rewritten already/],
  ['index.html is served rather than index.php', /^write `DirectoryIndex/],
  ["You don't have permission on folders whose files were listed by 2.2", /^write `Options \+Indexes`/],
  ['is mod_macro built-in?', /^never/],
  ['MaxClients in <IfModule prefork.c> is ignored', /^see which MPM runs/],
  ['Is MaxClients in <IfModule prefork.c> right for 2.4?', /^write MaxRequestWorkers/],
  ['the test of clean URLs fails', /^write `AllowOverride FileInfo`/],
  ['the script gets no header that is sent as X_FOO_BAR', /^have the client send/],
  ['Jenkins: 403 No valid crumb was included', /^never/],
  ['Jenkins behind Apache 2.4: 403 Forbidden', /^write `Require all granted`/],
  ['charset.conf and security.conf used to be in conf.d', /a2enconf NAME/],
  ['ProxyPassMatch to PHP-FPM, and mod_rewrite does nothing', /^write SetHandler/],
  ['mod_lbmethod_x.so into server: undefined symbol: ap_proxy_balancer_get_best_worker', /^load mod_proxy/],
  ['AddHandler php5-script has no effect', /^give PHP a handler/],
  ['httpd ends by itself: caught SIGWINCH, shutting down gracefully', /LoadModule systemd_module/],
  ['httpd ends by itself: caught SIGTERM, shutting down', /^nothing: httpd says/],
  ['apache is unable to bind to port 443 as ssl.conf listens there, too', /^stop what holds the port/],
  ['nginx is unable to bind to port 443', /^never/],
  ['conf.d/dashboard in /etc/httpd/conf.d is ignored, it should end in .conf', /^give the file a name that ends in \.conf/],
  ['/usr/lib/libphp7.so: undefined symbol: php7_module', /^install PHP as a module of httpd/],
  ['/usr/lib/apache2/modules/libphp7.0.so: undefined symbol: php_module', /^LoadModule calls the module php_module/],
  ['Cannot load modules/mod_evasive20.so into server: cannot open shared object file', /whose file is mod_evasive24\.so/],
  ["The 'PassengerRoot' configuration option is not specified", /^write PassengerRoot with the path/],
  ["Invalid command 'PassengerRoot', perhaps misspelled", /^PassengerRoot is of Phusion Passenger, which is not loaded/],
  ['JkWorkersFile after the move to 2.4', /^JkWorkersFile is of mod_jk: where `httpd -M` does not list it/],
  ['FastCGI: failed to connect to server "/usr/lib/cgi-bin/php5-fcgi": connect() failed', /listen\.mode 0660/],
  ['ModSecurity: Found another rule with the same id', /^include the rules of mod_security once/],
  ['ModSecurity: No action id present within the rule', /^give each SecRule and SecAction a number/],
  ['ModSecurity: Loaded APR do not match with compiled!', /^nothing: mod_security says/],
  ['AH01320: LDAP: SSL support unavailable', /libaprutil1-ldap/],
  ['Apache only speaks HTTP/1.1 although http2 is loaded', /^load mod_http2/],
  ['nginx only speaks HTTP/1.1 although http2 is on', /^never/],
  ['WampServer: virtual hosts are ignored after the upgrade', /httpd-vhosts\.conf/],
  ['Apache exits in its container with no error message', /^write `ErrorLog \/proc/],
  ['Cannot load c:/p/mod_wsgi.pyd into server: The specified module could not be found', /Visual C\+\+ runtime/],
  ['Cannot load modules/x.so into server: something that no table has', /what the loader of the system says/],
  ["Can't load Perl module Apache2::Request for server (null):0, exiting...", /libapache2-request-perl/],
  ['/l/Apache2.so: undefined symbol: apreq_handle_apache2', /^load mod_apreq2/],
  ["No such file or directory: AH02291:\nCannot access directory\n'/var/log/apache2/' for main error log", /^create the directory/],
  ['MaxRequestWorkers is 3000 and httpd stays at 256', /^raise ServerLimit beside/],
  ['Apache 2.4: no permission on vhost', /^write `Require all granted`/],
  ['rewritelog does not seem to be supported', /^write `LogLevel warn rewrite:trace3`/],
  ['httpd: Syntax error on line 180 of D:/a/httpd.conf: Cannot load\nD:/a/mod_b.ndll into server: The specified procedure could not be found.', /built for 2\.4/],
  ['(13)Permission denied: AH00957: HTTP: attempt to connect to 127.0.0.1:8080 (127.0.0.1) failed\nAH01114: HTTP: failed to make connection to backend: 127.0.0.1', /^let httpd connect[^;]*$/],
  ['AH01626: authorization result of Require all granted: granted', /take `Require all granted` out of it/],
  ['after the upgrade to jessie the configuration is not loaded', /a2enconf NAME/],
  ['On CentOS files in conf.d/*.conf are ignored', /in \/etc\/httpd\/conf\.d/],
  ['SSLProtocol TLSv1.2 TLSv1.3 leaves some clients out', /^write `SSLProtocol -all/],
  ['Setting Compression mode unsupported; not implemented by the SSL library', /^remove the line/],
  ['Code signing absent - not loading module at: /m/mod_wsgi.so', /^run the httpd of the same source/],
  ['Cannot load /m/libphp7.1.so into server: /m/libphp7.1.so: cannot open shared object file', /a2dismod php7\.1/],
  ['Cannot load /m/libphp7.1.so into server: /m/libphp7.1.so: undefined symbol: pcre_free', /^install the build of this module/],
  ['httpd dead but subsys locked', /^read the end of the error log/],
  ['/nrdp is not found, its file is in conf-available', /a2enconf NAME/],
  ['httpd does not start due to the systemd module not being present', /^load mod_systemd/],
  ['500 without headers_module', /^load mod_headers/],
  ['500 in a .htaccess', /^look into the error log/],
  ["AH01030: ajp_ilink_receive() can't receive header", /secret=WORD/],
  ['ImportError: No module named modpython', /^run the program by mod_wsgi/],
  ['ImportError: No module named django', /^install the modules of Python/],
  ['AH01382: Request handshake read timeout', /handshake=0/],
  ['the suexec command was not found on your system', /apache2-suexec-custom/],
  ['mod_reqtimeout stops large uploads', /^write `RequestReadTimeout body=0`/],
  ['Unexpected error in mod_passenger: An error occurred while receiving HTTP upload data: The timeout specified has expired', /^(?!install)/],
  ['which package has mod_passenger', /^install the build of Passenger/],
  ['Upgrade for 1.4 to 1.5 website showing php', /^give PHP a handler/],
  ['browser shows php 7.4 code as text', /^give PHP a handler/],
  ['phpinfo shows PHP 5.6 although 7.4 is installed', /^never/],
  ['Default vhost configuration causes Apache to fail to start', /^run `apachectl configtest`/],
  ['the default vhost answers instead of mine', /^give each file in \/etc\/apache2\/sites-available/],
  ['AH00526: Syntax error on line 16 of /a.conf:\nError:\tApache has not been designed to serve pages while\n\trunning as root.', /^write User and Group with/],
  ['nginx: fastcgi_pass gives 502 bad gateway', /^never/],
  ["MySQL: Access denied for user 'root'@'localhost'", /^it is a message of the database, not of httpd/],
  ['2024/01/01 10:00:00 [error] 12#12: *1 access forbidden by rule, client: 192.0.2.1', /^it is a message of nginx, not of httpd/],
  ['HTTP Error 403.14 - Forbidden', /^it is a message of IIS, not of httpd/],
  ['Forbidden (403) CSRF verification failed.', /^it is a message of the program behind the page/],
  ["phpMyAdmin answers 403 since 2.4.\n#1045 - Access denied for user 'root'@'localhost'", /^write `Require local`/],
  ['Apache Solr answers 403 forbidden', /^never/],
  ['Apache Solr behind httpd 2.4 as reverse proxy: 403 forbidden', /<Proxy> or <Location>/],
  ['ErrorDocument 403 "Access denied does not work', /^give the line with ErrorDocument/],
  ['403 Forbidden with\n<VirtualHost *:80>\nDocumentRoot /srv/a\n</VirtualHost>', /^write `<Directory "\/srv\/a">`/],
  ['403 Forbidden with\n<Directory /srv/a>\nRequire all granted\n</Directory>', /^look into the error log for the path/],
  ['403 Forbidden with\n<Directory /srv/a>\nRequire ip 192.0.2.1\n</Directory>', /^write `Require all granted`/],
  ['certbot: unauthorized, /.well-known/acme-challenge/a: 404', /^see which virtual host answers/],
  ['connection timed out from other machines, localhost works', /^see that httpd runs and listens.*firewall-cmd/],
  ['proxy: 504, connection timed out', /^write `Timeout 300`/],
  ['piped logs with a redirection do nothing in 2.4', /^write `\|\$`/],
  ['PHP in public_html downloads since Ubuntu 16.04', /engine Off/],
  ['PHP downloads since Ubuntu 16.04', /^give PHP a handler/],
  ['How do I say with RequireAll: a user or a group, from one network?', /<RequireAny> within/],
  ['httpd -S shows nothing of /etc/httpd/sites-enabled', /`IncludeOptional sites-enabled/],
  ['allow an IP, and ask all others for a password', /^for `Satisfy Any` put `Require ip/],
  ['mod_cache is not caching since 2.4', /^load mod_cache_disk/],
  ['403 Forbidden with\n<Directory />\nAllowOverride None\n</Directory>\n<VirtualHost *:80>\nDocumentRoot /srv/b\n</VirtualHost>', /^write `<Directory "\/srv\/b">`/],
  ['403 Forbidden with\n<VirtualHost *:80>\nDocumentRoot /var/www/a\n</VirtualHost>', /^write `Require all granted`/],
  ['403 Forbidden with\n<VirtualHost *:80>\nDocumentRoot /srv/a\nProxyPass / http://192.0.2.1/\n</VirtualHost>', /^write `Require all granted`/],
  ['firewall rules in the .htaccess give 500', /^look into the error log/],
  ['VCRUNTIME140.dll is missing', /^install the Visual C\+\+ runtime/],
  ["phpMyAdmin with MySQL: access denied, 403 from Apache", /^write `Require local`/],
  ['/a/.htaccess: RewriteBase: argument is not a valid URL', /^write the path of the directory as URLs have it/],
  ['Illegal option \\xe2\\x80\\x93Indexes', /^write the word again by hand/],
  ['Illegal option –Indexes', /^write the word again by hand/],
  ['Apache: Request exceeded the limit of 10', /^end the loop/],
  ['php settings in <IfModule mod_php5.c> are ignored by PHP 7', /^write the block for the PHP/],
  ['500 with AuthUserFile .htpasswd', /^write the whole path/],
  ["No 'Access-Control-Allow-Origin' header is present. Origin 'http://b' is therefore not allowed access", /^load mod_headers/],
  ['a preflight with OPTIONS gets a 401, so no Access-Control-Allow-Origin', /^write `Require method OPTIONS`/],
  ['AllowEncodedSlashes is not inherited by virtual hosts', /^write `AllowEncodedSlashes On`/],
  ['AllowEncodedSlashes in a .htaccess has no effect', /^write `AllowEncodedSlashes On`/],
  ['I could not get mod_userdir to work', /^write `Require all granted` into `<Directory \/home/],
  ['it returns the PHP code', /^give PHP a handler/],
  ['CASAuthoritative is not available with Apache 2.4', /^remove the line: mod_auth_cas/],
  ['Apache 2.4: mod_deflate changes the ETag', /^write `DeflateAlterETag/],
  ['Apache 2.4 mod_foo changes something', /^never/],
  ['401 with the right password, since PHP runs by PHP-FPM', /^write `CGIPassAuth On`/],
  ['AuthzSVNAccessFile: users can no longer check out', /^look into the error log: "Access denied"/],
  ['Options -Indexes has no effect', /^write `AllowOverride Options`/],
  ['Options +ExecCGI does not work', /^(?!write `AllowOverride Options)/],
])('in an issue: %s', async (question, expected) => {
  expect((await remedies(question)).join('; ') || 'never').toMatch(expected);
}); // prettier-ignore

test.each([
  'In 2.4 Order deny,allow Deny from all Allow from 10. does not restrict',
  '"Deny from 192.0.2.1" above "Allow from all" blocks nobody',
  'Hotlink protection with SetEnvIf Referer and Deny from all does not work',
  'Deny from all except 192.0.2.1',
  'Deny from all in the .htaccess, and the files are reachable by anyone',
])('writes no lines where a sentence tells only some of them: %s', async (question) => {
  expect(await said(question)).not.toContain('  write:\n');
});

test('says of lines that are well in 2.4 that they are', async () => {
  const asked = async (lines: string): Promise<string> =>
    (await command(['why', '-'], { stdin: () => lines })).stderr;
  const fine =
    'why both?\n<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nDeny from all\n</IfModule>';
  expect(await asked(fine)).toMatch(/^httpd-codemod: nothing in these lines is to be changed for 2\.4; /);
  expect(await asked('why both?')).toMatch(/^httpd-codemod: no message here/);
});

test('lines that a 2.4 has read are not restated as lines of 2.2', async () => {
  const lines = '<Location /in>\nAuthType Basic\nRequire valid-user\nRequire group staff\n</Location>\n';
  const message = 'AH00526: Syntax error on line 9 of /a.conf:\nUnknown Authz provider: group\n';
  expect(await said(lines + message)).not.toContain('write:');
  expect(await said(`${lines.replace('AuthType Basic', 'AuthType Basic\nSatisfy Any')}${message}`)).toContain(
    'write:',
  );
});

test('the command line of httpd is no file to be converted', async () => {
  const text = await said("AH00526: Syntax error on line 6 of -c/-C directives:\nInvalid command 'lockfile'");
  expect(text).toContain('no longer has LockFile');
  expect(text).toContain('--rule accept-mutex PATHS');
});

test('examples of several sections are not written as one', async () => {
  const text =
    '# allow all\n  Order allow,deny\n  Allow from all\n# deny all\n  Order allow,deny\n  Deny from all\n';
  expect(
    await said(`The generated configuration has these:\n${text}These are not valid with 2.4.`),
  ).not.toContain('write:');
});

test('what a template chooses is not written anew', async () => {
  const text =
    "{% if version == '2.4' %}\nRequire all granted\n{% else %}\nOrder deny,allow\nDeny from all\n{% endif %}\n";
  expect(await said(`in 2.2 it denies all, in 2.4 it allows all:\n${text}`)).not.toContain('write:');
});
