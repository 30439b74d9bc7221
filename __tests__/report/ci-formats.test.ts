import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import '@microsoft/jest-sarif';
import type { Log } from 'sarif';
import type { RunResult, Transform } from '../../src/engine';
import { githubReport, sarifReport } from '../../src/report';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { shareOf } from '../../testing/run/size';
import { transforms } from '../../transforms';

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

interface LogOptions {
  fixes?: boolean;
  exitStatus?: number;
  transforms?: readonly Transform[];
}

function logOf(result: RunResult, over: LogOptions = {}): Log {
  const options = { version: '1.2.3', exitStatus: 1, transforms, fixes: true, ...over };
  return JSON.parse(
    Buffer.from([...sarifReport(result, options)].join(''), 'latin1').toString('utf8'),
  ) as Log;
}

/**
 * With the rules that have found something. A log explains all rules, which are a hundred times as long as what they find in a
 * fixture.
 */
function shortLogOf(result: RunResult): Log {
  const found = new Set(result.outcomes.map(({ rule }) => rule));
  return logOf(result, { transforms: transforms.filter(({ id }) => found.has(id)) });
}

/**
 * What a reader of the log makes of a decoded file: the fixes applied as the standard says. It leaves open in which order
 * insertions at one place come: that is the plan's.
 */
function fixed(log: Log, uri: string, text: string, result: RunResult): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const at = (line: number, column: number): number => starts[line - 1]! + column - 1;
  const cuts = log.runs[0]!.results!.flatMap(({ fixes }) => fixes ?? [])
    .flatMap(({ artifactChanges }) => artifactChanges)
    .filter(({ artifactLocation }) => artifactLocation.uri === uri)
    .flatMap(({ replacements }) => replacements)
    .map(({ deletedRegion, insertedContent }) => {
      const { startLine, startColumn, endLine, endColumn } = deletedRegion as Record<
        'startLine' | 'startColumn' | 'endLine' | 'endColumn',
        number
      >;
      const cut = {
        start: at(startLine, startColumn),
        end: at(endLine, endColumn),
        text: insertedContent?.text ?? '',
      };
      const edits = result.plan.flatMap((change) => change.edits);
      const order = edits.findIndex(
        (edit) => edit.start === cut.start && edit.end === cut.end && edit.text === cut.text,
      );
      return { ...cut, order };
    })
    .sort((a, b) => b.start - a.start || b.end - a.end || b.order - a.order);
  return cuts.reduce((edited, cut) => edited.slice(0, cut.start) + cut.text + edited.slice(cut.end), text);
}

describe('SARIF', () => {
  const folder = join(__dirname, '../..', '__fixtures__', 'transforms');
  const inputs = readdirSync(folder).flatMap((rule) =>
    readdirSync(join(folder, rule)).map((name) => join(folder, rule, name, 'input.conf')),
  );
  const all = inputs.flatMap((path) => {
    try {
      return [[path.slice(folder.length + 1), readFileSync(path, 'latin1')] as const];
    } catch {
      return [];
    }
  });
  const texts = shareOf(all);

  const known = new Map<string, RunResult>();
  function resultOf(text: string): RunResult {
    const result = known.get(text) ?? convertFiles({ '/a.conf': text });
    known.set(text, result);
    return result;
  }

  test('the logs of all fixtures are valid', () => {
    const logs = texts.map(([, text]) => shortLogOf(resultOf(text)));
    // One log of all their runs, since the matcher reads the schema anew each time; each rule is read once.
    const runs = logs.flatMap((log) => log.runs);
    const rules = new Map(
      runs.flatMap(({ tool }) => tool.driver.rules ?? []).map((rule) => [JSON.stringify(rule), rule]),
    );
    const summaries = runs.map((run, i) => {
      const driver = { ...run.tool.driver, rules: i === 0 ? [...rules.values()] : [] };
      return { ...run, tool: { ...run.tool, driver } };
    });
    expect({ ...logs[0], runs: summaries }).toBeValidSarifLog();
  });

  test.each(texts)('%s: the fixes give what the run would write', (_, text) => {
    const result = resultOf(text);
    const log = shortLogOf(result);
    expect(log.runs[0]!.results).toHaveLength(result.outcomes.length);
    expect(fixed(log, 'a.conf', text, result)).toBe(textAfter(result, '/a.conf'));
  });

  test.each([
    ['UTF-8', 'utf-8', latin1('# \u{1f511} caf\u00e9\nMaxClients 5 # \u{1f511}\n\n')],
    ['UTF-8 after a byte order mark', 'utf-8', `\xef\xbb\xbfMaxClients 5\n# ${latin1('\u00e9')}\n`],
    ['latin1', 'iso-8859-1', '# caf\xe9\r\n\tMaxClients 5\r\n'],
  ])('a file in %s', (_, encoding, text) => {
    const result = convertFiles({ '/a b.conf': text });
    const log = logOf(result);
    expect(log).toBeValidSarifLog();
    expect(log.runs[0]!.artifacts).toEqual([{ location: { uri: 'a%20b.conf', index: 0 }, encoding }]);
    const decoded = new TextDecoder(encoding).decode(Buffer.from(text, 'latin1'));
    expect(fixed(log, 'a%20b.conf', decoded, result)).toBe(
      decoded.replace('MaxClients', 'MaxRequestWorkers'),
    );
  });

  test('what is only right together is one fix, across files', () => {
    const result = convertFiles(
      {
        '/a.conf':
          '<Directory /x>\nOrder deny,allow\nDeny from all\n</Directory>\nInclude /b.conf\nAccessFileName .none\nServerRoot /\n',
        '/b.conf': '<Directory /x/y>\nAllow from all\n</Directory>\n',
      },
      ['/a.conf'],
    );
    const groups = new Set(
      result.outcomes.flatMap(({ group, status }) =>
        status === 'applied' && group !== undefined ? [group] : [],
      ),
    );
    const fixes = logOf(result).runs[0]!.results!.flatMap((entry) => entry.fixes ?? []);
    expect(groups.size).toBe(1);
    expect(fixes.filter(({ artifactChanges }) => artifactChanges.length === 2)).toHaveLength(1);
  });

  test('after writing there is nothing left to fix', () => {
    const log = logOf(convertFiles({ '/a.conf': 'MaxClients 5\n' }), { fixes: false, exitStatus: 0 });
    expect(log.runs[0]!.results!.map((entry) => entry.fixes)).toEqual([undefined]);
    expect(log.runs[0]!.invocations).toEqual([{ executionSuccessful: true, exitCode: 0 }]);
  });

  test('every rule is explained, and results point at theirs', () => {
    const [run] = logOf(convertFiles({ '/a.conf': 'MaxClients 5\n<Directory /x>\n' })).runs;
    const rules = run!.tool.driver.rules!;
    for (const { id } of transforms) {
      const rule = rules.find((entry) => entry.id === id);
      expect(rule?.help?.text.length).toBeGreaterThan(20);
    }
    expect(run!.results!.length).toBeGreaterThan(1);
    for (const { ruleId, ruleIndex } of run!.results!) expect(rules[ruleIndex!]!.id).toBe(ruleId);
  });
});

test('GitHub annotations: one line each, special characters escaped', () => {
  const result = convertFiles({ '/a,b:c%.conf': 'MaxClients 5\n</Oops%>\n' });
  const report = githubReport(result, { quiet: false });
  expect(report.split('\n')).toEqual([
    expect.stringMatching(
      /^::notice file=a%2Cb%3Ac%25\.conf,line=1,col=1,title=max-clients \(change\)::MaxClients is called/,
    ),
    expect.stringMatching(/^::error file=a%2Cb%3Ac%25\.conf,line=2,col=1,title=syntax \(blocker\)::/),
    '',
  ]);
  expect(githubReport(result, { quiet: true })).not.toContain('MaxClients');
});

describe('action.yml', () => {
  const root = join(__dirname, '../..');
  const yaml = readFileSync(join(root, 'action.yml'), 'utf8');
  const script = yaml.slice(yaml.lastIndexOf('run: |') + 6).replace(/^ {8}/gm, '');
  const act = (
    paths: string,
    more = '--check --rule max-clients',
  ): { status: number | null; stdout: string } =>
    spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GITHUB_ACTION_PATH: root, PATHS: paths, ARGUMENTS: more },
    });

  test('annotates what is pending, and fails', () => {
    const { status, stdout } = act('__fixtures__/transforms/max-clients/everywhere/input.conf\n');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^::notice file=__fixtures__\/transforms\/max-clients\/everywhere\/input\.conf,line=/,
    );
  });

  test('takes several paths, and more options', () => {
    const paths =
      '__fixtures__/transforms/max-clients/noop-others/input.conf\n\n__fixtures__/transforms/max-clients/everywhere/input.conf\n';
    expect(act(paths, '--check --rule default-type')).toMatchObject({ status: 0, stdout: '' });
    expect(act('no such file').status).toBe(2);
  });
});
