import fc from 'fast-check';

/** A configuration for one document root, `@DOCROOT@`, and its `.htaccess` files by directory below it. */
export interface RandomTree {
  readonly conf: string;
  readonly htaccess: Readonly<Record<string, string>>;
  /** Names that its `<IfDefine>`s ask for: it is served once for each setting of them. */
  readonly defines?: readonly string[];
}

export const AUTH = [
  'AuthType Basic',
  'AuthName "area"',
  'AuthUserFile conf/htpasswd',
  'AuthGroupFile conf/htgroup',
];

const host = fc.constantFrom(
  'all',
  '127.0.0.2',
  '127.1',
  '127.1.0.0/16',
  'env=let_me_in',
  'env=!block',
  '127.0.0.2 127.2',
  'env=block 127.1.0.2',
);
export const hosts = fc
  .tuple(
    fc.constantFrom('Order allow,deny', 'Order deny,allow', 'order Mutual-failure', undefined),
    fc.array(fc.tuple(fc.constantFrom('Allow from', 'Deny from', 'deny From'), host), { maxLength: 4 }),
  )
  .map(([order, lines]) => [...(order === undefined ? [] : [order]), ...lines.map((line) => line.join(' '))]);

const requires = fc
  .array(
    fc.constantFrom(
      'Require valid-user',
      'Require user alice',
      'Require user bob carol',
      'Require group staff',
      'require Group admins',
      'Require VALID-USER',
    ),
    { minLength: 1, maxLength: 2 },
  )
  .chain((lines) => fc.constantFrom(lines, [...AUTH, ...lines]));

export const satisfy = fc.constantFrom(['Satisfy Any'], ['satisfy all']);

export const limit = (lines: readonly string[], name: string): string[] => [
  `<${name}>`,
  ...lines.map((line) => `    ${line}`),
  `</${name.split(' ')[0]}>`,
];

export const part = fc.oneof(
  { weight: 5, arbitrary: hosts },
  { weight: 4, arbitrary: requires },
  { weight: 2, arbitrary: satisfy },
  { weight: 1, arbitrary: fc.constant(AUTH) },
  { weight: 1, arbitrary: fc.constant(['# keep']) },
  { weight: 1, arbitrary: fc.constant(['AuthzGroupFileAuthoritative Off']) },
);
const limited = fc
  .tuple(
    part,
    fc.constantFrom(
      'Limit GET',
      'Limit POST PUT',
      'LimitExcept GET',
      'LimitExcept GET POST OPTIONS',
      'Limit HEAD',
    ),
  )
  .map(([lines, name]) => limit(lines, name));
export const body = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: part }, { weight: 1, arbitrary: limited }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom('', '', '', '', 'IfModule !mod_nonexistent.c', 'IfModule mod_nonexistent.c'),
  )
  .map(([parts, condition]) => (condition === '' ? parts.flat() : limit(parts.flat(), condition)));

const files = fc
  .tuple(
    fc.constantFrom('Files "x.txt"', 'Files ~ "\\.(php|txt)$"', 'FilesMatch "^index"', 'Files *.php'),
    body,
  )
  .map(([name, lines]) => limit(lines, name));

const section = fc
  .tuple(
    fc.constantFrom(
      'Directory "@DOCROOT@"',
      'Directory "@DOCROOT@/a"',
      'Directory "@DOCROOT@/a/"',
      'Directory "@DOCROOT@/a/b"',
      'Directory "@DOCROOT@/a/b/c"',
      'Directory "@DOCROOT@/d"',
      'Directory "@DOCROOT@/*/b"',
      'DirectoryMatch "/d(/|$)"',
      'Directory ~ "/a/b/"',
      'Location "/a"',
      'Location "/a/b"',
      'Location "/d/"',
      'LocationMatch "^/a/b"',
      'LocationMatch "txt$"',
      'Location /',
    ),
    body,
    fc.option(files, { freq: 6, nil: undefined }),
  )
  .map(([name, lines, nested]) =>
    limit([...lines, ...(nested !== undefined && name.startsWith('Directory') ? nested : [])], name),
  );

/** A part in one conditional, in one within another, or in none. */
const guarded = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: part }, { weight: 1, arbitrary: limited }),
    fc.constantFrom([], [], ['A'], ['A'], ['!A'], ['B'], ['A', 'B'], ['!A', 'B']),
    fc.constantFrom([], [], [], ['# why'], ['Options FollowSymLinks']),
  )
  .map(([lines, names, beside]) =>
    names.reduceRight<string[]>((inner, name) => limit(inner, `IfDefine ${name}`), [...beside, ...lines]),
  );

const split = fc.array(guarded, { minLength: 1, maxLength: 4 }).map((parts) => parts.flat());

/** Trees whose sections are split over `<IfDefine>`. */
export const splitTree: fc.Arbitrary<RandomTree> = fc
  .tuple(
    fc.array(
      fc
        .tuple(
          fc.constantFrom(
            'Directory "@DOCROOT@"',
            'Directory "@DOCROOT@/a"',
            'Directory "@DOCROOT@/a/b"',
            'Files "x.txt"',
            'Location "/a"',
            'LocationMatch "txt$"',
          ),
          fc.oneof({ weight: 2, arbitrary: split }, { weight: 1, arbitrary: body }),
        )
        .map(([name, lines]) => limit(lines, name)),
      { minLength: 1, maxLength: 3 },
    ),
    fc.dictionary(fc.constantFrom('a', 'a/b', 'd'), split, { maxKeys: 1 }),
  )
  .map(([sections, htaccess]) => ({
    conf: [...sections.flatMap((lines) => [...lines, '']), ''].join('\n'),
    htaccess: Object.fromEntries(
      Object.entries(htaccess).map(([at, lines]) => [at, `${lines.join('\n')}\n`]),
    ),
    defines: ['A', 'B'],
  }));

/** Trees wider than any one configuration would be, but each of them one that 2.2 takes. */
export const randomTree: fc.Arbitrary<RandomTree> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 5, arbitrary: section }, { weight: 1, arbitrary: files }), { maxLength: 5 }),
    fc.dictionary(
      fc.constantFrom('', 'a', 'a/b', 'a/b/c', 'd'),
      fc
        .tuple(body, fc.option(files, { freq: 5, nil: undefined }))
        .map(([lines, nested]) => [...lines, ...(nested ?? [])]),
      { maxKeys: 2 },
    ),
  )
  .map(([sections, htaccess]) => ({
    conf: [...sections.flatMap((lines) => [...lines, '']), ''].join('\n'),
    htaccess: Object.fromEntries(
      Object.entries(htaccess).map(([at, lines]) => [at, `${lines.join('\n')}\n`]),
    ),
  }));
