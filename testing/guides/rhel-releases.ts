import { AS_INSTALLED } from '../hosting/generate';
import { text } from '../hosting/layout';
import { rhel as layout } from '../hosting/rhel';
import { loadLines, type MachineFiles, type Platform } from './platform';
import { OTHER, PHP, STATUS } from './requests';
import { INTRANET, WWW } from './sites';

const BASE =
  'access_compat actions alias allowmethods auth_basic auth_digest authn_anon authn_core authn_dbd authn_dbm authn_file authn_socache authz_core authz_dbd authz_dbm authz_groupfile authz_host authz_owner authz_user autoindex cache cache_disk data dbd deflate dir dumpio echo env expires ext_filter filter headers include info log_config logio mime_magic mime negotiation remoteip reqtimeout rewrite setenvif slotmem_plain slotmem_shm socache_dbm socache_memcache socache_shmcb status substitute suexec unique_id unixd userdir version vhost_alias'.split(
    ' ',
  );

const at = '/etc/httpd';

/** RHEL 6 with mod_ssl and PHP. */
function rhel6(): MachineFiles {
  return new Map([
    ...layout.configuration(AS_INSTALLED, []),
    [
      `${at}/conf.d/ssl.conf`,
      text('LoadModule ssl_module modules/mod_ssl.so', 'Listen 443', 'SSLPassPhraseDialog builtin', 'SSLSessionCache shmcb:/var/cache/mod_ssl/scache(512000)', 'SSLSessionCacheTimeout 300', 'SSLMutex default', 'SSLRandomSeed startup file:/dev/urandom 256', 'SSLCryptoDevice builtin'), // prettier-ignore
    ],
    [
      `${at}/conf.d/php.conf`,
      text('<IfModule prefork.c>', '  LoadModule php5_module modules/libphp5.so', '</IfModule>', '<IfModule worker.c>', '  LoadModule php5_module modules/libphp5-zts.so', '</IfModule>', 'AddHandler php5-script .php', 'AddType text/html .php', 'DirectoryIndex index.php'), // prettier-ignore
    ],
    ['/var/www/icons/text.gif', 'GIF89a'],
    ['/var/www/cgi-bin/env.cgi', '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nenv\\n"\n'],
  ]);
}

/** RHEL 7 and later with mod_ssl, before anybody has touched it. */
function rhel9(): MachineFiles {
  return new Map<string, string | { readonly link: string }>([
    [
      `${at}/conf/httpd.conf`,
      text(
        'ServerRoot "/etc/httpd"',
        'Listen 80',
        'Include conf.modules.d/*.conf',
        'User apache',
        'Group apache',
        'ServerAdmin root@localhost',
        '<Directory />',
        '    AllowOverride none',
        '    Require all denied',
        '</Directory>',
        'DocumentRoot "/var/www/html"',
        '<Directory "/var/www">',
        '    AllowOverride None',
        '    Require all granted',
        '</Directory>',
        'ErrorLog "logs/error_log"',
        'IncludeOptional conf.d/*.conf',
      ),
    ],
    [`${at}/conf.modules.d/00-base.conf`, text(...loadLines(BASE, 'modules'))],
    [`${at}/conf.modules.d/00-mpm.conf`, text('LoadModule mpm_event_module modules/mod_mpm_event.so')],
    [`${at}/conf.modules.d/00-proxy.conf`, text(...loadLines(['proxy', 'proxy_fcgi'], 'modules'))],
    [`${at}/conf.modules.d/00-ssl.conf`, text('LoadModule ssl_module modules/mod_ssl.so')],
    [`${at}/conf.modules.d/01-cgi.conf`, text('LoadModule cgid_module modules/mod_cgid.so')],
    [`${at}/conf.d/ssl.conf`, text('Listen 443', 'SSLSessionCache shmcb:/run/httpd/sslcache(512000)')],
    ['/var/cache/mod_ssl/.keep', ''],
    [
      `${at}/conf.d/autoindex.conf`,
      text('IndexOptions FancyIndexing HTMLTable VersionSort', 'Alias /icons/ "/usr/share/httpd/icons/"', '<Directory "/usr/share/httpd/icons">', '    Options Indexes MultiViews FollowSymlinks', '    AllowOverride None', '    Require all granted', '</Directory>'), // prettier-ignore
    ],
    [`${at}/conf.d/userdir.conf`, text('<IfModule mod_userdir.c>', '    UserDir disabled', '</IfModule>')],
    [
      `${at}/conf.d/welcome.conf`,
      text('<LocationMatch "^/+$">', '    Options -Indexes', '    ErrorDocument 403 /.noindex.html', '</LocationMatch>', 'Alias /.noindex.html /usr/share/httpd/noindex/index.html'), // prettier-ignore
    ],
    [`${at}/logs`, { link: '../../var/log/httpd' }],
    [`${at}/run`, { link: '/run/httpd' }],
    ['/run/httpd/.keep', ''],
    ['/etc/mime.types', 'text/html html\n'],
    ['/var/www/html/.keep', ''],
  ]);
}

export const rhel = (): Platform => ({
  places: {
    www: '/var/www/www.example.org',
    intranet: '/srv/intranet',
    shop: '/var/www/shop.example.org',
    passwords: '/etc/httpd/passwd',
    certificates: '/etc/pki/tls/shop',
    logs: 'logs',
    logDirectory: '/var/log/httpd',
  },
  old: rhel6(),
  site: (name, lines) => [[`${at}/conf.d/${name}.conf`, lines]],
  new: rhel9(),
  main22: `${at}/conf/httpd.conf`,
  main24: `${at}/conf/httpd.conf`,
  modules: `${at}/modules`,
  requests: [
    ...STATUS,
    ...PHP,
    [WWW, '/icons/text.gif', 200],
    [WWW, '/icons/', 200],
    [WWW, '/cgi-bin/env.cgi', 200],
    [INTRANET, '/server-status', 401],
    [OTHER, '/files/', 401],
  ],
});
