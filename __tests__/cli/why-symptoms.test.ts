import { command } from '../../testing/run/command';

const remedies = async (message: string): Promise<readonly string[]> => {
  const { stdout } = await command(['why', '-'], { stdin: () => message });
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
  ['every domain comes up as the first domain', /ends in \.conf/],
  ['what about SSLHonorCipherOrder?', /^give the line with SSLHonorCipherOrder.* of mod_ssl in 2\.4 .*may stand in the server config/],
  ['what about ErrorDocument?', /^give the line with ErrorDocument.*reads the text of ErrorDocument/],
  ['compression does not work since the upgrade', /^load mod_deflate/],
])('%s', async (question, expected) => {
  const isUnknown = expected.source === '^never';
  expect(await remedies(question)).toEqual(isUnknown ? [] : [expect.stringMatching(expected)]);
}); // prettier-ignore

test.each<[string, RegExp]>([
  ['AH01630: client denied by server configuration: C:/xampp/phpMyAdmin/index.php', /^nothing, if the client is none of yours/],
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
