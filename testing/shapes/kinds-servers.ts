import fc from 'fast-check';
import { type ShapeLines, type ShapeLinesArb, dualBody, oldBody, within } from './bodies';
import { type Site, URIS, treeOf } from './layout';
import type { ShapeTree } from './tree';

const body: ShapeLinesArb = fc.oneof({ weight: 4, arbitrary: oldBody }, { weight: 1, arbitrary: dualBody });

/** What leads to the directories of a tree by a second way. */
const LINKS: readonly (readonly [path: string, target: string, uris: readonly string[]])[] = [
  ['htdocs/l', '@B@/htdocs/a', ['/l/x.txt', '/l/b/x.txt']],
  ['htdocs/c/l', '../a/b', ['/c/l/x.txt']],
  ['htdocs/a/data', '@B@/data', ['/a/data/x.txt', '/a/data/d/x.txt']],
  ['htdocs/data', '../data', ['/data/x.txt', '/data/d/x.txt']],
  ['htdocs/c/z.txt', '../a/x.txt', ['/c/z.txt']],
];

/** A `.htaccess` that is a link to another. */
const FILE_LINKS: readonly (readonly [string, string])[] = [
  ['htdocs/c/.htaccess', '../a/.htaccess'],
  ['htdocs/a/b/.htaccess', '@B@/conf/shared.htaccess'],
];

const ALIASES: readonly (readonly [line: string, uris: readonly string[]])[] = [
  ['Alias /al "@B@/htdocs/a"', ['/al/x.txt', '/al/b/x.txt']],
  ['Alias /al/ "@B@/htdocs/a/"', ['/al/x.txt', '/al/b/y.php']],
  ['Alias /d "@B@/data"', ['/d/x.txt', '/d/d/x.txt']],
  ['Alias /a/b "@B@/htdocs/c"', ['/a/b/x.txt']],
];

const PLACES = ['', '/a', '/a/b', '/c'] as const;

const serverSection = fc
  .tuple(
    fc.constantFrom(
      ...PLACES.map((at) => `Directory "@B@/htdocs${at}"`),
      'Directory "@B@/data"',
      'Directory "@B@/htdocs/l"',
      'Directory "@B@/htdocs/a/data"',
      'Location /l',
      'Location /al',
      'Location /a',
    ),
    oldBody,
  )
  .map(([name, lines]) => within(name, lines));

/** Access files in directories to which more than one way leads. */
const links: fc.Arbitrary<ShapeTree> = fc
  .record({
    links: fc.subarray([...LINKS], { minLength: 0, maxLength: 2 }),
    fileLink: fc.option(fc.constantFrom(...FILE_LINKS), { freq: 6, nil: undefined }),
    aliases: fc.subarray([...ALIASES], { maxLength: 1 }),
    sections: fc.array(serverSection, { maxLength: 2 }),
    htaccess: fc.dictionary(fc.constantFrom('htdocs/a', 'htdocs/a/b', 'data', 'data/d', 'htdocs/c'), body, {
      minKeys: 1,
      maxKeys: 2,
    }),
    shared: body,
    given: fc.constantFrom<ShapeLines>(
      ['conf/httpd.conf', 'htdocs'],
      ['conf/httpd.conf', 'htdocs', 'data'],
      ['conf/httpd.conf', 'htdocs/a'],
      ['conf/httpd.conf', 'htdocs/c', 'htdocs/a'],
    ),
    override: fc.constantFrom('All', 'All', 'AuthConfig Limit', 'Limit'),
    host: fc.option(
      fc.tuple(
        fc.constantFrom('htdocs/a', 'htdocs', 'data', 'htdocs/l'),
        fc.option(serverSection, { nil: [] as string[] }),
      ),
      { freq: 3, nil: undefined },
    ),
  })
  .map(({ links: chosen, fileLink, aliases, sections, htaccess, shared, given, override, host }) => {
    const files: Record<string, ShapeLines> = Object.fromEntries(
      Object.entries(htaccess).map(([at, lines]) => [`${at}/.htaccess`, lines]),
    );
    if (fileLink !== undefined) {
      delete files[fileLink[0]];
      files[fileLink[0].includes('/c/') ? 'htdocs/a/.htaccess' : 'conf/shared.htaccess'] = shared;
    }
    const inHost =
      host === undefined
        ? []
        : within('VirtualHost *:80', ['ServerName host0', `DocumentRoot "@B@/${host[0]}"`, ...host[1]]);
    return treeOf({
      name: 'links',
      root: ['Options FollowSymLinks', `AllowOverride ${override}`, 'Order allow,deny', 'Allow from all'],
      server: [
        ...within('Directory "@B@/data"', [`AllowOverride ${override}`]),
        ...sections.flat(),
        ...aliases.map(([line]) => line),
        ...inHost,
      ],
      files,
      links: Object.fromEntries([
        ...chosen.map(([path, target]) => [path, target] as const),
        ...(fileLink === undefined ? [] : [fileLink]),
      ]),
      uris: [...URIS, ...chosen.flatMap(([, , uris]) => uris), ...aliases.flatMap(([, uris]) => uris)],
      sites: host === undefined ? [{}] : [{ host: 'host0' }, { port: 8080 }],
      paths: given,
    });
  });

/** Directory sections of a virtual host, some of them with an AllowOverride of these. */
function sectionsOf(
  ...overrides: ShapeLines
): fc.Arbitrary<[place: string, lines: ShapeLines, override: string][]> {
  const override = fc.constantFrom('', '', ...overrides.map((words) => `AllowOverride ${words}`));
  return fc.array(fc.tuple(fc.constantFrom(...PLACES), body, override), { maxLength: 2 });
}

/** Virtual hosts whose roots are one, or lie in one another, with sections of each and access files that they share. */
const roots: fc.Arbitrary<ShapeTree> = fc
  .record({
    roots: fc.tuple(
      fc.constantFrom('htdocs', 'htdocs', 'htdocs/a'),
      fc.constantFrom('htdocs', 'htdocs/a', 'htdocs/a/b'),
    ),
    inHosts: fc.tuple(sectionsOf('Limit', 'All', 'None'), sectionsOf('Limit', 'All', 'AuthConfig')),
    locations: fc.tuple(
      fc.option(oldBody, { freq: 4, nil: undefined }),
      fc.option(oldBody, { freq: 4, nil: undefined }),
    ),
    main: fc.array(serverSection, { maxLength: 2 }),
    htaccess: fc.dictionary(fc.constantFrom('htdocs', 'htdocs/a', 'htdocs/a/b', 'htdocs/c'), body, {
      maxKeys: 2,
    }),
    ports: fc.boolean(),
    override: fc.constantFrom('All', 'All', 'Limit', 'None', 'AuthConfig Limit'),
  })
  .map(({ roots: where, inHosts, locations, main, htaccess, ports, override }) => {
    const addresses = ['*:80', ports ? '*:8080' : '*:80'];
    const host = (i: 0 | 1): string[] =>
      within(`VirtualHost ${addresses[i]}`, [
        `ServerName host${i}`,
        `DocumentRoot "@B@/${where[i]}"`,
        ...inHosts[i].flatMap(([at, lines, overriding]) =>
          within(`Directory "@B@/htdocs${at}"`, [...(overriding === '' ? [] : [overriding]), ...lines]),
        ),
        ...(locations[i] === undefined ? [] : within('Location /', locations[i])),
      ]);
    return treeOf({
      name: 'roots',
      root: ['Options FollowSymLinks', `AllowOverride ${override}`, 'Order allow,deny', 'Allow from all'],
      server: [...(ports ? [] : ['NameVirtualHost *:80']), ...main.flat(), ...host(0), ...host(1)],
      files: Object.fromEntries(Object.entries(htaccess).map(([at, lines]) => [`${at}/.htaccess`, lines])),
      uris: [...URIS, '/b/x.txt'],
      sites: ports
        ? [{ host: 'host0' }, { host: 'host1', port: 8080 }]
        : [{ host: 'host0' }, { host: 'host1' }, { port: 8080 }],
    });
  });

const ADDRESSES = [
  '*:80',
  '*:80',
  '*',
  '127.0.0.1:80',
  '127.0.0.2:80',
  '_default_:80',
  '_default_:*',
  '*:8080',
  '127.0.0.1',
  '127.0.0.1:80 127.0.0.2:80',
];

/** How the addresses of a configuration are chosen: mostly so that people would write them together. */
const addressing: fc.Arbitrary<{ readonly named: ShapeLines; readonly hosts: ShapeLines }> = fc.oneof(
  fc.constantFrom(
    { named: ['*:80'], hosts: ['*:80', '*:80', '*:80'] },
    { named: ['*'], hosts: ['*', '*', '*'] },
    { named: [], hosts: ['*:80', '*:80'] },
    { named: [], hosts: ['127.0.0.1:80', '127.0.0.2:80', '_default_:80'] },
    { named: ['127.0.0.1:80'], hosts: ['127.0.0.1:80', '127.0.0.1:80', '127.0.0.2:80'] },
    { named: ['*:80', '*:8080'], hosts: ['*:80', '*:8080', '*:80'] },
    { named: [], hosts: ['127.0.0.1:80', '127.0.0.1:80'] },
    { named: ['*:80'], hosts: ['127.0.0.1:80', '*:80', '*:80'] },
  ),
  fc
    .tuple(
      fc.subarray(['*:80', '*', '127.0.0.1:80', '*:8080'], { maxLength: 2 }),
      fc.array(fc.constantFrom(...ADDRESSES), { minLength: 2, maxLength: 3 }),
    )
    .map(([named, hosts]) => ({ named, hosts })),
);

/** Servers told apart by name, by address and by port, with and without NameVirtualHost. */
const vhosts: fc.Arbitrary<ShapeTree> = fc
  .record({
    addresses: addressing,
    bodies: fc.array(
      fc.tuple(
        fc.constantFrom('Location /', 'Directory "@B@/htdocs"', 'Directory "@B@/htdocs/a"', 'Files x.txt'),
        oldBody,
      ),
      { minLength: 3, maxLength: 3 },
    ),
    main: fc.option(oldBody, { nil: undefined }),
    alias: fc.constantFrom('', 'www.host0', '*.host0', 'host1'),
    nameless: fc.nat(6),
    htaccess: fc.option(oldBody, { freq: 3, nil: undefined }),
    namedLast: fc.boolean(),
  })
  .map(({ addresses: { named, hosts }, bodies, main, alias, nameless, htaccess, namedLast }) => {
    const lines = named.map((address) => `NameVirtualHost ${address}`);
    const server = hosts.flatMap((address, i) =>
      within(`VirtualHost ${address}`, [
        ...(i === nameless ? [] : [`ServerName host${i}`]),
        ...(alias === '' || i !== 0 ? [] : [`ServerAlias ${alias}`]),
        'DocumentRoot "@B@/htdocs"',
        ...within(bodies[i]![0], bodies[i]![1]),
      ]),
    );
    const sites: Site[] = ['host0', 'host1', 'host2', 'x.host0', 'other'].map((host) => ({ host }));
    return treeOf({
      name: 'vhosts',
      server: [
        ...(namedLast ? [] : lines),
        ...(main === undefined ? [] : within('Directory "@B@/htdocs/a"', main)),
        ...server,
        ...(namedLast ? lines : []),
      ],
      files: htaccess === undefined ? {} : { 'htdocs/a/.htaccess': htaccess },
      uris: ['/x.txt', '/a/x.txt', '/a/b/y.php'],
      sites: [
        ...sites,
        { host: 'host1', dst: '127.0.0.2' },
        { host: 'host0', port: 8080 },
        { host: 'host1', port: 8080, dst: '127.0.0.2' },
      ],
    });
  });

export const SERVER_KINDS = { links, roots, vhosts } as const;
