import { type Server, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fs from 'node:fs';
import type { AskedUrl } from '../../src/compare';
import { ServerAsker } from '../../src/compare/ask';
import { freePort } from '../../testing/httpd/config';
import { serveWhole, type WholeServer } from '../../testing/httpd/whole';
import { type CommandResult, command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

const PATHS = [
  '/',
  '/a/1.html',
  '/a/2.html',
  '/a/3.html',
  '/old',
  '/same',
  '/private/x.html',
  '/a',
  '/missing',
];

const line = (request: string, host = 'www.example.test:80'): string =>
  `${host} 192.0.2.7 - - [01/Oct/2026:13:55:36 +0000] "${request} HTTP/1.1" 200 5 "-" "x"\n`;

async function compared(log: string, ...argv: string[]): Promise<CommandResult> {
  const cwd = directory({ 'a.log': log });
  return command(['compare', ...argv, '--rate', '500', '--log', 'a.log'], { cwd });
}

describe('two servers with 2.4', () => {
  const running: WholeServer[] = [];
  let urls: string[];

  beforeAll(async () => {
    const ports = [await freePort(), await freePort()];
    urls = ports.map((port) => `http://127.0.0.1:${port}`);
    for (const [i, port] of ports.entries())
      running.push(
        await serveWhole(({ dir }) => {
          for (const name of ['index.html', 'a/1.html', 'a/2.html', 'a/3.html', 'private/x.html']) {
            fs.mkdirSync(join(dir, 'site', name, '..'), { recursive: true });
            fs.writeFileSync(join(dir, 'site', name), `page ${name}`);
          }
          const planted =
            i === 0
              ? 'Redirect /old http://www.example.test/new\n'
              : 'Redirect /old http://www.example.test/newer\n<Location /private>\nRequire all denied\n</Location>\n<Files 3.html>\nHeader set Cache-Control no-store\n</Files>\n';
          return `Listen 127.0.0.1:${port}\nServerName localhost\n<VirtualHost 127.0.0.1:${port}>\nServerName www.example.test\nDocumentRoot ${dir}/site\n<Directory ${dir}/site>\nRequire all granted\n</Directory>\nRedirect /same /a/1.html\nHeader set X-Moment %t\n${planted}</VirtualHost>\n`;
        }),
      );
  });

  afterAll(async () => {
    for (const server of running) await server.stop();
  });

  test('finds a difference in access, in a redirect and in a header, and nothing else', async () => {
    const log =
      PATHS.map((path) => line(`GET ${path}`)).join('') +
      line('POST /a/1.html') +
      line('GET /?q=1') +
      line('GET /logout');
    const { stdout, status } = await compared(log, '--old', urls[0]!, '--new', urls[1]!, '--format', 'json');
    const { differences, asked, leftOut } = JSON.parse(stdout) as {
      differences: { what: string; old: string; new: string }[];
      asked: number;
      leftOut: object;
    };
    expect(differences.map(({ what, old, new: now }) => [what, old, now])).toEqual([
      ['status', '200', '403'],
      ['location', 'http://(this server)/new', 'http://(this server)/newer'],
      ['cache-control', undefined, 'no-store'],
    ]);
    expect([status, asked]).toEqual([1, PATHS.length]);
    expect(leftOut).toEqual({ method: 1, query: 1, mayChange: 1, malformed: 0 });
    // The twin: a server is like itself.
    const same = await compared(log, '--old', urls[1]!, '--new', urls[1]!);
    expect(same.stdout).toContain('All answers are alike.');
    expect(same.status).toBe(0);
  });

  test('what a rule of the run has told stands under it, behind what none has', async () => {
    const log = line('GET /private/x.html') + line('GET /a/3.html');
    const cwd = directory({
      'a.log': log,
      'httpd.conf':
        'ServerRoot /x\nListen 80\nLoadModule authz_host_module modules/mod_authz_host.so\nDocumentRoot /srv\n<Directory /srv>\nOrder allow,deny\nAllow from all\n</Directory>\n<Directory /srv/private>\nOrder deny,allow\nDeny from all\n<IfVersion >= 2.2.15>\nAllow from 192.0.2.0/24\n</IfVersion>\n</Directory>\n',
    });
    const { stdout } = await command(
      ['compare', 'httpd.conf', '--no-config', '--old', urls[0]!, '--new', urls[1]!, '--log', 'a.log'],
      { cwd },
    );
    expect(stdout).toMatch(
      /! cache-control: .* told by no rule\)[^]*~ status: 200 -> 403 \(1 request; told by order-allow-deny\)/,
    );
  });
});

/** A server of its own kind, and the requests that it got. */
async function serverOf(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; got: IncomingMessage[]; server: Server }> {
  const got: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    got.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, server };
}

describe('what is sent', () => {
  let old: Awaited<ReturnType<typeof serverOf>>;
  let count = 0;

  beforeAll(async () => {
    old = await serverOf((request, response) => {
      if (request.url === '/slow') return void response.destroy();
      response.setHeader('X-Count', String(count++));
      response.end(request.url === '/random' ? 'x'.repeat(count) : 'same');
    });
  });
  beforeEach(() => void (old.got.length = 0));
  afterAll(() => void old.server.close());

  test('GET and HEAD alone, each once, with the host of the log and nothing of its users', async () => {
    const log = [
      'GET /x',
      'GET /x',
      'HEAD /x',
      'POST /x',
      'DELETE /x',
      'PUT /y',
      'GET /x?y=1',
      'GET /delete/1',
      'OPTIONS *',
      'GET /a b',
    ]
      .map((request) => line(request))
      .join('');
    await compared(log, '--old', old.url, '--new', old.url);
    expect(new Set(old.got.map(({ method, url }) => `${method} ${url}`))).toEqual(
      new Set(['GET /x', 'HEAD /x']),
    );
    for (const { headers } of old.got) {
      expect(headers.host).toBe('www.example.test');
      expect([headers.authorization, headers.cookie, headers.referer]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
    old.got.length = 0;
    await compared(
      line('GET /x?y=1'),
      '--old',
      old.url,
      '--new',
      old.url,
      '--with-queries',
      '--header',
      'Authorization: Basic eDp5',
    );
    expect(old.got[0]).toMatchObject({ url: '/x?y=1', headers: { authorization: 'Basic eDp5' } });
  });

  test('what the old server answers differently each time is no difference', async () => {
    const { stdout, status } = await compared(line('GET /random'), '--old', old.url, '--new', old.url);
    expect(stdout).toContain('the old server gives another each time');
    expect(status).toBe(0);
  });

  test('--most takes some of each kind', async () => {
    const many =
      Array.from({ length: 50 }, (_, i) => line(`GET /img/${i}.png`)).join('') + line('GET /page.html');
    await compared(many, '--old', old.url, '--new', old.url, '--most', '2');
    expect(new Set(old.got.map(({ url }) => url))).toEqual(new Set(['/img/0.png', '/page.html']));
  });

  test('stops by itself where a server does not answer', async () => {
    const many = Array.from({ length: 50 }, (_, i) => line(`GET /${i}.png`)).join('');
    const dead = `http://127.0.0.1:${await freePort()}`;
    const { stdout, status } = await compared(many, '--old', old.url, '--new', dead);
    expect(stdout).toContain('Not all were asked: 5 requests in a row got no answer.');
    expect(stdout).toContain('no answer from the new server');
    expect(stdout).toContain('Nothing was answered by both servers.');
    expect([status, old.got.length]).toEqual([2, 5]);
  });

  test('an answer that never ends is none', async () => {
    const dripping = await serverOf((_, response) => {
      const drops = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drops));
    });
    const asker = new ServerAsker(new URL(dripping.url), {
      addresses: new Map(),
      insecure: false,
      headers: [],
      agent: 'x',
      longest: 200,
    });
    await expect(asker.ask({ method: 'GET', target: '/', host: undefined } as AskedUrl)).rejects.toThrow(
      'no whole answer within 0.2 s',
    );
    asker.close();
    dripping.server.close();
  });

  test('names can be given addresses', async () => {
    const { port } = new URL(old.url);
    const { stdout } = await compared(
      line('GET /x'),
      '--old',
      `http://shop.test:${port}`,
      '--new',
      old.url,
      '--resolve',
      'shop.test:127.0.0.1',
    );
    expect(stdout).toContain('All answers are alike.');
  });

  test.each(['text', 'json', 'markdown', 'html'])(
    'nothing of a log or an answer is printed raw as %s',
    async (format) => {
      const evil = await serverOf((_, response) => {
        response.writeHead(200, [
          ['X-Evil', '<script>\x1b'.replace('\x1b', '')],
          ['Content-Type', 'a/\xffb'],
        ] as never);
        response.end();
      });
      const { stdout } = await compared(
        line("GET /<b>&'%1b"),
        '--old',
        old.url,
        '--new',
        evil.url,
        '--format',
        format,
      );
      evil.server.close();
      if (format === 'html' || format === 'markdown') expect(stdout).not.toMatch(/<script>|<b>/);
      expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
    },
  );
});

test.each([
  [['--old', 'http://a.test', '--new', 'http://b.test'], 'compare wants a log'],
  [['--log', 'a.log', '--new', 'http://b.test'], 'compare wants --old URL'],
  [['--log', 'a.log', '--old', 'ftp://a.test', '--new', 'http://b.test'], '--old takes a URL of http or https'],
  [['--log', 'a.log', '--old', 'http://u:p@a.test', '--new', 'http://b.test'], '--old takes no password'],
  [['--log', 'a.log', '--old', 'http://a.test/x', '--new', 'http://b.test'], '--old takes a server, without a path'],
  [['--log', 'a.log', '--old', 'http://a.test', '--new', 'http://b.test', '--rate', '0'], '--rate takes a number'],
  [['--log', 'a.log', '--old', 'http://a.test', '--new', 'http://b.test', '--header', 'x'], "--header takes 'Name: value'"],
  [['--log', 'a.log', '--old', 'http://a.test', '--new', 'http://b.test', '--write'], 'compare takes no --write'],
])('refuses %j', async (argv, message) => {
  const { status, stderr } = await command(['compare', ...argv], { cwd: directory({ 'a.log': '' }) });
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
}); // prettier-ignore
