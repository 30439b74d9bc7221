import { converted } from '../../testing/access/converted';
import { mistakesIn } from '../../testing/access/mistakes';
import { shareOf } from '../../testing/run/size';

test('asks of a .htaccess the host that serves it, however many others there are', () => {
  const hosts = Array.from(
    { length: 8 },
    (_, i) => `<VirtualHost *:80>
    ServerName h${i}.example
    DocumentRoot /srv/h${i}
    <Directory /srv/h${i}>
        AllowOverride All
        Order allow,deny
        Allow from all
    </Directory>
</VirtualHost>`,
  );
  const main = [
    'ServerRoot /etc/httpd',
    'Listen 80',
    'NameVirtualHost *:80',
    '<Directory />',
    '    AllowOverride None',
    '    Order deny,allow',
    '    Deny from all',
    '</Directory>',
  ];
  const staff =
    'AuthType Basic\nAuthName staff\nAuthUserFile conf/users\nRequire valid-user\n<Files x.php>\n    Deny from all\n</Files>\n';
  const files = Object.fromEntries([
    ['/etc/httpd/conf/httpd.conf', `${[...main, ...hosts].join('\n')}\n`],
    ...[0, 5, 6, 7].map((i) => [`/srv/h${i}/staff/.htaccess`, staff]),
  ]) as Record<string, string>;
  const { texts, check } = converted(files);
  expect([...texts.keys()]).toEqual(Object.keys(files));
  const path = '/srv/h7/staff/.htaccess';
  expect(check(path, texts.get(path)!)).toBeUndefined();
  expect(check(path, texts.get(path)!.replace('Require all denied', 'Require all granted'))).toContain(
    'x.php',
  );
});

test('what closes in a directory whose .htaccess cannot be written counts, unless the run shuts it', () => {
  const conf = '/etc/httpd/conf/httpd.conf';
  const files = {
    [conf]:
      'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv\n<Directory /srv>\n    AllowOverride All\n    Order allow,deny\n    Allow from all\n</Directory>\n<Directory /srv/a>\n    Order allow,deny\n    Allow from all\n</Directory>\n',
    '/srv/a/.htaccess': 'AuthType Basic\nAuthName a\nAuthUserFile /u\n',
  };
  const { texts, check } = converted(files, new Map([['/srv/a/.htaccess', 'EPERM']]));
  const text = texts.get(conf)!;
  expect(check(conf, text)).toBeUndefined();
  expect(check(conf, text.replace(/(<Directory \/srv\/a>\n *Require all )granted/, '$1denied'))).toContain(
    '/srv/a',
  );
});

/** A server of many virtual hosts, each of which names addresses, people and places of its own. */
const HOSTS = 300;
const wide = Array.from({ length: HOSTS }, (_, i) =>
  `
<VirtualHost *:80>
  ServerName h${i}.example
  DocumentRoot /srv/h${i}
  <Directory /srv/h${i}>
    Order allow,deny
    Allow from all
    Deny from 10.${i >> 8}.${i & 255}.0/24
  </Directory>
  <Directory /srv/h${i}/inner>
    AuthType Basic
    AuthName inner
    AuthUserFile conf/users
    Require user u${i} v${i}
    Order deny,allow
    Deny from all
    Allow from 172.16.${i & 255}.1 192.168.${i & 255}.1
    Satisfy Any
  </Directory>
  <Files *.inc>
    Order allow,deny
    Deny from all
  </Files>
</VirtualHost>`.trimStart(),
).join('\n');
const server = `ServerRoot /etc/httpd\nListen 80\n${wide}\n`;

test('one wrong word is found in any section of a large server', () => {
  const path = '/etc/httpd/httpd.conf';
  const { texts, check } = converted({ [path]: server });
  const text = texts.get(path)!;
  expect(text).not.toMatch(/^\s*(?:Order|Allow|Deny|Satisfy) /m);
  expect(check(path, text)).toBeUndefined();
  // Any host but the first and the last.
  for (const i of [177]) {
    const from = text.indexOf(`<VirtualHost *:80>\n  ServerName h${i}.example`);
    const to = text.indexOf('</VirtualHost>', from);
    const mistakes = mistakesIn(text.slice(from, to));
    expect(mistakes.length).toBeGreaterThan(10);
    const missed = shareOf(mistakes, 3)
      .map((mistake) => mistake.text)
      .filter((replacement) => check(path, text.slice(0, from) + replacement + text.slice(to)) === undefined);
    expect(missed).toEqual([]);
  }
});

test('a mistake that shows in one of many sections alone, where an address lies in another, is found', () => {
  const path = '/etc/httpd/httpd.conf';
  const sections = Array.from({ length: 200 }, (_, i) => {
    const barred = i === 61 ? '10.61.2.0/24' : `172.16.${i}.0/24`;
    return `<Directory /srv/h${i}>\nOrder allow,deny\nAllow from 10.${i}.0.0/16\nDeny from ${barred}\n</Directory>\n`;
  });
  const { texts, check } = converted({ [path]: `ServerRoot /etc/httpd\nListen 80\n${sections.join('')}` });
  const text = texts.get(path)!;
  expect(check(path, text)).toBeUndefined();
  expect(check(path, text.replace(/^.*Require not ip.*\n/gm, ''))).toContain('/srv/h61/');
});

test('where the sample of many sections shows a mistake, all others are asked about, however unlike they are', () => {
  const path = '/etc/httpd/httpd.conf';
  const sections = Array.from(
    { length: 400 },
    (_, i) => `<Directory /srv/h${i}>\nOrder deny,allow\nDeny from all\nAllow from env=v${i}\n</Directory>\n`,
  );
  const { texts, takenBack } = converted({
    [path]: `ServerRoot /etc/httpd\nListen 80\n${sections.join('')}`,
  });
  const text = texts.get(path)!;
  expect(takenBack(path, text)).toEqual([]);
  expect(takenBack(path, text.replace(/Require env v/g, 'Require env w'))).toHaveLength(400);
});

test('a mistake in what one of many sections is for is found', () => {
  const path = '/etc/httpd/httpd.conf';
  const sections = Array.from(
    { length: 100 },
    (_, i) => `<DirectoryMatch "^/srv/h${i}(/|$)">\nOrder allow,deny\nDeny from all\n</DirectoryMatch>\n`,
  );
  const { texts, check } = converted({ [path]: `ServerRoot /etc/httpd\nListen 80\n${sections.join('')}` });
  const text = texts.get(path)!;
  expect(text).toContain('<DirectoryMatch "^/srv/h61/">');
  expect(check(path, text)).toBeUndefined();
  expect(check(path, text.replace('^/srv/h61/', '^/srv/h61/x/'))).toContain('/srv/h61/');
});

test('a conditional that one of many sections has lost is found', () => {
  const path = '/etc/httpd/httpd.conf';
  const sections = Array.from({ length: 100 }, (_, i) => {
    const section = `<Directory /srv/h${i}>\nOrder allow,deny\nAllow from all\n</Directory>\n`;
    return i === 61 ? `<IfDefine Open>\n${section}</IfDefine>\n` : section;
  });
  const { texts, check } = converted({
    [path]: `ServerRoot /etc/httpd\nListen 80\n<Directory />\nOrder allow,deny\nDeny from all\n</Directory>\n${sections.join('')}`,
  });
  const text = texts.get(path)!;
  expect(check(path, text)).toBeUndefined();
  expect(check(path, text.replace(/<\/?IfDefine.*\n/g, ''))).toContain('/srv/h61/');
});

test('a mistake in all virtual hosts that shows for the other sections of one alone is found', () => {
  const path = '/etc/httpd/httpd.conf';
  const hosts = Array.from({ length: 100 }, (_, i) => {
    const section = (place: string, line: string): string =>
      `<Directory /srv/h${i}${place}>\nOrder allow,deny\n${line} from all\n</Directory>\n`;
    const sections = `${i % 2 === 0 || i === 61 ? section('', 'Deny') : ''}${i % 2 === 0 ? '' : section('/inner', 'Allow')}`;
    return `<VirtualHost *:80>\nServerName h${i}.example\nDocumentRoot /srv/h${i}\n${sections}</VirtualHost>\n`;
  });
  const { texts, check } = converted({ [path]: `ServerRoot /etc/httpd\nListen 80\n${hosts.join('')}` });
  const text = texts.get(path)!;
  expect(check(path, text)).toBeUndefined();
  expect(check(path, text.replace(/^Require all granted\n/gm, ''))).toContain('/srv/h61/inner/');
});

test('the place of another section in one of many is found', () => {
  const path = '/etc/httpd/httpd.conf';
  const sections = Array.from(
    { length: 100 },
    (_, i) => `<Directory /srv/h${i}>\nOrder allow,deny\nAllow from all\n</Directory>\n`,
  );
  const { texts, check } = converted({ [path]: `ServerRoot /etc/httpd\nListen 80\n${sections.join('')}` });
  let count = 0;
  const right = texts
    .get(path)!
    .replace(/all granted/g, () => `expr %{REQUEST_FILENAME} =~ m#^/srv/h${count++}/#`);
  expect(check(path, right)).toBeUndefined();
  expect(check(path, right.replace('m#^/srv/h61/#', 'm#^/srv/h62/#'))).toContain('/srv/h61/');
});

test.each([
  ['10.1.0.0/16', '10.1.0.0/17'],
  ['10.1.0.0/16', '10.1.0.0/15'],
  ['10.1.0.0/16', '10.1.0.0'],
  ['10.1', '10.1.0'],
  ['10.2', '10.2.0.0/15'],
  ['10.1.2.0/255.255.255.0', '10.1.2.0/25'],
  ['10.1.2.3', '10.1.2.2/31'],
  ['2001:db8::/32', '2001:db8::/33'],
  ['2001:db8::/32', '2001:db8::/31'],
])('that %s has become %s is found', (range, wrong) => {
  const path = '/etc/httpd/httpd.conf';
  for (const body of [
    `Order deny,allow\nDeny from all\nAllow from ${range}`,
    `Order allow,deny\nAllow from all\nDeny from ${range}`,
  ]) {
    const { texts, check } = converted({ [path]: `Listen 80\n<Directory /srv/a>\n${body}\n</Directory>\n` });
    const text = texts.get(path)!;
    expect(text).toContain(`ip ${range}`);
    expect(check(path, text)).toBeUndefined();
    expect(check(path, text.replace(`ip ${range}`, `ip ${wrong}`))).toContain('/srv/a/');
  }
});

test('where one range lies in another, each part is asked', () => {
  const path = '/etc/httpd/httpd.conf';
  const body = 'Order deny,allow\nDeny from 10.0.0.0/8\nAllow from 10.0.0.0/16';
  const { texts, check } = converted({ [path]: `Listen 80\n<Directory /srv/a>\n${body}\n</Directory>\n` });
  const text = texts.get(path)!;
  expect(check(path, text)).toBeUndefined();
  const wrong = '<RequireAny>\nRequire ip 10.0.0.0/16\nRequire ip 10.0.0.0/8\n</RequireAny>\n';
  expect(check(path, text.replace(/(?<=<Directory \/srv\/a>\n)[^]*(?=<\/Directory>)/, wrong))).toContain(
    '/srv/a/',
  );
});

const AUTH = 'AuthType Basic\nAuthName a\nAuthUserFile u';
const ALL = 'Order allow,deny\nAllow from all';

/** Two directories, of which the rewrite of the first is right, and that of the second, the same but for names, is not. */
const SAME_DECISION: readonly {
  readonly name: string;
  readonly before: string[];
  readonly after: string[];
}[] = [
  {
    name: 'one address lies in the other',
    before: [
      'Order allow,deny\nAllow from 10.1.0.0/16\nDeny from 10.2.0.0/16',
      'Order allow,deny\nAllow from 10.1.0.0/16\nDeny from 10.1.2.0/24',
    ],
    after: ['Require ip 10.1.0.0/16', 'Require ip 10.1.0.0/16'],
  },
  {
    name: 'the place decides',
    before: [ALL, ALL],
    after: [
      'Require expr %{REQUEST_FILENAME} =~ m#^/srv/a/#',
      'Require expr %{REQUEST_FILENAME} =~ m#^/srv/a/#',
    ],
  },
  {
    name: 'a user stands in quotes',
    before: [`${AUTH}\nRequire user ann\n${ALL}`, `${AUTH}\nRequire user bob\n${ALL}`],
    after: [`${AUTH}\nRequire user "ann"`, `${AUTH}\nRequire user "ann"`],
  },
  {
    name: 'one user of two is another',
    before: [`${AUTH}\nRequire user ann bob\n${ALL}`, `${AUTH}\nRequire user eve ann\n${ALL}`],
    after: [`${AUTH}\nRequire user bob ann`, `${AUTH}\nRequire user bob ann`],
  },
];

test.each(SAME_DECISION)('a question is not taken for another: $name', ({ before, after }) => {
  const path = '/etc/httpd/httpd.conf';
  const inBothHosts = (bodies: readonly string[]): string =>
    bodies.map((body, i) => `<Directory /srv/${'ab'[i]}>\n${body}\n</Directory>\n`).join('');
  const { check } = converted({ [path]: inBothHosts(before) });
  expect(check(path, inBothHosts(after))).toMatch(/\/srv\/b\//);
});

test('the main server is not asked where no request reaches it', () => {
  const { texts } = converted({
    '/srv/conf/httpd.conf': `Listen 80
DocumentRoot /srv/main
<VirtualHost *:80>
DocumentRoot /srv/pages
</VirtualHost>
<Location /status>
Allow from 127.0.0.1
</Location>
`,
    '/srv/pages/.htaccess': 'AuthType Basic\nAuthName x\nAuthUserFile /x\nRequire valid-user\n',
  });
  expect(texts.get('/srv/conf/httpd.conf')).toMatch(/<Location \/status>\nRequire valid-user\n/);
});

test('a file that several URLs lead to is asked about by each of them, where a Location is for one', () => {
  const path = '/etc/httpd/httpd.conf';
  const { texts, check } = converted({
    [path]: `Listen 80
DocumentRoot /w
Alias /private/docs /w/docs
<Directory /w/docs>
Order deny,allow
Deny from all
Allow from 10.1
</Directory>
<Location /private>
Order deny,allow
Deny from all
</Location>
`,
  });
  const right = texts.get(path)!;
  expect(check(path, right)).toBeUndefined();
  expect(check(path, right.replace('Require ip 10.1', 'Require ip 10.1 10.2'))).toContain('GET /docs/');
});

/** Sections that meet where the sample of neither lies: a directory's name takes the place of the other's pattern. */
const PATTERNS_THAT_MEET: readonly { readonly what: string; readonly sections: readonly [string, string] }[] =
  [
    { what: 'a Location, and a Directory with a wildcard', sections: ['Location /a', 'Directory /w/*/b'] },
    {
      what: 'a Location, and a Directory for a regex',
      sections: ['Location /a', 'DirectoryMatch ^/w/[^/]+/b'],
    },
    {
      what: 'a Location for a regex, and a Directory',
      sections: ['LocationMatch /inner/', 'Directory /w/a'],
    },
    {
      what: 'two Directories, one of them with a wildcard',
      sections: ['Directory /w/a', 'Directory /w/*/b'],
    },
    { what: 'two Directories, one of them for a regex', sections: ['Directory /w/a', 'DirectoryMatch /b/'] },
  ];

test.each(PATTERNS_THAT_MEET)('sections that meet are asked about together: $what', ({ sections }) => {
  const path = '/etc/httpd/httpd.conf';
  const isFirstLast = sections[0].startsWith('Location');
  const section = (opening: string, lines: string): string =>
    `<${opening}>\n${lines}\n</${opening.replace(/ .*/, '')}>\n`;
  // The one that comes last, and the one that shows only if the last one keeps what it says.
  const [last, first] = isFirstLast ? sections : [sections[1], sections[0]];
  const text = `Listen 80\nDocumentRoot /w\n${section(first, 'Order deny,allow\nDeny from all\nAllow from 10.1')}${section(last, 'AuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user')}`;
  const { texts, check } = converted({ [path]: text });
  const right = texts.get(path)!;
  expect(check(path, right)).toBeUndefined();
  const wrong = `${right}${section(last, 'AuthMerging Off\nRequire valid-user')}`;
  expect(check(path, wrong)).toContain('2.2 refuses, the rewrite asks for a password');
});

test('a Location is asked about where a Directory with wildcards lies below it', () => {
  const path = '/etc/httpd/httpd.conf';
  const location = '<Location /a>\nOrder deny,allow\nDeny from all\nAllow from 10.1\n</Location>\n';
  const { texts, check } = converted({
    [path]: `Listen 80
DocumentRoot /w
<Directory /w/*/b>
AuthType Basic
AuthName area
AuthUserFile /etc/httpd/users
Require user alice
</Directory>
${location}`,
  });
  const right = texts.get(path)!;
  expect(check(path, right)).toBeUndefined();
  const plain = right.replace(/<Location[^]*<\/Location>/, '<Location /a>\nRequire ip 10.1\n</Location>');
  expect(check(path, plain)).toContain('GET /a/b');
});

/** What an author wrote for each version. */
function halves(for22: string, for24: string): string {
  return `<IfModule mod_authz_core.c>\n${for24}\n</IfModule>\n<IfModule !mod_authz_core.c>\n${for22}\n</IfModule>\n`;
}

test('a wrong rewrite of a line that its author wrote for 2.4 is found', () => {
  const path = '/etc/httpd/httpd.conf';
  const { texts, check } = converted({
    [path]: `Listen 80
DocumentRoot /w
<Directory /w>
${AUTH}
Require valid-user
</Directory>
<Directory /w/a>
${halves(ALL, 'Require all granted')}</Directory>
`,
  });
  const right = texts.get(path)!;
  expect(right).toContain(`<Directory /w/a>\n${halves(ALL, 'Require valid-user')}`);
  expect(check(path, right)).toBeUndefined();
  expect(
    check(path, right.replace(halves(ALL, 'Require valid-user'), halves(ALL, 'Require all granted'))),
  ).toContain('/w/a/');
});

test.each([
  ['/a*/b', 'GET /aw/b '],
  ['/a?', 'GET /aw '],
])('a Location for %s is asked about where it is met', (glob, request) => {
  const path = '/etc/httpd/httpd.conf';
  const location = `<Location ${glob}>\nOrder allow,deny\nDeny from all\n</Location>\n`;
  const around = '<Directory /w>\nOrder allow,deny\nAllow from all\n</Directory>\n';
  const { texts, check } = converted({ [path]: `Listen 80\nDocumentRoot /w\n${around}${location}` });
  const right = texts.get(path)!;
  expect(check(path, right)).toBeUndefined();
  expect(check(path, right.replace('all denied', 'all granted'))).toContain(request);
});
