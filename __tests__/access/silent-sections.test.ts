import { collect } from '../../src/access/collect';
import { liveAmong, readingOf, splitUnread } from '../../src/access/override';
import { includedScopes } from '../../src/access/policy';
import { type ConfigTree, loadTree, memory } from '../../src/config';

const CONF = `ServerRoot /etc/apache2
Listen 80
DocumentRoot /w
<Directory />
    AllowOverride None
</Directory>
<Directory /w>
    AllowOverride All
</Directory>
<Directory /w/silent>
    AllowOverride None
</Directory>
<Directory /w/refused>
    AllowOverride FileInfo
</Directory>
<Location /logged>
    SetEnv logged 1
</Location>
`;

/** A section of which nothing is said about access, beside lines that decide. */
const HTACCESS = `Order deny,allow
Deny from all
<FilesMatch "\\.inc$">
    ForceType text/plain
</FilesMatch>
`;

function tree(): ConfigTree {
  const directories = ['/w', '/w/read', '/w/silent', '/w/refused', '/w/refused/below'];
  const files = new Map([
    ['/etc/apache2/httpd.conf', CONF],
    ...directories.map((path) => [`${path}/.htaccess`, HTACCESS] as const),
  ]);
  return loadTree(memory(files), [...files.keys()], {
    defines: new Map<string, string>(),
    env: new Map<string, string>(),
    cwd: '/',
  });
}

test('sections without a line are met as they are where all sections are split together', () => {
  const given = tree();
  const { scopes, otherSections, mapping } = collect(given);
  const [included, others] = [includedScopes(scopes), includedScopes(otherSections())];
  const split = splitUnread(included, mapping, given);
  const together = splitUnread([...included, ...others], mapping, given);
  const found = liveAmong(others, split);
  expect([...split.live, ...found]).toEqual(together.live);
  const places = found.map(({ place }) => place.root.path);
  expect(places).toEqual(['/etc/apache2/httpd.conf', '/w/.htaccess', '/w/read/.htaccess']);
});

test('how the files of a tree are read is found out once', () => {
  const given = tree();
  expect(readingOf(given)).toBe(readingOf(given));
});
