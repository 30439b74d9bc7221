import Ajv from 'ajv';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../testing/run/command';

const schemas = join(__dirname, '../../docs/schemas');
const scratch = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'codemod-schemas-')));
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** @returns what is wrong with a value, null where nothing is */
function check(name: string, value: unknown): unknown {
  const ajv = new Ajv({ allErrors: true });
  const validate = ajv.compile(
    JSON.parse(fs.readFileSync(join(schemas, `${name}.schema.json`), 'utf8')) as object,
  );
  return validate(value) === true ? null : validate.errors;
}

interface JsonReport {
  findings: { status: string; group?: string; why?: string }[];
  assumptions: object[];
  trouble?: string[];
}

async function report(argv: readonly string[], text: string): Promise<JsonReport> {
  const { stdout } = await command(['--format', 'json', ...argv], { cwd: scratch, stdin: () => text });
  return JSON.parse(stdout) as JsonReport;
}

describe('the schema of the report', () => {
  const text = `MaxClients 5
# httpd-codemod-ignore-next-line
MaxRequestsPerChild 5
SSLMutex file:/run/x
<Directory /a>
Order deny,allow
Deny from all
</Directory>
<Directory /b>
Satisfy any
Allow from env=x
</Directory>
CookieLogg x
`;

  test('describes what is printed', async () => {
    const all = [
      await report(['-'], text),
      await report(['-', '--diff'], text),
      await report(['-', '--safe-only', '--dual'], text),
      await report(
        ['-', '--only', 'ssl-mutex', '--answer', 'ssl-mutex=yes', '--answer', 'served-as=no'],
        text,
      ),
      await report(['gone'], ''),
      await report(['--nonsense'], ''),
      await report(['-'], ''),
    ];
    expect(all.map((value) => check('report', value))).toEqual(all.map(() => null));
    // Otherwise little of it would be held against the output.
    const findings = all.flatMap((value) => value.findings);
    expect(new Set(findings.map(({ status }) => status))).toEqual(
      new Set(['applied', 'ignored', 'none', 'not-applied']),
    );
    expect(findings.some(({ group }) => group !== undefined)).toBe(true);
    expect(findings.some(({ why }) => why !== undefined)).toBe(true);
    expect(all.some(({ assumptions }) => assumptions.length > 0)).toBe(true);
    expect(all.some(({ trouble }) => trouble !== undefined)).toBe(true);
  });

  test('refuses anything else', async () => {
    const value = await report(['-'], text);
    expect(check('report', { ...value, exitStatus: 3 })).not.toBeNull();
    expect(check('report', { ...value, more: 1 })).not.toBeNull();
    expect(
      check('report', { ...value, findings: [{ ...value.findings[0], level: 'fatal' }] }),
    ).not.toBeNull();
    expect(check('report', { ...value, findings: undefined })).not.toBeNull();
  });
});

describe('the schema of the project file', () => {
  test.each<[object, boolean]>([
    [{}, true],
    [{ $schema: 'x', paths: ['a'], rules: ['max-clients'], skip: [], dual: true, serverRoot: 'x', target: '2.4.6' }, true],
    [{ severities: { 'max-clients': 'error', include: 'info' }, defines: { A: '1', B: '' } }, true],
    [{ answers: [{ key: 'served-as', in: 'x', value: 'yes', reason: 'x' }], accepted: [{ fingerprint: 'x', reason: 'y' }] }, true],
    [{ answers: [['placeholder', 'ip'], ['placeholder', 'host'], ['placeholder', 'any'], ['log', 'enough'], ['old-lines', 'as-on-2.2'], ['half-converted', 'as-2.4-lines'], ['php', 'module:7']].map(([key, value]) => ({ key, value, reason: 'x' })) }, true],
    [{ answers: [{ key: 'served-as', value: 'maybe', reason: 'x' }] }, false],
    [{ answers: [{ key: 'served-as', value: 'no' }] }, false],
    [{ answers: [{ key: 'served-as', value: 'no', reason: 'x', more: 1 }] }, false],
    [{ accepted: [{ fingerprint: 'x' }] }, false],
    [{ accepted: 'x' }, false],
    [{ version: 1 }, true],
    [{ version: 2 }, false],
    [{ path: ['a'] }, false],
    [{ paths: 'a' }, false],
    [{ paths: [''] }, false],
    [{ rules: [1] }, false],
    [{ severities: { include: 'fatal' } }, false],
    [{ defines: { A: 1 } }, false],
    [{ dual: 'yes' }, false],
    [{ serverRoot: '' }, false],
    [{ target: 2.4 }, false],
  ])('agrees with the reading of %j', async (value, isValid) => {
    fs.writeFileSync(join(scratch, 'project.json'), JSON.stringify(value));
    const { stderr } = await command(['-', '--config', 'project.json'], { cwd: scratch, stdin: () => '' });
    expect([check('project', value) === null, !stderr.includes('project.json')]).toEqual([isValid, isValid]);
  }); // prettier-ignore
});
