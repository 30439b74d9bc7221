import fc from 'fast-check';
import { AUTH, body, limit } from '../access/random-trees';
import { body as body24 } from '../access/random-trees-24';

/**
 * A whole server: the main server, two virtual hosts by name, `.htaccess` files and files that are included. In its texts
 * `@ROOT@` stands for the directory that holds all of it, `@ID@` for a word in every name that others could share, `@PORT@` for
 * the port of the virtual hosts and `@BACKEND@` for that of the server behind.
 */
export interface WideTree {
  /** Path below the root → text; `conf/httpd.conf` is read first. */
  readonly conf: Readonly<Record<string, string>>;
  /** Directory below `www` → its `.htaccess`. */
  readonly htaccess: Readonly<Record<string, string>>;
  /** Names that its `<IfDefine>`s ask for. */
  readonly defines: readonly string[];
  readonly targets: readonly WideTarget[];
}

/** What is asked for, and what it maps to by the tree's DocumentRoot, Alias and ProxyPass lines. */
export interface WideTarget {
  /** The virtual host; undefined for the main server. */
  readonly host: 'one' | 'two' | undefined;
  readonly uri: string;
  /** Below the root. */
  readonly file?: string;
  /** Where the URL is proxied to. */
  readonly backend?: string;
}

export const PROFILES = ['vhosts', 'conditionals', 'mixed', 'proxy'] as const;
export type Profile = (typeof PROFILES)[number];

type Lines = readonly string[];
type LinesArb = fc.Arbitrary<string[]>;

const FROM = ['127.0.0.2', '127.1', '127.1.0.0/16', '127.0.0.1 127.1.0.2', 'env=let_me_in'];
const REQUIRE = [
  'Require valid-user',
  'Require user alice',
  'Require user bob carol',
  'Require group staff',
  'Require group admins',
];

/** What people write: bodies that mostly say all that they depend on. */
const usualBodies: LinesArb = fc
  .tuple(fc.constantFrom(...FROM), fc.constantFrom(...REQUIRE), fc.nat(17))
  .map(([from, require, index]) => {
    const only = ['Order deny,allow', 'Deny from all', `Allow from ${from}`];
    const bodies: string[][] = [
      ['Order allow,deny', 'Allow from all'],
      ['Order allow,deny', 'Allow from all'],
      ['Order allow,deny', 'Deny from all'],
      only,
      ['order Allow,Deny', `allow from ${from}`],
      ['Order allow,deny', 'Allow from all', `Deny from ${from}`],
      ['Order Deny,Allow', `Deny from ${from}`],
      ['Deny from all'],
      ['Order allow,deny', 'Deny from all', 'Satisfy All'],
      [...AUTH, require],
      [...AUTH, require, 'Order allow,deny', 'Allow from all', 'Satisfy All'],
      [...AUTH, require, ...only, 'Satisfy Any'],
      [...only, 'Satisfy Any', ...AUTH, require],
      [...AUTH, ...limit([require], 'LimitExcept GET POST OPTIONS')],
      [...AUTH, ...limit([require], 'Limit POST PUT')],
      limit(['Order deny,allow', 'Deny from all'], 'LimitExcept GET POST'),
      [
        ...limit(['Order allow,deny', 'Allow from all'], 'Limit GET OPTIONS'),
        ...limit(only, 'LimitExcept GET OPTIONS'),
      ],
      ['Order deny,allow', ...limit(['Deny from all', `Allow from ${from}`], 'Limit POST')],
    ];
    return bodies[index]!;
  });

/** Bodies that leave nothing to the sections above them. */
const completeBodies: LinesArb = fc
  .tuple(fc.constantFrom(...FROM), fc.constantFrom(...REQUIRE), fc.nat(5))
  .map(([from, require, index]) => {
    const only = ['Order deny,allow', 'Deny from all', `Allow from ${from}`];
    const bodies: string[][] = [
      ['Order allow,deny', 'Allow from all', 'Satisfy Any'],
      ['Order allow,deny', 'Deny from all', 'Satisfy All'],
      ['Order allow,deny', 'Satisfy all', 'Deny from all'],
      [...AUTH, require, 'Order allow,deny', 'Allow from all', 'Satisfy All'],
      [...AUTH, require, ...only, 'Satisfy Any'],
      [...only, ...AUTH, require, 'Satisfy All'],
    ];
    return bodies[index]!;
  });

const old: LinesArb = fc.oneof({ weight: 12, arbitrary: usualBodies }, { weight: 1, arbitrary: body });
const mostlyComplete: LinesArb = fc.oneof(
  { weight: 5, arbitrary: completeBodies },
  { weight: 1, arbitrary: old },
);
const mixed: LinesArb = body24({ old: true, merging: false });

const TESTS = [
  'IfModule mod_alias.c',
  'IfModule mod_authz_host.c',
  'IfModule !mod_alias.c',
  'IfModule mod_nonexistent.c',
  'IfModule !mod_nonexistent.c',
  'IfDefine A@ID@',
  'IfDefine !A@ID@',
  'IfDefine B@ID@',
  'IfVersion >= 2.2',
];

/** Lines in none of these, in one, or in one within another. */
function guarded(lines: LinesArb, often: number): LinesArb {
  return fc
    .tuple(lines, fc.nat(99), fc.constantFrom(...TESTS), fc.constantFrom(...TESTS))
    .map(([inner, n, outer, outermost]) =>
      n >= often ? inner : n < often / 5 ? limit(limit(inner, outer), outermost) : limit(inner, outer),
    );
}

/** Lines, some of them split over conditionals. */
function split(lines: LinesArb, often: number): LinesArb {
  return fc
    .tuple(guarded(lines, often), guarded(lines, often), fc.nat(99))
    .map(([first, second, n]) => (n < often / 3 ? [...first, ...second] : first));
}

const FILES = [
  'Files "x.@ID@.txt"',
  'Files ~ "@ID@\\.(php|txt)$"',
  'FilesMatch "@ID@\\.txt$"',
  'FilesMatch "^y\\.@ID@"',
  'Files *@ID@.php',
];
/** Names that are nobody else's inside a virtual host. */
const PER_HOST_FILES = [...FILES, 'Files *.php', 'FilesMatch "\\.(txt|bak)$"', 'Files "*"'];
const LOCATIONS = [
  'Location "/@ID@"',
  'Location "/@ID@/a"',
  'Location /@ID@/a/b',
  'Location "/@ID@s"',
  'LocationMatch "^/@ID@/(a|d)/"',
  'LocationMatch "@ID@\\.txt$"',
  'Location ~ "/@ID@/.*/y"',
  'Location "/@ID@m/a"',
];
const PER_HOST_LOCATIONS = [...LOCATIONS, 'Location /', 'LocationMatch "txt$"', 'LocationMatch "/b/"'];
const DOCUMENT_ROOTS = ['one/@ID@', 'two/@ID@', 'main', 'shared'];
const DIRECTORIES = [
  ...DOCUMENT_ROOTS.flatMap((directory) => [
    `Directory "@ROOT@/www/${directory}"`,
    `Directory "@ROOT@/www/${directory}/a"`,
    `Directory "@ROOT@/www/${directory}/a/b"`,
  ]),
  'Directory @ROOT@/www/one/@ID@/d/',
  'Directory "@ROOT@/www"',
  'Directory "@ROOT@/www"',
  'Directory "@ROOT@/www/*/@ID@/a"',
  'Directory "@ROOT@/www/*/a"',
  'DirectoryMatch "/@ID@/d(/|$)"',
  'Directory ~ "/@ID@/a/b"',
];
const PROXIES = [
  'Proxy "http://127.0.0.1:@BACKEND@/@ID@/*"',
  'Proxy http://127.0.0.1:@BACKEND@/@ID@/a',
  'ProxyMatch "^http://127\\.0\\.0\\.1:@BACKEND@/@ID@/a/"',
];
const PER_HOST_PROXIES = [...PROXIES, 'Proxy *', 'Proxy "*"', 'ProxyMatch "txt$"'];

interface Style {
  /** In Directory sections. */
  readonly lines: LinesArb;
  /** In sections that come after these, whatever they were. */
  readonly later: LinesArb;
  /** How many of a hundred lines are in conditionals. */
  readonly often: number;
  readonly proxy: boolean;
}

const someMixed = fc.oneof({ weight: 2, arbitrary: mixed }, { weight: 2, arbitrary: usualBodies });
const STYLES: Readonly<Record<Profile, Style>> = {
  vhosts: { lines: old, later: mostlyComplete, often: 4, proxy: false },
  conditionals: { lines: old, later: mostlyComplete, often: 30, proxy: false },
  mixed: { lines: someMixed, later: someMixed, often: 3, proxy: false },
  proxy: { lines: old, later: mostlyComplete, often: 4, proxy: true },
};

/** A section, its nested Files, and now and then a conditional around it. */
function section({ lines, often, proxy }: Style, perHost: boolean): LinesArb {
  const files = perHost ? PER_HOST_FILES : FILES;
  const kinds = [
    { weight: 6, arbitrary: fc.constantFrom(...DIRECTORIES) },
    { weight: 3, arbitrary: fc.constantFrom(...(perHost ? PER_HOST_LOCATIONS : LOCATIONS)) },
    { weight: 2, arbitrary: fc.constantFrom(...files) },
    { weight: proxy ? 6 : 0, arbitrary: fc.constantFrom(...(perHost ? PER_HOST_PROXIES : PROXIES)) },
  ];
  return guarded(
    fc
      .tuple(
        fc.oneof(...kinds),
        split(lines, often),
        fc.option(fileSection(lines, files), { freq: 4, nil: [] }),
      )
      .map(([name, inner, nested]) =>
        limit([...inner, ...(name.startsWith('Directory') ? nested : [])], name),
      ),
    often / 2,
  );
}

function fileSection(lines: LinesArb, names: Lines): LinesArb {
  return fc.tuple(fc.constantFrom(...names), lines).map(([name, inner]) => limit(inner, name));
}

/** A `.htaccess`. */
function accessFile({ lines, later, often }: Style): LinesArb {
  return fc
    .tuple(split(lines, often), fc.option(fileSection(later, PER_HOST_FILES), { freq: 4, nil: [] }))
    .map((parts) => parts.flat());
}

/** Some of the lines in a file of their own, which `Include` names. */
function included(
  parts: readonly (readonly string[])[],
  at: number,
  name: string,
): { lines: string[]; files: [string, string][] } {
  if (at >= parts.length * 3) return { lines: parts.flat(), files: [] };
  const i = at % parts.length;
  const lines = parts.flatMap((part, n) => (n === i ? [`Include "@ROOT@/conf/${name}.conf"`] : part));
  return { lines, files: [[`conf/${name}.conf`, text(parts[i]!)]] };
}

const text = (lines: Lines): string => lines.map((line) => `${line}\n`).join('');
/** What is asked for; one is a directory. */
const NAMES = ['x.@ID@.txt', 'a/x.@ID@.txt', 'a/b/y.@ID@.php', 'a/b/x.@ID@.txt', 'd/y.@ID@.php', 'a/'];

type HostName = NonNullable<WideTarget['host']>;

function targets(rootOf: (host: HostName) => string, proxy: boolean): WideTarget[] {
  const found: WideTarget[] = [];
  for (const host of ['one', 'two'] as const) {
    for (const name of NAMES)
      found.push({ host, uri: `/@ID@/${name}`, file: `www/${rootOf(host)}/@ID@/${name}` });
    found.push({ host, uri: '/@ID@s/a/x.@ID@.txt', file: 'www/shared/a/x.@ID@.txt' });
    found.push({ host, uri: '/@ID@m/a/x.@ID@.txt', file: 'www/main/a/x.@ID@.txt' });
  }
  for (const name of NAMES.slice(0, 4))
    found.push({ host: undefined, uri: `/@ID@m/${name}`, file: `www/main/${name}` });
  if (!proxy) return found;
  for (const name of NAMES.slice(0, 3)) {
    found.push({ host: 'one', uri: `/@ID@p/${name}`, backend: `/@ID@/${name}` });
    found.push({ host: undefined, uri: `/@ID@q/${name}`, backend: `/@ID@/${name}` });
  }
  found.push({ host: 'two', uri: '/@ID@q/a/x.@ID@.txt', backend: '/@ID@/a/x.@ID@.txt' });
  return found;
}

const PLACES = ['one/@ID@', 'one/@ID@/a', 'one/@ID@/a/b', 'two/@ID@', 'main', 'main/a', 'shared/a'];

/** Trees of one kind. */
export function wideTree(profile: Profile): fc.Arbitrary<WideTree> {
  const style = STYLES[profile];
  const main = fc.array(section(style, false), { maxLength: 2 });
  const perHost = fc.array(section(style, true), { maxLength: 2 });
  return fc
    .record({
      before: main,
      after: fc.array(section(style, false), { maxLength: 1 }),
      linesInHosts: fc.tuple(perHost, perHost),
      htaccess: fc.dictionary(fc.constantFrom(...PLACES), accessFile(style), { maxKeys: 2 }),
      override: fc.constantFrom('All', 'All', 'All', 'AuthConfig Limit', 'AuthConfig Limit Options FileInfo'),
      sameRoot: fc.nat(3).map((n) => n === 0),
      aliasInHosts: fc.boolean(),
      include: fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)),
    })
    .map(({ before, after, linesInHosts, htaccess, override, sameRoot, aliasInHosts, include }) => {
      const rootOf = (name: HostName): string => (sameRoot ? 'one' : name);
      const alias = 'Alias /@ID@s/ "@ROOT@/www/shared/"';
      const server = included([...before, []], include[0], 'extra');
      const first = included([...linesInHosts[0], []], include[1], 'one');
      const second = included([...linesInHosts[1], []], include[2], 'two');
      const proxied = (path: string): string[] =>
        style.proxy ? [`ProxyPass /@ID@${path}/ http://127.0.0.1:@BACKEND@/@ID@/ disablereuse=on`] : [];
      const host = (name: 'one' | 'two', lines: Lines): string[] => [
        ...limit(
          [
            `ServerName ${name}.@ID@.test`,
            `DocumentRoot "@ROOT@/www/${rootOf(name)}"`,
            ...(aliasInHosts ? [alias] : []),
            ...(name === 'one' ? proxied('p') : []),
            ...lines,
          ],
          'VirtualHost *:@PORT@',
        ),
        '',
      ];
      const site = [
        'Alias /@ID@m/ "@ROOT@/www/main/"',
        ...(aliasInHosts ? [] : [alias]),
        ...proxied('q'),
        ...limit([`AllowOverride ${override}`, 'Options Indexes FollowSymLinks'], 'Directory "@ROOT@/www"'),
        '',
        ...server.lines,
        '',
        ...host('one', first.lines),
        ...host('two', second.lines),
        ...after.flat(),
      ];
      const head = [
        'ServerRoot "/usr/local/apache2"',
        'Listen @PORT@',
        'Listen 8081',
        'NameVirtualHost *:@PORT@',
        'DocumentRoot "@ROOT@/www/nowhere"',
        'Include "@ROOT@/conf/site.conf"',
      ];
      return {
        conf: Object.fromEntries([
          ['conf/httpd.conf', text(head)],
          ['conf/site.conf', text(site)],
          ...server.files,
          ...first.files,
          ...second.files,
        ]),
        htaccess: Object.fromEntries(Object.entries(htaccess).map(([at, lines]) => [at, text(lines)])),
        defines: ['A@ID@', 'B@ID@'].filter((name) =>
          JSON.stringify([site, server, first, second, htaccess]).includes(name),
        ),
        targets: targets(rootOf, style.proxy),
      };
    });
}
