import type { Answer, RuleQuestion, TransformContext } from '../../src/engine';
import type { ConfigFile } from '../../src/config';
import { PHP_MODULES } from '../../src/httpd/handlers';
import type { Directive } from '../../src/syntax';
import { packagedFor24 } from '../common/servers';

/** How PHP runs on the new server. */
export type PhpChoice =
  | { readonly kind: 'fpm'; readonly handler: string }
  | { readonly kind: 'module'; readonly condition: string }
  | { readonly kind: 'none' };

export const PHP_QUESTION: RuleQuestion = {
  key: 'php',
  choices: 'fpm:/PATH/OF/SOCKET, fpm:HOST:PORT, module, module:7 or none',
  accepts: /^(?:fpm:(?:\/[^ \t"|<>]+|(?:[\w.-]+|\[[0-9A-Fa-f:]+\]):\d+)|module(?::[78])?|none)$/,
};

/** What a person chose for a file, and the answer, for findings to name; undefined where nobody did. */
export function phpChoice(
  { chosen, dual }: Pick<TransformContext, 'chosen' | 'dual'>,
  file: ConfigFile,
): { readonly choice: PhpChoice; readonly answers: readonly Answer[] } | undefined {
  const answer = chosen(PHP_QUESTION.key, file);
  if (answer?.choice === undefined) return undefined;
  const choice = readChoice(answer.choice);
  // 2.2 goes on to read what stands in blocks for its own module.
  return dual === true && choice.kind === 'module' ? undefined : { choice, answers: [answer] };
}

function readChoice(word: string): PhpChoice {
  if (word === 'none') return { kind: 'none' };
  const [, address = ''] = /^fpm:(.*)$/.exec(word) ?? [];
  if (address === '') return modulePhp(word.endsWith(':7') ? 'php7_module' : 'php_module');
  const handler = address.startsWith('/')
    ? `proxy:unix:${address}|fcgi://localhost`
    : `proxy:fcgi://${address}`;
  return { kind: 'fpm', handler };
}

/** PHP as a module of httpd. */
export function modulePhp(identifier: 'php7_module' | 'php_module'): PhpChoice {
  return { kind: 'module', condition: identifier === 'php7_module' ? 'mod_php7.c' : 'mod_php.c' };
}

/** Whether a package for 2.4 has brought PHP as a module: the lines for it do today what they will do. */
export function isPhpPackaged(context: TransformContext): boolean {
  if (context.targetModules !== undefined) return false;
  const packaged = packagedFor24(context);
  return PHP_MODULES.some((identifier) => packaged.has(identifier));
}

/** The ways to say how PHP runs, for messages. */
export const HOW_TO_ANSWER =
  '--answer php=fpm:/run/php/php-fpm.sock (or where FPM listens), php=module, or php=none if they are to stay refused';

/** What has PHP run as answered, and what keeps it out of directories, is written together or not at all. */
export const ANSWERED_GROUP = 'php';

/** Whether a setting of PHP is its own switch. */
export function isEngine({ args }: Directive): boolean {
  return args[0]?.value.toLowerCase() === 'engine';
}

/** Off, as PHP reads it (sapi/apache2handler/apache_config.c: php_apache_flag_handler; Zend/zend_ini.c: zend_ini_parse_bool). */
export function turnsOff({ args, key }: Directive): boolean {
  const value = args[1]?.value.toLowerCase() ?? '';
  return key.endsWith('flag') ? value !== 'on' && value !== '1' : !/^(?:on|yes|true|0*[1-9]\d*)$/.test(value);
}
