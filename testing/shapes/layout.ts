import { type ShapeLines, CLIENTS, text, within } from './bodies';
import { loadLines } from '../run/load-lines';
import type { ShapeTree, TreeRequest } from './tree';

/** What the server of every tree loads in 2.2, in the order in which its modules are asked. */
const MODULES: ShapeLines =
  `authn_file authz_host authz_groupfile authz_user authz_default auth_basic log_config env setenvif version mime
 autoindex dir alias rewrite`
    .trim()
    .split(/[ \n]+/);

/** What a 2.4 beside it has, for trees that are for both. */
export const MODULES_24: ShapeLines =
  `mpm_prefork authn_file authn_core authz_host authz_groupfile authz_user authz_core auth_basic env
 setenvif mime autoindex dir alias rewrite`
    .trim()
    .split(/[ \n]+/);

const HEAD: ShapeLines = [
  'ServerRoot "@B@"',
  'Listen 80',
  'Listen 8080',
  'ServerName localhost',
  'PidFile logs/httpd.pid',
  'ErrorLog logs/error_log',
  'TypesConfig conf/mime.types',
  'Include conf/modules.conf',
];

/** Accounts whose password is their name, and their groups. */
const SHARED_FILES: ShapeTree['files'] = {
  'conf/modules.conf': loadLines(MODULES),
  'conf/mime.types': 'text/plain txt\n',
  'conf/htpasswd': `alice:{SHA}UisnajVr3zkBPfq+os1D4UHsyeg=
bob:{SHA}SBgazSKz7a68ikR4aKfffOYpkgo=
carol:{SHA}KLkrVu5kuS67cthl8XLvAMcI34M=
`,
  'conf/htgroup': 'staff: alice bob\nadmins: carol\n',
};

/** What the parts of a tree are, before it is laid out. */
export interface TreeParts {
  readonly name: string;
  /** Lines of the main server, behind those that all have. */
  readonly server: ShapeLines;
  /** Path below the folder → lines: `.htaccess` and included files. */
  readonly files?: Readonly<Record<string, ShapeLines>>;
  readonly links?: Readonly<Record<string, string>>;
  /** Paths that are asked for. */
  readonly uris: readonly string[];
  /** Host, address and port at which each is asked for. */
  readonly sites?: readonly Site[];
  readonly paths?: readonly string[];
  readonly defines?: readonly string[];
  readonly fill?: ShapeTree['fill'];
  /** Lines of the section for the document root. */
  readonly root?: ShapeLines;
  readonly methods?: readonly string[];
}

export interface Site {
  readonly host?: string;
  readonly dst?: string;
  readonly port?: number;
}

const CONTENTS = ['x.txt', 'a/x.txt', 'a/b/x.txt', 'a/b/y.php', 'c/x.txt'];
export const URIS = CONTENTS.map((path) => `/${path}`);

const USUAL_ROOT: ShapeLines = [
  'Options FollowSymLinks',
  'AllowOverride All',
  'Order allow,deny',
  'Allow from all',
];

/** Makes a tree of its parts, with every request that can matter. */
export function treeOf({
  name,
  server,
  files = {},
  links = {},
  uris,
  sites = [{}],
  paths = ['conf/httpd.conf', 'htdocs'],
  defines,
  fill,
  root = USUAL_ROOT,
  methods = ['GET'],
}: TreeParts): ShapeTree {
  const conf = [
    ...HEAD,
    'DocumentRoot "@B@/htdocs"',
    ...within('Directory /', ['Options FollowSymLinks', 'AllowOverride None']),
    ...(root.length === 0 ? [] : within('Directory "@B@/htdocs"', root)),
    ...server,
  ];
  const contents = [...CONTENTS.map((path) => `htdocs/${path}`), 'data/x.txt', 'data/d/x.txt'];
  const isUsed = (needle: string): boolean => JSON.stringify([conf, files, links]).includes(needle);
  return {
    name,
    files: {
      ...SHARED_FILES,
      'conf/httpd.conf': text(conf),
      ...Object.fromEntries(contents.map((path) => [path, `${path}\n`])),
      ...Object.fromEntries(Object.entries(files).map(([path, lines]) => [path, text(lines)])),
      ...Object.fromEntries(Object.entries(links).map(([path, link]) => [path, { link }])),
    },
    requests: requestsFor(uris, sites, isUsed('Limit ') || isUsed('LimitExcept') ? ['GET', 'POST'] : methods),
    paths,
    ...(defines === undefined ? {} : { defines }),
    fill,
  };
}

function requestsFor(
  uris: readonly string[],
  sites: readonly Site[],
  methods: readonly string[],
): TreeRequest[] {
  return uris.flatMap((path) =>
    sites.flatMap(({ host, dst, port }) =>
      methods.flatMap((method) =>
        CLIENTS.flatMap((src) =>
          [undefined, 'alice', 'carol', 'alice:wrong'].map((user): TreeRequest => ({
            path,
            src,
            ...(method === 'GET' ? {} : { method }),
            ...(dst === undefined ? {} : { dst }),
            ...(port === undefined ? {} : { port }),
            ...(user === undefined ? {} : { user }),
            ...(host === undefined ? {} : { headers: { Host: host } }),
          })),
        ),
      ),
    ),
  );
}
