import fs from 'node:fs';
import { join } from 'node:path';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

const SERVER = `ServerRoot "@ROOT@"
Listen 80
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule rewrite_module modules/mod_rewrite.so
DocumentRoot "@ROOT@/htdocs"
<Directory "@ROOT@/htdocs/staff">
    Order deny,allow
    Deny from all
    <IfVersion >= 2.2.15>
        Allow from 10.0.0.0/8
    </IfVersion>
</Directory>
RewriteEngine On
RewriteRule ^/wiki/(.*)$ /w.php/$1 [PT]
`;

const line = (client: string, target: string): string =>
  `${client} - - [01/Oct/2026:13:55:36 +0200] "GET ${target} HTTP/1.1" 200 5 "-" "-"\n`;
const STAFF = line('10.1.2.3', '/staff/a');
const MARK = line('203.0.113.7', '/wiki/what%3F');

/** What a run prints in a format, of the requests of a log; of none where it has no line. */
async function printed(format: string, log: string): Promise<string> {
  const root = directory({ 'htdocs/index.html': 'x' });
  fs.writeFileSync(join(root, 'httpd.conf'), SERVER.replaceAll('@ROOT@', root));
  fs.writeFileSync(join(root, 'a.log'), log);
  const logs = log === '' ? [] : ['--log', 'a.log'];
  const { stdout } = await command(['httpd.conf', '--format', format, '--no-config', ...logs], { cwd: root });
  return stdout;
}

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: { readonly region: { readonly startLine: number } };
  }[];
  readonly properties: { readonly requests?: number };
}

interface Sarif {
  readonly runs: readonly [
    {
      readonly results: readonly Result[];
      readonly properties?: { readonly log: { readonly requests: number } };
    },
  ];
}

test('SARIF has a result for what requests meet at a section, and counts those that a finding is about', async () => {
  const {
    runs: [{ results, properties }],
  } = JSON.parse(await printed('sarif', STAFF + MARK + MARK)) as Sarif;
  expect(properties?.log.requests).toBe(3);
  const [refused, ...others] = results.filter(({ ruleId }) => ruleId === 'access-log');
  expect(others).toEqual([]);
  expect(refused).toMatchObject({
    level: 'warning',
    message: { text: '1 request that 2.2 lets in get 403 from 2.4: say there who may get in' },
  });
  expect(refused!.locations[0]!.physicalLocation.region.startLine).toBe(6);
  const marks = results.filter(({ properties: { requests } }) => requests !== undefined);
  expect(marks.map(({ ruleId, properties: { requests } }) => [ruleId, requests])).toEqual([
    ['rewrite-rule-question-mark', 2],
  ]);
  expect(marks[0]!.message.text).toMatch(/ \(2 requests of the log\)$/);
});

test('without a log, no document speaks of one', async () => {
  for (const format of ['sarif', 'gitlab', 'github', 'junit'])
    expect(await printed(format, '')).not.toMatch(/access-log|of the log|"log"/);
});

test('a request that both versions answer alike is no finding', async () => {
  for (const format of ['sarif', 'gitlab', 'github', 'junit'])
    expect(await printed(format, line('203.0.113.7', '/a'))).not.toContain('access-log, line');
});

test('GitLab knows a finding again when more of its requests come', async () => {
  const issues = async (log: string): Promise<readonly (readonly [string, string])[]> =>
    (JSON.parse(await printed('gitlab', log)) as { check_name: string; fingerprint: string }[])
      .filter(({ check_name }) => /access-log|question-mark/.test(check_name))
      .map(({ check_name, fingerprint }) => [check_name, fingerprint]);
  const few = await issues(STAFF + MARK);
  expect(few).toHaveLength(2);
  expect(await issues(STAFF.repeat(2000) + MARK.repeat(30))).toEqual(few);
});

test('GitHub shows it at the line, and JUnit fails for it', async () => {
  const github = await printed('github', STAFF + MARK);
  expect(github).toMatch(
    /^::warning file=httpd\.conf,line=6,col=1,title=access-log \(to do\)::1 request that 2\.2 lets in get 403/m,
  );
  expect(github).toMatch(/title=rewrite-rule-question-mark.*\(1 request of the log\)$/m);
  const junit = await printed('junit', STAFF + MARK);
  expect(junit).toMatch(/<testcase name="access-log, line 6 \(to do\)"[^>]*>\n\s*<failure type="warning"/);
});

test('a strictest form that refuses none of the requests is said to be harmless', async () => {
  expect(await printed('github', line('203.0.113.7', '/a'))).toContain(
    '(harmless: none of 1 requests of 2026-10-01 is refused by it)',
  );
});
