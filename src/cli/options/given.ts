import type { Command, Option } from 'commander';
import { UsageError } from '../trouble';

/** The options of a run that the command line gives: commander takes them before and after any command. */
export function givenOptions(program: Command): Option[] {
  return program.options.filter((option) => {
    const name = option.attributeName();
    // `--dual` and `--no-dual` are two options with one value.
    const meant = option.negate
      ? program.getOptionValue(name) === false
      : program.getOptionValue(name) !== false;
    return meant && program.getOptionValueSource(name) === 'cli';
  });
}

/** The options of a run that a command takes, or does not, by commander's names; `--debug` goes for all. */
const BY_COMMAND: Readonly<Record<string, { readonly takes: readonly string[] } | { readonly refuses: readonly string[] }>> = {
  __proto__: null!,
  rules: { takes: [] },
  undo: { takes: ['check'] },
  apply: { takes: ['check', 'backup'] },
  why: { takes: [] },
  collect: { takes: ['output'] },
  report: { takes: ['format', 'output'] },
  completion: { takes: [] },
  help: { takes: [] },
  version: { takes: [] },
  debug: { refuses: ['write', 'interactive', 'plan', 'only', 'check', 'explain', 'configtest', 'diff', 'quiet', 'verbose', 'summary', 'color', 'failOn', 'backup', 'log', 'logFormat', 'full'] },
  // The commit says what is read, and `--fix` what is written.
  hook: { refuses: ['write', 'interactive', 'plan', 'only', 'stdinName', 'explain', 'configtest', 'backup', 'follow', 'log', 'logFormat', 'full'] },
  // The editor says what is read and shown.
  lsp: { refuses: ['write', 'interactive', 'plan', 'only', 'check', 'explain', 'configtest', 'diff', 'quiet', 'verbose', 'summary', 'color', 'failOn', 'backup', 'log', 'logFormat', 'full', 'format', 'output', 'stdinName', 'filesFrom', 'null', 'follow'] },
  compare: { takes: ['log', 'logFormat', 'full', 'format', 'color', 'output', 'config', 'answer', 'D', 'serverRoot', 'target', 'modules', 'pinDefaults', 'rule', 'skip'] },
}; // prettier-ignore

/** Whether an option of a run means something to a command. */
export function takesOption(command: string, option: Option): boolean {
  const name = option.attributeName();
  if (name === 'debug') return true;
  const listed = BY_COMMAND[command];
  if (listed === undefined) return false;
  return 'takes' in listed ? listed.takes.includes(name) : !listed.refuses.includes(name);
}

/** The few options of a run that a command takes, for its help; none where it takes most: its help says so. */
export function fewTakenOptions(command: string, all: readonly Option[]): readonly Option[] {
  const listed = BY_COMMAND[command];
  return listed !== undefined && 'takes' in listed
    ? all.filter((option) => listed.takes.includes(option.attributeName()))
    : [];
}

/** @throws UsageError for a given option of a run that means nothing to the command */
export function refuseOptions(program: Command, command: string): void {
  refuseGiven(program, command, (option) => !takesOption(command, option));
}

/**
 * @param command as messages call it
 * @throws UsageError for a given option that is refused
 */
export function refuseGiven(program: Command, command: string, isRefused: (option: Option) => boolean): void {
  for (const option of givenOptions(program))
    if (isRefused(option)) throw new UsageError(`${command} takes no ${nameOfOption(option)}`);
}

export function nameOfOption({ long, short, flags }: Option): string {
  return long ?? short ?? flags;
}
