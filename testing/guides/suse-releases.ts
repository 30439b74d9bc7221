import { indented, text } from '../hosting/layout';
import { type Content, type MachineFiles, type Platform } from './platform';
import { OTHER, PHP, STATUS } from './requests';
import { INTRANET, WWW } from './sites';

const MODULES_22 =
  'actions alias auth_basic authn_file authz_host authz_groupfile authz_default authz_user autoindex cgi dir env expires include log_config mime negotiation setenvif ssl suexec userdir php5 rewrite status'.split(
    ' ',
  );
const MODULES_24 =
  'actions alias auth_basic authn_core authn_file authz_host authz_groupfile authz_core authz_user autoindex cgi dir env expires include log_config mime negotiation setenvif ssl socache_shmcb userdir reqtimeout';

const at = '/etc/apache2';

/** How the two versions say who may have a directory. */
interface Dialect {
  readonly everybody: readonly string[];
  readonly nobody: readonly string[];
  readonly local: readonly string[];
}

const OF_22: Dialect = {
  everybody: ['Order allow,deny', 'Allow from all'],
  nobody: ['Order deny,allow', 'Deny from all'],
  local: ['Order deny,allow', 'Deny from all', 'Allow from localhost 127.0.0.1'],
};

/** The package of 2.4 asks for mod_access_compat in all its files. */
const either = (of24: string, of22: readonly string[]): readonly string[] => [
  '<IfModule !mod_access_compat.c>',
  `    ${of24}`,
  '</IfModule>',
  '<IfModule mod_access_compat.c>',
  ...indented(of22),
  '</IfModule>',
];
const OF_24: Dialect = {
  everybody: either('Require all granted', OF_22.everybody),
  nobody: either('Require all denied', OF_22.nobody),
  local: either('Require local', OF_22.local),
};

const directory = (path: string, options: string, access: readonly string[]): readonly string[] => [
  `<Directory "${path}">`,
  ...indented([options, 'AllowOverride None', ...access]),
  '</Directory>',
];

/** What both releases have in /etc/apache2, beside httpd.conf. */
const common = ({ everybody, nobody, local }: Dialect): readonly (readonly [string, string])[] => [
  ['uid.conf', text('User wwwrun', 'Group www')],
  ['server-tuning.conf', text('<IfModule prefork.c>', '    StartServers         5', '    MinSpareServers      5', '    MaxSpareServers     10', '    ServerLimit        150', '    MaxClients         150', '</IfModule>', 'KeepAlive On')], // prettier-ignore
  ['mod_log_config.conf', text('<IfModule mod_log_config.c>', '    LogFormat "%h %l %u %t \\"%r\\" %>s %b" common', '    LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined', '</IfModule>')], // prettier-ignore
  ['mod_status.conf', text('<IfModule mod_status.c>', '    <Location /server-status>', '        SetHandler server-status', ...indented(local, '        '), '    </Location>', '</IfModule>')], // prettier-ignore
  ['mod_autoindex-defaults.conf', text('<IfModule mod_autoindex.c>', '    IndexOptions FancyIndexing VersionSort NameWidth=*', '    IndexIgnore .??* *~ *# HEADER* README* RCS CVS *,v *,t', '</IfModule>')], // prettier-ignore
  ['mod_mime-defaults.conf', text('AddType application/x-compress .Z', 'AddLanguage en .en')],
  ['errors.conf', text('#ErrorDocument 404 /missing.html')],
  ['mod_userdir.conf', text('<IfModule mod_userdir.c>', '    UserDir disabled root', '    <Directory /home/*/public_html>', '        AllowOverride FileInfo AuthConfig Limit Indexes', '        Options MultiViews Indexes SymLinksIfOwnerMatch IncludesNoExec', ...indented(everybody, '        '), '    </Directory>', '</IfModule>')], // prettier-ignore
  [
    'default-server.conf',
    text(
      'DocumentRoot "/srv/www/htdocs"',
      ...directory('/srv/www/htdocs', 'Options None', everybody),
      'Alias /icons/ "/usr/share/apache2/icons/"',
      ...directory('/usr/share/apache2/icons', 'Options Indexes MultiViews', everybody),
      'ScriptAlias /cgi-bin/ "/srv/www/cgi-bin/"',
      ...directory('/srv/www/cgi-bin', 'Options +ExecCGI -Includes', everybody),
      '<IfModule mod_userdir.c>',
      '    UserDir public_html',
      '    Include /etc/apache2/mod_userdir.conf',
      '</IfModule>',
      'IncludeOptional /etc/apache2/conf.d/*.conf',
    ),
  ],
  ['mime.types', 'text/html html\ntext/plain txt\n'],
  ['httpd.conf.access', text('AccessFileName .htaccess', '<Files ~ "^\\.ht">', ...indented(nobody), '</Files>', 'DirectoryIndex index.html index.html.var')], // prettier-ignore
];

const files = (rows: readonly (readonly [string, string])[]): readonly (readonly [string, Content])[] =>
  rows.filter(([name]) => name !== 'httpd.conf.access').map(([name, lines]) => [`${at}/${name}`, lines]);

/** @param loads how it reads the modules, and what else sysconfig says */
function main(dialect: Dialect, loads: (name: string) => readonly string[], more: readonly string[]): string {
  const access = common(dialect).find(([name]) => name === 'httpd.conf.access')![1];
  return text(
    'Include /etc/apache2/uid.conf',
    'Include /etc/apache2/server-tuning.conf',
    'ErrorLog /var/log/apache2/error_log',
    ...loads('loadmodule.conf'),
    'Include /etc/apache2/listen.conf',
    'Include /etc/apache2/mod_log_config.conf',
    ...loads('global.conf'),
    'Include /etc/apache2/mod_status.conf',
    'Include /etc/apache2/mod_autoindex-defaults.conf',
    'TypesConfig /etc/apache2/mime.types',
    ...more,
    'Include /etc/apache2/mod_mime-defaults.conf',
    'Include /etc/apache2/errors.conf',
    'Include /etc/apache2/ssl-global.conf',
    '<Directory />',
    ...indented(['Options None', 'AllowOverride None', ...dialect.nobody]),
    '</Directory>',
    ...access.trimEnd().split('\n'),
    'Include /etc/apache2/default-server.conf',
    ...loads('include.conf'),
    `${dialect === OF_24 ? 'IncludeOptional' : 'Include'} /etc/apache2/vhosts.d/*.conf`,
  );
}

/** SLES 11 and openSUSE up to 12.x: files in sysconfig.d are made from /etc/sysconfig/apache2 at every start. */
function suse11(): MachineFiles {
  const loadedFrom = (name: string): string =>
    name === 'php5' ? '/usr/lib64/apache2/mod_php5.so' : `/usr/lib64/apache2-prefork/mod_${name}.so`;
  return new Map([
    ...files(common(OF_22).map(([name, lines]) => [name, lines.replace('IncludeOptional', 'Include')])),
    [`${at}/httpd.conf`, main(OF_22, (name) => [`Include /etc/apache2/sysconfig.d/${name}`], ['DefaultType text/plain'])], // prettier-ignore
    [`${at}/sysconfig.d/loadmodule.conf`, text(...MODULES_22.map((name) => `LoadModule ${name}_module                 ${loadedFrom(name)}`))], // prettier-ignore
    [`${at}/sysconfig.d/global.conf`, text('ServerSignature on', 'UseCanonicalName off', 'ServerTokens OS', 'LogLevel warn', 'CustomLog /var/log/apache2/access_log combined')], // prettier-ignore
    [`${at}/sysconfig.d/include.conf`, text('# No files are named in sysconfig.')],
    [`${at}/listen.conf`, text('Listen 80', '<IfDefine SSL>', '    <IfDefine !NOSSL>', '        <IfModule mod_ssl.c>', '            Listen 443', '        </IfModule>', '    </IfDefine>', '</IfDefine>', 'NameVirtualHost *:80')], // prettier-ignore
    [`${at}/ssl-global.conf`, text('<IfModule mod_ssl.c>', '    SSLRandomSeed startup builtin', '    SSLPassPhraseDialog builtin', '    SSLSessionCache shmcb:/var/lib/apache2/ssl_scache(512000)', '    SSLSessionCacheTimeout 300', '    SSLMutex default', '</IfModule>')], // prettier-ignore
    [`${at}/conf.d/php5.conf`, text('<IfModule mod_php5.c>', '    AddHandler application/x-httpd-php .php4', '    AddHandler application/x-httpd-php .php5', '    AddHandler application/x-httpd-php .php', '    DirectoryIndex index.php4 index.php5 index.php', '</IfModule>')], // prettier-ignore
    [`${at}/vhosts.d/vhost.template`, text('<VirtualHost *:80>', '    ServerName dummy-host.example.com', '</VirtualHost>')], // prettier-ignore
    ['/etc/sysconfig/apache2', text('APACHE_CONF_INCLUDE_FILES=""', `APACHE_MODULES="${MODULES_22.join(' ')}"`, 'APACHE_SERVER_FLAGS="SSL"', 'APACHE_MPM="prefork"')], // prettier-ignore
    ['/usr/share/apache2/icons/text.gif', 'GIF89a'],
    ['/var/lib/apache2/.keep', ''],
    [`${at}/ssl.key/.keep`, ''],
    ['/srv/www/htdocs/index.html', '<h1>It works!</h1>\n'],
    ['/srv/www/cgi-bin/env.cgi', '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nenv\\n"\n'],
  ]);
}

/**
 * Leap 15 and SLES 15: what sysconfig says is given to httpd as options, and httpd.conf reads its own files where there are none.
 */
function suse15(): MachineFiles {
  const loads = (name: string): readonly string[] =>
    name === 'include.conf'
      ? []
      : ['<IfDefine !SYSCONFIG>', `    Include /etc/apache2/${name}`, '</IfDefine>'];
  return new Map([
    ...files(common(OF_24)),
    [`${at}/httpd.conf`, main(OF_24, loads, [])],
    [`${at}/loadmodule.conf`, text('# Not read where sysconfig names the modules.')],
    [`${at}/global.conf`, text('ServerTokens ProductOnly')],
    [`${at}/listen.conf`, text('Listen 80', '<IfDefine SSL>', '    <IfDefine !NOSSL>', '        <IfModule mod_ssl.c>', '            Listen 443', '        </IfModule>', '    </IfDefine>', '</IfDefine>')], // prettier-ignore
    [`${at}/ssl-global.conf`, text('<IfModule mod_ssl.c>', '    SSLSessionCache shmcb:/var/lib/apache2/ssl_scache(512000)', '</IfModule>')], // prettier-ignore
    [`${at}/conf.d/README`, 'Files that packages bring\n'],
    [`${at}/vhosts.d/vhost.template`, text('<VirtualHost *:80>', '    ServerName dummy-host.example.com', '</VirtualHost>')], // prettier-ignore
    ['/etc/sysconfig/apache2', text('APACHE_CONF_INCLUDE_FILES=""', `APACHE_MODULES="${MODULES_24}"`, 'APACHE_SERVER_FLAGS=""')], // prettier-ignore
    ['/usr/share/apache2/icons/text.gif', 'GIF89a'],
    ['/var/lib/apache2/.keep', ''],
    [`${at}/ssl.key/.keep`, ''],
    ['/srv/www/htdocs/.keep', ''],
    // Its own, which change the lists in sysconfig.
    ['/opt/commands/a2enmod', list('APACHE_MODULES', true)],
    ['/opt/commands/a2dismod', list('APACHE_MODULES', false)],
    ['/opt/commands/a2enflag', list('APACHE_SERVER_FLAGS', true)],
  ]);
}

/** Changes a list in /etc/sysconfig/apache2; `-l` prints it. */
const list = (variable: string, isAdded: boolean): string =>
  text(
    '#!/bin/bash',
    'file=/etc/sysconfig/apache2',
    '. $file',
    `[ "$1" != -l ] || { echo $${variable}; exit; }`,
    `words=$(echo $${variable} | tr ' ' '\\n' | grep -vx -e "$1" | tr '\\n' ' ')${isAdded ? '$1' : ''}`,
    `sed -i "s/^${variable}=.*/${variable}=\\"$words\\"/" $file`,
  );

/** The packages' MPM is compiled in, and so is what this machine's httpd may have as a file. */
const COMPILED_IN = ['mpm_prefork', 'unixd', 'logio', 'version'];

export const suse = (): Platform => ({
  places: {
    www: '/srv/www/vhosts/www.example.org',
    intranet: '/srv/www/vhosts/intranet',
    shop: '/srv/www/vhosts/shop.example.org',
    passwords: '/etc/apache2/passwd',
    certificates: '/etc/apache2/ssl.crt',
    logs: '/var/log/apache2',
  },
  old: suse11(),
  site: (name, lines) => [[`${at}/vhosts.d/${name}.conf`, lines]],
  new: suse15(),
  main22: `${at}/httpd.conf`,
  main24: `${at}/httpd.conf`,
  modules: '/usr/lib64/apache2-prefork',
  control: text(
    '. /etc/sysconfig/apache2',
    'modules=/usr/lib64/apache2-prefork made=/etc/apache2/sysconfig.d',
    'mkdir -p $made',
    ': > $made/loadmodule.conf',
    `for name in ${COMPILED_IN.join(' ')} $APACHE_MODULES; do`,
    '    [ ! -e $modules/mod_$name.so ] || echo LoadModule "$name"_module $modules/mod_$name.so >> $made/loadmodule.conf',
    'done',
    'options="-DSYSCONFIG"',
    'for name in $APACHE_SERVER_FLAGS; do options="$options -D$name"; done',
    'set -- -C "Include $made/loadmodule.conf" "$@"',
  ),
  requests: [
    ...STATUS,
    ...PHP,
    [WWW, '/icons/text.gif', 200],
    [WWW, '/icons/', 200],
    [WWW, '/cgi-bin/env.cgi', 200],
    [INTRANET, '/server-status', 401],
    [OTHER, '/', 401],
  ],
});
