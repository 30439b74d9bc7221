import { indented, text } from '../hosting/layout';
import { BASE_24, loadLines, type MachineFiles, type Platform } from './platform';
import { INTRANET, WWW } from './sites';
import { OTHER, PHP, STATUS } from './requests';

const LOADED_22 =
  'authn_file authn_dbm authn_anon authn_default authn_alias authz_host authz_groupfile authz_user authz_dbm authz_owner authz_default auth_basic auth_digest cache disk_cache expires headers imagemap include log_config logio env mime_magic cern_meta usertrack unique_id setenvif version mime dav status autoindex asis info cgi dav_fs vhost_alias negotiation dir actions speling userdir alias rewrite reqtimeout ssl'.split(
    ' ',
  );

/** The lines that httpd.conf has in both ports, but for access. */
const common = (release: '22' | '24'): readonly string[] => [
  'ServerAdmin you@example.com',
  `DocumentRoot "/usr/local/www/apache${release}/data"`,
  'DirectoryIndex index.html',
  'ErrorLog "/var/log/httpd-error.log"',
  'LogLevel warn',
  '<IfModule log_config_module>',
  ...indented([
    'LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined',
    'LogFormat "%h %l %u %t \\"%r\\" %>s %b" common',
    'CustomLog "/var/log/httpd-access.log" common',
  ]),
  '</IfModule>',
  '<IfModule alias_module>',
  `    ScriptAlias /cgi-bin/ "/usr/local/www/apache${release}/cgi-bin/"`,
  '</IfModule>',
  '<IfModule mime_module>',
  `    TypesConfig etc/apache${release}/mime.types`,
  '    AddType application/x-compress .Z',
  '</IfModule>',
];

/** The port apache22, with PHP's module beside it, and with the files for virtual hosts, TLS and the server's status read. */
function apache22(): MachineFiles {
  const at = '/usr/local/etc/apache22';
  return new Map([
    [
      `${at}/httpd.conf`,
      text(
        'ServerRoot "/usr/local"',
        'Listen 80',
        ...LOADED_22.map((name) => `LoadModule ${name}_module libexec/apache22/mod_${name}.so`),
        'LoadModule php5_module        libexec/apache22/libphp5.so',
        '<IfModule !mpm_netware_module>',
        '<IfModule !mpm_winnt_module>',
        'User www',
        'Group www',
        '</IfModule>',
        '</IfModule>',
        '<Directory />',
        ...indented(['AllowOverride None', 'Order deny,allow', 'Deny from all']),
        '</Directory>',
        '<Directory "/usr/local/www/apache22/data">',
        ...indented(['Options Indexes FollowSymLinks', 'AllowOverride None', 'Order allow,deny', 'Allow from all']), // prettier-ignore
        '</Directory>',
        '<FilesMatch "^\\.ht">',
        ...indented(['Order allow,deny', 'Deny from all', 'Satisfy All']),
        '</FilesMatch>',
        ...common('22'),
        '<Directory "/usr/local/www/apache22/cgi-bin">',
        ...indented(['AllowOverride None', 'Options None', 'Order allow,deny', 'Allow from all']),
        '</Directory>',
        'DefaultType text/plain',
        '#Include etc/apache22/extra/httpd-mpm.conf',
        '#Include etc/apache22/extra/httpd-autoindex.conf',
        'Include etc/apache22/extra/httpd-info.conf',
        'Include etc/apache22/extra/httpd-vhosts.conf',
        'Include etc/apache22/extra/httpd-ssl.conf',
        '<IfModule ssl_module>',
        'SSLRandomSeed startup builtin',
        'SSLRandomSeed connect builtin',
        '</IfModule>',
        'Include etc/apache22/Includes/*.conf',
      ),
    ],
    [
      `${at}/extra/httpd-info.conf`,
      text('<Location /server-status>', '    SetHandler server-status', '    Order deny,allow', '    Deny from all', '    Allow from 127.0.0.1', '</Location>', 'ExtendedStatus On'), // prettier-ignore
    ],
    [
      `${at}/extra/httpd-vhosts.conf`,
      text(
        'NameVirtualHost *:80',
        '<VirtualHost *:80>',
        ...indented(['DocumentRoot "/usr/local/www/apache22/data"', 'ServerName localhost']),
        '</VirtualHost>',
      ),
    ],
    [
      `${at}/extra/httpd-ssl.conf`,
      text(
        'Listen 443',
        'AddType application/x-x509-ca-cert .crt',
        'SSLPassPhraseDialog  builtin',
        'SSLSessionCache        "shmcb:/var/run/ssl_scache(512000)"',
        'SSLSessionCacheTimeout  300',
        'SSLMutex  "file:/var/run/ssl_mutex"',
      ),
    ],
    [
      `${at}/Includes/php.conf`,
      text('AddType application/x-httpd-php .php', 'AddType application/x-httpd-php-source .phps'),
    ],
    [`${at}/Includes/no-accf.conf`, text('<IfDefine NOHTTPACCEPT>', '    AcceptFilter http none', '    AcceptFilter https none', '</IfDefine>')], // prettier-ignore
    [`${at}/mime.types`, 'text/html html\ntext/plain txt\n'],
    ['/etc/rc.conf', 'sshd_enable="YES"\napache22_enable="YES"\n'],
    ['/usr/local/www/apache22/data/index.html', '<h1>It works!</h1>\n'],
    ['/usr/local/www/apache22/cgi-bin/env.cgi', '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nenv\\n"\n'],
  ]);
}

/** The port apache24, before anybody has touched it. */
function apache24(): MachineFiles {
  const at = '/usr/local/etc/apache24';
  const main = text(
    'ServerRoot "/usr/local"',
    'Listen 80',
    ...loadLines([...BASE_24, 'mpm_prefork', 'proxy', 'proxy_fcgi'], 'libexec/apache24'),
    'IncludeOptional etc/apache24/modules.d/[0-9][0-9][0-9]_*.conf',
    'User www',
    'Group www',
    '<Directory />',
    ...indented(['AllowOverride none', 'Require all denied']),
    '</Directory>',
    '<Directory "/usr/local/www/apache24/data">',
    ...indented(['Options Indexes FollowSymLinks', 'AllowOverride None', 'Require all granted']),
    '</Directory>',
    '<Files ".ht*">',
    '    Require all denied',
    '</Files>',
    ...common('24'),
    'Include etc/apache24/Includes/*.conf',
  );
  return new Map([
    [`${at}/httpd.conf`, main],
    [`${at}/httpd.conf.sample`, main],
    [`${at}/Includes/no-accf.conf`, text('<IfDefine NOHTTPACCEPT>', '    AcceptFilter http none', '    AcceptFilter https none', '</IfDefine>')], // prettier-ignore
    [`${at}/modules.d/README_modules.d`, 'Configuration files of modules\n'],
    [`${at}/mime.types`, 'text/html html\ntext/plain txt\n'],
    [`${at}/extra/httpd-mpm.conf`, text('PidFile "/var/run/httpd.pid"')],
    ['/etc/rc.conf', 'sshd_enable="YES"\n'],
    ['/usr/local/www/apache24/data/index.html', 'default page of the package\n'],
  ]);
}

export const freebsd = (): Platform => ({
  places: {
    www: '/usr/local/www/www.example.org',
    intranet: '/usr/local/www/intranet',
    shop: '/usr/local/www/shop.example.org',
    passwords: '/usr/local/etc/apache22/passwd',
    certificates: '/usr/local/etc/apache22/shop',
    logs: '/var/log',
  },
  old: apache22(),
  site: (name, lines) => [[`/usr/local/etc/apache22/Includes/${name}.conf`, lines]],
  new: apache24(),
  main22: '/usr/local/etc/apache22/httpd.conf',
  main24: '/usr/local/etc/apache24/httpd.conf',
  modules: '/usr/local/libexec/apache24',
  requests: [
    ...STATUS,
    ...PHP,
    [WWW, '/cgi-bin/env.cgi', 200],
    [INTRANET, '/server-status', 401],
    [OTHER, '/', 200],
    [OTHER, '/cgi-bin/env.cgi', 200],
  ],
});
