import fs from 'node:fs';
import { join } from 'node:path';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

const ask = async (cwd: string, ...argv: string[]): Promise<CommandResult> =>
  command(['debug', ...argv], { cwd });

async function json<T>(cwd: string, ...argv: string[]): Promise<T> {
  const { status, stdout, stderr } = await ask(cwd, ...argv, '--format', 'json');
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(Buffer.from(stdout, 'latin1').toString('utf8')) as T;
}

interface DebugNode {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly open?: { readonly start: number; readonly end: number };
  readonly close?: { readonly start: number; readonly end: number };
  readonly body?: readonly DebugNode[];
}

interface Tree {
  readonly version: number;
  readonly files: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly bom: number;
    readonly nodes: readonly DebugNode[];
  }[];
}

/** The spans of the lines and raw parts, in order. */
const spansOf = (nodes: readonly DebugNode[]): (readonly [number, number])[] =>
  nodes.flatMap(({ open, body = [], close, start, end }) =>
    open === undefined
      ? [[start, end] as const]
      : [
          [open.start, open.end] as const,
          ...spansOf(body),
          ...(close ? [[close.start, close.end] as const] : []),
        ],
  );

describe('tree', () => {
  test('as text: each line with its bytes, its kind and its words', async () => {
    const home = directory({
      'httpd.conf':
        'ServerRoot "/etc/a b"\nInclude x.conf\n\n<Directory /a>\n# why\n  Alias /a \\\n  "/b c"\n</Oops>\n</Directory>\n',
      'x.conf': 'Listen 80\r\n<Perl>\nx\n</Perl>\n<Files y>\n',
    });
    const { status, stdout, stderr } = await ask(home, 'tree', 'httpd.conf', '--server-root', home);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `httpd.conf: server, 102 bytes, LF, read as 2.2 does, flawed lines: 1
  1  0-22    directive  ServerRoot "/etc/a b"
  2  22-37   directive  Include "x.conf" (reads x.conf)
  3  37-38   blank
  4  38-53   section    <Directory "/a">
  5  53-59   comment      # why
  6  59-81   directive    Alias "/a" "/b c"
  8  81-89   stray        unmatched-close: </Oops>
     89-102  close      </Directory>

x.conf: included, 38 bytes, CRLF, read as 2.2 does, flawed lines: 1
  1  0-11   directive  Listen "80"
  2  11-18  section    <Perl>
  3  18-20  raw
     20-28  close      </Perl>
  5  28-38  section    <Files "y">
     38-38  close      missing
`,
    );
  });

  test('no byte of any fixture is left out', async () => {
    const fixtures = join(__dirname, '../../__fixtures__/transforms');
    const { version, files } = await json<Tree>(fixtures, 'tree', '.');
    expect(version).toBe(1);
    expect(files.length).toBeGreaterThan(500);
    for (const { path, bytes, bom, nodes } of files) {
      const spans = spansOf(nodes);
      expect([path, fs.statSync(join(fixtures, path)).size]).toEqual([path, bytes]);
      expect([path, spans.map(([start]) => start)]).toEqual([
        path,
        [bom, ...spans.map(([, end]) => end)].slice(0, spans.length),
      ]);
      expect([path, spans.at(-1)?.[1] ?? bom]).toEqual([path, bytes]);
    }
  });
});

interface Access {
  readonly groups: readonly {
    readonly reading: string;
    readonly inUse: string;
    readonly sections: readonly {
      readonly section: string;
      readonly covers?: string;
      readonly vhost?: string;
      readonly conditions: readonly object[];
      readonly sets: readonly { readonly text: string; readonly line: number }[];
      readonly inherits?: readonly {
        readonly lines: readonly string[];
        readonly satisfy: object;
        readonly authType: boolean;
        readonly ways: readonly (readonly string[])[];
      }[];
    }[];
  }[];
  readonly unseen?: string;
}

describe('access', () => {
  const HEAD = 'ServerRoot /etc\n<Directory />\nAllowOverride None\n</Directory>\n';

  test('sections that can meet stand together, with what each inherits', async () => {
    const home = directory({
      'httpd.conf': `${HEAD}<Directory /srv>\nOrder deny,allow\nDeny from all\nSatisfy Any\n</Directory>\n<Directory /srv/a>\nAuthType Basic\nRequire valid-user\n</Directory>\n<Directory /other>\nOrder allow,deny\n</Directory>\n`,
    });
    const { stdout, status } = await ask(home, 'access', 'httpd.conf');
    expect(status).toBe(0);
    expect(stdout).toBe(`group 1: 2 sections that can meet, read as 2.2 does
  <Directory /srv> at httpd.conf:5: directory /srv
    sets
      Order deny,allow (httpd.conf:6)
      Deny from all (httpd.conf:7)
      Satisfy Any (httpd.conf:8)
    inherits nothing that it does not replace
  <Directory /srv/a> at httpd.conf:10: directory /srv/a
    sets
      AuthType Basic (httpd.conf:11)
      Require valid-user (httpd.conf:12)
    inherits
      Order deny,allow
      Deny from all
      Satisfy Any

group 2: 1 section, read as 2.2 does
  <Directory /other> at httpd.conf:14: directory /other
    sets
      Order allow,deny (httpd.conf:15)
    inherits nothing that it does not replace
`);
  });

  test('each state that a request may come in, and the ways to it', async () => {
    const home = directory({
      'httpd.conf': `${HEAD}<Directory /srv>\nOrder deny,allow\nDeny from all\n</Directory>\n<Directory /srv/a>\nOrder deny,allow\n</Directory>\n<Location /x>\nSatisfy Any\n</Location>\n`,
    });
    const { groups } = await json<Access>(home, 'access', 'httpd.conf');
    expect(groups).toHaveLength(1);
    const location = groups[0]!.sections.find(({ section }) => section === '<Location /x>')!;
    const states = location.inherits!.map(({ lines, ways }) => [lines, ways]);
    expect(states).toContainEqual([
      ['Order deny,allow', 'Deny from all'],
      [['the file lies in /srv and no deeper directory that is named']],
    ]);
    expect(states).toContainEqual([
      ['Order deny,allow'],
      [['the file lies in /srv/a and no deeper directory that is named']],
    ]);
  });

  test('conditionals, virtual hosts, methods, files that nothing includes, lines of both kinds', async () => {
    const home = directory({
      'httpd.conf': `${HEAD}<VirtualHost *:80>\n<IfDefine X>\n<Directory /a>\n<Limit POST>\nDeny from all\n</Limit>\n</Directory>\n</IfDefine>\n</VirtualHost>\n<Directory /b>\nRequire all granted\nOrder allow,deny\n</Directory>\n`,
      'loose.conf': '<Directory /c>\nDeny from all\n</Directory>\n',
    });
    const { groups } = await json<Access>(home, 'access', home, '--unused');
    const found = groups.flatMap(({ reading, inUse, sections }) =>
      sections.map(({ section, vhost, conditions, sets }) => ({
        section,
        reading,
        inUse,
        vhost,
        conditions,
        sets: sets.map(({ text }) => text),
      })),
    );
    expect(found).toEqual([
      {
        section: '<Directory /a>',
        reading: '2.2',
        inUse: 'yes',
        vhost: '*:80',
        conditions: [{ name: 'IfDefine X', is: true }],
        sets: ['Deny from all (for POST)'],
      },
      {
        section: '<Directory /b>',
        reading: 'compat',
        inUse: 'yes',
        vhost: undefined,
        conditions: [],
        sets: ['Require all granted', 'Order allow,deny'],
      },
      {
        section: '<Directory /c>',
        reading: '2.2',
        inUse: 'not included',
        vhost: undefined,
        conditions: [],
        sets: ['Deny from all'],
      },
    ]);
  });

  test('what no server reads, and what the run has not seen', async () => {
    const home = directory({ 'www/.htaccess': 'Order allow,deny\n' });
    const conf = `ServerRoot ${home}\n<Directory ${home}/www>\nAllowOverride None\n</Directory>\n<Directory /srv/gone>\nAllowOverride All\nOrder allow,deny\n</Directory>\n`;
    fs.writeFileSync(join(home, 'httpd.conf'), conf);
    const { stdout } = await ask(home, 'access', 'httpd.conf', 'www');
    expect(stdout).toContain(
      '1 section, read as 2.2 does, which AllowOverride disables\n  www/.htaccess:1: htaccess ',
    );
    expect(stdout).toContain('\nnot seen: the .htaccess files that the server would read in /srv/gone\n');
    expect((await ask(directory({ 'a.conf': '' }), 'access', 'a.conf')).stdout).toBe(
      'no section controls access\n',
    );
  });
});

describe('findings', () => {
  const MANY = 'MaxClients 5\n# httpd-codemod-ignore-next-line\nMaxRequestsPerChild 0\nServerType inetd\n';

  test('as text: what each says, asks for and became', async () => {
    const home = directory({ 'a.conf': MANY });
    const { stdout, status } = await ask(
      home,
      'findings',
      'a.conf',
      '--rule',
      'max-clients',
      '--rule',
      'max-requests-per-child',
    );
    expect(status).toBe(0);
    expect(stdout).toBe(`a.conf:1:1: info, safe [max-clients]
  says:   MaxClients is called MaxRequestWorkers in 2.4
  edit:   line 1, bytes 0-10: "MaxClients" becomes "MaxRequestWorkers"
  became: applied
a.conf:3:1: info, safe [max-requests-per-child]
  says:   MaxRequestsPerChild is called MaxConnectionsPerChild in 2.4
  edit:   line 3, bytes 46-65: "MaxRequestsPerChild" becomes "MaxConnectionsPerChild"
  became: left alone: the comment in a.conf:2 asks to leave it alone
`);
  });

  test('as JSON: the edits that a run applies are among them, and everything it says', async () => {
    const home = directory({
      'httpd.conf':
        'ServerRoot /etc\nMaxClients 5\n<Directory /a>\nOrder allow,deny\nAllow from all\n</Directory>\n',
    });
    interface DebugFinding {
      rule: string;
      message: string;
      status: string;
      edits: { start: number; end: number; after?: string; text?: string }[];
    }
    const { findings } = await json<{ findings: DebugFinding[] }>(home, 'findings', 'httpd.conf');
    const run = await command(['--format', 'json', 'httpd.conf'], { cwd: home });
    const reported = (JSON.parse(run.stdout) as { findings: DebugFinding[] }).findings;
    const summaries = (all: readonly DebugFinding[]): string[] =>
      all
        .map(({ rule, message, status, edits }) =>
          JSON.stringify([
            rule,
            message,
            status,
            edits.map(({ start, end, after, text }) => [start, end, after ?? text]),
          ]),
        )
        .toSorted();
    expect(reported.length).toBeGreaterThan(2);
    expect(summaries(findings)).toEqual(summaries(reported));
  });

  test('standard input, and nothing to find', async () => {
    const { stdout } = await command(['debug', 'findings', '-'], { stdin: () => 'Listen 80\n' });
    expect(stdout).toBe('the rules find nothing\n');
  });
});

test('nothing is written, and nothing but looking is asked for', async () => {
  const home = directory({ 'a.conf': 'MaxClients 5\n' });
  for (const what of ['tree', 'access', 'findings']) expect((await ask(home, what, '.')).status).toBe(0);
  expect(fs.readdirSync(home)).toEqual(['a.conf']);
  expect(fs.readFileSync(join(home, 'a.conf'), 'latin1')).toBe('MaxClients 5\n');
  for (const [argv, message] of [
    [['tree', '-w', 'a.conf'], 'debug takes no --write'],
    [['tree', '--check', 'a.conf'], 'debug takes no --check'],
    [['findings', '--only', 'a.conf', 'a.conf'], 'debug takes no --only'],
    [['tree', '--explain', '/x', 'a.conf'], 'debug takes no --explain'],
    [['tree', '--configtest', 'a.conf'], 'debug takes no --configtest'],
    [['tree', '--format', 'github', 'a.conf'], 'debug has no format github'],
    [['tree', '--quiet', 'a.conf'], 'debug takes no --quiet'],
    [['tree', '--fail-on', 'info', 'a.conf'], 'debug takes no --fail-on'],
    [['trees', 'a.conf'], "'trees' is invalid"],
    [['tree', 'gone.conf'], 'gone.conf: '],
    [['findings', '--rule', 'gone', 'a.conf'], "unknown rule 'gone'"],
  ] as const) {
    const { status, stdout, stderr } = await ask(home, ...argv);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.match(/\n/g)).toHaveLength(1);
  }
});

test('--help names it', async () => {
  const { stdout } = await command(['--help']);
  expect(stdout).toContain('httpd-codemod debug tree|access|findings <path...>');
});
