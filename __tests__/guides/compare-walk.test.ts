import fs from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convert } from '../../src';
import { madeTar } from '../../testing/collect/tar';
import { freePort } from '../../testing/httpd/config';
import { type WholeServer, serveWhole } from '../../testing/httpd/whole';
import { type CommandResult, command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

const GUIDES = join(__dirname, '../../docs/guides');
const guide = (name: string): string => fs.readFileSync(join(GUIDES, `${name}.md`), 'utf8');

/** What a 2.2 has. The site lies below @DIR@, and the server answers at port @PORT@. */
const OLD = `NameVirtualHost *:@PORT@
<VirtualHost *:@PORT@>
    ServerName www.example.org
    DocumentRoot "@DIR@/site"
    Redirect /old http://www.example.org/new/
    <Directory "@DIR@/site">
        Options None
        Order allow,deny
        Allow from all
    </Directory>
    <Directory "@DIR@/site/private">
        Order deny,allow
        Deny from all
        Allow from 127.0.0.1
    </Directory>
    <Directory "@DIR@/site/shut">
        Order deny,allow
        Deny from all
    </Directory>
</VirtualHost>
`;
const FILES = ['index.html', 'new/index.html', 'private/x.html', 'shut/y.html'];
const ASKED = ['/', '/new/', '/old/a', '/private/x.html', '/shut/y.html', '/none', '/index.html'];

/** Serves a configuration in the words of 2.2, or what the program makes of it. */
async function served(port: number, make: (text: string) => string, compat: boolean): Promise<WholeServer> {
  return serveWhole(
    ({ dir }) => {
      for (const name of FILES) {
        fs.mkdirSync(join(dir, 'site', name, '..'), { recursive: true });
        fs.writeFileSync(join(dir, 'site', name), `page ${name}`);
        fs.utimesSync(join(dir, 'site', name), 1_700_000_000, 1_700_000_000);
      }
      return `Listen 127.0.0.1:${port}\nServerName localhost\n${make(OLD)
        .replaceAll('@DIR@', dir)
        .replaceAll('@PORT@', String(port))
        .replace(/^NameVirtualHost.*\n/m, '')}`;
    },
    { compat },
  );
}

function converted(text: string): string {
  const path = '/etc/apache2/apache2.conf';
  const { texts } = convert({ [path]: text });
  return texts.get(path) ?? text;
}

/** The command of a guide as it stands there, with the addresses of the servers and the place of the configuration. */
async function walked(name: string, [old, next]: readonly string[]): Promise<CommandResult> {
  const [typed = ''] = /^httpd-codemod compare .*$/m.exec(guide(name)) ?? [];
  const cwd = directory({
    'www-access.log': ASKED.map(
      (path) =>
        `203.0.113.${path.length} - - [01/Nov/2026:10:00:00 +0100] "GET ${path} HTTP/1.1" 200 5 "-" "x"\n`,
    )
      .map((line) => `www.example.org:80 ${line}`)
      .join(''),
    'apache2/apache2.conf': OLD,
  });
  const tar = madeTar([
    {
      name: 'MANIFEST',
      text: 'httpd-codemod collection 1\nconfig: /etc/apache2/apache2.conf\ntree: /var/www\n',
    },
    {
      name: 'root/etc/apache2/apache2.conf',
      text: OLD.replaceAll('@DIR@', '/var/www').replaceAll('@PORT@', '80'),
    },
  ]);
  fs.writeFileSync(join(cwd, 'old.tar.gz'), gzipSync(tar), { mode: 0o600 });
  const [, ...argv] = typed
    .replace('http://192.0.2.10', old!)
    .replace('http://192.0.2.20', next!)
    .replace('/etc/apache2', join(cwd, 'apache2'))
    .split(' ');
  return command([...argv, '--no-config', '--rate', '500'], { cwd });
}

/** Without numbers and addresses, and with one mark for a server. */
const shape = (text: string): string =>
  text.replace(/http:\/\/[0-9.:]+\//g, 'SERVER').replace(/\d+(?= (?:requests?|URLs|lines|answers)\b)/g, 'N');

describe('the last step of the guides, with an old and a new server', () => {
  const running: WholeServer[] = [];
  let [old, good, wrong] = ['', '', ''];

  beforeAll(async () => {
    const start = async (make: (text: string) => string, compat: boolean): Promise<string> => {
      const port = await freePort();
      running.push(await served(port, make, compat));
      return `http://127.0.0.1:${port}`;
    };
    old = await start((text) => text, true);
    good = await start(converted, false);
    wrong = await start(
      (text) => converted(text).replace(/Require ip 127\.0\.0\.1/, 'Require all denied'),
      false,
    );
  });

  afterAll(async () => {
    for (const server of running) await server.stop();
  });

  test.each(['log', 'debian', 'rhel'])(
    '%s: a server that was moved as the guide says answers alike',
    async (name) => {
      const { status, stdout } = await walked(name, [old, good]);
      expect(stdout).toContain(`Compared: ${ASKED.length} requests`);
      expect([stdout, status]).toEqual([expect.stringContaining('All answers are alike.'), 0]);
    },
  );

  test.each(['log', 'debian', 'rhel'])('%s: it finds the one line that somebody has broken', async (name) => {
    const { status, stdout } = await walked(name, [old, wrong]);
    expect(status).toBe(1);
    const [, sample = ''] = /(Compared: [^`]*)```/.exec(guide('log')) ?? [];
    expect(shape(stdout)).toContain(shape(sample).trim());
  });
});
