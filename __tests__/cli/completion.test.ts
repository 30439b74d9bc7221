import { requireProgram } from '../../testing/httpd/install';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { commandLine, parseArguments } from '../../src/cli/options';
import { manPage } from '../../src/cli/manual';
import { transforms } from '../../transforms';
import { command } from '../../testing/run/command';

const scratch = fs.mkdtempSync(join(tmpdir(), 'codemod-completion-'));
const scripts: Record<string, string> = {};
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await command(['completion', shell])).stdout;
  fs.writeFileSync(join(scratch, 'completion.bash'), scripts['bash']!);
  for (const name of ['httpd.conf', 'html files/index.html', 'rules.conf']) {
    fs.mkdirSync(join(scratch, name, '..'), { recursive: true });
    fs.writeFileSync(join(scratch, name), '');
  }
});
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** What bash offers where a line ends; the words as bash splits it. */
function offered(words: readonly string[]): string[] {
  const program = `
    . ./completion.bash || exit 3
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    $(complete -p httpd-codemod | sed 's/.* -F \\([^ ]*\\) .*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', program, 'bash', 'httpd-codemod', ...words],
    {
      cwd: scratch,
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('in a real bash', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['--for'], ['--format']],
    [
      ['--format', 'g'],
      ['github', 'gitlab'],
    ],
    [['--format', '=', 'sa'], ['sarif']],
    [
      ['--format', '='],
      ['text', 'html', 'markdown', 'json', 'sarif', 'github', 'gitlab', 'junit', 'sh'],
    ],
    [['rules', 'max-cl'], ['max-clients']],
    [['--skip', 'max-cl'], ['max-clients']],
    [['hook', 'un'], ['uninstall']],
    [['--dual', 'hook', '--st'], ['--stop']],
    [['hook', 'install', '--safe'], ['--safe-only']],
    [['undo', '--ke'], ['--keep-changed']],
    [['undo', '--dua'], []],
    [
      ['debug', ''],
      ['tree', 'access', 'findings'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['ru'], ['rules', 'rules.conf']],
    [
      ['-w', 'ht'],
      ['html files', 'httpd.conf'],
    ],
    // What follows an option is its value, and what follows a path is no command.
    [['--output', 'ru'], ['rules.conf']],
    [['--rule', 'rules', 'deb'], ['debug']],
    [['httpd.conf', 'ru'], ['rules.conf']],
    [['--server-root', 'h'], ['html files']],
    [['-D', ''], []],
  ])('%j', (words, expected) => {
    expect(offered(words).toSorted()).toEqual([...expected].toSorted());
  });

  test('every option that is offered is taken', () => {
    const names = commandLine(version).commands.map((entry) => entry.name());
    for (const before of [[], ...names.map((name) => [name])]) {
      const options = offered([...before, '-']);
      expect(options).toContain('--help');
      expect(
        options.filter((option) => /unknown option|takes no/.test(refusal([...before, option]))),
      ).toEqual([]);
    }
  });
});

/** What is said of arguments that are refused; '' of others. */
function refusal(argv: readonly string[]): string {
  try {
    parseArguments(argv, version);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Every option and command, by the spelling that a person types. */
const WORDS = [commandLine(version), ...commandLine(version).commands].flatMap((entry) => [
  ...(entry.name() === 'httpd-codemod' ? [] : [entry.name()]),
  ...entry.options.flatMap(({ long }) => (long === null || long === undefined ? [] : [long])),
]);

describe('the scripts and the page', () => {
  test('each script names every command and option', () => {
    const missing = (text: string, spell: (word: string) => string): string[] =>
      WORDS.filter((word) => !text.includes(spell(word)));
    expect(missing(scripts['bash']!, (word) => word)).toEqual([]);
    expect(missing(scripts['zsh']!, (word) => word)).toEqual([]);
    expect(missing(scripts['fish']!, (word) => word.replace(/^--/, '-l '))).toEqual([]);
  });

  test('--help and the manual page say the same', async () => {
    const { stdout: help } = await command(['--help']);
    const page = join(scratch, 'page.1');
    fs.writeFileSync(page, manPage(version, transforms), 'latin1');
    const { status, stdout, stderr } = spawnSync(
      requireProgram('man', 'man-db', 'to show the manual page'),
      ['--warnings', '-l', page],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], MANWIDTH: '500', LC_ALL: 'C', MANPAGER: 'cat', TERM: 'dumb' },
      },
    );
    expect([status, stderr]).toEqual([0, '']);
    const words = (text: string): string => text.replace(/[ \n]+/g, ' ');
    const shown = words(stdout);
    for (const { flags, description } of commandLine(version).options) {
      expect(shown).toContain(words(flags));
      expect(shown).toContain(words(description));
      expect(words(help)).toContain(words(description));
    }
    for (const [name, flags] of [
      ['undo', '--check'],
      ['apply', '--check'],
      ['apply', '--backup [=suffix]'],
    ] as const) {
      expect((await command([name, '--help'])).stdout).toContain(`\nGlobal Options:\n`);
      expect((await command([name, '--help'])).stdout).toContain(`\n  ${flags} `);
      expect(shown).toMatch(new RegExp(` ${name} [^\n]*[<[].*${flags.replace(/[[\]]/g, '.')} `));
    }
    for (const paragraph of help.split('\n\n').slice(-5)) expect(shown).toContain(words(paragraph).trim());
  });
});

test('a shell that is not known is refused', async () => {
  const { status, stderr } = await command(['completion', 'csh']);
  expect(status).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
  expect((await command(['completion', 'bash', '--dual'])).stderr).toContain('completion takes no --dual');
});
