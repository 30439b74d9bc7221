import { indented, text } from '../hosting/layout';
import { BASE_24, loadLines, type MachineFiles, type Platform } from './platform';
import { OTHER, PHP, STATUS } from './requests';
import { INTRANET, WWW } from './sites';

const MODULES_22 =
  'actions alias auth_basic authn_alias authn_anon authn_dbm authn_default authn_file authz_dbm authz_default authz_groupfile authz_host authz_owner authz_user autoindex cgi deflate dir env expires ext_filter filter headers include log_config logio mime mime_magic negotiation rewrite setenvif speling unique_id usertrack vhost_alias'.split(
    ' ',
  );

const at = '/etc/apache2';

/** Modules that only a name in APACHE2_OPTS has loaded. */
const loadedIf = (name: string, module: string): readonly string[] => [
  `<IfDefine ${name}>`,
  `LoadModule ${module}_module modules/mod_${module}.so`,
  '</IfDefine>',
];

interface Dialect {
  readonly is24: boolean;
  readonly everybody: readonly string[];
  readonly nobody: readonly string[];
}
const OF_22: Dialect = {
  is24: false,
  everybody: ['Order allow,deny', 'Allow from all'],
  nobody: ['Order deny,allow', 'Deny from all'],
};
const OF_24: Dialect = { is24: true, everybody: ['Require all granted'], nobody: ['Require all denied'] };

const main = (loads: readonly string[]): string =>
  text(
    'ServerRoot "/usr/lib64/apache2"',
    ...loads,
    'User apache',
    'Group apache',
    'Include /etc/apache2/modules.d/*.conf',
    'Include /etc/apache2/vhosts.d/*.conf',
  );

/** What is in modules.d and vhosts.d in both. */
function common({ is24, everybody, nobody }: Dialect): readonly (readonly [string, string])[] {
  const local = is24 ? ['Require host localhost', 'Require local'] : [...nobody, 'Allow from 127.0.0.1'];
  return [
    [
      'modules.d/00_default_settings.conf',
      text(
        'Timeout 300',
        'KeepAlive On',
        'UseCanonicalName Off',
        'AccessFileName .htaccess',
        'ServerTokens Prod',
        'HostnameLookups Off',
        'EnableMMAP On',
        'EnableSendfile Off',
        'FileEtag INode MTime Size',
        'ContentDigest Off',
        'ErrorLog /var/log/apache2/error_log',
        'LogLevel warn',
        '<Directory />',
        ...indented(['Options FollowSymLinks', 'AllowOverride None', ...nobody], '\t'),
        '</Directory>',
        '<IfModule dir_module>',
        '\tDirectoryIndex index.html index.html.var',
        '</IfModule>',
        '<FilesMatch "^\\.ht">',
        ...indented(nobody, '\t'),
        '</FilesMatch>',
      ),
    ],
    [
      'modules.d/00_mpm.conf',
      text(
        'PidFile /var/run/apache2.pid',
        ...(is24 ? [] : ['#LockFile /var/run/apache2.lock']),
        '<IfModule mpm_prefork_module>',
        ...indented(['StartServers 5', 'MinSpareServers 5', 'MaxSpareServers 10', is24 ? 'MaxRequestWorkers 150' : 'MaxClients 150'], '\t'), // prettier-ignore
        '</IfModule>',
      ),
    ],
    ['modules.d/00_mod_log_config.conf', text('<IfModule log_config_module>', 'LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined', 'CustomLog /var/log/apache2/access_log combined', '</IfModule>')], // prettier-ignore
    ['modules.d/00_mod_mime.conf', text(...(is24 ? [] : ['DefaultType text/plain']), '<IfModule mime_module>', 'TypesConfig /etc/mime.types', '</IfModule>')], // prettier-ignore
    ['modules.d/00_mod_status.conf', text('<IfDefine STATUS>', '<Location /server-status>', '\tSetHandler server-status', ...indented(local, '\t'), '</Location>', 'ExtendedStatus On', '</IfDefine>')], // prettier-ignore
    [
      'modules.d/00_mod_userdir.conf',
      text('<IfDefine USERDIR>', 'UserDir public_html', '<Directory /home/*/public_html>', ...indented(['AllowOverride FileInfo AuthConfig Limit Indexes', ...everybody], '\t'), '</Directory>', '</IfDefine>'), // prettier-ignore
    ],
    ['modules.d/40_mod_ssl.conf', text('<IfDefine SSL>', ...(is24 ? [] : ['SSLRandomSeed startup builtin', 'SSLMutex file:/var/run/ssl_mutex']), 'SSLSessionCache shmcb:/var/run/ssl_scache(512000)', '</IfDefine>')], // prettier-ignore
    ...hosts(is24, everybody),
  ];
}

/** What is in vhosts.d in both. */
function hosts(is24: boolean, everybody: Dialect['everybody']): readonly (readonly [string, string])[] {
  return [
    [
      'vhosts.d/default_vhost.include',
      text(
        'ServerAdmin root@localhost',
        'DocumentRoot "/var/www/localhost/htdocs"',
        '<Directory "/var/www/localhost/htdocs">',
        ...indented(['Options Indexes FollowSymLinks', 'AllowOverride All', ...everybody], '\t'),
        '</Directory>',
        '<IfModule alias_module>',
        '\tScriptAlias /cgi-bin/ "/var/www/localhost/cgi-bin/"',
        '</IfModule>',
        '<Directory "/var/www/localhost/cgi-bin">',
        ...indented(['AllowOverride None', 'Options None', ...everybody], '\t'),
        '</Directory>',
      ),
    ],
    [
      'vhosts.d/00_default_vhost.conf',
      text(
        '<IfDefine DEFAULT_VHOST>',
        'Listen 80',
        ...(is24 ? [] : ['NameVirtualHost *:80']),
        '<VirtualHost *:80>',
        '\tServerName localhost',
        '\tInclude /etc/apache2/vhosts.d/default_vhost.include',
        '\t<IfModule mpm_peruser_module>',
        '\t\tServerEnvironment apache apache',
        '\t</IfModule>',
        '</VirtualHost>',
        '</IfDefine>',
      ),
    ],
    [
      'vhosts.d/00_default_ssl_vhost.conf',
      text('<IfDefine SSL>', '<IfDefine SSL_DEFAULT_VHOST>', 'Listen 443', '<VirtualHost _default_:443>', '\tSSLEngine on', '\tSSLCertificateFile /etc/ssl/apache2/server.crt', '\tSSLCertificateKeyFile /etc/ssl/apache2/server.key', '</VirtualHost>', '</IfDefine>', '</IfDefine>'), // prettier-ignore
    ],
  ];
}

const files = (rows: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] =>
  rows.map(([name, lines]) => [`${at}/${name}`, lines]);

const SYSTEM: readonly (readonly [string, string])[] = [
  ['/etc/mime.types', 'text/html html\ntext/plain txt\n'],
];

/** Apache 2.2 as Gentoo has it: parts of the configuration count with a name in APACHE2_OPTS alone. */
function gentoo22(): MachineFiles {
  const loads = MODULES_22.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`);
  return new Map([
    ...files(common(OF_22)),
    ...SYSTEM,
    [`${at}/httpd.conf`, main([...loads, ...loadedIf('STATUS', 'status'), ...loadedIf('SSL', 'ssl'), ...loadedIf('USERDIR', 'userdir')])], // prettier-ignore
    [
      `${at}/modules.d/70_mod_php5.conf`,
      text('<IfDefine PHP5>', '\t<IfModule !mod_php5.c>', '\t\tLoadModule php5_module modules/libphp5.so', '\t</IfModule>', '\t<IfModule mod_mime.c>', '\t\tAddHandler application/x-httpd-php .php .php5 .phtml', '\t\tAddHandler application/x-httpd-php-source .phps', '\t</IfModule>', '\tDirectoryIndex index.php index.phtml', '</IfDefine>'), // prettier-ignore
    ],
    [`${at}/vhosts.d/01_ssl.conf`, text('<IfDefine SSL>', 'Listen 443', '</IfDefine>')],
    ['/etc/conf.d/apache2', text('APACHE2_OPTS="-D DEFAULT_VHOST -D STATUS -D SSL -D PHP5"')],
    ['/var/www/localhost/htdocs/index.html', '<h1>It works!</h1>\n'],
    ['/var/www/localhost/cgi-bin/env.cgi', '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nenv\\n"\n'],
  ]);
}

/** Gentoo with 2.4, before anybody has touched it: httpd.conf loads what was built. */
function gentoo24(): MachineFiles {
  const always = BASE_24.filter((name) => !['status', 'ssl', 'userdir'].includes(name));
  return new Map([
    ...files(common(OF_24)),
    ...SYSTEM,
    [
      `${at}/httpd.conf`,
      main([
        ...loadLines([...always, 'mpm_prefork', 'proxy', 'proxy_fcgi'], 'modules'),
        ...loadedIf('STATUS', 'status'),
        ...loadedIf('SSL', 'ssl'),
        ...loadedIf('USERDIR', 'userdir'),
      ]),
    ],
    ['/etc/conf.d/apache2', text('APACHE2_OPTS="-D DEFAULT_VHOST -D INFO -D SSL -D SSL_DEFAULT_VHOST -D LANGUAGE"')], // prettier-ignore
    ['/var/www/localhost/htdocs/.keep', ''],
  ]);
}

export const gentoo = (): Platform => ({
  places: {
    www: '/var/www/www.example.org/htdocs',
    intranet: '/var/www/intranet',
    shop: '/var/www/shop.example.org/htdocs',
    passwords: '/etc/apache2/passwd',
    certificates: '/etc/ssl/shop',
    logs: '/var/log/apache2',
  },
  old: gentoo22(),
  site: (name, lines) => [[`${at}/vhosts.d/${name}.conf`, lines]],
  new: gentoo24(),
  main22: `${at}/httpd.conf`,
  main24: `${at}/httpd.conf`,
  modules: '/usr/lib64/apache2/modules',
  control: text('. /etc/conf.d/apache2', 'options=$APACHE2_OPTS'),
  requests: [
    ...STATUS,
    ...PHP,
    [WWW, '/cgi-bin/env.cgi', 404],
    [INTRANET, '/server-status', 401],
    [OTHER, '/', 200],
    [OTHER, '/cgi-bin/env.cgi', 200],
  ],
});
