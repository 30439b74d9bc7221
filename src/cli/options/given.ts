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

/**
 * @param isRefused decides by the name as commander keeps it
 * @throws UsageError for a given option that means nothing to the command
 */
export function refuseGiven(program: Command, command: string, isRefused: (name: string) => boolean): void {
  for (const option of givenOptions(program))
    if (isRefused(option.attributeName()))
      throw new UsageError(`${command} takes no ${nameOfOption(option)}`);
}

export function nameOfOption({ long, short, flags }: Option): string {
  return long ?? short ?? flags;
}
