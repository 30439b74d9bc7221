import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indented, text } from '../hosting/layout';
import { Authority } from '../httpd/certificates';
import { type MachineFiles, debian7 } from './debian-releases';
import type { GuideRequest } from './servers';

const WWW_HOST = 'www.example.org';
const INTRANET_HOST = 'intranet.example.org';
const SHOP_HOST = 'shop.example.org';
const OTHER_HOST = 'other.example.net';

const AT = '/etc/apache2';
const WWW = '/var/www/www.example.org';
const OFFICE = '/srv/intranet';
const SHOP = '/var/www/shop.example.org';

/** Where a site writes what it does. */
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

function certificateFor(name: string): { readonly cert: string; readonly key: string } {
  const scratch = mkdtempSync(join(tmpdir(), 'certificate-'));
  try {
    return new Authority(join(scratch, 'ca')).issue(name);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** A Debian 7 with three sites beside the default one. */
export function debian7WithSites(): MachineFiles {
  const { cert, key } = certificateFor(SHOP_HOST);
  return new Map<string, string | { readonly link: string }>([
    ...debian7(['rewrite', 'ssl']),
    ...(['www', 'intranet', 'shop'] as const).flatMap((name, i) => [
      [`${AT}/sites-available/${name}.example.org`, [www, intranet, shop][i]!] as const,
      [
        `${AT}/sites-enabled/${name}.example.org`,
        { link: `../sites-available/${name}.example.org` },
      ] as const,
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
    ['/etc/ssl/shop/shop.pem', cert],
    ['/etc/ssl/shop/shop.key', key],
    [`${SHOP}/index.html`, 'shop\n'],
    [`${SHOP}/till/index.html`, 'till\n'],
    [`${SHOP}/till/admin/index.html`, 'admin\n'],
    [`${SHOP}/img/a.txt`, 'a\n'],
  ]);
}

const OFFICE_CLIENT = '10.1.0.5';
const ELSEWHERE = '198.51.100.7';

type Asked = readonly [host: string, path: string, answer: number, ...more: readonly Partial<GuideRequest>[]];

const from = (address: string): Partial<GuideRequest> => ({ from: address });
const as = (user: string): Partial<GuideRequest> => ({ user });
const TLS: Partial<GuideRequest> = { tls: true };
const POST: Partial<GuideRequest> = { method: 'POST' };
const IN_OFFICE = from(OFFICE_CLIENT);

/** What the Debian 7 of {@link debian7WithSites} is asked, and what 2.2 answers: from elsewhere, if nothing else is said. */
const ASKED: readonly Asked[] = [
  [WWW_HOST, '/', 200],
  ['example.org', '/', 200],
  [WWW_HOST, '/index.html', 200],
  [WWW_HOST, '/index.html', 200, { method: 'HEAD' }],
  [WWW_HOST, '/none.html', 404],
  [WWW_HOST, '/index', 200],
  [WWW_HOST, '/files/', 200],
  [WWW_HOST, '/files', 301],
  [WWW_HOST, '/files/a.txt', 200],
  [WWW_HOST, '/old/page.html', 301],
  [WWW_HOST, '/new/page.html', 200],
  [WWW_HOST, '/.htaccess', 403],
  [WWW_HOST, '/members/.htaccess', 403],
  [WWW_HOST, '/members/', 401],
  [WWW_HOST, '/members/', 200, as('alice')],
  [WWW_HOST, '/members/index.html', 401, IN_OFFICE],
  [WWW_HOST, '/members/index.html', 401, as('mallory')],
  [WWW_HOST, '/members/none', 401],
  [WWW_HOST, '/office/', 200, IN_OFFICE],
  [WWW_HOST, '/office/', 403],
  [WWW_HOST, '/office/index.html', 403],
  [WWW_HOST, '/office/index.html', 200, IN_OFFICE],
  [WWW_HOST, '/office/index.html', 403, from('10.2.0.5')],
  [WWW_HOST, '/uploads/', 403],
  [WWW_HOST, '/uploads/a.txt', 200],
  [WWW_HOST, '/uploads/a.php', 403],
  [WWW_HOST, '/uploads/a.php', 403, IN_OFFICE],
  [WWW_HOST, '/icons/text.gif', 200],
  [WWW_HOST, '/icons/', 200],
  [WWW_HOST, '/server-status', 403],
  [WWW_HOST, '/server-status', 200, from('127.0.0.1')],
  [WWW_HOST, '/cgi-bin/env.cgi', 404],
  [INTRANET_HOST, '/', 401],
  [INTRANET_HOST, '/', 200, IN_OFFICE],
  [INTRANET_HOST, '/', 200, as('alice')],
  [INTRANET_HOST, '/', 401, as('mallory')],
  [INTRANET_HOST, '/index.html', 401, from('10.2.0.5')],
  [INTRANET_HOST, '/none', 401],
  [INTRANET_HOST, '/none', 404, IN_OFFICE],
  [INTRANET_HOST, '/cgi-bin/hello.cgi', 200],
  [INTRANET_HOST, '/cgi-bin/hello.cgi', 200, POST],
  [INTRANET_HOST, '/cgi-bin/hello.cgi', 403, from('10.9.0.5')],
  [INTRANET_HOST, '/cgi-bin/none.cgi', 404],
  [INTRANET_HOST, '/cgi-bin/', 403],
  [INTRANET_HOST, '/server-status', 401],
  [SHOP_HOST, '/', 200],
  [SHOP_HOST, '/', 200, TLS],
  [SHOP_HOST, '/img/', 403],
  [SHOP_HOST, '/img/a.txt', 200],
  [SHOP_HOST, '/img/a.txt', 200, TLS],
  [SHOP_HOST, '/till/', 403],
  [SHOP_HOST, '/till/', 403, IN_OFFICE],
  [SHOP_HOST, '/till/index.html', 403],
  [SHOP_HOST, '/till/', 200, TLS],
  [SHOP_HOST, '/till/admin/', 403, TLS],
  [SHOP_HOST, '/till/admin/', 200, TLS, IN_OFFICE],
  [SHOP_HOST, '/till/admin/', 403, IN_OFFICE],
  [SHOP_HOST, '/none', 404, TLS],
  [OTHER_HOST, '/', 200],
  [OTHER_HOST, '/cgi-bin/env.cgi', 200],
  [OTHER_HOST, '/www.example.org/', 200],
  [OTHER_HOST, '/www.example.org/office/', 200],
];

export const DEBIAN7_REQUESTS: readonly GuideRequest[] = ASKED.map(([host, path, answer, ...more]) =>
  Object.assign({ host, path, from: ELSEWHERE, answer }, ...more),
);
