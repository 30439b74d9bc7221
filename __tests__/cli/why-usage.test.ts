import { command } from '../../testing/run/command';

const remedies = async (message: string): Promise<readonly string[]> => {
  const { stdout } = await command(['why', '-'], { stdin: () => message });
  return [...stdout.matchAll(/^ {2}remedy: (.*)$/gm)].map(([, text = '']) => text);
};

test.each<[string, RegExp]>([
  ['Apache ends TLS, and the application behind it makes http links instead of https', /^write `RequestHeader set X-Forwarded-Proto/],
  ['mixed content: the program behind our reverse proxy does not know that it is https', /^write `RequestHeader set X-Forwarded-Proto/],
  ["InvalidAuthenticityToken (HTTP Origin header (https://a.org) didn't match request.base_url (http://a.org)), behind a reverse proxy", /^write `RequestHeader set X-Forwarded-Proto/],
  ['renaming a folder by WebDAV gives a 502 behind our https proxy', /^write `RequestHeader edit Destination/],
  ["svn: E170013: Unable to connect to a repository at URL 'file:///srv/svn'", /^it is a message of Subversion itself/],
  ["svn: E170013: Unable to connect to a repository at URL 'https://a.org/svn'", /^look into the error log of the server/],
  ['WebSocket handshake: Invalid status line, through the proxy', /^load mod_proxy_wstunnel.*Write ws:\/\/ for a backend without TLS/],
  ['nginx in front of Apache: sometimes 421 Misdirected Request', /nginx: `proxy_ssl_server_name on;`/],
  ['cookies are lost behind ProxyPass', /^write `ProxyPassReverseCookiePath/],
  ['how do I exclude a directory from ProxyPass', /^write `ProxyPass \/PATH !`/],
  ['ProxyPass of a subpath: css and images are 404', /^pass the program on under the path that it has itself/],
  ['on a Vagrant shared folder Apache delivers an old version of the file', /^write `EnableSendfile Off`/],
  ['certbot renewal is a 403: the .htaccess refuses .well-known', /^let \/\.well-known\/acme-challenge\/ pass/],
  ['certbot: GET parameters are encoded twice after the redirect to https', /^give the RewriteRule the flag NE/],
  ["PluginError(('There has been an error in parsing the file (%s): %s', '/etc/apache2/sites-enabled/a.conf', 'Syntax error'),)", /certbot's own reader/],
  ['certbot was unable to find a vhost for a.org on port 80', /^write a <VirtualHost \*:80> with `ServerName NAME`/],
  ['Error response from daemon: Ports are not available: listen tcp 0.0.0.0:80', /^it is a message of Docker/],
  ['/app/ajax.php/tickets/41 is a 404, and ajax.php is there', /^write `AcceptPathInfo On`/],
  ['it works as /app.php/login, and I want /login: The requested URL /login was not found', /^see which virtual host answers/],
  ['Additionally, a 403 Forbidden error was encountered while trying to use an ErrorDocument', /^let everybody in to the page of the error itself/],
  ['ErrorDocument is ignored for PHP-FPM', /^write `ProxyErrorOverride On`/],
  ['my RewriteRule works in a .htaccess, and does not work in the VirtualHost', /^write the pattern with an optional slash/],
  ['RewriteRule never matches a query string', /^ask for it by `RewriteCond %\{QUERY_STRING\}/],
  ['the .htaccess of a subdirectory makes the RewriteRules of the parent ignored', /^write `RewriteOptions Inherit`/],
  ['do I need RewriteBase?', /^write `RewriteBase/],
  ['double slashes in URLs are not seen by RewriteRule since 2.4', /^write `MergeSlashes Off`/],
  ['how to set HSTS', /^write `Header always set Strict-Transport-Security/],
  ['how can I hide the Server header', /^write `ServerTokens Prod`/],
  ['block bad bots by user agent', /^write `BrowserMatchNoCase/],
  ['CORS preflight gets a 401 with basic authentication', /^write `Require method OPTIONS`/],
  ['Options are listed, and the password is not asked for', /^(?!write `Require method OPTIONS)/],
  ['enable CORS in .htaccess', /^load mod_headers.*Access-Control-Allow-Origin/],
  ['LDAP search in Active Directory ends in an operations error', /^ask the global catalogue/],
  ['a variable of SetEnv is not seen by RewriteCond', /^write SetEnvIf in place of SetEnv/],
  ['PrivateTmp: files in /tmp are not there', /^use another directory than \/tmp/],
  ['the symbolic link gives a 403', /^write `Options \+FollowSymLinks`/],
  ['ModSecurity blocks our API with a 403', /SecRuleRemoveById/],
  ['redirect all http to https', /^write `Redirect permanent \/ https:/],
  ['force https gives too many redirects', /^leave out what is rewritten already/],
  ['how to disable TLS 1.0', /^write `SSLProtocol -all/],
  ['the intermediate certificate is missing', /^append the certificates of the authority in between/],
  ['the second site shows the wrong certificate', /<VirtualHost \*:443>/],
  ['the certificate of the first site is expired, of the wrong certificate I know nothing', /^(?!give each <VirtualHost)/],
  ['Apache restarts every night', /logrotate/],
  ['mod_wsgi uses python 3.6, not python 3.8 of the venv', /python-home=/],
  ['fonts are served as text/plain', /^write `AddType TYPE/],
  ['the site is reachable only from localhost', /^write `Listen 80`/],
  ['403 from other computers, it works locally', /^write `Require all granted`/],
  ['apache2ctl: command not found, on Fedora', /^call it `apachectl`/],
  ['httpd: command not found, on Ubuntu', /^call it `apache2ctl`/],
  ['only the home page works, all other pages are 404', /^write `FallbackResource/],
  ['everything in icons/ is a 404', /Alias \/icons\//],
  ['static files of Django are 404 with DEBUG = False', /^write `Alias \/static\//],
  ['import of scipy in our WSGI program hangs', /WSGIApplicationGroup %\{GLOBAL\}/],
  ['how do I get wsgi.py out of the URL', /^ask for the path of WSGIScriptAlias/],
  ['CGI scripts do not work on 2.4 either, version: Apache/2.4.10', /^load mod_cgi/],
  ['basic auth in front of a program whose API uses a bearer token: 401', /^leave what has its own login out of Basic/],
  ['Flask: the login dialog keeps popping up on the server', /^write `WSGIPassAuthorization On`/],
  ['RewriteCond %{LA-U:REMOTE_USER} does nothing in 2.4', /^write `RequestHeader set X-Remote-User expr/],
  ['server-sent events do not arrive through PHP-FPM', /flushpackets=on/],
  ['a post without a slash at the end loses its data', /^send the request to the URL with the slash/],
  ['Jenkins: It appears that your reverse proxy set up is broken', /^write `AllowEncodedSlashes NoDecode`/],
  ['through our apache proxy all links point to localhost:8080', /^write `ProxyPreserveHost On`/],
  ['error pages of the backend are replaced', /^write `ProxyErrorOverride Off`/],
  ['apache is unable to connect to tomcat', /httpd_can_network_connect/],
  ['You do not have permission. The object is either read-protected or not readable by the server.', /^let the user that httpd runs as/],
  ['with mod_userdir I get: index.php was not found on this server', /^write `RewriteBase \/~NAME/],
  ['an unknown domain shows another site', /^put a <VirtualHost> for all other names/],
  ['the vhosts site1 and site2 cannot be opened, localhost works', /\/etc\/hosts/],
  ['apache2 finds port 80 already taken by nginx', /^switch off the server/],
  ['make it listen on port 8080 only, in ports.conf', /^write `Listen 8080`/],
  ['how to increase the apache requests limit', /^raise MaxRequestWorkers/],
  ['a rule with a forward slash at its front never matches in the .htaccess: leading slash?', /^leave the slash at the front/],
  ['how to redirect www to non-www', /%1%\{REQUEST_URI\}/],
  ["Airflow does not start: error: invalid command 'webserver'", /^it is a message of setuptools/],
  ['AH00526: Syntax error on line 31 of /etc/httpd/conf.d/php.conf:', /Include conf\.modules\.d/],
  ['AH00526: Syntax error on line 31 of /etc/apache2/sites-enabled/a.conf:', /^what is wrong stands behind this message or in the next line: give both, or run httpd -t$/],
  ['util_script.c(77): Not exporting header with invalid name as envvar: csrf_name', /^have the client send the header with hyphens/],
  ['a lot of 404s since:\n<Directory /var/www/>\nAllowOverride None\nRequire all granted\n</Directory>', /^write `AllowOverride All`/],
  ['nagios: make install-webconf fails, there is no httpd', /^put the file into \/etc\/apache2\/conf-available/],
  ['500 since 2.4, with this .htaccess:\nRewriteEngine On\nRewriteRule ^.*$ index.php [QSA,L]', /^look into the error log: AH00124 means a loop/],
  ["/srv/a/.htaccess: RewriteRule: unknown flag 'END'", /^write \[L\] in place of \[END\]/],
  ["AH02291: Cannot access directory '/etc/httpd/${APACHE_LOG_DIR}/' for error log of vhost defined at /etc/httpd/sites/a.conf:1", /^write the path itself/],
  ['AH00513: WARNING: MaxRequestWorkers of 150 is not an integer multiple of ThreadsPerChild of 16', /^write a multiple of ThreadsPerChild/],
  ["No WSGI daemon process called 'a;' has been configured: /srv/a.wsgi", /there is none called a;/],
  ['Unknown Authz provider: cas-attribute', /mod_auth_cas 1\.1/],
  ['AH02454: FCGI: attempt to connect to Unix domain socket /run/listen = /run/a.sock (*) failed', /^take the word `listen =` out/],
  ['systemd: apache2.service: Failed at step NAMESPACE spawning /usr/sbin/apachectl: Permission denied', /nesting=1/],
  ['AH02562: Failed to configure certificate a.org:443:0, check /etc/ssl/private.key', /^let SSLCertificateFile name the certificate/],
])('asked about its use: %s', async (message, remedy) => {
  const [first = ''] = await remedies(message);
  expect(first).toMatch(remedy);
}); // prettier-ignore

test('a block whose name no module has is told beside the message that it leads to', async () => {
  const [, block = ''] = await remedies(
    ".htaccess: Invalid command 'Order', perhaps misspelled\n<IfModule mod_authz_host>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_host>\nOrder allow,deny\nDeny from all\n</IfModule>",
  );
  expect(block).toMatch(/^write <IfModule authz_host_module> or <IfModule mod_authz_host\.c>/);
});

test.each(['vhost certbot ', 'trusty config ', 'changes htaccess '])(
  'a long question takes no long time: %s',
  async (words) => {
    const start = performance.now();
    await remedies(`${words.repeat(8000 / words.length)}?`);
    expect(performance.now() - start).toBeLessThan(700);
  },
);
