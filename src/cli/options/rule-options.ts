import type { Transform } from '../../engine/types';
import { UsageError } from '../trouble';
import { checkAnswers } from './answers';
import type { ConvertOptions } from './options';
import { suggest } from '../../suggest';

type RuleOptions = ConvertOptions['ruleOptions'];

/**
 * Splits what stands after `--`: `--<rule>.<option>` with or without a value is a rule option, anything else a path, which may
 * begin with a dash. A path that looks like a rule option is given as `./--name.conf`.
 */
export function splitRest(rest: readonly string[]): {
  readonly ruleArgs: readonly string[];
  readonly paths: readonly string[];
} {
  const isRuleOption = (word: string): boolean => /^--[a-z0-9-]+\.[a-z]/i.test(word);
  return { ruleArgs: rest.filter(isRuleOption), paths: rest.filter((word) => !isRuleOption(word)) };
}

/**
 * Reads the rule options after `--`: `--<rule>.<option>=<value>`, a flag alone meaning `true`.
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
    const ruleValues: Record<string, string> = (options[rule] = {});
    for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
      if (Array.isArray(value)) throw new UsageError(`rule option --${rule}.${name} is given twice`);
      if (typeof value === 'object') throw badOption(`--${rule}.${name}`);
      ruleValues[name] = typeof value === 'string' ? value : JSON.stringify(value);
    }
  }
  return options;
}

function badOption(given: string): UsageError {
  return new UsageError(`not a rule option (--<rule>.<option>=<value>): '${given}'`);
}

/** @throws UsageError for rules, and options of rules, that do not exist */
export function checkRequested(
  {
    rules = [],
    skip,
    ruleOptions,
    answers,
  }: Pick<ConvertOptions, 'rules' | 'skip' | 'ruleOptions' | 'answers'>,
  transforms: readonly Transform[],
): void {
  checkAnswers(answers, transforms);
  checkRules([...rules, ...skip, ...Object.keys(ruleOptions)], transforms);
  checkOptions(ruleOptions, transforms);
}

/** @throws UsageError naming the first id that no rule has, and the nearest one that exists */
export function checkRules(ids: readonly string[], transforms: readonly Transform[]): void {
  const known = transforms.map(({ id }) => id);
  for (const id of ids) {
    if (!known.includes(id)) throw new UsageError(`unknown rule '${id}'${suggest(id, known)}`);
  }
}

/** @throws UsageError naming the first option that its rule does not take */
function checkOptions(
  given: Readonly<Record<string, Readonly<Record<string, string>>>>,
  transforms: readonly Transform[],
): void {
  for (const { id, options = [] } of transforms) {
    for (const name of Object.keys(given[id] ?? {})) {
      if (options.includes(name)) continue;
      throw new UsageError(`rule ${id} has no option '${name}'${suggest(name, options)}`);
    }
  }
}
