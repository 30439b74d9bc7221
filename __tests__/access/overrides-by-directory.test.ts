import { overridesOf } from '../../src/access/override';
import { loadTree, memory } from '../../src/config';

const CONF = `ServerRoot /etc/apache2
Listen 80
NameVirtualHost *:80
<Directory />
    AllowOverride All
</Directory>
<Directory /srv/www/*/private>
    AllowOverride None
</Directory>
<Directory /srv/www/a/open/x/closed>
    AllowOverride None
</Directory>
<VirtualHost *:80>
    ServerName a.example
    DocumentRoot /srv/www/a/open
</VirtualHost>
<VirtualHost *:80>
    ServerName b.example
    DocumentRoot /srv/www/a/open/shop/b
    <Directory /srv/www/a>
        AllowOverride Limit
    </Directory>
</VirtualHost>
`;

/** By directory: what the `.htaccess` there may say to 2.2, for each virtual host that serves it, or that it is not read. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  '/srv/www/a/open/x/y': ['LOFAI'],
  '/srv/www/a/open/x': ['LOFAI'],
  '/srv/www/a/open/private': ['LOFAI'],
  '/srv/www/a/open/x/closed/x/y': ['not read'],
  '/srv/www/a/open/x/closed': ['not read'],
  '/srv/www/a/open/shop': ['L', 'LOFAI'],
  '/srv/www/a/open/shop/b/x': ['L', 'LOFAI'],
  '/srv/www/a/open/shop/c/x': ['LOFAI'],
  '/srv/www/c/private/x': ['not read'],
  '/srv/www/c/private': ['not read'],
  '/srv/www/c': ['LOFAI'],
};

test.each([
  ['deep directories first', Object.keys(EXPECTED)],
  ['those above them first', Object.keys(EXPECTED).toReversed()],
])(
  'what AllowOverride says of a directory does not hang on which others were asked about: %s',
  (_, asked) => {
    const source = memory(new Map([['/etc/apache2/httpd.conf', CONF]]));
    const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
    const { overrides } = overridesOf(loadTree(source, ['/etc/apache2/httpd.conf'], options));
    const found = asked.map((directory) => {
      const states = overrides.states(directory).map(({ on22 }) => (on22.isRead ? on22.classes : 'not read'));
      return [directory, states.toSorted()];
    });
    expect(Object.fromEntries(found)).toEqual(EXPECTED);
  },
);
