/**
 * The configurations that 2.2 came with, written after them: their directives, which are facts, with none of their comments. What
 * a distribution splits into files stands in the same files here.
 */

/** Path → text. */
export type StockTree = Readonly<Record<string, string>>;

const loads = (folder: string, names: readonly string[]): string =>
  names.map((name) => `LoadModule ${name}_module ${folder}/mod_${name}.so\n`).join('');

/** What every build of 2.2 by its defaults compiles in or loads, in the order of modules.c. */
const MODULES = [
  'authn_file', 'authn_default', 'authz_host', 'authz_groupfile', 'authz_user', 'authz_default', 'auth_basic', 'include', 'filter',
  'log_config', 'env', 'setenvif', 'version', 'mime', 'status', 'autoindex', 'asis', 'cgi', 'negotiation', 'dir', 'actions',
  'userdir', 'alias',
]; // prettier-ignore

const HT_FILES = `<FilesMatch "^\\.ht">
    Order allow,deny
    Deny from all
    Satisfy All
</FilesMatch>
`;

const ICONS = (path: string): string => `Alias /icons/ "${path}/"
<Directory "${path}">
    Options Indexes MultiViews
    AllowOverride None
    Order allow,deny
    Allow from all
</Directory>
`;

const BROWSERS = `BrowserMatch "Mozilla/2" nokeepalive
BrowserMatch "MSIE 4\\.0b2;" nokeepalive downgrade-1.0 force-response-1.0
BrowserMatch "RealPlayer 4\\.0" force-response-1.0
BrowserMatch "Java/1\\.0" force-response-1.0
BrowserMatch "JDK/1\\.0" force-response-1.0
BrowserMatch "Microsoft Data Access Internet Publishing Provider" redirect-carefully
BrowserMatch "^WebDrive" redirect-carefully
`;

const FORMATS = `LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
LogFormat "%h %l %u %t \\"%r\\" %>s %b" common
`;

const PREFORK = `<IfModule mpm_prefork_module>
    StartServers          5
    MinSpareServers       5
    MaxSpareServers      10
    MaxClients          150
    MaxRequestsPerChild   0
</IfModule>
`;

/** The httpd.conf of the sources, with the files of extra/ that its comments name. */
const sources = (root: string, modules: string, conf: string): StockTree => ({
  [`${root}/${conf}/httpd.conf`]: `ServerRoot "${root}"
Listen 80
${loads(modules, MODULES)}<IfModule !mpm_netware_module>
<IfModule !mpm_winnt_module>
User daemon
Group daemon
</IfModule>
</IfModule>
ServerAdmin you@example.com
DocumentRoot "${root}/htdocs"
<Directory />
    Options FollowSymLinks
    AllowOverride None
    Order deny,allow
    Deny from all
</Directory>
<Directory "${root}/htdocs">
    Options Indexes FollowSymLinks
    AllowOverride None
    Order allow,deny
    Allow from all
</Directory>
<IfModule dir_module>
    DirectoryIndex index.html
</IfModule>
${HT_FILES}ErrorLog "logs/error_log"
LogLevel warn
<IfModule log_config_module>
    ${FORMATS.replaceAll('\n', '\n    ').trimEnd()}
    <IfModule logio_module>
      LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\" %I %O" combinedio
    </IfModule>
    CustomLog "logs/access_log" common
</IfModule>
<IfModule alias_module>
    ScriptAlias /cgi-bin/ "${root}/cgi-bin/"
</IfModule>
<Directory "${root}/cgi-bin">
    AllowOverride None
    Options None
    Order allow,deny
    Allow from all
</Directory>
DefaultType text/plain
<IfModule mime_module>
    TypesConfig ${conf}/mime.types
    AddType application/x-compress .Z
    AddType application/x-gzip .gz .tgz
</IfModule>
Include ${conf}/extra/httpd-mpm.conf
Include ${conf}/extra/httpd-autoindex.conf
Include ${conf}/extra/httpd-languages.conf
Include ${conf}/extra/httpd-userdir.conf
Include ${conf}/extra/httpd-info.conf
Include ${conf}/extra/httpd-default.conf
<IfModule ssl_module>
SSLRandomSeed startup builtin
SSLRandomSeed connect builtin
</IfModule>
`,
  [`${root}/${conf}/extra/httpd-mpm.conf`]: `<IfModule !mpm_winnt_module>
<IfModule !mpm_netware_module>
PidFile "logs/httpd.pid"
</IfModule>
</IfModule>
<IfModule !mpm_winnt_module>
<IfModule !mpm_netware_module>
LockFile "logs/accept.lock"
</IfModule>
</IfModule>
${PREFORK}<IfModule mpm_worker_module>
    StartServers          2
    MaxClients          150
    MinSpareThreads      25
    MaxSpareThreads      75
    ThreadsPerChild      25
    MaxRequestsPerChild   0
</IfModule>
`,
  [`${root}/${conf}/extra/httpd-autoindex.conf`]: `IndexOptions FancyIndexing HTMLTable VersionSort
${ICONS(`${root}/icons`)}AddIconByEncoding (CMP,/icons/compressed.gif) x-compress x-gzip
AddIconByType (TXT,/icons/text.gif) text/*
AddIcon /icons/binary.gif .bin .exe
DefaultIcon /icons/unknown.gif
ReadmeName README.html
HeaderName HEADER.html
IndexIgnore .??* *~ *# HEADER* README* RCS CVS *,v *,t
`,
  [`${root}/${conf}/extra/httpd-languages.conf`]: `AddLanguage en .en
AddLanguage de .de
LanguagePriority en de
ForceLanguagePriority Prefer Fallback
AddCharset UTF-8 .utf8
`,
  [`${root}/${conf}/extra/httpd-userdir.conf`]: `UserDir public_html
<Directory "/home/*/public_html">
    AllowOverride FileInfo AuthConfig Limit Indexes
    Options MultiViews Indexes SymLinksIfOwnerMatch IncludesNoExec
    <Limit GET POST OPTIONS>
        Order allow,deny
        Allow from all
    </Limit>
    <LimitExcept GET POST OPTIONS>
        Order deny,allow
        Deny from all
    </LimitExcept>
</Directory>
`,
  [`${root}/${conf}/extra/httpd-info.conf`]: `<Location /server-status>
    SetHandler server-status
    Order deny,allow
    Deny from all
    Allow from .example.com
</Location>
ExtendedStatus On
`,
  [`${root}/${conf}/extra/httpd-default.conf`]: `Timeout 300
KeepAlive On
MaxKeepAliveRequests 100
KeepAliveTimeout 5
UseCanonicalName Off
AccessFileName .htaccess
ServerTokens Full
ServerSignature On
HostnameLookups Off
`,
});

/** CentOS and RHEL: one long httpd.conf, and conf.d. */
const redHat = (release: 5 | 6): StockTree => ({
  '/etc/httpd/conf/httpd.conf': `ServerTokens OS
ServerRoot "/etc/httpd"
PidFile run/httpd.pid
Timeout ${release === 5 ? 120 : 60}
KeepAlive Off
MaxKeepAliveRequests 100
KeepAliveTimeout 15
<IfModule prefork.c>
StartServers       8
MinSpareServers    5
MaxSpareServers   20
ServerLimit      256
MaxClients       256
MaxRequestsPerChild  4000
</IfModule>
<IfModule worker.c>
StartServers         4
MaxClients         300
MinSpareThreads     25
MaxSpareThreads     75
ThreadsPerChild     25
MaxRequestsPerChild  0
</IfModule>
Listen 80
${loads('modules', ['auth_basic', 'auth_digest', 'authn_file', 'authn_alias', 'authn_anon', 'authn_dbm', 'authn_default', 'authz_host', 'authz_user', 'authz_owner', 'authz_groupfile', 'authz_dbm', 'authz_default', 'include', 'log_config', 'logio', 'env', 'ext_filter', 'mime_magic', 'expires', 'deflate', 'headers', 'usertrack', 'setenvif', 'mime', 'dav', 'status', 'autoindex', 'info', 'dav_fs', 'vhost_alias', 'negotiation', 'dir', 'actions', 'speling', 'userdir', 'alias', 'rewrite', 'proxy', 'proxy_balancer', 'proxy_ftp', 'proxy_http', 'proxy_connect', 'cache', 'suexec', 'disk_cache', ...(release === 5 ? ['file_cache', 'mem_cache'] : ['substitute', 'proxy_ajp']), 'cgi', 'version'])}Include conf.d/*.conf
User apache
Group apache
ServerAdmin root@localhost
UseCanonicalName Off
DocumentRoot "/var/www/html"
<Directory />
    Options FollowSymLinks
    AllowOverride None
</Directory>
<Directory "/var/www/html">
    Options Indexes FollowSymLinks
    AllowOverride None
    Order allow,deny
    Allow from all
</Directory>
<IfModule mod_userdir.c>
    UserDir disabled
</IfModule>
DirectoryIndex index.html index.html.var
AccessFileName .htaccess
<Files ~ "^\\.ht">
    Order allow,deny
    Deny from all${release === 6 ? '\n    Satisfy All' : ''}
</Files>
TypesConfig /etc/mime.types
DefaultType text/plain
<IfModule mod_mime_magic.c>
    MIMEMagicFile conf/magic
</IfModule>
HostnameLookups Off
ErrorLog logs/error_log
LogLevel warn
${FORMATS}CustomLog logs/access_log combined
ServerSignature On
${ICONS('/var/www/icons')}<IfModule mod_dav_fs.c>
    DAVLockDB /var/lib/dav/lockdb
</IfModule>
ScriptAlias /cgi-bin/ "/var/www/cgi-bin/"
<Directory "/var/www/cgi-bin">
    AllowOverride None
    Options None
    Order allow,deny
    Allow from all
</Directory>
IndexOptions FancyIndexing VersionSort NameWidth=* HTMLTable${release === 6 ? ' Charset=UTF-8' : ''}
AddIconByType (TXT,/icons/text.gif) text/*
DefaultIcon /icons/unknown.gif
ReadmeName README.html
HeaderName HEADER.html
IndexIgnore .??* *~ *# HEADER* README* RCS CVS *,v *,t
AddLanguage en .en
LanguagePriority en
ForceLanguagePriority Prefer Fallback
AddDefaultCharset UTF-8
AddType application/x-compress .Z
AddType application/x-gzip .gz .tgz
AddHandler type-map var
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
Alias /error/ "/var/www/error/"
<IfModule mod_negotiation.c>
<IfModule mod_include.c>
    <Directory "/var/www/error">
        AllowOverride None
        Options IncludesNoExec
        AddOutputFilter Includes html
        AddHandler type-map var
        Order allow,deny
        Allow from all
        LanguagePriority en es de fr
        ForceLanguagePriority Prefer Fallback
    </Directory>
</IfModule>
</IfModule>
${BROWSERS}`,
  '/etc/httpd/conf.d/welcome.conf': `<LocationMatch "^/+$">
    Options -Indexes
    ErrorDocument 403 /error/noindex.html
</LocationMatch>
`,
});

const debianModule = (name: string): StockTree => ({
  [`/etc/apache2/mods-enabled/${name}.load`]: `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`,
});

const debianSite = (log: string): string => `<VirtualHost *:80>
	ServerAdmin webmaster@localhost
	DocumentRoot /var/www
	<Directory />
		Options FollowSymLinks
		AllowOverride None
	</Directory>
	<Directory /var/www/>
		Options Indexes FollowSymLinks MultiViews
		AllowOverride None
		Order allow,deny
		allow from all
	</Directory>
	ScriptAlias /cgi-bin/ /usr/lib/cgi-bin/
	<Directory "/usr/lib/cgi-bin">
		AllowOverride None
		Options +ExecCGI -MultiViews +SymLinksIfOwnerMatch
		Order allow,deny
		Allow from all
	</Directory>
	ErrorLog ${log}/error.log
	LogLevel warn
	CustomLog ${log}/access.log combined
</VirtualHost>
`;

/** Debian 6 and 7 and Ubuntu 10.04 and 12.04, with the modules that they enable. */
const debian = (release: 6 | 7): StockTree => ({
  '/etc/apache2/apache2.conf': `LockFile \${APACHE_LOCK_DIR}/accept.lock
PidFile \${APACHE_PID_FILE}
Timeout 300
KeepAlive On
MaxKeepAliveRequests 100
KeepAliveTimeout ${release === 6 ? 15 : 5}
${PREFORK}<IfModule mpm_worker_module>
    StartServers          2
    MinSpareThreads      25
    MaxSpareThreads      75
    ThreadLimit          64
    ThreadsPerChild      25
    MaxClients          150
    MaxRequestsPerChild   0
</IfModule>
User \${APACHE_RUN_USER}
Group \${APACHE_RUN_GROUP}
AccessFileName .htaccess
<Files ~ "^\\.ht">
    Order allow,deny
    Deny from all
    Satisfy all
</Files>
DefaultType ${release === 6 ? 'text/plain' : 'None'}
HostnameLookups Off
ErrorLog \${APACHE_LOG_DIR}/error.log
LogLevel warn
Include mods-enabled/*.load
Include mods-enabled/*.conf
Include httpd.conf
Include ports.conf
LogFormat "%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" vhost_combined
LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
Include conf.d/
Include sites-enabled/
`,
  '/etc/apache2/envvars': `export APACHE_RUN_USER=www-data
export APACHE_RUN_GROUP=www-data
export APACHE_PID_FILE=/var/run/apache2.pid
export APACHE_RUN_DIR=/var/run/apache2
export APACHE_LOCK_DIR=/var/lock/apache2
export APACHE_LOG_DIR=/var/log/apache2
`,
  '/etc/apache2/httpd.conf': '',
  '/etc/apache2/ports.conf': `NameVirtualHost *:80
Listen 80
<IfModule mod_ssl.c>
    Listen 443
</IfModule>
`,
  ...Object.assign(
    {},
    ...[
      'alias',
      'auth_basic',
      'authn_file',
      'authz_default',
      'authz_groupfile',
      'authz_host',
      'authz_user',
      'autoindex',
      'cgi',
      'deflate',
      'dir',
      'env',
      'mime',
      'negotiation',
      'reqtimeout',
      'setenvif',
      'status',
    ].map(debianModule),
  ),
  '/etc/apache2/mods-enabled/alias.conf': `<IfModule alias_module>
${ICONS('/usr/share/apache2/icons')}</IfModule>
`,
  '/etc/apache2/mods-enabled/autoindex.conf': `<IfModule mod_autoindex.c>
IndexOptions FancyIndexing VersionSort HTMLTable NameWidth=* DescriptionWidth=* Charset=UTF-8
DefaultIcon /icons/unknown.gif
ReadmeName README.html
HeaderName HEADER.html
IndexIgnore .??* *~ *# RCS CVS *,v *,t
</IfModule>
`,
  '/etc/apache2/mods-enabled/deflate.conf': `<IfModule mod_deflate.c>
    AddOutputFilterByType DEFLATE text/html text/plain text/xml
    AddOutputFilterByType DEFLATE text/css
    AddOutputFilterByType DEFLATE application/x-javascript application/javascript application/ecmascript
    AddOutputFilterByType DEFLATE application/rss+xml
</IfModule>
`,
  '/etc/apache2/mods-enabled/dir.conf': `<IfModule mod_dir.c>
    DirectoryIndex index.html index.cgi index.pl index.php index.xhtml index.htm
</IfModule>
`,
  '/etc/apache2/mods-enabled/mime.conf': `<IfModule mod_mime.c>
TypesConfig /etc/mime.types
AddType application/x-compress .Z
AddType application/x-gzip .gz .tgz
AddLanguage en .en
AddCharset UTF-8 .utf8
AddHandler type-map var
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
</IfModule>
`,
  '/etc/apache2/mods-enabled/negotiation.conf': `<IfModule mod_negotiation.c>
LanguagePriority en de
ForceLanguagePriority Prefer Fallback
</IfModule>
`,
  '/etc/apache2/mods-enabled/reqtimeout.conf': `<IfModule reqtimeout_module>
RequestReadTimeout header=20-40,minrate=500
RequestReadTimeout body=10,minrate=500
</IfModule>
`,
  '/etc/apache2/mods-enabled/setenvif.conf': `<IfModule mod_setenvif.c>
${BROWSERS}</IfModule>
`,
  '/etc/apache2/mods-enabled/status.conf': `<IfModule mod_status.c>
<Location /server-status>
    SetHandler server-status
    Order deny,allow
    Deny from all
    Allow from 127.0.0.1 ::1
</Location>
ExtendedStatus On
</IfModule>
`,
  '/etc/apache2/conf.d/charset': '',
  '/etc/apache2/conf.d/security': `ServerTokens OS
ServerSignature On
TraceEnable ${release === 6 ? 'On' : 'Off'}
`,
  '/etc/apache2/sites-enabled/000-default': debianSite(
    release === 6 ? '/var/log/apache2' : '${APACHE_LOG_DIR}',
  ),
});

/** SUSE Linux Enterprise 11: what its start script includes is written out. */
const suse = (): StockTree => ({
  '/etc/apache2/httpd.conf': `Include /etc/apache2/uid.conf
Include /etc/apache2/server-tuning.conf
ErrorLog /var/log/apache2/error_log
Include /etc/apache2/sysconfig.d/loadmodule.conf
Include /etc/apache2/listen.conf
Include /etc/apache2/mod_log_config.conf
Include /etc/apache2/mod_status.conf
Include /etc/apache2/errors.conf
Include /etc/apache2/default-server.conf
<Directory />
    Options None
    AllowOverride None
    Order deny,allow
    Deny from all
</Directory>
AccessFileName .htaccess
<Files ~ "^\\.ht">
    Order allow,deny
    Deny from all
</Files>
DirectoryIndex index.html index.html.var
DefaultType text/plain
`,
  '/etc/apache2/uid.conf': 'User wwwrun\nGroup www\n',
  '/etc/apache2/server-tuning.conf': `<IfModule prefork.c>
	StartServers         5
	MinSpareServers      5
	MaxSpareServers     10
	ServerLimit        150
	MaxClients         150
	MaxRequestsPerChild  10000
</IfModule>
<IfModule worker.c>
	StartServers         3
	MinSpareThreads     25
	MaxSpareThreads     75
	ThreadLimit         64
	MaxClients         150
	ThreadsPerChild     25
	MaxRequestsPerChild 10000
</IfModule>
KeepAlive On
MaxKeepAliveRequests 100
KeepAliveTimeout 15
`,
  '/etc/apache2/sysconfig.d/loadmodule.conf': loads('/usr/lib64/apache2', ['actions', 'alias', 'auth_basic', 'authn_file', 'authz_host', 'authz_groupfile', 'authz_default', 'authz_user', 'autoindex', 'cgi', 'dir', 'env', 'expires', 'include', 'log_config', 'mime', 'negotiation', 'setenvif', 'status']), // prettier-ignore
  '/etc/apache2/listen.conf': 'Listen 80\n',
  '/etc/apache2/mod_log_config.conf': `<IfModule mod_log_config.c>
${FORMATS}</IfModule>
`,
  '/etc/apache2/mod_status.conf': `<IfModule mod_status.c>
    <Location /server-status>
        SetHandler server-status
        Order deny,allow
        Deny from all
        Allow from localhost
    </Location>
</IfModule>
`,
  '/etc/apache2/errors.conf': 'ErrorDocument 403 /error/HTTP_FORBIDDEN.html.var\n',
  '/etc/apache2/default-server.conf': `DocumentRoot "/srv/www/htdocs"
<Directory "/srv/www/htdocs">
	Options None
	AllowOverride None
	Order allow,deny
	Allow from all
</Directory>
${ICONS('/usr/share/apache2/icons')}ScriptAlias /cgi-bin/ "/srv/www/cgi-bin/"
<Directory "/srv/www/cgi-bin">
	AllowOverride None
	Options +ExecCGI -Includes
	Order allow,deny
	Allow from all
</Directory>
`,
});

/** The stock servers of 2.2, by name. */
export const STOCK_SERVERS: Readonly<Record<string, StockTree>> = {
  'the sources, with extra/': sources('/usr/local/apache2', 'modules', 'conf'),
  FreeBSD: sources('/usr/local', 'libexec/apache22', 'etc/apache22'),
  'Debian 6 and Ubuntu 10.04': debian(6),
  'Debian 7 and Ubuntu 12.04': debian(7),
  'CentOS 5': redHat(5),
  'CentOS 6': redHat(6),
  'SUSE 11': suse(),
};
