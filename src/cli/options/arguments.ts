import { Argument, Command, CommanderError, Option } from 'commander';
import { UsageError } from '../trouble';
import {
  COLOURS,
  backupOf,
  type ConvertOptions,
  DEFAULTS,
  FAIL_ON,
  FORMATS,
  freezeOptions,
  type RawOptions,
} from './options';
import {
  type DebugRequest,
  type HookRequest,
  type CliRequest,
  type Shell,
  SHELLS,
  type UndoRequest,
} from './request';
import { COMPARE_DEFAULTS, compareRequest, type RawCompareOptions } from './compare-arguments';
import { fewTakenOptions, refuseOptions } from './given';
import { helpTail, helpWidth, HOOK_HELP } from './help';
import { hookRequest, type RawHookOptions } from './hook-arguments';
import { parseRuleOptions, splitRest } from './rule-options';

/**
 * @param argv the arguments, byte strings, without node and script
 * @param columns of the terminal that help is printed on; undefined where it is none
 * @throws UsageError
 */
export function parseArguments(argv: readonly string[], version: string, columns?: number): CliRequest {
  const dashDash = argv.indexOf('--');
  const before = dashDash < 0 ? argv : argv.slice(0, dashDash);
  const { ruleArgs: rest, paths } = splitRest(dashDash < 0 ? [] : argv.slice(dashDash + 1));
  let request: CliRequest | undefined;
  let printed = '';
  const program = buildProgram(
    version,
    (text) => (printed += text),
    (parsed) => (request = parsed),
    rest,
    helpWidth(columns),
  );
  try {
    const behind = paths.length === 0 ? [] : ['--', ...paths.map(notCommand(program))];
    program.parse([...before.map(attachValue), ...behind], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: printed };
    throw new UsageError(error.message.replace(/^error: /, '').replace(/\n/g, ' '));
  }
  if (request === undefined) throw new UsageError('no path given');
  if (request.kind === 'convert') return { ...request, options: { ...request.options, argv } };
  if (request.kind !== 'hook' || request.request.action !== 'run') return request;
  return { ...request, request: { ...request.request, options: { ...request.request.options, argv } } };
}

function buildProgram(
  version: string,
  print: (text: string) => void,
  decide: (request: CliRequest) => void,
  rest: readonly string[],
  width: number,
): Command {
  const program = new Command('httpd-codemod');
  program
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => width,
      getOutHasColors: () => false,
    })
    .configureHelp({
      minWidthToWrap: 10,
      showGlobalOptions: true,
      visibleGlobalOptions: (command) => [...fewTakenOptions(command.name(), program.options)],
    })
    .description(
      'Rewrites Apache httpd 2.2 configuration for 2.4. Shows the changes as a diff unless told to write.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false);
  const defining = { program, decide, rest, version, width };
  defineRun(defining);
  defineRules(defining);
  defineUndo(defining);
  defineWhy(defining);
  defineDebug(defining);
  defineHook(defining);
  defineApply(defining);
  defineCompare(defining);
  defineCollect(defining);
  defineReport(defining);
  defineLsp(defining);
  defineCompletion(defining);
  defineHelp(defining);
  defineVersion(defining);
  return program;
}

/** What a command is defined with. */
interface Defining {
  readonly program: Command;
  readonly decide: (request: CliRequest) => void;
  /** The options for rules, behind `--`. */
  readonly rest: readonly string[];
  readonly version: string;
  /** The columns that help has. */
  readonly width: number;
}

/** The run that converts: the program without the name of a command. */
function defineRun({ program, decide, rest, width }: Defining): void {
  defineResults(program);
  defineReading(program);
  program.addHelpText('after', `\n${helpTail(width)}`).action((paths: string[], raw: RawOptions) => {
    decide({ kind: 'convert', options: freezeOptions(paths, raw, parseRuleOptions(rest)) });
  });
  excludeEachOther(program, ['dual', 'no-dual']);
  excludeEachOther(program, ['config', 'no-config']);
}

/** The options for what is written, and by which rules. */
function defineResults(program: Command): void {
  program
    .argument(
      '[path...]',
      'server configs, directories, fragments, .htaccess files, a tar of collect; - for stdin',
    )
    .option('-w, --write', 'write the changes in place')
    .option('-i, --interactive', 'show the changes one by one, and write those that you accept')
    .option('--plan <file>', 'save the changes to this file; httpd-codemod apply writes exactly those')
    .option('--check', 'print only the names of the files that would change')
    .option('--diff', 'print the diff even with --write')
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default(DEFAULTS.format))
    .option('--rule <id>', 'run only this rule (repeatable)', collect)
    .option('--skip <id>', 'skip this rule (repeatable)', collect)
    .option(
      '--only <what>',
      'write only the changes of this rule, or in this file or directory (repeatable)',
      collect,
    )
    .option(
      '--answer <key=value>',
      'yes or no to what is assumed, or a choice: KEY[@PATH]=yes|no[:REASON], KEY[@PATH]=CHOICE (repeatable)',
      collect,
    )
    .option('--safe-only', 'apply only changes that certainly keep the behaviour')
    .option('--exact', 'leave access lines that have no exact form in 2.4, instead of refusing more')
    .option('--pin-defaults', "write 2.2's values where 2.4 has other defaults")
    .option('--comments', 'rewrite examples of 2.2 in comments, too')
    .option('--dual', 'write a block for each version, so that both 2.2 and 2.4 work')
    .option('--no-dual', 'reduce blocks for one version each to what 2.4 reads');
}

/** The options for what is read, and for what is printed. */
function defineReading(program: Command): void {
  program
    .addOption(
      new Option('--fail-on <level>', 'lowest level of an unresolved finding that sets exit status 1')
        .choices(FAIL_ON)
        .default(DEFAULTS.failOn),
    )
    .addOption(new Option('--color <when>', 'colour the output').choices(COLOURS).default(DEFAULTS.color))
    .option('-D <name[=value]>', 'define a variable, as for httpd -D (repeatable)', collect)
    .option('--server-root <dir>', 'resolve relative Includes from this directory')
    .option(
      '--target <httpd>',
      'release to convert for: 2.4.N, or the path of an httpd to ask (default: the newest known)',
    )
    .option('--modules <file>', 'file with the output of httpd -M on the 2.4 server')
    .option(
      '--stdin-name <name>',
      'file name to report for stdin; one that contains htaccess makes it a .htaccess',
      DEFAULTS.stdinName,
    )
    .option(
      '--explain <request>',
      'print how 2.2 and the result decide a request (repeatable; see below)',
      collect,
    )
    .option(
      '--log <file...>',
      'put the requests of these access logs to 2.2 and to the result: files, patterns, - for stdin',
    )
    .option('--log-format <format>', 'LogFormat of the logs, or its nickname (default: found out)')
    .option('--full', 'with --log: show lines with addresses, users and queries')
    .option('--configtest [=command]', 'run httpd -t on the result first; write nothing if httpd refuses it')
    .option('--backup [=suffix]', 'keep a copy beside each file that is written (default suffix: .bak)')
    .option('--follow', 'also write what the server reads outside the paths given')
    .option(
      '--unused',
      'convert what nothing of the server loads, too: disabled sites and modules, spare copies',
    )
    .option('--templates', 'take all files for templates, whatever their names: see the guide for templates')
    .option('--files-from <file>', 'read more paths from this file, one a line; - for stdin')
    .option('-0, --null', 'with --files-from: names end with NUL instead of a line end')
    .option('--exclude <pattern>', 'read, but do not change, files that match (repeatable)', collect)
    .option(
      '--honour-ignores',
      'as root, take ignore comments and ignore files of all users, not only of root and the owner of the configuration',
    )
    .option('--config <file>', 'use this project file instead of the nearest httpd-codemod.config.json')
    .option('--no-config', 'use no project file')
    .option('--output <file>', 'write to this file instead of stdout')
    .option('-q, --quiet', 'report only what is left for you to do')
    .option('--summary', 'count the findings by rule, file and virtual host instead of listing them')
    .option('-v, --verbose', 'report every finding in full')
    .option('--debug', 'with an internal error, print where it happened');
}

function defineRules({ program, decide, rest }: Defining): void {
  program
    .command('rules')
    .description('list the rules, or explain one')
    .argument('[id]', 'the rule to explain')
    .action((id: string | undefined) => {
      refuseOptions(program, 'rules');
      if (rest.length > 0) throw new UsageError('the rules command takes no rule options');
      decide({ kind: 'rules', id });
    });
}

function defineUndo({ program, decide, rest }: Defining): void {
  program
    .command('undo')
    .description('undo the last write to a file at or below the paths (default: the working directory)')
    .argument('[id|path...]', 'an id from --list undoes that write instead')
    .option('-y, --yes', 'do not ask')
    .option('--list', 'list the writes that can be undone')
    .option('--keep-changed', 'leave files that have changed since, and undo the others')
    .option('--prune', 'delete all journals: the writes can no longer be undone')
    .option('--repair', 'put journals aside that cannot be read')
    .action((what: string[], raw: RawUndoOptions, command: Command) => {
      refuseOptions(program, 'undo');
      if (rest.length > 0) throw new UsageError('the undo command takes no rule options');
      const { check = false } = command.optsWithGlobals<RawOptions>();
      decide({ kind: 'undo', options: undoRequest(what, { ...raw, check }) });
    });
}

function defineWhy({ program, decide }: Defining): void {
  program
    .command('why')
    .description("explain a message from 2.4's error log or from a failed start")
    .argument('[message]', 'the message, or a file of them: an error log; - or none reads lines from stdin')
    .argument('[path...]', 'the configuration to search for the cause')
    // A message may begin with a hyphen, as the items of a list do.
    .allowUnknownOption()
    .action((message: string | undefined, paths: string[]) => {
      const option = [message ?? '', ...paths].find((word) => /^--?[a-z][^ ]*$/i.test(word));
      if (option !== undefined) throw new UsageError(`unknown option '${option}'`);
      refuseOptions(program, 'why');
      decide({ kind: 'why', request: { message, paths } });
    });
}

function defineDebug({ program, decide, rest }: Defining): void {
  program
    .command('debug')
    .description('print how a configuration is read, which sections decide access, or what the rules find')
    .addArgument(new Argument('<what>', 'what to print').choices(['tree', 'access', 'findings']))
    .argument('[path...]', 'the configuration, as for a run; takes the options of a run too')
    .action((subject: DebugRequest['subject'], paths: string[], _: object, command: Command) => {
      refuseOptions(program, 'debug');
      const options = freezeOptions(paths, command.optsWithGlobals<RawOptions>(), parseRuleOptions(rest));
      decide({ kind: 'debug', request: { subject, options: checkDebug(options) } });
    });
}

function defineHook({ program, decide, rest }: Defining): void {
  program
    .command('hook')
    .description("check what is staged for a commit, or make git's pre-commit hook do so")
    .addArgument(new Argument('<action>', 'what to do').choices(['install', 'uninstall', 'run']))
    .argument('[file...]', 'check these files instead of those that the commit changes')
    .option('--fix', 'rewrite staged files that are the same in the work tree')
    .option('--no-stage', 'with --fix: rewrite only the work tree')
    .option('--stop', 'with --fix: exit with 1 if anything was rewritten, so that a person looks first')
    .addHelpText('after', `\n${HOOK_HELP}`)
    .action((action: HookRequest['action'], files: string[], raw: RawHookOptions) => {
      decide({ kind: 'hook', request: hookRequest(program, action, files, raw, rest) });
    });
}

function defineApply({ program, decide, rest }: Defining): void {
  program
    .command('apply')
    .description('write what --plan has saved, if no file has changed since')
    .argument('<file>', 'the saved plan')
    .action((file: string, _: object, command: Command) => {
      refuseOptions(program, 'apply');
      if (rest.length > 0) throw new UsageError('the apply command takes no rule options');
      const { check = false, backup } = command.optsWithGlobals<RawOptions>();
      const suffix = backupOf({ ...(backup === undefined ? {} : { backup }), write: true });
      decide({ kind: 'apply', request: { file, check, backup: suffix } });
    });
}

function defineCompare({ program, decide, rest }: Defining): void {
  program
    .command('compare')
    .description(
      'ask an old and a new server the safe requests of a log, and tell where they answer differently',
    )
    .argument('[path...]', 'the configuration, to say which rule has told of a difference')
    .option('--old <url>', 'the old server')
    .option('--new <url>', 'the new server')
    .option('--with-queries', 'ask requests with a query, too')
    .option('--rate <number>', 'requests to each server in a second, at most', COMPARE_DEFAULTS.rate)
    .option('--most <number>', 'requests at most: some of each kind', COMPARE_DEFAULTS.most)
    .option('--resolve <name:address>', 'do not look this name up (repeatable)', collect)
    .option('--insecure', 'take any certificate')
    .option('--header <header>', "send this with every request: 'Name: value' (repeatable)", collect)
    .action((paths: string[], raw: RawCompareOptions, command: Command) => {
      refuseOptions(program, 'compare');
      const options = freezeOptions(paths, command.optsWithGlobals<RawOptions>(), parseRuleOptions(rest));
      decide({ kind: 'compare', request: compareRequest(options, raw) });
    });
}

function defineCollect({ program, decide, rest }: Defining): void {
  program
    .command('collect')
    .description(
      'print the script that packs the configuration of an old server into a tar, to be converted here',
    )
    .action((_: object, command: Command) => {
      refuseOptions(program, 'collect');
      if (rest.length > 0) throw new UsageError('the collect command takes no rule options');
      const { output } = command.optsWithGlobals<RawOptions>();
      decide({ kind: 'collect', ...(output !== undefined && output !== '-' && { output }) });
    });
}

function defineReport({ program, decide, rest }: Defining): void {
  program
    .command('report')
    .description(
      'merge the JSON reports of many hosts into one: who can move, which questions are asked where',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['merge']))
    .argument('<file...>', 'a report for each host, HOST.json; the directory of a report is its group')
    .option('--before <file>', 'an earlier merge in JSON, to show the progress')
    .action((_: string, files: string[], { before }: { readonly before?: string }, command: Command) => {
      refuseOptions(program, 'report');
      if (rest.length > 0) throw new UsageError('the report command takes no rule options');
      const { format, output } = command.optsWithGlobals<RawOptions>();
      if (format !== 'text' && format !== 'markdown' && format !== 'html' && format !== 'json')
        throw new UsageError(`report merge has no format ${format}`);
      const into = output === '-' ? undefined : output;
      if (into !== undefined && [...files, before].includes(into))
        throw new UsageError(`--output ${into}: would replace a file that is read`);
      decide({ kind: 'merge', request: { files, before, format, output: into } });
    });
}

function defineLsp({ program, decide, rest }: Defining): void {
  program
    .command('lsp')
    .description('serve an editor: findings as you type, fixes, who gets in (the language server protocol)')
    .argument(
      '[path...]',
      'the server, where it is not the one above the file; takes the options of a run too',
    )
    .option('--stdio', 'speak on standard input and output, which is the only way')
    .action((paths: string[], _: object, command: Command) => {
      refuseOptions(program, 'lsp');
      const options = freezeOptions(paths, command.optsWithGlobals<RawOptions>(), parseRuleOptions(rest));
      decide({ kind: 'lsp', options });
    });
}

function defineCompletion({ program, decide, rest }: Defining): void {
  program
    .command('completion')
    .description('print what makes a shell complete commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      refuseOptions(program, 'completion');
      if (rest.length > 0) throw new UsageError('the completion command takes no rule options');
      decide({ kind: 'completion', shell });
    });
}

function defineHelp({ program }: Defining): void {
  program
    .command('help')
    .description('print this help, or that of a command')
    .argument('[command]', 'the command')
    .action((name: string | undefined) => {
      refuseOptions(program, 'help');
      const asked = program.commands.find((command) => command.name() === name);
      if (name !== undefined && asked === undefined) throw new UsageError(`there is no command '${name}'`);
      (asked ?? program).help();
    });
}

function defineVersion({ program, decide, version }: Defining): void {
  program
    .command('version')
    .description('print the version')
    .action(() => {
      refuseOptions(program, 'version');
      decide({ kind: 'print', text: `${version}\n` });
    });
}

/** The command line as it is defined, to be looked at. */
export function commandLine(version: string): Command {
  return buildProgram(
    version,
    () => undefined,
    () => undefined,
    [],
    helpWidth(undefined),
  );
}

/** @throws UsageError for a document that is not about what is looked at */
function checkDebug(options: ConvertOptions): ConvertOptions {
  const { format } = options;
  if (format !== 'text' && format !== 'json') throw new UsageError(`debug has no format ${format}`);
  return options;
}

/** Refuses two options of which only one can be meant: commander itself lets the last one win. */
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

/** Behind `--` stands a path, even if a command has the same name. */
function notCommand({ commands }: Command): (word: string) => string {
  return (word) => (commands.some((command) => command.name() === word) ? `./${word}` : word);
}

/** The value of `--configtest` and `--backup` follows `=` or there is none: the next word is a path. */
function attachValue(arg: string): string {
  return arg === '--configtest' || arg === '--backup' ? `${arg}=` : arg;
}

type RawUndoOptions = Partial<
  Readonly<Record<'check' | 'list' | 'prune' | 'repair' | 'keepChanged' | 'yes', boolean>>
>;

/** @throws UsageError where options contradict each other */
function undoRequest(what: readonly string[], raw: RawUndoOptions): UndoRequest {
  const { keepChanged = false, yes = false } = raw;
  const actions = (['check', 'list', 'prune', 'repair'] as const).filter((name) => raw[name] === true);
  if (actions.length > 1) throw new UsageError(`--${actions[0]} and --${actions[1]} contradict each other`);
  const [action = 'undo'] = actions;
  if (action !== 'undo' && action !== 'check' && (what.length > 0 || keepChanged || yes))
    throw new UsageError(`--${action} takes nothing back: give it alone`);
  return { what, action, keepChanged, yes };
}
