import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cli } from '../../src/cli';
import { disk } from '../../src/config/source/disk';
import { applyEdits, type Edit } from '../../src/edit';
import { writePrivate } from '../../src/write/private-file';
import type { CommandResult } from '../../testing/run/command';
import { services } from '../../testing/run/services';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { directory } from '../../testing/write/directory';

// Run by root: httpd reads, and users change, what lies below `home`. A plan for all is not held up by what one of them does.

const openStore = storeIn(stateDirectory());
const USERS: Readonly<Record<string, number>> = { a: 65_534, b: 65_533 };
const CONF = `Listen 80
ServerRoot ROOT/etc
LoadModule auth_basic_module modules/mod_auth_basic.so
LoadModule authn_file_module modules/mod_authn_file.so
LoadModule authn_default_module modules/mod_authn_default.so
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule authz_user_module modules/mod_authz_user.so
LoadModule authz_default_module modules/mod_authz_default.so
DocumentRoot ROOT/home
<Directory ROOT/home>
AllowOverride All
Order allow,deny
Allow from all
</Directory>
<Location /a/status>
Order deny,allow
Deny from all
Allow from 127.0.0.1
</Location>
`;
const DENY = 'Order deny,allow\nDeny from all\n';
const OFFICE = `${DENY}Allow from 10.0.0.0/8\n`;

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  /** Answers to the questions of -i. */
  readonly answers?: readonly string[];
  /** What a person types in the editor. */
  readonly text?: string;
  /** Whose the directory `a` is. */
  readonly owner?: number;
  readonly edit?: (plan: PlanDocument) => void;
  /** Without a plan: the user changes something while -i asks. */
  readonly atOnce?: boolean;
}

interface PlanDocument {
  changes: { path: string; sha256After: string; edits: Edit[] }[];
}

/** A plan is made, `change` is done below the home of user a, and the plan is applied. */
async function applied(
  change: (home: string) => void,
  { files = {}, answers = [], text, owner = USERS['a']!, edit, atOnce = false }: Case = {},
): Promise<CommandResult & { readonly root: string; readonly read: (name: string) => string }> {
  const root = directory({
    'etc/httpd.conf': '',
    'home/a/.htaccess': DENY,
    'home/a/in/.htaccess': OFFICE,
    'home/b/.htaccess': DENY,
    ...files,
  });
  const conf = files['etc/httpd.conf'] ?? CONF;
  fs.writeFileSync(join(root, 'etc/httpd.conf'), conf.replaceAll('ROOT', root));
  const userOf = (path: string): number =>
    path.startsWith(join(root, 'home/a')) ? owner : path.startsWith(join(root, 'home/b')) ? USERS['b']! : 0;
  const source = {
    ...disk,
    owners: (path: string) => disk.owners!(path).map(() => userOf(path)),
    planted: (path: string, _: string | undefined, target: string) =>
      userOf(path) !== 0 && userOf(target) !== userOf(path) && fs.lstatSync(path).isSymbolicLink(),
  };
  const left = [...answers];
  const changeNow = (): void => change(join(root, 'home/a'));
  const run = async (...argv: readonly string[]): Promise<CommandResult> => {
    const said = { stdout: '', stderr: '' };
    const io = {
      stdout: { write: (bytes: string) => void (said.stdout += bytes), isTTY: false },
      stderr: { write: (bytes: string) => void (said.stderr += bytes), isTTY: false },
      env: {},
      cwd: root,
      uid: 0,
      stdin: () => '',
      ask() {
        if (atOnce && left.length === answers.length) changeNow();
        return left.shift();
      },
      edit: () => text,
      now: () => 0,
    };
    const writeOutput = (path: string, bytes: string): void =>
      writePrivate(path, Buffer.from(bytes, 'latin1'), { uid: 0, env: {} });
    const status = await cli(argv, io, { ...services, source, openStore, writeOutput });
    return { status, ...said };
  };
  const asked = answers.length === 0 ? [] : ['-i'];
  if (!atOnce) await run('--plan', 'p.json', '--no-config', ...asked, 'etc', 'home');
  if (edit !== undefined) {
    const plan = JSON.parse(fs.readFileSync(join(root, 'p.json'), 'utf8')) as PlanDocument;
    edit(plan);
    fs.writeFileSync(join(root, 'p.json'), JSON.stringify(plan));
  }
  if (!atOnce) changeNow();
  const result = atOnce ? await run('-i', '--no-config', 'etc', 'home') : await run('apply', 'p.json');
  return { ...result, root, read: (name) => fs.readFileSync(join(root, name), 'latin1') };
}

const put = (text: string) => (home: string) => fs.writeFileSync(join(home, '.htaccess'), text);

describe('a user who changes a file after the plan was made', () => {
  test.each<[string, (home: string) => void, string]>([
    ['says something else in it', put(`${DENY}Allow from 10.0.0.1\n`), 'home/a/.htaccess: changed since'],
    [
      'takes it away',
      (home) => fs.rmSync(join(home, 'in'), { recursive: true }),
      'home/a/in/.htaccess: is not read any more',
    ],
    [
      'puts a link to itself there',
      (home) => {
        fs.rmSync(join(home, 'in'), { recursive: true });
        fs.symlinkSync('in', join(home, 'in'));
      },
      'home/a/in/.htaccess: is not read any more',
    ],
    [
      'puts a file there',
      (home) => {
        fs.rmSync(join(home, 'in'), { recursive: true });
        fs.writeFileSync(join(home, 'in'), '');
      },
      'home/a/in/.htaccess: is not read any more',
    ],
    [
      'has another',
      (home) => {
        fs.mkdirSync(join(home, 'n'));
        fs.writeFileSync(join(home, 'n/.htaccess'), DENY);
      },
      'home/a/n/.htaccess: was not read',
    ],
    [
      'puts a link to a file of root there',
      (home) => {
        fs.rmSync(join(home, '.htaccess'));
        fs.symlinkSync('../../etc/httpd.conf', join(home, '.htaccess'));
      },
      'home/a/.htaccess: is not read any more',
    ],
  ])('keeps nothing of others from being written: %s', async (_, change, said) => {
    const { status, stderr, read } = await applied(change);
    expect(stderr).toContain(said);
    expect(stderr).toContain('Written as planned');
    expect(stderr).toContain('What was left is for another run.');
    expect([status, read('home/b/.htaccess')]).toEqual([1, 'Require all denied\n']);
    expect(read('etc/httpd.conf')).toContain('Require all granted');
    for (const name of ['home/a/.htaccess', 'home/a/n/.htaccess'])
      if (said.startsWith(name)) expect(read(name)).toMatch(/Deny from all|Listen/);
  });

  test.each([
    ['a line of 2.4', `${DENY}Require all granted\n`],
    ['nothing but a line of 2.4', 'Require all granted\n'],
    ['what lets in by a password', 'AuthType Basic\nAuthName x\nRequire valid-user\n'],
    ['a block for each request', '<If "true">\nRequire all granted\n</If>\n'],
    ['what lets in all', 'Satisfy Any\nAllow from all\n'],
  ])('has nobody let in there who was kept out: %s', async (_, text) => {
    const { status, stderr, read } = await applied(put(text));
    expect(stderr).toContain('home/a/.htaccess: changed since the plan was made: left as it is');
    expect(stderr).toMatch(/this section lets nobody into \/.*\/home\/a and has the file not read/);
    expect([status, read('home/b/.htaccess')]).toEqual([1, 'Require all denied\n']);
    expect(read('home/a/.htaccess')).toBe(text);
    const conf = read('etc/httpd.conf');
    // What was planned is there as it was shown.
    expect(conf).toContain('<Location /a/status>\nRequire ip 127.0.0.1\n</Location>');
    expect(conf).toMatch(/<Directory .*\/home\/a>\n *AllowOverride None\n[^]*Require all denied\n/);
  });

  const CLOSED = CONF.replace(/.*_default_module.*\n/g, '').replace(
    'Order allow,deny\nAllow from all',
    DENY.trim(),
  );
  const of24 = (text: string): string => `<IfVersion >= 2.4>\n${text}</IfVersion>\n`;
  const IF = '<If "true">\nRequire all granted\n</If>\n';
  const yes = Array<string>(20).fill('y');

  describe.each<[string, Case]>([
    ['a plan for all', {}],
    ['a plan of what was accepted', { answers: yes }],
    ['what is accepted at once', { answers: yes, atOnce: true }],
    [
      '… where nothing of theirs was to be written',
      { answers: yes, atOnce: true, files: { 'home/a/.htaccess': '# x\n' } },
    ],
  ])('has nobody let in below a server that shuts all out: %s', (_, { files, ...more }) => {
    const conf = { 'etc/httpd.conf': CLOSED };

    test.each([
      ['a line', 'Require all granted\n'],
      ['a line for 2.4 alone', of24('Require all granted\n')],
      ['one for files', of24('<Files x>\nRequire all granted\n</Files>\n')],
      ['a block for each request', IF],
      ['one for 2.4 alone', of24(IF)],
      ['one for files', of24(`<Files x>\n${IF}</Files>\n`)],
    ])('%s', async (_text, text) => {
      const { status, stderr, read } = await applied(put(text), { ...more, files: { ...files, ...conf } });
      expect(stderr).toContain('home/a/.htaccess: changed since');
      expect([status, read('home/b/.htaccess')]).toEqual([1, 'Require all denied\n']);
      expect(read('home/a/.htaccess')).toBe(text);
      expect(read('etc/httpd.conf')).toMatch(
        /<Directory .*\/home\/a>\n *AllowOverride None\n[^]*Require all denied\n/,
      );
      // What is not read opens nothing.
      expect(stderr).not.toMatch(/^httpd-codemod: home\/a\/\.htaccess:\d/m);
    });

    test.each([
      ['AuthMerging', of24('AuthMerging Or\n<RequireAny>\nRequire all granted\n</RequireAny>\n'), 4],
      ['a name that nothing defines', `<IfDefine !X>\n${of24('Require all granted\n')}</IfDefine>\n`, 3],
    ])('or says at which line that is open: %s', async (_text, text, line) => {
      const { status, stderr, read } = await applied(put(text), { ...more, files: { ...files, ...conf } });
      expect(stderr).toMatch(
        RegExp(`^httpd-codemod: home/a/\\.htaccess:${line}: .*2\\.2 refuses, 2\\.4 admits`, 'm'),
      );
      expect([status, read('home/b/.htaccess')]).toEqual([1, 'Require all denied\n']);
    });
  });

  test('twin: nothing is shut for what lets in nobody new', async () => {
    const { read } = await applied(put('Options -Indexes\nOrder deny,allow\nDeny from all\n'));
    expect(read('etc/httpd.conf')).not.toContain('AllowOverride None');
  });

  test('has files of theirs left that would come out otherwise', async () => {
    const { status, stderr, read } = await applied((home) => {
      fs.rmSync(join(home, '.htaccess'));
      fs.symlinkSync('../../etc/httpd.conf', join(home, '.htaccess'));
    });
    expect(stderr).toContain('home/a/in/.htaccess: the rules make something else of it, since its user has');
    expect([status, read('home/a/in/.htaccess')]).toEqual([1, OFFICE]);
  });

  test.each([
    ['accepted', undefined],
    ['typed', '# mine\nRequire all denied\n'],
  ])('holds up no plan that was %s one by one', async (_, text) => {
    const { status, stderr, read } = await applied(put(`${DENY}Allow from 10.0.0.1\n`), {
      answers: [...Array<string>(5).fill('y'), text === undefined ? 'y' : 'e', ...Array<string>(9).fill('y')],
      ...(text !== undefined && { text }),
    });
    expect(stderr).toContain('Written as planned');
    expect(stderr).toContain('home/a/.htaccess: changed since the plan was made: left as it is');
    expect(status).toBe(1);
    expect(read('home/a/.htaccess')).toContain('Allow from');
    expect(read('home/b/.htaccess')).toMatch(/^(?:# mine\n)?Require all denied\n$/);
  });
});

describe('a user who changes a file while -i asks', () => {
  const answers = Array<string>(20).fill('y');

  test('keeps nothing else that was accepted from being written', async () => {
    const { status, stderr, read } = await applied(put('Require all granted\n'), { answers, atOnce: true });
    expect(stderr).toContain('home/a/.htaccess: changed since it was read: left as it is');
    expect(stderr).toContain('Written as accepted: ');
    expect([status, read('home/a/.htaccess')]).toEqual([1, 'Require all granted\n']);
    expect(read('home/b/.htaccess')).toBe('Require all denied\n');
    expect(read('etc/httpd.conf')).toMatch(/<Directory .*\/home\/a>\n *AllowOverride None\n/);
  });

  test('twin: where the file is of whoever runs it, nothing is', async () => {
    const { status, stderr, read } = await applied(put(`${DENY}#\n`), { answers, atOnce: true, owner: 0 });
    expect([status, read('home/b/.htaccess')]).toEqual([2, DENY]);
    expect(stderr).toContain('changed since it was read; nothing written');
  });

  test('twin: nor where such a file was only read', async () => {
    const files = { 'home/a/.htaccess': '# x\n' };
    const { status, stderr, read } = await applied(put('#\n'), { answers, atOnce: true, owner: 0, files });
    expect([status, read('home/b/.htaccess')]).toEqual([2, DENY]);
    expect(stderr).toMatch(/home\/a\/\.htaccess: changed since[^]*nothing written/);
  });
});

describe('twin: nothing is written, and it is said why, where', () => {
  const refused = async (change: (home: string) => void, more: Case): Promise<string> => {
    const { status, stderr, read } = await applied(change, more);
    expect(stderr).toContain('nothing written: make a new plan');
    expect(read('home/b/.htaccess')).toBe(DENY);
    expect([status, read('etc/httpd.conf')]).toEqual([2, expect.stringContaining('Order allow,deny')]);
    return stderr;
  };

  test('the file is of whoever runs it', async () => {
    expect(await refused(put(`${DENY}#\n`), { owner: 0 })).toContain('home/a/.htaccess: changed since');
  });

  test('what the plan says of the server rests on the file', async () => {
    // The section for the status page keeps out whom 2.2 answers 500 to.
    const files = { 'home/a/.htaccess': 'Require all granted\n' };
    const said = await refused((home) => fs.rmSync(join(home, '.htaccess')), { files });
    expect(said).toContain('home/a/.htaccess: is not read any more\n');
    expect(said).toMatch(/etc\/httpd\.conf: the rules do not make the planned change without these/);
  });

  const hash = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');
  const opening = (name: string) => (plan: PlanDocument) => {
    const change = plan.changes.find(({ path }) => path.endsWith(name))!;
    const before = fs.readFileSync(change.path, 'latin1');
    change.edits = [{ start: 0, end: before.length, text: 'Require all granted\n' }];
    change.sha256After = hash(applyEdits(before, change.edits));
  };

  test('the plan was edited, too', async () => {
    const said = await refused(put(`${DENY}Allow from 10.0.0.1\n`), { edit: opening('home/b/.htaccess') });
    expect(said).toContain('home/b/.htaccess: the rules do not make the planned change');
  });

  test('not even the file of that user is written as edited', async () => {
    const { read, stderr } = await applied(put(`${DENY}Allow from 10.0.0.1\n`), {
      edit: opening('home/a/in/.htaccess'),
    });
    expect(stderr).toContain('home/a/in/.htaccess: the rules make something else of it');
    expect(read('home/a/in/.htaccess')).toBe(OFFICE);
  });
});
