import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { memory } from '../../src/config';
import { HOST_STATUSES, type FleetReport } from '../../src/fleet';
import { command } from '../../testing/run/command';

const BEGIN =
  'ServerRoot /etc/httpd\nListen 80\nOptions None\n<Directory />\n  AllowOverride None\n</Directory>\n';

/** Servers of two groups, by their texts. */
const SERVERS: Readonly<Record<string, string>> = {
  'web/a': `${BEGIN}Timeout 60\n<Directory /srv>\n  Order deny,allow\n  Deny from all\n</Directory>\n`,
  'web/b': `${BEGIN}Timeout 60\n<Directory /srv>\n  Order deny,allow\n  Deny from all\n</Directory>\n`,
  'web/c': `${BEGIN}Timeout 60\n<Directory /srv>\n  Order deny,allow\n  Deny from all\n</Directory>\nMaxClients 5\n`,
  'intranet/x': `${BEGIN}<Directory /srv>\n  Order deny,allow\n  Deny from all\n  Require all granted\n</Directory>\n`,
  'intranet/y': `${BEGIN}<Directory /srv>\n  Order deny,allow\n  Deny from all\n  Require all granted\n</Directory>\n`,
}; // prettier-ignore

/** The report of a server, as the command prints it. */
async function reportOf(text: string): Promise<string> {
  const source = memory(new Map([['/etc/httpd/conf/httpd.conf', text]]));
  const { stdout } = await command(['/etc/httpd', '--format', 'json'], { cwd: '/' }, { source });
  return stdout;
}

let reports: Map<string, string>;
beforeAll(async () => {
  reports = new Map();
  for (const [name, text] of Object.entries(SERVERS)) reports.set(`/r/${name}.json`, await reportOf(text));
});

const merge = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  command(
    ['report', 'merge', ...argv],
    { cwd: '/r' },
    { source: memory(new Map([...reports, ...Object.entries(more)])) },
  );
const files = Object.keys(SERVERS).map((name) => `${name}.json`);
const merged = async (argv = files, more = {}): Promise<FleetReport> =>
  JSON.parse((await merge(['--format', 'json', ...argv], more)).stdout) as FleetReport;

test('says of each host whether it can move, by groups', async () => {
  const report = await merged();
  expect(report.hosts.map(({ name, group, status }) => [name, group, status])).toEqual([
    ['a', 'web', expect.stringMatching(/^(?:ready|questions)$/)],
    ['b', 'web', expect.stringMatching(/^(?:ready|questions)$/)],
    ['c', 'web', expect.stringMatching(/^(?:ready|questions)$/)],
    ['x', 'intranet', 'blocked'],
    ['y', 'intranet', 'blocked'],
  ]);
  expect(report.groups.map(({ name, counts }) => [name, counts.blocked])).toEqual([
    ['intranet', 2],
    ['web', 0],
  ]);
});

test('a question that several hosts ask is there once, with its places', async () => {
  const { questions } = await merged();
  const [first] = questions;
  expect([first!.blocker, first!.hosts.map(({ name }) => name)]).toEqual([true, ['x', 'y']]);
  expect(first!.rules).toContain('order-allow-deny');
  expect(first!.hosts[0]!.places[0]).toMatch(/httpd\.conf:\d+$/);
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length);
});

test('names the host whose file has other findings than those of its group, and none where all are alike', async () => {
  const { drift } = await merged();
  expect(drift.map(({ group, differing }) => [group, differing])).toEqual([['web', ['c']]]);
  expect((await merged(['web/a.json', 'web/b.json'])).drift).toEqual([]);
});

describe('a file whose text is the same on two hosts, and what comes of it is not', () => {
  const part = '<Directory /srv/x>\n  Order deny,allow\n  Deny from all\n</Directory>\n';
  const hostReport = async (main: string, included = part): Promise<string> => {
    const source = memory(
      new Map([
        ['/etc/httpd/conf/httpd.conf', `${BEGIN}${main}Include conf/x.conf\n`],
        ['/etc/httpd/conf/x.conf', included],
      ]),
    );
    return (await command(['/etc/httpd', '--format', 'json'], { cwd: '/' }, { source })).stdout;
  };
  const PATH = 'etc/httpd/conf/x.conf';
  const driftOf = async (texts: Readonly<Record<string, string>>): Promise<FleetReport['drift']> => {
    const more = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [`/r/web/${name}.json`, text]),
    );
    const { drift } = await merged(
      Object.keys(texts).map((name) => `web/${name}.json`),
      more,
    );
    return drift.filter(({ path }) => path === PATH);
  };

  test('is named, though there are two hosts only, and no result is the more common', async () => {
    const plainHost = await hostReport('');
    const within = await hostReport(
      '<Directory /srv>\n  Satisfy Any\n  AuthType Basic\n  AuthName a\n  AuthUserFile /u\n  Require valid-user\n</Directory>\n',
    );
    expect(await driftOf({ m: plainHost, n: within })).toEqual([
      { group: 'web', path: PATH, hosts: 2, differing: [], sameText: ['m', 'n'] },
    ]);
    expect(await driftOf({ m: plainHost, n: within, o: plainHost })).toEqual([
      { group: 'web', path: PATH, hosts: 3, differing: ['n'], sameText: ['n'] },
    ]);
  });

  test('is told from a file with another text, and from one with the same result', async () => {
    const plainHost = await hostReport('');
    const other = await hostReport('', `MaxClients 5\n${part}`);
    expect(await driftOf({ m: plainHost, n: other, o: plainHost })).toEqual([
      { group: 'web', path: PATH, hosts: 3, differing: ['n'], sameText: [] },
    ]);
    expect(await driftOf({ m: plainHost, n: plainHost })).toEqual([]);
  });

  test('is seen where nothing at all was found on the others, and not in reports of a release without fingerprints', async () => {
    const plainHost = await hostReport('');
    const nothing = JSON.parse(plainHost) as {
      findings: { path: string }[];
      files: object[];
      tasks: object[];
    };
    const clean = JSON.stringify({
      ...nothing,
      findings: nothing.findings.filter(({ path }) => path !== PATH),
      tasks: [],
    });
    expect(await driftOf({ m: clean, n: clean, o: plainHost })).toMatchObject([
      { differing: ['o'], sameText: ['o'] },
    ]);
    const old = (text: string): string => text.replace(/"sha256": "[0-9a-f]*",/g, '');
    expect(await driftOf({ m: old(clean), n: old(clean), o: old(plainHost) })).toMatchObject([
      { differing: ['o'], sameText: [] },
    ]);
  });
});

test('shows the progress against an earlier merge', async () => {
  const before = await merged(['web/a.json', 'intranet/x.json', 'intranet/y.json']);
  const done = JSON.stringify({
    version: 1,
    findings: [],
    summary: { changes: 0, toReview: 0, blockers: 0 },
    exitStatus: 0,
  });
  const more = { '/r/last.json': JSON.stringify(before), '/r/new/x.json': done };
  const { progress, hosts } = await merged(
    ['web/a.json', 'web/b.json', 'new/x.json', '--before', 'last.json'],
    more,
  );
  expect(progress!.moved).toEqual([{ name: 'x', from: 'blocked', to: 'done' }]);
  expect([progress!.added, progress!.gone, progress!.counts.blocked]).toEqual([['b'], ['y'], 2]);
  expect(hosts.find(({ name }) => name === 'x')).toMatchObject({ status: 'done', before: 'blocked' });
  const { stdout } = await merge(
    ['web/a.json', 'new/x.json', '--before', 'last.json', '--format', 'markdown'],
    more,
  );
  expect(stdout).toContain('Since the earlier merge');
});

test('a report that is given twice, under any path, is one host', async () => {
  const once = await merged();
  expect(await merged([...files, './web/a.json', '/r/intranet/../web/a.json'])).toEqual(once);
  // As text: the same report of another host is another one.
  const other = await merged([...files, 'web/d.json'], { '/r/web/d.json': reports.get('/r/web/a.json')! });
  expect(other.hosts).toHaveLength(once.hosts.length + 1);
});

test('hosts of one name in two groups stay two', async () => {
  const more = { '/r/mail/a.json': reports.get('/r/web/a.json')! };
  expect((await merged(['web/a.json', 'mail/a.json'], more)).hosts.map(({ name }) => name)).toEqual([
    'web/a',
    'mail/a',
  ]);
});

describe('what is no report', () => {
  test.each([
    ['nothing', '', 'no JSON'],
    ['a list', '[]', 'no report of httpd-codemod'],
    ['null', 'null', 'no report of httpd-codemod'],
    ['an object', '{"findings":[]}', 'no report of httpd-codemod'],
    [
      'one of another version',
      '{"version":7,"findings":[],"summary":{"changes":0,"toReview":0,"blockers":0},"exitStatus":0}',
      'a report of version 7',
    ],
  ])('%s is named, and the others are merged', async (_, text, message) => {
    const { status, stdout, stderr } = await merge(['web/a.json', 'bad.json', '--format', 'json'], {
      '/r/bad.json': text,
    });
    expect([status, (JSON.parse(stdout) as FleetReport).hosts.length]).toEqual([2, 1]);
    expect(stderr).toContain(`bad.json: ${message}`);
    const alone = await merge(['bad.json'], { '/r/bad.json': text });
    expect([alone.status, alone.stdout]).toEqual([2, '']);
  });

  test('any JSON at all is merged or named, and nothing fails within', async () => {
    const fields = [
      'version',
      'files',
      'tasks',
      'findings',
      'assumptions',
      'summary',
      'trouble',
      'exitStatus',
    ];
    const real = JSON.parse(reports.get('/r/intranet/x.json')!) as Record<string, unknown>;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fields),
        fc.jsonValue(),
        fc.jsonValue(),
        async (field, other, inside) => {
          const list = real[field];
          const values = [other, Array.isArray(list) ? [...list, inside] : inside];
          for (const changed of values) {
            const { status, stderr } = await merge(['web/a.json', 'odd.json', '--format', 'html'], {
              '/r/odd.json': JSON.stringify({ ...real, [field]: changed }),
            });
            expect([0, 1, 2]).toContain(status);
            expect(stderr).not.toContain('internal error');
            expect(stderr).not.toMatch(/undefined|not a function|not iterable/);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a run that failed is a host that was not judged', async () => {
    const { stdout } = await command(
      ['/nowhere', '--format', 'json'],
      { cwd: '/' },
      { source: memory(new Map()) },
    );
    const report = await merged(['failed.json', 'web/a.json'], { '/r/failed.json': stdout });
    expect(report.hosts[0]).toMatchObject({
      name: 'failed',
      status: 'failed',
      trouble: [expect.stringContaining('/nowhere')],
    });
  });

  test('an earlier merge that is none is trouble', async () => {
    const { status, stderr } = await merge(['web/a.json', '--before', 'web/b.json']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--before web/b.json: no merge')]);
  });
});

test('the status: 0 where all is done, 1 where something is left', async () => {
  const done = JSON.stringify({
    version: 1,
    findings: [],
    summary: { changes: 0, toReview: 0, blockers: 0 },
    exitStatus: 0,
  });
  expect((await merge(['done.json'], { '/r/done.json': done })).status).toBe(0);
  expect((await merge(['done.json', 'web/a.json'], { '/r/done.json': done })).status).toBe(1);
  expect((await merge(['web/a.json', '--write'])).stderr).toContain('report takes no --write');
  expect((await merge(['web/a.json', '--format', 'sarif'])).stderr).toContain(
    'report merge has no format sarif',
  );
  expect((await merge(['web/a.json', '--output', 'web/a.json'])).stderr).toContain(
    'would replace a file that is read',
  );
});

test('the page holds no markup of a report, needs no network, and its bars stand as numbers beside them', async () => {
  const evil = '</script><img src=x onerror=alert(1)>&"\'';
  const report = JSON.parse(reports.get('/r/intranet/x.json')!) as {
    tasks: { text: string }[];
    findings: { path: string }[];
  };
  for (const task of report.tasks) task.text += evil;
  for (const finding of report.findings) finding.path += evil;
  const name = `/r/<b>/${evil.replaceAll('/', '')}.json`;
  const { stdout } = await merge([...files, name, '--format', 'html'], { [name]: JSON.stringify(report) });
  expect(stdout).not.toMatch(/<img|<b>|<script|https?:|style="/);
  expect(stdout).toContain("default-src 'none'");
  // Every bar is decoration of a row with its five numbers and a heading.
  const rows = [
    ...stdout.matchAll(
      /<tr><th scope="row">[^<]*<\/th>((?:<td class="n">\d+<\/td>)*)<td><svg[^>]*aria-hidden="true"/g,
    ),
  ];
  expect(rows.map(([, cells = '']) => cells.split('</td>').length - 1)).toEqual(
    rows.map(() => HOST_STATUSES.length),
  );
  expect(rows.length).toBeGreaterThan(2);
});

test('markup in any leaf of a report reaches no page, whatever kind of value stood there', async () => {
  const evil = '<img src=x onerror=alert(1)>';
  const report = JSON.parse(reports.get('/r/intranet/x.json')!) as object;
  const leaves: [holder: Record<string, unknown>, name: string][] = [];
  const walk = (holder: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(holder))
      if (typeof value === 'object' && value !== null) walk(value as Record<string, unknown>);
      else leaves.push([holder, name]);
  };
  walk(Object.assign(report, { assumptions: [{ key: 'k', text: 'x', findings: 1 }] }));
  expect(leaves.length).toBeGreaterThan(50);
  for (const [holder, name] of leaves) {
    const was = holder[name];
    for (const value of [evil, [evil], { toString: evil }]) {
      holder[name] = value;
      for (const format of ['html', 'markdown']) {
        const { stdout, stderr } = await merge(['web/a.json', 'evil.json', '--format', format], {
          '/r/evil.json': JSON.stringify(report),
        });
        expect([
          name,
          stdout.includes('<img'),
          stdout.includes('undefined'),
          stderr.includes('internal'),
        ]).toEqual([name, false, false, false]);
      }
    }
    holder[name] = was;
  }
});

test('the JSON is of its schema', async () => {
  const schema = JSON.parse(
    readFileSync(join(__dirname, '../../docs/schemas/fleet.schema.json'), 'utf8'),
  ) as object;
  const validate = new Ajv().compile(schema);
  const before = { '/r/last.json': JSON.stringify(await merged()) };
  for (const report of [await merged(), await merged([...files, '--before', 'last.json'], before)]) {
    validate(report);
    expect(validate.errors).toBeNull();
  }
  expect(validate({ ...(await merged()), hosts: [{ name: 'a' }] })).toBe(false);
});
