import type { Assumption } from '../../engine/types';
import { type Scope, scopeName } from '../policy';
import { shortened, shownPath } from '../primitives';

/** What may be assumed of a run; the words of the messages may change, these do not. */
export const ASSUMPTION_KEYS = [
  'answers-of-22',
  'hosts-before-tls',
  'modules-loaded',
  'authentication-order',
  'nothing-elsewhere',
  'served-as',
  'directories-by-pattern',
  'no-htaccess-passwords',
  'all-files-given',
  'placeholder-addresses',
] as const;

/** Whether a log in which nobody is newly refused is enough to accept what can only refuse. */
export const LOG_QUESTION = { key: 'log', choices: 'enough', accepts: /^enough$/ } as const;

/** What a conversion takes for granted of the run. */
export interface AccessAssumption extends Assumption {
  readonly key: (typeof ASSUMPTION_KEYS)[number];
  /** What stands for the text behind the message of one finding. */
  readonly here?: string;
}

/** Names that a message of one section has, those that the list of the run has, and those of a full list. */
const FEW = 5;
const FIRST = 3;
const MANY = 1000;

function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  // The last name takes no more room than its count.
  return more <= 1 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${more} more`;
}

export const ANSWERS_OF_22: AccessAssumption = {
  key: 'answers-of-22',
  text: 'what 2.2 answers is meant, and not what its lines for 2.4 say, which nothing has read yet',
  remedy: 'if the lines for 2.4 are right, keep them and take those for 2.2 out',
};

export const HOSTS_FIRST: AccessAssumption = {
  key: 'hosts-before-tls',
  text: '2.2 loaded mod_authz_host before mod_ssl',
  remedy: 'give the server configuration with its LoadModule lines',
};

export const NOTHING_ELSEWHERE: AccessAssumption = {
  key: 'nothing-elsewhere',
  text: "the server's other files do not decide who gets in here",
  remedy: undefined,
};

/**
 * @param modules in words
 * @param areBuiltIn LoadModule lines are there, but none for them: only one built in is there all the same
 * @param isToday the server that runs the configuration today has them, and not the 2.2 of before
 */
export function modulesLoaded(
  modules: readonly string[],
  areBuiltIn: boolean,
  isToday: boolean,
): AccessAssumption {
  return {
    key: 'modules-loaded',
    text: `${isToday ? 'the server has' : '2.2 had'} ${modules.join(' and ')} ${areBuiltIn ? 'built in' : 'loaded'}`,
    remedy: areBuiltIn
      ? 'httpd -l of the old server tells: if it had not, write what it read without the <IfModule>'
      : 'give the server configuration with its LoadModule lines',
  };
}

/** @param modules in words */
export function authenticationOrder(modules: readonly string[]): AccessAssumption {
  const text = `2.2 asked ${modules.join(' before ')}`;
  return {
    key: 'authentication-order',
    text,
    here: `${text} (the order of LoadModule lines decides: give the server config, and it is taken from there)`,
    remedy: 'give the server configuration, whose LoadModule lines decide this',
  };
}

/** @param found where the files were found */
export function servedAs(found: string, path: string): AccessAssumption {
  const text = `${found} is what the server calls ${shownPath(path)}`;
  return { key: 'served-as', text, remedy: undefined };
}

/** @param sections that are for names of directories */
export function directoriesByPattern(sections: readonly Scope[]): AccessAssumption {
  return {
    key: 'directories-by-pattern',
    text: `only directories have names that ${sections.map(scopeName).join(' and ')} ${sections.length === 1 ? 'is' : 'are'} for (a file with such a name may be refused to more)`,
    remedy: undefined,
  };
}

export function noPasswordsBelow(directories: readonly string[]): AccessAssumption {
  const textWith = (most: number): string =>
    `no .htaccess below ${listed(directories, most)} asks for a password`;
  const those = directories.length > 1 ? 'these directories' : 'that directory';
  return {
    key: 'no-htaccess-passwords',
    text: textWith(MANY),
    brief: textWith(FIRST),
    here: `${textWith(FEW)} (give ${those} in the same run and it is taken into account)`,
    remedy: `give ${those}, too`,
  };
}

/** @param words what a template fills in */
export function placeholderAddresses(words: readonly string[]): AccessAssumption {
  return {
    key: 'placeholder-addresses',
    text: `${listed(words.map(shortened), FEW)} ${words.length === 1 ? 'stands' : 'stand'} for addresses`,
    remedy: 'with anything else 2.4 does not start: for names, say --answer placeholder=host',
  };
}

/** @param lacks what the run is known to lack, in words */
export function allFilesGiven(isServer: boolean, lacks: readonly string[]): AccessAssumption {
  const text = 'only the files given restrict access here and below';
  const textWith = (most: number): string =>
    lacks.length === 0 ? text : `${text} (not given: ${listed(lacks, most)})`;
  return {
    key: 'all-files-given',
    text: textWith(MANY),
    brief: textWith(FIRST),
    here: text,
    told: `no other file${lacks.length === 0 ? '' : `, such as ${listed(lacks, FEW)},`} restricts access here or below`,
    remedy: isServer
      ? 'give these, too'
      : 'give the server configuration and the directories that it serves, too',
  };
}
