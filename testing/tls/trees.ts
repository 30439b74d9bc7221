import fc from 'fast-check';
import { loadLines } from '../run/load-lines';

/** What a section says. What is left out it inherits. */
interface TlsLines {
  /** Addresses that the host lists let in. */
  readonly from?: 'all' | 'none' | '127.0.0.2';
  readonly require?: 'valid-user' | 'user alice';
  readonly satisfy?: 'any' | 'all';
  readonly requireSsl?: true;
  /** An SSLRequire: its place in {@link TESTS}. */
  readonly asks?: number;
  readonly strict?: boolean;
}

interface TlsSection extends TlsLines {
  /** The server whose section it is; `file` for a `.htaccess`. */
  readonly server: TlsServer | 'main' | 'file';
  readonly place: (typeof PLACES)[number];
  /** What the lines about TLS stand in: nothing, an `<IfModule>` for mod_ssl, a block for 2.2; with `halves` all lines do. */
  readonly block: 'none' | 'ssl' | 'for22' | 'halves';
  /** Where a block for 2.2 has all lines, what 2.4 reads in its place. */
  readonly for24: (typeof FOR_24)[number];
}

export type TlsServer = 'plain' | 'tls' | 'rest';

/** A server on three ports: one host without TLS, one over TLS, and the main server. */
export interface TlsTree {
  readonly sections: readonly TlsSection[];
  readonly sslFirst: boolean;
  readonly strict: Readonly<Record<'main' | 'plain' | 'tls', boolean | undefined>>;
  /** An `<IfModule>` for mod_ssl holds the host over TLS. */
  readonly guarded: boolean;
}

export interface TlsRequest {
  readonly server: TlsServer;
  readonly path: (typeof PATHS)[number];
  readonly src: '127.0.0.2' | '127.0.0.3';
  readonly user: 'alice' | 'bob' | undefined;
  /** A certificate is shown, whose name is alice. */
  readonly cert: boolean;
}

/** In merge order. */
const PLACES = [
  'Directory "/DOCROOT/p"',
  'Directory "/DOCROOT/p/s"',
  'Files x.txt',
  'Location /p',
  'Location /p/s',
] as const;
const PATHS = ['/x.txt', '/p/x.txt', '/p/y.txt', '/p/s/x.txt', '/p/s/y.txt'] as const;
export const PORTS: Readonly<Record<TlsServer, number>> = { plain: 8001, tls: 8002, rest: 8003 };

const FOR_24 = [
  'Require ssl',
  'Require all granted',
  '<RequireAll>\nRequire ssl\nRequire ip 127.0.0.2\n</RequireAll>',
  'Require ip 127.0.0.2',
] as const;

const TESTS: readonly (readonly [string, (request: TlsRequest) => boolean])[] = [
  ['%{REMOTE_ADDR} =~ m/^127\\.0\\.0\\.2$/', ({ src }) => src === '127.0.0.2'],
  ['%{SSL_CLIENT_VERIFY} eq "SUCCESS"', ({ cert }) => cert],
  [
    '%{SSL_CLIENT_S_DN_CN} in {"carol", "alice"} or %{REMOTE_ADDR} ne "127.0.0.3"',
    ({ cert, src }) => cert || src !== '127.0.0.3',
  ],
  ['%{SSL_CIPHER_USEKEYSIZE} >= 56 and not %{SSL_CLIENT_S_DN_O} eq "Org"', ({ cert }) => !cert],
  // No Require says this.
  ['%{HTTP_USER_AGENT} !~ m/evil/', () => true],
];

/** A value in so many of ten. */
const maybe = <T>(value: fc.Arbitrary<T>, often: number): fc.Arbitrary<T | undefined> =>
  fc.tuple(value, fc.nat(9)).map(([found, n]) => (n < often ? found : undefined));

const sectionIn = (blocks: readonly TlsSection['block'][]): fc.Arbitrary<TlsSection> =>
  fc.record(
    {
      server: fc.constantFrom('main', 'main', 'plain', 'tls', 'file'),
      place: fc.constantFrom(...PLACES),
      block: fc.constantFrom(...blocks),
      for24: fc.constantFrom(...FOR_24),
      from: maybe(fc.constantFrom('all', 'none', '127.0.0.2'), 6),
      require: maybe(fc.constantFrom('valid-user', 'user alice'), 6),
      satisfy: maybe(fc.constantFrom('any', 'any', 'all'), 6),
      requireSsl: maybe(fc.constant(true), 3),
      asks: maybe(fc.nat(TESTS.length - 1), 4),
      strict: maybe(fc.boolean(), 1),
    },
    { requiredKeys: ['server', 'place', 'block', 'for24'] },
  ) as fc.Arbitrary<TlsSection>;

const treeOf = (blocks: readonly TlsSection['block'][]): fc.Arbitrary<TlsTree> =>
  fc.record({
    sections: fc
      .array(sectionIn(blocks), { minLength: 2, maxLength: 5 })
      .map((all) => all.map((each) => (each.server === 'file' ? { ...each, place: PLACES[0] } : each)))
      // Require lines of one file count together.
      .map((all) =>
        all.filter(
          (each, i) => each.server !== 'file' || all.findIndex(({ server }) => server === 'file') === i,
        ),
      ),
    sslFirst: fc.boolean(),
    strict: fc.record({
      main: maybe(fc.boolean(), 1),
      plain: maybe(fc.boolean(), 1),
      tls: maybe(fc.boolean(), 1),
    }),
    guarded: fc.boolean(),
  });

/** Servers whose lines are for both versions. */
export const tlsTree = treeOf(['none', 'none', 'none', 'none', 'none', 'none', 'none', 'ssl']);

/** Servers with blocks for 2.2, some with others for 2.4 beside them. */
export const tlsTreeWithBlocks = treeOf(['none', 'none', 'for22', 'halves']);

/** All requests that answers may differ for. */
export const REQUESTS: readonly TlsRequest[] = (['plain', 'tls', 'rest'] as const).flatMap((server) =>
  PATHS.flatMap((path) =>
    (['127.0.0.2', '127.0.0.3'] as const).flatMap((src) =>
      (['alice', 'bob', undefined] as const).flatMap((user) =>
        (server === 'tls' ? [true, false] : [false]).map((cert) => ({ server, path, src, user, cert })),
      ),
    ),
  ),
);

const AUTH = 'AuthType Basic\nAuthName a\nAuthUserFile conf/htpasswd\n';
const inBlock = (lines: string, module: string | undefined): string =>
  module !== undefined && lines !== '' ? `<IfModule ${module}>\n${lines}</IfModule>\n` : lines;
const NO_24 = '!mod_authz_core.c';
const strictLine = (strict: boolean | undefined): string =>
  strict === undefined ? '' : `SSLOptions ${strict ? '+' : '-'}StrictRequire\n`;

function bodyOf({ from, require, satisfy, requireSsl, asks, strict, block, for24 }: TlsSection): string {
  const lists = {
    all: 'Order allow,deny\nAllow from all\n',
    none: 'Order allow,deny\nDeny from all\n',
    '127.0.0.2': 'Order deny,allow\nDeny from all\nAllow from 127.0.0.2\n',
  };
  const ofTls = `${requireSsl === true ? 'SSLRequireSSL\n' : ''}${asks === undefined ? '' : `SSLRequire ${TESTS[asks]![0]}\n`}`;
  const module = { none: undefined, ssl: 'mod_ssl.c', for22: NO_24, halves: undefined }[block];
  const isHalf = block === 'halves';
  const said =
    (from === undefined ? '' : lists[from]) +
    (require === undefined ? '' : `${isHalf ? '' : AUTH}Require ${require}\n`) +
    (satisfy === undefined ? '' : `Satisfy ${satisfy}\n`) +
    inBlock(ofTls, module);
  const halves = inBlock(said, NO_24) + inBlock(`${for24}\n`, 'mod_authz_core.c');
  const both = isHalf && said !== '' ? (require === undefined ? '' : AUTH) + halves : said;
  return both + strictLine(strict);
}

/** The configuration, and the `.htaccess` of `/p`. */
export function textsOf(tree: TlsTree): { readonly conf: string; readonly htaccess: string } {
  const of = (server: TlsSection['server']): string =>
    tree.sections
      .filter((each) => each.server === server)
      .map((each) => `<${each.place}>\n${bodyOf(each)}</${each.place.split(' ')[0]}>\n`)
      .join('');
  const modules = ['authz_host', 'authn_file', 'authz_user', 'auth_basic'];
  const loaded = tree.sslFirst ? ['ssl', ...modules] : [...modules, 'ssl'];
  const host = (server: 'plain' | 'tls', keys: string): string =>
    `<VirtualHost *:${PORTS[server]}>\nServerName server\n${keys}${strictLine(tree.strict[server])}${of(server)}</VirtualHost>\n`;
  const keys =
    'SSLEngine on\nSSLCertificateFile /PKI/server.pem\nSSLCertificateKeyFile /PKI/server.key\nSSLCACertificateFile /PKI/ca.pem\nSSLVerifyClient optional\n';
  return {
    conf:
      loadLines(loaded) +
      Object.values(PORTS)
        .map((port) => `Listen ${port}\n`)
        .join('') +
      `DocumentRoot "/DOCROOT"\n${strictLine(tree.strict.main)}` +
      `<Directory "/DOCROOT">\nOptions FollowSymLinks\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n` +
      of('main') +
      host('plain', '') +
      inBlock(host('tls', keys), tree.guarded ? 'mod_ssl.c' : undefined),
    htaccess: tree.sections
      .filter(({ server }) => server === 'file')
      .map(bodyOf)
      .join(''),
  };
}

/** What a section says in a text where the last line of a kind counts, and all that SSLRequire asks does. */
type Merged = Omit<TlsLines, 'asks'> & { readonly asked: readonly number[] };

/**
 * What 2.2 answers, by a decision of its own: P gets in, U is asked for a password, F is refused (server/request.c:
 * ap_process_request_internal; ssl_engine_kernel.c: ssl_hook_Access, ssl_hook_UserCheck).
 */
export function answerOf(tree: TlsTree, request: TlsRequest): 'P' | 'U' | 'F' {
  const { from = 'all', require, satisfy, requireSsl, asked, strict } = mergedFor(tree, request);
  const isTls = request.server === 'tls';
  const listed = from === 'all' || from === request.src;
  const isMet = (requireSsl !== true || isTls) && (!isTls || asked.every((n) => TESTS[n]![1](request)));
  if (satisfy === 'any' && listed && isMet) return 'P';
  if (satisfy !== 'any' && (!listed || !isMet)) return 'F';
  if (require === undefined) return satisfy === 'any' ? 'F' : 'P';
  // mod_ssl leaves a note, if it was asked.
  if (satisfy === 'any' && strict === true && !isMet && (listed || tree.sslFirst)) return 'F';
  if (request.user === undefined) return 'U';
  return require === 'valid-user' || request.user === 'alice' ? 'P' : 'U';
}

function mergedFor({ sections, strict }: TlsTree, { server, path }: TlsRequest): Merged {
  const ofServer = server === 'rest' ? undefined : strict[server];
  let merged: Merged = { from: 'all', asked: [], strict: ofServer ?? strict.main ?? false };
  const isMet = (place: string): boolean =>
    place.startsWith('Files')
      ? path.endsWith('/x.txt')
      : path.startsWith(`${place.replace(/^.*?(\/p(?:\/s)?)"?$/, '$1')}/`);
  const merge = ({ asks, ...said }: TlsSection): void => {
    const lines = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    merged = { ...merged, ...lines, asked: asks === undefined ? merged.asked : [...merged.asked, asks] };
  };
  for (const place of ['Directory "/DOCROOT/p"', 'file', 'Directory "/DOCROOT/p/s"', 'Files', 'Location'])
    for (const of of ['main', server, 'file'] as const)
      for (const each of sections) {
        const isFile = each.server === 'file';
        if (
          each.server === of &&
          isFile === (place === 'file') &&
          (isFile ||
            (each.place.startsWith(place) && (place !== 'Directory "/DOCROOT/p"' || each.place === place))) &&
          isMet(each.place)
        )
          merge(each);
      }
  return merged;
}
