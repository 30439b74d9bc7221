import { collect } from '../../src/access/collect';
import { targetsFor } from '../../src/access/verify';
import { convertFiles } from '../../testing/run/convert';

const MAIN_WITHOUT = `ServerRoot /etc/httpd
Listen 80
LoadModule authz_host_module modules/mod_authz_host.so
<Files x.txt>
Order allow,deny
Allow from 10.0.0.1
</Files>
<VirtualHost 10.0.0.1:80>
DocumentRoot /srv/a
</VirtualHost>
`;

test.each([
  ['has none', MAIN_WITHOUT, '/HTTPD_ROOT/htdocs/'],
  ['has one', `DocumentRoot /srv/main\n${MAIN_WITHOUT}`, '/srv/main/'],
])('requests to a main server that %s lead to a name without a NUL byte', (_, text, root) => {
  const { tree } = convertFiles({ '/w/httpd.conf': text }, ['/w/httpd.conf']);
  const { scopes, mapping } = collect(tree);
  const scope = scopes.find(({ kind }) => kind === 'files')!;
  const names = targetsFor(scope, [scope], mapping, undefined).map(({ filename }) => filename);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !name.startsWith(root) || name.includes('\0'))).toEqual([]);
});
