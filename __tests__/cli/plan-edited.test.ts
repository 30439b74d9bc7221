import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cli } from '../../src/cli';
import { applyEdits, type Edit } from '../../src/edit';
import { writePrivate } from '../../src/write/private-file';
import type { CommandResult } from '../../testing/run/command';
import { services } from '../../testing/run/services';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { directory } from '../../testing/write/directory';

// Whoever edits a plan decides no more than whoever runs the program: apply makes the changes again.

const openStore = storeIn(stateDirectory());
const CONF = `ServerRoot /srv
MaxClients 5
<Directory /srv/closed>
    Order deny,allow
    Deny from all
</Directory>
<Directory /srv/open>
    Order allow,deny
    Allow from all
</Directory>
`;
const SECRET = 'root:x:0:0::/root:/bin/sh\n';

interface Person {
  readonly answers?: readonly string[];
  readonly text?: string;
}

async function run(
  cwd: string,
  argv: readonly string[],
  { answers = [], text }: Person = {},
): Promise<CommandResult> {
  const said = { stdout: '', stderr: '' };
  const left = [...answers];
  const io = {
    stdout: { write: (bytes: string) => void (said.stdout += bytes), isTTY: false },
    stderr: { write: (bytes: string) => void (said.stderr += bytes), isTTY: false },
    env: {},
    cwd,
    uid: process.geteuid?.(),
    stdin: () => '',
    ask: () => left.shift(),
    ...(text !== undefined && { edit: () => text }),
    now: () => 0,
  };
  const writeOutput = (path: string, bytes: string): void =>
    writePrivate(path, Buffer.from(bytes, 'latin1'), { uid: io.uid, env: {} });
  const status = await cli(argv, io, { ...services, openStore, writeOutput });
  return { status, ...said };
}

interface PlanDocument {
  readonly options: { paths: string[]; interactive?: true };
  readonly files: { path: string; sha256: string }[];
  changes: { path: string; sha256After: string; edits: Edit[] }[];
}

const hash = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');
const read = (path: string): string => fs.readFileSync(path, 'latin1');
const planIn = (root: string): PlanDocument => JSON.parse(read(join(root, 'p.json'))) as PlanDocument;

/** A change of a whole file, with the hash that belongs to it. */
function changeOf(path: string, edits: Edit[]): PlanDocument['changes'][number] {
  return { path, edits, sha256After: hash(applyEdits(read(path), edits)) };
}

/** A server, its plan edited, and what applying that says. */
async function applied(
  argv: readonly string[],
  change: (plan: PlanDocument, conf: string, secret: string) => void,
  person?: Person,
): Promise<readonly [result: CommandResult, conf: string, secret: string]> {
  const root = directory({ 'httpd.conf': CONF, secret: SECRET });
  await run(root, ['--plan', 'p.json', ...argv, 'httpd.conf'], person);
  const [conf, secret] = [join(root, 'httpd.conf'), join(root, 'secret')];
  const plan = planIn(root);
  change(plan, conf, secret);
  fs.writeFileSync(join(root, 'p.json'), JSON.stringify(plan));
  const result = await run(root, ['apply', 'p.json']);
  return [result, read(conf), read(secret)];
}

/** An edit that opens what was closed. */
function openClosed(conf: string): Edit {
  const text = read(conf);
  const start = text.indexOf('    Order deny');
  return { start, end: text.indexOf('</Directory>', start), text: '    Require all granted\n' };
}

test('twin: a plan that nobody edited is written', async () => {
  const [{ status, stderr }, conf] = await applied([], () => undefined);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Written as planned: 1 file')]);
  expect(conf).toContain('MaxRequestWorkers 5');
  expect(conf).toContain('Require all denied');
});

describe.each([[[]], [['--dual']], [['--only', 'max-clients']]])('with %j', (argv) => {
  test.each<[string, (plan: PlanDocument, conf: string, secret: string) => void]>([
    [
      'that opens what was closed',
      (plan, conf) => {
        plan.changes = [changeOf(conf, [openClosed(conf)])];
      },
    ],
    [
      'that opens it beside what the rules make',
      (plan, conf) => {
        const start = read(conf).length;
        plan.changes = [
          changeOf(conf, [
            ...plan.changes[0]!.edits,
            { start, end: start, text: '<Directory /srv/closed>\nRequire all granted\n</Directory>\n' },
          ]),
        ];
      },
    ],
    [
      'that leaves out some of the edits',
      (plan, conf) => {
        plan.changes = [changeOf(conf, plan.changes[0]!.edits.slice(1))];
      },
    ],
    [
      'that leaves out a file',
      (plan) => {
        plan.changes = [];
      },
    ],
    [
      'that starts a program',
      (plan, conf) => {
        plan.changes = [
          changeOf(conf, [
            ...plan.changes[0]!.edits,
            { start: read(conf).length, end: read(conf).length, text: 'CustomLog "|/bin/evil" x\n' },
          ]),
        ];
      },
    ],
    [
      'of a file that is no configuration',
      (plan, _, secret) => {
        plan.options.paths = [secret];
        plan.files.splice(0, Infinity, { path: secret, sha256: hash(SECRET) });
        plan.changes = [changeOf(secret, [{ start: 0, end: 0, text: 'evil::0:0::/:/bin/sh\n' }])];
      },
    ],
    [
      'of a file beside',
      (plan, _, secret) => {
        plan.options.paths.push(secret);
        plan.files.push({ path: secret, sha256: hash(SECRET) });
        plan.changes.push(changeOf(secret, [{ start: 0, end: 0, text: 'evil::0:0::/:/bin/sh\n' }]));
      },
    ],
  ])('an edited plan is not written: one %s', async (_, change) => {
    const [{ status, stderr }, conf, secret] = await applied(argv, change);
    expect([status, conf, secret]).toEqual([2, CONF, SECRET]);
    expect(stderr).toMatch(
      /the rules do not make the changes of this plan|is not read any more|was not read when/,
    );
    expect(stderr).toContain('nothing written: make a new plan');
  });
});

describe('twin: apply writes what a run with the same options writes', () => {
  test.each([
    [['--dual']],
    [['--pin-defaults']],
    [['--exact', '--safe-only']],
    [['--skip', 'max-clients']],
    [['--rule', 'max-clients']],
    [['--only', 'max-clients']],
    [['--exclude', 'nothing.conf']],
    [['--target', '2.4.6']],
    [['--modules', 'modules.txt']],
    [['--answer', 'all-files-given=no:there is more']],
    [['-D', 'A', '-D', 'B=c']],
  ])('%j', async (argv) => {
    const files = {
      'httpd.conf': CONF,
      'modules.txt': 'Loaded Modules:\n so_module (static)\n authz_core_module (shared)\n',
    };
    const [planned, written] = [directory(files), directory(files)];
    await run(planned, ['--plan', 'p.json', ...argv, 'httpd.conf']);
    await run(planned, ['apply', 'p.json']);
    await run(written, ['-w', ...argv, 'httpd.conf']);
    expect(read(join(planned, 'httpd.conf'))).toBe(read(join(written, 'httpd.conf')));
    expect(read(join(planned, 'httpd.conf'))).not.toBe(CONF);
  });
});

describe('a plan of what a person accepted (-i)', () => {
  /** The second change is that of the closed directory. */
  const person = (...answers: readonly string[]): Person => ({ answers, text: '    Require ip 10.0.0.1\n' });

  test('is written as they accepted it', async () => {
    const [{ status, stderr }, conf] = await applied(['-i'], () => undefined, person('n', 'y', 'n', 'n'));
    expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining('Written as planned')]);
    expect(conf).toContain('MaxClients 5');
    expect(conf).toContain('Require all denied');
  });

  test('with a text of theirs that lets nobody in who was out', async () => {
    const text = '    Require all denied\n    # mine\n';
    const [{ stderr }, conf] = await applied(['-i'], () => undefined, { answers: ['y', 'e', 'y'], text });
    expect(stderr).toContain('Written as planned');
    expect(conf).toContain('MaxRequestWorkers 5');
    expect(conf).toContain(text);
  });

  test.each<[string, (plan: PlanDocument, conf: string) => void]>([
    [
      'in place of the rest',
      (plan, conf) => {
        plan.changes = [changeOf(conf, [openClosed(conf)])];
      },
    ],
    [
      'beside what was accepted',
      (plan, conf) => {
        plan.changes = [
          changeOf(conf, [
            ...plan.changes[0]!.edits.filter(({ end }) => end < openClosed(conf).start),
            openClosed(conf),
          ]),
        ];
      },
    ],
  ])('is judged again: a text that opens, %s, is not written', async (_, change) => {
    const [{ status, stderr }, conf] = await applied(['-i'], change, { answers: ['y', 'y', 'y', 'y'] });
    expect([status, conf]).toEqual([2, CONF]);
    expect(stderr).toMatch(/\/srv\/closed[^]*nothing written: make a new plan/);
  });

  test('no other plan becomes one by its own word', async () => {
    const [{ status }, conf] = await applied([], (plan, path) => {
      plan.options.interactive = true;
      plan.changes = [changeOf(path, [openClosed(path)])];
    });
    expect([status, conf]).toEqual([2, CONF]);
  });
});
