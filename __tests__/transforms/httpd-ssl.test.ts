import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertFiles, convertText } from '../../testing/run/convert';
import { Authority, type ClientIdentity } from '../../testing/httpd/certificates';
import { freePort } from '../../testing/httpd/config';
import { type WholeServer, serveWhole } from '../../testing/httpd/whole';

/** The text after the run over a file that says Listen, as a server's own does. */
let home: string;
let ca: Authority;
const clients: Record<string, ClientIdentity> = {};

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'httpd-ca-'));
  ca = new Authority(join(home, 'ca'));
  for (const name of ['server', 'alice', 'bob']) clients[name] = ca.issue(name);
  ca.revoke('bob');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A certificate that is asked for after the handshake needs TLS 1.2: the client here knows no other way.
 * @returns the status and body, or `refused` where TLS comes to nothing. */
function get(
  port: number,
  path: string,
  client?: string,
  { tls = 'TLSv1.2', name }: { readonly tls?: 'TLSv1.2' | 'TLSv1.3'; readonly name?: string } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent: false,
        ca: ca.read('ca.pem'),
        servername: 'server',
        checkServerIdentity: () => undefined,
        maxVersion: tls,
        ...(name === undefined ? {} : { headers: { Host: name } }),
        ...(client === undefined ? {} : clients[client]),
      },
      (response) => {
        let body = '';
        response.setEncoding('latin1');
        response.on('data', (part: string) => (body += part));
        response.on('end', () => resolve(`${response.statusCode} ${body.trim()}`));
        response.on('error', () => resolve('refused'));
      },
    );
    sent.on('error', () => resolve('refused'));
    sent.end();
  });
}

const FIXED = (port: number, more: string): string => `Listen 127.0.0.1:${port}
<VirtualHost 127.0.0.1:${port}>
    ServerName server
    SSLEngine on
    SSLProtocol all -SSLv2
    SSLCertificateFile ${ca.dir}/server.pem
    SSLCertificateKeyFile ${ca.dir}/server.key
${more}
</VirtualHost>
`;

interface SslRow {
  readonly name: string;
  /** What stands in the virtual host of 2.2. */
  readonly conf: () => string;
  readonly asks: readonly (readonly [path: string, who: string | undefined])[];
  /** What 2.2 answered, by its source, and so must the rewrite on 2.4. */
  readonly answers: readonly string[];
  /** What the old text gets from 2.4, to see that the change matters: answers, or what it says instead of starting. */
  readonly before: readonly string[] | RegExp;
}

const rows: SslRow[] = [
  {
    name: 'a revoked certificate is refused',
    conf: () =>
      `SSLCACertificateFile ${ca.dir}/ca.pem\nSSLCARevocationFile ${ca.dir}/crl.pem\nSSLVerifyClient require`,
    asks: [
      ['/', 'alice'],
      ['/', 'bob'],
      ['/', undefined],
    ],
    answers: ['200 index', 'refused', 'refused'],
    before: ['200 index', '200 index', 'refused'],
  },
  {
    name: 'a CA without a revocation list is no obstacle',
    conf: () =>
      `SSLCACertificateFile ${ca.dir}/ca.pem\nSSLCARevocationPath ${ca.dir}\nSSLVerifyClient require`,
    asks: [['/', 'alice']],
    answers: ['200 index'],
    before: ['200 index'],
  },
  {
    name: 'SSLRequire compares names as before',
    conf: () => `SSLCACertificateFile ${ca.dir}/ca.pem
SSLVerifyClient require
<Location /in>
    SSLRequire %{SSL_CLIENT_S_DN} eq "/C=XX/O=Org/CN=alice"
</Location>
<Location /out>
    SSLRequire not %{SSL_CLIENT_S_DN} =~ m#/O=Org/#
</Location>
<Location /absolute>
    SSLOptions StdEnvVars
    SSLRequire %{SSL_CLIENT_I_DN} eq "/C=XX/O=Org/CN=CA"
</Location>`,
    asks: [
      ['/in', 'alice'],
      ['/in', 'bob'],
      ['/out', 'alice'],
      ['/absolute', 'bob'],
    ],
    answers: ['404', '403', '403', '404'],
    before: ['403', '403', '404', '403'],
  },
  {
    name: 'SSLRequire finds no extension for which OpenSSL has no words, as in 2.2',
    conf: () => `SSLCACertificateFile ${ca.dir}/ca.pem
SSLVerifyClient optional
<Location /in>
    SSLRequire "member of staff" in OID("1.3.6.1.4.1.18060.12.0")
</Location>`,
    asks: [
      ['/in', 'alice'],
      ['/in', undefined],
    ],
    answers: ['403', '403'],
    before: /'OID' does not exist/,
  },
  {
    name: 'SSLRequire finds an extension by its OID',
    conf: () => `SSLCACertificateFile ${ca.dir}/ca.pem
SSLVerifyClient optional
<Location /in>
    SSLRequire not "CA:TRUE" in OID("2.5.29.19")
</Location>`,
    asks: [
      ['/in', 'alice'],
      ['/in', undefined],
    ],
    answers: ['404', '404'],
    before: /'OID' does not exist/,
  },
  {
    name: 'strings in SSLRequire are text',
    conf: () => `<Location /in>
    SSLRequire "%{HTTPS} $1" =~ m~^%.HTTPS. .1$~
</Location>`,
    asks: [['/in', undefined]],
    answers: ['404'],
    before: /SSLRequire/,
  },
  {
    name: 'a CA inside of a section serves the whole virtual host',
    conf: () => `<Location /in>
    SSLCACertificateFile ${ca.dir}/ca.pem
    SSLVerifyClient require
</Location>`,
    asks: [
      ['/in', 'alice'],
      ['/in', undefined],
      ['/', undefined],
    ],
    answers: ['404', 'refused', '200 index'],
    before: /per-directory CA/,
  },
  {
    name: 'a certificate does not take the place of a password',
    conf: () => `SSLCACertificateFile ${ca.dir}/ca.pem
SSLVerifyClient optional
SSLUserName SSL_CLIENT_S_DN_CN
<Location /in>
    AuthType Basic
    AuthName "In"
    AuthUserFile ${home}/users
    Require user alice
</Location>`,
    asks: [
      ['/in', 'alice'],
      ['/in', undefined],
    ],
    answers: ['401', '401'],
    before: ['404', '401'],
  },
  {
    name: 'nor does one that is set behind a Limit',
    conf: () => `SSLCACertificateFile ${ca.dir}/ca.pem
SSLVerifyClient optional
<Location /in>
    AuthType Basic
    AuthName "In"
    AuthUserFile ${home}/users
    <Limit GET>
        Require user alice
    </Limit>
    SSLUserName SSL_CLIENT_S_DN_CN
</Location>`,
    asks: [
      ['/in', 'alice'],
      ['/in', undefined],
    ],
    answers: ['401', '401'],
    before: ['404', '401'],
  },
];

const short = (answer: string): string => answer.replace(/^(40[134]) .*/s, '$1');

describe.each(rows)('$name', ({ conf, asks, answers, before }) => {
  const serve = async (text: string, port: number): Promise<string[] | string> => {
    let server: WholeServer;
    try {
      server = await serveWhole(() => text);
    } catch (error) {
      return (error as Error).message;
    }
    try {
      return await Promise.all(asks.map(async ([path, client]) => short(await get(port, path, client))));
    } finally {
      await server.stop();
    }
  };

  test('after the rewrite', async () => {
    const port = await freePort();
    expect(await serve(convertText(FIXED(port, conf())), port)).toEqual(answers);
  });

  test('before it', async () => {
    const port = await freePort();
    const statuses = await serve(FIXED(port, conf()), port);
    if (before instanceof RegExp) expect(statuses).toMatch(before);
    else expect(statuses).toEqual(before);
  });
});

test('the log has names as before', async () => {
  const port = await freePort();
  const text = FIXED(
    port,
    `SSLCACertificateFile ${ca.dir}/ca.pem\nSSLVerifyClient require\nCustomLog logs/dn_log "%{SSL_CLIENT_S_DN}x"`,
  );
  const server = await serveWhole(() => convertText(text));
  await get(port, '/', 'alice');
  // The line is written after the answer has been sent.
  const deadline = Date.now() + 5000;
  let log = '';
  while (log === '' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    log = server.read('logs/dn_log');
  }
  await server.stop();
  expect(log).toBe('/C=XX/O=Org/CN=alice\n');
});

describe.each([
  { name: 'SSLv2', line: 'SSLProtocol all +SSLv2', says: /SSLv2 is no longer supported/, mended: true },
  { name: 'SSLCompression on', line: 'SSLCompression on', says: /compression/i, mended: true },
  {
    name: 'nothing but old ciphers',
    line: 'SSLCipherSuite SSLv2:EXP:LOW',
    says: /ciphers|cipher match/,
    mended: false,
  },
])('$name', ({ line, says, mended }) => {
  const start = async (text: string): Promise<string> => {
    try {
      await (await serveWhole(() => text)).stop();
      return 'starts';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('stops 2.4', async () => expect(await start(FIXED(await freePort(), line))).toMatch(says));

  test('is mended, or told', async () => {
    const text = FIXED(await freePort(), line);
    if (mended) expect(await start(convertText(text))).toBe('starts');
    const { outcomes } = convertFiles({ '/httpd.conf': text });
    const at = text.slice(0, text.indexOf(line)).split('\n').length;
    const found = outcomes.filter((outcome) => outcome.file.document.positionAt(outcome.at).line === at);
    expect(found.map((outcome) => outcome.level)).toEqual(['error']);
  });
});

test.each([
  ['shm: by another name', 'SSLSessionCache shm:logs/ssl_scache(512000)', /session cache not supported/],
  ['a size with a unit', 'SSLSessionCache shmcb:logs/ssl_scache(512000b)', /not numerical/],
])('SSLSessionCache: %s', async (_, line, says) => {
  const text = `Listen 127.0.0.1:${await freePort()}\n${line}\n`;
  await expect(serveWhole(() => text)).rejects.toThrow(says);
  await (await serveWhole(() => convertText(text))).stop();
});

test('a certificate for a section alone is not to be had over TLS 1.3, which is left out then', async () => {
  const port = await freePort();
  const conf = `SSLCACertificateFile ${ca.dir}/ca.pem\n<Location /in>\n    SSLVerifyClient require\n</Location>`;
  const text = FIXED(port, conf);
  const converted = convertText(text);
  const answersOf = async (config: string): Promise<readonly string[]> => {
    const server = await serveWhole(() => config);
    const statuses = [
      await get(port, '/in', 'alice', { tls: 'TLSv1.2' }),
      await get(port, '/in', 'alice', { tls: 'TLSv1.3' }),
      await get(port, '/in', undefined, { tls: 'TLSv1.3' }),
    ];
    await server.stop();
    return statuses.map(short);
  };
  expect(await answersOf(converted.replace(' -TLSv1.3', ''))).toEqual(['404', '403', '403']);
  expect(await answersOf(converted)).toEqual(['404', '404', 'refused']);
});

test('a Host other than the name in TLS is answered where the settings are the same', async () => {
  const port = await freePort();
  const other = (name: string, more: string): string =>
    FIXED(port, more)
      .replace(/^Listen.*\n/, '')
      .replace('ServerName server', `ServerName ${name}`);
  const text =
    FIXED(port, '') +
    other('same', '') +
    other('different', `SSLCACertificateFile ${ca.dir}/ca.pem\nSSLVerifyClient optional`);
  const { outcomes } = convertFiles({ '/httpd.conf': text });
  expect(outcomes.map(({ rule }) => rule)).toContain('ssl-host-not-sni');
  const server = await serveWhole(() => text);
  const statuses = [
    await get(port, '/', undefined, { name: 'same' }),
    await get(port, '/', undefined, { name: 'different' }),
  ];
  await server.stop();
  expect(statuses.map((outcome) => outcome.slice(0, 3))).toEqual(['200', '421']);
});
