import fc from 'fast-check';
import {
  type ShapeLines,
  type ShapeLinesArb,
  conditional,
  dualBody,
  halves,
  linesFor24,
  oldBody,
  templateBody,
  within,
} from './bodies';
import { URIS, treeOf } from './layout';
import type { ShapeTree } from './tree';

/** Where lines stand: in a section of the server, or in a `.htaccess`. */
interface PlacedLines {
  readonly server: ShapeLines;
  readonly files: Readonly<Record<string, ShapeLines>>;
}

const DIRECTORIES = ['', '/a', '/a/b', '/c'] as const;

const SECTIONS = [
  ...DIRECTORIES.map((at) => `Directory "@B@/htdocs${at}"`),
  'Directory "@B@/htdocs/*/b"',
  'Directory ~ "^@B@/htdocs/(a|c)/"',
  'DirectoryMatch "^@B@/htdocs/a/b/"',
  'Location /a',
  'Location /a/b',
  'Location /',
  'LocationMatch "^/(a|c)/"',
  'Files x.txt',
  'Files *.php',
  'FilesMatch "\\.(php|txt)$"',
];

const IN_FILES = ['Files x.txt', 'Files "y.*"', 'FilesMatch "\\.php$"', 'Files ~ "\\.(txt|php)$"'];

/** Lines in a `.htaccess`, or one of its Files sections. */
function accessFile(lines: ShapeLinesArb): fc.Arbitrary<PlacedLines> {
  return fc
    .tuple(
      fc.constantFrom('', 'a', 'a/b', 'c'),
      lines,
      fc.option(fc.constantFrom(...IN_FILES), { freq: 3, nil: undefined }),
    )
    .map(([at, body, files]) => ({
      server: [],
      files: {
        [`htdocs/${at === '' ? '' : `${at}/`}.htaccess`]: files === undefined ? body : within(files, body),
      },
    }));
}

/** A `.htaccess`, or a section of the server, now and then with a Files section in it. */
function anywhere(lines: ShapeLinesArb): fc.Arbitrary<PlacedLines> {
  const section = fc
    .tuple(
      fc.constantFrom(...SECTIONS),
      lines,
      fc.option(fc.tuple(fc.constantFrom(...IN_FILES), lines), { freq: 5, nil: undefined }),
    )
    .map(([name, body, nested]) => ({
      server: within(name, [
        ...body,
        ...(nested === undefined || !name.startsWith('Directory') ? [] : within(...nested)),
      ]),
      files: {},
    }));
  return fc.oneof({ weight: 3, arbitrary: accessFile(lines) }, { weight: 4, arbitrary: section });
}

function together(parts: readonly PlacedLines[]): PlacedLines {
  return {
    server: parts.flatMap(({ server }) => server),
    files: Object.assign({}, ...parts.map(({ files }) => files)) as PlacedLines['files'],
  };
}

const several = (
  part: fc.Arbitrary<PlacedLines>,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<PlacedLines> => fc.array(part, { minLength, maxLength }).map(together);

/** Files and sections that say the same, or should, for both versions. */
const dual: fc.Arbitrary<ShapeTree> = fc
  .tuple(
    several(anywhere(oldBody), 0, 2),
    several(anywhere(dualBody), 1, 2),
    fc.constantFrom('All', 'All', 'AuthConfig Limit', 'Limit'),
  )
  .map(([above, both, override]) => {
    const { server, files } = together([above, both]);
    return treeOf({
      name: 'dual',
      server,
      files,
      uris: URIS,
      root: ['Options FollowSymLinks', `AllowOverride ${override}`, 'Order allow,deny', 'Allow from all'],
    });
  });

const CLASSES = [
  'All',
  'None',
  'Limit',
  'AuthConfig',
  'Limit AuthConfig',
  'FileInfo Indexes',
  'Limit FileInfo',
  'Options Limit',
  'Options=Indexes Limit',
  'Options=Indexes,FollowSymLinks AuthConfig Limit',
  'FileInfo AuthConfig Limit Indexes',
];

const OVERRIDDEN = [
  ...DIRECTORIES.map((at) => `Directory "@B@/htdocs${at}"`),
  'Directory "@B@/htdocs"',
  'Directory "@B@/htdocs/a"',
  'Directory "@B@/htdocs/*"',
  'Directory ~ "^@B@/htdocs/a"',
  'DirectoryMatch "^@B@/htdocs/a"',
  'Location /a',
  'Files x.txt',
];

/** An AllowOverride somewhere: in a section, in a conditional in it or around it, or in a file that the section includes. */
const overriding: fc.Arbitrary<PlacedLines> = fc
  .record({
    section: fc.constantFrom(...OVERRIDDEN),
    classes: fc.constantFrom(...CLASSES),
    list: fc.option(
      fc.constantFrom('Require', 'Order Allow Deny', 'None', 'Require <RequireAll> <RequireAny>', 'Options'),
      { freq: 5, nil: undefined },
    ),
    around: fc.constantFrom(
      '',
      '',
      '',
      'outer IfModule mod_alias.c',
      'inner IfModule mod_alias.c',
      'inner IfModule mod_nonexistent.c',
      'inner IfDefine CLOSED',
      'included',
    ),
    second: fc.option(fc.constantFrom(...CLASSES), { freq: 6, nil: undefined }),
  })
  .map(({ section, classes, list, around, second }) => {
    const plain = [
      `AllowOverride ${classes}`,
      ...(second === undefined ? [] : [`AllowOverride ${second}`]),
      ...(list === undefined ? [] : within('IfVersion >= 2.4', [`AllowOverrideList ${list}`])),
    ];
    const name = around.replace(/^(?:outer|inner) /, '');
    if (around.startsWith('outer')) return { server: within(name, within(section, plain)), files: {} };
    if (around.startsWith('inner')) return { server: within(section, within(name, plain)), files: {} };
    if (around === 'included')
      return {
        server: within(section, ['Include "@B@/conf/override.conf"']),
        files: { 'conf/override.conf': plain },
      };
    return { server: within(section, plain), files: {} };
  });

/** What else a `.htaccess` says, which needs a class of its own. */
const OTHER_LINES: readonly ShapeLines[] = [
  ['Options Indexes'],
  ['Options +Indexes'],
  ['Options -Indexes +FollowSymLinks'],
  ['Options Indexes -MultiViews'],
  ['Options -Indexes FollowSymLinks'],
  ['AddType text/plain .php'],
  ['DirectoryIndex index.html'],
  ['ExpiresActive On'],
  within('IfModule mod_nonexistent.c', ['NonexistentLine on']),
];

const overriddenFile: ShapeLinesArb = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: oldBody },
      { weight: 2, arbitrary: dualBody },
      { weight: 1, arbitrary: fc.constant<ShapeLines>([]) },
    ),
    fc.option(fc.constantFrom(...OTHER_LINES), { freq: 2, nil: [] }),
    fc.option(fc.constantFrom('IfModule mod_authz_host.c', 'IfModule mod_nonexistent.c'), {
      freq: 6,
      nil: undefined,
    }),
  )
  .map(([body, other, guard]) => [
    ...(guard === undefined || body.length === 0 ? body : within(guard, body)),
    ...other,
  ]);

const override: fc.Arbitrary<ShapeTree> = fc
  .record({
    above: several(anywhere(oldBody), 0, 1),
    overrides: fc.array(overriding, { minLength: 1, maxLength: 3 }),
    files: several(accessFile(overriddenFile), 1, 2),
    hosts: fc.option(fc.tuple(overriding, overriding), { freq: 3, nil: undefined }),
    root: fc.constantFrom<ShapeLines>(
      [],
      ['Order allow,deny', 'Allow from all'],
      ['AllowOverride None'],
      ['AllowOverride Limit'],
    ),
  })
  .map(({ above, overrides, files, hosts, root }) => {
    const inHosts = (hosts ?? []).flatMap((overriddenHost, i) => [
      ...within('VirtualHost *:80', [
        `ServerName host${i}`,
        'DocumentRoot "@B@/htdocs"',
        ...overriddenHost.server,
      ]),
    ]);
    const all = together([above, ...overrides, files, ...(hosts ?? [])]);
    return treeOf({
      name: 'override',
      server: [
        ...above.server,
        ...overrides.flatMap(({ server }) => server),
        ...(hosts === undefined ? [] : ['NameVirtualHost *:80', ...inHosts]),
      ],
      files: all.files,
      uris: URIS,
      sites: hosts === undefined ? [{}] : [{ host: 'host0' }, { host: 'host1' }, { port: 8080 }],
      root: root.length === 0 ? [] : ['Options FollowSymLinks', ...root],
      defines: ['CLOSED'],
    });
  });

/** Host lists with a word that is filled in later. */
const templates: fc.Arbitrary<ShapeTree> = fc
  .record({
    body: templateBody,
    wrap: fc.nat(9),
    section: fc.constantFrom(...SECTIONS),
    at: fc.constantFrom('', 'a/', 'c/'),
    above: several(anywhere(oldBody), 0, 2),
  })
  .map(({ body: { placeholder, lines }, wrap, section, at, above }) => {
    const isFile = wrap < 3;
    return treeOf({
      name: 'templates',
      server: [...above.server, ...(isFile ? [] : within(section, lines))],
      files: isFile ? { ...above.files, [`htdocs/${at}.htaccess`]: lines } : above.files,
      uris: URIS,
      fill: { placeholder, values: ['10.1', 'all', '192.168.1.5', 'client.example'] },
    });
  });

/** Lines in files of their own that sections include, one of them perhaps twice. */
const includes: fc.Arbitrary<ShapeTree> = fc
  .record({
    bodies: fc.tuple(fc.oneof(oldBody, oldBody, dualBody), fc.oneof(oldBody, dualBody)),
    sections: fc.array(
      fc.tuple(
        fc.constantFrom(...SECTIONS),
        fc.constantFrom('one', 'one', 'two', 'extra/*', 'whole', 'halves'),
        oldBody,
        fc.nat(3),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    whole: anywhere(oldBody),
    both: halves,
    inHost: fc.option(fc.constantFrom('one', 'two', 'whole'), { freq: 3, nil: undefined }),
    files: several(accessFile(oldBody), 0, 1),
  })
  .map(({ bodies: [first, second], sections, whole, both, inHost, files }) => {
    const include = (name: string): string => `Include "@B@/conf/${name}.conf"`;
    const included = (name: string): ShapeLines =>
      name === 'halves'
        ? [
            ...within('IfModule mod_authz_core.c', [include('new')]),
            ...within('IfModule !mod_authz_core.c', [include('old')]),
          ]
        : [include(name)];
    const server = sections.flatMap(([section, name, lines, form]) =>
      name === 'whole'
        ? [include('whole')]
        : within(
            section,
            form === 0
              ? [...included(name), ...lines]
              : form === 1
                ? [...lines, ...included(name)]
                : included(name),
          ),
    );
    return treeOf({
      name: 'includes',
      server: [
        ...server,
        ...(inHost === undefined
          ? []
          : within('VirtualHost *:80', [
              'ServerName host0',
              'DocumentRoot "@B@/htdocs"',
              ...(inHost === 'whole'
                ? [include('whole')]
                : within('Directory "@B@/htdocs/a"', [include(inHost)])),
            ])),
      ],
      files: {
        ...files.files,
        ...whole.files,
        'conf/one.conf': first,
        'conf/old.conf': both.for22,
        'conf/new.conf': both.for24,
        'conf/two.conf': second,
        'conf/extra/1.conf': second,
        'conf/extra/2.conf': ['Include "@B@/conf/one.conf"'],
        'conf/whole.conf': whole.server,
      },
      uris: URIS,
      sites: inHost === undefined ? [{}] : [{ host: 'host0' }, { port: 8080 }],
    });
  });

/** Lines and sections in conditionals of every sort, within one another, split over several. */
const conditionals: fc.Arbitrary<ShapeTree> = fc
  .record({
    parts: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: anywhere(conditional(oldBody)) },
        { weight: 1, arbitrary: anywhere(conditional(dualBody)) },
        { weight: 1, arbitrary: anywhere(oldBody) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(
              anywhere(oldBody),
              fc.constantFrom(
                'IfModule mod_alias.c',
                'IfDefine CLOSED',
                'IfDefine !CLOSED',
                'IfModule mod_nonexistent.c',
              ),
            )
            .map(([{ server, files }, name]) => ({
              server: server.length === 0 ? [] : within(name, server),
              files,
            })),
        },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ parts }) => {
    const { server, files } = together(parts);
    return treeOf({ name: 'conditionals', server, files, uris: URIS, defines: ['CLOSED'] });
  });

/** Passwords, host lists and Satisfy within one another, and lines that only 2.4 understands where 2.2 reads them too. */
const nesting: fc.Arbitrary<ShapeTree> = fc
  .record({
    parts: several(anywhere(oldBody), 2, 5),
    new24: fc.option(
      accessFile(
        fc.constantFrom<ShapeLines>(
          ['Require all granted'],
          ['Require all denied'],
          linesFor24({ hosts: { kind: 'only', range: '10.1' }, people: undefined, auth: false, any: false }),
        ),
      ),
      {
        freq: 8,
        nil: { server: [], files: {} },
      },
    ),
  })
  .map(({ parts, new24 }) => {
    const { server, files } = together([parts, new24]);
    return treeOf({ name: 'nesting', server, files, uris: URIS });
  });

export const SECTION_KINDS = { dual, override, templates, includes, conditionals, nesting } as const;
