import { type Conversion, convert } from '../../src';
import type { LogReport } from '../../src';
import { serverHead } from '../../testing/logs/server-head';

/** What may tell one URL from another: names, patterns, wildcards, aliases, rules, index files, and paths behind programs. */
const CONFIG = serverHead(
  ['authz_host', 'rewrite', 'alias', 'dir'],
  'DirectoryIndex index.php start.html\nAlias /pictures /srv/pictures\nAliasMatch ^/old(.*)$ /srv/old$1\nRedirect /gone http://www.example.com/\n',
);
const REFUSING = [
  '<Directory /srv/www/staff>',
  '<Directory /srv/pictures/raw>',
  '<Directory /srv/www/*/private>',
  '<DirectoryMatch "^/srv/www/[a-z]+/[0-9]+/">',
  '<Files secret.txt>',
  '<Files "*.bak">',
  '<FilesMatch "^draft-[0-9]+">',
  '<Files start.html>',
  '<FilesMatch "^tool\\.php$">',
  '<Location /api>',
  '<LocationMatch "/hidden/">',
  '<Location /pictures/thumbs>',
];
const closeOf = (open: string): string => `</${/^<(\w+)/.exec(open)![1]!}>`;

/** Lines that refuse a client that 2.2 let in: what a log counts as newly refused. */
const STRICT =
  'Order deny,allow\n    Deny from all\n    <IfVersion >= 2.2.15>\n        Allow from 10.0.0.0/8\n    </IfVersion>';

const PARTS = ['a', 'b', 'staff', 'private', '42', 'raw', 'x', 'hidden', 'thumbs'];
const TOPS = ['', 'staff', 'pictures', 'old', 'oldest', 'api', 'gone', 'news'];
const NAMES = [
  '',
  'index.php',
  'start.html',
  'secret.txt',
  'a.bak',
  'draft-7',
  'draft-x',
  'tool.php',
  'tool.php/more',
  'tool.php/secret.txt',
  'page',
];

/** Every shape once: a first directory, up to two below it, and a name. */
const URLS = TOPS.flatMap((top) =>
  ['', ...PARTS, ...PARTS.map((part, i) => `${part}/${PARTS[(i * 4 + 1) % PARTS.length]!}`)].flatMap(
    (parts, i) =>
      NAMES.filter((_, at) => (at + i + top.length) % 3 === 0).map(
        (name) => `/${[top, parts, name].filter((part, at) => part !== '' || at === 2).join('/')}`,
      ),
  ),
);

const logOf = (urls: readonly string[]): string =>
  urls
    .map((url) => `10.1.2.3 - - [01/Oct/2026:13:55:36 +0200] "GET ${url} HTTP/1.1" 200 5 "-" "-"\n`)
    .join('');

function count(conversion: Conversion, urls: readonly string[]): LogReport {
  const counter = conversion.countLogs();
  const log = counter.open('x.log');
  log.add(logOf(urls));
  log.end();
  return counter.report();
}

test.each([
  ['each by itself', REFUSING.map((open) => [open])],
  ['all at once', [REFUSING]],
])('URLs are counted in one log as each is in a log of its own: %s', (_, kinds) => {
  for (const opened of kinds) {
    const sections = opened.map((open) => `${open}\n    ${STRICT}\n${closeOf(open)}\n`).join('');
    const conversion = convert({ '/etc/httpd/httpd.conf': CONFIG + sections }, { paths: ['/etc/httpd/httpd.conf'] });
    const alone = URLS.map((url) => count(conversion, [url]));
    const sum = (key: 'same' | 'refused' | 'unknown'): number => alone.reduce((all, report) => all + report[key], 0);
    const { same, refused, unknown } = count(conversion, URLS);
    expect({ opened, same, refused, unknown }).toEqual({ opened, same: sum('same'), refused: sum('refused'), unknown: sum('unknown') });
    expect(same).toBeGreaterThan(0);
    expect({ opened, touched: refused + unknown > 0 }).toEqual({ opened, touched: true });
  }
}); // prettier-ignore
