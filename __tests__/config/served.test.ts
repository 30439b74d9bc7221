import { type ConfigTree, type FileSource, loadTree, memory } from '../../src/config';

const D = 'DirectoryIndex x\n';
const OPTIONS = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/cwd' };

/** What is on a machine's disk; `isMachine` makes a copy of what lies in a copy. */
function disk(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
  more: Partial<FileSource> = {},
): FileSource {
  return {
    ...memory(new Map(Object.entries(files)), new Map(Object.entries(links))),
    isMachine: true,
    ...more,
  };
}

function read(source: FileSource, ...paths: string[]): ConfigTree {
  return loadTree(source, paths, OPTIONS);
}

/**
 * The `.htaccess` files of a tree, without their names, each with the directories that the server has them in where these are
 * others.
 */
function places(tree: ConfigTree): string[] {
  return tree.htaccess
    .map(({ path, directories }) => {
      const directory = path.slice(0, path.lastIndexOf('/'));
      return directories.join() === directory ? directory : `${directory} = ${directories.join(' ')}`;
    })
    .toSorted();
}

const at = (...directories: string[]): Record<string, string> =>
  Object.fromEntries(directories.map((directory) => [`${directory}/.htaccess`, D]));

const HOME = '/etc/httpd/conf/httpd.conf';
const SERVER = 'ServerRoot "/etc/httpd"\nListen 80\n';

describe('from a server that is given, what it serves is read', () => {
  const rows: [string, conf: string, there: string[], read: string[]][] = [
    ['DocumentRoot', 'DocumentRoot /srv/a\n', ['/srv/a', '/srv/a/b/c', '/srv/d'], ['/srv/a', '/srv/a/b/c']],
    ['what stands above it', 'DocumentRoot /srv/a/b\n', ['/srv/a', '/srv/a/b', '/srv/a/c'], ['/srv/a', '/srv/a/b']],
    ['Alias and ScriptAlias, in a virtual host', '<VirtualHost *>\nAlias /x "/srv/x/"\nScriptAlias /c /srv/c\n</VirtualHost>\n', ['/srv/x', '/srv/c', '/srv/d'], ['/srv/c', '/srv/x']],
    ['a section alone', '<Directory "/opt/app">\n</Directory>\n<DirectoryMatch "^/opt/x">\n</DirectoryMatch>\n', ['/opt/app/www', '/opt/x'], ['/opt/app/www']],
    ['a pattern of a section', '<Directory /srv/*/www>\n</Directory>\n', ['/srv/a/www', '/srv/b/www/c', '/srv/b'], ['/srv/a/www', '/srv/b', '/srv/b/www/c']],
    ['not the whole file system', '<Directory />\nOptions None\n</Directory>\n', ['/srv'], []],
    ['VirtualDocumentRoot', 'VirtualDocumentRoot /srv/%0/htdocs\n', ['/srv/a.example/htdocs', '/srv/b/other'], ['/srv/a.example/htdocs']],
    ['UserDir, in the homes that most systems have', 'UserDir public_html\n', ['/home/anna/public_html/a', '/home/bert/x'], ['/home/anna/public_html/a']],
    ['UserDir, of a path', 'UserDir /srv/users\nUserDir disabled root\n', ['/srv/users/anna'], ['/srv/users/anna']],
    ['UserDir, of a path with a *', 'UserDir /srv/*/www http://example.com/~*/\n', ['/srv/anna/www', '/srv/anna'], ['/srv/anna', '/srv/anna/www']],
    ['a variable', 'Define R /srv/a\nDocumentRoot ${R}\n<Directory ${R}/../b>\n</Directory>\nAlias /x ${GONE}\n', ['/srv/a', '/srv/b'], ['/srv/a', '/srv/b']],
    ['AccessFileName', 'AccessFileName .acl\nDocumentRoot /srv/a\n', ['/srv/a'], []],
    // AllowOverride
    ['not where AllowOverride None holds', 'DocumentRoot /srv/a\n<Directory />\nAllowOverride None\n</Directory>\n', ['/srv/a'], []],
    ['… but in what lets one speak', 'DocumentRoot /srv/a\n<Directory />\nAllowOverride None\n</Directory>\n<Directory /srv/a/b>\nAllowOverride Limit\n</Directory>\n', ['/srv/a', '/srv/a/b/c', '/srv/a/d'], ['/srv/a/b/c']],
    ['… of which the deepest counts', 'DocumentRoot /srv/a\n<Directory /srv/a/b>\nAllowOverride None\n</Directory>\n<Directory /srv/a>\nAllowOverride All\n</Directory>\n', ['/srv/a', '/srv/a/b'], ['/srv/a']],
    ['… and of one depth the last', 'DocumentRoot /srv/a\n<Directory /srv/a>\nAllowOverride None\nAllowOverride All\n</Directory>\n', ['/srv/a'], ['/srv/a']],
    ['… not if only a virtual host says so', 'DocumentRoot /srv/a\n<VirtualHost *>\n<Directory />\nAllowOverride None\n</Directory>\n</VirtualHost>\n', ['/srv/a'], ['/srv/a']],
    ['… nor in a conditional', 'DocumentRoot /srv/a\n<IfDefine X>\n<Directory />\nAllowOverride None\n</Directory>\n</IfDefine>\n', ['/srv/a'], ['/srv/a']],
    ['… a virtual host may let it speak', 'DocumentRoot /srv/a\n<Directory /srv/a>\nAllowOverride None\n</Directory>\n<VirtualHost *>\n<Directory /srv/a>\nAllowOverride All\n</Directory>\n</VirtualHost>\n', ['/srv/a'], ['/srv/a']],
    ['… a pattern may', 'DocumentRoot /srv/a\n<Directory />\nAllowOverride None\n</Directory>\n<Directory /srv/*/b>\nAllowOverride All\n</Directory>\n', ['/srv/a', '/srv/a/b'], ['/srv/a/b']],
    ['… an AllowOverrideList may', 'DocumentRoot /srv/a\n<Directory /srv/a>\nAllowOverride None\nAllowOverrideList Require\n</Directory>\n', ['/srv/a'], ['/srv/a']],
    ['… what is not known may', 'DocumentRoot /srv/a\n<Directory />\nAllowOverride None\n</Directory>\nInclude gone.conf\n', ['/srv/a'], ['/srv/a']],
  ]; // prettier-ignore
  test.each(rows)('%s', (...[, conf, there, expected]) => {
    expect(places(read(disk({ [HOME]: SERVER + conf, ...at(...there) }), HOME))).toEqual(expected);
  });

  test('homes are those of the list of users', () => {
    const passwd = 'root:x:0:0::/root:/bin/sh\ncarla:x:1:1::/data/carla:/bin/sh\nnobody:x:9:9::/:\nshort\n';
    const files = {
      [HOME]: `${SERVER}UserDir www\n`,
      '/etc/passwd': passwd,
      ...at('/data/carla/www', '/data/dora/www', '/www'),
    };
    expect(places(read(disk(files), HOME))).toEqual(['/data/carla/www']);
  });

  test.each(['/etc/apache2', '/etc/apache2/apache2.conf'])('by a link to it, too: %s', (given) => {
    const files = {
      '/data/conf/apache2.conf': 'Listen 80\nDocumentRoot /srv/a\nInclude /opt/more.conf\n',
      '/opt/more.conf': D,
      ...at('/srv/a'),
    };
    const tree = read(disk(files, { '/etc/apache2': '/data/conf' }), given);
    expect(places(tree)).toEqual(['/srv/a']);
    expect(tree.problems).toEqual([]);
    // By its own path nothing says whose it is.
    expect(places(read(disk(files), '/data/conf/apache2.conf'))).toEqual([]);
  });

  test('a part of a server leads nowhere', () => {
    const files = { '/etc/httpd/conf.d/site.conf': 'DocumentRoot /srv/a\n', ...at('/srv/a') };
    expect(places(read(disk(files), '/etc/httpd/conf.d/site.conf'))).toEqual([]);
  });
});

describe('beside a configuration in a directory of all', () => {
  const [ROOT, ANNA, MALLORY] = [0, 1000, 1001] as const;
  const files = {
    '/tmp/x.conf': 'Listen 80\nDocumentRoot /s3\nInclude /opt/more.conf\n',
    '/tmp/opt/more.conf': 'Listen 81\n',
    ...at('/tmp/s3'),
  };
  const loaded = (owners: FileSource['owners']): string[] =>
    read(disk(files, {}, { ...(owners && { owners }) }), '/tmp/x.conf')
      .files.map(({ path }) => path)
      .toSorted();
  const whole = ['/tmp/opt/more.conf', '/tmp/s3/.htaccess', '/tmp/x.conf'];
  /** What another user has put there. */
  const planted = (path: string): boolean => path.startsWith('/tmp/s3') || path.startsWith('/tmp/opt');

  test('what another user has put there is not taken for the server’s', () => {
    expect(loaded((path) => [planted(path) ? MALLORY : ROOT])).toEqual(['/tmp/x.conf']);
  });

  test.each([
    ['the owner of the configuration', (path: string) => [planted(path) || path === '/tmp/x.conf' ? ANNA : ROOT]],
    ['the owner of the directory', (path: string) => [path === '/tmp/x.conf' ? MALLORY : ANNA]],
    ['root', () => [ROOT]],
    ['whoever, where nobody knows', undefined],
  ])('twin: what is of %s is', (_, owners) => {
    expect(loaded(owners)).toEqual(whole);
  }); // prettier-ignore
});

describe('in a copy', () => {
  const CONF = `${SERVER}DocumentRoot /srv/a\nUserDir public_html\nInclude /opt/more.conf\n`;
  /** The machine on which the copy lies has a server of its own. */
  const machine = {
    '/etc/passwd': 'x:x:1:1::/data/x:\n',
    '/opt/more.conf': `${D}Alias /m /m\n`,
    ...at('/srv/a', '/m', '/home/anna/public_html', '/data/x/public_html', '/copy'),
  };

  test('what the server reads is looked for beside the configuration, and nowhere else', () => {
    const files = {
      ...machine,
      '/copy/web/etc/httpd/conf/httpd.conf': CONF,
      '/copy/web/opt/more.conf': D,
      '/copy/web/etc/passwd': 'y:x:1:1::/data/y:\n',
      ...at(
        '/copy/web/srv/a/b',
        '/copy/web/home/bert/public_html',
        '/copy/web/data/y/public_html',
        '/copy/web',
      ),
    };
    const expected = [
      '/copy/web/data/y/public_html = /data/y/public_html',
      '/copy/web/home/bert/public_html = /home/bert/public_html',
      '/copy/web/srv/a/b = /srv/a/b',
    ];
    for (const given of [
      '/copy/web/etc/httpd',
      '/copy/web/etc/httpd/conf',
      '/copy/web/etc/httpd/conf/httpd.conf',
    ]) {
      const tree = read(disk(files), given);
      expect(places(tree)).toEqual(['/copy/web = /', ...expected]);
      expect(tree.files.map(({ path }) => path)).toContain('/copy/web/opt/more.conf');
      expect(tree.problems).toEqual([]);
    }
  });

  test('whose names do not tell where it came from, its surroundings do', () => {
    const conf = 'Listen 80\nDocumentRoot /srv/a\nInclude /opt/more.conf\n';
    const files = {
      ...machine,
      '/copy/web/httpd.conf': conf,
      '/copy/web/opt/more.conf': D,
      ...at('/copy/web/srv/a/b'),
    };
    const tree = read(disk(files), '/copy/web/httpd.conf');
    expect(places(tree)).toEqual(['/copy/web/srv/a/b = /srv/a/b']);
    expect(tree.problems).toEqual([]);
  });

  test('that lacks its files, nothing of this machine stands in for them', () => {
    const tree = read(disk({ ...machine, '/copy/web/httpd.conf': CONF }), '/copy/web/httpd.conf');
    expect(tree.files.map(({ path }) => path)).toEqual(['/copy/web/httpd.conf']);
    expect(tree.problems.map(({ code }) => code)).toEqual(['include-elsewhere']);
    // What is given is read, whatever machine it is of.
    const given = read(
      disk({ ...machine, '/copy/web/httpd.conf': CONF }),
      '/copy/web/httpd.conf',
      '/opt',
      '/srv',
    );
    expect(given.files.map(({ path }) => path).toSorted()).toEqual([
      '/copy/web/httpd.conf',
      '/opt/more.conf',
      '/srv/a/.htaccess',
    ]);
  });

  test('links that lead out of it lead to another machine', () => {
    const files = {
      ...machine,
      '/copy/web/etc/httpd/conf/httpd.conf': CONF.replace('more', 'link'),
      ...at('/copy/web/srv/a'),
    };
    const links = {
      '/copy/web/srv/a/out': '/m',
      '/copy/web/opt/link.conf': '/opt/more.conf',
      '/copy/web/srv/a/b/.htaccess': '/m/.htaccess',
    };
    for (const given of ['/copy/web/etc/httpd', '/copy/web']) {
      const tree = read(disk(files, links), given);
      expect(places(tree).filter((place) => place.includes('/m'))).toEqual([]);
      expect(tree.files.map(({ path }) => path)).not.toContain('/opt/more.conf');
      expect(tree.problems.map(({ code }) => code)).toEqual(['include-elsewhere']);
    }
  });

  test.each(['c:/wamp/www/', 'C:/Wamp/WWW', 'c:\\wamp\\www'])('of Windows: %s', (root) => {
    const conf = `ServerRoot "c:/wamp/bin/apache"\nListen 80\nInclude "C:\\WAMP\\alias\\*"\nDocumentRoot "${root}"\n<Directory />\nAllowOverride None\n</Directory>\n<Directory "${root}">\nAllowOverride All\n</Directory>\n`;
    const files = {
      '/copy/wamp/bin/apache/conf/httpd.conf': conf,
      '/copy/wamp/alias/a.conf': D,
      ...at('/copy/wamp/www/site'),
    };
    const tree = read(disk(files), '/copy/wamp/bin/apache/conf/httpd.conf');
    const served = root.replaceAll('\\', '/').replace(/\/$/, '');
    expect(places(tree).map((place) => place.toLowerCase())).toEqual([
      `/copy/wamp/www/site = ${served}/site`.toLowerCase(),
    ]);
    expect(tree.files.map(({ path }) => path)).toContain('/copy/wamp/alias/a.conf');
    expect(tree.problems).toEqual([]);
  });
});

describe('bounds', () => {
  const files = {
    [HOME]: `${SERVER}DocumentRoot /srv/a\nAlias /m /srv/a/mounted/b\n`,
    ...at('/srv/a/x', '/srv/a/mounted/b', '/srv/a/other/c'),
  };

  test('another file system is named, unless the server serves a directory there', () => {
    const device = (path: string): number =>
      path.startsWith('/srv/a/mounted') ? 2 : path.startsWith('/srv/a/other') ? 3 : 1;
    const tree = read(disk(files, {}, { device }), HOME);
    expect(places(tree)).toEqual(['/srv/a/mounted/b', '/srv/a/x']);
    expect(tree.unvisited.map(({ path }) => path)).toEqual(['/srv/a/other']);
    expect(places(read(disk(files, {}, { device }), HOME, '/srv/a'))).toHaveLength(3);
  });

  test('no walk goes deeper than any site, and what is left is named', () => {
    const deep = `/srv/a${'/d'.repeat(400)}`;
    const tree = read(disk({ ...files, ...at(deep, '/srv/a/d/d') }), HOME);
    expect(places(tree)).toContain('/srv/a/d/d');
    expect(places(tree)).not.toContain(deep);
    expect(tree.unvisited.map(({ path }) => path)).toEqual([`/srv/a${'/d'.repeat(257)}`]);
    expect(tree.seen).toContain('/srv/a');
  });

  test('a link of a user is not followed out of what the server serves', () => {
    const links = { '/srv/a/theirs': '/home/b', '/srv/a/roots': '/data' };
    const planted = (path: string): boolean => path.startsWith('/srv/a/theirs');
    const tree = read(disk({ ...files, ...at('/home/b', '/data') }, links, { planted }), HOME);
    expect(places(tree).filter((place) => /home|data/.test(place))).toEqual(['/data = /srv/a/roots']);
    const homes = {
      [HOME]: `${SERVER}UserDir public_html\n`,
      '/home/b/x': '',
      ...at('/data', '/home/c/public_html'),
    };
    const theirs = disk(
      homes,
      { '/home/b/public_html': '/data' },
      { planted: (path) => path.startsWith('/home/b') },
    );
    expect(places(read(theirs, HOME))).toEqual(['/home/c/public_html']);
  });
});

describe('a link of another user, in a directory that is served', () => {
  const LINK = '/srv/a/t';
  const planted = (path: string): boolean => path === LINK;
  const tree = (files: Record<string, string>, more: Partial<FileSource> = {}): ConfigTree =>
    read(
      disk(
        { [HOME]: `${SERVER}DocumentRoot /srv/a\n`, '/srv/a/x.html': '', ...files },
        { [LINK]: '/opt/d' },
        more,
      ),
      HOME,
    );

  test('it is not followed, and this is said', () => {
    const { htaccess, unvisited } = tree(at('/opt/d/b'), { planted });
    expect(htaccess).toEqual([]);
    expect(unvisited).toEqual([
      expect.objectContaining({ path: LINK, message: expect.stringContaining('a link of another user') }),
    ]);
  });

  test('nothing is said where it leads to no configuration, nor of a link of the owner', () => {
    expect(tree({ '/opt/d/b/x.png': '' }, { planted }).unvisited).toEqual([]);
    expect(tree(at('/opt/d/b')).unvisited).toEqual([]);
    expect(places(tree(at('/opt/d/b')))).toEqual(['/opt/d/b = /srv/a/t/b']);
  });
});

test('a link out of a copy is named: what this machine has there is not the server’s', () => {
  const files = {
    '/copy/etc/httpd/conf/httpd.conf': `${SERVER}DocumentRoot /srv/a\n`,
    ...at('/copy/srv/a', '/copy/srv/c', '/opt/d'),
  };
  const links = { '/copy/srv/a/t': '/opt/d', '/copy/srv/a/u': '/copy/srv/c' };
  const tree = read(disk(files, links), '/copy/etc/httpd/conf/httpd.conf');
  expect(tree.htaccess.map(({ path }) => path).toSorted()).toEqual([
    '/copy/srv/a/.htaccess',
    '/copy/srv/c/.htaccess',
  ]);
  expect(tree.unvisited).toEqual([
    expect.objectContaining({
      path: '/srv/a/t',
      name: '/copy/srv/a/t',
      message: expect.stringContaining('out of this copy'),
    }),
  ]);
});

describe('a link that leads to nothing', () => {
  const config = `${SERVER}DocumentRoot /srv/a\n`;
  const named = (tree: ConfigTree): string[] => tree.unvisited.map(({ path, name }) => `${path} ${name}`);

  test.each(['/copy/etc/httpd/conf/httpd.conf', '/copy'])(
    'is named below what a copied server serves: %s given',
    (given) => {
      const files = { '/copy/etc/httpd/conf/httpd.conf': config, '/copy/srv/a/x.html': '' };
      const links = {
        '/copy/srv/a/t': '/opt/gone',
        '/copy/srv/a/logo.gif': '/opt/logo.gif',
        '/copy/etc/httpd/modules': '/usr/lib64/httpd/modules',
      };
      expect(named(read(disk(files, links), given))).toEqual(['/srv/a/t /copy/srv/a/t']);
    },
  );

  test('is nothing on the server itself, where it leads to nothing as well', () => {
    const links = { '/srv/a/t': '/opt/gone' };
    expect(named(read(disk({ [HOME]: config, '/srv/a/x.html': '' }, links), HOME))).toEqual([]);
  });

  test('out of a copy is named where the copy is given as a directory, too', () => {
    const files = {
      '/copy/etc/httpd/conf/httpd.conf': config,
      '/copy/srv/a/x.html': '',
      '/opt/d/.htaccess': '',
    };
    expect(named(read(disk(files, { '/copy/srv/a/t': '/opt/d' }), '/copy'))).toEqual([
      '/srv/a/t /copy/srv/a/t',
    ]);
  });
});
