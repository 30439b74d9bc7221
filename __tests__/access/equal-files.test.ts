import { htaccessProblems } from '../../src/access';
import { collect } from '../../src/access/collect';
import { type ConfigTree, loadRereadable, memory } from '../../src/config';

const CONFIG =
  'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n<Directory /w>\nAllowOverride Limit Indexes\n</Directory>\n<Directory /w/narrow>\nAllowOverride Limit\n</Directory>\n';
const OLD = 'Order deny,allow\nDeny from all\n';
const NEW = 'Require all denied\n';
const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };

/** A server with a `.htaccess` in each directory, and the same with what is written for 2.4 there. */
function changed(
  directories: readonly string[],
  was: (directory: string) => string,
  is: string,
): readonly [ConfigTree, ConfigTree] {
  const paths = directories.map((directory) => `${directory}/.htaccess`);
  const files = new Map([
    ['/etc/httpd/httpd.conf', CONFIG],
    ...directories.map((directory, i): [string, string] => [paths[i]!, was(directory)]),
  ]);
  const { tree, reread } = loadRereadable(memory(files), ['/etc/httpd/httpd.conf', '/w'], options);
  return [tree, reread(new Map(paths.map((path) => [path, is])))!];
}

/** The files of which the lines are looked at meanwhile. */
function lookedAt({ htaccess }: ConfigTree, act: () => void): readonly string[] {
  const found = new Set<string>();
  const given = htaccess.map(({ document }) => document.body);
  htaccess.forEach(({ path, document }, i) => {
    Object.defineProperty(document, 'body', { get: () => (found.add(path), given[i]) });
  });
  act();
  return [...found];
}

const numbered = Array.from({ length: 50 }, (_, i) => `/w/d${i}`);

test('files of one text are looked at once where AllowOverride says the same', () => {
  const text = 'DirectoryIndex a.html\n';
  const [tree, after] = changed([...numbered, '/w/narrow', '/w/narrow/below'], () => OLD, text);
  const problems = htaccessProblems(tree, after);
  // What is wrong is told of each.
  expect(problems.map(({ file: { path } }) => path)).toEqual([
    '/w/narrow/.htaccess',
    '/w/narrow/below/.htaccess',
  ]);
  const asked = lookedAt(after, () => expect(htaccessProblems(tree, after)).toEqual(problems));
  expect(asked).toEqual(['/w/d0/.htaccess', '/w/narrow/.htaccess', '/w/narrow/below/.htaccess']);
});

test('a file that said something else before is looked at, too', () => {
  const said = (directory: string): string => (directory === '/w/d7' ? `# for now\n${OLD}` : OLD);
  const [tree, after] = changed(numbered, said, 'DirectoryIndex a.html\n');
  htaccessProblems(tree, after);
  const asked = lookedAt(after, () => htaccessProblems(tree, after));
  expect(asked).toEqual(['/w/d0/.htaccess', '/w/d7/.htaccess']);
});

test('what sections were gathered from is held on to only where there is more to gather', () => {
  const [first] = changed(['/w/a'], () => OLD, NEW);
  const [second] = changed(['/w/b'], () => OLD, NEW);
  const [withFiles] = changed(['/w/b'], () => `<Files x>\nSetHandler x\n</Files>\n${OLD}`, NEW);
  expect(collect(first).otherSections).toBe(collect(second).otherSections);
  expect(collect(first).otherSections()).toEqual([]);
  expect(collect(withFiles).otherSections()).toMatchObject([{ kind: 'files' }]);
});
