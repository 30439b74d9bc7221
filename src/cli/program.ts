import { Argument, Command, CommanderError, Option } from 'commander';
import type { HookRequest } from './hook';
import { HELP_TAIL } from './help';
import { COLOURS, DEFAULTS, FAIL_ON, FORMATS, freezeOptions, type RawOptions } from './options';
import type { Request } from './request';
import { parseRuleOptions } from './rule-options';
import { UsageError } from './trouble';
import { checkUndo, type UndoRequest } from './undo';

const WIDTH = 100;

/**
 * @param argv the arguments, byte strings, without node and script
 * @throws UsageError
 */
export function parseProgram(argv: readonly string[], version: string): Request {
  const dashes = argv.indexOf('--');
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  const rest = dashes < 0 ? [] : argv.slice(dashes + 1);
  let request: Request | undefined;
  let printed = '';
  const program = buildProgram(
    version,
    (text) => (printed += text),
    (made) => (request = made),
    rest,
  );
  try {
    program.parse(own.map(attachValue), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: printed };
    throw new UsageError(error.message.replace(/^error: /, '').replace(/\n/g, ' '));
  }
  if (request === undefined) throw new UsageError('no path given');
  return request;
}

function buildProgram(
  version: string,
  print: (text: string) => void,
  decide: (request: Request) => void,
  rest: readonly string[],
): Command {
  const program = new Command('httpd-codemod')
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => WIDTH,
      getOutHasColors: () => false,
    })
    .description(
      'Rewrites Apache httpd 2.2 configuration for 2.4. Shows the changes as a diff unless told to write.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false);
  program
    .argument('[path...]', 'server configs, directories, fragments, .htaccess files; - for stdin')
    .option('-w, --write', 'write the changes in place')
    .option('--check', 'print only the names of files that would change')
    .option('--diff', 'print the diff, with --write too')
    .addOption(new Option('--format <format>', 'how to report').choices(FORMATS).default(DEFAULTS.format))
    .option('--rule <id>', 'run this rule only (repeatable)', collect)
    .option('--skip <id>', 'leave this rule out (repeatable)', collect)
    .option('--safe-only', 'apply only what keeps the behaviour for sure')
    .option('--pin-defaults', "write 2.2's values where 2.4 has other defaults")
    .option('--dual', 'write blocks that 2.2 and 2.4 both read right')
    .option('--no-dual', 'collapse the blocks for one version each to what 2.4 reads')
    .addOption(
      new Option('--fail-on <level>', 'lowest level that sets exit status 1')
        .choices(FAIL_ON)
        .default(DEFAULTS.failOn),
    )
    .addOption(new Option('--color <when>', 'colour the output').choices(COLOURS).default(DEFAULTS.color))
    .option('-D <name[=value]>', 'define a variable, as for httpd -D (repeatable)', collect)
    .option('--server-root <dir>', 'resolve relative Includes from here')
    .option('--target <httpd>', 'the 2.4 that this is for: 2.4.N, or the path of one to ask (newest known)')
    .option('--modules <file>', 'what httpd -M prints on the server that this is for')
    .option(
      '--stdin-name <name>',
      'what to call stdin; with htaccess in it, read as .htaccess',
      DEFAULTS.stdinName,
    )
    .option(
      '--explain <request>',
      'print how 2.2 and the rewrite decide a request (repeatable; see below)',
      collect,
    )
    .option(
      '--configtest [=command]',
      "ask httpd's -t about the rewritten tree first; write nothing that it refuses",
    )
    .option('--backup [=suffix]', 'with -w: leave a copy beside each changed file (.bak)')
    .option('--follow', 'write, too, what links and Includes lead to outside of the paths given')
    .option('-q, --quiet', 'report only what a person must resolve')
    .addHelpText('after', HELP_TAIL)
    .action((paths: string[], raw: RawOptions) => {
      decide({ kind: 'convert', options: freezeOptions(paths, raw, parseRuleOptions(rest)) });
    });
  excludeEachOther(program, ['dual', 'no-dual']);
  program
    .command('rules')
    .description('list the rules, or explain one')
    .argument('[id]', 'the rule to explain')
    .action((id: string | undefined) => {
      if (rest.length > 0) throw new UsageError('the rules command takes no rule options');
      decide({ kind: 'rules', id });
    });
  program
    .command('undo')
    .description('take the last write back')
    .argument('[id]', 'another write, as --list names it')
    .option('--list', 'list the writes that can be taken back')
    .option('--keep-changed', 'leave files that changed since, and take back the others')
    .option('--prune', 'forget all writes: they can no longer be taken back')
    .action((id: string | undefined, raw: Partial<Omit<UndoRequest, 'id'>>) => {
      if (rest.length > 0) throw new UsageError('the undo command takes no rule options');
      const { list = false, prune = false, keepChanged = false } = raw;
      decide({ kind: 'undo', options: checkUndo({ id, list, prune, keepChanged }) });
    });
  program
    .command('why')
    .description('explain what 2.4 says in its error log or when it does not start')
    .argument('<message>', 'the line; - reads lines from stdin')
    .argument('[path...]', 'the configuration to look for the cause in')
    .action((message: string, paths: string[]) => decide({ kind: 'why', request: { message, paths } }));
  program
    .command('hook')
    .description("judge what is staged for a commit, or have git's pre-commit hook do so")
    .addArgument(new Argument('<action>', 'what to do').choices(['install', 'uninstall', 'run']))
    .argument('[file...]', 'judge these files instead of those that the commit changes')
    .option('--fix', 'rewrite what is staged, where the work tree holds the same')
    .option('--no-stage', 'with --fix: rewrite the work tree only')
    .option('--dual', 'write blocks that 2.2 and 2.4 both read right')
    .action(
      (action: HookRequest['action'], files: string[], raw: { fix?: true; stage: boolean; dual?: true }) => {
        const request = { action, files, fix: raw.fix === true, stage: raw.stage, dual: raw.dual };
        decide({ kind: 'hook', request });
      },
    );
  return program;
}

/** Of two spellings of one option commander itself lets the last one win. */
function excludeEachOther(program: Command, names: readonly string[]): void {
  const given = new Set<string>();
  for (const name of names) {
    program.on(`option:${name}`, () => {
      given.add(`--${name}`);
      if (given.size > 1) throw new UsageError(`${[...given].join(' and ')} contradict each other`);
    });
  }
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** The value of `--configtest` and `--backup` follows `=` or there is none: the next word is a path. */
function attachValue(arg: string): string {
  return arg === '--configtest' || arg === '--backup' ? `${arg}=` : arg;
}
