import { loadRereadable, memory } from '../../src/config';
import { type FileSource, SourceError } from '../../src/config/types';

test('a result is read without asking again for what directories hold, where they lie, and who made the links', () => {
  const asked: string[] = [];
  const files = memory(
    new Map([
      [
        '/etc/httpd/httpd.conf',
        'ServerRoot /etc/httpd\nListen 80\nInclude /etc/httpd/parts/*.conf\nDocumentRoot /srv\n<Directory /home/u>\nAllowOverride All\n</Directory>\n',
      ],
      ['/data/a.conf', 'Timeout 10\n'],
      ['/srv/a/.htaccess', 'Deny from all\n'],
      ['/home/u/.htaccess', 'Deny from all\n'],
    ]),
    new Map([['/etc/httpd/parts/a.conf', '/data/a.conf']]),
  );
  const source: FileSource = {
    ...files,
    isMachine: true,
    list: (path) => (asked.push(`list ${path}`), files.list(path)),
    device: (path) => (asked.push(`device ${path}`), 1),
    owners: (path) => (asked.push(`owners ${path}`), [0]),
    planted: (path) => (asked.push(`planted ${path}`), false),
  };
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const { tree, reread } = loadRereadable(source, ['/etc/httpd', '/srv'], options);
  const first = asked.length;
  expect(asked).toEqual(
    expect.arrayContaining(['list /srv/a', 'list /home/u', 'planted /home/u', 'device /home/u']),
  );
  const after = reread(new Map([['/srv/a/.htaccess', 'Require all denied\n']]))!;
  expect(asked.slice(first)).toEqual([]);
  const textsOf = ({ files: all }: typeof tree): (readonly [string, string])[] =>
    all.map(({ path, document }) => [path, document.text] as const);
  expect(textsOf(after)).toEqual(
    textsOf(tree).map(([path, text]) => [path, path === '/srv/a/.htaccess' ? 'Require all denied\n' : text]),
  );
});

test('what has the same text is kept once, and its lines stand in files of their own', () => {
  const files = memory(
    new Map(['/srv/a', '/srv/b'].map((path) => [`${path}/.htaccess`, 'Deny from all\n'.repeat(2)])),
  );
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const { tree } = loadRereadable(files, ['/srv'], options);
  const [a, b] = tree.files.map(({ document }) => document);
  expect(tree.files.map(({ path }) => path)).toEqual(['/srv/a/.htaccess', '/srv/b/.htaccess']);
  expect(a!.body).toHaveLength(2);
  expect(b!.body).toEqual(a!.body);
  expect(b!.body[0]).not.toBe(a!.body[0]);
});

test('a result that may lack files has the others alone, and the next has all again', () => {
  const paths = ['a', 'b', 'c'].map((name) => `/srv/${name}/.htaccess`);
  const files = memory(new Map(paths.map((path) => [path, `# ${path}\n`])));
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const { reread } = loadRereadable(files, ['/srv'], options);
  const read = (spared?: ReadonlySet<string>): unknown =>
    reread(new Map([[paths[0]!, 'Timeout 10\n']]), spared)?.files.map(({ path }) => path);
  expect(read(new Set([paths[1]!]))).toEqual([paths[0], paths[2]]);
  expect(read()).toEqual(paths);
});

test('what could not be read at first cannot be when a result is read, whatever its user does meanwhile', () => {
  const files = memory(
    new Map([
      ['/srv/a/.htaccess', 'Deny from all\n'],
      ['/srv/b/.htaccess', 'Deny from all\n'],
    ]),
  );
  let asked = 0;
  const source: FileSource = {
    ...files,
    read: (path) => {
      if (path.startsWith('/srv/b') && asked++ === 0)
        throw new SourceError(path, 'ENOENT', 'no such file or directory');
      return files.read(path);
    },
  };
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const { tree, reread } = loadRereadable(source, ['/srv'], options);
  const after = reread(new Map([['/srv/a/.htaccess', 'Require all denied\n']]))!;
  for (const { files: read, unreadable } of [tree, after]) {
    expect(read.map(({ path }) => path)).toEqual(['/srv/a/.htaccess']);
    expect(unreadable.map(({ path }) => path)).toEqual(['/srv/b/.htaccess']);
  }
  expect(asked).toBe(1);
});
