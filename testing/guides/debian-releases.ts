import { indented, text } from '../hosting/layout';
import type { MachineFiles, Platform } from './platform';
import { OTHER, PHP, STATUS } from './requests';
import { INTRANET, WWW } from './sites';

const ICONS = '/usr/share/apache2/icons';

/** How the two versions say who may have a directory. */
interface Dialect {
  readonly everybody: readonly string[];
  readonly nobody: readonly string[];
  readonly local: readonly string[];
}

const OF_22: Dialect = {
  everybody: ['Order allow,deny', 'Allow from all'],
  nobody: ['Order allow,deny', 'Deny from all'],
  local: ['Order deny,allow', 'Deny from all', 'Allow from 127.0.0.1 ::1'],
};
const OF_24: Dialect = {
  everybody: ['Require all granted'],
  nobody: ['Require all denied'],
  local: ['Require local'],
};

const ENABLED_IN_7 =
  'alias auth_basic authn_file authz_default authz_groupfile authz_host authz_user autoindex cgi deflate dir env mime negotiation reqtimeout setenvif status'.split(
    ' ',
  );
const AVAILABLE_IN_7 =
  'actions asis auth_digest authn_alias authn_anon authn_dbd authn_dbm authn_default authnz_ldap authz_dbm authz_owner cache cern_meta cgid charset_lite dav dav_fs dav_lock dbd disk_cache dump_io expires ext_filter file_cache filter headers ident imagemap include info ldap log_forensic mem_cache mime_magic php5 proxy proxy_ajp proxy_balancer proxy_connect proxy_ftp proxy_http proxy_scgi rewrite speling ssl substitute suexec unique_id userdir usertrack vhost_alias'.split(
    ' ',
  );
const ENABLED_IN_12 =
  'access_compat alias auth_basic authn_core authn_file authz_core authz_host authz_user autoindex deflate dir env filter mime mpm_event negotiation reqtimeout setenvif status'.split(
    ' ',
  );
const AVAILABLE_IN_12 =
  'actions allowmethods asis auth_digest authn_anon authn_dbd authn_dbm authn_socache authnz_ldap authz_dbd authz_dbm authz_groupfile authz_owner buffer cache cache_disk cache_socache cern_meta cgi cgid charset_lite dav dav_fs dav_lock dbd dump_io expires ext_filter file_cache headers http2 ident imagemap include info lbmethod_byrequests ldap log_forensic macro mime_magic mpm_prefork mpm_worker proxy proxy_ajp proxy_balancer proxy_connect proxy_fcgi proxy_ftp proxy_http proxy_scgi ratelimit remoteip request rewrite session slotmem_shm socache_shmcb speling ssl substitute suexec unique_id userdir usertrack vhost_alias'.split(
    ' ',
  );

/** The settings that the packages have beside a module's LoadModule line. */
function settingsOf(
  name: string,
  { everybody, local }: Dialect,
  is24: boolean,
): readonly string[] | undefined {
  const inIfModule = (lines: readonly string[]): readonly string[] => [
    `<IfModule mod_${name}.c>`,
    ...indented(lines),
    '</IfModule>',
  ];
  const settings: Readonly<Record<string, readonly string[]>> = {
    alias: [
      `Alias /icons/ "${ICONS}/"`,
      `<Directory "${ICONS}">`,
      ...indented(['Options Indexes MultiViews', 'AllowOverride None', ...everybody]),
      '</Directory>',
    ],
    autoindex: ['IndexOptions FancyIndexing VersionSort HTMLTable NameWidth=*', 'DefaultIcon /icons/unknown.gif', 'IndexIgnore .??* *~ *# RCS CVS *,v *,t'], // prettier-ignore
    deflate: is24
      ? [
          '<IfModule mod_filter.c>',
          '    AddOutputFilterByType DEFLATE text/html text/plain text/xml',
          '</IfModule>',
        ]
      : ['AddOutputFilterByType DEFLATE text/html text/plain text/xml'],
    dir: ['DirectoryIndex index.html index.cgi index.pl index.php index.xhtml index.htm'],
    mime: ['TypesConfig /etc/mime.types', 'AddType application/x-compress .Z', 'AddLanguage en .en', 'AddHandler type-map var'], // prettier-ignore
    negotiation: ['LanguagePriority en de fr', 'ForceLanguagePriority Prefer Fallback'],
    reqtimeout: is24
      ? ['RequestReadTimeout header=20-40,minrate=500', 'RequestReadTimeout body=10,minrate=500']
      : ['RequestReadTimeout header=20-40,minrate=500', 'RequestReadTimeout body=10,minrate=500'],
    setenvif: ['BrowserMatch "Mozilla/2" nokeepalive', 'BrowserMatch "MSIE 4\\.0b2;" nokeepalive downgrade-1.0 force-response-1.0'], // prettier-ignore
    status: ['<Location /server-status>', ...indented(['SetHandler server-status', ...local]), '</Location>', 'ExtendedStatus On'], // prettier-ignore
    info: ['<Location /server-info>', ...indented(['SetHandler server-info', ...local]), '</Location>'],
    ssl: [
      'SSLRandomSeed startup builtin',
      'SSLRandomSeed connect builtin',
      'AddType application/x-x509-ca-cert .crt',
      ...(is24 ? [] : ['SSLPassPhraseDialog builtin']),
      `SSLSessionCache shmcb:\${APACHE_RUN_DIR}/ssl_scache(512000)`,
      'SSLSessionCacheTimeout 300',
      ...(is24 ? [] : [`SSLMutex file:\${APACHE_RUN_DIR}/ssl_mutex`]),
      'SSLCipherSuite HIGH:!aNULL',
      is24 ? 'SSLProtocol all -SSLv3' : 'SSLProtocol all -SSLv2',
    ],
    proxy: ['ProxyRequests Off', '<Proxy *>', ...indented(is24 ? ['Require all denied'] : ['AddDefaultCharset off', 'Order deny,allow', 'Deny from all']), '</Proxy>', ], // prettier-ignore
    userdir: [
      'UserDir public_html',
      'UserDir disabled root',
      '<Directory /home/*/public_html>',
      ...indented([
        'AllowOverride FileInfo AuthConfig Limit Indexes',
        'Options MultiViews Indexes SymLinksIfOwnerMatch IncludesNoExec',
        ...(is24
          ? ['Require method GET POST OPTIONS']
          : [
              '<Limit GET POST OPTIONS>',
              '    Order allow,deny',
              '    Allow from all',
              '</Limit>',
              '<LimitExcept GET POST OPTIONS>',
              '    Order deny,allow',
              '    Deny from all',
              '</LimitExcept>',
            ]),
      ]),
      '</Directory>',
    ],
    php5: ['<FilesMatch "\\.ph(p3?|tml)$">', '    SetHandler application/x-httpd-php', '</FilesMatch>', '<FilesMatch "\\.phps$">', '    SetHandler application/x-httpd-php-source', '</FilesMatch>', '<IfModule mod_userdir.c>', '    <Directory /home/*/public_html>', '        php_admin_value engine Off', '    </Directory>', '</IfModule>'], // prettier-ignore
    mpm_event: ['StartServers 2', 'MinSpareThreads 25', 'MaxSpareThreads 75', 'ThreadLimit 64', 'ThreadsPerChild 25', 'MaxRequestWorkers 150'], // prettier-ignore
    mpm_prefork: ['StartServers 5', 'MinSpareServers 5', 'MaxSpareServers 10', 'MaxRequestWorkers 150'],
  };
  const lines = settings[name];
  return lines && inIfModule(lines);
}

/** mods-available and mods-enabled. */
function moduleFiles(
  enabled: readonly string[],
  available: readonly string[],
  dialect: Dialect,
  is24: boolean,
): readonly (readonly [string, string | { readonly link: string }])[] {
  const at = '/etc/apache2';
  return [...new Set([...enabled, ...available])].flatMap((name) => {
    const settings = settingsOf(name, dialect, is24);
    const files = [
      [
        'load',
        text(
          `LoadModule ${name}_module /usr/lib/apache2/modules/${name === 'php5' ? 'libphp5' : `mod_${name}`}.so`,
        ),
      ] as const,
      ...(settings === undefined ? [] : [['conf', text(...settings)] as const]),
    ];
    return files.flatMap(([ending, content]) => [
      [`${at}/mods-available/${name}.${ending}`, content] as const,
      ...(enabled.includes(name)
        ? [[`${at}/mods-enabled/${name}.${ending}`, { link: `../mods-available/${name}.${ending}` }] as const]
        : []),
    ]);
  });
}

const ENVVARS = text(
  'unset HOME',
  `if [ "\${APACHE_CONFDIR##/etc/apache2-}" != "\${APACHE_CONFDIR}" ] ; then`,
  `    SUFFIX="-\${APACHE_CONFDIR##/etc/apache2-}"`,
  'else',
  '    SUFFIX=',
  'fi',
  'export APACHE_RUN_USER=www-data',
  'export APACHE_RUN_GROUP=www-data',
  'export APACHE_PID_FILE=/var/run/apache2$SUFFIX.pid',
  'export APACHE_RUN_DIR=/var/run/apache2$SUFFIX',
  'export APACHE_LOCK_DIR=/var/lock/apache2$SUFFIX',
  'export APACHE_LOG_DIR=/var/log/apache2$SUFFIX',
  'export LANG=C',
);

/** /etc/apache2 as the packages of Debian 7 (2.2.22) lay it out, with the modules given enabled beside those of the package. */
function debian7(more: readonly string[]): MachineFiles {
  const at = '/etc/apache2';
  return new Map<string, string | { readonly link: string }>([
    [`${at}/apache2.conf`, apache2ConfOf7()],
    [`${at}/httpd.conf`, ''],
    [`${at}/envvars`, ENVVARS],
    [`${at}/magic`, '0\tstring\t\\037\\213\tapplication/x-gzip\n'],
    [
      `${at}/ports.conf`,
      text('NameVirtualHost *:80', 'Listen 80', '', '<IfModule mod_ssl.c>', '    Listen 443', '</IfModule>', '', '<IfModule mod_gnutls.c>', '    Listen 443', '</IfModule>'), // prettier-ignore
    ],
    [`${at}/conf.d/charset`, text('#AddDefaultCharset UTF-8')],
    [`${at}/conf.d/localized-error-pages`, text('#ErrorDocument 404 /missing.html')],
    [`${at}/conf.d/other-vhosts-access-log`, text(`CustomLog \${APACHE_LOG_DIR}/other_vhosts_access.log vhost_combined`)], // prettier-ignore
    [
      `${at}/conf.d/security`,
      text('#<Directory />', '#\tAllowOverride None', '#\tOrder Deny,Allow', '#\tDeny from all', '#</Directory>', 'ServerTokens OS', 'ServerSignature On', 'TraceEnable Off'), // prettier-ignore
    ],
    ...moduleFiles([...ENABLED_IN_7, ...more], AVAILABLE_IN_7, OF_22, false),
    [`${at}/sites-available/default`, defaultSite('*:80', [])],
    [
      `${at}/sites-available/default-ssl`,
      text(
        '<IfModule mod_ssl.c>',
        ...defaultSite('_default_:443', [
          'SSLEngine on',
          'SSLCertificateFile    /etc/ssl/certs/ssl-cert-snakeoil.pem',
          'SSLCertificateKeyFile /etc/ssl/private/ssl-cert-snakeoil.key',
          '<FilesMatch "\\.(cgi|shtml|phtml|php)$">',
          '    SSLOptions +StdEnvVars',
          '</FilesMatch>',
          'BrowserMatch "MSIE [2-6]" nokeepalive ssl-unclean-shutdown downgrade-1.0 force-response-1.0',
        ])
          .trimEnd()
          .split('\n'),
        '</IfModule>',
      ),
    ],
    [`${at}/sites-enabled/000-default`, { link: '../sites-available/default' }],
    ['/etc/mime.types', 'text/html html htm\ntext/plain txt\ntext/css css\n'],
    [`${ICONS}/text.gif`, 'GIF89a'],
    ['/var/www/index.html', '<h1>It works!</h1>\n'],
    ['/usr/lib/cgi-bin/env.cgi', '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nenv\\n"\n'],
  ]);
}

function apache2ConfOf7(): string {
  return text(
    '# The main configuration of the server.',
    `LockFile \${APACHE_LOCK_DIR}/accept.lock`,
    `PidFile \${APACHE_PID_FILE}`,
    'Timeout 300',
    'KeepAlive On',
    'MaxKeepAliveRequests 100',
    'KeepAliveTimeout 5',
    '',
    '<IfModule mpm_prefork_module>',
    '    StartServers          5',
    '    MinSpareServers       5',
    '    MaxSpareServers      10',
    '    MaxClients          150',
    '    MaxRequestsPerChild   0',
    '</IfModule>',
    '<IfModule mpm_worker_module>',
    '    StartServers          2',
    '    MinSpareThreads      25',
    '    MaxSpareThreads      75',
    '    ThreadLimit          64',
    '    ThreadsPerChild      25',
    '    MaxClients          150',
    '    MaxRequestsPerChild   0',
    '</IfModule>',
    '',
    `User \${APACHE_RUN_USER}`,
    `Group \${APACHE_RUN_GROUP}`,
    'AccessFileName .htaccess',
    '<Files ~ "^\\.ht">',
    '    Order allow,deny',
    '    Deny from all',
    '    Satisfy all',
    '</Files>',
    'DefaultType None',
    'HostnameLookups Off',
    `ErrorLog \${APACHE_LOG_DIR}/error.log`,
    'LogLevel warn',
    'Include mods-enabled/*.load',
    'Include mods-enabled/*.conf',
    'Include httpd.conf',
    'Include ports.conf',
    'LogFormat "%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" vhost_combined',
    'LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined',
    'LogFormat "%h %l %u %t \\"%r\\" %>s %O" common',
    'Include conf.d/',
    'Include sites-enabled/',
  );
}

function defaultSite(address: string, more: readonly string[]): string {
  return text(
    `<VirtualHost ${address}>`,
    ...indented([
      'ServerAdmin webmaster@localhost',
      '',
      'DocumentRoot /var/www',
      '<Directory />',
      '    Options FollowSymLinks',
      '    AllowOverride None',
      '</Directory>',
      '<Directory /var/www/>',
      '    Options Indexes FollowSymLinks MultiViews',
      '    AllowOverride None',
      '    Order allow,deny',
      '    allow from all',
      '</Directory>',
      '',
      'ScriptAlias /cgi-bin/ /usr/lib/cgi-bin/',
      '<Directory "/usr/lib/cgi-bin">',
      '    AllowOverride None',
      '    Options +ExecCGI -MultiViews +SymLinksIfOwnerMatch',
      '    Order allow,deny',
      '    Allow from all',
      '</Directory>',
      '',
      `ErrorLog \${APACHE_LOG_DIR}/error.log`,
      'LogLevel warn',
      `CustomLog \${APACHE_LOG_DIR}/access.log combined`,
      ...more,
    ]),
    '</VirtualHost>',
  );
}

/** /etc/apache2 as the package of Debian 12 (2.4) lays it out, before anybody has touched it. */
function debian12(): MachineFiles {
  const at = '/etc/apache2';
  const confs: readonly (readonly [string, string])[] = [
    ['charset', text('#AddDefaultCharset UTF-8')],
    ['localized-error-pages', text('#ErrorDocument 404 /missing.html')],
    ['other-vhosts-access-log', text(`CustomLog \${APACHE_LOG_DIR}/other_vhosts_access.log vhost_combined`)],
    ['security', text('ServerTokens OS', 'ServerSignature On', 'TraceEnable Off')],
    [
      'serve-cgi-bin',
      text('<IfModule mod_cgi.c>', '    ScriptAlias /cgi-bin/ /usr/lib/cgi-bin/', '    <Directory "/usr/lib/cgi-bin">', '        AllowOverride None', '        Options +ExecCGI', '        Require all granted', '    </Directory>', '</IfModule>'), // prettier-ignore
    ],
  ];
  return new Map<string, string | { readonly link: string }>([
    [
      `${at}/apache2.conf`,
      text(
        '# The main configuration of the server.',
        `DefaultRuntimeDir \${APACHE_RUN_DIR}`,
        `PidFile \${APACHE_PID_FILE}`,
        'Timeout 300',
        'KeepAlive On',
        'MaxKeepAliveRequests 100',
        'KeepAliveTimeout 5',
        `User \${APACHE_RUN_USER}`,
        `Group \${APACHE_RUN_GROUP}`,
        'HostnameLookups Off',
        `ErrorLog \${APACHE_LOG_DIR}/error.log`,
        'LogLevel warn',
        'IncludeOptional mods-enabled/*.load',
        'IncludeOptional mods-enabled/*.conf',
        'Include ports.conf',
        '<Directory />',
        ...indented(['Options FollowSymLinks', 'AllowOverride None', ...OF_24.nobody]),
        '</Directory>',
        '<Directory /usr/share>',
        ...indented(['AllowOverride None', ...OF_24.everybody]),
        '</Directory>',
        '<Directory /var/www/>',
        ...indented(['Options Indexes FollowSymLinks', 'AllowOverride None', ...OF_24.everybody]),
        '</Directory>',
        'AccessFileName .htaccess',
        '<FilesMatch "^\\.ht">',
        ...indented(OF_24.nobody),
        '</FilesMatch>',
        'LogFormat "%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" vhost_combined',
        'LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined',
        'LogFormat "%h %l %u %t \\"%r\\" %>s %O" common',
        'IncludeOptional conf-enabled/*.conf',
        'IncludeOptional sites-enabled/*.conf',
      ),
    ],
    [`${at}/envvars`, ENVVARS.replace('apache2$SUFFIX.pid', 'apache2$SUFFIX/apache2.pid')],
    [`${at}/magic`, '0\tstring\t\\037\\213\tapplication/x-gzip\n'],
    [`${at}/ports.conf`, text('Listen 80', '<IfModule ssl_module>', '    Listen 443', '</IfModule>')],
    ...confs.flatMap(([name, content]) => [
      [`${at}/conf-available/${name}.conf`, content] as const,
      [`${at}/conf-enabled/${name}.conf`, { link: `../conf-available/${name}.conf` }] as const,
    ]),
    ...moduleFiles(ENABLED_IN_12, AVAILABLE_IN_12, OF_24, true),
    [
      `${at}/sites-available/000-default.conf`,
      text('<VirtualHost *:80>', ...indented(['ServerAdmin webmaster@localhost', 'DocumentRoot /var/www/html', `ErrorLog \${APACHE_LOG_DIR}/error.log`]), '</VirtualHost>'), // prettier-ignore
    ],
    [
      `${at}/sites-available/default-ssl.conf`,
      text('<VirtualHost *:443>', ...indented(['DocumentRoot /var/www/html', 'SSLEngine on', 'SSLCertificateFile /etc/ssl/certs/ssl-cert-snakeoil.pem', 'SSLCertificateKeyFile /etc/ssl/private/ssl-cert-snakeoil.key']), '</VirtualHost>'), // prettier-ignore
    ],
    [`${at}/sites-enabled/000-default.conf`, { link: '../sites-available/000-default.conf' }],
    ['/etc/mime.types', 'text/html html htm\ntext/plain txt\ntext/css css\n'],
    [`${ICONS}/text.gif`, 'GIF89a'],
    ['/var/www/html/index.html', 'default page of the package\n'],
  ]);
}

export const debian = (): Platform => ({
  places: {
    www: '/var/www/www.example.org',
    intranet: '/srv/intranet',
    shop: '/var/www/shop.example.org',
    passwords: '/etc/apache2/passwd',
    certificates: '/etc/ssl/shop',
    logs: `\${APACHE_LOG_DIR}`,
    logDirectory: '/var/log/apache2',
  },
  old: debian7(['rewrite', 'ssl', 'php5']),
  site: (name, lines) => [
    [`/etc/apache2/sites-available/${name}`, lines],
    [`/etc/apache2/sites-enabled/${name}`, { link: `../sites-available/${name}` }],
  ],
  new: debian12(),
  main22: '/etc/apache2/apache2.conf',
  main24: '/etc/apache2/apache2.conf',
  control: text(
    'APACHE_CONFDIR=/etc/apache2',
    '. /etc/apache2/envvars',
    'mkdir -p "$APACHE_RUN_DIR" "$APACHE_LOCK_DIR" "$APACHE_LOG_DIR"',
  ),
  requests: [
    ...STATUS,
    ...PHP,
    [WWW, '/icons/text.gif', 200],
    [WWW, '/icons/', 200],
    [WWW, '/cgi-bin/env.cgi', 404],
    [INTRANET, '/server-status', 401],
    [OTHER, '/', 200],
    [OTHER, '/cgi-bin/env.cgi', 200],
    [OTHER, '/www.example.org/', 200],
    [OTHER, '/www.example.org/office/', 200],
  ],
});
