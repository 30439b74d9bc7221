import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indented, text } from '../hosting/layout';
import { Authority } from '../httpd/certificates';

export const WWW = 'www.example.org';
export const INTRANET = 'intranet.example.org';
export const SHOP = 'shop.example.org';

/** Where a platform has what belongs to the sites: directories. */
export interface SitePlaces {
  /** Site → where its pages are; the intranet has its programs beside them. */
  readonly www: string;
  readonly intranet: string;
  readonly shop: string;
  readonly passwords: string;
  readonly certificates: string;
  /** The text that stands in the configuration. */
  readonly logs: string;
  /** Where the logs are, if a guide reads one. */
  readonly logDirectory?: string;
}

/** Where a site writes what it does. */
const logs = (at: string, name: string): readonly string[] => [
  `ErrorLog ${at}/${name}-error.log`,
  `CustomLog ${at}/${name}-access.log combined`,
];

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64)';

/** A log as 2.2 has written it of the site: whoever came, got what the configuration gives them. */
export const WWW_LOG = text(
  `198.51.100.7 - - [02/Mar/2026:09:12:01 +0100] "GET / HTTP/1.1" 200 512 "-" "${BROWSER}"`,
  `198.51.100.7 - - [02/Mar/2026:09:12:02 +0100] "GET /files/a.txt HTTP/1.1" 200 64 "http://www.example.org/" "${BROWSER}"`,
  `198.51.100.7 - - [03/Mar/2026:18:40:11 +0100] "GET /old/page.html HTTP/1.1" 301 240 "-" "${BROWSER}"`,
  `198.51.100.7 - - [03/Mar/2026:18:40:11 +0100] "GET /new/page.html HTTP/1.1" 200 20 "-" "${BROWSER}"`,
  `10.1.0.5 - - [04/Mar/2026:07:30:00 +0100] "GET /office/ HTTP/1.1" 200 30 "-" "${BROWSER}"`,
  `198.51.100.7 - - [04/Mar/2026:08:00:00 +0100] "GET /office/ HTTP/1.1" 403 210 "-" "${BROWSER}"`,
  `10.1.0.5 - - [05/Mar/2026:10:00:00 +0100] "GET /members/ HTTP/1.1" 401 380 "-" "${BROWSER}"`,
  `10.1.0.5 - alice [05/Mar/2026:10:00:07 +0100] "GET /members/ HTTP/1.1" 200 90 "-" "${BROWSER}"`,
);

/** A site with files of its own for access. */
const www = (at: SitePlaces): string =>
  text(
    '<VirtualHost *:80>',
    ...indented([
      'ServerName www.example.org',
      'ServerAlias example.org',
      `DocumentRoot ${at.www}`,
      `<Directory ${at.www}/>`,
      '    Options Indexes FollowSymLinks MultiViews',
      '    AllowOverride All',
      '    Order allow,deny',
      '    allow from all',
      '</Directory>',
      'RewriteEngine On',
      'RewriteRule ^/old/(.*)$ /new/$1 [R=301,L]',
      ...logs(at.logs, 'www'),
    ]),
    '</VirtualHost>',
  );

/** A password area, with the office let in without one, and programs. */
const intranet = (at: SitePlaces): string =>
  text(
    '<VirtualHost *:80>',
    ...indented([
      'ServerName intranet.example.org',
      `DocumentRoot ${at.intranet}/htdocs`,
      `<Directory ${at.intranet}/htdocs>`,
      '    Options FollowSymLinks',
      '    AllowOverride None',
      '    AuthType Basic',
      '    AuthName "Intranet"',
      `    AuthUserFile ${at.passwords}/intranet`,
      '    Require valid-user',
      '    Order deny,allow',
      '    Deny from all',
      '    Allow from 10.1.0.0/16',
      '    Satisfy any',
      '</Directory>',
      `ScriptAlias /cgi-bin/ ${at.intranet}/cgi-bin/`,
      `<Directory "${at.intranet}/cgi-bin">`,
      '    AllowOverride None',
      '    Options +ExecCGI -MultiViews',
      '    Order allow,deny',
      '    Allow from all',
      '    Deny from 10.9.0.0/16',
      '</Directory>',
      ...logs(at.logs, 'intranet'),
    ]),
    '</VirtualHost>',
  );

/** A shop: its till over TLS alone. */
const shop = (at: SitePlaces): string =>
  text(
    '<VirtualHost *:80>',
    ...indented([
      'ServerName shop.example.org',
      `DocumentRoot ${at.shop}`,
      `<Directory ${at.shop}>`,
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
      ...logs(at.logs, 'shop'),
    ]),
    '</VirtualHost>',
    '<VirtualHost *:443>',
    ...indented([
      'ServerName shop.example.org',
      `DocumentRoot ${at.shop}`,
      `<Directory ${at.shop}>`,
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
      `SSLCertificateFile ${at.certificates}/shop.pem`,
      `SSLCertificateKeyFile ${at.certificates}/shop.key`,
      ...logs(at.logs, 'shop'),
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

/** The configuration of each site, by its name. */
export function siteTexts(at: SitePlaces): readonly (readonly [name: string, text: string])[] {
  return [
    [WWW, www(at)],
    [INTRANET, intranet(at)],
    [SHOP, shop(at)],
  ];
}

/** What the sites serve, with their passwords and a certificate: what is copied by hand when a server moves. */
export function siteFiles(at: SitePlaces): readonly (readonly [path: string, text: string])[] {
  const { cert, key } = certificateFor(SHOP);
  const alice = 'alice:{SHA}UisnajVr3zkBPfq+os1D4UHsyeg=\n';
  return [
    [`${at.passwords}/intranet`, alice],
    [`${at.passwords}/members`, alice],
    [`${at.www}/index.html`, 'www\n'],
    [`${at.www}/app.php`, '<?php $password = "secret";\n'],
    [`${at.www}/files/a.txt`, 'a\n'],
    [`${at.www}/new/page.html`, 'new\n'],
    [`${at.www}/members/index.html`, 'members\n'],
    [`${at.www}/members/.htaccess`, text('AuthType Basic', 'AuthName "Members"', `AuthUserFile ${at.passwords}/members`, 'Require valid-user')], // prettier-ignore
    [`${at.www}/office/index.html`, 'office\n'],
    [`${at.www}/office/.htaccess`, text('Order deny,allow', 'Deny from all', 'Allow from 10.1.0.0/16')],
    [`${at.www}/uploads/a.txt`, 'a\n'],
    [`${at.www}/uploads/a.php`, '<?php $password = "secret";\n'],
    [`${at.www}/uploads/.htaccess`, text('Options -Indexes', '<FilesMatch "\\.(php|cgi)$">', '    Order allow,deny', '    Deny from all', '</FilesMatch>')], // prettier-ignore
    [`${at.intranet}/htdocs/index.html`, 'intranet\n'],
    [`${at.intranet}/cgi-bin/hello.cgi`, '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\nhello\\n"\n'],
    [`${at.certificates}/shop.pem`, cert],
    [`${at.certificates}/shop.key`, key],
    [`${at.shop}/index.html`, 'shop\n'],
    [`${at.shop}/till/index.html`, 'till\n'],
    [`${at.shop}/till/admin/index.html`, 'admin\n'],
    [`${at.shop}/img/a.txt`, 'a\n'],
  ];
}
