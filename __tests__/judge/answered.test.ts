import { loadTree, memory } from '../../src/config';
import type { ConfigTree } from '../../src/config';
import { judge } from '../../src/judge';

const PATH = '/etc/httpd/httpd.conf';
const CONF = `ServerRoot /etc/httpd
Listen 80
DocumentRoot /srv/www
<Directory />
AllowOverride None
Require all denied
</Directory>
<Directory /srv/www>
AllowOverride None
Order allow,deny
Allow from 10.0.0.0/8
</Directory>
<Directory /srv/www/pub>
Order deny,allow
Deny from all
Require all granted
</Directory>
`;
const OLD = 'Order allow,deny\nAllow from 10.0.0.0/8\n';
const HALF = 'Order deny,allow\nDeny from all\nRequire all granted\n';

const tree = (text: string): ConfigTree =>
  loadTree(memory(new Map([[PATH, text]])), [PATH], { cwd: '/', defines: new Map(), env: new Map() });

/** What the judge says of a text, where one section has become what is given. */
function vetoes(was: string, is: string, choice: string | undefined): readonly string[] {
  const before = tree(CONF);
  const chosen: ConfigTree['chosen'] = (key) =>
    choice === undefined ? undefined : { key, value: true, choice, reason: '' };
  const [file] = before.files;
  const start = CONF.indexOf(was);
  const edits = [{ start, end: start + was.length, text: is }];
  const finding = {
    rule: 'x',
    file: file!,
    at: start,
    level: 'error',
    safety: 'safe',
    status: 'applied',
    edits,
  };
  const today = choice === 'as-today';
  // The other section is converted, too: 2.4 does not read its lines.
  const others = CONF.replace(was, is)
    .replace(OLD, today ? 'Require all denied\n' : 'Require ip 10.0.0.0/8\n')
    .replace(HALF, today ? 'Require all denied\n' : 'Require all granted\n');
  const after = tree(others);
  return judge({ ...before, chosen }, after, [finding]).vetoes.map(({ why }) => why);
}

test.each([
  ['as-on-2.2', OLD, 'Require ip 10.0.0.0/8\n', false],
  ['as-on-2.2', OLD, 'Require all granted\n', true],
  ['as-on-2.2', OLD, 'Require all denied\n', true],
  ['as-today', OLD, 'Require all denied\n', false],
  ['as-today', OLD, 'Require ip 10.0.0.0/8\n', true],
  ['as-2.4-lines', HALF, 'Require all granted\n', false],
  ['as-2.4-lines', HALF, 'Require all denied\n', true],
  ['as-today', HALF, 'Require all denied\n', false],
  ['as-today', HALF, 'Require all granted\n', true],
])('where %s was answered: %j, then %j', (choice, was, is, isVetoed) => {
  const found = vetoes(was, is, choice);
  expect(found.length > 0).toBe(isVetoed);
  if (isVetoed) expect(found[0]).toMatch(/: (?:what was answered|today 2\.4) (?:lets|refuses)/);
});

test('reads a text that begins with a byte order mark', () => {
  const text = `\xEF\xBB\xBF<Directory /srv/www>\n${OLD}</Directory>\n`;
  const start = text.indexOf(OLD);
  const edits = [{ start, end: start + OLD.length, text: 'Require all granted\n' }];
  const before = tree(text);
  const after = tree(text.replace(OLD, 'Require all granted\n'));
  const finding = {
    rule: 'x',
    file: before.files[0]!,
    at: start,
    level: 'none',
    safety: 'safe',
    status: 'applied',
    edits,
  };
  expect(judge(before, after, [finding]).vetoes).toHaveLength(1);
});
