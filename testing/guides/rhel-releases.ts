import { text } from '../hosting/layout';
import type { MachineFiles } from './debian-releases';

const BASE =
  'access_compat actions alias allowmethods auth_basic auth_digest authn_anon authn_core authn_dbd authn_dbm authn_file authn_socache authz_core authz_dbd authz_dbm authz_groupfile authz_host authz_owner authz_user autoindex cache cache_disk data dbd deflate dir dumpio echo env expires ext_filter filter headers include info log_config logio mime_magic mime negotiation remoteip reqtimeout rewrite setenvif slotmem_plain slotmem_shm socache_dbm socache_memcache socache_shmcb status substitute suexec unique_id unixd userdir version vhost_alias'.split(
    ' ',
  );

/**
 * /etc/httpd as the package of RHEL 7 and later lays it out, before anybody has touched it.
 * @param builtIn modules that the httpd of this machine has compiled in
 */
export function rhel9(builtIn: ReadonlySet<string>): MachineFiles {
  const at = '/etc/httpd';
  const loads = BASE.filter((name) => !builtIn.has(name));
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
    [
      `${at}/conf.modules.d/00-base.conf`,
      text(...loads.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`)),
    ],
    [`${at}/conf.modules.d/00-mpm.conf`, text('LoadModule mpm_event_module modules/mod_mpm_event.so')],
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
