import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { Authority } from '../../testing/httpd/certificates';
import { freePort } from '../../testing/httpd/config';
import { type WholeServer, serveWhole } from '../../testing/httpd/whole';
import { loadLines } from '../../testing/run/load-lines';

/** SSLRequireSSL under Satisfy: with all in one walk of sections mod_access_compat decides as 2.2 did, and is the witness. */
const SECTIONS = `
<Directory "/DOCROOT">
    AuthType Basic
    AuthName a
    AuthUserFile conf/htpasswd
</Directory>
<Directory "/DOCROOT/address">
    SSLRequireSSL
    Order deny,allow
    Deny from all
    Allow from 127.0.0.2
    Require valid-user
    Satisfy Any
</Directory>
<Directory "/DOCROOT/anybody">
    SSLRequireSSL
    Order allow,deny
    Allow from all
    Require user alice
    Satisfy Any
</Directory>
<Directory "/DOCROOT/nobody">
    SSLRequireSSL
    Order deny,allow
    Deny from all
    Require valid-user
    Satisfy Any
</Directory>
<Directory "/DOCROOT/both">
    SSLRequireSSL
    Order deny,allow
    Deny from all
    Allow from 127.0.0.2
    Require valid-user
    Satisfy All
</Directory>
<Directory "/DOCROOT/method">
    SSLRequireSSL
    Order deny,allow
    Deny from all
    Allow from 127.0.0.2
    <Limit POST>
        Require valid-user
        Satisfy Any
    </Limit>
</Directory>
<Directory "/DOCROOT/asks">
    SSLRequire %{REMOTE_ADDR} =~ m/^127\\.0\\.0\\.2$/ and not (%{SSL_CLIENT_VERIFY} in {"SUCCESS", "GENEROUS"})
    Order allow,deny
    Allow from all
    Require user alice
    Satisfy Any
</Directory>
<Directory "/DOCROOT/either">
    SSLRequireSSL
    SSLRequire %{SSL_CLIENT_S_DN_O} eq "Staff" or %{REMOTE_ADDR} ne "127.0.0.3" and %{SSL_CIPHER_USEKEYSIZE} >= 56
    Order allow,deny
    Allow from all
    Require valid-user
    Satisfy Any
</Directory>
<Directory "/DOCROOT/must">
    SSLRequire %{SSL_CIPHER_USEKEYSIZE} lt 56 || %{REMOTE_ADDR} != "127.0.0.3"
    Require valid-user
</Directory>
`;

const SSL_FIRST = loadLines('ssl authz_host auth_basic authn_file authz_user');

const NAMES = ['address', 'anybody', 'nobody', 'both', 'method', 'asks', 'either', 'must'];

let home: string;
let ca: Authority;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'httpd-ca-'));
  ca = new Authority(join(home, 'ca'));
  ca.issue('server');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Ports {
  readonly plain: number;
  readonly tls: number;
}

/** Two addresses, with and without TLS, that serve the same directories. */
async function start(text: string, compat: boolean): Promise<{ server: WholeServer; ports: Ports }> {
  const ports = { plain: await freePort(), tls: await freePort() };
  const server = await serveWhole(
    (root) => {
      for (const name of NAMES) {
        mkdirSync(join(root.dir, 'htdocs', name));
        writeFileSync(join(root.dir, 'htdocs', name, 'x.txt'), `${name}\n`);
      }
      const host = (port: number, more: string): string =>
        `Listen 127.0.0.1:${port}\n<VirtualHost 127.0.0.1:${port}>\n    ServerName server\n${more}</VirtualHost>\n`;
      const keys = `    SSLEngine on\n    SSLCertificateFile ${ca.dir}/server.pem\n    SSLCertificateKeyFile ${ca.dir}/server.key\n`;
      return (
        host(ports.plain, '') + host(ports.tls, keys) + text.replaceAll('/DOCROOT', `${root.dir}/htdocs`)
      );
    },
    { compat },
  );
  return { server, ports };
}

interface Ask {
  readonly name: string;
  readonly tls: boolean;
  readonly method: string;
  readonly src: string;
  readonly user: string | undefined;
}

const asks: readonly Ask[] = NAMES.flatMap((name) =>
  [true, false].flatMap((tls) =>
    ['GET', 'POST'].flatMap((method) =>
      ['127.0.0.2', '127.0.0.3'].flatMap((src) =>
        [undefined, 'alice', 'bob'].map((user) => ({ name, tls, method, src, user })),
      ),
    ),
  ),
);

function status({ plain, tls: secure }: Ports, { name, tls, method, src, user }: Ask): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: tls ? secure : plain,
      localAddress: src,
      method,
      path: `/${name}/x.txt`,
      agent: false,
      ...(user === undefined ? {} : { auth: `${user}:${user}` }),
    };
    const sent = tls ? tlsRequest({ ...options, rejectUnauthorized: false }) : plainRequest(options);
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end();
  });
}

/** Whether it got in, or why not. */
const answersOf = async (ports: Ports): Promise<string[]> => {
  const all: string[] = [];
  for (const question of asks) {
    const code = await status(ports, question);
    all.push(code === 401 ? 'U' : code === 403 ? 'F' : code >= 500 ? 'E' : 'P');
  }
  return all;
};

async function answers(text: string, compat: boolean): Promise<string[]> {
  const { server, ports } = await start(text, compat);
  try {
    return await answersOf(ports);
  } finally {
    await server.stop();
  }
}

test.each([
  ['SSLRequireSSL as one way in', '', /Require expr %\{HTTPS\} != 'on' \|\| \(%\{REMOTE_ADDR\} =~ /],
  // The witness asks mod_ssl first, and so does a 2.2 that loads it first.
  ['StrictRequire', 'SSLOptions +StrictRequire\n', /Require ssl/],
])(
  '%s',
  async (_, options, remains) => {
    const result = convertFiles({ '/httpd.conf': `Listen 80\n${SSL_FIRST}${options}${SECTIONS}` });
    expect(result.failure).toBeUndefined();
    const converted = (textAfter(result, '/httpd.conf') ?? '').replace(/^(?:Listen|LoadModule) .*\n/gm, '');
    expect(converted).toMatch(remains);
    expect(converted).not.toMatch(/Satisfy/);
    const before = await answers(options + SECTIONS, true);
    const after = await answers(converted, false);
    const differences = asks
      .map((ask, i) => ({ ...ask, before: before[i], after: after[i] }))
      .filter((question) => question.before !== question.after);
    expect(differences).toEqual([]);
    expect(new Set(before)).toEqual(new Set(['P', 'U', 'F']));
  },
  60_000,
);
