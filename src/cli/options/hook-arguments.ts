import type { Command } from 'commander';
import { UsageError } from '../trouble';
import { placeIn } from './answers';
import { givenOptions, nameOfOption, refuseGiven, takesOption } from './given';
import { type ConvertOptions, freezeOptions, type RawOptions } from './options';
import type { HookArgument, HookRequest } from './request';
import { parseRuleOptions } from './rule-options';

/** What commander collects of the hook command itself. */
export interface RawHookOptions {
  readonly fix?: boolean;
  readonly stage: boolean;
  readonly stop?: boolean;
}

/** Options whose value is a path. */
const PATHS: ReadonlySet<string> = new Set(['serverRoot', 'modules', 'config', 'output']);

/**
 * @param rest what stands after `--`
 * @throws UsageError where options contradict each other, or mean nothing to the action
 */
export function hookRequest(
  program: Command,
  action: HookRequest['action'],
  files: readonly string[],
  { fix = false, stage, stop = false }: RawHookOptions,
  rest: readonly string[],
): HookRequest {
  const command = `hook ${action}`;
  if (action === 'uninstall') {
    refuseGiven(program, command, (option) => option.attributeName() !== 'debug');
    if (fix || !stage || stop || rest.length > 0) throw new UsageError(`${command} takes no options`);
  } else {
    refuseGiven(program, command, (option) => !takesOption('hook', option));
    if (!stage && !fix) throw new UsageError('--no-stage goes with --fix');
    if (stop && !fix) throw new UsageError('--stop goes with --fix');
  }
  if (action !== 'run' && files.length > 0) throw new UsageError(`${command} takes no file: '${files[0]}'`);
  if (action === 'uninstall') return { action };
  const options = runOptions(program, files, fix, rest);
  if (action === 'run') return { action, options, fix, stage, stop };
  refuseGiven(program, command, (option) => ['filesFrom', 'null'].includes(option.attributeName()));
  const args = [
    ...(fix ? [{ text: '--fix' }] : []),
    ...(stage ? [] : [{ text: '--no-stage' }]),
    ...(stop ? [{ text: '--stop' }] : []),
    ...givenArguments(program),
    ...(rest.length > 0 ? ['--', ...rest].map((text) => ({ text })) : []),
  ];
  return { action, options, args };
}

function runOptions(
  program: Command,
  files: readonly string[],
  fix: boolean,
  rest: readonly string[],
): ConvertOptions {
  const raw = program.opts<RawOptions>();
  if (fix && raw.check === true) throw new UsageError('--check and --fix contradict each other');
  if (files.includes('-')) throw new UsageError('hook run reads what is staged, not standard input (-)');
  return freezeOptions(files, raw, parseRuleOptions(rest));
}

/** The given options of a run as they are to be given again. */
function givenArguments(program: Command): HookArgument[] {
  return givenOptions(program).flatMap((option): HookArgument[] => {
    const name = option.attributeName();
    const flag = nameOfOption(option);
    const value: unknown = program.getOptionValue(name);
    if (typeof value === 'boolean') return [{ text: flag }];
    const start = option.long === undefined ? flag : `${flag}=`;
    return [value].flat().map((part) => {
      const text = String(part);
      const placed = name === 'answer' ? placeIn(text) : undefined;
      if (placed !== undefined) return { text: start + placed[0], path: placed[1], rest: placed[2] };
      // The name of an httpd on the PATH, or a release, is no path.
      const isPath = PATHS.has(name) || (name === 'target' && text.includes('/'));
      return isPath ? { text: start, path: text } : { text: start + text };
    });
  });
}
