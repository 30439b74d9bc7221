import { type ConfigTree, loadTree, memory } from '../../src/config';
import type { FileSource } from '../../src/config/types';
import { soon } from '../../testing/run/soon';

const MAIN = '/etc/httpd/httpd.conf';
const LINKED = 20_000;

/** A server whose site links to the directories of two users, of which the first has very many. */
function served(ownerOf: (path: string) => number, paths: readonly string[]): ConfigTree {
  const files = new Map([
    [MAIN, 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n<Directory />\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n'],
    ['/data/a/.htaccess', 'Deny from all\n'],
    ['/data/b/.htaccess', 'Deny from all\n'],
    ['/srv/www/.htaccess', 'Options None\n'],
  ]); // prettier-ignore
  const links = new Map([
    ['/srv/www/a', '/data/a'],
    ['/srv/www/b', '/data/b'],
  ]);
  const many = Array.from({ length: LINKED * (paths.length > 1 ? 5 : 1) + 10 }, (_, i) => `/data/a/d${i}`);
  const source: FileSource = {
    ...memory(files, links, many),
    isMachine: true,
    owners: (path) => [ownerOf(path)],
  };
  return loadTree(source, paths, { defines: new Map(), env: new Map(), cwd: '/' });
}

const whose = (path: string): number =>
  path.startsWith('/data/a') ? 1001 : path.startsWith('/data/b') ? 1002 : 0;

describe.each([
  ['what the server serves', [MAIN]],
  ['what was given', [MAIN, '/srv/www']],
])('links out of %s', (_, paths) => {
  test('a user who has very many directories takes nothing from another', () => {
    const tree = served(whose, paths);
    expect(tree.htaccess.map(({ path }) => path)).toContain('/data/b/.htaccess');
    expect(tree.unvisited.map(({ name }) => name)).toEqual(['srv/www/a']);
  });

  test('one user has no more for having two links', () => {
    const tree = served(() => 1001, paths);
    expect(tree.htaccess.map(({ path }) => path)).not.toContain('/data/b/.htaccess');
    expect(tree.unvisited.map(({ name }) => name)).toEqual(['srv/www/a', 'srv/www/b']);
  });
});

test('a hundred thousand links of one user to a directory end no run', async () => {
  const links = new Map(Array.from({ length: 140_000 }, (_, i) => [`/srv/t/l${i}`, 'here']));
  const source = memory(
    new Map([
      ['/srv/t/here/.htaccess', 'Deny from all\n'],
      ['/srv/u/.htaccess', 'Deny from all\n'],
    ]),
    links,
  );
  const tree = await soon(() => loadTree(source, ['/srv'], { defines: new Map(), env: new Map(), cwd: '/' }));
  expect(tree.htaccess.map(({ path }) => path)).toEqual(['/srv/t/here/.htaccess', '/srv/u/.htaccess']);
  expect(tree.htaccess[0]!.directories.length).toBeGreaterThan(10);
});

test('few directories are looked into for how other templates are written', () => {
  const files = new Map([['/srv/site.conf.erb', 'Deny from all\n']]);
  const many = Array.from({ length: LINKED }, (_, i) => `/srv/d${i}`);
  let listed = 0;
  const source = memory(files, new Map(), many);
  const counting: FileSource = {
    ...source,
    list: (path) => {
      listed++;
      return source.list(path);
    },
  };
  const tree = loadTree(counting, [...files.keys()], { defines: new Map(), env: new Map(), cwd: '/' });
  listed = 0;
  expect(tree.templatesBeside!()).toEqual([]);
  expect(listed).toBeGreaterThan(0);
  expect(listed).toBeLessThan(1000);
});
