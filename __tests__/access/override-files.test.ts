import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import type { RunResult } from '../../src/engine';
import { freePort } from '../../testing/httpd/config';
import { type WholeServer, serveWhole } from '../../testing/httpd/whole';
import { convertFiles, textAfter } from '../../testing/run/convert';

const CONF = '/etc/httpd/httpd.conf';
const OTHER = '/srv/other/.htaccess';
const OFFICE = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
const HERE = OFFICE.replace('10.0.0.0/8', '127.0.0.1');
const DENIED = 'Order allow,deny\nDeny from all\n';
const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\nRequire valid-user\n';
const block = (condition: string, lines: string): string => `<IfDefine ${condition}>\n${lines}</IfDefine>\n`;

/** A virtual host of a 2.2. What lies at /m/open is open to all, whatever stands in /m. */
const host = (name: string, root: string, override: string): string =>
  `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot ${root}\n<Directory ${root}>\nAllowOverride ${override}\nOrder allow,deny\nAllow from all\n</Directory>\n<Location /m/open>\nOrder allow,deny\nAllow from all\n</Location>\n</VirtualHost>\n`;

/** Some hosts that serve one directory, by what AllowOverride says in each, and the files of a user in it. */
interface Site {
  readonly hosts: Readonly<Record<string, string>>;
  /** Directory below the root → its `.htaccess`. */
  readonly files: Readonly<Record<string, string>>;
  /** `host/path` → what 2.2 answers, and 2.4 then; one number where that is the same. */
  readonly answers: Readonly<Record<string, number | readonly [on22: number, on24: number]>>;
}

const LIMIT = { a: 'Limit' };
const SITES: Readonly<Record<string, Site>> = {
  'a Require that Limit does not let in, beside lists that need one': {
    hosts: LIMIT,
    files: { m: 'Require valid-user\n', o: HERE, q: DENIED },
    answers: { 'a/m/x': 500, 'a/m/open/x': 500, 'a/o/x': 200, 'a/q/x': 403, 'a/x': 200 },
  },
  'the same below such a list, and above one': {
    hosts: LIMIT,
    files: { '': HERE, m: 'Require all granted\n', 'm/in': HERE },
    answers: { 'a/x': 200, 'a/m/x': 500, 'a/m/in/x': 500, 'a/m/open/x': 500 },
  },
  'with lines of 2.2': {
    hosts: LIMIT,
    files: { m: `Require all granted\n${HERE}`, n: `${HERE}Require valid-user\n`, o: HERE },
    answers: { 'a/m/x': 500, 'a/n/x': 500, 'a/o/x': 200 },
  },
  'in a block that is not read, above such a list': {
    hosts: LIMIT,
    files: {
      m: block('X', 'Require valid-user\n'),
      'm/in': HERE,
      'm/no': DENIED,
      'm/in/d': 'Require user a\n',
    },
    answers: { 'a/m/x': 200, 'a/m/in/x': 200, 'a/m/no/x': 403, 'a/m/in/d/x': 500 },
  },
  'of two users, one with an odd name': {
    hosts: LIMIT,
    files: { 'm m%{a}': 'Require all granted\n', n: '<Files x>\nRequire all granted\n</Files>\n', o: HERE },
    answers: { 'a/m%20m%25%7Ba%7D/x': 500, 'a/n/x': 500, 'a/n/y': 500, 'a/o/x': 200 },
  },
  'a Deny that AllowOverride forbids, in a block that is read': {
    hosts: { a: 'AuthConfig' },
    files: { m: block('!X', 'Deny from all\n'), n: block('X', 'Deny from all\n') },
    answers: { 'a/m/x': 500, 'a/m/open/x': 500, 'a/n/x': 200 },
  },
  'beside another line that it forbids': {
    hosts: { a: 'AuthConfig Limit' },
    files: { m: '<IfModule mod_rewrite.c>\nRewriteEngine On\nDeny from all\n</IfModule>\n' },
    answers: { 'a/m/x': 500, 'a/m/open/x': 500 },
  },
  'Satisfy Any, that one host lets in': {
    hosts: { a: 'All', b: 'FileInfo' },
    files: { m: 'Satisfy Any\n', 'm/in': HERE },
    answers: { 'a/m/x': 200, 'a/m/in/x': 200, 'b/m/x': 500, 'b/m/in/x': 500, 'b/m/open/x': 500 },
  },
  'the same, where the other needs a list for others': {
    hosts: { a: 'All', b: 'Limit' },
    files: { m: 'Satisfy Any\n', 'm/in': HERE, o: HERE },
    answers: { 'a/m/x': 200, 'b/o/x': 200, 'b/m/x': 500, 'b/m/in/x': 500, 'b/m/open/x': 500 },
  },
  'a list in a block that one host lets in': {
    hosts: { a: 'All', b: 'FileInfo' },
    files: { m: block('!X', DENIED), n: block('X', DENIED) },
    answers: { 'a/m/x': 403, 'b/m/x': 500, 'b/m/open/x': 500, 'a/n/x': 200, 'b/n/x': 200 },
  },
  'one that 2.4 would let the other say, too': {
    hosts: { a: 'All', b: 'AuthConfig' },
    files: { m: HERE, n: block('!X', DENIED), o: block('X', DENIED) },
    answers: {
      'a/m/x': [200, 500],
      'b/m/x': 500,
      'b/m/open/x': 500,
      'a/n/x': [403, 500],
      'b/n/x': 500,
      'a/o/x': 200,
      'b/o/x': 200,
    },
  },
  'a list or a password there': {
    hosts: { a: 'All', b: 'AuthConfig' },
    files: { m: `${PASSWORD}${HERE}Satisfy Any\n` },
    answers: { 'a/m/x': [200, 403], 'b/m/x': [500, 403], 'b/m/open/x': [500, 403], 'a/x': 200 },
  },
  'Satisfy Any beside a block that is not read': {
    hosts: { a: 'All', b: 'FileInfo' },
    files: { m: `Satisfy Any\n<IfModule mod_php5.c>\nDeny from all\n</IfModule>\n` },
    answers: { 'a/m/x': [200, 403], 'b/m/x': 500, 'b/m/open/x': 500 },
  },
  'more blocks than can be told apart, where 2.4 takes a Require': {
    hosts: { a: 'All', b: 'AuthConfig' },
    files: { m: [1, 2, 3, 4, 5].map((i) => block(`!X${i}`, 'Deny from all\n')).join('') },
    answers: { 'a/m/x': 403, 'b/m/x': [500, 403], 'b/m/open/x': [500, 403] },
  },
  'a file that is read where a block is not': {
    hosts: { a: `All\n${block('X', 'AllowOverride None\n').trim()}` },
    files: { m: DENIED, n: HERE },
    answers: { 'a/m/x': 403, 'a/m/open/x': 200, 'a/n/x': 200 },
  },
  'a file that is not read where a block is': {
    hosts: { a: `All\n${block('!X', 'AllowOverride None\n').trim()}` },
    files: { m: DENIED, n: OFFICE },
    answers: { 'a/m/x': 200, 'a/n/x': 200 },
  },
};

const ROOT = '/srv/www';

function convert({ hosts, files }: Site): {
  readonly result: RunResult;
  readonly texts: Record<string, string>;
} {
  const all = Object.entries(hosts).map(([name, override]) => host(name, ROOT, override));
  const texts: Record<string, string> = {
    [CONF]: `ServerRoot /etc/httpd\nListen 80\n<Directory />\nOrder deny,allow\nDeny from all\nAllowOverride None\n</Directory>\n${all.join('')}${host('other', '/srv/other', 'All')}`,
    [OTHER]: OFFICE,
  };
  for (const [path, text] of Object.entries(files)) texts[join(ROOT, path, '.htaccess')] = text;
  return { result: convertFiles(texts, [CONF, '/srv']), texts };
}

/** Serves what becomes of a site. */
async function serveResult(
  { result, texts }: ReturnType<typeof convert>,
  paths: readonly string[],
  compat: boolean,
): Promise<{ readonly server: WholeServer; readonly port: number }> {
  const port = await freePort();
  const server = await serveWhole(
    ({ dir }) => {
      const home = join(dir, 'htdocs');
      const put = (path: string, text: string): void => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      };
      for (const path of paths) put(join(home, ROOT, path), 'x\n');
      const textOf = (path: string): string => textAfter(result, path)!.replaceAll('/srv/', `${home}/srv/`);
      for (const path of Object.keys(texts)) if (path !== CONF) put(join(home, path), textOf(path));
      return textOf(CONF)
        .replace(/^ServerRoot .*\n/m, '')
        .replace('Listen 80', `Listen 127.0.0.1:${port}`)
        .replaceAll('*:80', `127.0.0.1:${port}`);
    },
    { compat },
  );
  return { server, port };
}

const statusOf = (port: number, name: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, agent: false, headers: { Host: name } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode!));
      },
    );
    sent.once('error', reject).end();
  });

describe.each(Object.entries(SITES))('%s', (_, site) => {
  const converted = convert(site);
  const { result, texts } = converted;
  const asked = Object.keys(site.answers).map((url) => {
    const at = url.indexOf('/');
    return { url, name: url.slice(0, at), path: url.slice(at) };
  });

  test('keeps nobody else from being converted', () => {
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, CONF)).not.toMatch(/^[ \t]*(?:Order|Allow|Deny) /m);
    expect(textAfter(result, OTHER)).toBe('Require ip 10.0.0.0/8\n');
  });

  test('whom it refuses is told at the file', () => {
    for (const { url, path } of asked) {
      const answer = site.answers[url]!;
      if (typeof answer === 'number' || answer[0] >= 400) continue;
      const file = join(ROOT, dirname(path), '.htaccess');
      const told = result.outcomes.filter(
        ({ file: { path: at }, level, safety, status }) =>
          at === file && level === 'error' && (safety === 'strict' || status === 'none'),
      );
      expect([url, told.length > 0]).toEqual([url, true]);
    }
  });

  test.each([false, true])('a real 2.4 lets nobody new in; with mod_access_compat: %j', async (compat) => {
    const paths = asked.map(({ path }) => decodeURIComponent(path));
    const { server, port } = await serveResult(converted, paths, compat);
    try {
      const found: Record<string, number> = {};
      for (const { url, name, path } of asked) found[url] = await statusOf(port, name, path);
      const wanted = Object.entries(site.answers).map(([url, answer]) => {
        const [on22, on24] = typeof answer === 'number' ? [answer, answer] : answer;
        // What stays may say with mod_access_compat what it said.
        return [url, compat && on22 !== on24 && found[url] === on22 ? on22 : on24];
      });
      expect(found).toEqual(Object.fromEntries(wanted));
    } finally {
      await server.stop();
    }
    expect(Object.keys(texts).length).toBeGreaterThan(2);
  });
});
