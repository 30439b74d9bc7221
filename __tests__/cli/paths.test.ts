import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../../src/cli';
import { encode } from '../../src/report';
import { command, type CommandResult } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';

const OLD = 'MaxClients 5\n';

const writeOutput = (path: string, text: string): void => fs.writeFileSync(path, text, 'latin1');

function run(argv: readonly string[], io: Partial<Io>): Promise<CommandResult> {
  return command(argv, io, { writeOutput });
}

describe('behind --', () => {
  const cwd = directory({ '-weird-name': OLD, '--also': OLD, undo: OLD, 'a.conf': OLD });

  test.each([
    [['--check', '--', '-weird-name'], '-weird-name\n'],
    [['--check', '--', '--also', 'undo'], '--also\nundo\n'],
    [['--check', 'a.conf', '--', '-weird-name'], 'a.conf\n-weird-name\n'],
    [['--check', './-weird-name'], '-weird-name\n'],
  ])('%j', async (argv, stdout) => {
    expect(await run(argv, { cwd })).toMatchObject({ status: 1, stdout });
  });
});

describe('--files-from', () => {
  const cwd = directory({
    'a.conf': OLD,
    '-b.conf': OLD,
    'c\nd.conf': OLD,
    list: 'a.conf\n-b.conf\n',
    none: '\n',
  });

  test.each<[string[], string, string]>([
    [['--files-from', 'list'], '', 'a.conf\n-b.conf\n'],
    [['--files-from=-'], '-b.conf\n', '-b.conf\n'],
    [['--files-from', '-', '-0', 'a.conf'], 'c\nd.conf\0-b.conf\0', 'a.conf\nc\nd.conf\n-b.conf\n'],
  ])('%j', async (argv, stdin, stdout) => {
    expect(await run(['--check', ...argv], { cwd, stdin: () => stdin })).toMatchObject({ status: 1, stdout });
  });

  test.each([
    [['--files-from', 'none'], '', 'none: names no file'],
    [['--files-from', '-'], '', 'standard input: names no file'],
    [['--files-from', '-'], 'a.conf\0-b.conf\0', 'standard input: its names end with NUL: give --null (-0)'],
    [['--files-from', 'gone'], '', 'gone: no such file or directory'],
  ])('%j of %j', async (argv, stdin, message) => {
    expect(await run(argv, { cwd, stdin: () => stdin })).toEqual({
      status: 2,
      stdout: '',
      stderr: `httpd-codemod: ${message}\n`,
    });
  });
});

test('--exclude leaves files alone that it still reads', async () => {
  const cwd = directory({ 'httpd.conf': 'Listen 80\nInclude old/*.conf\nMaxClients 5\n', 'old/a.conf': OLD });
  for (const pattern of ['old/', 'a.*', '/old', cwd.slice(1), `${cwd}/old`]) {
    const { stdout } = await run(['--check', 'httpd.conf', '--exclude', pattern], { cwd });
    expect([pattern, stdout]).toEqual([pattern, pattern === cwd.slice(1) ? '' : 'httpd.conf\n']);
  }
  const elsewhere = await run(['--check', '--exclude', '*.conf', '--exclude', '!httpd.conf', cwd], {
    cwd: '/',
  });
  expect(elsewhere.stdout).toBe(`${cwd.slice(1)}/httpd.conf\n`);
});

test('--config and --no-config', async () => {
  const cwd = directory({
    'a.conf': OLD,
    'httpd-codemod.config.json': '\xef\xbb\xbf{"skip": ["max-clients"]}',
    'other/mine.json': '{"paths": ["b.conf"]}',
    'other/b.conf': OLD,
  });
  expect((await run(['--check', 'a.conf'], { cwd })).stdout).toBe('');
  expect((await run(['--check', '--no-config', 'a.conf'], { cwd })).stdout).toBe('a.conf\n');
  expect((await run(['--check', '--config', 'other/mine.json'], { cwd })).stdout).toBe('other/b.conf\n');
  expect((await run(['--config', 'gone.json', 'a.conf'], { cwd })).stderr).toMatch(
    /gone\.json: no such file/,
  );
});

describe('--output', () => {
  test('takes what would go to standard output', async () => {
    const cwd = directory({ 'a.conf': OLD });
    const { stdout } = await run(['a.conf'], { cwd });
    expect(await run(['a.conf', '--output', 'diff'], { cwd })).toMatchObject({ status: 1, stdout: '' });
    expect(fs.readFileSync(join(cwd, 'diff'), 'latin1')).toBe(stdout);
    await run(['-', '--output', 'a.conf'], { cwd, stdin: () => OLD });
    expect(fs.readFileSync(join(cwd, 'a.conf'), 'latin1')).toBe('MaxRequestWorkers 5\n');
    expect((await run(['-', '--output', '-'], { cwd, stdin: () => OLD })).stdout).toBe(
      'MaxRequestWorkers 5\n',
    );
    expect(fs.existsSync(join(cwd, '-'))).toBe(false);
  });

  test('never replaces what is read, nor anything by nothing', async () => {
    const cwd = directory({ 'a.conf': OLD, 'report.json': 'old' });
    for (const format of ['text', 'json'])
      expect(await run(['a.conf', '--format', format, '--output', 'a.conf'], { cwd })).toEqual({
        status: 2,
        stdout: '',
        stderr: 'httpd-codemod: --output a.conf: is a file of the configuration: name another one\n',
      });
    expect(fs.readFileSync(join(cwd, 'a.conf'), 'latin1')).toBe(OLD);
    await run(['gone.conf', '--output', 'report.json'], { cwd });
    expect(fs.readFileSync(join(cwd, 'report.json'), 'latin1')).toBe('old');
    fs.linkSync(join(cwd, 'a.conf'), join(cwd, 'other name'));
    const linked = await run(['a.conf', '--output', 'other name'], { cwd });
    expect(linked.stderr).toBe(
      'httpd-codemod: --output other name: is a file of the configuration: name another one\n',
    );
    fs.writeFileSync(join(cwd, 'list'), 'a.conf\n');
    const listed = await run(['--files-from', 'list', '--output', './list'], { cwd });
    expect(listed).toMatchObject({
      status: 2,
      stderr: 'httpd-codemod: --output ./list: is the list of --files-from: name another one\n',
    });
    fs.writeFileSync(join(cwd, 'mine.json'), '{}');
    const project = await run(
      ['--config', 'mine.json', '--format', 'json', '--output', 'mine.json', 'a.conf'],
      { cwd },
    );
    expect(project).toMatchObject({
      status: 2,
      stderr: 'httpd-codemod: --output mine.json: is the project file: name another one\n',
    });
    expect([
      fs.readFileSync(join(cwd, 'list'), 'latin1'),
      fs.readFileSync(join(cwd, 'mine.json'), 'latin1'),
    ]).toEqual(['a.conf\n', '{}']);
    for (const format of ['json', 'gitlab', 'junit', 'html', 'markdown']) {
      const trouble = await run(['a.conf', 'gone.conf', '--format', format, '--output', 'a.conf'], { cwd });
      expect(trouble).toMatchObject({ status: 2, stdout: expect.stringContaining('gone') as string });
      for (const expected of ['gone', 'no/such'])
        await run([`${expected}.conf`, '--format', format, '--output', `trouble.${format}`], { cwd });
      expect(fs.readFileSync(join(cwd, `trouble.${format}`), 'latin1')).toMatch('no/such');
    }
    expect(fs.readFileSync(join(cwd, 'a.conf'), 'latin1')).toBe(OLD);
    const answer = await run(['a.conf', '--output', 'no/such/directory'], { cwd });
    expect(answer).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--output no/such/directory: cannot be written (ENOENT)\n'),
    });
  });
});

test('--output takes a pipe', () => {
  const cwd = directory({ 'a.conf': OLD });
  const script = join(__dirname, '../../bin/httpd-codemod.js');
  const command = `'${process.execPath}' '${script}' --check --output /dev/stdout a.conf | cat`;
  expect(spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' }).stdout).toBe('a.conf\n');
});

describe('trouble in documents', () => {
  const cwd = directory({ 'a.conf': OLD });

  test.each([
    [['gone.conf'], 'gone.conf: no such file or directory'],
    [['a.conf', '--skip', 'no-such'], "unknown rule 'no-such' (see httpd-codemod --help)"],
    [['a.conf', '--nonsense'], "unknown option '--nonsense' (see httpd-codemod --help)"],
  ])('%j', async (argv, message) => {
    const json = await run([...argv, '--format', 'json'], { cwd });
    expect(json).toMatchObject({ status: 2, stderr: `httpd-codemod: ${message}\n` });
    expect(JSON.parse(json.stdout)).toMatchObject({ exitStatus: 2, files: [], findings: [], trouble: [message] });
    const sarif = await run(['--format=sarif', ...argv], { cwd });
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      runs: [
        {
          results: [],
          invocations: [
            { executionSuccessful: false, exitCode: 2, toolExecutionNotifications: [{ level: 'error', message: { text: message } }] },
          ],
        },
      ],
    });
  }); // prettier-ignore

  test('no document where text is asked for', async () => {
    expect((await run(['gone.conf'], { cwd })).stdout).toBe('');
  });
});

test('--stdin-name is the place of the text', async () => {
  const cwd = directory({ '.httpdcodemodignore': 'left/\n' });
  const diff = await run(['-', '-v', '--diff', '--stdin-name', 'a/.htaccess'], {
    cwd,
    stdin: () => 'Order allow,deny\nAllow from all\n',
  });
  expect(diff.stdout).toMatch(/^diff --git a\/a\/\.htaccess b\/a\/\.htaccess\n/);
  expect(diff.stderr).toMatch(/^ {5}~ a\/\.htaccess:1:1: /m);
  expect((await run(['-', '--stdin-name', 'left/a.conf'], { cwd, stdin: () => OLD })).stdout).toBe(OLD);
});

test('--debug says where an internal error is', async () => {
  const broken = {
    pendingWrites(): never {
      throw new Error('oh');
    },
  };
  const { stderr } = await command(['a.conf'], {}, broken);
  expect(stderr).toBe('httpd-codemod: internal error (--debug prints where): oh\n');
  expect((await command(['a.conf', '--debug'], {}, broken)).stderr).toContain('    at ');
});

/** The lines that GitHub Actions would take for a command. */
function commandsIn(text: string): string[] {
  let token: string | undefined;
  return text.split('\n').filter((line) => {
    const stop = /^::stop-commands::(\S+)$/.exec(line);
    if (token === undefined && stop === null) return /^[ \t]*::|##\[/.test(line);
    if (stop !== null) token ??= stop[1];
    else if (line === `::${token}::`) token = undefined;
    return false;
  });
}

describe('what a report must not hold', () => {
  const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIEsecret\n-----END RSA PRIVATE KEY-----\n';

  test('a private key that a link leads to', async () => {
    const cwd = directory({
      'key.pem': KEY,
      'www/.htaccess': 'Deny from all\n',
      'httpd.conf': 'Listen 80\nInclude key.pem\n',
    });
    fs.mkdirSync(join(cwd, 'www/sub'));
    fs.symlinkSync('../../key.pem', join(cwd, 'www/sub/.htaccess'));
    for (const format of ['text', 'json', 'sarif', 'github'])
      for (const path of ['www', 'httpd.conf', 'key.pem', 'www/sub/.htaccess']) {
        const { stdout, stderr } = await run(['--format', format, path], { cwd });
        expect(stdout + stderr).not.toContain('MIIE');
      }
    const { status, stdout, stderr } = await run(['www'], { cwd });
    expect({ status, diffs: stdout.match(/^diff .*$/gm) }).toEqual({
      status: 1,
      diffs: ['diff --git a/www/.htaccess b/www/.htaccess'],
    });
    expect(stderr).toContain('a private key, not a configuration: not read');
  });

  test.each([
    '-----BEGIN ENCRYPTED PRIVATE KEY-----',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----',
    'PuTTY-User-Key-File-3: ssh-rsa',
  ])('%s', async (start) => {
    const cwd = directory({ key: `${start}\nMIIEsecret\n` });
    fs.symlinkSync('key', join(cwd, '.htaccess'));
    const { stderr } = await run(['-v', '.'], { cwd });
    expect(stderr).toContain('a private key, not a configuration: not read');
    expect(stderr).not.toContain('MIIE');
  });

  test('a command of GitHub Actions', async () => {
    const cwd = directory({ '::error::x.conf': `${OLD}::warning::of a file\n # ##[error]y\n` });
    const env = { GITHUB_ACTIONS: 'true' };
    const all = await run(['-v', '::error::x.conf'], { cwd });
    expect(commandsIn(all.stdout).length + commandsIn(all.stderr).length).toBeGreaterThan(1);
    for (const argv of [['-v', '::error::x.conf'], ['##[error]gone'], ['-w', '##[error]gone']]) {
      const { stdout, stderr } = await run(argv, { cwd, env });
      expect([...commandsIn(stdout), ...commandsIn(stderr)]).toEqual([]);
    }
    fs.writeFileSync(join(cwd, 'y##[error].conf'), `FooBar ##[error]y \u202e\n##[error]z\n${OLD}`);
    for (const format of ['json', 'sarif', 'gitlab', 'junit', 'html'])
      for (const path of ['.', '##[error]gone\u202e']) {
        const { stdout } = await run(['--diff', '--format', format, encode(path)], { cwd, env });
        expect(stdout.split('\n').filter((line) => /^[ \t]*::|##\[|\xe2\x80\xae/.test(line))).toEqual([]);
        if (path !== '.') expect(stdout).toMatch(/#(?:\\u0023|&#35;)\[error/);
      }
    const annotated = await run(['::error::x.conf', '--format', 'github'], { cwd, env });
    const commands = commandsIn(annotated.stdout);
    expect(commands.length).toBeGreaterThan(0);
    for (const line of commands)
      expect(line).toMatch(/^::(?:notice|warning|error) file=%3A%3Aerror%3A%3Ax\.conf,/);
    expect((await run(['::error::x.conf'], { cwd })).stdout).not.toContain('stop-commands');
  });
});
