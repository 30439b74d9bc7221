import { addressMatches, rangesAround } from '../../src/access/primitives';
import { type Conversion, type LogReport, convert } from '../../src';
import { serverHead } from '../../testing/logs/server-head';

const HEAD = serverHead(['authz_host', 'auth_basic', 'authn_file', 'authz_user', 'authz_groupfile']);
const AUTH =
  '    AuthType Basic\n    AuthName x\n    AuthUserFile /etc/httpd/users\n    AuthGroupFile /etc/httpd/groups\n';

const CONFIGS: Readonly<Record<string, string>> = {
  'expressions, which ask for a part of the name': `<Location /local>\n${AUTH}    Require valid-user\n    Satisfy Any\n    Order deny,allow\n    Deny from all\n    Allow from 10.0.0.0/8\n</Location>
<FilesMatch "\\.(inc|bak)$">\n    Order allow,deny\n    Deny from all\n</FilesMatch>
<Files ~ "^a.[a-z]$">\n    Order deny,allow\n    Deny from all\n    Allow from 10.1.0.0/16 192.0.2.0/30\n    Satisfy any\n</Files>\n`,
  'very many ranges': `<Directory /srv/www>\n    Order allow,deny\n    Allow from all\n${Array.from({ length: 300 }, (_, i) => `    Deny from 10.${i % 7}.${i % 250}.0/${24 + (i % 5)}\n`).join('')}    Deny from 192.0.2.0/255.255.255.0 2001:db8::/33 203.0.113\n</Directory>\n`,
  'names of clients, more than a few': `<Directory /srv/www>\n    Order allow,deny\n    Allow from all\n${Array.from({ length: 12 }, (_, i) => `    Deny from .net${i}.example.org\n`).join('')}    Deny from bad.test\n</Directory>\n`,
  'names of users, quoted too': `<Directory /srv/www>\n${AUTH}    Require user alice "bob b" "o\\"neil" ${Array.from({ length: 12 }, (_, i) => `user${i}`).join(' ')}\n</Directory>\n`,
  groups: `<Directory /srv/www>\n${AUTH}    Require group staff\n    Require user alice\n</Directory>\n`,
};

const CLIENTS = [
  '10.1.1.1',
  '10.0.0.9',
  '10.3.3.200',
  '10.2.9.17',
  '192.0.2.2',
  '192.0.3.1',
  '203.0.113.7',
  '2001:db8::1',
  '2001:db8:8000::1',
  'a.net11.example.org',
  'net1.example.org',
  'bad.test',
  'notbad.test',
  '-',
];
const USERS = ['-', 'alice', 'ali', 'bob b', 'o\\"neil', 'user11', 'user', 'mallory'];
const PATHS = ['/local/a.inc', '/local/a.x', '/local/page', '/a.y', '/b.bak', '/local', '/'];
const LINES = CLIENTS.flatMap((client, i) =>
  USERS.flatMap((user, j) =>
    PATHS.filter((_, k) => (i + j + k) % 3 === 0).map(
      (path) =>
        `${client} - ${user} [01/Oct/2026:13:55:36 +0200] "GET ${path} HTTP/1.1" ${[200, 401, 403][(i + j) % 3]} 5 "-" "-"\n`,
    ),
  ),
);

function count(conversion: Conversion, lines: readonly string[]): LogReport {
  const counter = conversion.countLogs({ format: 'combined' });
  const log = counter.open('x.log');
  for (const line of lines) log.add(line);
  log.end();
  return counter.report();
}

test.each(Object.keys(CONFIGS))('%s: each line is counted as in a log of its own', (name) => {
  const conversion = convert(
    { '/etc/httpd/httpd.conf': HEAD + CONFIGS[name]! },
    { paths: ['/etc/httpd/httpd.conf'] },
  );
  const alone = LINES.map((line) => count(conversion, [line]));
  const together = count(conversion, LINES);
  for (const key of ['requests', 'same', 'refused', 'opened', 'otherwise', 'unknown'] as const)
    expect({ key, count: together[key] }).toEqual({
      key,
      count: alone.reduce((sum, report) => sum + report[key], 0),
    });
  const contradicting = (report: LogReport): number =>
    report.contradictions.reduce((sum, { requests }) => sum + requests, 0);
  const contradictions = alone.reduce((sum, report) => sum + contradicting(report), 0);
  expect(contradicting(together)).toBe(contradictions);
  expect(contradictions).toBeGreaterThan(0);
  expect(contradictions).toBeLessThan(LINES.length);
});

test('an address is of the class of those that lie in the same ranges', () => {
  const ranges = [
    '10.1',
    '10.1.2.0/24',
    '10.1.2.128/25',
    '10.1.2.3',
    '10.0.0.0/255.0.255.0',
    '2001:db8::/32',
    '2001:db8::/33',
    '::1',
  ];
  const addresses = [
    '10.1.2.3',
    '10.1.2.200',
    '10.1.9.9',
    '10.7.0.1',
    '11.1.2.3',
    '2001:db8::1',
    '2001:db8:8000::1',
    '::1',
    '::2',
  ];
  const classOf = rangesAround(ranges);
  const inRanges = (address: string): string =>
    ranges.map((range) => Number(addressMatches(range, address))).join('');
  for (const a of addresses)
    for (const b of addresses.filter((other) => other.includes(':') === a.includes(':')))
      expect({ a, b, isSame: classOf(a) === classOf(b) }).toEqual({
        a,
        b,
        isSame: inRanges(a) === inRanges(b),
      });
});
