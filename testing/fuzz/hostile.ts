import { SERVERS } from './hostile-servers';
import { BRANCHES, TENANTS } from './hostile-tenants';
import { type HostileInput, DENY, HTACCESS, address, file, put, server, times } from './hostile-input';
import { linkSync, mkdirSync, openSync, closeSync, ftruncateSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A section with a regex beside a file whose name makes a backtracking engine try everything. */
const pattern = (name: string, regex: string, other = `${'a'.repeat(40)}!`): HostileInput =>
  file(
    `pattern: ${name}`,
    () => `<Files "${other}">\n${DENY}</Files>\n<FilesMatch "${regex}">\n${DENY}</FilesMatch>\n`,
  );

const glob = (name: string, text: string): HostileInput =>
  file(
    `glob: ${name}`,
    () => `<Files "${'a'.repeat(200)}">\n${DENY}</Files>\n<Files "${text}">\n${DENY}</Files>\n`,
  );

const nested = (name: string, depth: number): string =>
  `${`<${name} x>\n`.repeat(depth)}${DENY}${`</${name}>\n`.repeat(depth)}`;

const INPUTS: readonly HostileInput[] = [
  pattern('(a+)+', '^(a+)+$'),
  pattern('(a|a)*', '^(a|a)*$'),
  pattern('(a|aa)+', '^(a|aa)+$'),
  pattern('(.*)* eight times', `^${'(.*)*'.repeat(8)}x$`),
  pattern('([a-z]+)*', '^([a-z]+)*\\.php$'),
  pattern('a? fifty times', `^${'a?'.repeat(50)}${'a'.repeat(50)}$`),
  pattern('empty alternatives', `${'(?:|'.repeat(60)}a${')'.repeat(60)}b`),
  pattern('counted in counted', '((a{100}){100}){100}'),
  pattern('counted up to 65535', '(a{0,65535}){2}b$'),
  pattern('look-ahead', '^(?=(a+)+$)a'),
  pattern('look-behind', '(?<!(a|b))(a+)+$'),
  pattern('back-references', '^(a+)\\1+\\1+$'),
  pattern('possessive', '^(a++)++$'),
  pattern('recursion', '^(a(?R)?)+$'),
  pattern('240 parentheses', `${'('.repeat(240)}a${')'.repeat(240)}$`),
  pattern('4000 parentheses', `${'('.repeat(4000)}a${')'.repeat(4000)}$`),
  pattern('parentheses that are not closed', '('.repeat(8000)),
  pattern('8 KB of alternatives', `(${times(1000, (i) => `x${i}|`)}y)+$`),
  pattern('brackets that are not closed', '['.repeat(8000)),
  file('300 patterns', () =>
    times(
      300,
      (i) =>
        `<FilesMatch "^(a+${i})+$">\n${DENY}</FilesMatch>\n<Files "${'a'.repeat(30)}${i}">\n${DENY}</Files>\n`,
    ),
  ),
  file('<IfVersion ~ (.*)*>', () => `<IfVersion ~ ${'(.*)*'.repeat(20)}x>\n${DENY}</IfVersion>\n`),
  file('RewriteRule of 8 KB', () => `RewriteEngine on\nRewriteRule ${'(a*)*'.repeat(1500)} /x [L]\n`),
  glob('stars', '*a*a*a*a*a*a*a*ab'),
  glob('a thousand stars', `${'*a'.repeat(1000)}b`),
  glob('question marks and stars', `${'?*'.repeat(500)}b`),
  glob('brackets', '[!b]*[!b]*[!b]*[!b]*[!b]*[!b]*b'),
  file(
    'a Directory with stars',
    () =>
      server(
        `<Directory "${'/*a*a*a*a*b'.repeat(20)}">\n${DENY}</Directory>\n<Directory "${`/${'a'.repeat(40)}`.repeat(20)}">\n${DENY}</Directory>\n`,
      ),
    'httpd.conf',
  ),
  file('5,000 Allow from env=', () => `${DENY}${times(5000, (i) => `Allow from env=v${i}\n`)}`),
  file('20,000 Allow from env=', () => `${DENY}${times(20_000, (i) => `Allow from env=v${i}\n`)}`),
  file(
    'an Allow line of a million addresses',
    () => `${DENY}Allow from ${times(1_000_000, (i) => `${address(i)} `)}\n`,
  ),
  file(
    'an Allow line of 10,000 addresses',
    () => `${DENY}Allow from ${times(10_000, (i) => `${address(i)} `)}\n`,
  ),
  file('100,000 Allow lines', () => `${DENY}${times(100_000, (i) => `Allow from ${address(i)}\n`)}`),
  file(
    '20,000 Allow lines of host names',
    () => `${DENY}${times(20_000, (i) => `Allow from h${i}.example\n`)}`,
  ),
  file(
    '10,000 Require user lines',
    () => `AuthType Basic\nAuthName x\n${times(10_000, (i) => `Require user u${i}\n`)}`,
  ),
  file(
    'a Require line of 50,000 groups',
    () =>
      `AuthType Basic\nAuthName x\nAuthGroupFile /g\nRequire group ${times(50_000, (i) => `g${i} `)}\nSatisfy any\n${DENY}`,
  ),
  file('10,000 times Order and Satisfy', () =>
    times(10_000, (i) => `Order ${i % 2 ? 'allow,deny' : 'deny,allow'}\nSatisfy ${i % 2 ? 'any' : 'all'}\n`),
  ),
  file('5,000 Limits with methods of their own', () =>
    times(5000, (i) => `<Limit M${i}>\n${DENY}</Limit>\n`),
  ),
  file(
    '1 KB of Defines that double',
    () =>
      server(
        `Define a0 xxxxxxxxxx\n${times(27, (i) => `Define a${i + 1} \${a${i}}\${a${i}}\n`)}Include \${a27}\n`,
      ),
    'httpd.conf',
  ),
  file(
    '1 KB of Defines times eight',
    () =>
      server(
        `Define a0 xxxxxxxxxx\n${times(10, (i) => `Define a${i + 1} ${`\${a${i}}`.repeat(8)}\n`)}DocumentRoot \${a10}\nAlias /x \${a9}\n`,
      ),
    'httpd.conf',
  ),
  file('10,000 Defines', () => server(times(10_000, (i) => `Define v${i} \${v${i - 1}}x\n`)), 'httpd.conf'),
  file('sections 150 deep', () => nested('IfDefine', 150)),
  file('sections 5,000 deep', () => nested('IfDefine', 5000)),
  file('sections 5,000 deep that are not closed', () => '<Directory /a>\n'.repeat(5000)),
  file('10,000 closing tags', () => '</Directory>\n'.repeat(10_000)),
  file('100,000 empty sections', () => '<IfModule x.c>\n</IfModule>\n'.repeat(100_000)),
  file(
    '20,000 Directory sections',
    () => server(times(20_000, (i) => `<Directory /d${i}>\n${DENY}</Directory>\n`)),
    'httpd.conf',
  ),
  file('2,000 Files sections in a .htaccess', () => times(2000, (i) => `<Files f${i}>\n${DENY}</Files>\n`)),
  file('500 overlapping globs', () => times(500, (i) => `<Files "*${i}*">\n${DENY}</Files>\n`)),
  file('10,000 IfDefines', () =>
    times(10_000, (i) => `<IfDefine X${i}>\nAllow from ${address(i)}\n</IfDefine>\n`),
  ),
  file(
    '30 IfDefines in each other around access',
    () => times(30, (i) => `<IfDefine X${i}>\n${DENY}`) + '</IfDefine>\n'.repeat(30),
  ),
  file(
    '2,000 virtual hosts of one name',
    () =>
      server(
        times(
          2000,
          () =>
            `<VirtualHost *:80>\nServerName a\nDocumentRoot /a\n<Location />\n${DENY}</Location>\n</VirtualHost>\n`,
        ),
      ),
    'httpd.conf',
  ),
  file(
    '2,000 virtual hosts of many names',
    () =>
      server(
        `NameVirtualHost *:80\n${times(2000, (i) => `<VirtualHost *:80>\nServerName h${i}\n${times(10, (k) => `ServerAlias a${k}.h${i}\n`)}</VirtualHost>\n`)}`,
      ),
    'httpd.conf',
  ),
  file('a million SetEnvIf lines', () => 'SetEnvIf User-Agent ^(a+)+$ bad\n'.repeat(1_000_000)),
  file('a million empty lines', () => '\n'.repeat(1_000_000)),
  file('a million comments', () => '# x\n'.repeat(1_000_000)),
  file('200,000 lines of one letter', () => 'x\n'.repeat(200_000)),
  file('a line of 10 MB', () => `SetEnv x ${'a'.repeat(10_000_000)}\n`),
  file('a word of quotes, 1 MB', () => `SetEnv x ${'"'.repeat(1_000_000)}\n`),
  file('1 MB of backslashes', () => `SetEnv x ${'\\'.repeat(1_000_000)}\n`),
  file('100,000 continued lines', () => `SetEnv x ${'a \\\n'.repeat(100_000)}b\n`),
  file('a continued Allow line', () => `${DENY}Allow from ${times(5000, (i) => `${address(i)} \\\n`)}all\n`),
  file('1 MB of blanks', () => `Order ${' '.repeat(1_000_000)}allow,deny\n`),
  file('NUL bytes', () => `${DENY}${'\0'.repeat(1_000_000)}\n`),
  file('NUL bytes between words', () => times(20_000, () => 'Allow\0 from\0 all\0\n')),
  file('1 MB of bytes', () => times(1_000_000, (i) => String.fromCharCode((i * 7919 + (i >> 3)) & 255))),
  file('1 MB of less-than signs', () => '<'.repeat(1_000_000)),
  file('200,000 less-than signs on lines', () => '<\n'.repeat(200_000)),
  file('template tags', () => '{% if x %}\nAllow from {{ x }}\n{% endif %}\n'.repeat(10_000)),
  file(
    '5,000 nested templates',
    () => `${'{% if x %}\n'.repeat(5000)}${DENY}${'{% endif %}\n'.repeat(5000)}`,
  ),
  file('20,000 ignore comments', () => `# httpd-codemod-ignore order-allow-deny\n${DENY}`.repeat(20_000)),
  file(
    'LoadModule 20,000 times',
    () => server(times(20_000, (i) => `LoadModule m${i}_module modules/mod_m${i}.so\n`)),
    'httpd.conf',
  ),
  file(
    '20,000 RewriteCond lines',
    () => `RewriteEngine on\n${'RewriteCond %{REQUEST_URI} (a+)+$\n'.repeat(20_000)}RewriteRule x y\n`,
  ),
  file('20,000 Aliases', () => server(times(20_000, (i) => `Alias /a${i} /srv/a${i}\n`)), 'httpd.conf'),
  file('10,000 Options lines', () => 'Options +Indexes -FollowSymLinks All\n'.repeat(10_000)),
  file('10,000 SSLRequire lines', () => times(10_000, (i) => `SSLRequire %{SSL_CLIENT_S_DN_CN} eq "${i}"\n`)),
  file(
    'an SSLRequire in 10,000 parentheses',
    () => `SSLRequire ${'('.repeat(10_000)}true${')'.repeat(10_000)}\n`,
  ),
  file(
    'a server-side expression in 5,000 parentheses',
    () => `Require expr ${'('.repeat(5000)}true${')'.repeat(5000)}\n`,
  ),
  file(
    'RequireAll 190 deep',
    () => `${'<RequireAll>\n'.repeat(190)}Require all granted\n${'</RequireAll>\n'.repeat(190)}${DENY}`,
  ),
  file(
    'RequireNone in RequireNone',
    () => `${'<RequireNone>\n'.repeat(100)}Require all granted\n${'</RequireNone>\n'.repeat(100)}`,
  ),
  {
    name: 'a circle of Includes',
    make(top) {
      put(top, 'httpd.conf', server(`Include ${top}/a.conf\n`));
      put(top, 'a.conf', `Include ${top}/b.conf\n${DENY}`);
      put(top, 'b.conf', `Include ${top}/a.conf\n`);
    },
  },
  {
    name: 'Includes that double, 20 deep',
    isRefused: true,
    make(top) {
      put(top, 'httpd.conf', server(`Include ${top}/p0.conf\n`));
      for (let i = 0; i < 20; i++) put(top, `p${i}.conf`, `Include ${top}/p${i + 1}.conf\n`.repeat(2));
      put(top, 'p20.conf', 'Timeout 10\n');
    },
  },
  {
    name: '100,000 Includes of one file',
    make(top) {
      put(top, 'httpd.conf', server(`Include ${top}/a.conf\n`.repeat(100_000)));
      put(top, 'a.conf', 'Timeout 10\n');
    },
  },
  {
    name: '10,000 Includes of nothing',
    make: (top) => put(top, 'httpd.conf', server(times(10_000, (i) => `Include ${top}/none${i}/*.conf\n`))),
  },
  {
    name: 'an Include over 10,000 files',
    make(top) {
      put(top, 'httpd.conf', server(`Include ${top}/conf.d/*a*a*a*.conf\n`));
      for (let i = 0; i < 10_000; i++) put(top, `conf.d/aaaaaaaa${i}.conf`, 'Timeout 10\n');
    },
  },
  {
    name: '500 .htaccess files with 2,000 addresses each',
    make(top) {
      for (let d = 0; d < 500; d++)
        put(top, `u${d}/.htaccess`, `${DENY}${times(2000, (i) => `Allow from ${address(d * 2000 + i)}\n`)}`);
    },
  },
  {
    name: 'directories 500 deep, each with a .htaccess',
    make(top) {
      let path = '';
      for (let i = 0; i < 500; i++) put(top, `${(path += 'd/')}${HTACCESS}`, DENY);
    },
  },
  {
    name: 'a directory deeper than PATH_MAX',
    make(top) {
      put(top, HTACCESS, DENY);
      const before = process.cwd();
      process.chdir(top);
      for (let i = 0; i < 60; i++) {
        mkdirSync('d'.repeat(100));
        process.chdir('d'.repeat(100));
      }
      writeFileSync(HTACCESS, DENY);
      process.chdir(before);
    },
  },
  {
    name: 'a sparse .htaccess of 70 MB beside another',
    make(top) {
      put(top, `a/${HTACCESS}`, DENY);
      put(top, `b/${HTACCESS}`, '');
      const handle = openSync(join(top, `b/${HTACCESS}`), 'r+');
      ftruncateSync(handle, 70 * 1024 * 1024);
      closeSync(handle);
    },
  },
  {
    name: 'a sparse .htaccess of 60 MB',
    make(top) {
      put(top, HTACCESS, '');
      const handle = openSync(join(top, HTACCESS), 'r+');
      ftruncateSync(handle, 60 * 1024 * 1024);
      closeSync(handle);
    },
  },
  {
    name: 'one file by 200 names',
    make(top) {
      put(top, HTACCESS, DENY);
      for (let i = 0; i < 200; i++) {
        mkdirSync(join(top, `d${i}`));
        linkSync(join(top, HTACCESS), join(top, `d${i}/${HTACCESS}`));
      }
    },
  },
  {
    name: 'links in a circle',
    make(top) {
      put(top, `a/${HTACCESS}`, DENY);
      symlinkSync('.', join(top, 'a/here'));
      symlinkSync('..', join(top, 'a/up'));
      symlinkSync('loop', join(top, 'loop'));
    },
  },
];

export const HOSTILE: readonly HostileInput[] = [...INPUTS, ...SERVERS, ...TENANTS, ...BRANCHES];
