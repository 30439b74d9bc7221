// npm run test:rule -- ID [CASE]: runs the tests of one rule, or of one of its cases, and prints their results alone. Those of the
// lists that every rule stands in are run too, and printed where they fail.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = ['fixtures', 'fixtures-httpd', 'served-fixtures', 'docs', 'registry', 'served-list'];

/** How the tests of the lists begin. */
const ALL_RULES = 'for all rules ';

const [rule = '', name = ''] = process.argv.slice(2).join('/').split('/');
if (rule === '' || !existsSync(join('__fixtures__/transforms', rule, name))) {
  process.stderr.write(
    rule === ''
      ? 'usage: npm run test:rule -- RULE [CASE]\n'
      : `there is no __fixtures__/transforms/${join(rule, name)}\n`,
  );
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-rule-'));
try {
  const output = join(scratch, 'results.json');
  const files = FILES.map((file) => `__tests__/transforms/${file}.test.ts`);
  const pattern =
    name === '' ? `^${ALL_RULES}|(?:^|[ /])${rule}(?:/|\\.md)` : `(?:^|[ /])${rule}/${name}(?: |$)`;
  // All cases, not the share of `npm test`.
  const globals = JSON.stringify({ FULL_SIZE: true });
  const jest = ['node_modules/jest/bin/jest.js', ...files, '-t', pattern, '--globals', globals];
  const { stderr } = spawnSync(process.execPath, [...jest, '--json', '--outputFile', output], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (!existsSync(output)) throw new Error(stderr);
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const run = tests.filter(
    ({ status, fullName }) => status === 'failed' || (status === 'passed' && !fullName.startsWith(ALL_RULES)),
  );
  for (const { status, fullName, failureMessages } of run) {
    process.stdout.write(`${status === 'passed' ? '✓' : '✗'} ${fullName}\n`);
    for (const message of failureMessages)
      process.stdout.write(`${message.replace(/\n +at .*/g, '').replace(/^/gm, '    ')}\n`);
  }
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  for (const { message } of broken) process.stdout.write(`${message}\n`);
  const failed = run.filter(({ status }) => status === 'failed').length + broken.length;
  process.stdout.write(`${run.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 || run.length === 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true });
}
