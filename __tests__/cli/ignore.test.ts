import fs from 'node:fs';
import { join } from 'node:path';
import type { FileSource } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { command, type CommandResult } from '../../testing/run/command';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { directory } from '../../testing/write/directory';
import { unbroken } from '../../testing/run/unbroken';

const run = (cwd: string, argv: readonly string[]): Promise<CommandResult> => command(argv, { cwd });

const A = 'MaxClients 5\n';
const B = 'MaxRequestsPerChild 7\n';

describe('comments', () => {
  test.each<[string, string, string, string[]]>([
    ['next line', `# httpd-codemod-ignore-next-line\n${A}${A}`, `# httpd-codemod-ignore-next-line\n${A}MaxRequestWorkers 5\n`, []],
    ['next line, of a rule', `#httpd-codemod-ignore-next-line max-clients\n${A}${B}`, `#httpd-codemod-ignore-next-line max-clients\n${A}MaxConnectionsPerChild 7\n`, []],
    ['next line, of another rule', `# httpd-codemod-ignore-next-line max-requests-per-child\n${A}`, `# httpd-codemod-ignore-next-line max-requests-per-child\nMaxRequestWorkers 5\n`, ['1:1 ignore-next-line has nothing to ignore']],
    ['a continued line', `# httpd-codemod-ignore-next-line\nMaxClients \\\n 5\n${B}`, `# httpd-codemod-ignore-next-line\nMaxClients \\\n 5\nMaxConnectionsPerChild 7\n`, []],
    ['nothing to ignore', '# httpd-codemod-ignore-next-line\nServerAdmin a@b\n', '# httpd-codemod-ignore-next-line\nServerAdmin a@b\n', ['1:1 ignore-next-line has nothing to ignore']],
    ['a pair', `${A}  # httpd-codemod-ignore-begin\n${A}${B}# httpd-codemod-ignore-end\n${B}`, `MaxRequestWorkers 5\n  # httpd-codemod-ignore-begin\n${A}${B}# httpd-codemod-ignore-end\nMaxConnectionsPerChild 7\n`, []],
    ['a pair of two rules', `# httpd-codemod-ignore-begin max-clients, order-allow-deny\n${A}${B}# httpd-codemod-ignore-end\n`, `# httpd-codemod-ignore-begin max-clients, order-allow-deny\n${A}MaxConnectionsPerChild 7\n# httpd-codemod-ignore-end\n`, []],
    ['no end', `# httpd-codemod-ignore-begin\n${A}`, `# httpd-codemod-ignore-begin\n${A}`, ['1:1 ignore-begin without ignore-end: all that follows is left alone']],
    ['no begin', `# httpd-codemod-ignore-end\n${A}`, '# httpd-codemod-ignore-end\nMaxRequestWorkers 5\n', ['1:1 ignore-end without ignore-begin']],
    ['begin in begin', `# httpd-codemod-ignore-begin\n# httpd-codemod-ignore-begin\n${A}# httpd-codemod-ignore-end\n`, `# httpd-codemod-ignore-begin\n# httpd-codemod-ignore-begin\n${A}# httpd-codemod-ignore-end\n`, ['2:1 ignore-begin inside another one is not read']],
    ['the file', `${A}# httpd-codemod-ignore-file\n${B}`, `${A}# httpd-codemod-ignore-file\n${B}`, []],
    ['the file, of a rule', `# httpd-codemod-ignore-file max-clients\n${A}${B}`, `# httpd-codemod-ignore-file max-clients\n${A}MaxConnectionsPerChild 7\n`, []],
    ['an unknown rule', `# httpd-codemod-ignore-next-line maxclients\n${A}`, `# httpd-codemod-ignore-next-line maxclients\nMaxRequestWorkers 5\n`, ['1:1 ignore-next-line names no rule: maxclients']],
    ['an unknown comment', `# httpd-codemod-ignore-line\n${A}`, '# httpd-codemod-ignore-line\nMaxRequestWorkers 5\n', ['1:1 httpd-codemod knows no comment ignore-line']],
    ['other comments', `# see httpd-codemod-ignore-file\n${A}`, '# see httpd-codemod-ignore-file\nMaxRequestWorkers 5\n', []],
  ])('%s', (_, input, output, about) => {
    const result = convertFiles({ '/a.conf': input });
    expect(textAfter(result, '/a.conf')).toBe(output);
    expect(result.failure).toBeUndefined();
    const reported = result.outcomes.filter(({ rule }) => rule === 'ignore').map(({ file, at, message }) => {
      const { line, column } = file.document.positionAt(at);
      return `${line}:${column} ${message}`;
    });
    expect(reported).toEqual(about);
  }); // prettier-ignore

  test('sections that go together stay together', () => {
    const files = {
      '/s/httpd.conf':
        'ServerRoot /s\nAccessFileName .none\n<Directory /x>\nOrder deny,allow\nDeny from all\n</Directory>\nInclude b.conf\n',
      '/s/b.conf': '<Directory /x/y>\n# httpd-codemod-ignore-next-line\nAllow from all\n</Directory>\n',
    };
    const result = convertFiles(files, ['/s/httpd.conf']);
    expect(result.plan).toEqual([]);
    expect(result.outcomes.filter(({ status }) => status === 'ignored')).toHaveLength(1);
    expect(result.outcomes.filter(({ status }) => status === 'not-applied').map(({ why }) => why)).toEqual([
      'it goes together with what is left alone: the comment in s/b.conf:2 asks to leave it alone',
    ]);
  });

  test('what did not run has had nothing to ignore', () => {
    const text = '# httpd-codemod-ignore-next-line max-clients\nMaxClients 5\n';
    const { outcomes } = convertFiles({ '/a.conf': text }, ['/a.conf'], { skip: ['max-clients'] });
    expect(outcomes).toEqual([]);
  });
});

describe('.httpdcodemodignore', () => {
  test('in the working directory, in a directory given and above, not below', async () => {
    const cwd = directory({
      '.httpdcodemodignore': 'old/\n',
      'www/.httpdcodemodignore': '# ours\n*.conf\n!b.conf\n',
      'www/a.conf': A,
      'www/b.conf': A,
      'www/old/b.conf': A,
    });
    expect(await run(cwd, ['--check', 'www'])).toMatchObject({ status: 1, stdout: 'www/b.conf\n' });
    expect(await run(cwd, ['--check', 'www/old'])).toMatchObject({ status: 0, stdout: '' });
    expect(await run(join(cwd, 'www'), ['--check', 'old'])).toMatchObject({ status: 0, stdout: '' });
    expect(await run('/', ['--check', join(cwd, 'www/old')])).toMatchObject({ status: 0, stdout: '' });
    expect(await run(cwd, ['--check', '.'])).toMatchObject({ stdout: 'www/a.conf\nwww/b.conf\n' });
  });

  test('an ignored file is still read for what it means', async () => {
    const cwd = directory({
      'httpd.conf': `<Directory /x>\nOrder deny,allow\nDeny from all\n</Directory>\nInclude b.conf\n`,
      'b.conf': '<Directory /x/y>\nAllow from all\n</Directory>\n',
      '.httpdcodemodignore': 'b.conf\n',
    });
    const { status, stdout, stderr } = await run(cwd, ['--server-root', '.', 'httpd.conf']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(unbroken(stderr)).toContain('it goes together with what is left alone: b.conf is ignored');
  });
});

describe('httpd-codemod.config.json', () => {
  const project = (value: unknown): string => JSON.stringify(value);

  test('is found upwards; its paths are its own, and the command line wins', async () => {
    const cwd = directory({
      'httpd-codemod.config.json': project({
        version: 1,
        paths: ['conf'],
        skip: ['max-clients'],
        severities: { 'max-requests-per-child': 'error' },
        defines: { X: 'one' },
      }),
      'conf/a.conf': `${A}${B}`,
      'conf/b.conf': A,
    });
    expect(await run(join(cwd, 'conf'), ['--check'])).toMatchObject({ status: 1, stdout: 'a.conf\n' });
    expect((await run(join(cwd, 'conf'), ['-v'])).stderr).toContain('a.conf:2:1: MaxRequestsPerChild');
    expect(await run(cwd, ['--check', 'conf/b.conf'])).toMatchObject({ status: 0, stdout: '' });
    expect(await run(cwd, ['--check', '--rule', 'max-clients', 'conf/b.conf'])).toMatchObject({ status: 1 });
  });

  test('of another user, in a directory of all, does not tell root what to do', async () => {
    const cwd = directory({ 'httpd-codemod.config.json': project({ skip: ['max-clients'] }), 'a.conf': A });
    const runAs = async (uid: number, owner: number, ofDirectory: number, more: readonly string[] = []) => {
      const owners = (path: string): number[] => [path.endsWith('.json') ? owner : ofDirectory];
      return command(['--check', ...more, 'a.conf'], { cwd, uid }, { source: { ...disk, owners } });
    };
    const { stdout, stderr } = await runAs(0, 1001, 0);
    expect(stdout).toBe('a.conf\n');
    expect(unbroken(stderr)).toContain(
      'httpd-codemod.config.json is passed over: it belongs neither to root nor to the owner of its directory (--config takes it)',
    );
    // Twins: root's own, that of the directory's owner, one that is named, and another user's run.
    expect((await runAs(0, 0, 1001)).stdout).toBe('');
    expect((await runAs(0, 1001, 1001)).stdout).toBe('');
    expect((await runAs(0, 1001, 0, ['--config', 'httpd-codemod.config.json'])).stdout).toBe('');
    expect((await runAs(1002, 1001, 0)).stdout).toBe('');
  });

  test('of another user says nothing about what lies outside of its directory to root', async () => {
    const root = directory({ 'etc/a.conf': A, 'home/a.conf': A, 'home/httpd-codemod.config.json': '' });
    const cwd = join(root, 'home');
    const runAs = (value: unknown, paths: readonly string[], env = {}): Promise<CommandResult> => {
      fs.writeFileSync(
        join(cwd, 'httpd-codemod.config.json'),
        typeof value === 'string' ? value : project(value),
      );
      const owners = (path: string): number[] => [path.startsWith(cwd) ? 1001 : 0];
      return command(['--check', ...paths], { cwd, uid: 0, env }, { source: { ...disk, owners } });
    };
    const skip = ['max-clients'];
    for (const value of [{ skip }, { skip, paths: ['../etc'] }, '{'])
      for (const paths of [['../etc'], ['a.conf', '../etc/a.conf']]) {
        const { stdout, stderr } = await runAs(value, paths);
        expect(stdout).toContain('etc/a.conf');
        expect(unbroken(stderr)).toMatch(
          /passed over: it belongs to another user, and has no say in what lies elsewhere/,
        );
      }
    expect((await runAs({ skip, paths: ['../etc'] }, [])).stderr).toContain('passed over');
    // Twins: in its own directory, and where sudo runs it for its owner.
    expect((await runAs({ skip }, ['.'])).stdout).toBe('');
    expect((await runAs({ skip }, ['../etc'], { SUDO_UID: '1001' })).stdout).toBe('');
  });

  test.each<[unknown, string]>([
    [{ ruels: [] }, "unknown key 'ruels', did you mean 'rules'?"],
    [{ rules: ['max-client'] }, "unknown rule 'max-client', did you mean 'max-clients'?"],
    [{ skip: 'max-clients' }, 'skip must be a list of strings'],
    [{ severities: { 'max-clients': 'fatal' } }, "severities: 'max-clients' must be one of error, warning, info"],
    [{ severities: { nothing: 'info' } }, "unknown rule 'nothing'"],
    [{ defines: { X: 1 } }, "defines: 'X' must be a string"],
    [{ paths: [''] }, 'each of paths must be a string'],
    [[], 'the file must be an object'],
    [{ version: 2, later: [] }, 'version 2 is not read by this httpd-codemod; it reads version 1'],
    [{ version: '1' }, 'version must be 1'],
  ])('%j is refused', async (value, message) => {
    const cwd = directory({ 'httpd-codemod.config.json': project(value), 'a.conf': A });
    const { status, stdout, stderr } = await run(cwd, ['a.conf']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(`httpd-codemod: ${cwd}/httpd-codemod.config.json: ${message}\n`);
  }); // prettier-ignore

  test('no JSON', async () => {
    const cwd = directory({ 'httpd-codemod.config.json': '{', 'a.conf': A });
    expect(await run(cwd, ['a.conf'])).toMatchObject({ status: 2, stdout: '' });
  });

  test('no paths anywhere', async () => {
    const cwd = directory({ 'httpd-codemod.config.json': '{}' });
    expect(await run(cwd, ['--write'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no path given'),
    });
  });
});

describe('what other users ask for', () => {
  const IGNORED = `# httpd-codemod-ignore-file\n${A}`;
  const files = {
    'httpd.conf': 'ServerRoot /s\nListen 80\nMaxClients 7\n',
    'www/a.conf': IGNORED,
    'www/b.conf': IGNORED,
    'www/c.conf': A,
    'www/.httpdcodemodignore': 'c.conf\n',
  };

  /** @param owners by the end of a path; root otherwise */
  async function runAs(uid: number, owners: Readonly<Record<string, number>>, more: readonly string[] = []) {
    const cwd = directory(files);
    const source: FileSource = {
      ...disk,
      owners: (path) => [Object.entries(owners).find(([end]) => path.endsWith(end))?.[1] ?? 0],
    };
    const argv = ['--check', ...more, 'httpd.conf', 'www/a.conf', 'www/b.conf', 'www/c.conf', 'www'];
    const { stdout, stderr } = await command(argv, { cwd, uid }, { source });
    return { changed: stdout.split('\n').slice(0, -1).toSorted(), stderr };
  }

  const MINE = { '/a.conf': 1001, '/.httpdcodemodignore': 1001 };

  test('root follows root alone, and names what is passed over', async () => {
    const { changed, stderr } = await runAs(0, MINE);
    expect(changed).toEqual(['httpd.conf', 'www/a.conf', 'www/c.conf']);
    expect(stderr).toContain('www/.httpdcodemodignore is passed over: it belongs neither to root nor');
    expect(unbroken(stderr)).toMatch(/www\/a\.conf:1: the comments here .* are passed over/);
    expect(stderr).not.toMatch(/b\.conf:.* passed over/);
    expect(unbroken(stderr)).toContain('; left alone: the comment in www/b.conf:1 asks to leave it alone\n');
  });

  test('root follows the owner of the configuration, too', async () => {
    const { changed } = await runAs(0, { ...MINE, '/httpd.conf': 1001 });
    expect(changed).toEqual(['httpd.conf']);
    expect((await runAs(0, { ...MINE, '/httpd.conf': 1002 })).changed).toHaveLength(3);
  });

  test('--honour-ignores takes all of them, as other users do', async () => {
    expect((await runAs(0, MINE, ['--honour-ignores'])).changed).toEqual(['httpd.conf']);
    expect((await runAs(1002, MINE)).changed).toEqual(['httpd.conf']);
  });
});

describe('ignore files that are no use', () => {
  test.each<[name: string, text: string, note: RegExp]>([
    ['a pattern that no path is as long as', `${'a*'.repeat(8000)}\nb.conf\n`, /^httpd-codemod: \.httpdcodemodignore:1: the pattern is longer than 500 bytes; it is passed over$/m],
    ['a set without an end', 'a[\nb.conf\n', /^httpd-codemod: \.httpdcodemodignore:1: .* passed over$/m],
    ['thousands of them', `${'a[\n'.repeat(5000)}b.conf\n`, /^httpd-codemod: \.httpdcodemodignore: 4997 more lines passed over$/m],
  ])('%s', async (_, text, note) => {
    const cwd = directory({ '.httpdcodemodignore': text, 'a.conf': A, 'b.conf': A });
    const { status, stdout, stderr } = await run(cwd, ['--check', '.']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'a.conf\n' });
    expect(stderr).toMatch(note);
    expect(stderr.length).toBeLessThan(2000);
  }); // prettier-ignore

  test('a file that is too large is passed over as a whole', async () => {
    const cwd = directory({ '.httpdcodemodignore': 'b.conf\n'.repeat(20_000), 'b.conf': A });
    const { status, stderr } = await run(cwd, ['--check', '.']);
    expect(status).toBe(1);
    expect(stderr).toContain('.httpdcodemodignore is passed over: is larger than 64 KB\n');
  });

  test.each(['['.repeat(9), 'a*'.repeat(8000)])(
    '--exclude %.20s is bad usage: nothing of it may be written',
    async (pattern) => {
      const cwd = directory({ 'a.conf': A });
      const { status, stdout, stderr } = await run(cwd, ['--exclude', pattern, 'a.conf']);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(
        /^httpd-codemod: --exclude '.{1,60}': the pattern .* \(see httpd-codemod --help\)\n$/,
      );
    },
  );
});

test.each([
  ['by a list', { '.httpdcodemodignore': 'a.conf\n', 'a.conf': A }, 'a.conf is ignored'],
  ['by a comment', { 'a.conf': `# httpd-codemod-ignore-file\n${A}` }, 'the comment in a.conf:1 asks to leave it alone'],
] as const)('a file given alone that is ignored %s says so', async (_, files, why) => {
  const { status, stderr } = await run(directory(files), ['a.conf']);
  expect(status).toBe(0);
  expect(unbroken(stderr)).toBe(`Plan: no changes in 1 file, 0 to review, 0 blockers; left alone: ${why}\nNothing keeps 2.4 from starting. Nobody new gets in and nobody loses access. What is left alone is not judged.\n`);
}); // prettier-ignore
