import Ajv from 'ajv';
import fs from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../../src/write/private-file';
import { command, type CommandResult } from '../../testing/run/command';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { directory } from '../../testing/write/directory';
import { type Texts, writeTree } from '../../testing/write/write-tree';

const openStore = storeIn(stateDirectory());
const FILES = {
  'conf/httpd.conf': 'ServerRoot /x\nMaxClients 5\nInclude extra/*.conf\n# caf\xe9\n',
  'conf/extra/a.conf': '<Directory /srv/a>\n    Order deny,allow\n    Deny from all\n</Directory>\n',
};

/** A new directory with these files, whose ServerRoot is in it. */
function serverDirectory(files: Texts = FILES): string {
  const root = directory();
  const texts = Object.entries(files).map(([name, text]) => [name, text.replace('/x', join(root, 'conf'))]);
  writeTree(root, Object.fromEntries(texts) as Texts);
  return root;
}

const read = (root: string, name: string): string => fs.readFileSync(join(root, name), 'latin1');

/** All files below, but for plans. */
function textsIn(root: string): Record<string, string> {
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(join(root, name)).isFile() && !name.endsWith('.json'));
  return Object.fromEntries(files.toSorted().map((name) => [name, read(root, name)]));
}

async function run(cwd: string, ...argv: string[]): Promise<CommandResult> {
  const writeOutput = (path: string, text: string): void =>
    writePrivate(path, Buffer.from(text, 'latin1'), { uid: process.geteuid?.(), env: {} });
  return command(
    [...argv, '--no-config'].filter((word) => argv[0] !== 'apply' || word !== '--no-config'),
    { cwd },
    { openStore, writeOutput },
  );
}

interface PlanDocument {
  readonly files: readonly { readonly path: string }[];
  readonly changes: { sha256After: string; edits: { start: number; end: number; text: unknown }[] }[];
}

const planIn = (root: string): PlanDocument =>
  JSON.parse(Buffer.from(read(root, 'p.json'), 'latin1').toString('utf8')) as PlanDocument;

test('apply writes exactly what the dry run showed', async () => {
  const [root, other] = [serverDirectory(), serverDirectory()];
  const before = textsIn(root);
  const dry = await run(root, 'conf/httpd.conf', '--plan', 'p.json');
  expect([dry.status, textsIn(root)]).toEqual([1, before]);
  expect(dry.stdout).toContain('+MaxRequestWorkers 5');
  expect(dry.stderr).toContain('$ httpd-codemod apply p.json');
  expect(dry.stderr).not.toContain('--write');
  expect(await run(root, 'apply', 'p.json', '--check')).toMatchObject({
    status: 1,
    stdout: 'conf/extra/a.conf\nconf/httpd.conf\n',
  });
  expect(textsIn(root)).toEqual(before);
  // From anywhere.
  const applied = await run(join(root, 'conf'), 'apply', '../p.json');
  expect(applied.stderr).toContain('Written as planned: 2 files');
  await run(other, '-w', 'conf/httpd.conf');
  const here = (texts: Record<string, string>): string => JSON.stringify(texts).replaceAll(other, root);
  expect(here(textsIn(root))).toBe(here(textsIn(other)));
  expect(textsIn(root)).not.toEqual(before);
  // It is written already.
  expect((await run(root, 'apply', 'p.json')).status).toBe(2);
});

test('the plan is as its schema says', async () => {
  const root = serverDirectory({ ...FILES, 'conf/\xff.conf': 'MaxClients 6 # \xe9\xe8\n' });
  fs.renameSync(join(root, 'conf/\xff.conf'), Buffer.from(join(root, 'conf/\xff.conf'), 'latin1'));
  const name = `conf/\xff.conf`;
  await run(root, 'conf/httpd.conf', name, '-D', 'A', '-D', 'B=c', '--server-root', '/', '--plan', 'p.json');
  const schema = JSON.parse(
    fs.readFileSync(join(__dirname, '../../docs/schemas/plan.schema.json'), 'utf8'),
  ) as object;
  const validate = new Ajv({ allErrors: true }).compile(schema);
  const plan = planIn(root);
  expect([validate(plan), validate.errors]).toEqual([true, null]);
  expect(plan.files.map(({ path }) => path)).toContainEqual({ latin1: `${root}/${name}` });
  expect(validate({ ...plan, version: 1 })).toBe(false);
  expect(validate({ ...plan, more: 1 })).toBe(false);
  expect(validate({ ...plan, status: 2 })).toBe(false);
  expect((await run(root, 'apply', 'p.json')).stderr).toContain('Written as planned');
});

describe('refused, with every file named, where', () => {
  test.each<[string, (root: string) => void, readonly string[]]>([
    ['a file to write has changed', (root) => fs.appendFileSync(join(root, 'conf/httpd.conf'), '#\n'), ['conf/httpd.conf: changed since the plan was made']],
    ['a file that was only read has changed', (root) => fs.appendFileSync(join(root, 'conf/extra/b.conf'), 'Allow from all\n'), ['conf/extra/b.conf: changed since the plan was made']],
    ['a file is read that was not there', (root) => fs.writeFileSync(join(root, 'conf/extra/c.conf'), '# new\n'), ['conf/extra/c.conf: was not read when the plan was made']],
    ['a file is gone', (root) => fs.rmSync(join(root, 'conf/extra/a.conf')), ['conf/extra/a.conf: is not read any more']],
    ['several', (root) => ['a', 'b'].forEach((name) => fs.appendFileSync(join(root, `conf/extra/${name}.conf`), '#\n')), ['a.conf: changed', 'b.conf: changed']],
  ])('%s', async (_, change, said) => {
    const root = serverDirectory({ ...FILES, 'conf/extra/b.conf': '# nothing\n' });
    await run(root, 'conf/httpd.conf', '--plan', 'p.json');
    change(root);
    const before = textsIn(root);
    const { status, stderr } = await run(root, 'apply', 'p.json');
    expect([status, textsIn(root)]).toEqual([2, before]);
    for (const line of said) expect(stderr).toContain(line);
    expect(stderr).toContain('nothing written: make a new plan');
  }); // prettier-ignore

  test.each<[string, (plan: PlanDocument) => unknown]>([
    ['it is no plan', () => ({})],
    ['it is of another version', (plan) => ({ ...plan, version: 1 })],
    ['its text was changed', (plan) => { plan.changes[0]!.edits[0]!.text = 'Require all granted\n'; return plan; }],
    ['its edits overlap', (plan) => { plan.changes[0]!.edits.push(plan.changes[0]!.edits[0]!); return plan; }],
    ['an edit is outside of the file', (plan) => { plan.changes[0]!.edits[0]!.end = 1e6; return plan; }],
    ['an offset is none', (plan) => { plan.changes[0]!.edits[0]!.start = -1; return plan; }],
    ['it writes a file that it does not read', (plan) => ({ ...plan, changes: [{ ...plan.changes[0]!, path: '/etc/passwd' }] })],
    ['it has a number for a text', (plan) => ({ ...plan, cwd: 1 })],
  ])('%s', async (_, change) => {
    const root = serverDirectory();
    await run(root, 'conf/httpd.conf', '--plan', 'p.json');
    fs.writeFileSync(join(root, 'p.json'), JSON.stringify(change(planIn(root))));
    const before = textsIn(root);
    const { status, stderr } = await run(root, 'apply', 'p.json');
    expect([status, textsIn(root)]).toEqual([2, before]);
    expect(stderr).toMatch(/^httpd-codemod: p\.json: (?:is no plan|made by a version)/);
  }); // prettier-ignore
});

test('--only and --plan: what was left out is not in the plan', async () => {
  const root = serverDirectory();
  await run(root, 'conf/httpd.conf', '--plan', 'p.json', '--only', 'max-clients');
  expect(planIn(root).changes).toHaveLength(1);
  await run(root, 'apply', 'p.json', '--backup=.old');
  expect(read(root, 'conf/httpd.conf')).toContain('MaxRequestWorkers');
  expect(read(root, 'conf/httpd.conf.old')).toContain('MaxClients');
  expect(read(root, 'conf/extra/a.conf')).toContain('Order');
});

test.each([
  [['--plan', 'p', '-w', 'x'], '--plan and --write contradict'],
  [['--plan', 'p', '--check', 'x'], '--plan and --check contradict'],
  [['--plan', 'p', '-'], 'standard input'],
  [['apply', 'p', '--dual'], 'apply takes no --dual'],
  [['apply', 'gone'], 'gone: '],
])('%j', async (argv, message) => {
  expect((await run('/', ...argv)).stderr).toContain(message);
});

test('a plan does not replace a file of the configuration', async () => {
  const root = serverDirectory();
  const { status, stderr } = await run(root, 'conf/httpd.conf', '--plan', 'conf/extra/a.conf');
  expect([status, read(root, 'conf/extra/a.conf')]).toEqual([2, FILES['conf/extra/a.conf']]);
  expect(stderr).toContain('--plan conf/extra/a.conf: is a file of the configuration');
});

test('a plan is its user’s alone, and is refused where others could have changed it', async () => {
  const root = serverDirectory();
  const plan = join(root, 'p.json');
  await run(root, 'conf/httpd.conf', '--plan', 'p.json');
  expect(fs.statSync(plan).mode & 0o777).toBe(0o600);
  fs.chmodSync(plan, 0o666);
  const before = textsIn(root);
  for (const check of [[], ['--check']])
    expect(await run(root, 'apply', 'p.json', ...check)).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'httpd-codemod: p.json: may be written by other users: not used, as somebody else could have written it\n',
    });
  expect(textsIn(root)).toEqual(before);
  // Made anew it is still everybody's.
  await run(root, 'conf/httpd.conf', '--plan', 'p.json');
  expect((await run(root, 'apply', 'p.json')).status).toBe(2);
  fs.chmodSync(plan, 0o644);
  expect((await run(root, 'apply', 'p.json')).stderr).toContain('Written as planned');
});
