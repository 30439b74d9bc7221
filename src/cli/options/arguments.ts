import { Argument, Command, CommanderError, Option } from 'commander';
import { UsageError } from '../trouble';
import {
  COLOURS,
  type ConvertOptions,
  DEFAULTS,
  FAIL_ON,
  FORMATS,
  freezeOptions,
  type RawOptions,
} from './options';
import type { DebugRequest, HookRequest, CliRequest, UndoRequest } from './request';
import { parseRuleOptions } from './rule-options';

const WIDTH = 100;

/**
 * @param argv the arguments, byte strings, without node and script
 * @throws UsageError
 */
export function parseArguments(argv: readonly string[], version: string): CliRequest {
  const dashDash = argv.indexOf('--');
  const before = dashDash < 0 ? argv : argv.slice(0, dashDash);
  const rest = dashDash < 0 ? [] : argv.slice(dashDash + 1);
  let request: CliRequest | undefined;
  let printed = '';
  const program = buildProgram(
    version,
    (text) => (printed += text),
    (parsed) => (request = parsed),
    rest,
  );
  try {
    program.parse(before.map(attachValue), { from: 'user' });
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
  decide: (request: CliRequest) => void,
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
    .command('debug')
    .description('print how a configuration is read, what decides access, or what the rules find')
    .addArgument(new Argument('<what>', 'what to print').choices(['tree', 'access', 'findings']))
    .argument('[path...]', 'the configuration, as for a run; options of a run go here too')
    .action((subject: DebugRequest['subject'], paths: string[], _: object, command: Command) => {
      const options = freezeOptions(paths, command.optsWithGlobals<RawOptions>(), parseRuleOptions(rest));
      decide({ kind: 'debug', request: { subject, options: checkDebug(options) } });
    });
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

/** @throws UsageError for an option that asks for more than to look */
function checkDebug(options: ConvertOptions): ConvertOptions {
  const { mode, format, configtest } = options;
  if (mode === 'write' || mode === 'check' || mode === 'explain')
    throw new UsageError(`debug takes no --${mode}`);
  if (configtest !== undefined) throw new UsageError('debug takes no --configtest');
  if (format !== 'text' && format !== 'json') throw new UsageError(`debug has no format ${format}`);
  return options;
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

/** @throws UsageError where options contradict each other */
function checkUndo(request: UndoRequest): UndoRequest {
  const { id, list, prune, keepChanged } = request;
  if (list && prune) throw new UsageError('--list and --prune contradict each other');
  if ((list || prune) && (id !== undefined || keepChanged))
    throw new UsageError(`--${list ? 'list' : 'prune'} takes nothing back: give it alone`);
  return request;
}

/** What `--help` says below the options. */
const HELP_TAIL = `
Paths: a server config (its Includes are followed), a directory (its server config and the
.htaccess files below it), a fragment, a .htaccess file; - reads stdin and writes to stdout.
Several paths are read as one server. Without -w nothing is written.
A config file stands for its own directory (the one above if that is conf, conf.d or the like)
and the ServerRoot it lies in. Files elsewhere are read, and written only with --follow.
httpd-codemod undo takes the last write back.
httpd-codemod debug tree|access|findings <path...> prints how a configuration is read, which sections
can meet and what each inherits, or what the rules find before any of it is applied (--format json).

In configuration: # httpd-codemod-ignore-next-line [rule...], # httpd-codemod-ignore-file [rule...],
# httpd-codemod-ignore-begin [rule...] to # httpd-codemod-ignore-end. Files named in
.httpdcodemodignore (the syntax of .gitignore) are read for what they mean and left alone.
httpd-codemod.config.json, here or in a directory above, may set paths, rules, skip, severities,
defines, dual, serverRoot and target (a release); the command line wins.

--explain 'PATH[?KEY=VALUE&...]' shows which sections decide a request, what each sets and what both
versions answer. PATH is a URL path, mapped by DocumentRoot and Alias, or else below the directory
given (that of the .htaccess given); a path inside a directory that the configuration or the command
line names is taken for a file's. Keys: method, from (the client's address), host (its name), user,
group, password (ok, none), env (a variable that is set), ssl (on, off), vhost (a ServerName; without
it the main server). Status 0: the answers agree; 1: they differ, or cannot be told.

Rule options follow after --, as --<rule>.<option>=<value>.

Exit status, the same in every mode:
  0  nothing left to do
  1  changes pending (dry run, --check), or findings at or above --fail-on
     that a person must resolve
  2  trouble: bad usage, an unreadable file, a refused write
The highest wins.
`;
