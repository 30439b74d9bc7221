import { convertPaths } from '../../testing/run/convert-paths';
import { textAfter } from '../../testing/run/convert';
import { PlainServer } from '../../testing/plain/server';
import { MODULES_24, treeOf } from '../../testing/shapes/layout';
import { loadLines } from '../../testing/run/load-lines';
import { BASE, requestOf, sourceOf } from '../../testing/shapes/tree';

/** The password of one directory, and a section that is met in every directory: an alternative to whatever is asked there. */
const FRAGMENT = [
  '<Directory "@B@/htdocs/a">',
  'AuthType Basic',
  'AuthName area',
  'AuthUserFile @B@/conf/htpasswd',
  'Require valid-user',
  '</Directory>',
  '<Files x.txt>',
  'Order deny,allow',
  'Deny from all',
  'Allow from 10.1.2.3',
  'Satisfy Any',
  '</Files>',
];
const FRAGMENT_FILE = 'conf/fragment.conf';

/** A server that includes the fragment, with these lines for its document root. */
const serverWith = (root: readonly string[], fragment: readonly string[]): ReturnType<typeof treeOf> =>
  treeOf({
    name: 'merging',
    root: [...root],
    server: [`Include ${FRAGMENT_FILE}`],
    files: { [FRAGMENT_FILE]: [...fragment] },
    uris: ['/x.txt', '/a/x.txt'],
  });

function convertedFragment(given: string): string {
  const result = convertPaths([`${BASE}/${given}`], sourceOf(serverWith(['AllowOverride None'], FRAGMENT)));
  expect(result.failure).toBeUndefined();
  return textAfter(result, `${BASE}/${FRAGMENT_FILE}`) ?? '';
}

test('where the whole server is seen, and grants nothing above, a section is joined by Or', () => {
  expect(convertedFragment('conf/httpd.conf')).toContain('AuthMerging Or\nRequire ip 10.1.2.3\n</Files>');
});

test('a fragment is not joined by Or with what its server may grant', () => {
  const text = convertedFragment(FRAGMENT_FILE);
  expect(text).not.toContain('AuthMerging');
  // Refused by 2.2 whatever else the server says: neither the address nor a password lets them in.
  const server = serverWith(['AllowOverride None', 'Require all granted'], text.split('\n'));
  const files = { ...server.files, 'conf/modules.conf': loadLines(MODULES_24) };
  const plain = new PlainServer(sourceOf({ files }), `${BASE}/conf/httpd.conf`, {
    version: '2.4',
    defines: new Set(),
  });
  const answers = ['/x.txt', '/a/x.txt'].flatMap((path) =>
    ['10.1.2.3', '10.9.9.9'].map((src) => plain.answer(requestOf({ path, src }))),
  );
  expect(answers).toEqual(['P', 'F', 'P', 'U']);
});
