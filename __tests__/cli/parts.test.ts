import { requireProgram } from '../../testing/httpd/install';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { cli, type Io } from '../../src/cli';
import { rename } from '../../src/edit';
import type { Transform } from '../../src/engine';
import { services } from '../../testing/run/services';
import { directory } from '../../testing/write/directory';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { unbroken } from '../../testing/run/unbroken';

const openStore = storeIn(stateDirectory());

const read = (root: string, name: string): string => fs.readFileSync(join(root, name), 'latin1');

interface Answered {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The answers that were not asked for. */
  readonly left: readonly string[];
}

/** Runs the command at a terminal where a person gives these answers. */
async function run(
  cwd: string,
  argv: readonly string[],
  answers: readonly string[] = [],
  { edit, transforms = services.transforms }: { edit?: Io['edit']; transforms?: readonly Transform[] } = {},
): Promise<Answered> {
  const output = { stdout: '', stderr: '' };
  const left = [...answers];
  const io: Io = {
    stdout: { write: (text) => void (output.stdout += text), isTTY: false },
    stderr: { write: (text) => void (output.stderr += text), isTTY: false },
    env: {},
    cwd,
    stdin: () => '',
    ask(question) {
      output.stderr += `${question}${left[0] ?? ''}\n`;
      return left.shift();
    },
    ...(edit && { edit }),
    now: () => 0,
  };
  const status = await cli(argv, io, { ...services, openStore, transforms });
  return { status, ...output, left };
}

const AN_EDIT = { level: 'warning', safety: 'safe', message: 'it has another name' } as const;

const MAIN = `ServerRoot /srv
MaxClients 5
<IfModule prefork.c>
MaxRequestsPerChild 5
</IfModule>
<Directory /srv/www>
    Order allow,deny
    Allow from all
    Deny from 10.1.2.3
</Directory>
<Directory /srv/www/closed>
    Order deny,allow
    Deny from all
</Directory>
<Directory /srv/other>
    Order deny,allow
    Deny from all
</Directory>
`;

describe('--only', () => {
  test('writes what it names, and says what stays', async () => {
    const root = directory({ 'httpd.conf': MAIN });
    const { status, stderr } = await run(root, ['-w', 'httpd.conf', '--only', 'max-clients']);
    expect(read(root, 'httpd.conf')).toBe(MAIN.replace('MaxClients', 'MaxRequestWorkers'));
    expect(stderr).toMatch(
      /^left out \(not named by --only\): a change of max-requests-per-child, httpd\.conf:4$/m,
    );
    expect(stderr).toMatch(
      /^left out \(not named by --only\): 3 changes of order-allow-deny, first httpd\.conf:6; 2\.4 does not start/m,
    );
    expect(status).toBe(1);
  });

  test('what 2.4 does not start without makes the verdict', async () => {
    const root = directory({
      'a.conf': 'MaxClients 5\n<Directory /srv/a>\nOrder allow,deny\n</Directory>\n',
    });
    const { stderr } = await run(root, ['-w', 'a.conf', '--only', 'max-clients']);
    expect(unbroken(stderr)).toContain(
      '\n2.4 does not start, or decides access differently, until what was left out is written too.\n',
    );
    expect(stderr).not.toMatch(/Nothing keeps|Nobody new gets in/);
  });

  test('what 2.4 starts without is no trouble to leave out', async () => {
    const root = directory({ 'a.conf': 'MaxClients 5\nMaxRequestsPerChild 6\n' });
    const { stderr } = await run(root, ['-w', 'a.conf', '--only', 'max-clients']);
    expect(stderr).toMatch(/^left out .*: a change of max-requests-per-child/m);
    expect(stderr).toContain(
      '\nNothing keeps 2.4 from starting. Nobody new gets in and nobody loses access.\n',
    );
  });

  test('a file, a directory, and a rule in a file', async () => {
    const files = {
      'httpd.conf': 'MaxClients 5\nInclude a/x.conf\n',
      'a/x.conf': 'MaxClients 6\nRewriteLock x\n',
    };
    const changed = async (...argv: string[]): Promise<string[]> =>
      (await run(directory(files), ['--check', 'httpd.conf', 'a', ...argv])).stdout.trim().split('\n');
    expect(await changed()).toEqual(['a/x.conf', 'httpd.conf']);
    expect(await changed('--only', 'a')).toEqual(['a/x.conf']);
    expect(await changed('--only', './a/../httpd.conf')).toEqual(['httpd.conf']);
    expect(await changed('--only=a/x.conf', '--only=httpd.conf')).toEqual(['a/x.conf', 'httpd.conf']);
    expect(await changed('--only', 'max-clients', '--only', 'httpd.conf')).toEqual(['httpd.conf']);
    expect((await run(directory(files), ['httpd.conf', '--only', 'max-client'])).stderr).toContain(
      "--only max-client: neither a rule nor a file that this run reads, did you mean 'max-clients'?",
    );
  });

  test('what goes together stays together, across files', async () => {
    const files = {
      'httpd.conf':
        'ServerRoot /\nAccessFileName .none\n<Directory /x>\nOrder deny,allow\nDeny from all\n</Directory>\nInclude b.conf\n',
      'b.conf': '<Directory /x/y>\nAllow from all\n</Directory>\n',
    };
    const root = directory({});
    for (const [name, text] of Object.entries(files))
      fs.writeFileSync(join(root, name), text.replace('b.conf', join(root, 'b.conf')));
    const { stdout, stderr } = await run(root, ['--check', 'httpd.conf', '--only', 'httpd.conf']);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /left out \(it goes together with a change at b\.conf:1 \(order-allow-deny\): not named by --only\): a change of order-allow-deny, httpd\.conf:3/,
    );
  });
});

describe('--interactive', () => {
  test('writes what is accepted; what is not answered stays out', async () => {
    const root = directory({ 'httpd.conf': MAIN });
    const { status, stderr, left } = await run(root, ['-i', 'httpd.conf'], ['y', '', 'y', 'n']);
    expect(left).toEqual([]);
    expect(read(root, 'httpd.conf')).toBe(
      MAIN.replace('MaxClients', 'MaxRequestWorkers').replace(
        /    Order allow,deny[^]*?<\/Directory>[^]*?<\/Directory>/,
        `    <RequireAll>
        Require all granted
        Require not ip 10.1.2.3
    </RequireAll>
</Directory>
<Directory /srv/www/closed>
    Require all denied
</Directory>`,
      ),
    );
    expect(stderr).toContain('These 2 changes go together: they are written all or none.');
    expect(stderr).toContain('left out (not accepted): a change of max-requests-per-child, httpd.conf:4');
    expect(stderr).toContain('left out (not accepted): a change of order-allow-deny, httpd.conf:15');
    expect(status).toBe(1);
  });

  test('a: the others of the rule; d: none in this file; q: what was accepted is written', async () => {
    const files = {
      'a.conf': 'MaxClients 1\nRewriteLock x\n',
      'b.conf': 'MaxClients 2\nMaxRequestsPerChild 3\n',
    };
    const changed = async (answers: readonly string[]): Promise<string[]> => {
      const root = directory(files);
      const { left } = await run(root, ['-i', 'a.conf', 'b.conf'], answers);
      expect(left).toEqual([]);
      return ['a.conf', 'b.conf'].map((name) => read(root, name));
    };
    const [a, b] = [files['a.conf'], files['b.conf']];
    const renamed = (text: string): string => text.replace('MaxClients', 'MaxRequestWorkers');
    expect(await changed(['a', 'n', 'n'])).toEqual([renamed(a), renamed(b)]);
    expect(await changed(['d', 'y', 'q'])).toEqual([a, renamed(b)]);
    expect(await changed(['y', 'q'])).toEqual([renamed(a), b]);
    expect(await changed(['q'])).toEqual([a, b]);
  });

  test('?: the rule, who gets in before and after, and the keys', async () => {
    const root = directory({ 'httpd.conf': MAIN });
    const { stderr } = await run(root, ['-i', 'httpd.conf', '--only', 'order-allow-deny'], ['?', 'q']);
    expect(stderr).toContain('order-allow-deny - Order, Allow, Deny');
    expect(stderr).toMatch(/^10\.1\.2\.3: .*: (?:yes|no)/m);
    expect(stderr).toContain('Both versions answer the same.');
    expect(stderr).toContain('q - leave out this one');
    expect(read(root, 'httpd.conf')).toBe(MAIN);
  });

  describe('what follows from a change that was left out', () => {
    const access = '<Directory /a>\nOrder deny,allow\nDeny from all\n</Directory>\n';
    const rules = ['--only', 'load-module', '--only', 'order-allow-deny'];

    test('is shown again as it is then', async () => {
      const base = { changes: [], title: 'x', why: 'x', docs: [] };
      const first: Transform = {
        ...base,
        id: 'first',
        directives: ['OldFirst'],
        run: ({ directives, report }) =>
          directives(['OldFirst'], (node, { file }) =>
            report({ ...AN_EDIT, file, at: node.from, edits: [rename(node, 'NewFirst')] }),
          ),
      };
      // What it writes hangs on what has become of the first one.
      const second: Transform = {
        ...base,
        id: 'second',
        directives: ['OldSecond'],
        run: () => undefined,
        runOnResult: ({ directives, resultIndex, report }) =>
          directives(['OldSecond'], (node, { file }) => {
            const name = resultIndex.directives(['NewFirst']).length > 0 ? 'AfterNew' : 'AfterOld';
            report({ ...AN_EDIT, file, at: node.from, edits: [rename(node, name)] });
          }),
      };
      const ask = async (answers: readonly string[]): Promise<readonly [Answered, string]> => {
        const root = directory({ 'httpd.conf': 'OldFirst 1\nOldSecond 2\n' });
        const answered = await run(root, ['-i', 'httpd.conf'], answers, { transforms: [first, second] });
        return [answered, read(root, 'httpd.conf')];
      };
      const [again, text] = await ask(['n', 'y', 'y']);
      expect([again.left, text]).toEqual([[], 'OldFirst 1\nAfterOld 2\n']);
      expect(again.stderr).toContain(
        'Without what you left out, these changes are new or read in another way:\n\nChange 1 of 1',
      );
      // What was accepted in another form is not accepted in this one.
      expect((await ask(['n', 'y', 'n']))[1]).toBe('OldFirst 1\nOldSecond 2\n');
      expect((await ask(['y', 'y']))[1]).toBe('NewFirst 1\nAfterNew 2\n');
    });

    test('is said where nothing of it is left', async () => {
      const there = ['authz_host', 'authn_core', 'unixd', 'mpm_prefork', 'filter'].map(
        (name) => `LoadModule ${name}_module ${name}.so\n`,
      );
      const root = directory({ 'httpd.conf': `${there.join('')}${access}` });
      const { stderr } = await run(root, ['-i', 'httpd.conf', ...rules], ['y', 'n']);
      expect(stderr).toMatch(/^httpd\.conf:\d: accepted, and not needed without what you left out$/m);
      expect(read(root, 'httpd.conf')).toBe(`${there.join('')}${access}`);
    });
  });

  describe('e', () => {
    const rest = ['-i', 'httpd.conf', '--only', 'order-allow-deny'];

    test('the text of an editor takes the place of the change', async () => {
      const root = directory({ 'httpd.conf': MAIN });
      const shown: string[] = [];
      const { status } = await run(root, rest, ['n', 'e'], {
        edit: (text) => {
          shown.push(text);
          return text.replace('Require all denied', '# nobody\n    Require all denied');
        },
      });
      expect(shown).toEqual(['    Require all denied\n']);
      expect(read(root, 'httpd.conf')).toBe(
        `${MAIN.slice(0, MAIN.lastIndexOf('    Order'))}    # nobody\n    Require all denied\n</Directory>\n`,
      );
      expect(status).toBe(1);
    });

    test('a text that lets in whom 2.2 kept out is not written', async () => {
      const root = directory({ 'httpd.conf': MAIN });
      const { stderr } = await run(root, rest, ['n', 'e'], { edit: () => '    Require all granted\n' });
      expect(stderr).toMatch(/your text is not written: .*2\.2 refuses, the rewrite admits/);
      expect(read(root, 'httpd.conf')).toBe(MAIN);
    });

    test('an editor that fails changes nothing, and is said', async () => {
      const root = directory({ 'httpd.conf': MAIN });
      const { stderr, left } = await run(root, rest, ['n', 'e', 'q'], { edit: () => undefined });
      expect([left, read(root, 'httpd.conf')]).toEqual([[], MAIN]);
      expect(stderr).toContain('The editor failed');
    });
  });

  test.each([
    [['-i', '-'], 'cannot be read from there'],
    [['-i', '--check', 'x'], 'contradict'],
    [['-i', '--format', 'json', 'x'], 'no format json'],
    [['-i', '--explain', '/', 'x'], 'contradict'],
    [['debug', 'tree', '-i', 'x'], 'debug takes no --interactive'],
    [['hook', 'run', '-i'], 'hook run takes no --interactive'],
  ])('%j is refused', async (argv, message) => {
    expect((await run('/', argv)).stderr).toContain(message);
  });

  test('of a change of many places the beginning is shown, and all of it for v', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${i}`);
    const sections = names.map(
      (name) => `<Directory /srv/${name}>\nOrder deny,allow\nDeny from all\n</Directory>\n`,
    );
    const status = '<Location /status>\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.1\n</Location>\n';
    const root = directory({ 'httpd.conf': `ServerRoot /srv\n${sections.join('')}${status}` });
    const argv = ['-i', 'httpd.conf', '--rule', 'order-allow-deny'];
    const { stderr } = await run(root, argv, ['v', 'n', 'q']);
    const [first = '', second = ''] = stderr.split('Write this change?');
    expect(first.split('\n').length).toBeLessThan(110);
    expect(first).toMatch(/\nand 4\d more, in 1 file \(v shows all\)\nThese \d\d changes go together/);
    expect(first).toMatch(/\n\d+ lines more of the diff \(v shows all\)\n$/);
    expect(first).not.toContain(names.at(-1));
    for (const name of names) expect(second).toContain(` <Directory /srv/${name}>`);
    expect(second).not.toContain('v shows all');
  });

  test('what was left out is asked about by the same command', async () => {
    const root = directory({ 'httpd.conf': MAIN });
    const first = await run(root, ['-i', '--pin-defaults', 'httpd.conf'], ['y', 'q']);
    expect(unbroken(first.stderr)).toMatch(
      /decide about what was left out, before 2\.4 is started; .*\n +\$ httpd-codemod --interactive --pin-defaults httpd\.conf\n/,
    );
    const all = await run(root, ['-i', '--pin-defaults', 'httpd.conf'], Array<string>(40).fill('y'));
    expect(all.stderr).not.toContain('what was left out');
    expect(all.stderr).toContain('see whether 2.4 starts');
  });

  test('without a terminal nothing is written', async () => {
    const root = directory({ 'httpd.conf': MAIN });
    const { status, stderr } = await run(root, ['-i', 'httpd.conf']);
    expect([status, read(root, 'httpd.conf')]).toEqual([2, MAIN]);
    expect(stderr).toContain('there is no terminal to ask on');
  });
});

/** Runs a command in a terminal of its own, and answers each question. */
const TERMINAL = `
import os, pty, select, sys
answers = sys.argv[1].split(',')
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b''
asked = 0
while True:
    ready, _, _ = select.select([fd], [], [], 30)
    try:
        data = os.read(fd, 65536) if ready else b''
    except OSError:
        break
    if not data:
        break
    seen += data
    while seen.count(b'(n) ') > asked:
        asked += 1
        os.write(fd, (answers.pop(0) if answers else 'q').encode() + b'\\n')
sys.stdout.buffer.write(seen)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
`;

test('in a real terminal, with a real editor', () => {
  const root = directory({ 'httpd.conf': 'MaxClients 5\nRewriteLock x\nMaxRequestsPerChild 7\n' });
  const bin = join(__dirname, '../../bin/httpd-codemod.js');
  const { status, stdout } = spawnSync(
    requireProgram('python3', 'python3', 'for a terminal'),
    ['-c', TERMINAL, 'y,n,e', process.execPath, bin, '-i', 'httpd.conf', '--no-config'],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: root,
        XDG_STATE_HOME: join(root, 'state'),
        TERM: 'xterm',
        VISUAL: 'sed -i s/7/70/',
      },
    },
  );
  expect(stdout).toContain('\x1b[32m+');
  expect(read(root, 'httpd.conf')).toMatch(
    /^MaxRequestWorkers 5\nRewriteLock x\nMaxConnectionsPerChild 70\n$/,
  );
  expect(status).toBe(1);
});
