import { judgeTree } from '../../testing/shapes/judge';
import { URIS, treeOf } from '../../testing/shapes/layout';

type Lines = readonly string[];
type Texts = Readonly<Record<string, Lines>>;

const PASSWORD: Lines = [
  'AuthType Basic',
  'AuthName x',
  'AuthUserFile "@B@/conf/htpasswd"',
  'Require valid-user',
];
const OFFICE: Lines = ['Order deny,allow', 'Deny from all', 'Allow from 10.1'];
const LIST: Lines = ['# blocked', 'Deny from 192.168.1.5', 'Deny from 203.0.113.0/24'];
const include = (name: string): string => `Include "@B@/conf/${name}"`;
const section = (open: string, lines: Lines): Lines => [`<${open}>`, ...lines, `</${open.split(' ')[0]!}>`];
const inA = (lines: Lines): Lines => section('Directory "@B@/htdocs/a"', lines);

/** The lines of the section for a directory, as they are after the run. */
function sectionIn(text: string, name: string): Lines {
  const from = text.indexOf(`htdocs/${name}">`);
  return text
    .slice(text.indexOf('\n', from) + 1, text.indexOf('</Directory>', from))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

test.each<[string, Lines, Texts]>([
  ['a list of addresses for a section that says the rest', inA(['Order allow,deny', 'Allow from all', include('list.inc')]), { 'list.inc': LIST }],
  ['lines for a section with some of its own, before them', inA([include('office.inc'), 'Satisfy any', ...PASSWORD]), { 'office.inc': OFFICE }],
  ['the same lines for sections that need other texts', [...inA([include('office.inc')]), ...section('Directory "@B@/htdocs/a/b"', [...PASSWORD, include('office.inc')])], { 'office.inc': OFFICE }],
  ['the same lines for a Directory and a Location', [...inA([include('both.inc'), 'Satisfy any']), ...section('Location /c', [include('both.inc')])], { 'both.inc': [...PASSWORD, ...OFFICE] }],
  ['lines by way of another file', inA(['Order allow,deny', 'Allow from all', include('first.inc')]), { 'first.inc': ['Options None', include('list.inc')], 'list.inc': LIST }],
  ['lines of two files', inA([include('list.inc'), include('office.inc')]), { 'list.inc': LIST, 'office.inc': OFFICE }],
  ['lines of all files of a folder', inA([include('part/*.inc')]), { 'part/1.inc': LIST, 'part/2.inc': ['Allow from all', 'Order allow,deny'] }],
  ['lines inside of a Limit', inA(['Order allow,deny', 'Allow from all', ...section('Limit POST', [include('list.inc')])]), { 'list.inc': ['Deny from all'] }],
  ['all lines of a Limit', inA(section('Limit POST', [include('list.inc')])), { 'list.inc': ['Order allow,deny', 'Deny from all'] }],
  ['a Limit in the file', inA(['Order allow,deny', 'Allow from all', include('list.inc')]), { 'list.inc': [...section('Limit POST PUT', ['Deny from all', 'ErrorDocument 404 no'])] }],
  ['a conditional around the Include', inA(['Order allow,deny', 'Allow from all', ...section('IfModule mod_alias.c', [include('list.inc')])]), { 'list.inc': LIST }],
  ['a conditional in the file', inA(['Order allow,deny', 'Allow from all', include('list.inc')]), { 'list.inc': section('IfModule mod_authz_host.c', LIST) }],
  ['a conditional in the file that asks for a module', inA(['Order allow,deny', 'Allow from all', include('list.inc')]), { 'list.inc': section('IfModule mod_nonexistent.c', ['Deny from all']) }],
  ['the password of a section that says who comes by address', inA(['Deny from 192.168.1.5', include('password.inc')]), { 'password.inc': PASSWORD }],
  ['a password for several sections, one of which asks for more', [...inA([include('password.inc')]), ...section('Directory "@B@/htdocs/c"', [include('password.inc'), 'Deny from 192.168.1.5'])], { 'password.inc': PASSWORD }],
  ['lines and a section of its own', inA(['Order allow,deny', 'Allow from all', include('list.inc')]), { 'list.inc': [...LIST, ...section('Files f.html', ['Order allow,deny', 'Deny from all'])] }],
])('%s, by an Include', (_, server, texts) => {
  const files = Object.fromEntries(Object.entries(texts).map(([name, lines]) => [`conf/${name}`, lines]));
  const tree = treeOf({ name: 'includes', server, files, uris: URIS });
  for (const dual of [false, true]) {
    const { verdict, errors, differences } = judgeTree(tree, dual);
    expect({ dual, verdict, errors, differences }).toEqual({ dual, verdict: 'same', errors: [], differences: [] });
  }
}); // prettier-ignore

test('a section that includes some of its lines says all of them itself, and they leave the file', () => {
  const server = inA(['Order allow,deny', 'Allow from all', include('list.inc')]);
  const tree = treeOf({ name: 'includes', server, files: { 'conf/list.inc': LIST }, uris: URIS });
  const { texts } = judgeTree(tree);
  expect(texts['conf/list.inc']).toBe('# blocked\n');
  expect(sectionIn(texts['conf/httpd.conf']!, 'a')).toEqual([
    '<RequireAll>',
    'Require all granted',
    'Require not ip 192.168.1.5',
    'Require not ip 203.0.113.0/24',
    '</RequireAll>',
    'Include "/srv/tree/conf/list.inc"',
  ]);
});

test('a file that sections would write alike keeps its lines', () => {
  const server = [
    ...inA([include('office.inc')]),
    ...section('Directory "@B@/htdocs/c"', [include('office.inc')]),
  ];
  const tree = treeOf({ name: 'includes', server, files: { 'conf/office.inc': OFFICE }, uris: URIS });
  const { texts, verdict } = judgeTree(tree);
  expect(verdict).toBe('same');
  expect(texts['conf/office.inc']).toBe('Require ip 10.1\n');
  expect(sectionIn(texts['conf/httpd.conf']!, 'c')).toEqual(['Include "/srv/tree/conf/office.inc"']);
});
