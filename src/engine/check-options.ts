import { FIRST } from '../httpd/release';
import { suggest } from '../suggest';
import { CHECK_IDS } from './collect';
import type { Answer, RunOptions, Transform } from './types';

/** An option that a run does not take, or a rule that it does not have: a mistake in the calling program. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

type Kind = 'boolean' | 'function' | 'list of rules' | 'release' | 'list' | 'map' | 'object';

/** What a run can be asked, and as what kind of value. */
const KINDS: Readonly<Record<keyof RunOptions, Kind>> = {
  rules: 'list of rules',
  skip: 'list of rules',
  safeOnly: 'boolean',
  exact: 'boolean',
  dual: 'boolean',
  unwritable: 'map',
  pinDefaults: 'boolean',
  comments: 'boolean',
  target: 'release',
  targetModules: 'map',
  ruleOptions: 'object',
  levels: 'object',
  answers: 'list',
  acceptance: 'object',
  declines: 'function',
  onRule: 'function',
  onFound: 'function',
  leaveAlone: 'function',
  honours: 'function',
};

const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  boolean: 'true or false',
  function: 'a function',
  'list of rules': 'a list of the ids of rules',
  release: 'a release of 2.4 as a number (37 for 2.4.37)',
  list: 'a list',
  map: 'a Map',
  object: 'a plain object',
};

/** The names of all options of a run. */
export const RUN_OPTIONS: readonly string[] = Object.keys(KINDS);

const LEVELS: readonly unknown[] = ['error', 'warning', 'info'];

/** @throws OptionError naming the first option, rule or level that does not exist, or is of the wrong kind */
export function checkRunOptions(options: RunOptions, transforms: readonly Transform[]): void {
  for (const [name, value] of Object.entries(options)) {
    const kind = (KINDS as Readonly<Record<string, Kind>>)[name];
    if (kind === undefined)
      throw new OptionError(`no option is called '${name}': ${RUN_OPTIONS.join(', ')} are`);
    if (value !== undefined && !isOfKind(value, kind))
      throw new OptionError(`option '${name}' takes ${KIND_TEXTS[kind]}, not ${shown(value)}`);
  }
  const { rules = [], skip = [], levels = {}, ruleOptions = {} } = options;
  const known = new Map(transforms.map((transform) => [transform.id, transform]));
  const checkRule = (option: string, id: string): void => {
    if (!known.has(id)) throw new OptionError(`option '${option}' names a rule that there is not: '${id}'`);
  };
  for (const id of rules) checkRule('rules', id);
  for (const id of skip) checkRule('skip', id);
  for (const [id, level] of Object.entries(levels)) {
    if (!CHECK_IDS.includes(id)) checkRule('levels', id);
    if (!LEVELS.includes(level))
      throw new OptionError(`option 'levels' gives ${id} ${shown(level)}: levels are ${LEVELS.join(', ')}`);
  }
  for (const [id, values] of Object.entries(ruleOptions)) {
    checkRule('ruleOptions', id);
    const taken = known.get(id)?.options ?? [];
    for (const name of Object.keys(values))
      if (!taken.includes(name)) throw new OptionError(`rule ${id} has no option '${name}'`);
  }
  checkAnswers(options, transforms);
}

/**
 * What a run of these rules can be answered: gives why an answer is none; undefined where it is one.
 * @param whereChoice says where a choice is given, for whoever gave none
 */
export function answerCheck(
  transforms: readonly Transform[],
  whereChoice = '',
): (answer: Pick<Answer, 'key' | 'value' | 'choice'>) => string | undefined {
  const questions = new Map(
    transforms.flatMap(({ questions: asked = [] }) => asked).map((question) => [question.key, question]),
  );
  const keys = new Set([
    ...transforms.flatMap(({ id, assumes = [] }) => [id, ...assumes]),
    ...questions.keys(),
  ]);
  return ({ key, value, choice }) => {
    if (!keys.has(key)) return `nothing is assumed by the name '${key}'${suggest(key, [...keys])}`;
    const question = questions.get(key);
    const word = choice ?? (value ? 'yes' : 'no');
    if (question === undefined ? choice === undefined : question.accepts.test(word)) return undefined;
    return `the answer to ${key} is ${question?.choices ?? 'yes or no'}, not '${word}'${choice === undefined ? whereChoice : ''}`;
  };
}

/** @throws OptionError for an answer to what nothing asks, and for one that is no choice of its question */
function checkAnswers({ answers = [] }: RunOptions, transforms: readonly Transform[]): void {
  const problemOf = answerCheck(transforms, " (as 'choice' of the answer)");
  for (const answer of answers) {
    checkShape(answer);
    const problem = problemOf(answer);
    if (problem !== undefined) throw new OptionError(problem);
  }
}

/** What a program without types may have taken an answer for. */
function checkShape(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('key' in answer) || typeof answer.key !== 'string')
    throw new OptionError(
      `option 'answers' takes a list of { key, value, choice, place, reason }, not of ${shown(answer)}`,
    );
  const { value, choice } = answer as { readonly value?: unknown; readonly choice?: unknown };
  if (typeof value !== 'boolean')
    throw new OptionError(
      `option 'answers': 'value' of ${answer.key} takes true or false, not ${shown(value)}; what is neither is its 'choice'`,
    );
  if (choice !== undefined && typeof choice !== 'string')
    throw new OptionError(`option 'answers': 'choice' of ${answer.key} takes a text, not ${shown(choice)}`);
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'boolean':
    case 'function':
      return typeof value === kind;
    case 'list of rules':
      return Array.isArray(value) && value.every((id) => typeof id === 'string');
    case 'list':
      return Array.isArray(value);
    case 'map':
      return value instanceof Map;
    case 'release':
      return Number.isInteger(value) && (value as number) >= FIRST;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : typeof value === 'number' ? String(value) : typeof value;
}
