import { cli, type Io } from '../../src/cli';
import { loadTree, memory } from '../../src/config';
import { explain } from '../../src/access/explain';
import { parseQuestion } from '../../src/ask';
import { convertFiles } from '../../testing/run/convert';
import { ask } from '../../testing/httpd/ask';
import { serve } from '../../testing/httpd/server';
import { services as usual } from '../../testing/run/services';

interface ExplainAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line over files in memory, all of them given unless `paths` are. */
function run(
  argv: readonly string[],
  files: Readonly<Record<string, string>>,
  paths = Object.keys(files),
): ExplainAnswer {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdout: { write: (bytes) => (stdout += bytes), isTTY: false },
    stderr: { write: (bytes) => (stderr += bytes), isTTY: false },
    env: {},
    cwd: '/',
    stdin: () => files['-'] ?? '',
    ask: () => undefined,
    now: () => 0,
  };
  const source = memory(new Map(Object.entries(files)));
  return { status: cli([...argv, ...paths], io, { ...usual, source }) as number, stdout, stderr };
}

interface Side {
  readonly answer: string;
  readonly why: string;
  readonly sections: readonly { readonly section: string; readonly line: number; readonly answer: string }[];
}

interface ExplainedRequest {
  readonly url?: string;
  readonly server?: string | null;
  readonly file: string;
  readonly mapped: string;
  readonly httpd22: Side;
  readonly httpd24: Side;
  readonly agree: boolean;
  readonly unknown: readonly string[];
  readonly otherwise: readonly object[];
}

function explainedText(
  request: string,
  files: Readonly<Record<string, string>>,
  paths?: string[],
  options: readonly string[] = [],
): ExplainedRequest & { status: number } {
  const argv = ['--format', 'json', '--explain', request, ...options];
  const { status, stdout, stderr } = run(argv, files, paths);
  expect(stderr).toBe('');
  const { explanations, exitStatus } = JSON.parse(stdout) as {
    explanations: ExplainedRequest[];
    exitStatus: number;
  };
  expect(exitStatus).toBe(status);
  expect(explanations).toHaveLength(1);
  return { ...explanations[0]!, status };
}

const SERVER = `ServerRoot /etc/httpd
Listen 80
DocumentRoot /srv/www
Alias /icons/ /usr/share/icons/
<Directory />
    Order deny,allow
    Deny from all
</Directory>
<Directory /srv/www>
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
<Directory /srv/www/in>
    AuthType Basic
    AuthName in
    AuthUserFile /etc/users
    AuthGroupFile /etc/groups
    Require user alice
    Require group staff
    AuthzGroupFileAuthoritative Off
    Order deny,allow
    Deny from all
    Allow from 10.0.0.0/8 example.com env=in
</Directory>
<Location /any>
    Satisfy Any
    Order deny,allow
    Deny from all
    Allow from 10.0.0.0/8
    AuthType Basic
    Require valid-user
</Location>
<VirtualHost *:80>
    ServerName one.test
    ServerAlias *.one.test
    DocumentRoot /srv/one
    <Directory /srv/one>
        Order allow,deny
        Allow from all
        <Limit POST>
            Deny from all
        </Limit>
    </Directory>
</VirtualHost>
`;

const files = { '/etc/httpd/conf/httpd.conf': SERVER };

describe('what both versions make of a request', () => {
  const cases: readonly [request: string, answer: string][] = [
    ['/x.html', 'admitted'],
    ['/icons/a.gif', 'forbidden'],
    ['/in/?from=10.1.2.3', 'unauthorized'],
    ['/in/?from=10.1.2.3&user=alice', 'admitted'],
    ['/in/?from=10.1.2.3&user=alice&password=none', 'unauthorized'],
    ['/in/?from=10.1.2.3&user=bob', 'unauthorized'],
    ['/in/?from=10.1.2.3&user=bob&group=staff', 'admitted'],
    ['/in/?from=10.1.2.3&user=bob&group=a,staff', 'admitted'],
    ['/in/?from=11.1.2.3&user=alice', 'forbidden'],
    ['/in/?from=11.1.2.3&user=alice&host=www.example.com', 'admitted'],
    ['/in/?from=11.1.2.3&user=alice&env=IN', 'admitted'],
    ['/any/x', 'unauthorized'],
    ['/any/x?user=bob', 'admitted'],
    ['/any/x?from=10.255.0.1', 'admitted'],
    ['/x?vhost=one.test', 'admitted'],
    ['/x?vhost=WWW.one.test&method=POST', 'forbidden'],
    ['/x?vhost=one.test&method=HEAD', 'admitted'],
    ['/%69n/?from=10.1.2.3', 'unauthorized'],
  ];

  test.each(cases)('%s: %s', (request, answer) => {
    const { httpd22, httpd24, agree, unknown, status } = explainedText(request, files);
    expect([httpd22.answer, httpd24.answer, unknown]).toEqual([answer, answer, []]);
    expect([agree, status]).toEqual([true, 0]);
  });

  test('the sections come in merge order, each with its line and the answer so far', () => {
    const { httpd22, httpd24, file, mapped } = explainedText('/in/a?from=10.1.2.3', files);
    const sections = (side: Side): unknown[] => side.sections.map((step) => [step.section, step.answer]);
    expect([file, mapped]).toEqual(['/srv/www/in/a', 'DocumentRoot']);
    expect(sections(httpd22)).toEqual([
      ['<Directory />', 'forbidden'],
      ['<Directory /srv/www>', 'admitted'],
      ['<Directory /srv/www/in>', 'unauthorized'],
    ]);
    expect(sections(httpd24)).toEqual(sections(httpd22));
    expect(httpd22.sections.map(({ line }) => line)).toEqual([5, 9, 14]);
  });

  test('the text names lines, lists, the state and both answers', () => {
    const { status, stdout } = run(['--explain', '/in/a?from=10.1.2.3&user=alice'], files);
    expect(status).toBe(0);
    for (const line of [
      'GET /in/a from 10.1.2.3 as alice',
      '  file   /srv/www/in/a (DocumentRoot)',
      '  <Directory /srv/www/in> at etc/httpd/conf/httpd.conf:14',
      '    Allow from 10.0.0.0/8 example.com env=in (line 24)',
      '      hosts: order deny,allow; allow from 10.0.0.0/8 example.com env=in (matches); deny from all (matches): admits',
      '      require: user alice | group staff; satisfy: all; so far it admits it',
      '  => 2.2 admits it: Order, Allow and Deny admit the client; a Require line admits alice',
      'Both versions agree.',
    ])
      expect(stdout.split('\n')).toContain(line);
  });

  test('several requests in the order given', () => {
    const { stdout } = run(['--explain', '/b', '--explain', '/a'], files);
    expect(stdout.match(/^GET .*/gm)?.map((line) => line.slice(0, 6))).toEqual(['GET /b', 'GET /a']);
  });
});

test.each([
  ['ssl=off', 'unauthorized'],
  ['ssl=on', 'admitted'],
  ['ssl=off&user=alice', 'admitted'],
])('SSLRequireSSL under Satisfy Any, %s', (keys, answer) => {
  const conf = `Listen 80
DocumentRoot /d
<Directory /d>
    SSLRequireSSL
    Order allow,deny
    Allow from all
    AuthType Basic
    AuthName a
    Require valid-user
    Satisfy Any
</Directory>
`;
  const { httpd22, httpd24, unknown } = explainedText(`/x?${keys}`, { '/h.conf': conf });
  expect([httpd22.answer, httpd24.answer, unknown]).toEqual([answer, answer, []]);
});

test('SSLRequireSSL without Satisfy Any stays what it is', () => {
  const conf = 'Listen 80\nDocumentRoot /d\n<Directory /d>\nSSLRequireSSL\n</Directory>\n';
  const { httpd22, httpd24 } = explainedText('/x', { '/h.conf': conf });
  expect([httpd22.answer, httpd22.why]).toEqual([
    'forbidden',
    'SSLRequireSSL refuses what comes without TLS',
  ]);
  expect([httpd24.answer, httpd24.why]).toEqual([
    'forbidden',
    'SSLRequireSSL refuses what comes without TLS',
  ]);
  expect(explainedText('/x?ssl=on', { '/h.conf': conf }).httpd24.answer).toBe('admitted');
});

test('what stands in the place of a .htaccess is named as what it is', () => {
  const files = { '/etc/httpd/httpd.conf': SERVER, '/srv/www/d/.htaccess/x': '' };
  expect(explainedText('/d/x', files, ['/etc/httpd/httpd.conf', '/srv/www']).unknown).toEqual([
    'srv/www/d/.htaccess: a directory, not a file: httpd answers 403 to all that lies here, 2.2 and 2.4 alike: put a file in its place, or remove it',
  ]);
});

describe('where a path leads', () => {
  test('a path inside a known directory is a file', () => {
    const { file, url, mapped } = explainedText('/srv/www/in/a', files);
    expect([file, url, mapped]).toEqual(['/srv/www/in/a', '/in/a', 'a file path']);
  });

  test('a directory that a section names ends in a slash', () => {
    expect(explainedText('/in', files).file).toBe('/srv/www/in/');
  });

  test('an Alias', () => {
    const { file, mapped } = explainedText('/icons/a.gif', files);
    expect([file, mapped]).toEqual(['/usr/share/icons/a.gif', 'Alias /icons/']);
  });

  test('a .htaccess alone: below its directory', () => {
    const files = { '/home/a/.htaccess': '<Files x.txt>\nOrder allow,deny\nDeny from all\n</Files>\n' };
    expect(explainedText('/x.txt', files)).toMatchObject({ file: '/home/a/x.txt', agree: true });
    expect(explainedText('/x.txt', files).httpd22.answer).toBe('forbidden');
    expect(explainedText('/y.txt', files).httpd22.answer).toBe('admitted');
    expect(explainedText('/home/a/x.txt', files).httpd22.answer).toBe('forbidden');
  });

  test('a directory given: below it', () => {
    const tree = { '/home/a/b/.htaccess': 'Order allow,deny\nDeny from all\n' };
    expect(explainedText('/b/x', tree, ['/home/a']).httpd22.answer).toBe('forbidden');
    expect(explainedText('/c/x', tree, ['/home/a']).httpd22.answer).toBe('admitted');
  });

  test('a file without URL leaves Location sections open', () => {
    const tree = {
      '/h.conf':
        'Listen 80\nDocumentRoot /d\n<Directory /e>\nOrder allow,deny\n</Directory>\n<Location /s>\nDeny from all\n</Location>\n',
    };
    const { unknown, agree, status } = explainedText('/e/x', tree);
    expect(unknown).toEqual(['the URL of the file, which Location sections look at: ask for the URL path']);
    expect([agree, status]).toEqual([false, 1]);
  });
});

describe('what cannot be decided', () => {
  test('a refused section: 2.2 has its answer, the rewrite leaves it alone, and says why', () => {
    const conf =
      'Listen 80\nDocumentRoot /d\n<Directory /d>\nOrder deny,allow\nDeny from all\nAllow from ${WHERE}\n</Directory>\n';
    const { httpd24, unknown, agree, status } = explainedText('/x', { '/h.conf': conf });
    expect(httpd24.answer).toBe('unknown');
    expect(unknown.join('; ')).toContain('<Directory /d> at h.conf:3 is left as it is');
    expect([agree, status]).toEqual([false, 1]);
    expect(run(['--explain', '/x'], { '/h.conf': conf }).stdout).toContain(
      'is left as it is: what ${WHERE} stands for in the Allow line is not known',
    );
  });

  test('lines of both kinds: what a 2.4 with mod_access_compat makes of them', () => {
    const conf =
      'Listen 80\nDocumentRoot /d\n<Directory /d>\nOrder deny,allow\nDeny from all\n</Directory>\n<Location /s>\nRequire all granted\n</Location>\n';
    const answers = (...options: string[]): unknown[] => {
      const { httpd22, httpd24, agree } = explainedText('/s', { '/h.conf': conf }, undefined, options);
      return [httpd22.answer, httpd24.answer, agree];
    };
    expect(answers('--answer', 'half-converted=as-today')).toEqual(['forbidden', 'forbidden', true]);
    expect(answers('--answer', 'half-converted=as-2.4-lines')).toEqual(['forbidden', 'admitted', false]);
    expect(answers()).toEqual(['forbidden', 'unknown', false]);
    expect(run(['--explain', '/s'], { '/h.conf': conf }).stdout).toContain(
      'Apache 2.4 with mod_access_compat, as it stands:',
    );
  });

  test('who is in an LDAP group', () => {
    const conf =
      'Listen 80\nDocumentRoot /d\n<Directory /d>\nAuthType Basic\nAuthName a\nAuthLDAPURL ldap://l/o=x\nRequire ldap-group cn=a\nOrder allow,deny\nAllow from all\n</Directory>\n';
    const anonymous = explainedText('/x', { '/h.conf': conf });
    expect([anonymous.httpd22.answer, anonymous.httpd24.answer, anonymous.status]).toEqual([
      'unauthorized',
      'unauthorized',
      0,
    ]);
    const user = explainedText('/x?user=bob', { '/h.conf': conf });
    expect([user.httpd22.answer, user.status]).toEqual(['unknown', 1]);
    expect(user.unknown[0]).toContain('Require ldap-group');
  });

  test('a conditional that changes the answer is told with both', () => {
    const conf =
      'Listen 80\nDocumentRoot /d\n<Directory /d>\nOrder allow,deny\nAllow from all\n</Directory>\n<IfModule mod_x.c>\n<Location /s>\nOrder allow,deny\nDeny from all\n</Location>\n</IfModule>\n';
    const { httpd22, otherwise, agree } = explainedText('/s', { '/h.conf': conf });
    expect(httpd22.answer).toBe('forbidden');
    expect(otherwise).toEqual([
      { when: 'without IfModule mod_x.c', httpd22: 'admitted', httpd24: 'admitted' },
    ]);
    expect(agree).toBe(true);
  });

  test('a conditional that holds on every 2.4 changes nothing there', () => {
    const conf = `<IfModule mod_version.c>
    <Files x>
        Order allow,deny
        Deny from all
    </Files>
</IfModule>
`;
    const { httpd22, httpd24, otherwise, agree } = explainedText('/x', { '/d/.htaccess': conf });
    expect([httpd22.answer, httpd24.answer, otherwise, agree]).toEqual(['forbidden', 'forbidden', [], true]);
  });

  test('a .htaccess that says what AllowOverride forbids', () => {
    const tree = {
      '/h.conf': 'Listen 80\nDocumentRoot /d\n<Directory /d>\nAllowOverride FileInfo\n</Directory>\n',
      '/d/.htaccess': 'Order allow,deny\nDeny from all\n',
    };
    expect(explainedText('/x', tree).httpd22.answer).toBe('error');
  });
});

describe('usage errors', () => {
  const usage = (message: string): ExplainAnswer => ({
    status: 2,
    stdout: '',
    stderr: `httpd-codemod: ${message} (see httpd-codemod --help)\n`,
  });
  test.each([
    ['/x?form=1.2.3.4', "unknown key 'form', did you mean 'from'?"],
    ['/x?from=1.2.3', "from wants an IP address, not '1.2.3'"],
    ['/x?from=fe80:::1', "from wants an IP address, not 'fe80:::1'"],
    ['/x?from=10.0.0.0/8', "from wants an IP address, not '10.0.0.0/8'"],
    ['/x?user=', 'user has no value'],
    ['/x?group=a', 'group wants a user'],
    ['/x?ssl=yes', "ssl is on or off, not 'yes'"],
    ['/x?user=a&password=secret', "password is ok or none, not 'secret'"],
    ['/x?method=GE%20T', "'GE T' is no method"],
    ['x', 'is no path, which starts with a slash, no URL and no line of a log'],
    ['/x?vhost=two.test', "no virtual host is called 'two.test'"],
  ])('%s', (request, message) => {
    expect(run(['--explain', request], files)).toEqual(usage(`--explain '${request}': ${message}`));
  });

  test('in a format of findings', () => {
    const message = '--explain has no format sarif';
    const answer = run(['--explain', '/', '--format', 'sarif'], files);
    expect({ ...answer, stdout: '' }).toEqual(usage(message));
    // Who asks for a document gets one.
    expect(answer.stdout).toContain(message);
    expect(run(['--explain', '/', '--format', 'github'], files)).toEqual(
      usage('--explain has no format github'),
    );
  });

  test.each(['--write', '--check', '--diff'])('with %s', (option) => {
    expect(run(['--explain', '/', option], files)).toEqual(
      usage(`--explain and ${option} contradict each other`),
    );
  });
});

test('a real httpd gives the answers that the explanation gives for 2.4', async () => {
  const conf = `SetEnvIf X-In "yes" in
<Directory "@DOCROOT@">
    AuthType Basic
    AuthName staff
    AuthUserFile conf/htpasswd
    AuthGroupFile conf/htgroup
    Order deny,allow
    Deny from all
    Allow from 127.0.0.2 env=in
    Require group staff
    Satisfy Any
    <Files "secret*">
        Satisfy All
    </Files>
</Directory>
<Directory "@DOCROOT@/sub">
    Order allow,deny
    Allow from 127.0.0.3
    Deny from env=in
    Satisfy All
</Directory>
<LocationMatch "^/sub/.*open">
    Order allow,deny
    Allow from all
    Satisfy Any
</LocationMatch>
`;
  const docroot = '/srv/real';
  const source = conf.replaceAll('@DOCROOT@', docroot);
  const input = `Listen 80\nDocumentRoot ${docroot}\n${source}`;
  const result = convertFiles({ '/h.conf': input });
  const text = result.plan[0]!.text;
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const after = loadTree(memory(new Map([['/h.conf', text]])), ['/h.conf'], load);
  const converted = text
    .replace(/^(?:RegexDefaultOptions.*\n)?Listen.*\nDocumentRoot.*\n/, '')
    .replaceAll(docroot, '@DOCROOT@');
  const names = ['a.txt', 'secret.txt', 'sub/a.txt', 'sub/secret.txt', 'sub/open.txt'];
  const server = await serve([{ id: 'real', conf: converted, files: names }]);
  try {
    expect([...server.refused.values()]).toEqual([]);
    const requests = names.flatMap((name) =>
      ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((src) =>
        [undefined, 'alice', 'carol'].flatMap(
          (user) =>
          [{}, { 'X-In': 'yes' }].map((headers) => ({ case: 'real', path: `/${name}`, src, headers, ...(user === undefined ? {} : { user }) })), // prettier-ignore
        ),
      ),
    );
    const groups: Readonly<Record<string, string>> = { alice: 'staff', carol: 'admins' };
    const answers = await ask(server, requests);
    const explained = requests.map(({ path, src, user, headers }) => {
      const who = user === undefined ? '' : `&user=${user}&group=${groups[user]}`;
      const { question } = parseQuestion(`${path}?from=${src}${who}${'X-In' in headers ? '&env=in' : ''}`)!;
      return explain(result.tree, after, question)!;
    });
    expect(explained.map(({ v24 }) => v24.answer)).toEqual(answers);
    expect(explained.map(({ v22 }) => v22.answer)).toEqual(answers);
    expect(new Set(answers)).toEqual(new Set(['P', 'U', 'F']));
  } finally {
    await server.stop();
  }
});

describe('what the run was not given', () => {
  const conf =
    'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n<Directory /w>\nOrder allow,deny\nAllow from all\n</Directory>\n';
  const files = { '/etc/httpd/httpd.conf': conf, '/w/a/.htaccess': 'Order allow,deny\nDeny from all\n' };

  test('a .htaccess that is there counts', () => {
    for (const given of [['/etc/httpd/httpd.conf'], Object.keys(files)])
      expect(explainedText('/a/x', files, given)).toMatchObject({
        httpd22: { answer: 'forbidden' },
        agree: true,
        status: 0,
      });
  });

  test.each<[string, string, string]>([
    ['an Include', 'Include conf.d/gone.conf\n', 'what is not included at etc/httpd/httpd.conf:8: '],
    [
      'a RewriteRule',
      'RewriteRule ^/A/ /b [NC]\n',
      'whether RewriteRule ^/A/ leads the request elsewhere, or refuses it',
    ],
  ])('%s is named, and the status is not 0', (_, line, expected) => {
    const { unknown, agree, status } = explainedText('/a/x', { '/etc/httpd/httpd.conf': conf + line });
    expect([unknown.length, agree, status]).toEqual([1, false, 1]);
    expect(unknown[0]).toContain(expected);
  });

  test.each([
    ['Listen 8080\n', 'as it does where no virtual host is for the address and port'],
    ['', 'though every request goes to a virtual host'],
  ])('which server is asked is said: Listen 80 %j', (listen, expected) => {
    const hosts = '<VirtualHost *:80>\nServerName a\n</VirtualHost>\n';
    const { stdout } = run(
      ['--explain', '/a/x'],
      { '/etc/httpd/httpd.conf': conf + listen + hosts, '/w/x': '' },
      ['/etc/httpd/httpd.conf', '/w'],
    );
    expect(stdout).toContain(`assume the main server answers, ${expected}: name one with vhost=`);
  });

  test('the first virtual host is taken where no request goes to the main server, and that serves nothing', () => {
    const bare = conf.replace(/^DocumentRoot .*\n/m, '');
    expect(bare).not.toBe(conf);
    const hosts = '<VirtualHost *:80>\nServerName a\nDocumentRoot /w\n</VirtualHost>\n';
    const { stdout } = run(['--explain', '/a/x'], { '/etc/httpd/httpd.conf': bare + hosts, '/w/x': '' }, [
      '/etc/httpd/httpd.conf',
      '/w',
    ]);
    expect(stdout).toContain(
      'assume the first virtual host answers, <VirtualHost *:80> (ServerName a) at etc/httpd/httpd.conf:7: name another with vhost=',
    );
    expect(stdout).toContain('file   /w/a/x');
  });

  test('a RewriteRule that the URL does not match is nothing', () => {
    const more = { '/etc/httpd/httpd.conf': `${conf}RewriteRule ^/b/ /c\n` };
    expect(explainedText('/a/x', more)).toMatchObject({ unknown: [], agree: true });
  });
});

describe('a request in words', () => {
  const php = {
    '/w/a/.htaccess': '<FilesMatch "\\.php$">\nOrder allow,deny\nDeny from all\n</FilesMatch>\n',
  };

  test('with a query is asked for its file', () => {
    const { httpd22, httpd24 } = explainedText('GET /a/x.php?id=1 from 10.1.2.3', php);
    expect([httpd22.answer, httpd24.answer]).toEqual(['forbidden', 'forbidden']);
  });

  test.each([
    ['/private/ from 10.1.2.3 as alice', 'GET /private/ from 10.1.2.3 as alice'],
    ['https://a.example/private/ from 10.1.2.3', 'GET /private/ from 10.1.2.3 without a password over TLS'],
  ])('needs no method: %s', (words, expected) => {
    expect(run(['--explain', words], php).stdout.split('\n')[0]).toBe(expected);
  });

  const lone =
    '<VirtualHost *:443>\nServerName a.example\n<Location /private>\nOrder allow,deny\nDeny from all\n</Location>\n</VirtualHost>\n';

  test.each(['GET /private/ from 10.1.2.3', '/private/?from=10.1.2.3'])(
    'is for the virtual host that alone was given: %s',
    (words) => {
      const { httpd22, httpd24, server } = explainedText(words, { '/lone.conf': lone });
      expect([server, httpd22.answer, httpd24.answer]).toEqual([
        '<VirtualHost *:443> (ServerName a.example) at lone.conf:1',
        'forbidden',
        'forbidden',
      ]);
    },
  );

  test('says that nothing names one of several virtual hosts', () => {
    const two = lone.repeat(2).replaceAll(':443', ':80');
    expect(run(['--explain', 'GET /private/ from 10.1.2.3'], { '/two.conf': two }).stdout).toContain(
      'no name is asked for: the first virtual host for port 80 answers, <VirtualHost *:80> (ServerName a.example) at two.conf:1\n',
    );
  });

  test('is for the main server where that is known, and no virtual host has the usual port', () => {
    const main = `Listen 80\nListen 443\nDocumentRoot /w\n${lone}`;
    const { httpd22, server } = explainedText('GET /private/ from 10.1.2.3', { '/h.conf': main });
    expect([server, httpd22.answer]).toEqual([null, 'admitted']);
  });

  test('that contradicts itself is refused', () => {
    expect(run(['--explain', 'GET http://h/p over TLS'], php).stderr).toContain(
      'a URL with http: is not asked over TLS',
    );
  });
});

describe('where no virtual host is named', () => {
  const host = (name: string, lines: string): string =>
    `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot /srv/${name}\n<Directory /srv/${name}>\n${lines}</Directory>\n</VirtualHost>\n`;
  const top =
    'ServerRoot /etc/httpd\nListen 80\nListen 8080\nDocumentRoot /srv/www\n<Directory />\nAllowOverride None\n</Directory>\n';
  const agreeing = host('a', 'Order deny,allow\nDeny from all\n');
  const differing = host(
    'b',
    '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nAllow from all\n</IfModule>\n',
  );
  test.each([
    ['agree', top + agreeing, 0],
    ['differ', top + agreeing + differing, 1],
  ])('the status says whether the versions %s in all that may answer', (_, text, expected) => {
    const { agree, status, unknown } = explainedText('/x', { '/etc/httpd/conf/httpd.conf': text });
    expect([agree, status]).toEqual([expected === 0, expected]);
    expect(unknown).toEqual(expected === 0 ? [] : [expect.stringContaining('which virtual host answers')]);
  });

  test('the one that is named counts alone', () => {
    const { status } = explainedText('/x?vhost=a', {
      '/etc/httpd/conf/httpd.conf': top + agreeing + differing,
    });
    expect(status).toBe(0);
  });
});

test('a .htaccess is named once, with its line', () => {
  const server =
    'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\n</Directory>\n';
  const files = {
    '/etc/httpd/conf/httpd.conf': server,
    '/srv/www/.htaccess': '#\nOrder deny,allow\nDeny from all\n',
  };
  const { stdout } = run(['--explain', '/x'], files);
  expect(stdout).toMatch(/^ {2}(?:\S*\/)?srv\/www\/\.htaccess:\d\n {4}Order/m);
  expect(stdout).not.toMatch(/^ {2}(\S+) at \1:/m);
});
