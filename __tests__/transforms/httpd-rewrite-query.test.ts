import { convertFiles } from '../../testing/run/convert';
import { ask } from '../../testing/httpd/ask';
import { heldByJudge } from '../../testing/httpd/release';
import { serve } from '../../testing/httpd/server';

// What a real 2.4 answers where a rule puts a part of the request into the query string, and what is said of it.

interface Form {
  /** Of a virtual host; `@htaccess` before lines of a `.htaccess`. */
  readonly lines: string;
  /** Asked with the headers of a browser. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined where a rule serves whatever it is asked. */
  readonly level?: 'error' | 'warning' | 'info';
  /** A part of the message: the request that is refused. */
  readonly says?: string;
}

const BROWSER = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)',
  'Accept-Encoding': 'gzip, deflate',
  Cookie: 'a=1; b=2',
};

const refused = (
  lines: string,
  path: string,
  level: Form['level'] & string,
  says = '',
  headers = {},
): Form => ({ lines, path, headers, level, says });
const served = (lines: string, path: string, headers = {}): Form => ({ lines, path, headers });

const GET = (path: string): string => `GET ${path} gets 403`;

const FORMS: readonly Form[] = [
  // A part of the URL, by a variable.
  refused('RewriteRule ^ /index.html?url=%{REQUEST_URI} [L,QSA]', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteRule ^/app/ /index.html?url=%{REQUEST_URI} [L]', '/app/x%20y', 'warning', GET('/app/x%20y')),
  refused('RewriteRule !^/static /index.html?url=%{REQUEST_URI} [L]', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteRule ^/f /index.html?f=%{REQUEST_FILENAME}', '/fx%20y', 'warning', GET('/fx%20y')),
  refused('RewriteRule ^ /index.html?u=%{LA-U:REQUEST_URI} [NS]', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteRule ^ /index.html?u=%{REQUEST_URI} [B,L]', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteRule ^ /index.html?u=%{REQUEST_URI} [BCTLS,L]', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteMap low int:tolower\nRewriteRule ^ /index.html?u=${low:%{REQUEST_URI}}', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteMap no txt:/dev/null\nRewriteRule ^ /index.html?u=${no:a|%{REQUEST_URI}}', '/x%20y', 'warning', GET('/x%20y')),
  refused('RewriteCond %{REQUEST_URI} !^/[a-z]+$\nRewriteRule ^ /index.html?u=%{REQUEST_URI}', '/x%20y', 'warning', GET('/x%20y')),
  served('RewriteMap esc int:escape\nRewriteRule ^ /index.html?u=${esc:%{REQUEST_URI}}', '/x%20y'),
  served('RewriteRule ^/item/([0-9]+)$ /index.html?u=%{REQUEST_URI}', '/item/1'),
  served('RewriteCond %{REQUEST_URI} ^/[a-z/]+$\nRewriteRule ^ /index.html?u=%{REQUEST_URI}', '/index.html'),
  served('RewriteRule ^ /index.html?u=%{QUERY_STRING}', '/b?a%20b'),
  served('RewriteRule ^/b /index.html [QSA]', '/b?a%20b'),
  // A group of the pattern.
  refused('RewriteRule ^/find/(.*)$ /index.html?q=$1 [L]', '/find/a%20b', 'warning', GET('/find/x%20y')),
  refused('RewriteRule ^/find/(.*)$ /index.html?q=$1 [L,NE]', '/find/a%20b', 'warning', GET('/find/x%20y')),
  refused('RewriteRule ^/t/([^/]+)/?$ /index.html?q=$1', '/t/a%20b', 'warning', GET('/t/x%20y')),
  refused('RewriteRule ^/(a|b)/(.+)\\.html$ /index.html?q=$2', '/a/a%20b.html', 'warning', GET('/a/x%20y.html')),
  refused('RewriteRule ^/all.* /index.html?q=$0', '/all%20x', 'warning', GET('/allx%20y')),
  served('RewriteRule ^/all /index.html?q=$0', '/all%20x'),
  refused('RewriteRule ^/z(.) /index.html?q=$1', '/z%20', 'warning', GET('/z%20')),
  refused('RewriteRule ^/e/(.*)$ /index.html?q=$1 [B=#]', '/e/a%20b', 'warning', GET('/e/x%20y')),
  refused('RewriteRule ^/p/(.*)$ http://127.0.0.1:1/?q=$1 [P]', '/p/a%20b', 'warning', GET('/p/x%20y')),
  refused('RewriteRule ^/r/(.*)$ http://h.example/?q=$1 [R,NE]', '/r/a%20b', 'warning', GET('/r/x%20y')),
  refused('RewriteRule ^/3/(.*)$ /index.html?q=$1 [UnsafeAllow3F]', '/3/a%20b', 'warning', GET('/3/x%20y')),
  refused('@htaccess\nRewriteRule ^find/(.*)$ index.html?q=$1 [L]', '/find/a%20b', 'warning', GET('/find/x%20y')),
  refused('@htaccess\nRewriteRule ^(.*)$ index.html?q=$1 [L,QSA]', '/a%20b', 'warning', GET('/x%20y')),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 [B]', '/find/a%20b'),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 [BCTLS]', '/find/a%20b'),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 [B,BNE=/]', '/find/a%20b'),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 [BackRefEscaping]', '/find/a%20b'),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 [B,BNP]', '/find/a%20b'),
  refused('RewriteRule ^/e/(.*)$ /index.html?q=$1 [BNE=/]', '/e/a%20b', 'warning', GET('/e/x%20y')),
  refused('RewriteRule ^/e/(.*)$ /index.html?q=$1 [BNP]', '/e/a%20b', 'warning', GET('/e/x%20y')),
  served('RewriteRule ^/o/(.*)$ http://%{HTTP_HOST}/index.html?q=$1', '/o/a%20b'),
  refused('RewriteCond %{REQUEST_URI} ^/o/(.*)$\nRewriteRule ^ http://h.example/?[%1] [R,NE]', '/o/a%20b', 'warning', GET('/o/x%20y')),
  served('RewriteCond %{REQUEST_URI} ^/o/(.*)$\nRewriteRule ^ http://h.example/[%1] [R,NE]', '/o/a%20b'),
  served('RewriteCond %{QUERY_STRING} ^(.*)$\nRewriteRule ^ http://h.example/[%1] [R,NE]', '/o?a%20b'),
  served('RewriteCond %{HTTP_USER_AGENT} ^(.*)$\nRewriteRule ^ http://h.example/[%1] [R,NE]', '/o'),
  refused('RewriteRule ^/s/(.*)$ %{REQUEST_SCHEME}://%{HTTP_HOST}/index.html?q=$1 [NE]', '/s/a%20b', 'warning', GET('/s/x%20y')),
  served('RewriteRule ^/s/(.*)$ %{REQUEST_SCHEME}://h.example/?q=$1', '/s/a%20b'),
  refused('RewriteRule ^/l(/.*)?$ /index.html?q=$1', '/l/a%20b', 'warning', GET('/l/x%20y')),
  refused('RewriteRule ^/n/([^/]*)/([0-9]{2})$ /index.html?q=$1', '/n/a%20b/12', 'warning', GET('/n/x%20y/00')),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 "[B= #]"', '/find/a%20b'),
  served('RewriteRule ^/find/(.*)$ /index.html?q=$1 [B=#,BCTLS]', '/find/a%20b'),
  served('RewriteRule ^/w/([a-z0-9]+)$ /index.html?q=$1', '/w/ab'),
  served('RewriteRule ^/w/(\\w+)/(.*)$ /index.html?q=$1', '/w/a/a%20b'),
  served('RewriteRule ^/w/(\\S+)/(.*)$ /index.html?q=$1', '/w/a/a%20b'),
  served('RewriteRule ^/r/(.*)$ http://h.example/?q=$1 [R]', '/r/a%20b'),
  served('RewriteRule ^/r/(.*)$ /x?q=$1 [R=301]', '/r/a%20b'),
  served('RewriteRule ^/r/(.*)$ http://h.example/?q=$1', '/r/a%20b'),
  served('RewriteRule ^/r/(.*)$ http://h.example/$1 [R,NE]', '/r/ab'),
  served('RewriteRule ^/d/(.*)$ /index.html?', '/d/a%20b'),
  served('RewriteRule ^/d/(.*)$ /index.html?q=\\$1', '/d/a%20b'),
  // A group of a condition.
  refused('RewriteCond %{REQUEST_URI} ^/c/(.*)$\nRewriteRule ^ /index.html?q=%1', '/c/a%20b', 'warning', GET('/c/x%20y')),
  refused('RewriteCond %{REQUEST_URI} (.*)\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ /index.html?q=%1', '/a%20b', 'warning', 'GET /'),
  refused('RewriteCond %{REQUEST_URI} ^/c/(.*)$ [OR]\nRewriteCond %{QUERY_STRING} ^(.*)$\nRewriteRule ^ /index.html?q=%1', '/c/a%20b', 'warning', 'GET /'),
  refused('RewriteCond $1 ^(.*)$\nRewriteRule ^/(.*)$ /index.html?q=%1', '/a%20b', 'warning', 'GET /'),
  refused('RewriteCond %{HTTP_HOST}#%{REQUEST_URI} #/(.*)$\nRewriteRule ^ /index.html?q=%1', '/a%20b', 'warning', 'GET /'),
  served('RewriteCond %{REQUEST_URI} ^/c/(.*)$\nRewriteRule ^ /index.html?q=%1 [BCTLS]', '/c/a%20b'),
  served('RewriteCond %{REQUEST_URI} ^/c/([a-z]*)\nRewriteRule ^ /index.html?q=%1', '/c/a%20b'),
  served('RewriteCond %{REQUEST_URI} ^/c/(.*)$\nRewriteCond %{HTTP_HOST} ^(.*)$\nRewriteRule ^ /index.html?q=%1', '/c/a%20b'),
  served('RewriteCond %{QUERY_STRING} ^q=(.*)$\nRewriteRule ^ /index.html?q=%1', '/c?q=a%20b'),
  // What browsers say.
  refused('RewriteRule ^ /index.html?ua=%{HTTP_USER_AGENT}', '/x', 'error', 'nearly every request gets 403'),
  refused('RewriteRule ^ /index.html?ua=%{HTTP:User-Agent}', '/x', 'error', 'nearly every request gets 403'),
  refused('RewriteRule ^ /index.html?e=%{HTTP:Accept-Encoding}', '/x', 'error', 'nearly every request gets 403'),
  refused('RewriteRule ^ /index.html?c=%{HTTP_COOKIE}', '/x', 'error', 'nearly every request gets 403'),
  refused('RewriteRule ^ /index.html?a=%{HTTP:Authorization}', '/x', 'error', 'nearly every request gets 403', { Authorization: 'Basic YTpi' }),
  refused('RewriteRule ^ /index.html?r=%{THE_REQUEST}', '/x', 'error', ', every request gets 403'),
  refused('RewriteRule ^ /index.html?s=%{SERVER_SOFTWARE}', '/x', 'error', ', every request gets 403'),
  refused('RewriteCond %{HTTP_USER_AGENT} ^(.*)$\nRewriteRule ^ /index.html?ua=%1', '/x', 'error', 'nearly every request gets 403'),
  refused('RewriteCond %{THE_REQUEST} ^(.*)$\nRewriteRule ^ /index.html?r=%1', '/x', 'error', ', every request gets 403'),
  refused('RewriteCond %{THE_REQUEST} ^GET\\ /([^?]*)\nRewriteRule ^ /index.html?r=%1', '/x', 'error', ', every request gets 403'),
  refused('RewriteCond %{THE_REQUEST} \\?(.*)\nRewriteRule ^ /index.html?r=%1', '/x?a', 'error', ', every request gets 403'),
  refused('RewriteCond %{HTTP_USER_AGENT} (MSIE.[0-9]+)\nRewriteRule ^ /index.html?ua=%1', '/x', 'warning', 'User-Agent: MSIE', { 'User-Agent': 'a MSIE 6' }),
  refused('RewriteRule ^ /index.html?r=%{HTTP_REFERER}', '/x', 'warning', 'Referer: a b', { Referer: 'a b' }),
  refused('RewriteRule ^ /index.html?a=%{HTTP_ACCEPT}', '/x', 'warning', 'Accept: text/html, */*', { Accept: 'text/html, */*' }),
  refused('RewriteRule ^ /index.html?a=%{HTTP:X-Forwarded-For}', '/x', 'warning', 'X-Forwarded-For: a b', { 'X-Forwarded-For': '10.0.0.1, 10.0.0.2' }),
  refused('SetEnvIf User-Agent (.*) A=$1\nRewriteRule ^ /index.html?e=%{ENV:A}', '/x', 'info', 'if there is one'),
  served('RewriteCond %{THE_REQUEST} ^[A-Z]+\\ /(.*)\\ HTTP/\nRewriteRule ^ /index.html?r=%1', '/a%20b'),
  served('RewriteCond %{THE_REQUEST} ^[A-Z]+\\ /([^\\ ]*)\nRewriteRule ^ /index.html?r=%1', '/a%20b'),
  served('RewriteCond %{THE_REQUEST} ^([A-Z]+)\\s\nRewriteRule ^ /index.html?r=%1', '/a%20b'),
  served('RewriteCond %{HTTP_USER_AGENT} (Mozilla|Opera)\nRewriteRule ^ /index.html?ua=%1', '/x'),
  served('RewriteRule ^ /index.html?h=%{HTTP_HOST}&m=%{REQUEST_METHOD}&a=%{REMOTE_ADDR}&p=%{SERVER_PORT}', '/a%20b'),
  served('RewriteRule ^ /index.html?t=%{TIME}&p=%{SERVER_PROTOCOL}&n=%{SERVER_NAME}&x=%{HTTP:Host}&h=%{REMOTE_HOST}', '/a%20b'),
  served('RewriteRule ^/g /index.html?q=%{REQUEST_URI} [G]', '/h'),
  // What the messages advise.
  ...['REQUEST_URI', 'HTTP_USER_AGENT', 'THE_REQUEST'].map((name) => served(`RewriteCond %{HTTP_HOST} .\nRewriteCond %{${name}} (.*)\nRewriteRule ^ /index.html?v=%1 [L,QSA,BCTLS]`, '/x%20y')),
]; // prettier-ignore

const HTACCESS = '@htaccess\n';
const TOP =
  'Listen 80\nDocumentRoot /site\n<Directory /site>\nAllowOverride All\nOptions FollowSymLinks\n</Directory>\n';

function findingOf(
  { lines }: Form,
  target?: number,
): { readonly level: string; readonly message: string } | undefined {
  const files: Record<string, string> = lines.startsWith(HTACCESS)
    ? { '/etc/httpd.conf': TOP, '/site/.htaccess': `RewriteEngine on\n${lines.slice(HTACCESS.length)}\n` }
    : { '/etc/httpd.conf': `${TOP}RewriteEngine on\n${lines}\n`, '/site/.htaccess': '' };
  const paths = ['/etc/httpd.conf', '/site'];
  const { outcomes } = convertFiles(files, paths, target === undefined ? {} : { target });
  return outcomes.find(
    ({ rule, message }) => rule === 'rewrite-rule-unsafe' && message.includes('query string'),
  );
}

test.each(FORMS.map((form) => [form.lines, form] as const))('what is said of %s', (_, form) => {
  const finding = findingOf(form);
  expect(finding?.level).toBe(form.level);
  if (form.level !== undefined) expect(finding?.message).toContain(form.says);
});

test('a URL of the own server, whose name has a port, is no redirect', () => {
  const rule = 'RewriteRule ^/o/(.*)$ http://%{HTTP_HOST}/index.html?q=$1';
  const found = (lines: string): unknown => findingOf(served(lines, '/o/a%20b'))?.level;
  expect(found(`ServerName h.example:80\n${rule}`)).toBe('warning');
  expect(found(`ServerName h.example:80\n${rule} [R]`)).toBeUndefined();
  expect(found(`ServerName h.example:80\n${rule.replace('http:', 'https:')}`)).toBeUndefined();
});

test('a request is named by its URL', () => {
  const section = 'RewriteEngine on\nRewriteRule ^find/(.*)$ index.html?q=$1\n';
  const files = {
    '/etc/httpd.conf': `${TOP}<Directory /site/a b/>\n${section}</Directory>\n`.replace(
      '/site/a b/',
      '"/site/a b/"',
    ),
    '/site/sub/.htaccess': section,
  };
  const said = convertFiles(files, ['/etc/httpd.conf', '/site']).outcomes.map(({ message }) => message);
  for (const path of ['/a%20b/find/x%20y', '/sub/find/x%20y'])
    expect(said).toContainEqual(expect.stringContaining(GET(path)));
});

test('nothing is said for a release that has no such check', () => {
  expect(FORMS.map((form) => findingOf(form, 55)).filter((finding) => finding !== undefined)).toEqual([]);
});

test('a flag is named that the release has', () => {
  expect(
    findingOf(
      FORMS.find(({ lines }) => lines.includes('/find/(.*)'))!,
      56,
    )?.message,
  ).toContain('the flag B escapes');
});

test('a real 2.4 answers as is said', async () => {
  const cases = FORMS.map(({ lines }, i) => ({
    id: `${i}`,
    conf: `RewriteEngine on\nRewriteRule ^/index.html$ - [L]\n${lines.startsWith(HTACCESS) ? '' : lines}\n<Directory @DOCROOT@>\nAllowOverride All\nOptions FollowSymLinks\nRequire all granted\n</Directory>\n`,
    files: ['index.html'],
    ...(lines.startsWith(HTACCESS) && {
      htaccess: { '': `RewriteEngine on\nRewriteRule ^index.html$ - [L]\n${lines.slice(HTACCESS.length)}\n` },
    }),
  }));
  const server = await serve(cases);
  try {
    expect([...server.refused]).toEqual([]);
    const answers = await ask(
      server,
      FORMS.map(({ path, headers }, i) => ({ case: `${i}`, path, headers: { ...BROWSER, ...headers } })),
    );
    const isChecked = heldByJudge('rewrite-query-blank');
    const wrong = FORMS.flatMap(({ lines, path, level }, i) =>
      (answers[i] === 'F') === (isChecked && level !== undefined) ? [] : [`${lines}: ${path}: ${answers[i]}`],
    );
    expect(wrong).toEqual([]);
  } finally {
    await server.stop();
  }
});
