import { join } from 'node:path';
import type { Log } from 'sarif';
import type { Transform } from '../../src/engine';
import { command, type CommandResult } from '../../testing/run/command';
import { transforms } from '../../transforms';
import { directory } from '../../testing/write/directory';
import { writeTree } from '../../testing/write/write-tree';

interface ReportedFinding {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly safety: string;
  readonly status: string;
  readonly state: string;
  readonly message: string;
  readonly assumes: readonly string[];
  readonly fingerprint: string;
  readonly accepted?: string;
}

interface Report {
  readonly findings: readonly ReportedFinding[];
  readonly assumptions: readonly { readonly key: string }[];
  readonly unmet?: { readonly answers: readonly object[]; readonly accepted: readonly string[] };
  readonly exitStatus: number;
}

async function report(
  root: string,
  argv: readonly string[],
  all: readonly Transform[] = transforms,
): Promise<Report> {
  const { stdout } = await command([...argv, '--format', 'json'], { cwd: root }, { transforms: all });
  return JSON.parse(stdout) as Report;
}

const run = (root: string, ...argv: string[]): Promise<CommandResult> => command(argv, { cwd: root });

/** Without the server configuration, what is above may say more. */
const PART = '<Directory /srv/a>\nOrder deny,allow\nDeny from all\n</Directory>\nDefaultType text/plain\n';
const ACCESS = ['--rule', 'order-allow-deny'];

describe('answers', () => {
  test('what is so makes a change exact: it is one of --safe-only then', async () => {
    const root = directory({ 'a.conf': PART });
    const assumed = await report(root, ['a.conf', ...ACCESS]);
    expect(assumed.findings).toMatchObject([{ safety: 'review', assumes: ['all-files-given'] }]);
    expect(assumed.assumptions).toMatchObject([{ key: 'all-files-given' }]);
    const known = await report(root, [
      'a.conf',
      ...ACCESS,
      '--safe-only',
      '--answer',
      'all-files-given=yes:I wrote it',
    ]);
    expect(known.findings).toMatchObject([
      {
        safety: 'safe',
        status: 'applied',
        state: 'applied',
        answers: [{ key: 'all-files-given', value: true, reason: 'I wrote it' }],
      },
    ]);
    expect(known.findings[0]!.message).not.toContain('assuming');
    expect(known.assumptions).toEqual([]);
  });

  test('what is not so keeps a change out, and what goes together with it', async () => {
    const root = directory({ 'a.conf': `${PART}<Directory /srv/a/b>\nAllow from 10.0.0.1\n</Directory>\n` });
    const { findings, exitStatus } = await report(root, [
      'a.conf',
      ...ACCESS,
      '--answer',
      'all-files-given=no:b.conf',
    ]);
    expect(findings).toMatchObject([
      { status: 'not-applied', state: 'left', why: 'answered no to all-files-given: b.conf' },
      { status: 'not-applied', state: 'left' },
    ]);
    expect(exitStatus).toBe(1);
  });

  test('of a finding without assumptions of its own the rule is the key', async () => {
    const root = directory({ 'a.conf': PART });
    const rule = ['a.conf', '--rule', 'default-type'];
    expect((await report(root, rule)).findings).toMatchObject([
      { safety: 'review', assumes: ['default-type'] },
    ]);
    const no = await run(root, ...rule, '--answer', 'default-type=no:PHP needs it');
    // It is decided: nothing is pending.
    expect([no.status, no.stdout]).toEqual([0, '']);
    expect(no.stderr).toContain('left out (answered no to default-type: PHP needs it)');
    expect((await run(root, ...rule, '--answer', 'default-type=yes')).stdout).toContain('-DefaultType');
  });

  test('for a place: the smallest counts', async () => {
    const root = directory({ 'a/x.conf': PART, 'a/y.conf': PART, 'b/z.conf': PART });
    const answers = ['default-type=no', 'default-type@a=yes', 'default-type@a/y.conf=no'].flatMap(
      (answer) => ['--answer', answer],
    );
    const argv = ['a/x.conf', 'a/y.conf', 'b/z.conf', '--rule', 'default-type', '--check'];
    expect((await run(root, ...argv, ...answers)).stdout).toBe('a/x.conf\n');
    expect(
      (
        await run(
          root,
          ...argv,
          ...answers.toReversed().flatMap((word) => (word === '--answer' ? [] : ['--answer', word])),
        )
      ).stdout,
    ).toBe('a/x.conf\n');
  });

  test('from the project file, with its own directory for places; the command line wins', async () => {
    const root = directory({ 'conf/a.conf': PART, 'conf/b.conf': PART });
    const answers = [{ key: 'default-type', in: 'conf/a.conf', value: 'no', reason: 'needed' }];
    writeTree(root, { 'httpd-codemod.config.json': JSON.stringify({ answers }) });
    const argv = ['a.conf', 'b.conf', '--rule', 'default-type', '--check'];
    expect((await run(join(root, 'conf'), ...argv)).stdout).toBe('b.conf\n');
    expect((await run(join(root, 'conf'), ...argv, '--answer', 'default-type@a.conf=yes')).stdout).toBe(
      'a.conf\nb.conf\n',
    );
  });

  test('one that meets nothing any more is reported', async () => {
    const root = directory({ 'a.conf': PART });
    const argv = [
      'a.conf',
      '--answer',
      'default-type=yes',
      '--answer',
      'default-type@b.conf=no',
      '--answer',
      'served-as=yes',
    ];
    const { stderr } = await run(root, ...argv);
    expect(stderr).toContain(
      `the answer to default-type in ${root}/b.conf meets nothing any more: remove it`,
    );
    expect(stderr).toContain('the answer to served-as meets nothing any more: remove it');
    expect((await report(root, argv)).unmet).toEqual({
      answers: [{ key: 'default-type', place: `${root}/b.conf` }, { key: 'served-as' }],
      accepted: [],
    });
    // Rules that are not asked say nothing of it.
    expect((await run(root, ...argv, '--rule', 'max-clients')).stderr).not.toContain('meets nothing');
  });

  test.each([
    ['x', 'KEY[@PATH]=yes|no'],
    ['default-type=perhaps', "the answer to default-type is yes or no, not 'perhaps'"],
    ['default-typ=yes', "did you mean 'default-type'"],
  ])('%s is refused', async (answer, message) => {
    const { status, stderr } = await run(directory({ 'a.conf': '' }), 'a.conf', '--answer', answer);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each<[object, string]>([
    [{ answers: [{ key: 'default-type', value: 'yes' }] }, 'answers: reason must be a string'],
    [{ answers: [{ key: 'default-type', value: true, reason: 'x' }] }, 'answers: value must be yes or no'],
    [{ answers: [{ key: 'x', value: 'yes', reason: 'x' }] }, "nothing is assumed by the name 'x'"],
    [{ answers: [{ key: 'x', value: 'yes', reason: 'x', place: 'y' }] }, "answers: unknown key 'place'"],
    [{ accepted: [{ fingerprint: 'x' }] }, 'accepted: reason must be a string'],
    [{ accepted: {} }, 'accepted must be a list'],
  ])('the project file: %j', async (project, message) => {
    const root = directory({ 'a.conf': '', 'httpd-codemod.config.json': JSON.stringify(project) });
    expect((await run(root, 'a.conf')).stderr).toContain(message);
  });
});

/** A site whose access lines stay: nobody knows what the variable is. */
const site = (name: string, lines = 'Satisfy any\nAllow from env=known\nRequire valid-user\n'): string =>
  `<VirtualHost ${name}.example.org:80>\nServerName ${name}.example.org\nDocumentRoot /srv/${name}\n<Directory /srv/${name}/in>\n${lines}</Directory>\n</VirtualHost>\n`;

const BASE =
  'ServerRoot /x\nNameVirtualHost *:80\n<Directory />\nOrder deny,allow\nDeny from all\n</Directory>\n';

describe('accepted findings', () => {
  const open = ({ findings }: Report): readonly ReportedFinding[] =>
    findings.filter(({ state, path }) => state === 'open' && path !== 'httpd.conf');
  const accept = (root: string, fingerprints: readonly string[]): void =>
    writeTree(root, {
      'httpd-codemod.config.json': JSON.stringify({
        accepted: fingerprints.map((fingerprint) => ({ fingerprint, reason: 'looked at it' })),
      }),
    });
  const sites = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`sites/${name}.conf`, site(`site-${name}`, 'Order nonsense\n')]),
  );
  const files = { 'httpd.conf': `${BASE.replace('/x', '.')}Include sites/*.conf\n`, ...sites };
  const argv = ['httpd.conf', 'sites', '--server-root', '.'];

  test('one review of a site covers its copies; they are not asked again', async () => {
    const root = directory(files);
    const before = open(await report(root, argv));
    expect(before.map(({ path }) => path)).toEqual(Object.keys(sites));
    const fingerprints = new Set(before.map(({ fingerprint }) => fingerprint));
    expect(fingerprints.size).toBe(1);
    accept(root, [...fingerprints]);
    const after = await report(root, argv);
    expect(open(after)).toEqual([]);
    expect(after.findings.filter(({ accepted }) => accepted === 'looked at it')).toHaveLength(before.length);
    // Other lines come and go.
    writeTree(root, { 'sites/a.conf': `# new\n\n${sites['sites/a.conf']}` });
    expect(open(await report(root, argv))).toEqual([]);
    expect((await run(root, ...argv, '-v', '--no-config')).stderr).toContain(` ${[...fingerprints][0]}]`);
  });

  test('other formats do not ask again either, and SARIF holds what a finding is known by', async () => {
    const root = directory(files);
    const inFormat = async (format: string): Promise<string> =>
      (await run(root, ...argv, '--format', format)).stdout;
    const resultsOf = (sarif: string): NonNullable<Log['runs'][0]['results']> =>
      (JSON.parse(sarif) as Log).runs[0]!.results!;
    const { findings } = await report(root, argv);
    const before = resultsOf(await inFormat('sarif'));
    expect(before.map(({ partialFingerprints }) => partialFingerprints)).toEqual(
      findings.map(({ fingerprint }) => ({ 'httpdCodemodFinding/v1': fingerprint })),
    );
    for (const format of ['github', 'gitlab']) expect(await inFormat(format)).toContain('2.2 itself refuses');
    accept(root, [open(await report(root, argv))[0]!.fingerprint]);
    for (const format of ['github', 'gitlab'])
      expect(await inFormat(format)).not.toContain('2.2 itself refuses');
    const suppressed = resultsOf(await inFormat('sarif')).filter(
      ({ suppressions }) => suppressions !== undefined,
    );
    expect(suppressed.map(({ suppressions }) => suppressions)).toEqual(
      Object.keys(sites).map(() => [{ kind: 'external', justification: 'looked at it' }]),
    );
  });

  test.each<[string, Record<string, string>]>([
    ['the line', { 'sites/a.conf': site('site-a', 'Order senseless\n') }],
    ['the section around it', { 'sites/a.conf': site('site-a', 'Order nonsense\n').replace('/in>', '/out>') }],
    ['the lines of the section', { 'sites/a.conf': site('site-a', 'Order nonsense\nAllow from all\n') }],
    ['what it inherits', { 'httpd.conf': files['httpd.conf'].replace('Deny from all', 'Allow from 10.1.2.3') }],
  ])('an acceptance ends when %s changes', async (_, changed) => {
    const root = directory(files);
    const [first] = open(await report(root, argv));
    accept(root, [first!.fingerprint]);
    expect(open(await report(root, argv))).toEqual([]);
    writeTree(root, changed);
    const now = await report(root, argv);
    const everywhere = 'httpd.conf' in changed;
    expect(open(now).map(({ path }) => path)).toEqual(everywhere ? Object.keys(sites) : ['sites/a.conf']);
    expect(now.unmet?.accepted).toEqual(everywhere ? [first!.fingerprint] : []);
  }); // prettier-ignore

  test('and when the rule does', async () => {
    const root = directory(files);
    const [first] = open(await report(root, argv));
    accept(root, [first!.fingerprint]);
    const newer = transforms.map((transform) => ({ ...transform, version: 2 }));
    expect(open(await report(root, argv, newer))).toHaveLength(3);
    expect((await run(root, ...argv)).stderr).not.toContain('is not there any more');
    accept(root, ['0123456789abcdef']);
    expect((await run(root, ...argv)).stderr).toContain(
      'the accepted finding 0123456789abcdef is not there any more',
    );
  });
});
