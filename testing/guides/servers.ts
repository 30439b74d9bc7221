import { AS_INSTALLED, hostingServer } from '../hosting/generate';
import { text } from '../hosting/layout';
import { SIZES } from '../hosting/plan';
import { rhel as layout } from '../hosting/rhel';
import { requireProgram } from '../httpd/install';
import { debian } from './debian-releases';
import { freebsd } from './freebsd-releases';
import { gentoo } from './gentoo-releases';
import type { GuideServer, NamedMachine } from './machine';
import { type MachineFiles, type Platform, withSites } from './platform';
import { type GuideRequest, requestsOf } from './requests';
import { rhel } from './rhel-releases';
import { suse } from './suse-releases';

const OFFICE = '10.1.0.5';
const ELSEWHERE = '198.51.100.7';

/** A page, a directory for the office, and one with a password. */
const REQUESTS: readonly GuideRequest[] = [
  { host: 'www.example.org', path: '/index.html', from: ELSEWHERE, answer: 'in' },
  { host: 'www.example.org', path: '/office/', from: OFFICE, answer: 'in' },
  { host: 'www.example.org', path: '/office/', from: ELSEWHERE, answer: 403 },
  { host: 'www.example.org', path: '/members/a.html', from: OFFICE, answer: 401 },
  { host: 'www.example.org', path: '/uploads/a.php', from: OFFICE, answer: 403 },
  { host: 'www.example.org', path: '/.htaccess', from: OFFICE, answer: 403 },
];

/** The files that REQUESTS ask for. */
function site(root: string, users: string): readonly (readonly [string, string])[] {
  return [
    [`${root}/index.html`, 'start\n'],
    [`${root}/office/index.html`, 'office\n'],
    [`${root}/office/.htaccess`, text('# The office alone', 'Order deny,allow', 'Deny from all', 'Allow from 10.1.0.0/16')], // prettier-ignore
    [`${root}/members/a.html`, 'members\n'],
    [`${root}/members/.htaccess`, text('AuthType Basic', 'AuthName "Members"', `AuthUserFile "${users}"`, 'Require valid-user')], // prettier-ignore
    [`${root}/uploads/a.php`, 'text\n'],
    [`${root}/uploads/.htaccess`, text('<FilesMatch "\\.(php|cgi)$">', 'Order allow,deny', 'Deny from all', '</FilesMatch>')], // prettier-ignore
  ];
}

const MODULES =
  'auth_basic authn_file authz_host authz_user authz_groupfile alias autoindex deflate dir env expires headers mime negotiation rewrite setenvif status'.split(
    ' ',
  );

/** The server configuration of a site, as the stock one of 2.2 lays it out. */
function stock(paths: {
  readonly root: string;
  readonly modules: string;
  readonly documents: string;
  readonly types: string;
  readonly include: string;
  readonly more: readonly string[];
}): string {
  const { root, modules, documents, types, include, more } = paths;
  return text(
    `ServerRoot "${root}"`,
    'Listen 80',
    ...MODULES.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    ...more,
    'ServerAdmin webmaster@example.org',
    'ServerName www.example.org:80',
    `DocumentRoot "${documents}"`,
    '<Directory />',
    '    AllowOverride None',
    '    Order deny,allow',
    '    Deny from all',
    '</Directory>',
    `<Directory "${documents}">`,
    '    Options Indexes FollowSymLinks',
    '    AllowOverride All',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
    'DirectoryIndex index.html',
    '<FilesMatch "^\\.ht">',
    '    Order allow,deny',
    '    Deny from all',
    '    Satisfy All',
    '</FilesMatch>',
    'ErrorLog "logs/error.log"',
    'LogLevel warn',
    'DefaultType text/plain',
    `TypesConfig ${types}`,
    `Include ${include}`,
  );
}

/** Where a stack has what on drive C:, which is /c. */
const XAMPP = '/c/xampp/apache/conf';

const windows = (): GuideServer => {
  const documents = 'C:/xampp/htdocs';
  const old: MachineFiles = new Map([
    [
      `${XAMPP}/httpd.conf`,
      stock({
        root: 'C:/xampp/apache',
        modules: 'modules',
        documents,
        types: 'conf/mime.types',
        include: 'conf/extra/*.conf',
        more: ['Win32DisableAcceptEx', '<IfModule mpm_winnt_module>', '    ThreadsPerChild 150', '</IfModule>'], // prettier-ignore
      }),
    ],
    [`${XAMPP}/mime.types`, 'text/html html\n'],
    [
      `${XAMPP}/extra/httpd-xampp.conf`,
      text('LoadFile "C:/xampp/php/php5ts.dll"', 'LoadModule php5_module modules/php5apache2_2.dll', 'AddType application/x-httpd-php .php', '<LocationMatch "^/(xampp|phpmyadmin)">', '    Order deny,allow', '    Deny from all', '    Allow from 127.0.0.0/8', '</LocationMatch>'), // prettier-ignore
    ],
    [
      `${XAMPP}/extra/httpd-vhosts.conf`,
      text('<Directory "c:/xampp/htdocs/forbidden">', '    Order allow,deny', '    Deny from all', '</Directory>'), // prettier-ignore
    ],
    ...site('/c/xampp/htdocs', 'C:/xampp/apache/users'),
    ['/c/xampp/htdocs/forbidden/index.html', 'forbidden\n'],
    ['/c/xampp/apache/users', 'alice:{SHA}UisnajVr3zkBPfq+os1D4UHsyeg=\n'],
  ]);
  const fresh: MachineFiles = new Map([
    [`${XAMPP}/httpd.conf`, text('# of the new stack')],
    [`${XAMPP}/mime.types`, 'text/html html\n'],
    [
      `${XAMPP}/extra/httpd-xampp.conf`,
      text('<LocationMatch "^/(xampp|phpmyadmin)">', '    Require local', '</LocationMatch>'),
    ],
    [`${XAMPP}/extra/httpd-vhosts.conf`, text('# Nothing')],
    ['/c/xampp/apache/logs/error.log', ''],
    ['/c/xampp/htdocs/index.html', 'of the new stack\n'],
  ]);
  return {
    files: new Map(),
    main: undefined,
    machines: [
      { name: 'old', files: old, main: undefined, lacksCommand: true },
      { name: 'yours', files: new Map(), main: undefined },
      {
        name: 'new',
        files: fresh,
        main: `${XAMPP}/httpd.conf`,
        modules: '/c/xampp/apache/modules',
        drive: '/c',
        lacksCommand: true,
      },
    ],
    requests: [
      ...REQUESTS,
      { host: 'www.example.org', path: '/members/a.html', from: ELSEWHERE, user: 'alice', answer: 200 },
      { host: 'www.example.org', path: '/forbidden/', from: OFFICE, answer: 403 },
      { host: 'www.example.org', path: '/phpmyadmin/', from: OFFICE, answer: 403 },
    ],
  };
};

/** A site below /home/site/public_html, on a server of 2.4 that somebody else has. */
function siteOfCustomer(): Pick<GuideServer, 'files' | 'main'> {
  const pages = '/home/site/public_html';
  return {
    files: new Map([...site(pages, '/home/site/users'), ['/opt/provider.conf', provider(pages)]]),
    main: '/opt/provider.conf',
  };
}

const project = (): GuideServer => ({ ...siteOfCustomer(), isProvided: true, requests: REQUESTS });

/** A provider, who is asked at the end, a customer, and an old server with customers. */
const shared = (): GuideServer => {
  return {
    files: new Map(),
    main: undefined,
    isProvided: true,
    machines: [
      {
        name: 'old',
        files: hostingServer(layout, SIZES[0]!, 1).files,
        main: undefined,
        runs22: layout.main(AS_INSTALLED),
        lacksCommand: true,
      },
      { name: 'yours', files: new Map(), main: undefined },
      { name: 'provider', ...siteOfCustomer(), lacksCommand: true },
    ],
    requests: REQUESTS,
  };
};

const provider = (root: string): string =>
  text(
    'Include /opt/stock.conf',
    'Listen 80',
    'User www-data',
    'Group www-data',
    `DocumentRoot ${root}`,
    `<Directory ${root}>`,
    '    AllowOverride All',
    '    Require all granted',
    '</Directory>',
    '<Files ".ht*">',
    '    Require all denied',
    '</Files>',
  );

/**
 * A controller with Ansible, and two hosts that stand for forty: each with another configuration, the last without the command.
 */
const ansible = (): GuideServer => {
  requireProgram('ansible-playbook', 'ansible-core', 'to walk the guide about it');
  const hosts = [1, 2].map((seed): NamedMachine => {
    const { files, places } = hostingServer(layout, SIZES[0]!, seed);
    const added: MachineFiles = new Map([
      ...files,
      ['/etc/httpd/logs/error_log', ''],
      ['/etc/httpd/run/.keep', ''],
      ...[0, 1, 2].map(
        (i) => [`/var/www/vhosts/site${i}.example/httpdocs/webstat-data/index.html`, ''] as const,
      ),
    ]);
    return {
      name: `web0${seed}`,
      files: added,
      main: layout.main(places),
      modules: '/etc/httpd/modules',
      ...(seed === 2 && { lacksCommand: true }),
    };
  });
  const ask = (host: string, path: string, from: string, answer: GuideRequest['answer']): GuideRequest => ({
    host,
    path,
    from,
    answer,
  });
  return {
    files: new Map(),
    main: undefined,
    isProvided: true,
    machines: [{ name: 'yours', files: new Map(), main: undefined }, ...hosts],
    requests: [
      ask('site0.example', '/index.html', ELSEWHERE, 'in'),
      ask('site0.example', '/server-status', ELSEWHERE, 403),
    ],
  };
};

/** A repository of templates, and a server that serves what they are filled in to. */
const templates = (): GuideServer => {
  const pages = '/srv/www.example.org';
  return {
    files: new Map([
      ...site(pages, '/srv/users').filter(([path]) => !path.endsWith('.htaccess')),
      [
        '/opt/provider.conf',
        text(
          'Include /opt/stock.conf',
          'Listen 80',
          'User www-data',
          'Group www-data',
          'Include /opt/filled/*.conf',
        ),
      ],
      [
        '/root/site/templates/vhost.conf.erb',
        text(
          '<VirtualHost *:80>',
          '    ServerName <%= @name %>',
          '    DocumentRoot <%= @docroot %>',
          '    <Directory <%= @docroot %>>',
          '        AllowOverride None',
          '        Order allow,deny',
          '        Allow from all',
          '    </Directory>',
          '<% if @uploads -%>',
          '    <Directory <%= @docroot %>/uploads>',
          '        Order allow,deny',
          '        Deny from all',
          '    </Directory>',
          '<% end -%>',
          '    <Files ".ht*">',
          '        Order allow,deny',
          '        Deny from all',
          '    </Files>',
          '</VirtualHost>',
        ),
      ],
      [
        '/root/site/templates/office.conf.j2',
        text(
          '<Directory {{ docroot }}/office>',
          '    Order deny,allow',
          '    Deny from all',
          '    Allow from {{ office }}',
          '</Directory>',
        ),
      ],
      [
        '/root/site/templates/members.conf.epp',
        text(
          '<Directory <%= $docroot %>/members>',
          '    AuthType Basic',
          '    AuthName "Members"',
          '    AuthUserFile <%= $users %>',
          '    Require valid-user',
          '    Order allow,deny',
          '    Allow from all',
          '</Directory>',
        ),
      ],
      ['/srv/users', 'alice:{SHA}UisnajVr3zkBPfq+os1D4UHsyeg=\n'],
    ]),
    main: '/opt/provider.conf',
    isProvided: true,
    requests: REQUESTS,
  };
};

/** The examples of httpd's upgrade page, which its own commands write. */
const page = (): GuideServer => {
  const ask = (path: string, answer: GuideRequest['answer']): GuideRequest => ({
    host: 'www.example.org',
    path,
    from: '127.0.0.1',
    answer,
  });
  return {
    files: new Map([['/opt/provider.conf', provider('/srv/page')]]),
    main: '/opt/provider.conf',
    isProvided: true,
    requests: [ask('/both/', 403), ask('/either/', 401), ask('/as-the-page-says/', 'in')],
  };
};

/** The three machines of a move. */
function moved(platform: Platform): GuideServer {
  const { main22, main24, modules, control } = platform;
  return {
    files: new Map(),
    main: undefined,
    machines: [
      { name: 'old', files: withSites(platform), main: undefined, runs22: main22, lacksCommand: true },
      { name: 'yours', files: new Map(), main: undefined },
      {
        name: 'new',
        files: platform.new,
        main: main24,
        lacksCommand: true,
        ...(modules !== undefined && { modules }),
        ...(control !== undefined && { control }),
      },
    ],
    requests: requestsOf(platform.requests),
  };
}

/** The server that a guide names in a comment at its top. */
export const GUIDE_SERVERS: Readonly<Record<string, () => GuideServer>> = {
  debian: () => moved(debian()),
  rhel: () => moved(rhel()),
  freebsd: () => moved(freebsd()),
  suse: () => moved(suse()),
  gentoo: () => moved(gentoo()),
  windows,
  shared,
  project,
  templates,
  ansible,
  page,
};
