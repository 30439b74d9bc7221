import { collect } from '../../src/access/collect';
import {
  type AuthzConfig,
  type Scope,
  excludeEachOther,
  excludesGlob,
  mergeAuthz,
  parseHostSpec,
} from '../../src/access/policy';
import { loadTree, memory } from '../../src/config';

// The mask is read by apr_ipsubnet_create, which 2.2 asks for each word with a slash, and which refuses the line where it cannot
// read it.
test.each([
  ['8.8.8.8', 'ip'], ['8.8.8.0/24', 'ip'], ['8.8.8.0/255.255.255.0', 'ip'], ['8.8.8.0/32', 'ip'], ['8.8.8.0/1', 'ip'],
  ['8.8.8.0/33', 'invalid'], ['8.8.8.0/0', 'invalid'], ['8.8.8.0/255.255.255', 'invalid'], ['8.8.8.0/', 'invalid'], ['/24', 'invalid'], ['256.1.1.1', 'invalid'],
  ['1000.1.1.1', 'invalid'], ['300', 'invalid'], ['255', 'ip'], ['::1', 'ip'], ['2001:db8::/128', 'ip'], ['2001:db8::/129', 'invalid'], ['2001:db8::/255.0.0.0', 'invalid'],
  ['1:2:3:4:5:6:7:8', 'ip'], ['1:2:3:4:5:6:7', 'invalid'], ['1:2:3:4:5:6:7::', 'ip'], ['1:2:3:4:5:6:7:8::', 'invalid'], ['1::2::3', 'invalid'], ['12345::', 'invalid'],
  ['::ffff:1.2.3.4', 'ip'], ['1:2:3:4:5:6:1.2.3.4', 'ip'], ['::1.2.3', 'invalid'], ['1.2.3.4::', 'invalid'], ['1:2:3:4:5:6:7:1.2.3.4', 'invalid'],
])('after Allow from, %s is %s', (word, kind) => {
  expect(parseHostSpec(word).kind).toBe(kind);
}); // prettier-ignore

function sections(...openings: readonly string[]): readonly Scope[] {
  const lines = openings.map((opening) => `<${opening}>\nDeny from all\n</${opening.split(' ')[0]}>\n`);
  const files = new Map([['/httpd.conf', lines.join('')]]);
  const tree = loadTree(memory(files), ['/httpd.conf'], { defines: new Map(), env: new Map(), cwd: '/' });
  return collect(tree).scopes.filter(({ kind }) => kind === 'files');
}

test.each([
  ['Files a.txt', 'Files b.txt', true],
  ['Files a.txt', 'Files a.txt', false],
  ['Files a.txt', 'Files *.inc', true],
  ['Files *.inc', 'Files a.inc', false],
  ['Files *.txt', 'Files *.inc', true],
  ['Files *.txt', 'Files a*', false],
  ['FilesMatch \\.txt$', 'Files *.inc', true],
  ['FilesMatch \\.txt$', 'FilesMatch \\.inc$', true],
  ['FilesMatch \\.(txt|inc)$', 'FilesMatch \\.inc$', false],
  ['FilesMatch \\.txt', 'FilesMatch \\.inc$', false],
  ['FilesMatch \\.inc$', 'Files a.txt', true],
  ['FilesMatch ${X}\\.inc$', 'Files a.txt', false],
])('that no file is for <%s> and <%s> is %s', (first, second, expected) => {
  const [a, b] = sections(first, second);
  expect([excludeEachOther(a!, b!), excludeEachOther(b!, a!)]).toEqual([expected, expected]);
});

test.each([
  ['Files a.txt', 'a.txt', false],
  ['Files a.txt', 'b.txt', true],
  ['Files a.txt', '*.txt', false],
  ['Files a.txt', '*.inc', true],
  ['Files *.txt', 'a.txt', false],
  ['Files *.txt', 'a.inc', true],
  ['Files *.txt', '*.inc', true],
  ['Files *.txt', 'a*', false],
  ['FilesMatch \\.txt$', 'a.inc', true],
  ['FilesMatch \\.txt$', '*.inc', true],
])('that no file is for <%s> and called %s is %s', (opening, glob, expected) => {
  expect(excludesGlob(sections(opening)[0]!, glob)).toBe(expected);
});

describe('what sections with Require and AuthMerging become together', () => {
  const container = (
    op: 'and' | 'or',
    ...children: NonNullable<AuthzConfig['tree']>[]
  ): NonNullable<AuthzConfig['tree']> => ({ kind: 'container', op, negated: false, children });
  const [outer, inner] = [container('or'), container('and')];

  test.each<[string, AuthzConfig | undefined, AuthzConfig, AuthzConfig]>([
    ['nothing above', undefined, { tree: inner, merging: 'and' }, { tree: inner, merging: 'and' }],
    ['no AuthMerging', { tree: outer, merging: 'or' }, { tree: inner, merging: undefined }, { tree: inner, merging: undefined }],
    ['Off', { tree: outer, merging: undefined }, { tree: inner, merging: 'off' }, { tree: inner, merging: 'off' }],
    ['Off without a Require', { tree: outer, merging: undefined }, { tree: undefined, merging: 'off' }, { tree: undefined, merging: 'off' }],
    ['And', { tree: outer, merging: undefined }, { tree: inner, merging: 'and' }, { tree: container('and', outer, inner), merging: 'and' }],
    ['Or', { tree: outer, merging: 'and' }, { tree: inner, merging: 'or' }, { tree: container('or', outer, inner), merging: 'or' }],
    ['And without a Require', { tree: outer, merging: undefined }, { tree: undefined, merging: 'and' }, { tree: outer, merging: 'and' }],
    ['And below an AuthMerging alone', { tree: undefined, merging: 'or' }, { tree: inner, merging: 'and' }, { tree: inner, merging: 'and' }],
  ])('%s', (_, above, section, expected) => {
    expect(mergeAuthz(above, section)).toEqual(expected);
  }); // prettier-ignore
});
