import type { Argument, Command, Option } from 'commander';
import { fewTakenOptions, takesOption } from '../options';

/** What may stand in a place of the command line: words to choose from, or names of files. */
export type WordKind =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'directory' | 'any' };

export interface OptionEntry {
  /** With its dash: `-w`. */
  readonly short: string | undefined;
  /** With its dashes; undefined where there is only a short form. */
  readonly long: string | undefined;
  /** The option as help shows it: `-w, --write`, `--format <format>`. */
  readonly flags: string;
  readonly description: string;
  readonly isRepeatable: boolean;
  /** What holds without it; undefined where that is plain. */
  readonly initial: string | undefined;
  /** What has to follow as the next word, or behind `=`; undefined where nothing has to. */
  readonly value: WordKind | undefined;
}

export interface ArgumentEntry {
  /** The argument as help shows it: `<message>`, `[path...]`. */
  readonly term: string;
  readonly description: string;
  readonly isVariadic: boolean;
  readonly value: WordKind;
}

/** The program, or one of its commands. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentEntry[];
  /** The options of the command, `--help` among them. */
  readonly options: readonly OptionEntry[];
  /** Options of the program that go for the command, too. */
  readonly runOptions: readonly OptionEntry[];
  /** The options of a run that the help of the command lists: none where there are many. */
  readonly listedRunOptions: readonly OptionEntry[];
  readonly commands: readonly CommandEntry[];
}

/**
 * The command line as data.
 * @param rules ids, for what takes the id of a rule
 */
export function commandTree(program: Command, rules: readonly string[]): CommandEntry {
  const entryOf = (command: Command): CommandEntry => ({
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => argumentEntry(argument, rules)),
    options: [...command.options, helpOption(command)].map((option) => optionEntry(option, rules)),
    runOptions:
      command === program
        ? []
        : program.options
            .filter((option) => takesOption(command.name(), option))
            .map((option) => optionEntry(option, rules)),
    listedRunOptions: fewTakenOptions(command.name(), program.options).map((option) =>
      optionEntry(option, rules),
    ),
    commands: command.commands.map(entryOf),
  });
  return entryOf(program);
}

/** Commander adds it only where it prints. */
function helpOption(command: Command): Option {
  const help = command
    .createHelp()
    .visibleOptions(command)
    .find(({ long }) => long === '--help');
  if (help === undefined) throw new Error(`${command.name()} has no --help`);
  return help;
}

function optionEntry(option: Option, rules: readonly string[]): OptionEntry {
  const { short, long, flags, description, argChoices, required } = option;
  return {
    short,
    long,
    flags,
    description: description + (argChoices === undefined ? '' : ` (${argChoices.join(', ')})`),
    initial: typeof option.defaultValue === 'string' ? option.defaultValue : undefined,
    isRepeatable: option.parseArg !== undefined && argChoices === undefined,
    value: required ? wordKind(placeholderOf(flags), argChoices, rules) : undefined,
  };
}

function argumentEntry(argument: Argument, rules: readonly string[]): ArgumentEntry {
  const { variadic, required, description, argChoices } = argument;
  const name = argument.name();
  const inside = variadic ? `${name}...` : name;
  return {
    term: required ? `<${inside}>` : `[${inside}]`,
    description: description + (argChoices === undefined ? '' : ` (${argChoices.join(', ')})`),
    isVariadic: variadic,
    value: wordKind(name, argChoices, rules),
  };
}

/** `file` of `--output <file>`. */
function placeholderOf(flags: string): string {
  return flags.slice(flags.indexOf('<') + 1, flags.lastIndexOf('>'));
}

function wordKind(
  placeholder: string,
  choices: readonly string[] | undefined,
  rules: readonly string[],
): WordKind {
  if (choices !== undefined) return { kind: 'words', words: choices };
  const parts = placeholder.replaceAll('...', '').split('|');
  if (parts.includes('path') || parts.includes('file') || parts.includes('httpd')) return { kind: 'file' };
  if (parts.includes('dir')) return { kind: 'directory' };
  if (parts.includes('what')) return { kind: 'file' };
  return parts.includes('id') ? { kind: 'words', words: rules } : { kind: 'any' };
}
