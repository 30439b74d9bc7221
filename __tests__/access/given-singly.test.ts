import { type ConfigTree, loadTree, memory, overlay } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';
import { convertFiles, textAfter } from '../../testing/run/convert';

const PASSWORD = 'AuthType Basic\nAuthName a\nAuthUserFile /etc/users\nRequire valid-user\n';
const OPEN = 'Order allow,deny\nAllow from all\n';
const CLOSED = 'Order deny,allow\nDeny from all\n';

/** A server of which nothing says that it is this machine's: there is no ServerRoot. */
const server = (section: string): string => `Listen 80
DocumentRoot /www
<Directory />
AllowOverride All
${OPEN}</Directory>
${section}`;

const ANY_FROM_INSIDE =
  '<Directory /www/secret>\nOrder allow,deny\nAllow from 10.1\nSatisfy Any\n</Directory>\n';

interface Converted {
  readonly tree: ConfigTree;
  /** The new texts, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why findings of the access rule were not applied. */
  readonly refused: readonly (string | undefined)[];
}

function convert(
  files: Readonly<Record<string, string>>,
  paths: readonly string[],
  links: Readonly<Record<string, string>> = {},
  listed: string[] = [],
): Converted {
  const onDisk = memory(new Map(Object.entries(files)), new Map(Object.entries(links)));
  const source = {
    ...onDisk,
    list(path: string) {
      listed.push(path);
      return onDisk.list(path);
    },
  };
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const tree = loadTree(source, paths, options);
  const { plan, outcomes } = run(
    { tree, reread: (texts) => loadTree(overlay(onDisk, texts), paths, options) },
    transforms,
  );
  const refused = outcomes.flatMap(({ rule, status, why }) =>
    rule === 'order-allow-deny' && status === 'not-applied' ? [why] : [],
  );
  return { tree, texts: new Map(plan.map(({ file, text }) => [file.path, text])), refused };
}

test('a link beside a .htaccess that was given by itself is found, and asked for where it makes a difference', () => {
  const files = {
    '/httpd.conf': server(ANY_FROM_INSIDE),
    '/www/.htaccess': OPEN,
    '/www/secret/.htaccess': PASSWORD,
  };
  const paths = Object.keys(files);
  const { texts, refused } = convert(files, paths, { '/www/link': 'secret' });
  expect(refused).toEqual([]);
  expect(texts.get('/www/secret/.htaccess')).toContain('%{REQUEST_FILENAME} =~ m#^/www/link(/|$)#');
  // Without the link there is one way there.
  expect(convert(files, paths).texts.get('/www/secret/.htaccess')).not.toContain('REQUEST_FILENAME');
});

test.each([
  ['below', '/www/.htaccess', '/www/secret/.htaccess'],
  ['above', '/www/secret/.htaccess', '/www/.htaccess'],
])('a .htaccess %s the one that was given counts, where the server reads it', (_, given, other) => {
  const files = {
    '/httpd.conf': server(`<Directory /www/secret>\n${CLOSED}</Directory>\n`),
    [given]: CLOSED,
    [other]: `${CLOSED}${PASSWORD}`,
  };
  const { tree, texts, refused } = convert(files, ['/httpd.conf', given]);
  expect(tree.htaccess.map(({ path }) => path)).toEqual([given, other]);
  expect(refused).toEqual([]);
  expect([...texts.keys()].toSorted()).toEqual(['/httpd.conf', ...[given, other].toSorted()]);
});

test('where no server is known, links are looked for beside the files given and between them', () => {
  const files = {
    '/www/a/.htaccess': `${CLOSED}Satisfy Any\n`,
    '/www/a/b/c/.htaccess': PASSWORD,
    '/www/d/.htaccess': OPEN,
    '/www/a/b/c/d/.htaccess': PASSWORD,
    '/www/e/1.html': '',
  };
  const given = ['/www/a/.htaccess', '/www/a/b/c/.htaccess', '/www/d/.htaccess'];
  const links = { '/www/d/link': '../a/b/c', '/www/a/b/again': 'c', '/www/e/link': '../a/b/c' };
  const listed: string[] = [];
  const { tree } = convert(files, given, links, listed);
  const inner = tree.htaccess.find(({ path }) => path === '/www/a/b/c/.htaccess');
  expect(inner?.directories).toEqual(['/www/a/b/c', '/www/a/b/again', '/www/d/link']);
  expect(listed.toSorted()).toEqual(['/www/a', '/www/a/b', '/www/a/b/c', '/www/d']);
  expect(tree.htaccess.map(({ path }) => path)).toEqual(given);
});

test('nothing is listed for a single file without a server', () => {
  const listed: string[] = [];
  convert({ '/www/a/.htaccess': CLOSED, '/www/a/b/.htaccess': OPEN }, ['/www/a/.htaccess'], {}, listed);
  expect(listed).toEqual([]);
});

describe('a file that waits to be renamed to .htaccess', () => {
  const text = 'RewriteEngine on\nRewriteRule ^a$ b.html [L]\nOrder deny,allow\nDeny from all\n';

  test.each(['htaccess.txt', '_htaccess', 'ht.access', '_.htaccess', 'sample.htaccess', 'pub-htaccess.txt'])(
    '%s is read as one',
    (name) => {
      const result = convertFiles({ [`/site/${name}`]: text }, ['/site']);
      expect(textAfter(result, `/site/${name}`)).toBe(
        'RewriteEngine on\nRewriteRule ^a$ b.html [L]\nRequire all denied\n',
      );
      expect(result.outcomes.map(({ rule }) => rule)).not.toContain('rewrite-rule-no-slash');
      expect(result.outcomes.map(({ message }) => message)).toContain(
        'httpd reads this file once it is called .htaccess: it is converted as one',
      );
    },
  );

  test('one that the server includes is a part of it', () => {
    const files = {
      '/etc/httpd/httpd.conf': 'ServerRoot /etc/httpd\nInclude pub-htaccess.txt\n',
      '/etc/httpd/pub-htaccess.txt': text,
    };
    const result = convertFiles(files, ['/etc/httpd']);
    expect(result.outcomes.map(({ rule }) => rule)).toContain('rewrite-rule-no-slash');
  });
});

test('a part of a server that is called x.htaccess is converted as one, and a file without such sections as a .htaccess', () => {
  const part = `Alias /n /srv/n\n<Directory /srv/n>\n${OPEN}${PASSWORD}</Directory>\n`;
  const lone = `${OPEN}${PASSWORD}`;
  for (const paths of [['/n'], ['/n/x.htaccess', '/n/y.htaccess']]) {
    const { texts, refused } = convert({ '/n/x.htaccess': part, '/n/y.htaccess': lone }, paths);
    expect(refused).toEqual([]);
    expect(texts.get('/n/x.htaccess')).toBe(part.replace(OPEN, ''));
    expect(texts.get('/n/y.htaccess')).toBe(PASSWORD);
  }
});
