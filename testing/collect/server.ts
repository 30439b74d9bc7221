import type { GuideServer } from '../guides/machine';

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** What a 2.2 of RHEL says of itself; its control program does the same. */
export const HTTPD22 = lines(
  '#!/bin/sh',
  'case "$*" in',
  '*-V*) printf \'%s\\n\' "Server version: Apache/2.2.3" \' -D HTTPD_ROOT="/etc/httpd"\' \' -D SERVER_CONFIG_FILE="conf/httpd.conf"\' ;;',
  '*-M*) echo " authz_host_module (shared)" ;;',
  '*-S*) echo "VirtualHost configuration:" ;;',
  '*-l*) echo "  core.c" ;;',
  'esac',
);

/** Passwords that the configuration holds: none may be in what is printed, or in the manifest. */
export const SECRETS = ['hunter2', 'geheim', 'swordfish', 'rosebud', 'sesame'];

/** What must not be in the tar at all. */
export const PRIVATE = ['$apr1$private', 'PRIVATEKEYTEXT', 'CONTENTOFASITE'];

/** A server of all that is hard to pack. Links, modes and strange names come with {@link FURNISH}. */
export const SERVER22: GuideServer = {
  main: undefined,
  requests: [],
  files: new Map([
    [
      '/etc/httpd/conf/httpd.conf',
      lines(
        'ServerRoot "/etc/httpd"',
        'Listen 80',
        'LoadModule authz_host_module modules/mod_authz_host.so',
        'Include conf.d/*.conf',
        'include "/srv/conf files/*.inc"',
        'Include ../sites',
        'DocumentRoot "/var/www/html"',
        'Alias /shop /link/shop',
        'ScriptAlias /cgi-bin/ /var/www/cgi/',
        'AccessFileName .htaccess .acl',
        'UserDir public_html',
        'MaxClients 50',
        '<Directory />',
        '    AllowOverride None',
        '</Directory>',
        '<Directory "/var/www/html">',
        '    AllowOverride All',
        '    Order allow,deny',
        '    Allow from all',
        '</Directory>',
        '<Directory "/srv/shop">',
        '    AllowOverride All',
        '    Order deny,allow',
        '    Deny from all',
        '    Allow from 10.0.0.0/8',
        '</Directory>',
        '<Location /members>',
        '    AuthType Basic',
        '    AuthName members',
        '    AuthUserFile conf/users',
        '    AuthGroupFile /etc/httpd/conf/groups',
        '    Require valid-user',
        '    AuthLDAPBindPassword hunter2',
        '</Location>',
        '<IfDefine SSL>',
        '    Include conf.d/ssl.inc',
        '</IfDefine>',
        'SetEnv APP_SECRET \\',
        '    geheim',
        'PassEnv LANG',
        'DBDParams "host=db pass=swordfish"',
        '<Proxy balancer://a>',
        '    ProxySet password=rosebud',
        '</Proxy>',
      ),
    ],
    ['/etc/httpd/conf/users', 'u:$apr1$private$x\n'],
    ['/etc/httpd/conf/groups', 'admins: u $apr1$private\n'],
    ['/etc/httpd/conf/old-users', 'u:$apr1$private$x\nv:{SHA}$apr1$private\n'],
    ['/etc/httpd/conf/mod_old.so', 'no module of 2.2 is of use\n'],
    ['/etc/httpd/conf/server.key', 'PRIVATEKEYTEXT\n'],
    ['/etc/httpd/conf/renewed.txt', '-----BEGIN RSA PRIVATE KEY-----\nPRIVATEKEYTEXT\n'],
    ['/etc/httpd/conf/magic', '0 string x text/x\n'],
    ['/etc/httpd/conf.d/a.conf', 'Include nested/*.conf\nDefine SITES /srv/sites\nInclude ${SITES}/c.conf\n'],
    ['/etc/httpd/conf.d/ssl.inc', 'SSLMutex default\nSSLCertificateFile /etc/httpd/conf/server.crt\n'],
    ['/etc/httpd/conf.d/off.conf.disabled', 'MaxRequestsPerChild 3\n'],
    ['/etc/httpd/nested/b.conf', 'MaxRequestsPerChild 4\n'],
    ['/srv/sites/c.conf', 'ThreadLimit 64\n'],
    ['/srv/conf files/x y.inc', '<Location /status>\nOrder deny,allow\nDeny from all\n</Location>\n'],
    [
      '/etc/sites/one/v.conf',
      '<VirtualHost *:80>\nDocumentRoot /srv/vhosts/one\nServerName one\n</VirtualHost>\n',
    ],
    ['/etc/sysconfig/httpd', 'OPTIONS="-D SSL"\nexport DB_PASSWORD=sesame\nexport STAGE=live\n'],
    ['/srv/vhosts/one/.htaccess', 'Order allow,deny\n'],
    ['/srv/vhosts/one/a.php', 'CONTENTOFASITE\n'],
    ['/srv/shop/.acl', 'Order deny,allow\nDeny from all\nSatisfy any\n'],
    ['/srv/shop/basket/.htaccess', 'Allow from all\n'],
    ['/var/www/html/index.html', 'CONTENTOFASITE\n'],
    ['/var/www/html/a/b/.htaccess', 'Order deny,allow\nDeny from all\n'],
    ['/var/www/html/a/b/.htpasswd', 'u:$apr1$private$y\n'],
    ['/var/www/cgi/.htaccess', 'Options +ExecCGI\n'],
    ['/var/www/.htaccess', 'Order allow,deny\nAllow from all\n'],
    ['/home/u/public_html/.htaccess', 'Order deny,allow\nDeny from all\n'],
    ['/data/linked/.htaccess', 'Order deny,allow\nDeny from all\n'],
    ['/data/other/.htaccess', 'Order deny,allow\n'],
    ['/data/shared/htaccess', 'Deny from all\n'],
    ['/opt/commands/httpd22', HTTPD22],
  ]),
};

/** Shell commands that make what a map of files cannot say. */
export const FURNISH = `
cp /opt/commands/httpd22 /opt/commands/httpd
cp /opt/commands/httpd22 /opt/commands/apachectl
cp /opt/commands/httpd22 /opt/commands/apache2ctl
echo u:x:1000:1000::/home/u:/bin/sh >>/etc/passwd
mkdir -p /link /var/www/html/empty/inner
ln -s ../srv/shop /link/shop
ln -s ../../var/log/httpd /etc/httpd/logs
ln -s /data/linked /var/www/html/linked
ln -s / /srv/vhosts/one/all && chown -h 33 /srv/vhosts/one/all
ln -s missing /srv/vhosts/one/gone
ln -s loop /srv/vhosts/one/loop
mkdir /srv/vhosts/one/c && ln -s /data/shared/htaccess /srv/vhosts/one/c/.htaccess
mkdir /srv/vhosts/one/d && ln -s /etc/shadow /srv/vhosts/one/d/.htaccess
echo 'root:$apr1$private' >/etc/shadow
chmod 600 /etc/shadow
chmod 640 /etc/httpd/conf/httpd.conf
strange="/var/www/html/a \\"b' \\\\ \\$(c) $(printf '\\344')"
mkdir "$strange" && echo 'Deny from all' >"$strange/.htaccess"
lines="$(printf '/var/www/html/x\\n-rw-r--r-- 1 0 0 5 Nov 23 13:23 /etc')"
mkdir -p "$lines/shadow" && echo 'Deny from all' >"$lines/shadow/.htaccess"
printf 'SetHandler x\\0y\\n' >/etc/httpd/conf/binary
mkfifo /var/www/html/empty/.htaccess
`;
