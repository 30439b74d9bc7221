import {
  lastInForce,
  linesOf,
  loadTree,
  memory,
  serversOf,
  insertionPointFor,
  visitTree,
} from '../../src/config';
import type { ConfigTree, Place, Server } from '../../src/config';
import { applyEdits, insertAt } from '../../src/edit';

function load(files: Record<string, string>, ...paths: string[]): ConfigTree {
  const options = {
    defines: new Map<string, string>(),
    env: new Map<string, string>(),
    cwd: '/',
    unused: true,
  };
  return loadTree(memory(new Map(Object.entries(files))), paths, options);
}

/** `kind[:name]: directive names` of every server. */
function summary(tree: ConfigTree): string[] {
  return serversOf(tree).all.map((server) => {
    const names = server.lines.map(({ node }) => node.name);
    return `${server.kind} ${server.section?.open.rest ?? ''}: ${names.join(' ')}`;
  });
}

function serverWith(tree: ConfigTree, name: string): Server {
  let found: Place | undefined;
  visitTree(tree, (node, place) => {
    if (node.kind === 'directive' && node.name === name) found = place;
  });
  return serversOf(tree).of(found!);
}

const TREE = {
  '/etc/httpd.conf': `ServerRoot /etc
LogLevel warn
<IfModule mod_ssl.c>
    LogLevel debug
</IfModule>
Include hosts.conf
<IfVersion >= 2.4>
    LogLevel info
</IfVersion>
<Directory />
    Options None
</Directory>
`,
  '/etc/hosts.conf': `<VirtualHost a:80>
    ServerName a
    Include common.conf
</VirtualHost>
# The second.
<VirtualHost b:80>
    Include common.conf
    ErrorLog b.log
</VirtualHost>
<VirtualHost c:80>
</VirtualHost>
`,
  '/etc/common.conf': 'LogLevel error\nServerAdmin me\n',
};

const MAIN =
  'main : ServerRoot LogLevel LogLevel Include VirtualHost VirtualHost VirtualHost LogLevel Directory';

test('servers are the main one and the virtual hosts, across Includes and conditionals', () => {
  expect(summary(load(TREE, '/etc/httpd.conf'))).toEqual([
    MAIN,
    'vhost a:80: ServerName Include LogLevel ServerAdmin',
    'vhost b:80: Include LogLevel ServerAdmin ErrorLog',
    'vhost c:80: ',
  ]);
});

test('a place belongs to the innermost of them', () => {
  const tree = load(TREE, '/etc/httpd.conf');
  expect(serverWith(tree, 'ErrorLog').section?.open.rest).toBe('b:80');
  expect(serverWith(tree, 'Options').kind).toBe('main');
  expect(serverWith(tree, 'ErrorLog').parent).toBe(serversOf(tree).main);
});

test('a lone .htaccess and what nothing includes are no whole servers', () => {
  const files = {
    '/www/.htaccess': 'ErrorDocument 404 x\n',
    '/www/more.conf': 'ServerAdmin me\nTimeOut 3\n',
  };
  const tree = load({ '/etc/httpd.conf': 'Listen 80\n', ...files }, '/etc/httpd.conf', '/www');
  expect(serverWith(tree, 'ErrorDocument')).toMatchObject({ kind: 'htaccess', whole: false });
  expect(serverWith(tree, 'TimeOut')).toMatchObject({ kind: 'fragment', whole: false });
  expect(serverWith(tree, 'Listen')).toMatchObject({ kind: 'main', whole: true });
  expect(serversOf(load({ '/x.conf': 'TimeOut 3\n' }, '/x.conf')).main?.whole).toBe(false);
});

test('a virtual host that is reached twice has its lines once', () => {
  const tree = load(
    { ...TREE, '/etc/two.conf': 'Listen 80\nInclude hosts.conf\nInclude hosts.conf\n' },
    '/etc/two.conf',
  );
  expect(summary(tree)).toContain('vhost a:80: ServerName Include LogLevel ServerAdmin');
});

test('what is in force is the last line that 2.2 reads for sure', () => {
  const { main } = serversOf(load(TREE, '/etc/httpd.conf'));
  expect(lastInForce(main!, ['loglevel'])?.node.rest).toBe('warn');
  expect(linesOf(main!, ['LogLevel']).map(({ node }) => node.rest)).toEqual(['warn', 'debug']);
});

function inserted(files: Record<string, string>, pick: number, beside: string[][]): [string, string] {
  const tree = load(files, '/etc/httpd.conf');
  const servers = serversOf(tree);
  const { file, ...point } = insertionPointFor(servers, servers.all[pick]!, beside);
  const edit = insertAt(file.document, point, ['NEW']);
  const text = applyEdits(file.document.text, [edit]).split('\n');
  const at = text.findIndex((line) => line.trim() === 'NEW');
  return [file.name, text.slice(Math.max(0, at - 1), at + 2).join('|')];
}

test.each<[string, number, string[][], [string, string]]>([
  ['after kin, below the conditional it stands in', 0, [['LogLevel']], ['etc/httpd.conf', '</IfVersion>|NEW|<Directory />']],
  ['in a file that is included twice: below the Include', 1, [['LogLevel']], ['etc/hosts.conf', '    Include common.conf|    NEW|</VirtualHost>']],
  ['the first group that there is', 2, [['TimeOut'], ['ErrorLog']], ['etc/hosts.conf', '    ErrorLog b.log|    NEW|</VirtualHost>']],
  ['an empty virtual host', 3, [], ['etc/hosts.conf', '<VirtualHost c:80>|    NEW|</VirtualHost>']],
  ['no kin: before the first section', 0, [['TimeOut']], ['etc/httpd.conf', 'Include hosts.conf|NEW|<IfVersion >= 2.4>']],
])('new lines go %s', (_, pick, beside, expected) => {
  expect(inserted(TREE, pick, beside)).toEqual(expected);
}); // prettier-ignore

test.each<[string, string, string]>([
  ['before its comments', '# head\n\n# one\n<Directory />\n</Directory>\n', '# head\n\nNEW\n# one\n<Directory />\n</Directory>\n'],
  ['below the head', '# head\n<Directory />\n</Directory>\n', '# head\nNEW\n<Directory />\n</Directory>\n'],
  ['at the end', '# only\n', '# only\nNEW\n'],
  ['with CRLF', 'TimeOut 3\r\n<Files x>\r\n</Files>\r\n', 'TimeOut 3\r\nNEW\r\n<Files x>\r\n</Files>\r\n'],
  ['without a last line end', 'TimeOut 3', 'TimeOut 3\nNEW'],
])('a file of one server gets them %s', (_, text, expected) => {
  const tree = load({ '/etc/httpd.conf': text }, '/etc/httpd.conf');
  const servers = serversOf(tree);
  const { file, ...point } = insertionPointFor(servers, servers.all[0]!, []);
  expect(applyEdits(text, [insertAt(file.document, point, ['NEW'])])).toBe(expected);
}); // prettier-ignore
