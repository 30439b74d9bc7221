import type { ConvertOptions } from './options';
import { UsageError } from '../trouble';

type RuleOptions = ConvertOptions['ruleOptions'];

/**
 * Reads what stands after `--`: `--<rule>.<option>=<value>`, a flag alone meaning `true`.
 * @throws UsageError for anything else; whether the rules exist is checked by the caller
 */
export function parseRuleOptions(args: readonly string[]): RuleOptions {
  if (args.length === 0) return {};
  const yargs = require('yargs-parser') as typeof import('yargs-parser');
  const { _: words, ...parsed } = yargs([...args], {
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'duplicate-arguments-array': true,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
    },
  });
  const options: Record<string, Record<string, string>> = {};
  for (const word of words) throw badOption(String(word));
  for (const [rule, values] of Object.entries(parsed)) {
    if (values === null || typeof values !== 'object' || Array.isArray(values)) throw badOption(`--${rule}`);
    const own: Record<string, string> = (options[rule] = {});
    for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
      if (Array.isArray(value)) throw new UsageError(`rule option --${rule}.${name} is given twice`);
      if (typeof value === 'object') throw badOption(`--${rule}.${name}`);
      own[name] = typeof value === 'string' ? value : JSON.stringify(value);
    }
  }
  return options;
}

function badOption(given: string): UsageError {
  return new UsageError(`not a rule option (--<rule>.<option>=<value>): '${given}'`);
}
