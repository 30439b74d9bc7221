import fc from 'fast-check';
import { LocationsByUrl } from '../../src/access/inherit';
import type { Scope } from '../../src/access/policy';
import { locationsMeet } from '../../src/access/primitives';
import { convertText } from '../../testing/run/convert';

const PATHS = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/',
  '/ab',
  '/a//b',
  '/a//',
  '/b',
  '/b/a',
  '/b/a/c/',
  '//',
  'a',
  'a/b',
  '',
];

/** @param path undefined for one that may match any URL */
function location(path: string | undefined, order: number): Scope {
  const pattern = path === undefined ? { kind: 'any' } : { kind: 'path', path };
  return { kind: 'location', pattern, order, section: undefined } as unknown as Scope;
}

test('the Locations before one are all that the same request can meet, in their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom(...PATHS), { nil: undefined }), { maxLength: 12 }),
      (paths) => {
        const scopes = paths.map(location);
        const filed = new LocationsByUrl(scopes);
        const meet = (a: string | undefined, b: string | undefined): boolean =>
          a === undefined || b === undefined || a === '/' || b === '/' || locationsMeet(a, b);
        scopes.forEach((scope, at) => {
          const expected = scopes.filter((_, i) => i < at && meet(paths[i], paths[at]));
          expect(filed.before(scope)).toEqual(expected);
        });
      },
    ),
    { numRuns: 500 },
  );
});

// 2.2 answers 400 to such a URL, or serves `*` from the document root.
const NOWHERE = '<LocationMatch "^foo">\nSatisfy any\n</LocationMatch>\n';
const ANYWHERE = '<Location /x>\nSatisfy any\n</Location>\n';

test.each([
  ['before', `${NOWHERE}${ANYWHERE}`],
  ['after', `${ANYWHERE}${NOWHERE}`],
])('a pattern that no path begins with, %s a Location that may lead anywhere, is no reason to leave either', (_, locations) => {
  const rule = 'RewriteEngine on\nRewriteRule ^/x/(.*)$ %{ENV:top}/$1\n';
  const closed = '<Directory />\nAllowOverride None\nOrder deny,allow\nDeny from all\n</Directory>\n';
  const password = 'AuthType Basic\nAuthName a\nAuthUserFile /u\nRequire valid-user\nOrder allow,deny\nAllow from all\n';
  const text = convertText(`ServerRoot /etc\nListen 80\nDocumentRoot /w\n${rule}${closed}<Directory /w>\n${password}</Directory>\n${locations}`);
  expect(text).toContain('<LocationMatch "^foo">\nRequire all granted\n');
  expect(text).toContain('<Location /x>\nRequire expr %{REQUEST_FILENAME} =~ m#^/w(/|$)#\n');
  expect(text).not.toContain('Satisfy');
}); // prettier-ignore

test('what no URL comes to is not left in words that 2.4 does not know', () => {
  const text = convertText(
    'Listen 80\nDocumentRoot /w\n<LocationMatch "^icons/">\nOrder allow,deny\nAllow from 10.1\n</LocationMatch>\n',
  );
  expect(text).toContain('<LocationMatch "^icons/">\nRequire ip 10.1\n</LocationMatch>\n');
});

test.each([
  ['that leads to any path of the server', 'RewriteRule ^/self/(.*)$ /$1 [L]'],
  ['that leads to any URL of the server', 'RewriteRule ^/self/(.*)$ /$1 [PT]'],
  ['to another server, which may be this one', 'RewriteRule ^/self/(.*)$ http://other.example/$1 [L]'],
  ['to what is no web server', 'RewriteRule ^/lb/(.*)$ ftp://ftp.example/$1'],
])('a Location is converted beside a rule for other URLs %s', (_, rule) => {
  const password = 'AuthType Basic\nAuthName a\nAuthUserFile /u\nRequire valid-user\n';
  const input = [
    'ServerRoot /srv\nDocumentRoot /srv/www\nServerName www.example\nListen 80\n',
    '<Directory />\nOrder deny,allow\nDeny from all\n</Directory>\n',
    '<Directory /srv/www>\nOrder allow,deny\nAllow from all\n</Directory>\n',
    `RewriteEngine on\n${rule}\n`,
    `<Location /lb/secret>\n${password}</Location>\n`,
  ].join('');
  expect(convertText(input)).not.toMatch(/^(?:Order|Deny|Allow|AuthMerging)/m);
  // For the same URLs, the rule may lead anywhere.
  if (rule.includes('ftp:')) return;
  expect(convertText(input.replace('^/self/', '^/lb/'))).toContain('AuthMerging And\n');
});

test.each([
  ['/p/s', '%{REQUEST_URI} !~ m#^/+p/+s(/|$)#'],
  ['/p/s/', '%{REQUEST_URI} !~ m#^/+p/+s/#'],
])(
  'a Location for %s is asked for by any number of slashes, which MergeSlashes Off leaves in the URL',
  (path, asked) => {
    const password = 'AuthType Basic\nAuthName x\nAuthUserFile users\nRequire user u\n';
    const text = convertText(
      `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n<Location ${path}>\n${password}</Location>\n<LocationMatch "^/p/.*x">\nSatisfy any\nOrder deny,allow\nDeny from 10\n</LocationMatch>\n`,
    );
    expect(text).toContain('\nMergeSlashes Off\n');
    expect(text).toContain(asked);
  },
);
