import { type RereadableTree, loadRereadable, memory } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

/** Reads files that were copied from their server to another place. */
function load(files: Record<string, string>, given: string[]): RereadableTree {
  const options = { cwd: '/copy', defines: new Map<string, string>(), env: new Map<string, string>() };
  return loadRereadable(memory(new Map(Object.entries(files))), given, options);
}

const MODULES = ['authz_host', 'auth_basic', 'authn_file', 'authz_user', 'alias', 'dir']
  .map((name) => `LoadModule ${name}_module modules/mod_${name}.so`)
  .join('\n');

const REDHAT = `ServerRoot "/etc/httpd"
Listen 80
${MODULES}
DocumentRoot "/var/www/html"
<Directory "/var/www/html">
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
`;

const WINDOWS = `ServerRoot "c:/wamp/bin/apache/Apache2.2.11"
Listen 80
${MODULES}
Include "c:/wamp/alias/*"
DocumentRoot "c:/wamp/www/"
<Directory "c:/wamp/www/">
    AllowOverride all
    Order Allow,Deny
    Allow from all
</Directory>
`;

/** How safe the conversions of access lines are, by file. */
function safetyOf(tree: RereadableTree): string[] {
  return run(tree, transforms, { rules: ['order-allow-deny'] })
    .outcomes.filter(({ edits }) => edits.length > 0)
    .map(({ file, safety }) => `${file.name} ${safety}`);
}

describe('a server that was copied with its directories', () => {
  test('has its .htaccess files where the server has them', () => {
    const { tree, reread } = load(
      {
        '/copy/web1/etc/httpd/conf/httpd.conf': REDHAT,
        '/copy/web1/var/www/html/private/.htaccess': 'Order deny,allow\nDeny from all\n',
      },
      ['/copy/web1'],
    );
    expect(tree.htaccess.map(({ directories }) => directories)).toEqual([['/var/www/html/private']]);
    expect(tree.seen).toContain('/var/www/html');
    expect(safetyOf({ tree, reread })).toEqual([
      'web1/etc/httpd/conf/httpd.conf safe',
      'web1/var/www/html/private/.htaccess safe',
    ]);
  });

  test('is not taken for whole where a directory was not copied', () => {
    const { tree, reread } = load({ '/copy/web1/etc/httpd/conf/httpd.conf': REDHAT }, ['/copy/web1']);
    expect(tree.seen).toEqual([]);
    expect(safetyOf({ tree, reread })).toEqual(['web1/etc/httpd/conf/httpd.conf review']);
  });

  test('finds the files that a drive letter stands before', () => {
    const files = {
      '/copy/wamp/bin/apache/Apache2.2.11/conf/httpd.conf': WINDOWS,
      '/copy/wamp/alias/notes.conf': 'Alias /notes "c:/wamp/apps/notes/"\n',
      '/copy/wamp/www/.htaccess': 'Order deny,allow\nDeny from all\n',
    };
    const { tree } = load(files, [
      '/copy/wamp/bin/apache/Apache2.2.11/conf/httpd.conf',
      '/copy/wamp/www',
      '/copy/wamp/alias',
    ]);
    expect(tree.problems).toEqual([]);
    expect(tree.files.map(({ path }) => path)).toContain('/copy/wamp/alias/notes.conf');
    expect(tree.unreached).toEqual([]);
    expect(tree.htaccess.map(({ directories }) => directories)).toEqual([['c:/wamp/www']]);
  });
});

describe('where a copied server has its files', () => {
  const HOMES = `${REDHAT.replace('ServerRoot "/etc/httpd"\n', '')}UserDir public_html
<Directory /home/*/public_html>
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
`;

  test('is known of users by the pattern of their directories', () => {
    const { tree, reread } = load(
      {
        '/copy/web1/etc/apache2/httpd.conf': HOMES,
        '/copy/web1/var/www/html/index.html': '',
        '/copy/web1/home/anna/public_html/private/.htaccess': 'Order deny,allow\nDeny from all\n',
      },
      ['/copy/web1'],
    );
    expect(tree.htaccess.map(({ directories }) => directories)).toEqual([['/home/anna/public_html/private']]);
    expect(safetyOf({ tree, reread })).toEqual([
      'web1/etc/apache2/httpd.conf safe',
      'web1/etc/apache2/httpd.conf safe',
      'web1/home/anna/public_html/private/.htaccess safe',
    ]);
  });

  test('is known on the server itself', () => {
    const { tree, reread } = load(
      {
        '/etc/apache2/httpd.conf': HOMES,
        '/var/www/html/index.html': '',
        '/home/anna/public_html/private/.htaccess': 'Order deny,allow\nDeny from all\n',
      },
      ['/etc/apache2/httpd.conf', '/var/www', '/home'],
    );
    expect(safetyOf({ tree, reread })).toEqual([
      '/etc/apache2/httpd.conf safe',
      '/etc/apache2/httpd.conf safe',
      '/home/anna/public_html/private/.htaccess safe',
    ]);
  });

  test.each([
    ['etc/apache2', '/usr/lib64/apache2'],
    ['private/etc/apache2', '/usr'],
  ])('is known of a configuration in %s, whose ServerRoot is elsewhere', (directory, root) => {
    const files = {
      [`/copy/web1/${directory}/httpd.conf`]: `ServerRoot "${root}"\nListen 80\nInclude /${directory}/extra/*.conf\n`,
      [`/copy/web1/${directory}/extra/site.conf`]: 'DocumentRoot /srv/www\n',
      '/copy/web1/srv/www/.htaccess': 'Deny from all\n',
    };
    const { tree } = load(files, ['/copy/web1']);
    expect(tree.problems).toEqual([]);
    expect(tree.htaccess.map(({ directories }) => directories)).toEqual([['/srv/www']]);
  });

  test('is found of a Windows stack by its main file', () => {
    const files = {
      '/copy/wamp/bin/apache/Apache2.2.11/conf/httpd.conf': WINDOWS,
      '/copy/wamp/bin/apache/Apache2.2.8/conf/httpd.conf': WINDOWS,
      '/copy/wamp/alias/notes.conf': '',
      '/copy/wamp/www/.htaccess': 'Order deny,allow\nDeny from all\n',
    };
    const { tree } = load(files, ['/copy']);
    expect(tree.roots.map(({ path }) => path)).toEqual([
      '/copy/wamp/bin/apache/Apache2.2.11/conf/httpd.conf',
    ]);
    expect(tree.htaccess.map(({ directories }) => directories)).toEqual([['c:/wamp/www']]);
  });
});

test('what nothing includes does not hold up the server', () => {
  const files = {
    '/copy/httpd.conf': `${REDHAT.replace('AllowOverride All', 'AllowOverride None')}<Location /secret>\n    AuthType Basic\n    Require valid-user\n</Location>\n`,
    '/copy/extra/loose.conf':
      '<Location /secret>\n    Order deny,allow\n    Deny from all\n    Satisfy any\n</Location>\n',
  };
  const result = run(load(files, ['/copy']), transforms, { rules: ['order-allow-deny'] });
  expect(result.plan.map(({ file }) => file.name)).toContain('httpd.conf');
});

describe('a directory that is called as the server’s', () => {
  const config = (root: string): string =>
    `Listen 80\nDocumentRoot ${root}\n<Directory ${root}>\nAllowOverride All\n</Directory>\n`;
  const deny = 'Order deny,allow\nDeny from all\n';
  const filesOf = (root: string, at: string, site: string): readonly string[] => {
    const source = {
      ...memory(
        new Map([
          [at, config(root)],
          [`${site}/a/.htaccess`, deny],
        ]),
      ),
      isMachine: true as const,
    };
    const options = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };
    return loadRereadable(source, [at], options).tree.htaccess.map(({ path }) => path);
  };

  test('is another one where the configuration lies in it, and one name alone agrees', () => {
    expect(filesOf('/w', '/tmp/w/x.conf', '/tmp/w')).toEqual([]);
    expect(filesOf('/w', '/tmp/w/deep/er/x.conf', '/tmp/w')).toEqual([]);
  });

  test.each([
    ['/w', '/tmp/x.conf', '/tmp/w'],
    ['/w', '/tmp/conf/x.conf', '/tmp/w'],
    ['/var/www', '/copy/var/www/conf/x.conf', '/copy/var/www'],
  ])('twin: %s is what lies beside %s', (root, at, site) => {
    expect(filesOf(root, at, site)).toEqual([`${site}/a/.htaccess`]);
  });
});

describe('a copy of a directory that is named by Include lines, and not by the ServerRoot', () => {
  test.each([
    ['/usr/lib64/apache2', '/etc/apache2/modules.d/*.conf', '/copy/my-etc/apache2/modules.d/00_default.conf'],
    ['/usr', '/private/etc/apache2/extra/httpd-info.conf', '/copy/my-etc/apache2/extra/httpd-info.conf'],
  ])('with ServerRoot %s', (root, include, path) => {
    const { tree } = load(
      {
        '/copy/my-etc/apache2/httpd.conf': `ServerRoot "${root}"\nListen 80\n${MODULES}\nInclude ${include}\n`,
        [path]: 'KeepAlive On\n',
      },
      ['/copy/my-etc/apache2'],
    );
    expect(tree.problems).toEqual([]);
    expect([...tree.includes.values()].flat().map((file) => file.path)).toEqual([path]);
  });

  test('is not looked for under another name', () => {
    const { tree } = load(
      {
        '/copy/my-etc/www/httpd.conf': 'ServerRoot "/usr"\nListen 80\nInclude /etc/apache2/extra/a.conf\n',
        '/copy/my-etc/www/extra/a.conf': 'KeepAlive On\n',
      },
      ['/copy/my-etc/www'],
    );
    expect(tree.problems).not.toEqual([]);
  });
});
