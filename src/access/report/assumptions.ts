import { type Scope, scopeName } from '../policy';
import { memo, shortened, shownPath } from '../primitives';

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
export type SectionAssumption =
  | { readonly key: 'answers-of-22' | 'hosts-before-tls' | 'nothing-elsewhere' }
  /**
   * @param modules in words
   * @param areBuiltIn LoadModule lines are there, but none for them: only one built in is there all the same
   * @param isToday the server that runs the configuration today has them, and not the 2.2 of before
   */
  | {
      readonly key: 'modules-loaded';
      readonly modules: readonly string[];
      readonly areBuiltIn: boolean;
      readonly isToday: boolean;
    }
  /** @param modules in words */
  | { readonly key: 'authentication-order'; readonly modules: readonly string[] }
  /** @param found where the files were found */
  | { readonly key: 'served-as'; readonly found: string; readonly path: string }
  /** @param sections that are for names of directories */
  | { readonly key: 'directories-by-pattern'; readonly sections: readonly Scope[] }
  | { readonly key: 'no-htaccess-passwords'; readonly directories: readonly string[] }
  /** @param words what a template fills in */
  | { readonly key: 'placeholder-addresses'; readonly words: readonly string[] }
  /** @param lacks what the run is known to lack, in words */
  | { readonly key: 'all-files-given'; readonly isServer: boolean; readonly lacks: readonly string[] };

export interface AccessAssumption {
  readonly key: (typeof ASSUMPTION_KEYS)[number];
  readonly text: string;
  /** What stands for the text behind the message of one finding. */
  readonly here?: string;
  /** What a list of the run's assumptions says: a few of many names. */
  readonly brief?: string;
  /** What would show whether it is so. */
  readonly remedy: string | undefined;
  /** What stands for the text where the reader has given no files. */
  readonly told?: string;
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

/** Words an assumption; most sections of a run rest on the same one. */
export const wordedAssumption = memo((assumption: SectionAssumption): AccessAssumption => {
  const { key } = assumption;
  switch (key) {
    case 'answers-of-22':
      return {
        key,
        text: 'what 2.2 answers is meant, and not what its lines for 2.4 say, which nothing has read yet',
        remedy: 'if the lines for 2.4 are right, keep them and take those for 2.2 out',
      };
    case 'hosts-before-tls':
      return {
        key,
        text: '2.2 loaded mod_authz_host before mod_ssl',
        remedy: 'give the server configuration with its LoadModule lines',
      };
    case 'modules-loaded':
      return {
        key,
        text: `${assumption.isToday ? 'the server has' : '2.2 had'} ${assumption.modules.join(' and ')} ${assumption.areBuiltIn ? 'built in' : 'loaded'}`,
        remedy: assumption.areBuiltIn
          ? 'httpd -l of the old server tells: if it had not, write what it read without the <IfModule>'
          : 'give the server configuration with its LoadModule lines',
      };
    case 'authentication-order': {
      const text = `2.2 asked ${assumption.modules.join(' before ')}`;
      return {
        key,
        text,
        here: `${text} (the order of LoadModule lines decides: give the server config, and it is taken from there)`,
        remedy: 'give the server configuration, whose LoadModule lines decide this',
      };
    }
    case 'nothing-elsewhere':
      return {
        key,
        text: "the server's other files do not decide who gets in here",
        remedy: undefined,
      };
    case 'served-as':
      return {
        key,
        text: `${assumption.found} is what the server calls ${shownPath(assumption.path)}`,
        remedy: undefined,
      };
    case 'directories-by-pattern': {
      const { sections } = assumption;
      return {
        key,
        text: `only directories have names that ${sections.map(scopeName).join(' and ')} ${sections.length === 1 ? 'is' : 'are'} for (a file with such a name may be refused to more)`,
        remedy: undefined,
      };
    }
    case 'no-htaccess-passwords': {
      const { directories } = assumption;
      const textWith = (most: number): string =>
        `no .htaccess below ${listed(directories, most)} asks for a password`;
      const those = directories.length > 1 ? 'these directories' : 'that directory';
      return {
        key,
        text: textWith(MANY),
        brief: textWith(FIRST),
        here: `${textWith(FEW)} (give ${those} in the same run and it is taken into account)`,
        remedy: `give ${those}, too`,
      };
    }
    case 'placeholder-addresses': {
      const { words } = assumption;
      return {
        key,
        text: `${listed(words.map(shortened), FEW)} ${words.length === 1 ? 'stands' : 'stand'} for addresses`,
        remedy: 'with anything else 2.4 does not start: for names, say --answer placeholder=host',
      };
    }
    case 'all-files-given':
      return allFilesGiven(assumption);
  }
});

function allFilesGiven({
  key,
  isServer,
  lacks,
}: Extract<SectionAssumption, { key: 'all-files-given' }>): AccessAssumption {
  const text = 'only the files given restrict access here and below';
  const textWith = (most: number): string =>
    lacks.length === 0 ? text : `${text} (not given: ${listed(lacks, most)})`;
  return {
    key,
    text: textWith(MANY),
    brief: textWith(FIRST),
    here: text,
    told: `no other file${lacks.length === 0 ? '' : `, such as ${listed(lacks, FEW)},`} restricts access here or below`,
    remedy: isServer
      ? 'give these, too'
      : 'give the server configuration and the directories that it serves, too',
  };
}

/** What stands behind a message; empty where nothing is assumed. */
export function assumedText(assumptions: readonly AccessAssumption[]): string {
  if (assumptions.length === 0) return '';
  return `, assuming that ${assumptions.map(({ text, here = text }) => here).join(' and that ')}`;
}
