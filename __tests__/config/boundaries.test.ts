import fs from 'node:fs';
import { join } from 'node:path';
import { loadRereadable } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { run, type RunResult } from '../../src/engine';
import { transforms } from '../../transforms';
import { directory } from '../../testing/write/directory';
import { writeTree } from '../../testing/write/write-tree';

interface Tree {
  readonly files: Readonly<Record<string, string>>;
  /** Name → target. */
  readonly links?: Readonly<Record<string, string>>;
}

function made({ files, links = {} }: Tree): string {
  const root = directory();
  writeTree(
    root,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replaceAll('ROOT', root)])),
  );
  for (const [name, target] of Object.entries(links)) {
    fs.mkdirSync(join(root, name, '..'), { recursive: true });
    fs.symlinkSync(target, join(root, name));
  }
  return root;
}

function convert(cwd: string, paths: readonly string[]): RunResult {
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd };
  return run(loadRereadable(disk, paths, options), transforms);
}

const changed = ({ plan }: RunResult): string[] => plan.map(({ file }) => file.name).toSorted();
/** Those in the paths given. */
const changedWithin = ({ plan }: RunResult): string[] =>
  plan.flatMap(({ file }) => (file.isBeyond === true ? [] : [file.name])).toSorted();
const OLD = 'Options Indexes +FollowSymLinks\n';

test.each<[string, Tree, string[], within: string[], all: string[]]>([
  ['a server config stands for its directory', { files: { 'h/httpd.conf': `Listen 80\n${OLD}Include ROOT/h/x/a\n`, 'h/x/a': OLD } }, ['h/httpd.conf'], ['h/httpd.conf', 'h/x/a'], ['h/httpd.conf', 'h/x/a']],
  ['… for the one above conf', { files: { 'h/conf/httpd.conf': `${OLD}Include ROOT/h/conf.d/a.conf\n`, 'h/conf.d/a.conf': OLD } }, ['h/conf/httpd.conf'], ['h/conf.d/a.conf', 'h/conf/httpd.conf'], ['h/conf.d/a.conf', 'h/conf/httpd.conf']],
  ['… for the ServerRoot it lies in', { files: { 'h/etc/x/httpd.conf': `ServerRoot ROOT/h\n${OLD}Include y/a\n`, 'h/y/a': OLD } }, ['h/etc/x/httpd.conf'], ['h/etc/x/httpd.conf', 'h/y/a'], ['h/etc/x/httpd.conf', 'h/y/a']],
  ['… not for one elsewhere', { files: { 'copy/httpd.conf': `ServerRoot ROOT/live\n${OLD}Include ROOT/live/a\n`, 'live/a': OLD, 'live/httpd.conf': '' } }, ['copy/httpd.conf'], ['copy/httpd.conf'], ['copy/httpd.conf']],
  ['an Include that leaves a directory', { files: { 't/httpd.conf': `ServerRoot ROOT/t\n${OLD}Include ROOT/o/a\n`, 'o/a': OLD } }, ['t'], ['t/httpd.conf'], ['o/a', 't/httpd.conf']],
  ['what it leads to, given too', { files: { 't/httpd.conf': `ServerRoot ROOT/t\nInclude ROOT/o/a\n`, 'o/a': OLD } }, ['t', 'o/a'], ['o/a'], ['o/a']],
  ['a link to a file elsewhere', { files: { 'o/a': OLD, 't/.htaccess': OLD }, links: { 't/x/.htaccess': '../../o/a' } }, ['t'], ['t/.htaccess'], ['o/a', 't/.htaccess']],
  ['a link to a file in the tree', { files: { 't/y/a': OLD }, links: { 't/x/.htaccess': '../y/a' } }, ['t'], ['t/y/a'], ['t/y/a']],
  ['a link that is given', { files: { 'o/a.conf': OLD }, links: { 't/given.conf': '../o/a.conf' } }, ['t/given.conf'], ['o/a.conf'], ['o/a.conf']],
  ['a directory elsewhere', { files: { 'o/p/.htaccess': OLD, 't/.htaccess': OLD }, links: { 't/x': '../o' } }, ['t'], ['t/.htaccess'], ['o/p/.htaccess', 't/.htaccess']],
  ['a .htaccess stands for itself', { files: { 'w/.htaccess': OLD, 'w/x/.htaccess': OLD } }, ['w/.htaccess'], ['w/.htaccess'], ['w/.htaccess']],
])('%s', (_, tree, paths, within, all) => {
  const result = convert(made(tree), paths);
  expect(changedWithin(result)).toEqual(within);
  expect(changed(result)).toEqual(all);
}); // prettier-ignore

test('a copy is not completed from what this machine has at the same paths, and what it lacks is told once', () => {
  const files = {
    'copy/httpd.conf': `ServerRoot ROOT/live\n${OLD}Include ROOT/live/a\nInclude ROOT/live/b/*.conf\nDocumentRoot ROOT/live/www\n`,
    'live/httpd.conf': `ServerRoot ROOT/live\nInclude ROOT/live/a\nDocumentRoot ROOT/live/www\n`,
    'live/a': OLD,
    'live/b/c.conf': OLD,
    'live/www/.htaccess': 'Options Indexes +FollowSymLinks\n',
  };
  const cwd = made({ files });
  const { tree } = convert(cwd, ['copy/httpd.conf']);
  expect(tree.files.map(({ name }) => name)).toEqual(['copy/httpd.conf']);
  expect(tree.problems.map(({ code, message }) => [code, message])).toEqual([
    [
      'include-elsewhere',
      `this is a copy of another server's configuration, and lacks ${cwd}/live/a, ${cwd}/live/b/*.conf: what they say about modules and access is not known (those of this machine are not read)`,
    ],
  ]);
  // The server itself, and a copy that is whole.
  expect(changed(convert(cwd, ['live/httpd.conf']))).toEqual([
    'live/a',
    'live/httpd.conf',
    'live/www/.htaccess',
  ]);
  const whole = made({
    files: {
      ...files,
      [`copy${cwd}/live/a`]: OLD,
      [`copy${cwd}/live/b/d.conf`]: OLD,
      'copy/httpd.conf': files['copy/httpd.conf'].replaceAll('ROOT', cwd),
    },
  });
  expect(changed(convert(whole, ['copy/httpd.conf']))).toEqual([
    'copy/httpd.conf',
    `copy${cwd}/live/a`,
    `copy${cwd}/live/b/d.conf`,
  ]);
});

test.each<[string, string, string[]]>([
  ['that has a say in access is in the run', 'AuthType Basic\nRequire valid-user\n', ['.htaccess', 't/httpd.conf']],
  ['that AllowOverride keeps silent is not', 'AuthType Basic\nRequire valid-user\n', ['t/httpd.conf']],
])('a .htaccess above the directories given %s', (_, above, expected) => {
  const server = (override: string): string => `ServerRoot ROOT/t\n<Directory ROOT>\nAllowOverride ${override}\n</Directory>\n<Directory ROOT/t/www>\nOrder allow,deny\nAllow from all\n</Directory>\n`;
  const override = expected.length > 1 ? 'AuthConfig' : 'None';
  const { tree, plan } = convert(made({ files: { 't/httpd.conf': server(override), '.htaccess': above } }), ['t']);
  expect(tree.files.map(({ name }) => name).toSorted()).toEqual(expected);
  expect(plan.map(({ file }) => file.name)).toContain('t/httpd.conf');
}); // prettier-ignore

describe('what the server reads and was not given counts', () => {
  const location = 'ServerRoot ROOT/t\n<Location /s>\nOrder allow,deny\nAllow from all\n</Location>\n';
  const accessOf = (cwd: string, paths: string[]): object[] =>
    convert(cwd, paths).outcomes.filter(({ rule }) => rule === 'order-allow-deny');

  test.each<[string, Tree]>([
    ['an Alias', { files: { 't/httpd.conf': 'Alias /s ROOT/s\n' } }],
    ['a part of the document root', { files: { 't/httpd.conf': 'DocumentRoot ROOT/s\n' } }],
    ['a link', { files: { 't/httpd.conf': '' }, links: { 't/www/s': '../../s' } }],
    [
      'a link in what an Alias leads to',
      { files: { 't/httpd.conf': 'Alias /s ROOT/r\n', 'r/x': '' }, links: { 'r/s': '../s' } },
    ],
  ])('where %s leads to it', (_, { files, links = {} }) => {
    const withAccess = (access: string): string =>
      made({
        files: {
          ...files,
          't/httpd.conf': location + files['t/httpd.conf'],
          's/given/x': '',
          's/o/.htaccess': access,
        },
        links,
      });
    expect(accessOf(withAccess('Require valid-user\n'), ['t', 's/given'])).toMatchObject([
      { status: 'applied', safety: 'safe' },
    ]);
    const old = withAccess('Deny from all\n');
    expect(accessOf(old, ['t', 's/given'])).toMatchObject([
      { status: 'applied', file: { name: 't/httpd.conf', isBeyond: false } },
      { status: 'applied', file: { name: 's/o/.htaccess', isBeyond: true } },
    ]);
    expect(accessOf(old, ['t', 's'])).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
  });

  test('not where AllowOverride keeps it silent, nor where the configuration is a copy', () => {
    const server = 'DocumentRoot ROOT/s\n<Directory ROOT/s>\nAllowOverride None\n</Directory>\n';
    const files = { 's/.htaccess': 'Deny from all\n' };
    expect(accessOf(made({ files: { ...files, 't/httpd.conf': location + server } }), ['t'])).toMatchObject([
      { status: 'applied' },
    ]);
    const copied = location.replace('ROOT/t', '/etc/other') + 'DocumentRoot ROOT/s\n';
    expect(accessOf(made({ files: { ...files, 't/httpd.conf': copied } }), ['t'])).toMatchObject([
      { status: 'applied', safety: 'review' },
    ]);
  });

  test('what is not there is assumed to hold nothing, and that is said', () => {
    const cwd = made({ files: { 't/httpd.conf': `${location}DocumentRoot ROOT/s\n` } });
    const [found] = accessOf(cwd, ['t']) as { message: string; safety: string }[];
    expect(found).toMatchObject({ safety: 'review' });
    expect(found!.message).toContain(`no .htaccess below ${cwd}/s `);
  });
});

test('directories that links lead to are looked through, and a link that leads nowhere new says nothing', () => {
  const cwd = made({
    files: { 'o/p/.htaccess': OLD, 'pictures/1.png': '', 't/.htaccess': '' },
    links: { 't/x': '../o', 't/y': '../pictures', 't/loop': '.', 't/gone': '../nothing' },
  });
  for (const paths of [['t'], ['t', 'o']]) {
    const { tree, plan } = convert(cwd, paths);
    expect(tree.unvisited).toEqual([]);
    expect(plan.map(({ file }) => [file.name, file.isBeyond])).toEqual([
      ['o/p/.htaccess', paths.length === 1],
    ]);
  }
});

test('what stands in the place of a .htaccess and is no file is named, and the run goes on', () => {
  const cwd = made({
    files: {
      't/httpd.conf': 'Listen 80\nDocumentRoot ROOT/t/www\n<Directory />\nAllowOverride All\n</Directory>\n',
      't/www/a/.htaccess/x': '',
      't/www/e/.htaccess': 'Order allow,deny\nAllow from 10.1\n',
      't/www/f/.acl/x': '',
    },
    links: {
      't/www/b/.htaccess': '/dev/null',
      't/www/c/.htaccess': '.htaccess',
      't/www/d/.htaccess': '../nothing',
    },
  });
  const { tree, outcomes } = convert(cwd, ['t']);
  const forbidden = (what: string): string =>
    `${what}: httpd answers 403 to all that lies here, 2.2 and 2.4 alike: put a file in its place, or remove it`;
  expect(tree.unvisited.map(({ name, message }) => [name, message])).toEqual([
    ['t/www/a/.htaccess', forbidden('a directory, not a file')],
    ['t/www/b/.htaccess', forbidden('no regular file')],
    ['t/www/c/.htaccess', forbidden('a link that leads back to itself')],
    [
      't/www/d/.htaccess',
      'a link to nothing here: what its target says on the server is not known (give that too, or remove the link)',
    ],
  ]);
  const access = outcomes.find(({ rule }) => rule === 'order-allow-deny');
  // Only what is not known has a part in it.
  expect(access).toMatchObject({ status: 'applied', safety: 'review' });
  expect(access!.message).toContain(`${cwd}/t/www/d `);
});

describe('run by root', () => {
  /** Ownership needs root; the rule itself is asked through a source that tells of owners. */
  const asRoot = process.getuid?.() === 0;
  const ALICE = 40_001;
  const BOB = 40_002;

  function owned(tree: Tree, owners: Readonly<Record<string, number>>): string {
    const cwd = made(tree);
    if (asRoot) for (const [name, uid] of Object.entries(owners)) fs.lchownSync(join(cwd, name), uid, uid);
    return cwd;
  }

  function convertAs(cwd: string, paths: readonly string[], planted: readonly string[]): RunResult {
    const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd };
    const source = asRoot
      ? disk
      : {
          ...disk,
          planted: (path: string, by?: string) =>
            planted.some((link) => path === join(cwd, link) || by === join(cwd, link)),
        };
    return run(loadRereadable(source, paths, options), transforms);
  }

  test.each<[string, Tree, Record<string, number>, string[], planted: string[], expected: string[]]>([
    ['a planted link', { files: { 'bob/notes': OLD, 'alice/.htaccess': OLD }, links: { 'alice/x/.htaccess': '../../bob/notes' } }, { 'bob/notes': BOB, 'alice/x/.htaccess': ALICE, 'alice/.htaccess': ALICE }, ['.'], ['alice/x/.htaccess'], ['alice/.htaccess']],
    ['a planted link to what is root’s', { files: { 'etc/notes': OLD }, links: { 'alice/.htaccess': '../etc/notes' } }, { 'alice/.htaccess': ALICE }, ['alice'], ['alice/.htaccess'], []],
    ['a planted link that is given by name', { files: { 'etc/notes': OLD }, links: { 'alice/.htaccess': '../etc/notes' } }, { 'alice/.htaccess': ALICE }, ['alice/.htaccess'], ['alice/.htaccess'], []],
    ['a planted link to a directory', { files: { 'bob/.htaccess': OLD, 'alice/.htaccess': OLD }, links: { 'alice/x': '../bob' } }, { bob: BOB, 'bob/.htaccess': BOB, 'alice/x': ALICE }, ['alice'], ['alice/x'], ['alice/.htaccess']],
    ['a planted link behind one of root’s', { files: { 'bob/site/.htaccess': OLD }, links: { 'alice/site': '../bob/site', 'www/x/.htaccess': '../../alice/site/.htaccess' } }, { 'alice/site': ALICE, 'bob/site/.htaccess': BOB }, ['www'], ['www/x/.htaccess'], []],
    ['a planted Include', { files: { 'alice/x.conf': 'Listen 80\nInclude ROOT/bob/notes\n', 'bob/notes': OLD } }, { 'alice/x.conf': ALICE, 'bob/notes': BOB }, ['alice'], ['alice/x.conf'], []],
    ['a link of the owner', { files: { 'alice/a': OLD }, links: { 'alice/x/.htaccess': '../a' } }, { 'alice/a': ALICE, 'alice/x/.htaccess': ALICE }, ['alice'], [], ['alice/a']],
    ['a link of root', { files: { 'alice/a': OLD }, links: { 'www/.htaccess': '../alice/a' } }, { 'alice/a': ALICE }, ['www'], [], ['alice/a']],
    ['found in its place, too', { files: { 'bob/.htaccess': OLD }, links: { 'alice/x/.htaccess': '../../bob/.htaccess' } }, { 'bob/.htaccess': BOB, 'alice/x/.htaccess': ALICE }, ['.'], ['alice/x/.htaccess'], ['bob/.htaccess']],
  ])('%s', (_, tree, owners, paths, planted, expected) => {
    const cwd = owned(tree, owners);
    expect(changed(convertAs(cwd, paths, planted))).toEqual(expected);
  }); // prettier-ignore

  test('what a planted link leads to has no say about the files of others, whatever it asks for', () => {
    const conf = `ServerRoot ROOT/etc\nListen 80\nDocumentRoot ROOT/www\n<Directory ROOT/www>\nAllowOverride All\nOrder allow,deny\nAllow from all\nDeny from 6.6.6.6\n</Directory>\n`;
    const texts = {
      'etc/httpd.conf': conf,
      'www/zoe/.htaccess': 'Deny from all\n',
      'bob/notes': 'Require valid-user\n',
    };
    const links = { 'www/alice/.htaccess': '../../bob/notes' };
    const owners = { 'bob/notes': BOB, 'www/alice/.htaccess': ALICE };
    for (const given of [['etc'], ['etc', 'www']]) {
      const cwd = owned({ files: texts, links }, owners);
      const result = convertAs(cwd, given, Object.keys(links));
      expect(changed(result)).toEqual(['etc/httpd.conf', 'www/zoe/.htaccess']);
      expect(result.tree.unvisited.map(({ name, message }) => `${name}: ${message}`)).toEqual([
        'www/alice/.htaccess: a link of another user to bob/notes: not looked into',
      ]);
      // Its user's own link brings it into the run, and it stays as it can, with all that it meets.
      const ownLink = owned({ files: texts, links }, { 'bob/notes': BOB, 'www/alice/.htaccess': BOB });
      expect(convertAs(ownLink, given, []).tree.unvisited).toEqual([]);
    }
  });
});
