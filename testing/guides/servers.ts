import { AS_INSTALLED, hostingServer } from '../hosting/generate';
import { type Layout, text } from '../hosting/layout';
import { SIZES } from '../hosting/plan';
import { rhel } from '../hosting/rhel';
import { DEBIAN7_REQUESTS, debian7WithSites } from './debian-move';
import { debian12, type MachineFiles } from './debian-releases';
import type { Machine } from './private-root';
import { rhel9 } from './rhel-releases';
import { requireHttpd } from '../httpd/binary';

/** A request to the server at the end of a guide, and what 2.2 answered: `in` for any answer but 401, 403 and 500. */
export interface GuideRequest {
  readonly host: string;
  readonly path: string;
  /** The client; any address is one of this machine's there. */
  readonly from: string;
  /** A name that is its own password. */
  readonly user?: string;
  readonly tls?: true;
  readonly method?: string;
  readonly answer: 'in' | number;
}

/** A machine that a guide names. */
export type NamedMachine = Machine & { readonly name: string };

/** What a guide is walked on. */
export interface GuideServer {
  /** What is on the machine. */
  readonly files: MachineFiles;
  /** The configuration that httpd is started with at the end; undefined where there is none. */
  readonly main: string | undefined;
  /** Where the server expects httpd's modules, as a link. */
  readonly modules?: string;
  /** It belongs to somebody else, who starts it. */
  readonly isProvided?: boolean;
  /** Where its paths begin with a drive letter: what stands for the drive here. */
  readonly drive?: string;
  /** Where a guide has several machines: these, in place of `files`. The last is asked at the end. */
  readonly machines?: readonly NamedMachine[];
  readonly requests: readonly GuideRequest[];
}

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

const MODULES = 'auth_basic authn_file authz_host authz_user authz_groupfile alias autoindex deflate dir env expires headers mime negotiation rewrite setenvif status'.split(' '); // prettier-ignore

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

const hosting = (layout: Layout): GuideServer => {
  const server = hostingServer(layout, SIZES[0]!, 1);
  const [first] = server.sites;
  const host = first?.name ?? '';
  return {
    files: new Map([
      ...server.files,
      [`${layout.documentRoot(AS_INSTALLED, first!)}/office/index.html`, 'office\n'],
      ...site(`${layout.documentRoot(AS_INSTALLED, first!)}/guide`, layout.passwords(AS_INSTALLED, first!.user)), // prettier-ignore
    ]),
    main: layout.main(AS_INSTALLED),
    requests: REQUESTS.map((request) => ({ ...request, host, path: `/guide${request.path}` })),
  };
};

const freebsd = (): GuideServer => {
  const documents = '/usr/local/www/apache22/data';
  return {
    files: new Map([
      [
        '/usr/local/etc/apache22/httpd.conf',
        stock({
          root: '/usr/local',
          modules: 'libexec/apache22',
          documents,
          types: 'etc/apache22/mime.types',
          include: 'etc/apache22/Includes/*.conf',
          more: ['User www', 'Group www', 'PidFile /var/run/httpd.pid'],
        }).replace('"logs/error.log"', '"/var/log/httpd-error.log"'),
      ],
      ['/usr/local/etc/apache22/mime.types', 'text/html html\n'],
      [
        '/usr/local/etc/apache22/Includes/status.conf',
        text('<Location /server-status>', '    SetHandler server-status', '    Order deny,allow', '    Deny from all', '    Allow from 127.0.0.1', '</Location>'), // prettier-ignore
      ],
      ...site(documents, '/usr/local/etc/apache22/users'),
    ]),
    main: '/usr/local/etc/apache24/httpd.conf',
    modules: '/usr/local/libexec/apache24',
    requests: REQUESTS,
  };
};

const windows = (): GuideServer => {
  const documents = 'C:/xampp/htdocs';
  return {
    files: new Map([
      [
        '/c/xampp/apache/conf/httpd.conf',
        stock({
          root: 'C:/xampp/apache',
          modules: 'modules',
          documents,
          types: 'conf/mime.types',
          include: 'conf/extra/*.conf',
          more: ['Win32DisableAcceptEx', '<IfModule mpm_winnt_module>', '    ThreadsPerChild 150', '</IfModule>'], // prettier-ignore
        }),
      ],
      ['/c/xampp/apache/conf/mime.types', 'text/html html\n'],
      ['/c/xampp/apache/logs/error.log', ''],
      [
        '/c/xampp/apache/conf/extra/httpd-xampp.conf',
        text('<LocationMatch "^/(xampp|phpmyadmin)">', '    Order deny,allow', '    Deny from all', '    Allow from 127.0.0.0/8', '</LocationMatch>'), // prettier-ignore
      ],
      ...site('/c/xampp/htdocs', 'C:/xampp/apache/conf/users'),
    ]),
    main: '/c/xampp/apache/conf/httpd.conf',
    modules: '/c/xampp/apache/modules',
    drive: '/c',
    requests: REQUESTS,
  };
};

/** A site at a provider, whose server nobody else sees: the judging server has it below /home/site/public_html. */
const shared = (): GuideServer => ({
  files: new Map([
    ...site('/home/site/public_html', '/home/site/users'),
    ['/opt/provider.conf', provider('/home/site/public_html')],
  ]),
  main: '/opt/provider.conf',
  isProvided: true,
  requests: REQUESTS,
});

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

const debian7 = (): GuideServer => ({
  files: new Map(),
  main: undefined,
  machines: [
    {
      name: 'old',
      files: debian7WithSites(),
      main: undefined,
      runs22: '/etc/apache2/apache2.conf',
      lacksCommand: true,
    },
    { name: 'yours', files: new Map(), main: undefined },
    { name: 'new', files: debian12(), main: '/etc/apache2/apache2.conf', lacksCommand: true },
  ],
  requests: DEBIAN7_REQUESTS,
});

const rhel6 = (): GuideServer => {
  const { files, requests } = hosting(rhel);
  const links = '/etc/httpd/modules';
  return {
    files: new Map(),
    main: undefined,
    machines: [
      { name: 'old', files, main: undefined, runs22: '/etc/httpd/conf/httpd.conf', lacksCommand: true },
      { name: 'yours', files: new Map(), main: undefined },
      { name: 'new', files: rhel9(requireHttpd().statics), main: '/etc/httpd/conf/httpd.conf', modules: links, lacksCommand: true },
    ],
    requests,
  };
}; // prettier-ignore

/** The server that a guide names in a comment at its top. */
export const GUIDE_SERVERS: Readonly<Record<string, () => GuideServer>> = {
  debian7,
  rhel6,
  freebsd,
  windows,
  shared,
  page,
};
