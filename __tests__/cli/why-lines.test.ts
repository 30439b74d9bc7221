import { command } from '../../testing/run/command';

const remedies = async (question: string): Promise<string> => {
  const bytes = Buffer.from(question, 'utf8').toString('latin1');
  const { stdout } = await command(['why', '-'], { stdin: () => bytes });
  return [...stdout.matchAll(/^ {2}remedy: (.*)$/gm)].map(([, text = '']) => text).join('\n');
};

/** What is answered, a question that says so, and one near it that must not be answered so. */
type Row = readonly [answer: RegExp, said: string, near: string];

const REFUSED: readonly Row[] = [
  [/^write both words in one line, `Require all granted`/,
    'My site does not start:\n<Directory /srv>\nRequire all\n</Directory>',
    'My site does not start:\n<Directory /srv>\nRequire all denied\n</Directory>'],
  [/^write both words in one line, `Require all granted`/, 'Require all allow', 'Require all granted'],
  [/^write no blank beside the comma/, 'Apache gives an error:\nOrder allow, deny\nAllow from all', 'Apache gives an error:\nOrder allow,deny\nAllow from all'],
  [/^write no blank beside the comma/, 'Order deny allow\nDeny from all', 'Order deny,allow\nDeny from all'],
  [/^write `from` behind Allow and Deny/, 'This breaks my site:\n<Files x.php>\nDeny all\n</Files>', 'This breaks my site:\n<Files x.php>\nDeny from all\n</Files>'],
  [/^write `Require valid-user`, with the hyphen/, 'AuthType Basic\nAuthName "x"\nRequire valid user', 'AuthType Basic\nAuthName "x"\nRequire valid-user'],
  [/^write the first numbers alone \(`Require ip/, 'Nobody gets in\n<Location /a>\nRequire ip 10.0.0.*\n</Location>', 'Nobody gets in\n<Location /a>\nRequire ip 10.0.0\n</Location>'],
  [/^write `Require host NAME`/, '<Location /a>\nRequire ip home.example.com\n</Location>', '<Location /a>\nRequire ip 2001:db8::/32 10.0.0.1\n</Location>'],
  [/^put the words of AuthName into/, 'AuthType Basic\nAuthName Members only\nRequire valid-user', 'AuthType Basic\nAuthName "Members only"\nRequire valid-user'],
  [/^write one name into ServerName, and/, 'ServerName example.com www.example.com\nDocumentRoot /srv', 'ServerName example.com\nServerAlias www.example.com a.example.com\nDocumentRoot /srv'],
  [/^write a plain name into ServerName/, 'How do I serve all subdomains?\nServerName *.example.com\nDocumentRoot /srv', 'How do I serve all subdomains?\nServerAlias *.example.com\nDocumentRoot /srv'],
  [/^give every word of Options a sign/, '<Directory /srv>\nOptions -Indexes FollowSymLinks\n</Directory>', '<Directory /srv>\nOptions -Indexes +FollowSymLinks\n</Directory>'],
  [/^write the words of Options as httpd knows/, '<Directory /srv>\nOptions FollowSymLink\n</Directory>', '<Directory /srv>\nOptions FollowSymlinks\n</Directory>'],
  [/^write `AllowOverride All`, None, or the classes/, '<Directory /srv>\nAllowOverride On\n</Directory>', '<Directory /srv>\nAllowOverride All\n</Directory>'],
  [/^write the line without the `=`/, 'Uploads fail with this .htaccess:\nphp_value upload_max_filesize = 20M', 'Uploads fail with this .htaccess:\nphp_value upload_max_filesize 20M'],
  [/^write the value as one word/, 'php_value post_max_size 20 M', 'php_value post_max_size 20M'],
  [/^write K, M or G without the B/, 'Uploads fail:\nphp_value post_max_size 20MB', 'Uploads fail:\nphp_value date.timezone Europe/B'],
  [/^put the value into quotation marks/, 'Header always set Strict-Transport-Security max-age=31536000; includeSubDomains', 'Header always set Strict-Transport-Security "max-age=31536000; includeSubDomains" env=HTTPS'],
  [/^put the value into quotation marks/, "500 with: \nHeader set Content-Security-Policy default-src 'self'", '500 with: \nHeader set Content-Security-Policy "default-src \'self\'"'],
  [/^write the status in front/, 'Redirect /old https://example.com/new 301', 'Redirect 301 /old https://example.com/new'],
  [/^write the whole URL as the target/, 'Redirect 301 /old www.example.com/new', 'Redirect 301 /old /new.html'],
  [/^write the flag as `\[R=301\]`/, 'RewriteEngine On\nRewriteRule ^a$ /b [R301,L]', 'RewriteEngine On\nRewriteRule ^a$ /b [R=301,L]'],
  [/^write `\.\*` in place of the `\*`/, 'Error 500:\n<FilesMatch "*.php">\nRequire all denied\n</FilesMatch>', 'Error 500:\n<FilesMatch ".*\\.php$">\nRequire all denied\n</FilesMatch>'],
  [/^write `\.\*` in place of the `\*`/, 'RewriteEngine On\nRewriteRule * index.php [L]', 'RewriteEngine On\nRewriteRule .* index.php [L]'],
  [/^write one section for each path/, '<Files a.php b.php>\nRequire all denied\n</Files>', '<Files ~ "\\.php$">\nRequire all denied\n</Files>'],
  [/^put the whole condition into quotation/, "<If %{HTTP_HOST} == 'example.com'>\nRequire all denied\n</If>", "<If \"%{HTTP_HOST} == 'example.com'\">\nRequire all denied\n</If>"],
  [/^put the whole condition into quotation/, '<If "%{HTTP_HOST} == "example.com"">\nRequire all denied\n</If>', '<If "-f %{REQUEST_FILENAME}">\nRequire all denied\n</If>'],
  [/^put the time into quotation marks/, 'ExpiresActive On\nExpiresByType text/css access plus 1 month', 'ExpiresActive On\nExpiresByType text/css "access plus 1 month"'],
  [/^write the format behind the file/, 'ErrorLog logs/e\nCustomLog logs/access.log', 'ErrorLog logs/e\nCustomLog logs/access.log common'],
  [/^write the number of bytes/, 'Big uploads fail, 413:\nLimitRequestBody 100M', 'Big uploads fail, 413:\nLimitRequestBody 104857600'],
  [/^write the path of the URL, with a slash in front/, 'RewriteEngine On\nRewriteBase shop/', 'RewriteEngine On\nRewriteBase /shop/'],
  [/^write the scheme in front of the target/, 'ProxyPass / localhost:8080/', 'ProxyPass / ajp://localhost:8009/'],
  [/^write the protocols as mod_ssl knows/, 'SSLEngine On\nSSLProtocol -all +TLS1.2', 'SSLEngine On\nSSLProtocol -all +TLSv1.2'],
  [/^write a word that the directive knows/, 'ServerTokens Off', 'ServerTokens Prod'],
  [/^write slashes in paths on Windows/, 'The site is not found\nDocumentRoot "C:\\www\\site\\"', 'The site is not found\nDocumentRoot "C:/www/site/"'],
]; // prettier-ignore

const USELESS: readonly Row[] = [
  [/^write the first numbers alone \(`Allow from/, 'I still get 403 from my network\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.*', 'I still get 403 from my network\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.'],
  [/^write `all` for everybody, and a name with a dot/, 'Order deny,allow\nDeny from all\nAllow from *.example.com', 'Order deny,allow\nDeny from all\nAllow from .example.com'],
  [/^write `Require ip ADDRESS`/, 'I get 403\n<Location /a>\nRequire host 192.0.2.1\n</Location>', 'I get 403\n<Location /a>\nRequire host 4.example.com\n</Location>'],
  [/^put the Require lines that must all hold/, 'Both must hold, but one is enough:\nRequire group a\nRequire user b\nSatisfy All', 'Both must hold, but one is enough:\nOrder deny,allow\nDeny from all\nAllow from 10\nRequire group a\nRequire user b\nSatisfy All'],
  [/^write the name alone \(`ServerName/, 'The wrong site answers\nServerName https://example.com/app\nDocumentRoot /srv', 'The wrong site answers\nServerName https://example.com:443\nDocumentRoot /srv'],
  [/^write names alone into ServerAlias/, 'The default site answers for www\nServerName example.com\nServerAlias http://www.example.com', 'The default site answers for www\nServerName example.com\nServerAlias www.example.com *.example.org'],
  [/^write `Require env NAME`/, 'AuthType Basic\nRequire env !noauth', 'AuthType Basic\nRequire env noauth'],
  [/^write `RewriteCond %\{HTTP:X-Forwarded-Proto\} =http`/, 'Redirects without end\nRewriteCond %{HTTP:X-Forwarded-Proto} http\nRewriteRule ^ https://example.com/ [R]', 'Redirects without end\nRewriteCond %{HTTP:X-Forwarded-Proto} ^http$\nRewriteRule ^ https://example.com/ [R]'],
  [/^write a backslash in front of each %/, 'The query is wrong\nRewriteRule ^a$ https://example.com/?u=http%3A%2F%2Fb [R]', 'The query is wrong\nRewriteRule ^a$ https://example.com/?u=http\\%3A\\%2F\\%2Fb [R,NE]'],
  [/^write the target without the slash in front/, '/~bob/site/a gives 404\nRewriteRule ^(.*)$ /index.php [L]', '/bob/site/a gives 404\nRewriteRule ^(.*)$ /index.php [L]'],
  [/^name the virtual environment by python-home/, 'The venv is not used\nWSGIDaemonProcess a python-path=/srv/venv/lib/python3.6/site-packages', 'The import hangs\nWSGIDaemonProcess a python-path=/srv/venv/lib/python3.6/site-packages'],
  [/^name the virtual environment by python-home/, 'No module named flask\nWSGIDaemonProcess a python-path=/srv/venv/lib/site-packages', 'No module named flask\nWSGIDaemonProcess a python-home=/srv/venv python-path=/srv/a'],
  [/^take \.py and \.wsgi out of/, 'Server error\nWSGIScriptAlias / /srv/a.wsgi\nAddHandler cgi-script .cgi .wsgi', 'Server error\nWSGIScriptAlias / /srv/a.wsgi\nAddHandler cgi-script .cgi .pl'],
  [/^take the commas out \(`DirectoryIndex/, 'The index is not found\nDirectoryIndex index.php, index.html', 'The index is not found\nDirectoryIndex index.php index.html'],
  [/^take the commas out \(`ServerAlias/, 'The default site answers\nServerName example.com\nServerAlias a.example.com, b.example.com', 'The default site answers\nServerName example.com\nServerAlias a.example.com b.example.com'],
  [/^take the commas out \(`Require user/, 'alice gets 401\nAuthType Basic\nRequire user alice, bob', 'alice gets 401\nAuthType Basic\nRequire ldap-group cn=a,o=b'],
  [/^take the commas out \(`Require ip/, 'I get 403\n<Location /a>\nRequire ip 192.0.2.1, 192.0.2.7\n</Location>', 'I get 403\n<Location /a>\nRequire ip 192.0.2.1 192.0.2.7\n</Location>'],
  [/^take the commas out \(`Options/, '<Directory /a>\nOptions Indexes, FollowSymLinks\n</Directory>', '<Directory /a>\nAllowOverride Options=Indexes,FollowSymLinks\n</Directory>'],
  [/^take the commas out \(`AllowOverride/, '<Directory /a>\nAllowOverride AuthConfig, FileInfo\n</Directory>', '<Directory /a>\nAllowOverride AuthConfig FileInfo Options=Indexes,MultiViews\n</Directory>'],
  [/^take the commas out \(`<LimitExcept/, '<LimitExcept GET, POST>\nRequire all denied\n</LimitExcept>', '<LimitExcept GET POST>\nRequire all denied\n</LimitExcept>'],
  [/^name each type/, 'Nothing is compressed\nAddOutputFilterByType DEFLATE text/*', 'Nothing is compressed\nAddOutputFilterByType DEFLATE text/css'],
  [/^write `image\/jpeg`/, 'My images are not cached\nExpiresActive On\nExpiresByType image/jpg "access plus 1 month"', 'My images are not cached\nExpiresActive On\nExpiresByType image/jpg "access plus 1 month"\nExpiresByType image/jpeg "access plus 1 month"'],
  [/^write a path \(`ErrorDocument 401/, 'Nobody is asked for a password\nErrorDocument 401 https://example.com/login', 'Nobody is asked for a password\nErrorDocument 401 /login'],
  [/^write the path of the URL \(`ErrorDocument 404/, 'The error page is not shown\nErrorDocument 404 /var/www/html/404.html', 'The error page is not shown\nErrorDocument 404 /errors/404.html'],
  [/^write the path with a slash in front \(`ErrorDocument/, 'The browser shows "404.html"\nErrorDocument 404 404.html', 'The browser shows "404.html"\nErrorDocument 404 /404.html'],
  [/^write the path alone as what is redirected/, 'No redirect happens\nRedirect 301 http://old.example.com/a https://example.com/a', 'No redirect happens\nRedirect 301 /a https://example.com/a'],
  [/^begin the path that is redirected with a slash/, 'No redirect happens\nRedirect 301 old.html https://example.com/new', 'No redirect happens\nRedirect 301 /old.html https://example.com/new'],
  [/^write `RewriteCond %\{QUERY_STRING\} \^id=1\$` and/, 'No redirect happens\nRedirect 301 /page.php?id=1 https://example.com/new', 'No redirect happens\nRedirect 301 /page.php https://example.com/new?id=1'],
  [/^write RedirectMatch/, 'No redirect happens\nRedirect 301 /old/(.*) https://example.com/$1', 'No redirect happens\nRedirectMatch 301 /old/(.*) https://example.com/$1'],
  [/^begin the pattern with a slash \(`RedirectMatch/, 'No redirect happens\nRedirectMatch 301 ^old/(.*)$ https://example.com/$1', 'No redirect happens\nRedirectMatch 301 ^/old/(.*)$ https://example.com/$1'],
  [/^begin the path of Alias with a slash/, '/docs gives 404\nAlias docs /srv/docs', '/docs gives 404\nAlias /docs /srv/docs'],
  [/^write Redirect to send the browser/, 'Alias /docs https://docs.example.com', 'Alias /docs /srv/docs'],
  [/^end both paths of Alias with a slash/, '/docs/a gives 404\nAlias /docs/ /srv/docs', '/docs/a gives 404\nAlias /docs/ /srv/docs/'],
  [/^write the directory of the files into DocumentRoot/, 'DocumentRoot /srv/site/home.html', 'DocumentRoot /srv/site.com'],
  [/^write the path alone \(`SetHandler/, 'PHP does not run\nSetHandler "proxy:unix:listen = /run/php.sock|fcgi://localhost"', 'PHP does not run\nSetHandler "proxy:unix:/run/php.sock|fcgi://localhost"'],
  [/^write the protocol behind the socket/, 'PHP does not run\nSetHandler "proxy:unix:/run/php.sock"', 'PHP does not run\nSetHandler "proxy:fcgi://localhost:9000"'],
  [/^write RequestHeader in place of Header/, 'The application behind the proxy makes http links\nHeader always set X-Forwarded-Proto https', 'The application behind the proxy makes http links\nRequestHeader set X-Forwarded-Proto https'],
  [/^write `Header always set` in place of RequestHeader/, 'CORS does not work\nRequestHeader set Access-Control-Allow-Origin "https://a.example.com"', 'CORS does not work\nRequestHeader set Origin "https://a.example.com"'],
  [/^name one origin/, 'CORS does not work\nHeader set Access-Control-Allow-Origin "https://a.example.com, https://b.example.com"', 'CORS does not work\nHeader set Access-Control-Allow-Origin "https://a.example.com"'],
  [/^name the origin in Access-Control-Allow-Origin/, 'CORS with cookies does not work\nHeader set Access-Control-Allow-Origin "*"\nHeader set Access-Control-Allow-Credentials "true"', 'CORS with cookies does not work\nHeader set Access-Control-Allow-Origin "*"\nHeader set Access-Control-Allow-Methods "GET"'],
  [/^write `Header edit Set-Cookie/, 'All cookies are gone\nHeader set Set-Cookie HttpOnly;Secure', 'All cookies are gone\nHeader edit Set-Cookie ^(.*)$ $1;HttpOnly;Secure'],
  [/^write the certificate into SSLCertificateFile \(fullchain/, 'SSLEngine On\nSSLCertificateFile /etc/a/privkey.pem\nSSLCertificateKeyFile /etc/a/fullchain.pem', 'SSLEngine On\nSSLCertificateFile /etc/a/fullchain.pem\nSSLCertificateKeyFile /etc/a/privkey.pem'],
  [/^write the certificate that the authority/, 'SSLEngine On\nSSLCertificateFile /etc/a/site.csr', 'SSLEngine On\nSSLCertificateFile /etc/a/site.crt'],
  [/^write `SSLCertificateFile .*fullchain\.pem` in place/, 'Android does not trust the chain\nSSLEngine On\nSSLCertificateFile /etc/letsencrypt/live/a/cert.pem', 'Android does not trust the chain\nSSLEngine On\nSSLCertificateFile /etc/letsencrypt/live/a/cert.pem\nSSLCertificateChainFile /etc/letsencrypt/live/a/chain.pem'],
  [/^write `<Directory PATH>` in place of <Location>/, 'The password is not asked for\n<Location /var/www/html/secret>\nRequire valid-user\n</Location>', 'The password is not asked for\n<Location /secret>\nRequire valid-user\n</Location>'],
  [/^write the path alone \(`<Location \/admin>`/, '<Location https://example.com/admin>\nRequire valid-user\n</Location>', '<Location /admin>\nRequire valid-user\n</Location>'],
  [/^write `<Location \/path>` for a path of a URL/, '<Directory http://example.com/a>\nRequire all denied\n</Directory>', '<Directory /srv/example.com/a>\nRequire all denied\n</Directory>'],
  [/^write the name of the file alone/, 'The file is still open to everybody\n<Files "admin/config.php">\nRequire all denied\n</Files>', 'The file is still open to everybody\n<Files "config.php">\nRequire all denied\n</Files>'],
  [/^write a pattern of the name alone/, '<FilesMatch "^/admin/.*\\.php$">\nRequire all denied\n</FilesMatch>', '<FilesMatch "^[^/]*\\.php$">\nRequire all denied\n</FilesMatch>'],
  [/^write <FilesMatch>, <DirectoryMatch>/, '<Files "\\.(bak|sql)$">\nRequire all denied\n</Files>', '<Files *.*>\nRequire all denied\n</Files>'],
  [/^write the path of the URL into RewriteBase/, 'The redirect is wrong\nRewriteEngine On\nRewriteBase /var/www/html/', 'The redirect is wrong\nRewriteEngine On\nRewriteBase /html/'],
  [/^write `RewriteCond %\{QUERY_STRING\} \^id=\(/, 'The rule never matches\nRewriteEngine On\nRewriteRule ^page\\.php\\?id=(\\d+)$ /p/$1 [R=301,L]', 'The rule never matches\nRewriteEngine On\nRewriteRule ^page(\\.php)?$ /p?id=1 [R=301,L]'],
  [/^write `RewriteCond %\{HTTP_HOST\} \^www/, 'The rule never matches\nRewriteEngine On\nRewriteRule ^https?://old\\.example\\.com/(.*)$ https://example.com/$1 [R=301,L]', 'The rule never matches\nRewriteEngine On\nRewriteRule ^old/(.*)$ https://example.com/$1 [R=301,L]'],
  [/^write the target with its scheme/, 'RewriteEngine On\nRewriteRule ^old$ www.example.com/new [R=301,L]', 'RewriteEngine On\nRewriteRule ^old$ https://www.example.com/new [R=301,L]'],
  [/^begin the pattern with a slash \(`RewriteCond/, 'acme-challenge gives a 404\nRewriteCond %{REQUEST_URI} !^\\.well-known/acme\nRewriteRule ^\\. - [R=404,L]', 'acme-challenge gives a 404\nRewriteCond %{REQUEST_URI} !^/\\.well-known/acme\nRewriteRule ^\\. - [R=404,L]'],
  [/^write `RewriteCond %\{QUERY_STRING\}` for what/, 'Never redirected\nRewriteEngine On\nRewriteCond %{REQUEST_URI} ^/a\\?id=1\nRewriteRule ^ /b [R]', 'Never redirected\nRewriteEngine On\nRewriteCond %{THE_REQUEST} /a\\?id=1\nRewriteRule ^ /b [R]'],
  [/^leave the \? out/, 'Never redirected\nRewriteEngine On\nRewriteCond %{QUERY_STRING} ^\\?id=1$\nRewriteRule ^ /b [R]', 'Never redirected\nRewriteEngine On\nRewriteCond %{QUERY_STRING} ^id=1$\nRewriteRule ^ /b [R]'],
  [/^write the name alone \(`RewriteCond %\{HTTP_HOST\}/, 'Never redirected\nRewriteEngine On\nRewriteCond %{HTTP_HOST} ^https://example\\.com$\nRewriteRule ^ /b [R]', 'Never redirected\nRewriteEngine On\nRewriteCond %{HTTP_HOST} ^example\\.com$\nRewriteRule ^ /b [R]'],
  [/^write `RewriteCond %\{HTTPS\} off`/, 'RewriteEngine On\nRewriteCond %{HTTPS} !=1\nRewriteRule ^ https://example.com/ [R]', 'RewriteEngine On\nRewriteCond %{HTTPS} !=on\nRewriteRule ^ https://example.com/ [R]'],
  [/^write `%\{HTTP:NAME\}` for the header/, 'RewriteEngine On\nRewriteCond %{HTTP_X_FORWARDED_PROTO} !https\nRewriteRule ^ https://example.com/ [R]', 'RewriteEngine On\nRewriteCond %{HTTP_USER_AGENT} !curl\nRewriteRule ^ https://example.com/ [R]'],
  [/^write a condition that knows networks/, 'RewriteEngine On\nRewriteCond %{REMOTE_ADDR} !^192.168.1.0/24\nRewriteRule ^ - [F]', 'RewriteEngine On\nRewriteCond %{REMOTE_ADDR} !^192\\.168\\.1\\.\nRewriteRule ^ - [F]'],
  [/^end both with a slash, or none \(`ProxyPass \/ /, 'Only the first page is there, others fail\nProxyPass / http://localhost:8080', 'Only the first page is there, others fail\nProxyPass / http://localhost:8080/'],
  [/^end both with a slash, or none \(`ProxyPass \/app\//, 'The images give 404\nProxyPass /app http://localhost:8080/', 'The images give 404\nProxyPass /app http://localhost:8080/app'],
  [/^take the `;` from the end/, 'WSGIDaemonProcess keystone\nWSGIProcessGroup keystone;', 'WSGIDaemonProcess keystone\nWSGIProcessGroup keystone'],
  [/^put the comment into a line of its own: only/, 'It fails with a syntax error:\nServerName example.com # the site\nDocumentRoot /srv', 'It fails with a syntax error:\n# the site\nServerName example.com\nDocumentRoot /srv'],
  [/^type the quotation marks of the line again/, 'The directory is not found\nDocumentRoot \u{201C}/srv/site\u{201D}', 'The directory isn\u{2019}t found\nDocumentRoot \u{201C}/srv/site\u{201D}'],
]; // prettier-ignore

const host = (lines: string, address = '*:80'): string =>
  `<VirtualHost ${address}>\nServerName example.com\n${lines}\n</VirtualHost>`;

const TOGETHER: readonly Row[] = [
  [/^put the pattern with its blank into/, 'It throws an error on\nRewriteCond %{HTTP_USER_AGENT} ^Mass Downloader.* [NC,OR]', 'It throws an error on\nRewriteCond %{HTTP_USER_AGENT} "^Mass Downloader.*" [NC]\nRewriteRule ^ - [F]'],
  [/^put the pattern with its blank into/, 'RewriteEngine On\nRewriteRule ^my file\\.html$ /b [L]', 'RewriteEngine On\nRewriteRule ^my\\ file\\.html$ /b [L]'],
  [/^take the blanks out of the flags/, 'RewriteEngine On\nRewriteRule ^a$ /b [R=301, L]', 'RewriteEngine On\nRewriteRule ^a$ /b [R=301,L]'],
  [/^close the flags with a bracket/, 'RewriteEngine On\nRewriteRule ^a$ /b [R=301,L', 'RewriteEngine On\nRewriteRule ^a$ /b [R=301,L]'],
  [/^put the comment into a line of its own: what/, 'RewriteEngine On\nRewriteRule ^a$ /b # the old page', 'RewriteEngine On\nRewriteRule ^a$ /b [L] # the old page'],
  [/^write a pattern in front of the target/, 'RewriteEngine On\nRewriteRule https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]', 'RewriteEngine On\nRewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]'],
  [/^write `Require all granted` beside `AuthType None` into <Location \/api>/, 'How do I exclude /api?\n<Location />\nAuthType Basic\nRequire valid-user\n</Location>\n<Location /api>\nAuthType none\n</Location>', 'How do I exclude /api?\n<Location />\nAuthType Basic\nRequire valid-user\n</Location>\n<Location /api>\nAuthType none\nRequire ip 10\n</Location>'],
  [/^put RewriteBase into the <Directory>/, host('RewriteEngine On\nRewriteBase /'), host('<Directory /srv>\nRewriteEngine On\nRewriteBase /\n</Directory>')],
  [/^set the variable by SetEnvIf/, 'It never denies anyone in my .htaccess:\nRewriteRule ^ - [env=WRITE]\nDeny from env=WRITE', 'It never denies anyone in my .htaccess:\nSetEnvIf Request_URI a WRITE\nDeny from env=WRITE'],
  [/^write SetEnvIf in place of SetEnv/, 'Nobody is let in:\nSetEnv OPEN 1\n<Location /a>\nRequire env OPEN\n</Location>', 'Nobody is let in:\nSetEnvIf Host . OPEN\n<Location /a>\nRequire env OPEN\n</Location>'],
  [/^take \[OR\] from `RewriteCond %\{REMOTE_ADDR\}/, 'Everybody is blocked\nRewriteEngine On\nRewriteCond %{REMOTE_ADDR} !^10\\.1\\. [OR]\nRewriteCond %{REMOTE_ADDR} !^192\\.0\\.\nRewriteRule ^ - [F]', 'Everybody is blocked\nRewriteEngine On\nRewriteCond %{REMOTE_ADDR} !^10\\.1\\.\nRewriteCond %{REMOTE_ADDR} !^192\\.0\\.\nRewriteRule ^ - [F]'],
  [/^take \[OR\] from `RewriteCond %\{REQUEST_FILENAME\}/, 'My images are rewritten, too\nRewriteCond %{REQUEST_FILENAME} !-f [OR]\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule ^ index.php [L]', 'My images are rewritten, too\nRewriteCond %{REQUEST_FILENAME} -f [OR]\nRewriteCond %{REQUEST_FILENAME} -d\nRewriteRule ^ - [L]'],
  [/^write \[OR\] behind `RewriteCond %\{HTTP_HOST\}/, 'Never redirected\nRewriteCond %{HTTP_HOST} ^a\\.example\\.com$\nRewriteCond %{HTTP_HOST} ^b\\.example\\.com$\nRewriteRule ^ https://c.example.com/ [R]', 'Never redirected\nRewriteCond %{HTTP_HOST} ^a\\.example\nRewriteCond %{HTTP_HOST} ^a.example\\.com$\nRewriteRule ^ https://c.example.com/ [R]'],
  [/^take \[OR\] from the last RewriteCond/, 'Everybody is blocked\nRewriteCond %{HTTP_USER_AGENT} curl [OR]\nRewriteCond %{HTTP_USER_AGENT} wget [NC,OR]\nRewriteRule ^ - [F]', 'Everybody is blocked\nRewriteCond %{HTTP_USER_AGENT} curl [OR]\nRewriteCond %{HTTP_USER_AGENT} wget [NC]\nRewriteRule ^ - [F]'],
  [/^write the pattern without the slash in front/, 'This rule of my .htaccess does nothing:\nRewriteEngine On\nRewriteRule ^/old$ /new [L]', 'This rule of my .htaccess does nothing:\nRewriteEngine On\nRewriteRule ^/?old$ /new [L]'],
  [/^begin the pattern with a slash \(`RewriteRule/, `The rule does nothing\n${host('RewriteEngine On\nRewriteRule ^old$ /new [L]')}`, `The rule does nothing\n${host('<Directory /srv>\nRewriteEngine On\nRewriteRule ^old$ /new [L]\n</Directory>')}`],
  [/^write `RewriteCond %\{REQUEST_FILENAME\} !-f`/, 'Error 500 by my .htaccess\nRewriteEngine On\nRewriteRule ^(.*)$ index.php/$1 [L]', 'Error 500 by my .htaccess\nRewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^(.*)$ index.php/$1 [L]'],
  [/^write `RewriteCond %\{HTTPS\} off` in front/, 'Too many redirects by my .htaccess\nRewriteEngine On\nRewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]', 'Too many redirects by my .htaccess\nRewriteEngine On\nRewriteCond %{HTTPS} off\nRewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]'],
  [/^put `RewriteRule \^old\$` with its conditions before/, 'The redirect does not work\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^(.*)$ index.php [L]\nRewriteRule ^old$ /new [R=301,L]', 'The redirect does not work\nRewriteRule ^old$ /new [R=301,L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^(.*)$ index.php [L]'],
  [/^put `RewriteRule \^old\$` with its conditions before/, 'Still http\nRewriteRule . /index.php [L]\nRewriteRule ^old$ /new [R=301,L]', 'Still http\nRewriteCond %{HTTP_HOST} ^a\nRewriteRule . /index.php [L]\nRewriteRule ^old$ /new [R=301,L]'],
  [/^put the RewriteCond in front of the RewriteRule/, 'The condition is ignored\nRewriteEngine On\nRewriteRule ^a$ /b [L]\nRewriteCond %{HTTPS} off', 'The condition is ignored\nRewriteEngine On\nRewriteCond %{HTTPS} off\nRewriteRule ^a$ /b [L]'],
  [/^write `RewriteEngine On` into the <VirtualHost>/, `The rule does nothing\n${host('RewriteRule ^/old$ /new [L]')}`, `The rule does nothing\n${host('RewriteEngine On\nRewriteRule ^/old$ /new [L]')}`],
  [/^leave one `Listen 80` line/, 'Listen 80\nListen 0.0.0.0:80', '<IfModule ssl_module>\nListen 443\n</IfModule>\n<IfModule mod_gnutls.c>\nListen 443\n</IfModule>'],
  [/^write one name into WSGIDaemonProcess/, 'WSGIDaemonProcess site\nWSGIProcessGroup app', 'WSGIDaemonProcess app\nWSGIProcessGroup app'],
  [/^write one name into <Proxy balancer:/, '<Proxy balancer://a>\nBalancerMember http://h1\n</Proxy>\nProxyPass / balancer://b/', '<Proxy balancer://a>\nBalancerMember http://h1\n</Proxy>\nProxyPass / balancer://a/'],
  [/^take `SSLEngine On` out of <VirtualHost/, host('SSLEngine On'), host('SSLEngine On', '*:443')],
  [/^take `Redirect .*` out of <VirtualHost \*:443>/, host('Redirect permanent / https://example.com/', '*:443'), host('Redirect permanent / https://example.com/')],
  [/^write `ws:\/\/` in place of `wss:\/\/`: .*\. And write `ProxyRequests Off`/, 'WebSocket fails\nRewriteRule .* "wss://127.0.0.1:8080%{REQUEST_URI}" [P]\nProxyRequests On\nProxyPass / http://localhost:8080/', 'WebSocket fails\nRewriteRule .* "wss://127.0.0.1:8443%{REQUEST_URI}" [P]\nProxyRequests On\nProxyPass / http://localhost:8080/'],
  [/^write `SSLProxyEngine On`/, `Error 500\n${host('ProxyPass / https://localhost:8443/')}`, `Error 500\n${host('SSLProxyEngine On\nProxyPass / https://localhost:8443/')}`],
  [/^put the line of \/api before that of \//, '/api goes to the wrong backend\nProxyPass / http://localhost:1/\nProxyPass /api http://localhost:2', '/api goes to the wrong backend\nProxyPass /api http://localhost:2\nProxyPass / http://localhost:1/'],
  [/^put the line of \/a\/b before that of \/a/, '/a/b gives 404\nAlias /a /srv/a\nAlias /a/b /srv/b', '/a/b gives 404\nAlias /a /srv/a\nAlias /ab /srv/b'],
  [/^put the line of \/old before that of \//, '/old is redirected wrong\nRedirect / https://example.com/\nRedirect /old https://example.com/new', '/old is redirected wrong\nRedirect /old https://example.com/new\nRedirect / https://example.com/'],
  [/^write into ProxyPassReverse the URL/, 'The redirects show the port 8080\nProxyPass / http://localhost:8080/\nProxyPassReverse / http://localhost:8081/', 'The redirects show the port 8080\nProxyPass / http://localhost:8080/\nProxyPassReverse / http://localhost:8080/'],
  [/^put the `Require not` line with/, '<Location /a>\nRequire all granted\nRequire not ip 192.0.2.1\n</Location>', '<Location /a>\n<RequireAll>\nRequire all granted\nRequire not ip 192.0.2.1\n</RequireAll>\n</Location>'],
  [/^write `RewriteEngine On`: httpd refuses/, 'RewriteEngine true\nRewriteRule ^a$ /b', 'RewriteEngine on\nRewriteRule ^a$ /b'],
  [/^put AllowOverride into the <Directory>/, host('AllowOverride All'), host('<Directory /srv>\nAllowOverride All\n</Directory>')],
  [/^write the URL alone \(`ProxyPass/, '<Location /a>\nProxyPass /a http://localhost:1/a\n</Location>', '<Location /a>\nProxyPass http://localhost:1/a\n</Location>'],
  [/^take `AllowOverride` out of the \.htaccess/, 'Error 500 by this .htaccess:\nAllowOverride All\nRewriteEngine On', 'My .htaccess is ignored with this vhost:\n<Directory /srv>\nAllowOverride All\n</Directory>'],
  [/^write what php_value and php_flag set into/, '<FilesMatch \\.php$>\nSetHandler "proxy:unix:/run/php.sock|fcgi://localhost"\n</FilesMatch>\nphp_value memory_limit 1G', '<FilesMatch \\.php$>\nSetHandler application/x-httpd-php\n</FilesMatch>\nphp_value memory_limit 1G'],
  [/^write `ExpiresActive On` in front/, 'Nothing is cached\n<IfModule mod_expires.c>\nExpiresByType text/css "access plus 1 month"\n</IfModule>', 'Nothing is cached\n<IfModule mod_expires.c>\nExpiresActive On\nExpiresByType text/css "access plus 1 month"\n</IfModule>'],
  [/^write `ProxyRequests Off`/, 'Spam comes through my server\nProxyRequests On\nProxyPass / http://localhost:1/', 'Spam comes through my server\nProxyRequests Off\nProxyPass / http://localhost:1/'],
]; // prettier-ignore

describe.each([
  ['that httpd refuses', REFUSED],
  ['that never do what they say', USELESS],
  ['that are wrong beside others', TOGETHER],
])('lines %s', (_, rows) => {
  test.each(rows)('%s', async (answer, said, near) => {
    expect(await remedies(said)).toMatch(answer);
    expect(await remedies(near)).not.toMatch(answer);
  });
});

test.each([
  ['Options -MultiViews in the .htaccess: error 500', /^give every word/],
  ['Require ip 127.0.0.1, and 403 for client ::1', /^take the commas out/],
  ['ServerName * is refused', /^write a plain name/],
  ['RewriteRule with [R=301, L] fails', /^write the flag/],
])('a sentence that begins with a directive is no line: %s', async (sentence, answer) => {
  expect(await remedies(sentence)).not.toMatch(answer);
});

test.each([
  ['between backticks', 'Why does `Redirect 301 /page.php?id=1 https://example.com/` do nothing?'],
  ['between quotation marks', 'Why does "Redirect 301 /page.php?id=1 https://example.com/" do nothing?'],
  ['in a list', 'This does nothing:\n- Redirect 301 /page.php?id=1 https://example.com/'],
  ['in two lines', 'This does nothing:\nRedirect 301 \\\n  /page.php?id=1 https://example.com/'],
])('a line %s is one', async (_, question) => {
  expect(await remedies(question)).toMatch(/^write `RewriteCond %\{QUERY_STRING\}/);
});

test.each([
  ['where they are a comment', 'Nothing happens\n# Redirect 301 /page.php?id=1 https://example.com/', /QUERY_STRING/],
  ['where others decide', 'I get 403 Forbidden\nServerName example.com/a\nDocumentRoot /srv', /^write the name alone/],
])('lines are passed over %s', async (_, question, answer) => {
  expect(await remedies(question)).not.toMatch(answer);
}); // prettier-ignore
