import { command } from '../../testing/run/command';
import { memory } from '../../src/config';

const HEAD = 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n';
const section = (path: string, lines: string): string => `<Directory ${path}>\n${lines}</Directory>\n`;
const DENIED = section('/', 'Require all denied\n');
const line = (id: string, path = '/srv/www/index.html'): string =>
  `[Mon Nov 23 10:00:00.123456 2026] [authz_core:error] [pid 1] [client 203.0.113.7:2] ${id}: client denied by server configuration: ${path}`;

async function why(message: string, conf: string): Promise<string> {
  const source = memory(new Map([['/etc/httpd/httpd.conf', HEAD + conf]]));
  return (await command(['why', message, '/etc/httpd/httpd.conf'], {}, { source })).stdout;
}

test.each(['AH01630', 'AH01797'])(
  '%s names the section, its lines, and both texts where they are in question',
  async (id) => {
    const text = await why(line(id), DENIED + section('/srv/www', 'Order allow,deny\nAllow from all\n'));
    expect(text).toMatch(/> +5 {2}Require all denied/);
    expect(text).toMatch(/> +9 {2}Allow from all/);
    expect(text).toMatch(/ask: .*httpd\.conf:7: .*"Require all granted".*"Require all denied"/);
    expect(text).toMatch(/answer: .*old-lines=as-on-2\.2 or .*old-lines=as-today/);
  },
);

test('the number alone shows what is in question', async () => {
  const text = await why('AH01630', DENIED + section('/srv/www', 'Order allow,deny\nAllow from all\n'));
  expect(text).toMatch(/ask: .*httpd\.conf:7: /);
});

test('old lines that are in no question are shown as they become', async () => {
  const lists =
    section('/', 'Order deny,allow\nDeny from all\n') +
    section('/srv/www', 'Order allow,deny\nAllow from all\n');
  const text = await why(line('AH01797'), lists);
  expect(text).toMatch(/write:[^]*\+Require all granted/);
  expect(text).not.toMatch(/ask: /);
});

test('what refuses in lines for 2.4 is named, and what would let the client in', async () => {
  const text = await why(line('AH01630'), DENIED + section('/srv/www', 'Options None\n'));
  expect(text).toMatch(
    /write: {2}Require all granted \(or Require ip 203\.0\.113\.7, for this client alone\) in a <Directory \/srv\/www>/,
  );
  const nearer = await why(line('AH01630'), DENIED + section('/srv/www', 'Require ip 10.0.0.0/8\n'));
  expect(nearer).toMatch(
    /write: .*in <Directory \/srv\/www> at .*httpd\.conf:7, in place of what refuses there/,
  );
});

test('where nothing that was given decides, what to write is said all the same', async () => {
  const text = await why(line('AH01630'), section('/srv/www', 'Options None\n'));
  expect(text).toMatch(
    /note: .*another file refuses it[^]*write: {2}Require all granted .*in a <Directory \/srv\/www>/,
  );
});

test.each([
  'client denied by server configuration: /srv/www/index.html',
  'I see client denied by server configuration: /srv/www/index.html',
  'Nov 23 10:00:00 web httpd[22]: [authz_core:error] [pid 1] [client 203.0.113.7:2] AH01630: client denied by server configuration: /srv/www/index.html',
])('the request is read from %s', async (message) => {
  const lists = section('/', 'Order deny,allow\nDeny from all\n') + section('/srv/www', 'Order allow,deny\nAllow from all\n');
  expect(await why(message, lists)).toMatch(/denied: \/srv\/www\/index\.html\n[^]*write:[^]*\+Require all granted/);
}); // prettier-ignore

test('nothing is to be written where what was given lets the request in', async () => {
  const text = await why(line('AH01630'), DENIED + section('/srv/www', 'Require all granted\n'));
  expect(text).toMatch(/note: .*lets this request in/);
  expect(text).not.toMatch(/write:/);
});

describe('where a person has to say what is meant, the text of each answer is shown', () => {
  const conf = DENIED + section('/srv/www', 'Order allow,deny\nAllow from all\n');
  const both =
    /write, with --answer old-lines=as-on-2\.2:\n[^]*\+Require all granted[^]*write, with --answer old-lines=as-today:\n[^]*\+Require all denied/;

  test('for a request', async () => {
    expect(await why(line('AH01630'), conf)).toMatch(both);
  });

  test('for a line that httpd refuses', async () => {
    const message =
      "AH00526: Syntax error on line 8 of /etc/httpd/httpd.conf:\nInvalid command 'Order', perhaps misspelled";
    const text = await why(message, conf);
    expect(text).toMatch(/ask: .*httpd\.conf:7: /);
    expect(text).toMatch(both);
  });

  test('for a section that stays for the sake of another one, too', async () => {
    const files = new Map([
      ['/etc/httpd/httpd.conf', `${HEAD}${conf}<Directory /srv>\nAllowOverride All\n</Directory>\n`],
      ['/srv/www/.htaccess', 'Order deny,allow\nDeny from all\n'],
    ]);
    const { stdout } = await command(
      ['why', line('AH01630'), '/etc/httpd/httpd.conf'],
      {},
      { source: memory(files) },
    );
    expect(stdout).toMatch(/answer: --answer old-lines=/);
    expect(stdout).not.toMatch(/answer: *\n/);
    expect(stdout).toMatch(both);
  });
});

test('a message that names no line shows what its rule changes, where that is not about who gets in', async () => {
  const conf = section('/srv/www', 'Options -Indexes FollowSymLinks\nOrder allow,deny\nAllow from all\n');
  expect(await why('Either all Options must start with + or -, or no Option may.', conf)).toMatch(
    /write:\n[^]*\+Options FollowSymLinks/,
  );
  expect(await why('AH01624: contains only negative authorization directives', conf)).not.toContain('write:');
});

test('text that is indented by tabs can be copied as it is shown', async () => {
  const conf = section('/srv/www', '\tOrder deny,allow\n\tDeny from all\n');
  const text = await why(line('AH01797'), conf);
  expect(text).toMatch(/^ {4}> +5 {2}\tOrder deny,allow$/m);
  expect(text).toMatch(/^ {4}\+\tRequire all denied$/m);
  expect(await why(`how does this look in 2.4?\n${conf}`, conf)).toMatch(/^ {4}\+\tRequire all denied$/m);
});

test('a line of mod_rewrite that goes is shown with the one that takes its place', async () => {
  const conf =
    '<VirtualHost *:80>\nRewriteEngine on\nRewriteLog logs/rewrite.log\nRewriteLogLevel 3\n</VirtualHost>\n';
  const text = await why("Invalid command 'RewriteLog', perhaps misspelled", conf);
  expect(text).toMatch(/-RewriteLog logs[^]*\+LogLevel rewrite:trace3/);
});

test.each([
  'AH01276: Cannot serve directory /srv/www/a/: No matching DirectoryIndex (index.html) found',
  '[error] [client 192.0.2.1] Directory index forbidden by Options directive: /srv/www/a/',
])('%s: the last Options line that the directory meets', async (message) => {
  const sections =
    section('/srv', 'Options None\n') +
    section('/srv/www', 'Options FollowSymLinks\n') +
    section('/opt', 'Options None\n');
  const files = new Map([
    ['/etc/httpd/httpd.conf', `DocumentRoot /srv/www\n${sections}`],
    ['/srv/www/index.html', ''],
  ]);
  const ask = async (): Promise<string> =>
    (await command(['why', message, '/etc/httpd/httpd.conf', '/srv/www'], {}, { source: memory(files) }))
      .stdout;
  expect(await ask()).toMatch(/> +\d+ \| Options FollowSymLinks$/m);
  files.set('/srv/www/a/.htaccess', 'Options -Indexes\n');
  expect(await ask()).toMatch(/where: {2}\S*srv\/www\/a\/\.htaccess:1\n/);
  files.set('/srv/www/a/.htaccess', 'Options +Indexes\n');
  expect(await ask()).not.toContain('  where:');
});
