import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DENY, HTACCESS, type HostileInput, address, file, put, server, times } from './hostile-input';

const config = (name: string, text: () => string): HostileInput =>
  file(name, () => server(text()), 'httpd.conf');

/** A hostile configuration with options for the run. */
const printed = (name: string, options: readonly string[], text: () => string): HostileInput => ({
  ...config(name, text),
  args: [...options, '.'],
});

const KINDS = [
  'Directory /a',
  'Files x',
  'Limit GET',
  'IfModule mod_x.c',
  'IfDefine X',
  'Location /b',
  'VirtualHost *:80',
  'Proxy *',
  'RequireAll',
  'If "true"',
];

/** Sections of all kinds in each other. */
function mixed(depth: number): string {
  const kinds = Array.from({ length: depth }, (_, i) => KINDS[i % KINDS.length]!);
  const opened = kinds.map((kind, i) => `<${kind}>\nAllow from ${address(i)}\n`);
  const closed = kinds.toReversed().map((kind) => `</${kind.split(' ')[0]}>\n`);
  return `${opened.join('')}${DENY}${closed.join('')}`;
}

/** Whole servers in which each of many lines meets each of many others. */
export const SERVERS: readonly HostileInput[] = [
  config('sections of all kinds 3,000 deep', () => mixed(3000)),
  config('1,000 RewriteRules before 1,000 Locations and Directories', () => `DocumentRoot /srv\nRewriteEngine on\n${times(1000, (i) => `RewriteRule ^/a${i}/(.*)$ /b${i}/$1 [PT]\n`)}${times(1000, (i) => `<Location /b${i}>\n${DENY}</Location>\n<Directory /srv/b${i}>\n${DENY}</Directory>\n`)}`),
  config('3,000 RewriteRules that lead to each other', () => `DocumentRoot /srv\nRewriteEngine on\n${times(3000, (i) => `RewriteRule ^/a${i}/(.*)$ /a${i + 1}/$1 [PT]\n`)}${times(300, (i) => `<Location /a${i}>\n${DENY}</Location>\n`)}`),
  config('a RewriteRule whose groups nest 60,000 deep', () => `DocumentRoot /srv\nRewriteEngine on\nRewriteRule ^a(${'(?:'.repeat(60_000)}x${')'.repeat(60_000)})(.*)$ /$2\nRewriteRule ^/a - [L]\n<Directory /srv>\n${DENY}</Directory>\n`),
  config('3,000 redirects', () => `DocumentRoot /srv\nRewriteEngine on\n${times(3000, (i) => `RewriteRule ^/a${i}/(.*)$ http://h${i}.example/$1 [R]\n`)}${times(300, (i) => `<Location /a${i}>\n${DENY}</Location>\n`)}`),
  config('500 AliasMatch lines before 500 Locations', () => `DocumentRoot /srv\n${times(500, (i) => `AliasMatch ^/a${i}/(.*)$ /srv/a${i}/$1\n<Location /a${i}/x>\n${DENY}</Location>\n`)}`),
  config('1,000 LocationMatch sections and Aliases', () => `DocumentRoot /srv\n${times(1000, (i) => `Alias /a${i} /srv/a${i}\n<LocationMatch "^/a${i}/.*\\.php$">\n${DENY}</LocationMatch>\n<Directory /srv/a${i}>\n${DENY}Allow from ${address(i)}\n</Directory>\n`)}`),
  config('3,000 virtual hosts of one name with other rules', () => `NameVirtualHost *:80\n${times(3000, (i) => `<VirtualHost *:80>\nServerName a\nServerAlias *.a${i}\nDocumentRoot /s${i}\nRewriteEngine on\nRewriteRule ^/x${i}(.*)$ /y$1\n<Directory /s${i}>\n${DENY}Allow from ${address(i)}\n</Directory>\n</VirtualHost>\n`)}`),
  config('5,000 Defines as names of directories', () => `${times(5000, (i) => `Define v${i} /srv/${i}\n`)}${times(5000, (i) => `<Directory \${v${i}}>\n${DENY}</Directory>\n`)}`),
  config('Directories 500 deep, each with a password', () => times(500, (i) => `<Directory ${'/d'.repeat(i + 1)}>\nAllow from ${address(i)}\nRequire user u${i}\nSatisfy ${i % 2 === 1 ? 'any' : 'all'}\n</Directory>\n`)),
  config('24,000 lines about locks and logs', () => 'AcceptMutex sem\nLockFile x\nSSLMutex file:/x\nRewriteLock /y\nRewriteLog z\nRewriteLogLevel 9\n'.repeat(4000)),
  config('1,500 backends with a Proxy and a Location each', () => times(1500, (i) => `ProxyPass /p${i} http://b${i}.example/p\n<Proxy http://b${i}.example/*>\n${DENY}Allow from ${address(i)}\n</Proxy>\n<Location /p${i}>\n${DENY}</Location>\n`)),
  file('4,000 containers in one', () => `<RequireAny>\n${times(4000, (i) => `<RequireAll>\nRequire ip ${address(i)}\nRequire user u${i}\n</RequireAll>\n`)}</RequireAny>\nOrder allow,deny\nAllow from 10.1\n`),
  file('2,000 pairs of blocks for each version', () => times(2000, (i) => `<IfModule mod_authz_core.c>\nRequire ip ${address(i)}\n</IfModule>\n<IfModule !mod_authz_core.c>\n${DENY}Allow from ${address(i)}\n</IfModule>\n`)),
  file('20,000 conditions of a template', () => '<?php if (x): ?>\nOrder allow,deny\n<?php endif ?>\n'.repeat(20_000)),
  file('3,000 If sections', () => times(3000, (i) => `<If "%{REMOTE_ADDR} == '${address(i)}'">\n${DENY}</If>\n`)),
  file('20,000 lines with a mark, CR, CRLF and NUL', () => times(20_000, (i) => `${i % 3 === 0 ? '\xEF\xBB\xBF' : ''}Allow from ${address(i)}${['\n', '\r\n', '\r\r\n', '\0junk\n'][i % 4]!}`)),
  file('20,000 lines that end in two backslashes', () => times(20_000, (i) => `AuthName C:\\x${i}\\\\\n`)),
  file('20,000 overlapping networks', () => `Order allow,deny\n${times(10_000, (i) => `Allow from 10.${i & 255}.0.0/${8 + (i % 24)}\nDeny from 10.${i & 255}.${i % 199}.0/24\n`)}`),
  config('1,000 Directory sections with a pattern beside 1,000 others', () => times(1000, (i) => `<Directory "/s/*/p${i}">\n${DENY}</Directory>\n<Directory /s/q/p${i}/x>\nOrder allow,deny\nAllow from all\n</Directory>\n`)),
  config('1,000 DirectoryMatch sections beside 1,000 directories', () => times(1000, (i) => `<DirectoryMatch "^/s/[^/]+/p${i}">\n${DENY}</DirectoryMatch>\n<Directory /s/q/p${i}/x>\nOrder allow,deny\nAllow from all\n</Directory>\n`)),
  config('4,000 Aliases into 50 directories, with a Location and a Directory each', () => times(4000, (i) => `Alias /a${i} /srv/x${i % 50}\n<Directory /srv/x${i % 50}/y${i}>\n${DENY}</Directory>\n<Location /a${i}/y${i}>\nOrder allow,deny\nAllow from all\n</Location>\n`)),
  config('4,000 Locations, up to 50 in each other', () => times(4000, (i) => `<Location /${'p/'.repeat(i % 50)}${i}>\n${DENY}</Location>\n`)),
  config('UserDir, and 2,000 homes with a Directory and a Location each', () => `UserDir public_html\n${times(2000, (i) => `<Directory /home/u${i}/public_html>\n${DENY}</Directory>\n<Location /~u${i}>\nSatisfy any\n</Location>\n`)}`),
  file('4,000 RewriteRules in a .htaccess', () => `RewriteEngine on\n${times(4000, (i) => `RewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^x${i}(.*)$ y${i}$1 [L]\n`)}${DENY}`),
  config('4,000 Directory sections with AddOutputFilterByType', () => times(4000, (i) => `<Directory /d${i}>\nAddOutputFilterByType DEFLATE text/x${i}\n</Directory>\n`)),
  config('4,000 Directory sections with server-side includes', () => times(4000, (i) => `<Directory /d${i}>\nOptions +Includes\nAddOutputFilter INCLUDES .shtml\nXBitHack on\n</Directory>\n`)),
  config('4,000 Directory sections with a guard each', () => times(4000, (i) => `<Directory /d${i}>\n<IfModule mod_authz_host.c>\n${DENY}</IfModule>\n</Directory>\n`)),
  config('4,000 Proxy sections', () => times(4000, (i) => `<Proxy http://h${i}/*>\n${DENY}</Proxy>\n`)),
  config('2,000 Directory sections with a wildcard', () => times(2000, (i) => `<Directory "/s/*/p${i}">\n${DENY}</Directory>\n`)),
  config('2,000 LocationMatch sections', () => times(2000, (i) => `<LocationMatch "^/a${i}/.*\\.php$">\n${DENY}</LocationMatch>\n`)),
  printed('1,000 LocationMatch sections for both versions', ['--dual'], () => times(1000, (i) => `<LocationMatch "^/a${i}/.*\\.php$">\n${DENY}</LocationMatch>\n`)),
  printed('50,000 findings as JSON', ['--format', 'json'], () => 'SSLMutex sem\nRewriteLog z\n'.repeat(25_000)),
  printed('50,000 findings as SARIF', ['--format', 'sarif'], () => 'SSLMutex sem\nRewriteLog z\n'.repeat(25_000)),
  printed('4,000 Directory sections as JSON', ['--format', 'json'], () => times(4000, (i) => `<Directory /d${i}>\n${DENY}</Directory>\n`)),
  {
    name: '500 virtual hosts of one directory with 500 .htaccess files',
    make(top) {
      put(top, 'httpd.conf', server(`NameVirtualHost *:80\n${times(500, (i) => `<VirtualHost *:80>\nServerName h${i}\nDocumentRoot ${top}/w\n<Directory ${top}/w>\nAllowOverride ${i % 2 === 1 ? 'All' : 'None'}\n</Directory>\n</VirtualHost>\n`)}`));
      for (let i = 0; i < 500; i++) put(top, `w/d${i}/${HTACCESS}`, `${DENY}Allow from ${address(i)}\n`);
    },
  },
  {
    name: '500 files that nothing includes beside 500 Directory sections',
    make(top) {
      put(top, 'httpd.conf', server(times(500, (i) => `<Directory /s${i}>\nOrder allow,deny\nAllow from all\n</Directory>\n`)));
      for (let i = 0; i < 500; i++) put(top, `conf/x${i}.conf`, `<Directory /s${i}>\n${DENY}</Directory>\n`);
    },
  },
  {
    name: '400 Files sections with patterns beside 400 .htaccess files with another each',
    make(top) {
      put(top, 'httpd.conf', server(`DocumentRoot ${top}/w\n${times(400, (i) => `<Files "*${i}*">\n${DENY}</Files>\n`)}`));
      for (let i = 0; i < 400; i++) put(top, `w/d${i}/${HTACCESS}`, `Order allow,deny\nAllow from ${address(i)}\n<Files "*x${i}*">\nSatisfy any\n</Files>\n`);
    },
  },
  {
    name: 'Includes in diamonds, 300 by 20',
    make(top) {
      put(top, 'httpd.conf', server(times(300, (i) => `Include ${top}/a${i}.conf\n`)));
      for (let i = 0; i < 300; i++) put(top, `a${i}.conf`, times(20, (k) => `Include ${top}/b${k}.conf\n`));
      for (let k = 0; k < 20; k++) put(top, `b${k}.conf`, `Include ${top}/c.conf\n<Directory /b${k}>\n${DENY}</Directory>\n`);
      put(top, 'c.conf', `<Directory /x>\n${DENY}</Directory>\n`);
    },
  },
  {
    name: 'one file included in 1,000 virtual hosts',
    make(top) {
      put(top, 'httpd.conf', server(times(1000, (i) => `<VirtualHost *:80>\nServerName h${i}\nDocumentRoot ${top}/s${i}\nInclude ${top}/a.conf\n</VirtualHost>\n`)));
      put(top, 'a.conf', times(20, (i) => `<Location /p${i}>\n${DENY}</Location>\n`));
    },
  },
  {
    name: '3,000 links to one .htaccess',
    make(top) {
      put(top, 'common', DENY);
      for (let i = 0; i < 3000; i++) {
        mkdirSync(join(top, `d${i}`));
        symlinkSync('../common', join(top, `d${i}`, HTACCESS));
      }
    },
  },
  {
    name: '2,000 directories with an AllowOverride and a .htaccess each',
    make(top) {
      put(top, 'httpd.conf', server(`DocumentRoot ${top}/w\n${times(2000, (i) => `<Directory ${top}/w/d${i}>\nAllowOverride ${i % 2 === 1 ? 'Limit' : 'None'}\n</Directory>\n`)}`));
      for (let i = 0; i < 2000; i++) put(top, `w/d${i}/${HTACCESS}`, `${DENY}DirectoryIndex x\n`);
    },
  },
]; // prettier-ignore
