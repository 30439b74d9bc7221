import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
  type ConfigTree,
  type FileSource,
  SourceError,
  conditionOf,
  expand,
  loadTree,
  memory,
  overlay,
  placeCondition,
  visitTree,
} from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { compilePattern, isPattern } from '../../src/config/source/glob';
import { linkedPathsAlong } from '../../src/config/source/links';
import { resolvePath } from '../../src/config/source/paths';
import { looksLikeConfig } from '../../src/config/include/layout/layout';
import { problemFinding } from '../../src/engine/collect';
import { allModules, findModule } from '../../src/httpd/modules';
import { type Section, parse } from '../../src/syntax';

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

interface Options {
  links?: Record<string, string>;
  serverRoot?: string;
  defines?: Record<string, string>;
  env?: Record<string, string>;
  cwd?: string;
  unused?: boolean;
}

function source(files: Record<string, string>, links: Record<string, string> = {}): FileSource {
  return memory(new Map(Object.entries(files)), new Map(Object.entries(links)));
}

function load(from: FileSource, paths: string[], options: Options = {}): ConfigTree {
  const { serverRoot, defines = {}, env = {}, cwd = '/cwd', unused = false } = options;
  return loadTree(from, paths, {
    ...(serverRoot === undefined ? {} : { serverRoot }),
    defines: new Map(Object.entries(defines)),
    env: new Map(Object.entries(env)),
    cwd,
    unused,
  });
}

/** The tree in short: names by list, and the problems as `code file:line`. */
function summary(tree: ConfigTree) {
  const names = (files: ConfigTree['files']) => files.map((file) => file.name).join(' ');
  return {
    roots: names(tree.roots),
    included: names(tree.files.filter((file) => file.role === 'included')),
    htaccess: names(tree.htaccess),
    unreached: names(tree.unreached),
    unused: tree.unused.map(({ name }) => name).join(' '),
    problems: tree.problems.map(
      ({ code, file, at }) => `${code} ${file.name}:${file.document.positionAt(at).line}`,
    ),
  };
}

function expectTree(
  files: Record<string, string>,
  paths: string[],
  expected: Partial<ReturnType<typeof summary>>,
  options: Options = {},
) {
  const tree = load(source(files, options.links), paths, options);
  const { problems = [], ...lists } = expected;
  expect(summary(tree)).toEqual({
    roots: '',
    included: '',
    htaccess: '',
    unreached: '',
    unused: '',
    ...lists,
    problems,
  });
  return tree;
}

const D = 'DirectoryIndex x\n';
const SERVER = 'ServerRoot "/etc/httpd"\n';

describe('which file is what', () => {
  // Rest parameters below: jest takes a parameter that a row has no value for to be a callback, and waits for it.
  const cases: [string, Record<string, string>, string[], Partial<ReturnType<typeof summary>>, Options?][] = [
    ['a file is a root', { '/a.conf': D }, ['/a.conf'], { roots: '/a.conf' }],
    ['names are relative to the working directory', { '/w/a.conf': D, '/v/b': D }, ['a.conf', '/v/b'], { roots: 'a.conf /v/b' }, { cwd: '/w' }],
    ['a path with ..', { '/w/a.conf': D }, ['x/../a.conf'], { roots: 'a.conf' }, { cwd: '/w' }],
    ['an empty file, if given', { '/a.conf': '' }, ['/a.conf'], { roots: '/a.conf' }],
    ['twice the same', { '/a.conf': D }, ['/a.conf', '/./a.conf', '/l'], { roots: '/a.conf' }, { links: { '/l': 'a.conf' } }],
    ['in the order given', { '/b': D, '/a': D }, ['/b', '/a'], { roots: '/b /a' }],
    ['what another includes is no root, given after', { '/a': 'Include /b\n', '/b': D }, ['/a', '/b'], { roots: '/a', included: '/b' }],
    ['what another includes is no root, given before', { '/a': 'Include /b\n', '/b': D }, ['/b', '/a'], { roots: '/a', included: '/b' }],
    ['two that include each other', { '/a': 'Include /b\n', '/b': 'Include /a\n' }, ['/b', '/a'], { roots: '/b', included: '/a', problems: ['include-cycle /a:1'] }],
    ['a .htaccess', { '/d/.htaccess': D }, ['/d/.htaccess'], { htaccess: '/d/.htaccess' }],
    ...['htaccess.txt', '.htaccess.sample', '_htaccess', 'ht.access', 'sample.htaccess', '.htaccess-dist'].map(
      (name): [string, Record<string, string>, string[], Partial<ReturnType<typeof summary>>] =>
        [`given as ${name}`, { [`/d/${name}`]: D }, [`/d/${name}`], { htaccess: `/d/${name}` }]),
    ['a part of a server that is called x.htaccess', { '/d/x.htaccess': 'Alias /x /y\n<IfModule a>\n<Directory /y>\n</Directory>\n</IfModule>\n' }, ['/d/x.htaccess'], { roots: '/d/x.htaccess' }],
    ['… and includes another, which is called so, too', { '/d/x.htaccess': '<Directory /y>\n</Directory>\nInclude /d/y.htaccess\n', '/d/y.htaccess': '<Location /y>\n</Location>\n' }, ['/d/y.htaccess', '/d/x.htaccess'], { roots: '/d/x.htaccess', included: '/d/y.htaccess' }],
    ['a .htaccess with what it may not have', { '/d/.htaccess': '<Directory /y>\n</Directory>\n' }, ['/d/.htaccess'], { htaccess: '/d/.htaccess' }],
    ['AccessFileName, of a file given', { '/a.conf': 'AccessFileName .acl .acl2\n', '/d/.acl': D }, ['/d/.acl', '/a.conf'], { roots: '/a.conf', htaccess: '/d/.acl' }],
    ['AccessFileName, of files found', { '/a.conf': 'AccessFileName .acl\n', '/d/.acl': D, '/d/e/.htaccess': D }, ['/a.conf', '/d'], { roots: '/a.conf', htaccess: '/d/.acl', unreached: '/d/e/.htaccess' }],
    ['AccessFileName, of a virtual host above the one of the server', { '/a.conf': '<VirtualHost *>\nAccessFileName .htaccess\n</VirtualHost>\nAccessFileName .acl\n', '/d/.acl': D, '/d/e/.htaccess': D }, ['/a.conf', '/d'], { roots: '/a.conf', htaccess: '/d/.acl /d/e/.htaccess' }],
    ['AccessFileName, the same of a virtual host', { '/a.conf': '<VirtualHost *>\nAccessFileName .acl\n</VirtualHost>\nAccessFileName .acl\n', '/d/.acl': D, '/d/e/.htaccess': D }, ['/a.conf', '/d'], { roots: '/a.conf', htaccess: '/d/.acl', unreached: '/d/e/.htaccess' }],
    ['a directory of .htaccess files, at any depth', { '/d/.htaccess': D, '/d/x/y/z/.htaccess': D, '/d/x.html': '' }, ['/d'], { htaccess: '/d/.htaccess /d/x/y/z/.htaccess' }],
    ['below .git too: people deny access there', { '/d/.git/.htaccess': D, '/d/.git/x.conf': D, '/d/node_modules/p/.htaccess': D, '/d/node_modules/p/a.conf': D }, ['/d'], { htaccess: '/d/.git/.htaccess /d/node_modules/p/.htaccess' }],
    ['htaccess.txt below a directory is reached by nothing', { '/d/htaccess.txt': D, '/d/.htaccess': D }, ['/d'], { htaccess: '/d/.htaccess', unreached: '/d/htaccess.txt' }],
    ['templates count as what they are templates of', { '/s/docs/conf/httpd.conf.in': SERVER, '/s/x.conf.erb': D }, ['/s'], { roots: '/s/docs/conf/httpd.conf.in', unused: '/s/x.conf.erb' }],
    ['a server config and a document root', { '/c/httpd.conf': SERVER, '/w/a/.htaccess': D }, ['/c/httpd.conf', '/w'], { roots: '/c/httpd.conf', htaccess: '/w/a/.htaccess' }],
    ['an empty document root beside a file is no error', { '/c/site.conf': D, '/w/index.html': '' }, ['/c/site.conf', '/w'], { roots: '/c/site.conf' }],
    ['conf/httpd.conf', { '/s/conf/httpd.conf': SERVER, '/s/conf.d/a.conf': D }, ['/s'], { roots: '/s/conf/httpd.conf', unused: '/s/conf.d/a.conf' }],
    ['Debian: apache2.conf includes httpd.conf', { '/s/apache2.conf': 'Include httpd.conf\n', '/s/httpd.conf': D }, ['/s'], { roots: '/s/apache2.conf', included: '/s/httpd.conf' }],
    ['httpd.conf includes apache2.conf', { '/s/httpd.conf': 'Include apache2.conf\n', '/s/apache2.conf': D }, ['/s'], { roots: '/s/httpd.conf', included: '/s/apache2.conf' }],
    ['neither includes the other', { '/s/httpd.conf': SERVER, '/s/apache2.conf': D }, ['/s'], { roots: '/s/httpd.conf', unused: '/s/apache2.conf' }],
    ['a server config given: that of a directory is a second one', { '/a.conf': 'Listen 80\n', '/s/httpd.conf': SERVER }, ['/a.conf', '/s'], { roots: '/a.conf', unused: '/s/httpd.conf' }],
    ['a fragment given and a directory with a server', { '/a.conf': D, '/s/httpd.conf': SERVER }, ['/a.conf', '/s'], { roots: '/a.conf /s/httpd.conf' }],
    ['fragments alone', { '/s/sites-available/one': '<VirtualHost *>\n</VirtualHost>\n', '/s/x.conf': D }, ['/s'], { unreached: '/s/x.conf /s/sites-available/one' }],
    ['unreached files include others', { '/s/x.conf': D, '/s/y.conf': 'Include x.conf\n' }, ['/s'], { unreached: '/s/y.conf', included: '/s/x.conf' }],
    ['a name of a server without an ending', { '/s/httpd.conf': SERVER, '/s/httpd-vhosts': D, '/s/httpd-start': `#!/bin/sh\n${D}`, '/s/other': D }, ['/s'], { roots: '/s/httpd.conf', unused: '/s/httpd-vhosts' }],
    ['not configuration', { '/s/a.conf': D, '/s/nginx.conf': 'server {\n listen 80;\n}\n', '/s/conf.d/README': D, '/s/conf.d/a.conf~': D, '/s/conf.d/b.conf.dpkg-old': D, '/s/c.conf': '# nothing\n', '/s/x.svn': D, '/s/.svn/a.conf': D, '/s/magic': '0 string x\n' }, ['/s'], { unreached: '/s/a.conf' }],
    ['a fragment given below a directory given', { '/s/a.conf': D, '/s/b.conf': D }, ['/s/a.conf', '/s'], { roots: '/s/a.conf', unreached: '/s/b.conf' }],
  ]; // prettier-ignore
  test.each(cases)('%s', (...[, files, paths, expected, options]) => {
    expectTree(files, paths, expected, options);
  });

  test('isServer: a part that brings its module and its port along is none', () => {
    const line = 'LoadModule ssl_module modules/mod_ssl.so\nListen 443\n';
    const parts = [
      '/etc/httpd/conf.d/ssl.conf',
      '/etc/apache2/sites-enabled/a',
      '/c/extra/x.conf.in',
      '/c/httpd-ssl.conf',
      '/c/ports.conf',
    ];
    for (const at of parts) expect([at, load(source({ [at]: line }), [at]).isServer]).toEqual([at, false]);
    for (const at of [
      '/etc/httpd/conf/httpd.conf',
      '/etc/apache2/apache2.conf',
      '/c/a.conf',
      '/srv/vhosts/a/conf/httpd.conf',
      '/repo/templates/etc/apache2/apache2.conf.j2',
    ])
      expect([at, load(source({ [at]: line }), [at]).isServer]).toEqual([at, true]);
    const whole = source({ '/c/httpd.conf': 'Include conf.d/*.conf\n', '/c/conf.d/a.conf': line });
    expect(load(whole, ['/c/httpd.conf']).isServer).toBe(true);
    expect(
      load(source({ '/c/conf.d/a.conf': `ServerRoot /c\n${line}` }), ['/c/conf.d/a.conf']).isServer,
    ).toBe(true);
  });

  test('isServer: a server directive in what is read at server level', () => {
    expect(load(source({ '/a': D }), ['/a']).isServer).toBe(false);
    for (const line of [
      'Listen 80',
      'LoadModule dir_module a\nLoadModule alias_module b',
      'ServerRoot /x',
      '<IfModule x>\nlisten 80\n</IfModule>',
    ]) {
      expect(load(source({ '/a': 'Include b\n', '/b': `${line}\n` }), ['/a']).isServer).toBe(true);
      expect(load(source({ '/d/b.conf': `${D}${line}\n` }), ['/d']).isServer).toBe(false);
    }
  });

  test.each([
    ['one module of httpd', 'LoadModule dir_module a\n'],
    ['the same twice', 'LoadModule dir_module a\nLoadModule dir_module a\n'],
    ['modules of others', 'LoadModule pagespeed_module a\nLoadModule jk_module b\nLoadModule x_module c\n'],
  ])('a part of a server may load %s', (_, lines) => {
    expect(load(source({ '/a': lines }), ['/a']).isServer).toBe(false);
    expect(load(source({ '/a': `${lines}Listen 80\n` }), ['/a']).isServer).toBe(true);
  });

  test('a .htaccess knows the directories it governs', () => {
    const files = { '/w/a/.htaccess': D, '/w/a/b/.htaccess': D, '/x/shared': D, '/w/c/x.html': '' };
    const links = { '/w/c/.htaccess': '/x/shared', '/w/d': 'a', '/w/a/up': '..', '/w/out': '/x', '/l': '/w' };
    const tree = load(source(files, links), ['/w']);
    expect(tree.htaccess.map((file) => [file.path, ...file.directories])).toEqual([
      ['/w/a/.htaccess', '/w/a', '/w/d', '/w/a/up/a', '/w/a/up/d', '/w/d/up/a'],
      ['/w/a/b/.htaccess', '/w/a/b', '/w/d/b', '/w/a/up/a/b', '/w/a/up/d/b', '/w/d/up/a/b'],
      ['/x/shared', '/w/c', '/w/a/up/c', '/w/d/up/c'],
    ]);
    const linked = load(source(files, links), ['/l/a/b']);
    expect(linked.htaccess[0]?.directories).toEqual(['/l/a/b', '/w/a/b']);
    expect(load(source(files, links), ['/l/a/.htaccess']).htaccess[0]?.directories).toEqual(['/l/a', '/w/a']);
  });

  test('below what is not there, the disk is not asked for links', () => {
    const asked: string[] = [];
    const real = source({ '/app/r1/x': D }, { '/app/current': 'r1' });
    const counting: FileSource = {
      ...real,
      kind(path) {
        asked.push(path);
        return real.kind(path);
      },
    };
    expect(linkedPathsAlong(counting, ['/srv/a/b', '/srv/a/c', '/app/none/x', '/app/current/y'])).toEqual([
      { path: '/app/current', target: '/app/r1' },
    ]);
    expect(asked).toEqual(['/srv', '/app', '/app/none', '/app/current', '/app/current/y']);
  });

  test.each([
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a/b/', '/a/b'],
    ['//a', '/a'],
    ['/a//b', '/a/b'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/a/.b', '/a/.b'],
    ['/a/..', '/'],
    ['b', '/d/b'],
  ])('the path %s', (path, resolved) => {
    expect(resolvePath('/d', path)).toBe(resolved);
  });

  test('without a configuration, a .htaccess above what is given counts, unless it is of another user', () => {
    const files = { '/w/.htaccess': D, '/w/s/.htaccess': D };
    const read = (uid: number | undefined, given: string): readonly string[] => {
      const known = source(files);
      const owners = (path: string): number[] => [path === '/w/.htaccess' ? uid! : 7];
      return load(uid === undefined ? known : { ...known, owners }, [given]).htaccess.map(({ path }) => path);
    };
    for (const given of ['/w/s', '/w/s/.htaccess']) {
      const both = ['/w/s/.htaccess', '/w/.htaccess'];
      expect([undefined, 0, 7].map((uid) => read(uid, given))).toEqual([both, both, both]);
      expect(read(8, given)).toEqual(['/w/s/.htaccess']);
    }
  });

  test('a .htaccess governs every path that the configuration or a link in what is given leads to it by', () => {
    const files = {
      '/etc/httpd.conf': '',
      '/app/r1/public/.htaccess': D,
      '/app/r1/.htaccess': D,
      '/w/x': '',
    };
    const links = { '/app/current': 'r1', '/w/l': '/app/r1/public' };
    const directories = (conf: string, ...given: string[]): (readonly string[])[] =>
      load(source({ ...files, '/etc/httpd.conf': conf }, links), ['/etc/httpd.conf', ...given]).htaccess.map(
        (file) => file.directories.toSorted(),
      );
    const named = [
      ['/app/current', '/app/r1'],
      ['/app/current/public', '/app/r1/public'],
    ];
    for (const line of [
      'DocumentRoot /app/current/public',
      'Alias /a "/app/./current/public/"',
      'SCRIPTALIAS /a/ /app/current/public/',
      '<VirtualHost *>\n<Directory /app/current/public/none>\n</Directory>\n</VirtualHost>',
      'Define d /app\nDocumentRoot ${d}/current',
    ])
      expect(directories(`${line}\n`, '/app')).toEqual(named);
    expect(directories('DocumentRoot /app/current/public\n', '/app/r1/public')).toEqual([named[1]]);
    expect(directories('DocumentRoot /app/r1/public\n', '/app/r1/public')).toEqual([['/app/r1/public']]);
    expect(directories('', '/w', '/app/r1/public')).toEqual([['/app/r1/public', '/w/l']]);
    expect(directories('', '/app/r1/public')).toEqual([['/app/r1/public']]);
  });

  test.each<[string, Record<string, string>, Partial<ReturnType<typeof summary>>, Options?]>([
    ['a spare copy of a server', { '/s/httpd.conf': SERVER, '/s/httpd-old.conf': SERVER, '/s/x.conf': D }, { roots: '/s/httpd.conf', unused: '/s/httpd-old.conf /s/x.conf' }],
    ['… converted where that is asked for', { '/s/httpd.conf': SERVER, '/s/httpd-old.conf': SERVER }, { roots: '/s/httpd.conf', unreached: '/s/httpd-old.conf' }, { unused: true }],
    ['… given by its name', { '/s/httpd.conf': SERVER, '/s/httpd-old.conf': D }, { roots: '/s/httpd.conf /s/httpd-old.conf' }],
    ['an Include that leads to nothing may be for it', { '/s/httpd.conf': `${SERVER}Include gone/*.conf\n`, '/s/x.conf': D, '/s/sites-available/y': D }, { roots: '/s/httpd.conf', unreached: '/s/x.conf', unused: '/s/sites-available/y', problems: ['include-missing /s/httpd.conf:2'] }],
    ['a main file by its name alone', { '/s/apache2.conf': 'Include sites/\n', '/s/sites-available/y': D, '/s/sites/z': D, '/s/x.conf': D }, { roots: '/s/apache2.conf', included: '/s/sites/z', unreached: '/s/x.conf', unused: '/s/sites-available/y' }],
    ["a main file by what Debian's includes", { '/s/apache2.conf': 'Include sites-enabled/\n', '/s/sites-available/y': D, '/s/sites-enabled/z': D, '/s/x.conf': D }, { roots: '/s/apache2.conf', included: '/s/sites-enabled/z', unused: '/s/x.conf /s/sites-available/y' }],
    ['parts without a main file', { '/s/sites-available/y': D, '/s/mods-available/z.conf': D, '/s/x.conf.bak.conf': D }, { unreached: '/s/x.conf.bak.conf /s/mods-available/z.conf /s/sites-available/y' }],
    ["MODX's files alone", { '/s/ht.access': D, '/s/core/ht.access': D, '/s/right.access': D, '/s/ht.access.bak': D }, { unreached: '/s/ht.access /s/core/ht.access' }],
    ['.htaccess files and a template of one', { '/s/.htaccess': D, '/s/a/htaccess.txt': D }, { htaccess: '/s/.htaccess', unreached: '/s/a/htaccess.txt' }],
  ])('in use or not: %s', (...[name, files, expected, options]) => {
    const given = name === '… given by its name' ? Object.keys(files) : ['/s'];
    expectTree(files, given, expected, options);
  }); // prettier-ignore

  test('a link of which only the text was copied stands for what it led to', () => {
    const files = {
      '/c/apache2.conf': `${SERVER}Include mods-enabled/*\nInclude text/*\n`,
      '/c/mods-available/alias.conf': D,
      '/c/mods-available/info.conf': D,
      '/c/mods-enabled/alias.conf': '../mods-available/alias.conf',
      // Neither leads anywhere.
      '/c/text/a': '../nowhere',
      '/c/text/b': '../mods-available/info.conf and more',
    };
    const tree = load(source(files), ['/c']);
    expect(tree.files.map(({ path }) => path)).toEqual([
      '/c/apache2.conf',
      '/c/mods-available/alias.conf',
      '/c/text/a',
      '/c/text/b',
    ]);
    expect(tree.unused.map(({ path }) => path)).toEqual(['/c/mods-available/info.conf']);
  });

  test('Debian: what sites-enabled links to is reached, the rest is not', () => {
    const files = {
      '/etc/apache2/apache2.conf':
        'ServerRoot /etc/apache2\nInclude /etc/apache2/sites-enabled/\nInclude mods-enabled/*.load\n',
      '/etc/apache2/sites-available/one': '<VirtualHost *>\n</VirtualHost>\n',
      '/etc/apache2/sites-available/two': '<VirtualHost *>\n</VirtualHost>\n',
      '/etc/apache2/mods-available/alias.load': 'LoadModule alias_module x.so\n',
      '/etc/apache2/mods-available/ssl.load': 'LoadModule ssl_module x.so\n',
    };
    const links = {
      '/etc/apache2/sites-enabled/000-one': '../sites-available/one',
      '/etc/apache2/mods-enabled/alias.load': '../mods-available/alias.load',
    };
    expectTree(
      files,
      ['.'],
      {
        roots: 'apache2.conf',
        included: 'sites-available/one mods-available/alias.load',
        unused: 'mods-available/ssl.load sites-available/two',
      },
      { links, cwd: '/etc/apache2' },
    );
  });
});

describe('what cannot be used', () => {
  const files = { '/bin.conf': 'ab\0cd\n', '/nul.conf': 'DirectoryIndex x\n\0\n', '/e/index.html': '' };
  test.each([
    ['nowhere.conf', 'ENOENT', 'no such file or directory'],
    ['/bin.conf', 'EBINARY', 'not an httpd configuration (binary data)'],
    ['/e', 'ENOCONFIG', 'no httpd configuration found'],
    ['/bin.conf/x', 'ENOENT', 'no such file or directory'],
  ])('%s is refused', (given, code, message) => {
    const attempt = () => load(source(files), [given]);
    expect(attempt).toThrow(SourceError);
    expect(attempt).toThrow(expect.objectContaining({ path: given, code, message }));
  });

  test('a file with a NUL and a directive is read', () => {
    expect(load(source(files), ['/nul.conf']).roots).toHaveLength(1);
  });

  test('found, but unreadable', () => {
    const base = source({ '/w/.htaccess': D, '/w/a/.htaccess': D, '/w/b/.htaccess': D });
    const broken: FileSource = {
      ...base,
      read: (path) => (path === '/w/a/.htaccess' ? fail(path) : base.read(path)),
      list: (path) => (path === '/w/b' ? fail(path) : base.list(path)),
    };
    const tree = load(broken, ['/w'], { cwd: '/w' });
    expect(summary(tree)).toMatchObject({ htaccess: '.htaccess' });
    expect(tree.unreadable).toEqual([
      { path: '/w/b', name: 'b', message: 'permission denied' },
      { path: '/w/a/.htaccess', name: 'a/.htaccess', message: 'permission denied' },
    ]);
    expect(() => load(broken, ['/w/a/.htaccess'])).toThrow('permission denied');
  });

  function fail(path: string): never {
    throw new SourceError(path, 'EACCES', 'permission denied');
  }
});

describe('Include', () => {
  const many = (depth: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: depth }, (_, i) => [`/${i}`, i + 1 < depth ? `Include /${i + 1}\n` : D]),
    );

  const cases: [string, Record<string, string>, Partial<ReturnType<typeof summary>>, Options?][] = [
    ['in sections and conditionals, any case, quoted', { '/a': '<IfModule x>\n<Directory /y>\ninclude "/b c"\n</Directory>\n</IfModule>\n', '/b c': D }, { included: '/b c' }],
    ['IncludeOptional', { '/a': 'IncludeOptional /b\nIncludeOptional /c\n', '/b': D }, { included: '/b', problems: ['include-optional-missing /a:2'] }],
    ['a directory: everything, sorted, dot files and backups', { '/a': 'Include /d\n', '/d/b~': D, '/d/.x': D, '/d/B': D, '/d/a/z': D, '/d/a/y': D, '/d/a.c': D }, { included: '/d/.x /d/B /d/a/y /d/a/z /d/a.c /d/b~' }],
    ['a pattern', { '/a': 'Include /d/*.conf\n', '/d/b.conf': D, '/d/a.conf': D, '/d/.c.conf': D, '/d/x': D }, { included: '/d/a.conf /d/b.conf' }],
    ['a pattern that matches directories', { '/a': 'Include /d/s*\n', '/d/s1/x': D, '/d/s2': D, '/d/s1/.y': D }, { included: '/d/s1/.y /d/s1/x /d/s2' }],
    ['patterns in any component', { '/a': 'Include /d/*/conf/[ab].conf\n', '/d/1/conf/a.conf': D, '/d/1/conf/c.conf': D, '/d/2/conf/b.conf': D, '/d/3/x': D }, { included: '/d/1/conf/a.conf /d/2/conf/b.conf' }],
    ['a pattern without match', { '/a': 'Include /d/*.conf\n', '/d/x': D }, {}],
    ['a pattern in a directory that is not there', { '/a': '\nInclude /d/*.conf\nIncludeOptional /d/*.conf\n' }, { problems: ['include-missing /a:2', 'include-optional-missing /a:3'] }],
    ['a missing file', { '/a': '\n\nInclude /nowhere\nIncludeOptional /nowhere\n' }, { problems: ['include-missing /a:3', 'include-optional-missing /a:4'] }],
    ['a broken link', { '/a': 'Include /d/\n' }, { problems: ['include-missing /a:1'] }, { links: { '/d/x': '/nowhere' } }],
    ['itself', { '/a': 'Include /a\n' }, { problems: ['include-cycle /a:1'] }],
    ['itself, by a link', { '/a': 'Include /l\n' }, { problems: ['include-cycle /a:1'] }, { links: { '/l': 'a' } }],
    ['in a circle', { '/a': 'Include /b\n', '/b': 'Include /c\n', '/c': 'Include /b\n' }, { included: '/b /c', problems: ['include-cycle /c:1'] }],
    ['twice is no circle', { '/a': 'Include /b\nInclude /b\n', '/b': D }, { included: '/b' }],
    ['a directory with a link upwards', { '/a': 'Include /d\n', '/d/e/x': D }, { included: '/d/e/x' }, { links: { '/d/e/up': '..' } }],
    ['/dev/null', { '/a': 'Include /dev/null\n' }, {}],
    ['without argument', { '/a': 'Include\nInclude ""\n' }, {}],
    ['.. and //', { '/a': 'Include /x//y/../b\n', '/x/b': D }, { included: '/x/b' }],
    ['a comment', { '/a': '# Include /b\n', '/b': D }, {}],
    // where relative paths begin
    ['beside the file', { '/a': 'Include x/b\n', '/x/b': D }, { included: '/x/b' }],
    ['--server-root wins', { '/a': 'ServerRoot /t\nInclude b\n', '/t/b': D, '/s/b': D }, { included: '/s/b' }, { serverRoot: '/s' }],
    ['--server-root, nothing there', { '/a': 'ServerRoot /t\nInclude b\n', '/t/b': D, '/s/c': D, '/b': D }, { problems: ['include-missing /a:2'] }, { serverRoot: '../s' }],
    ['--server-root stands in for ServerRoot in absolute paths', { '/a': 'ServerRoot /t\nInclude /t/b\nInclude /t/c\nInclude /u\n', '/t/b': D, '/t/c': D, '/s/b': D, '/u': D }, { included: '/s/b /t/c /u' }, { serverRoot: '/s' }],
    ['the last ServerRoot counts', { '/a': 'Include b\nServerRoot /t\nInclude b\n', '/b': D, '/t/b': D, '/t/x': D }, { included: '/b' }],
    ['variables', { '/a': 'Define D /d\nInclude ${D}/${N}.conf\nInclude "${E}"\nInclude ${X}/b\n', '/d/n.conf': D, '/e': D }, { included: '/d/n.conf /e', problems: ['include-unresolved /a:4'] }, { defines: { N: 'n' }, env: { E: '/e' } }],
    ['a placeholder, which may hold blanks, names nothing that can be missing', { '/a': 'Include "<%= @dir %>/*.conf"\nInclude <%= scope.x %>\nInclude /u/@DIR@/x\nInclude "/t/{{ there }}"\nInclude /t/gone\n', '/t/{{ there }}': D }, { included: '/t/{{ there }}', problems: ['include-placeholder /a:1', 'include-placeholder /a:2', 'include-placeholder /a:3', 'include-missing /a:5'] }],
    ['variables, below a file without any', { '/a': 'Define D /d\nInclude /b\nInclude ${D}/c\n', '/b': 'DocumentRoot /e\n', '/d/c': D }, { included: '/b /d/c' }],
    ['-D wins over Define and the environment', { '/a': 'Define N b\nInclude /${N}\n', '/b': D, '/c': D }, { included: '/c' }, { defines: { N: 'c' }, env: { N: 'b' } }],
    ['a bare -D is no variable', { '/a': 'Include /${N}b\n', '/b': D }, { problems: ['include-unresolved /a:1'] }, { defines: { N: '' } }],
    ['Define counts from its line on, UnDefine takes back', { '/a': 'Include /${N}\nDefine N b\nInclude /${N}\nUnDefine N\nInclude /${N}\n', '/b': D }, { included: '/b', problems: ['include-unresolved /a:1', 'include-unresolved /a:5'] }],
    ['nesting to the limit', { ...many(130), '/a': 'Include /2\n' }, { included: Array.from({ length: 128 }, (_, i) => `/${i + 2}`).join(' ') }],
    ['nesting beyond', { ...many(130), '/a': 'Include /1\n' }, { included: Array.from({ length: 128 }, (_, i) => `/${i + 1}`).join(' '), problems: ['include-depth /128:1'] }],
  ]; // prettier-ignore
  test.each(cases)('%s', (...[, files, expected, options]) => {
    expectTree(files, ['/a'], { roots: '/a', ...expected }, options);
  });

  const places: [string, Record<string, string>, string, string][] = [
    ['the declared ServerRoot, when the file lies below it', { '/etc/httpd/conf/httpd.conf': 'ServerRoot /etc/httpd\nInclude conf.d/*.conf\n', '/etc/httpd/conf.d/a.conf': D, '/etc/httpd/conf/conf.d/b.conf': D }, '/etc/httpd/conf/httpd.conf', '/etc/httpd/conf.d/a.conf'],
    ['a copy: the parent of conf', { '/c/conf/httpd.conf': 'ServerRoot /etc/httpd\nInclude conf.d/*.conf\n', '/c/conf.d/a.conf': D }, '/c/conf/httpd.conf', '/c/conf.d/a.conf'],
    ['a copy: the directory itself', { '/c/httpd.conf': 'ServerRoot /etc/httpd\nInclude conf.d/*.conf\n', '/c/conf.d/a.conf': D }, '/c/httpd.conf', '/c/conf.d/a.conf'],
    ['a copy: absolute paths below ServerRoot', { '/c/apache2.conf': 'ServerRoot "/etc/apache2/"\nInclude /etc/apache2/mods/*.load\n', '/c/mods/a.load': D }, '/c/apache2.conf', '/c/mods/a.load'],
    ['a copy: absolute paths without ServerRoot', { '/c/apache2/apache2.conf': 'Include /etc/apache2/mods/*.load\n', '/c/apache2/mods/a.load': D }, '/c/apache2/apache2.conf', '/c/apache2/mods/a.load'],
    ['a copy: never the live server', { '/c/apache2.conf': 'ServerRoot /etc/apache2\nInclude /etc/apache2/a\n', '/c/a': D, '/etc/apache2/a': D }, '/c/apache2.conf', '/c/a'],
    ['a copy: never the live server, relative', { '/c/apache2.conf': 'ServerRoot /etc/apache2\nInclude a\n', '/c/a': D, '/etc/apache2/a': D }, '/c/apache2.conf', '/c/a'],
    ['no copy, but a file from elsewhere (-f)', { '/home/x/my.conf': 'ServerRoot /usr/local/apache2\nInclude conf/a.conf\n', '/usr/local/apache2/conf/a.conf': D }, '/home/x/my.conf', '/usr/local/apache2/conf/a.conf'],
    ['FreeBSD, copied', { '/c/etc/apache22/httpd.conf': 'ServerRoot /usr/local\nInclude etc/apache22/Includes/*.conf\n', '/c/etc/apache22/Includes/a.conf': D }, '/c/etc/apache22/httpd.conf', '/c/etc/apache22/Includes/a.conf'],
    ['Windows, copied', { '/c/conf/httpd.conf': 'ServerRoot "C:/Apache2"\nInclude C:/Apache2/conf/extra/a.conf\n', '/c/conf/extra/a.conf': D }, '/c/conf/httpd.conf', '/c/conf/extra/a.conf'],
  ]; // prettier-ignore
  test.each(places)('%s', (_, files, given, reached) => {
    expectTree(files, [given], { roots: given, included: reached });
  });

  test('a copy whose server lies where its ServerRoot says is that server', () => {
    const main = '/c/home/a/httpd/conf/httpd.conf';
    const text = 'ServerRoot "/home/a/httpd/"\nListen 80\nInclude conf/extra/a.conf\n';
    const files = {
      '/c/home/a/httpd/conf/extra/a.conf': D,
      '/c/home/a/httpd/conf/original/httpd.conf': text,
      '/c/README': '',
    };
    expectTree({ ...files, [main]: text }, ['/c'], {
      roots: main,
      included: '/c/home/a/httpd/conf/extra/a.conf',
      unused: '/c/home/a/httpd/conf/original/httpd.conf',
    });
    // The twin: one that has been put elsewhere is an example for all that is known.
    expect(load(source({ ...files, [main]: text.replace('/home/a', '/opt') }), ['/c']).roots).toEqual([]);
  });

  test('an unreached fragment is seen from the server', () => {
    const files = {
      '/s/httpd.conf': 'ServerRoot /old\n',
      '/s/sites-available/x': '<VirtualHost *>\nInclude common/a\nInclude nowhere\n</VirtualHost>\n',
      '/s/common/a': D,
    };
    expectTree(
      files,
      ['/s'],
      {
        roots: '/s/httpd.conf',
        unreached: '/s/sites-available/x',
        included: '/s/common/a',
        problems: ['include-missing /s/sites-available/x:3'],
      },
      { unused: true },
    );
  });

  test('each Include knows its files, and a problem its argument', () => {
    const tree = load(source({ '/a': 'Include /d/*\n Include "/no"\n', '/d/1': D, '/d/2': D }), ['/a']);
    expect([...tree.includes].map(([node, files]) => [node.start, files.map((file) => file.name)])).toEqual([
      [0, ['/d/1', '/d/2']],
    ]);
    expect(tree.problems).toMatchObject([{ at: 22, message: '/no: no such file or directory' }]);
  });

  test('an unreadable target', () => {
    const base = source({ '/a': 'Include /b\nInclude /d\n', '/b': D, '/d/x': D });
    const deny = (path: string): never => {
      throw new SourceError(path, 'EACCES', 'permission denied');
    };
    const broken = {
      ...base,
      read: (path: string) => (path === '/b' ? deny(path) : base.read(path)),
      list: deny,
    };
    expect(load(broken, ['/a']).problems).toMatchObject([
      { code: 'include-unreadable', message: '/b: permission denied' },
      { code: 'include-unreadable', message: '/d: permission denied' },
    ]);
  });

  test('onProgress counts the files read', () => {
    const seen: number[] = [];
    const from = source({ '/a': 'Include /b\n', '/b': D });
    loadTree(from, ['/a'], {
      defines: new Map(),
      env: new Map(),
      cwd: '/cwd',
      onProgress: (n) => seen.push(n),
    });
    expect(seen).toEqual([1, 2]);
  });

  test('variables of the tree', () => {
    const tree = load(source({ '/a': 'Define A "1 ${E}"\nDefine B\n' }), ['/a'], {
      env: { E: 'e', F: 'f' },
      defines: { F: 'g', X: '' },
    });
    expect(Object.fromEntries(tree.variables)).toEqual({ A: '1 e', E: 'e', F: 'g' });
  });
});

describe('apr_fnmatch', () => {
  test.each([
    ['*', 'a yes|.a no| yes'],
    ['*.conf', 'a.conf yes|.conf no|a.conf~ no|conf no|a.CONF no'],
    ['?b', 'ab yes|.b no|b no|aab no'],
    ['a*b*c', 'abc yes|aXbXbXc yes|ab no'],
    ['**a', 'a yes|bba yes'],
    ['.*', '.a yes|a no'],
    ['\\.*', '.a yes'],
    ['[ab]c', 'ac yes|bc yes|cc no|[ab]c no'],
    ['[a-c]', 'b yes|d no|- no'],
    ['[!a-c]x', 'dx yes|ax no|.x no'],
    ['[^a]', 'b yes|a no'],
    ['[]a]', '] yes|a yes'],
    ['[a\\]b]', '] yes|\\ no'],
    ['[ab', '[ab yes|a no'],
    ['a\\*', 'a* yes|ab no'],
    ['a\\', 'a\\ yes'],
    ['[.]a', '.a no'],
    ['\xe9*', '\xe9x yes|\xc3\xa9 no'],
  ])('%s', (pattern, table) => {
    const matches = compilePattern(pattern);
    for (const row of table.split('|')) {
      const [name = '', expected] = row.split(' ');
      expect(`${name} ${matches(name) ? 'yes' : 'no'}`).toBe(`${name} ${expected}`);
    }
  });

  test.each([
    ['a', false], ['a*', true], ['?', true], ['[a]', true], ['[a', false], ['a]', false], ['\\*', false], ['\\[a]', false],
    ['[a\\]', false], ['\\\\*', true], ['', false], ['[]', true],
  ])('%s is a pattern: %s', (pattern, expected) => expect(isPattern(pattern)).toBe(expected)); // prettier-ignore

  test('no pattern runs long', () => {
    expect(compilePattern(`${'*a'.repeat(100)}b`)('a'.repeat(255))).toBe(false);
  });
});

test.each([
  ['${A}', '1'],
  ['x${A}y${A}', 'x1y1'],
  ['${B}', '${B}'],
  ['\\${A}', '\\1'],
  ['${A', '${A'],
  ['$A {A} $', '$A {A} $'],
  ['${N}', '${A}'],
  ['${x:y}', '${x:y}'],
  ['${D}', '$&'],
  ['${a${A}}', '${a${A}}'],
])('expand %s', (text, expected) => {
  expect(
    expand(
      text,
      new Map([
        ['A', '1'],
        ['N', '${A}'],
        ['D', '$&'],
      ]),
    ),
  ).toBe(expected);
});

describe('problems of syntax', () => {
  test.each([
    ['</Directory>', 'stray-line', '</Directory> closes a section that is not open here'],
    ['<Directory x>\n</Directory >\n</Directory>', 'stray-line', 'a closing tag must end in ">"'],
    ['< Directory x>', 'stray-line', 'a section needs its name'],
    ['<Directory x\n</Directory>', 'stray-line', '<Directory lacks its ">"'],
    // The rule for lines that end in a backslash tells of it, and mends it.
    ['A b\\\n', undefined, ''],
    ['<Directory x>', 'unclosed-section', '<Directory> is not closed: httpd refuses the file'],
    ['<IfModule x>', 'unclosed-section', 'while the condition holds'],
    ['\xEF\xBB\xBFA b', 'bom', 'byte order mark'],
    [`# ${'x'.repeat(8189)}`, undefined, ''],
    [`# ${'x'.repeat(8190)}`, 'overlong-line', 'longer than 8191 bytes'],
    [`A ${'x'.repeat(5000)}\\\n${'x'.repeat(5000)}`, 'overlong-line', 'longer than 8191 bytes'],
    [`A ${'x'.repeat(5000)}\n${'x'.repeat(5000)}`, undefined, ''],
    [`A b${' '.repeat(8190)}`, undefined, ''],
    [`${'\\\n'.repeat(8200)}A b`, undefined, ''],
    [`${' \\\n'.repeat(8200)}A b`, 'overlong-line', 'longer than 8191 bytes'],
    // The backslash and the line end after it must be read at once with what stands before them.
    [`A ${'x'.repeat(8187)}\\\ny`, undefined, ''],
    [`A ${'x'.repeat(8188)}\\\ny`, 'overlong-line', 'longer than 8191 bytes'],
    [`A ${'x'.repeat(8187)}\\\r\ny`, 'overlong-line', 'longer than 8191 bytes'],
    [`A ${'x'.repeat(4000)}\\\n${'x'.repeat(4187)}\\\ny`, undefined, ''],
    [`A ${'x'.repeat(4000)}\\\n${'x'.repeat(4188)}\\\ny`, 'overlong-line', 'longer than 8191 bytes'],
    ['<Perl>\n</x>\n<y>\n</Perl>\n# </x>\n', undefined, ''],
  ])('%j', (text, code, message) => {
    const { problems } = load(source({ '/a': text }), ['/a']);
    if (code === undefined) expect(problems).toEqual([]);
    else expect(problems).toMatchObject([{ code, message: expect.stringContaining(message) }]);
  });

  test.each([
    [
      'blanks at its end',
      `A b${' '.repeat(8189)}\n`,
      '8191 bytes with the blanks at its end: 2.4 answers 500 here',
    ],
    [
      'a backslash that 2.2 alone breaks off',
      `A ${'x'.repeat(8188)}\\\ny`,
      '2.2 reads what comes after them as another line',
    ],
  ])('a line of a .htaccess that is too long for one version: %s', (_name, text, message) => {
    const tree = load(source({ '/w/.htaccess': text }), ['/w/.htaccess']);
    expect(tree.problems.map((problem) => problem.message.replace(/^a line longer than /, ''))).toEqual([
      expect.stringMatching(new RegExp(`${message}$`)),
    ]);
  });

  test('a line of a .htaccess that 2.4 does not read', () => {
    const tree = load(source({ '/w/.htaccess': `# ${'x'.repeat(8190)}\n` }), ['/w/.htaccess']);
    expect(tree.problems).toMatchObject([
      { code: 'overlong-line', message: expect.stringContaining('500 here') },
    ]);
    expect(tree.problems.map((problem) => problemFinding(problem).level)).toEqual(['error']);
  });

  test('a last line of a .htaccess has room for one byte more where it has no line end', () => {
    const problems = (text: string): number =>
      load(source({ '/w/.htaccess': text }), ['/w/.htaccess']).problems.length;
    const line = `A b${' '.repeat(8189)}`;
    expect(['', '\n', ' '].map((end) => problems(line + end))).toEqual([0, 1, 1]);
  });

  test('in the order of the files and of their lines', () => {
    const files = { '/a': 'Include /b\n</X>\nInclude /no\n</Y>\n', '/b': '</Z>\n' };
    expect(summary(load(source(files), ['/a'])).problems).toEqual([
      'stray-line /a:2',
      'include-missing /a:3',
      'stray-line /a:4',
      'stray-line /b:1',
    ]);
  });
});

describe('visitTree', () => {
  test('reading order, through Includes, with the chain', () => {
    const files = {
      '/s/httpd.conf':
        'Listen 80\n<Directory /x>\nInclude in.conf\n</Directory>\n<IfModule y>\nInclude in.conf\n</IfModule>\n',
      '/s/in.conf': '<Limit GET>\nOptions None\n</Limit>\n',
      '/s/w/.htaccess': '<Files z>\nSatisfy Any\n</Files>\n',
      '/s/left.conf': 'Timeout 1\n',
    };
    const seen: string[] = [];
    const tree = load(source(files), ['/s'], { cwd: '/s', unused: true });
    visitTree(tree, (node, { file, root, chain }) => {
      if (node.kind === 'directive' || node.kind === 'section')
        seen.push(
          `${root.name} ${file.name} ${[...chain.map((frame) => frame.section.name), node.name].join('>')}`,
        );
    });
    expect(seen).toEqual([
      'httpd.conf httpd.conf Listen',
      'httpd.conf httpd.conf Directory',
      'httpd.conf httpd.conf Directory>Include',
      'httpd.conf in.conf Directory>Limit',
      'httpd.conf in.conf Directory>Limit>Options',
      'httpd.conf httpd.conf IfModule',
      'httpd.conf httpd.conf IfModule>Include',
      'httpd.conf in.conf IfModule>Limit',
      'httpd.conf in.conf IfModule>Limit>Options',
      'w/.htaccess w/.htaccess Files',
      'w/.htaccess w/.htaccess Files>Satisfy',
      'left.conf left.conf Timeout',
    ]);
    expect(tree.files.map((file) => `${file.role} ${file.name}`)).toEqual([
      'server httpd.conf',
      'included in.conf',
      'htaccess w/.htaccess',
      'unreached left.conf',
    ]);
  });

  test('includes that unfold without end are refused, not followed', () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`/${i}`, i < 39 ? `Include /${i + 1}\nInclude /${i + 1}\n` : D]),
    );
    const tree = load(source(files), ['/0']);
    expect(() => visitTree(tree, () => undefined)).toThrow(expect.objectContaining({ code: 'ETOOBIG' }));
  });
});

describe('conditions', () => {
  const open = (line: string): Section => {
    const node = parse(`${line}\n</${/^<(\w+)/.exec(line)?.[1]}>\n`).body[0];
    if (node?.kind !== 'section') throw new Error(`no section: ${line}`);
    return node;
  };
  const show = ({ on22, on24 }: { on22: boolean | undefined; on24: boolean | undefined }) =>
    [on22, on24].map((value) => (value === undefined ? '?' : value ? 'T' : 'F')).join('');

  // 2.2 then 2.4: True, False, ? unknown
  test.each([
    ['<IfModule mod_authz_core.c>', 'FT'], ['<IfModule authz_core_module>', 'FT'], ['<IfModule !mod_authz_core.c>', 'TF'],
    ['<IfModule mod_access_compat.c>', 'FF'], ['<IfModule mod_authz_host>', 'FF'], ['<IfModule !mod_authz_host>', 'TT'], ['<IfModule mod_rewrite.so>', 'FF'], ['<IfModule mod_mine>', '??'], ['<IfModule !mod_access_compat.c>', 'TT'], ['<IfModule access_compat_module>', 'FF'],
    ['<IfModule mod_authn_core.c>', 'FT'], ['<IfModule mod_unixd.c>', 'FT'], ['<IfModule mod_socache_shmcb.c>', 'F?'],
    ['<IfModule mod_version.c>', '?T'], ['<IfModule core.c>', 'TT'], ['<IfModule core_module>', '?T'], ['<IfModule http_core.c>', 'TT'],
    ['<IfModule mod_authz_default.c>', '?F'], ['<IfModule !mod_authz_default.c>', '?T'], ['<IfModule disk_cache_module>', '??'], ['<IfModule mod_authn_alias.c>', '?T'],
    ['<IfModule mod_cache_disk.c>', 'F?'], ['<IfModule mod_rewrite.c>', '??'], ['<IfModule prefork.c>', '??'], ['<IfModule mod_php5.c>', '??'],
    ['<IfModule mod_macro.c>', '??'], ['<IfModule MOD_AUTHZ_CORE.C>', '??'], ['<IfModule "mod_authz_core.c">', '?T'],
    ['<IfModule ! mod_authz_core.c>', '?F'], ['<ifmodule mod_authz_core.c> # x', 'FT'], ['<IfModule>', '??'],
    ['<IfVersion >= 2.4>', 'FT'], ['<IfVersion < 2.4>', 'TF'], ['<IfVersion <= 2.2>', 'FF'], ['<IfVersion > 2.2>', 'TT'],
    ['<IfVersion > 2.4>', 'FT'], ['<IfVersion = 2.4>', 'FF'], ['<IfVersion 2.2>', 'FF'], ['<IfVersion >= 2.4.10>', 'F?'],
    ['<IfVersion >= 2.2.0>', 'TT'], ['<IfVersion < 2.2.15>', '?F'], ['<IfVersion >= 2>', 'TT'], ['<IfVersion < 3>', 'TT'],
    ['<IfVersion !< 2.3>', 'FT'], ['<IfVersion !>= 2.4>', 'TF'], ['<IfVersion == 2.2.3>', '?F'], ['<IfVersion ~ ^2\\.2>', 'TF'],
    ['<IfVersion = /^2\\.4\\./>', 'FT'], ['<IfVersion !~ ^2\\.4>', 'TF'], ['<IfVersion ~ ^2\\.2\\.[0-9]$>', '?F'], ['<IfVersion "2.4" >', 'FF'],
    ['<IfVersion ~ ^(?i)2>', 'TT'], ['<IfVersion =~ 2>', '??'], ['<IfVersion >=2.4>', '??'], ['<IfVersion ${V}>', '??'], ['<IfVersion >', '??'],
    ['<IfDefine X>', '??'], ['<IfDefine SSL>', 'TT'], ['<IfDefine !SSL>', 'FF'], ['<IfDefine !X>', '??'], ['<IfDefine ssl>', '??'],
    ['<IfFile x>', '??'], ['<If true>', 'TT'], ['<Else>', 'TT'], ['<Directory /x>', 'TT'],
  ])('%s is %s', (line, expected) => {
    expect(show(conditionOf(open(line), new Set(['SSL'])))).toBe(expected);
  }); // prettier-ignore

  test.each([
    [[], 'TT'],
    [['<Directory /x>'], 'TT'],
    [['<IfModule mod_authz_core.c>', '<Directory /x>', '<IfModule x.c>'], 'F?'],
    [['<IfModule x.c>', '<IfVersion < 2.4>'], '?F'],
    [['<IfModule !mod_authz_core.c>', '<IfVersion >= 2.4>'], 'FF'],
  ])('all of %j is %s', (lines, expected) => {
    const file = load(source({ '/a': '' }), ['/a']).roots[0]!;
    expect(show(placeCondition(lines.map((line) => ({ file, section: open(line) }))))).toBe(expected);
  });

  test('the list of modules', () => {
    const modules = allModules();
    expect(new Set(modules.map((module) => module.file)).size).toBe(modules.length);
    expect(findModule('ldap_module')).toEqual({
      identifier: 'ldap_module',
      file: 'util_ldap.c',
      versions: 'both',
    });
    expect(findModule('mod_cache_disk.c')?.versions).toBe('2.4');
  });
});

test.each([
  [D, true],
  ['# comment only\n', false],
  ['', false],
  ['<VirtualHost *:80>\n', true],
  ['  <ifmodule x>\n', true],
  ['server {\n  listen 80;\n  include x;\n}\n', false],
  ['include mime.types;\nkeepalive_timeout 65;\n', false],
  ['user = x\n[mysqld]\n', false],
  ['[Definition]\nServerName x\n', false],
  ['user www\ngroup www\n', false],
  ['User www\r\nGroup www\r\n', true],
  ['<?xml version="1.0"?>\n<Directory x>\n', false],
  ['DefaultRoot ~\n<Directory />\n</Directory>\n', false],
  ['LogFormat "{ \\\n\\"a\\": 1}" json\n', true],
  ['LoadModule a b\n\0', false],
  ['php_value a b\n', true],
  ['documentroot /x\n', true],
  ['timeout connect 5s\nkeepalive 10 120\n', false],
  ['Port 22\nProtocol 2\n', false],
  ['Header set X "a;"\n', true],
  ['#! /bin/sh\nServerName x\n', false],
  ['#!!! made by a script\nServerName x\n', true],
])('looks like configuration: %j %s', (text, expected) => {
  expect(looksLikeConfig(text)).toBe(expected);
});

test('an overlay reads its own texts', () => {
  const base = source({ '/a': 'Include /b\n', '/b': D }, { '/l': 'a' });
  const tree = load(overlay(base, new Map([['/a', 'Listen 80\n']])), ['/l']);
  expect(summary(tree)).toMatchObject({ roots: '/a', included: '' });
  expect(tree.roots[0]?.document.text).toBe('Listen 80\n');
});

describe('on disk', () => {
  let top: string;
  beforeEach(() => {
    top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'config-')));
  });
  afterEach(() => fs.rmSync(top, { recursive: true, force: true }));

  const bytes = (name: string) => Buffer.from(`${top}/${name}`, 'latin1');
  function write(name: string, text: string): void {
    fs.mkdirSync(bytes(path.posix.dirname(name)), { recursive: true });
    fs.writeFileSync(bytes(name), text, 'latin1');
  }

  test('names in any encoding, links, Includes', () => {
    const utf8 = latin1('ä.conf');
    write('httpd.conf', `ServerRoot ${top}\nInclude conf.d/*.conf\n`);
    write(`conf.d/${utf8}`, D);
    write('conf.d/\xe9.conf', D);
    write('parts/real', D);
    fs.symlinkSync('../parts/real', `${top}/conf.d/z.conf`);
    fs.symlinkSync('..', `${top}/conf.d/up`);
    write('w\xff/.htaccess', D);
    fs.symlinkSync(`${top}/httpd.conf`, `${top}/given`);
    const tree = load(disk, ['given', '.'], { cwd: top });
    expect(summary(tree)).toEqual({
      roots: 'httpd.conf',
      included: `parts/real conf.d/${utf8} conf.d/\xe9.conf`,
      htaccess: 'w\xff/.htaccess',
      unreached: '',
      unused: '',
      problems: [],
    });
    expect(tree.htaccess[0]?.directories).toContain(`${top}/w\xff`);
    expect(disk.read(`${top}/conf.d/\xe9.conf`)).toBe(D);
    expect(disk.real(`${top}/w\xff/../given`)).toBe(`${top}/httpd.conf`);
    expect(disk.kind(`${top}/w\xff`)).toBe('directory');
    expect(disk.kind(`${top}/nowhere`)).toBeUndefined();
    expect(disk.list(`${top}/conf.d`).find((entry) => entry.name === 'up')).toEqual({
      name: 'up',
      kind: 'link',
    });
  });

  test('bytes come back as they are, whatever the size', () => {
    const text = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('');
    for (const times of [0, 1, 255, 256, 257, 1000]) {
      write('a', text.repeat(times));
      expect(disk.read(`${top}/a`) === text.repeat(times)).toBe(true);
    }
  });

  test('errors in plain words', () => {
    write('d/x', D);
    fs.symlinkSync('loop', `${top}/loop`);
    fs.truncateSync(fs.writeFileSync(`${top}/big`, '') ?? `${top}/big`, 64 * 1024 * 1024 + 1);
    const failing: [() => unknown, string, string][] = [
      [() => disk.read(`${top}/no`), 'ENOENT', 'no such file or directory'],
      [() => disk.read(`${top}/d`), 'EISDIR', 'is a directory'],
      [() => disk.read(`${top}/big`), 'ETOOBIG', 'larger than 64 MB'],
      [() => disk.list(`${top}/d/x`), 'ENOTDIR', 'not a directory'],
      [() => disk.real(`${top}/loop`), 'ELOOP', 'too many levels of symbolic links'],
      [() => load(disk, ['d/no'], { cwd: top }), 'ENOENT', 'no such file or directory'],
      [() => load(disk, ['/dev/null'], { cwd: top }), 'EINVAL', 'neither a file nor a directory'],
    ];
    for (const [action, code, message] of failing) {
      expect(action).toThrow(expect.objectContaining({ code, message }));
      expect(action).toThrow(SourceError);
    }
  });

  test('a .htaccess without permission', () => {
    write('a/.htaccess', D);
    write('b/.htaccess', D);
    fs.chmodSync(`${top}/b/.htaccess`, 0);
    fs.chmodSync(top, 0o755);
    const tree = asNobody(() => load(disk, ['.'], { cwd: top }));
    expect(summary(tree).htaccess).toBe('a/.htaccess');
    expect(tree.unreadable).toEqual([
      { path: `${top}/b/.htaccess`, name: 'b/.htaccess', message: 'permission denied' },
    ]);
    expect(() => asNobody(() => load(disk, ['b/.htaccess'], { cwd: top }))).toThrow('permission denied');
  });

  /** Permissions do not bind root. */
  function asNobody<T>(action: () => T): T {
    if (process.geteuid?.() !== 0) return action();
    process.seteuid?.(65534);
    try {
      return action();
    } finally {
      process.seteuid?.(0);
    }
  }
});
