import { createHash } from 'node:crypto';
import { convertText } from '../../testing/run/convert';
import { ask } from '../../testing/httpd/ask';
import { configtestAll } from '../../testing/httpd/check';
import { type HttpAnswer, fetchPage } from '../../testing/httpd/http';
import { heldByJudge } from '../../testing/httpd/release';
import { type TestServer, serve } from '../../testing/httpd/server';

const SERVER = `Listen 80
DocumentRoot /srv/www
LoadModule authn_default_module modules/mod_authn_default.so
LoadModule authn_file_module modules/mod_authn_file.so
# The part
`;

/** What the run makes of a part of a complete server without modules of others. */
function converted(conf: string): string {
  const [, part] = convertText(SERVER + conf, '/etc/httpd.conf').split('# The part\n');
  expect(part).toBeDefined();
  return part!;
}

const location = (lines: readonly string[]): string =>
  `<Location "/a">\n${lines.map((line) => `    ${line}\n`).join('')}</Location>\n`;
const digest = (line: string): string =>
  location(['AuthType Digest', 'AuthName realm', 'AuthUserFile conf/htdigest', line, 'Require valid-user']);

describe('what a real 2.4 refuses is gone', () => {
  const refused: [name: string, conf: string][] = [
    ['a type after AuthUserFile', location(['AuthUserFile conf/htpasswd standard'])],
    ['a type after AuthGroupFile', location(['AuthGroupFile conf/htgroup standard'])],
    ['MD5-sess', digest('AuthDigestAlgorithm MD5-sess')],
    ['auth-int alone', digest('AuthDigestQop auth-int')],
    ['auth-int in a list', digest('AuthDigestQop auth auth-int')],
    ['LDAPTrustedClientCert at server level', 'LDAPTrustedClientCert CERT_NICKNAME web\n'],
  ];

  if (heldByJudge('auth-digest-one-qop')) refused.push(['none', digest('AuthDigestQop none')]);

  test.each(refused)('%s', async (name, conf) => {
    const verdicts = await configtestAll([
      { id: 'before', text: conf },
      { id: 'after', text: converted(conf) },
    ]);
    expect([name, verdicts.get('before')?.ok, verdicts.get('after')?.ok]).toEqual([name, false, true]);
  });

  test('what only a person can mend is refused as the findings say', async () => {
    const texts = [
      '<AuthnProviderAlias file a>\n</AuthnProviderAlias>\n<AuthnProviderAlias file a>\n</AuthnProviderAlias>\n',
      '<AuthnProviderAlias file FILE>\n</AuthnProviderAlias>\n',
      '<AuthnProviderAlias file dbm>\n</AuthnProviderAlias>\n',
      location(['AuthLDAPBindPassword ""']),
      location(['AuthLDAPBindPassword "exec:/bin/true"']),
    ];
    const verdicts = await configtestAll(texts.map((text, i) => ({ id: String(i), text })));
    expect([...verdicts.values()].map(({ ok }) => ok)).toEqual([false, false, false, false, false]);
  });

  test('AuthDigestQop none is refused since the release that the facts say', async () => {
    const [verdict] = (await configtestAll([{ id: 'none', text: digest('AuthDigestQop none') }])).values();
    expect(verdict?.ok).toBe(!heldByJudge('auth-digest-one-qop'));
  });
});

describe('what a real 2.4 answers', () => {
  const BASIC = ['AuthType Basic', 'AuthName a', 'AuthUserFile conf/htpasswd'];
  const off = location([...BASIC, 'AuthBasicAuthoritative Off', 'Require valid-user']);
  const inherited = `${location([...BASIC, 'AuthBasicProvider anon', 'Anonymous guest', 'Require valid-user'])}<Location "/a/b">
    AuthBasicAuthoritative On
</Location>
`;
  const none = location([...BASIC, 'AuthType None', 'Require valid-user']);
  const words = location([...BASIC, 'Require valid_user']);
  const mixed = location([...BASIC, 'Require user alice', 'Require users bob']);
  let server: TestServer;

  beforeAll(async () => {
    server = await serve([
      { id: 'off', conf: off },
      { id: 'off, converted', conf: converted(off) },
      { id: 'inherited', conf: inherited, files: ['a/b/x'] },
      { id: 'inherited, converted', conf: converted(inherited), files: ['a/b/x'] },
      { id: 'none', conf: none },
      { id: 'words', conf: words },
      { id: 'words, converted', conf: converted(words) },
      { id: 'mixed, converted', conf: converted(mixed) },
      {
        id: 'digest, converted',
        conf: converted(
          digest('AuthDigestAlgorithm MD5-sess').replace('conf/htdigest', '@DOCROOT@/users/.htaccess'),
        ),
        files: ['a/x'],
        // Any text file of a case will do; nobody asks for this directory.
        htaccess: { users: `alice:realm:${md5('alice:realm:secret')}\n` },
      },
    ]);
  });

  afterAll(() => server.stop());

  const answers = (id: string, users: readonly (string | undefined)[], path = '/a/x'): Promise<string[]> =>
    ask(
      server,
      users.map((user) => ({ case: id, path, ...(user === undefined ? {} : { user }) })),
    );

  test('a user whom no provider knows, under AuthBasicAuthoritative Off', async () => {
    const users = ['alice', 'alice:wrong', 'nobody', undefined];
    expect(await answers('off', users)).toEqual(['P', 'U', 'E', 'U']);
    expect(await answers('off, converted', users)).toEqual(['P', 'U', 'U', 'U']);
  });

  test('a provider that 2.2 did not inherit', async () => {
    expect(await answers('inherited', ['guest:x@y'], '/a/b/x')).toEqual(['P']);
    expect(await answers('inherited, converted', ['guest:x@y'], '/a/b/x')).toEqual(['U']);
  });

  test('AuthType None over a Require', async () => {
    expect(await answers('none', ['alice', undefined])).toEqual(['E', 'E']);
  });

  test('words that no module answers', async () => {
    expect(server.refused.get('words')).toContain('valid_user');
    expect(await answers('words, converted', ['alice', undefined])).toEqual(['F', 'F']);
    expect(await answers('mixed, converted', ['alice', 'bob', undefined])).toEqual(['P', 'U', 'U']);
  });

  test('a digest login after MD5-sess', async () => {
    expect(await digestStatus(server, 'digest, converted', '/a/x', 'alice', 'secret')).toBe(200);
    expect(await digestStatus(server, 'digest, converted', '/a/x', 'alice', 'wrong')).toBe(401);
  });
});

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function get(server: TestServer, id: string, path: string, authorization?: string): Promise<HttpAnswer> {
  const headers = {
    Host: server.hosts.get(id) ?? '',
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  return fetchPage(server.port, path, { headers });
}

/** Logs in by digest (RFC 2617) with what the server asks for. */
async function digestStatus(
  server: TestServer,
  id: string,
  path: string,
  user: string,
  password: string,
): Promise<number> {
  const challenge = (await get(server, id, path)).headers['www-authenticate'] ?? '';
  const part = (name: string): string => new RegExp(`${name}="?([^",]*)`).exec(challenge)?.[1] ?? '';
  expect([part('algorithm'), part('qop')]).toEqual(['MD5', 'auth']);
  const hashes = [
    md5(`${user}:${part('realm')}:${password}`),
    part('nonce'),
    '00000001',
    'abc',
    'auth',
    md5(`GET:${path}`),
  ];
  const fields = `username="${user}", realm="${part('realm')}", nonce="${part('nonce')}", uri="${path}", algorithm=MD5, qop=auth, nc=00000001, cnonce="abc", response="${md5(hashes.join(':'))}"`;
  return (await get(server, id, path, `Digest ${fields}`)).status;
}
