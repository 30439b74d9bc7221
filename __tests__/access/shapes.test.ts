import { SEED, share } from '../../testing/run/size';
import { PlainServer, type PlainAnswer } from '../../testing/plain/server';
import { failureText } from '../../testing/shapes/failures';
import { KIND_NAMES } from '../../testing/shapes/kinds';
import { URIS, treeOf } from '../../testing/shapes/layout';
import { plantMistakes } from '../../testing/shapes/mistakes';
import { judgeKind, tableOf } from '../../testing/shapes/run';
import { shrink } from '../../testing/shapes/shrink';
import { BASE, type ShapeTree, requestOf, sourceOf } from '../../testing/shapes/tree';

test('no random tree of the shapes of real servers answers differently than before without a word', () => {
  const tallies = new Map(KIND_NAMES.map((kind) => [kind, judgeKind(kind, SEED, share(400, 200), false)]));
  const all = [...tallies.values()];
  const count = (of: (tally: (typeof all)[number]) => number): number =>
    all.reduce((sum, tally) => sum + of(tally), 0);
  const failed = all.flatMap(({ failures }) => failures);
  const trees = count((tally) => tally.trees);
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${trees} fail\n${tableOf(tallies)}\n${failed.map(failureText).join('\n')}`,
    );
  // Nothing is asked where the reading of a version leaves questions open.
  expect(count(({ unread }) => unread) / count(({ requests }) => requests)).toBeLessThan(0.01);
  expect(count(({ requests }) => requests)).toBeGreaterThan(trees * 50);
});

/**
 * The share of wrong rewrites that the product's own checks find, by what they would do. It may only rise: it was 0.9, 0.85 and
 * 0.6 before files were asked about by each of their URLs, and patterns where they meet other sections. Of twelve trees of each
 * kind (seed 5) all are found but one of 38 that 2.4 answers 500 to.
 */
const MUST_FIND = { opened: 0.97, closed: 0.95, '500': 0.85 } as const;

test('nearly all wrong rewrites in these shapes are found that let somebody in or shut somebody out', () => {
  const results = KIND_NAMES.map((kind) => plantMistakes(kind, SEED, share(60, 30), false, 3));
  for (const [verdict, least] of Object.entries(MUST_FIND) as [keyof typeof MUST_FIND, number][]) {
    const rows = results.flatMap(({ byVerdict }) => byVerdict.get(verdict) ?? []);
    const planted = rows.reduce((sum, row) => sum + row.planted, 0);
    const found = rows.reduce((sum, row) => sum + row.found, 0);
    expect([verdict, planted]).not.toEqual([verdict, 0]);
    if (found / planted < least)
      throw new Error(
        `${found} of ${planted} that end in ${verdict} are found\n${results.flatMap(({ missed }) => missed).join('\n')}`,
      );
  }
});

/** A server, a request's path and host, and what a real server of each version answered to 10.1.2.3 without a password. */
const KNOWN: readonly {
  readonly what: string;
  readonly server: readonly string[];
  readonly files?: Readonly<Record<string, readonly string[]>>;
  readonly path: string;
  readonly host?: string;
  readonly in22: PlainAnswer;
  readonly in24: PlainAnswer;
}[] = [
  {
    what: 'virtual hosts without NameVirtualHost',
    server: [
      '<VirtualHost *:80>',
      'ServerName first',
      '</VirtualHost>',
      '<VirtualHost *:80>',
      'ServerName second',
      '<IfModule mod_authz_core.c>',
      '<Location />',
      'Require all denied',
      '</Location>',
      '</IfModule>',
      '</VirtualHost>',
    ],
    path: '/x.txt',
    host: 'second',
    in22: 'P',
    in24: 'F',
  },
  {
    what: 'AllowOverride in a section for a regular expression, which comes too late',
    server: ['<DirectoryMatch "/a">', 'AllowOverride None', '</DirectoryMatch>'],
    files: { 'htdocs/a/.htaccess': ['Nonsense on'] },
    path: '/a/x.txt',
    in22: 'E',
    in24: 'E',
  },
  {
    what: 'a line that only 2.4 knows',
    server: [],
    files: { 'htdocs/a/.htaccess': ['<RequireAny>', 'Require all granted', '</RequireAny>'] },
    path: '/a/x.txt',
    in22: 'E',
    in24: 'P',
  },
  {
    what: 'a Require line without AuthType',
    server: [],
    files: { 'htdocs/a/.htaccess': ['Require all granted'] },
    path: '/a/x.txt',
    in22: 'E',
    in24: 'P',
  },
];

test.each(KNOWN)('both versions are read as they are: $what', ({ server, files, path, host, in22, in24 }) => {
  const root = ['Options FollowSymLinks', 'AllowOverride All'];
  const tree = treeOf({ name: 'known', server, files: files ?? {}, uris: [path], root });
  const modules =
    '<IfVersion >= 2.4>\nLoadModule authz_core_module m\nLoadModule authn_core_module m\n</IfVersion>\n';
  const read = sourceOf({
    files: { ...tree.files, 'conf/modules.conf': `${tree.files['conf/modules.conf'] as string}${modules}` },
  });
  const request = requestOf({
    ...tree.requests[0]!,
    ...(host === undefined ? {} : { headers: { Host: host } }),
  });
  const answer = (version: '2.2' | '2.4'): PlainAnswer =>
    new PlainServer(read, `${BASE}/conf/httpd.conf`, { version, defines: new Set() }).answer(request);
  expect([answer('2.2'), answer('2.4')]).toEqual([in22, in24]);
});

test('a failing tree is made small, and still fails', () => {
  const tree = treeOf({
    name: 'large',
    server: [
      '<IfModule mod_alias.c>',
      '  <Location /a>',
      '    Deny from all',
      '    Order allow,deny',
      '  </Location>',
      '</IfModule>',
    ],
    files: { 'htdocs/a/.htaccess': ['Satisfy Any'] },
    uris: URIS,
  });
  const conf = (candidate: ShapeTree): string => candidate.files['conf/httpd.conf'] as string;
  const small = shrink(tree, (candidate) => conf(candidate).includes('Deny from all'));
  expect(small.files['htdocs/a/.htaccess']).toBeUndefined();
  expect(conf(small)).toMatch(
    /^ServerRoot .*\nListen 80\n(?:Listen 8080\n)?Include conf\/modules\.conf\n *Deny from all\n$/,
  );
});
