import { indented, text } from '../hosting/layout';
import { type MachineFiles, debian7 } from './debian-releases';

const AT = '/etc/apache2';
const WWW = '/var/www/www.example.org';
const OFFICE = '/srv/intranet';
const SHOP = '/var/www/shop.example.org';

const LOG = (name: string): readonly string[] => [
  `ErrorLog \${APACHE_LOG_DIR}/${name}-error.log`,
  `CustomLog \${APACHE_LOG_DIR}/${name}-access.log combined`,
];

/** A site with files of its own for access. */
const www = text(
  '<VirtualHost *:80>',
  ...indented([
    'ServerName www.example.org',
    'ServerAlias example.org',
    `DocumentRoot ${WWW}`,
    `<Directory ${WWW}/>`,
    '    Options Indexes FollowSymLinks MultiViews',
    '    AllowOverride All',
    '    Order allow,deny',
    '    allow from all',
    '</Directory>',
    'RewriteEngine On',
    'RewriteRule ^/old/(.*)$ /new/$1 [R=301,L]',
    ...LOG('www'),
  ]),
  '</VirtualHost>',
);

/** A password area, with the office let in without one, and programs. */
const intranet = text(
  '<VirtualHost *:80>',
  ...indented([
    'ServerName intranet.example.org',
    `DocumentRoot ${OFFICE}/htdocs`,
    `<Directory ${OFFICE}/htdocs>`,
    '    Options FollowSymLinks',
    '    AllowOverride None',
    '    AuthType Basic',
    '    AuthName "Intranet"',
    `    AuthUserFile ${AT}/passwd/intranet`,
    '    Require valid-user',
    '    Order deny,allow',
    '    Deny from all',
    '    Allow from 10.1.0.0/16',
    '    Satisfy any',
    '</Directory>',
    `ScriptAlias /cgi-bin/ ${OFFICE}/cgi-bin/`,
    `<Directory "${OFFICE}/cgi-bin">`,
    '    AllowOverride None',
    '    Options +ExecCGI -MultiViews',
    '    Order allow,deny',
    '    Allow from all',
    '    Deny from 10.9.0.0/16',
    '</Directory>',
    ...LOG('intranet'),
  ]),
  '</VirtualHost>',
);

/** A shop: its till over TLS alone. */
const shop = text(
  '<VirtualHost *:80>',
  ...indented([
    'ServerName shop.example.org',
    `DocumentRoot ${SHOP}`,
    `<Directory ${SHOP}>`,
    '    Options -Indexes',
    '    AllowOverride None',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
    '<Location /till>',
    '    SSLRequireSSL',
    '</Location>',
    '<Location /till/admin>',
    '    Order allow,deny',
    '    Allow from 10.1.0.0/16 127.0.0.1',
    '</Location>',
    ...LOG('shop'),
  ]),
  '</VirtualHost>',
  '<VirtualHost *:443>',
  ...indented([
    'ServerName shop.example.org',
    `DocumentRoot ${SHOP}`,
    `<Directory ${SHOP}>`,
    '    Options -Indexes',
    '    AllowOverride None',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
    '<Location /till/admin>',
    '    Order allow,deny',
    '    Allow from 10.1.0.0/16 127.0.0.1',
    '</Location>',
    'SSLEngine on',
    'SSLCertificateFile /etc/ssl/shop/shop.pem',
    'SSLCertificateKeyFile /etc/ssl/shop/shop.key',
    ...LOG('shop'),
  ]),
  '</VirtualHost>',
);

/** A Debian 7 with three sites beside the default one. */
export function debian7WithSites(): MachineFiles {
  return new Map<string, string | { readonly link: string }>([
    ...debian7(['rewrite', 'ssl']),
    ...(['www', 'intranet', 'shop'] as const).flatMap((name, i) => [
      [`${AT}/sites-available/${name}.example.org`, [www, intranet, shop][i]!] as const,
      [`${AT}/sites-enabled/${name}.example.org`, { link: `../sites-available/${name}.example.org` }] as const,
    ]),
    [`${AT}/passwd/intranet`, 'alice:{SHA}UisnajVr3zkBPfq+os1D4UHsyeg=\n'],
    [`${AT}/passwd/members`, 'alice:{SHA}UisnajVr3zkBPfq+os1D4UHsyeg=\n'],
    [`${WWW}/index.html`, 'www\n'],
    [`${WWW}/files/a.txt`, 'a\n'],
    [`${WWW}/new/page.html`, 'new\n'],
    [`${WWW}/members/index.html`, 'members\n'],
    [`${WWW}/members/.htaccess`, text('AuthType Basic', 'AuthName "Members"', `AuthUserFile ${AT}/passwd/members`, 'Require valid-user')], // prettier-ignore
    [`${WWW}/office/index.html`, 'office\n'],
    [`${WWW}/office/.htaccess`, text('Order deny,allow', 'Deny from all', 'Allow from 10.1.0.0/16')],
    [`${WWW}/uploads/a.txt`, 'a\n'],
    [`${WWW}/uploads/a.php`, '<?php $password = "secret";\n'],
    [`${WWW}/uploads/.htaccess`, text('Options -Indexes', '<FilesMatch "\\.(php|cgi)$">', '    Order allow,deny', '    Deny from all', '</FilesMatch>')], // prettier-ignore
    [`${OFFICE}/htdocs/index.html`, 'intranet\n'],
    [`${OFFICE}/cgi-bin/hello.cgi`, '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nhello\\n"\n'],
    [`${SHOP}/index.html`, 'shop\n'],
    [`${SHOP}/till/index.html`, 'till\n'],
    [`${SHOP}/till/admin/index.html`, 'admin\n'],
    [`${SHOP}/img/a.txt`, 'a\n'],
  ]);
}
