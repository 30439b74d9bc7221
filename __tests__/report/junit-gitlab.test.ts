import { command } from '../../testing/run/command';
import { flaws } from '../../testing/run/junit';
import { readXml, type XmlElement } from '../../testing/run/xml';

const TEXT = `MaxClients 5
# httpd-codemod-ignore-next-line
MaxRequestsPerChild 5
<Directory /a&b>
Satisfy any
Allow from env=x "<\x01"
</Directory>
SSLMutex file:/run/x
SSLMutex file:/run/x
`;

interface Report {
  readonly status: number;
  readonly stdout: string;
}

async function report(format: string, argv: readonly string[], text = TEXT): Promise<Report> {
  return command(['--format', format, ...argv], { cwd: '/srv', stdin: () => text });
}

const casesIn = (root: XmlElement): XmlElement[] => root.children.flatMap((suite) => suite.children);
const having = (root: XmlElement, kind: string): XmlElement[] =>
  casesIn(root).filter(({ children }) => children[0]?.name === kind);

describe('--format junit', () => {
  test.each<[string, readonly string[], string]>([
    ['findings of each kind', ['-'], TEXT],
    ['nothing', ['-'], ''],
    ['trouble', ['/gone'], ''],
    ['names and texts that XML has to escape', ['-', '--stdin-name', 'a<&">.conf'], 'Oops "<&\x02>\xff"\n</a>\n'],
  ])('%s: as the schema has it, and the counts are right', async (_, argv, text) => {
    const { stdout } = await report('junit', argv, text);
    const root = readXml(stdout);
    expect(flaws(root)).toEqual([]);
    for (const element of [root, ...root.children]) {
      const cases = element === root ? casesIn(root) : element.children;
      const count = (kind: string): string =>
        String(cases.filter(({ children }) => children[0]?.name === kind).length);
      expect(element.attributes).toMatchObject({
        tests: String(cases.length),
        failures: count('failure'),
        errors: count('error'),
        ...(element === root ? {} : { skipped: count('skipped') }),
      });
    }
  }); // prettier-ignore

  test('what makes the status 1 fails, what is left alone is skipped, the rest passes', async () => {
    const { status, stdout } = await report('junit', [
      '-',
      '--rule',
      'max-clients',
      '--rule',
      'max-requests-per-child',
    ]);
    const root = readXml(stdout);
    expect(status).toBe(1);
    expect(having(root, 'failure').map(({ attributes }) => attributes['name'])).toEqual([
      'max-clients, line 1 (change)',
    ]);
    expect(having(root, 'skipped').map(({ attributes }) => attributes['name'])).toEqual([
      'max-requests-per-child, line 3 (ignored)',
    ]);
    const clean = await report('junit', ['-'], 'Listen 80\n');
    expect([clean.status, having(readXml(clean.stdout), 'failure')]).toEqual([0, []]);
    expect(casesIn(readXml(clean.stdout)).length).toBeGreaterThan(0);
  });

  test('--fail-on decides here as it does for the status', async () => {
    const unresolved = 'CookieLogg x\n</Directory>\n';
    const [error, never] = await Promise.all(
      ['error', 'never'].map((level) => report('junit', ['-', '--fail-on', level], unresolved)),
    );
    expect(having(readXml(error!.stdout), 'failure').length).toBeGreaterThan(
      having(readXml(never!.stdout), 'failure').length,
    );
  });
});

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

async function issues(argv: readonly string[], text = TEXT): Promise<Issue[]> {
  return JSON.parse((await report('gitlab', argv, text)).stdout) as Issue[];
}

describe('--format gitlab', () => {
  const isIssue = {
    description: expect.stringMatching(/./) as string,
    check_name: expect.stringMatching(/^[a-z-]+$/) as string,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/) as string,
    location: { path: expect.stringMatching(/^[^./]/) as string, lines: { begin: expect.any(Number) as number } },
  }; // prettier-ignore

  test('has what GitLab asks for, and each fingerprint once', async () => {
    for (const list of [await issues(['-']), await issues(['/gone'])]) {
      expect(list.length).toBeGreaterThan(0);
      for (const issue of list) expect(issue).toEqual(isIssue);
      expect(new Set(list.map(({ fingerprint }) => fingerprint)).size).toBe(list.length);
    }
    expect(await issues(['-'], '')).toEqual([]);
  });

  test('a fingerprint stays when lines come before it, and paths are those of the repository', async () => {
    const [before, after] = [await issues(['-']), await issues(['-'], `# new\n${TEXT}`)];
    expect(after.map(({ fingerprint }) => fingerprint)).toEqual(before.map(({ fingerprint }) => fingerprint));
    expect(after[0]!.location.lines.begin).toBe(before[0]!.location.lines.begin + 1);
    expect((await issues(['-', '--stdin-name', '/srv/conf/x.conf']))[0]!.location.path).toBe('conf/x.conf');
  });
});
