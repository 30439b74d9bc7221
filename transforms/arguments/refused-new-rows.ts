import type { Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { isRegistered } from '../../src/httpd/methods';
import { hasPlaceholder, type Directive, type Section } from '../../src/syntax';
import { isMechanism } from '../common/words';
import { knownValues } from './refused-by-both-rows';
import type { StrictArgument } from './strict-argument-rows';

/** A row about a directive that 2.2 does not have: whoever wrote the line wrote it for 2.4, which refuses it. */
function refusedBy24(
  row: Omit<StrictArgument, 'refused' | 'level' | 'in22' | 'source22' | 'findingFor'>,
  problemOf: (node: Directive | Section, place: Place, context: TransformContext) => string | undefined,
): StrictArgument {
  return {
    ...row,
    refused: true,
    level: 'error',
    in22: 'does not have the directive',
    source22: 'no module',
    findingFor(node, place, context) {
      const { rest } = node.kind === 'section' ? node.open : node;
      const problem = hasPlaceholder(rest) ? undefined : problemOf(node, place, context);
      return problem === undefined ? undefined : { message: `refuses ${problem}` };
    },
  };
}

/** What a % of ErrorLogFormat has after it: flags and levels, and the letter of what is logged. */
const ERROR_ITEM = /%(?:[% ]|(?:[-+0-9]|\{[^}]*\})*[AEFLMPTVaeiklmntv])/y;

/** The first % of a format for the error log that says nothing to log, with some of what follows it. */
function unreadErrorItem(format: string): string | undefined {
  for (let at = 0; (at = nextPercent(format, at)) >= 0; at = ERROR_ITEM.lastIndex) {
    ERROR_ITEM.lastIndex = at;
    if (!ERROR_ITEM.test(format)) return format.slice(at, at + 20);
  }
  return undefined;
}

/** Where the next % stands that no backslash makes plain text. */
function nextPercent(format: string, from: number): number {
  for (let at = from; at < format.length; at++) {
    if (format[at] === '\\') at++;
    else if (format[at] === '%') return at;
  }
  return -1;
}

/** Arguments that 2.4 refuses of directives that 2.2 does not have. */
export const REFUSED_NEW: readonly StrictArgument[] = [
  refusedBy24(
    {
      names: ['AllowMethods'],
      linePattern: /[^ \t]/,
      in24: 'refuses what is no method that httpd or a RegisterHttpMethod line knows, in any other letter case',
      source24: 'modules/aaa/mod_allowmethods.c: am_allowmethods',
      at: 'directory',
      examples: ['AllowMethods GET FOO', 'AllowMethods get', 'AllowMethods reset GET', 'AllowMethods GET,POST'],
      accepted: ['AllowMethods GET POST OPTIONS', 'AllowMethods Reset', 'AllowMethods PROPFIND'],
    },
    ({ args }, _place, { index }) => {
      if (args.length === 1 && args[0]!.value.toLowerCase() === 'reset') return undefined;
      const unknown = knownValues(args).find((value) => !isRegistered(value));
      if (unknown === undefined) return undefined;
      const isDefined = index.someDirective(['RegisterHttpMethod'], (node) => node.args.some(({ value }) => value === unknown));
      return isDefined ? undefined : `"${unknown}", which is no method that it knows`;
    },
  ),
  refusedBy24(
    {
      names: ['Mutex'],
      linePattern: /[^ \t]/,
      in24: 'refuses what is no mechanism for locks',
      source24: 'server/util_mutex.c: ap_parse_mutex',
      at: 'server',
      examples: ['Mutex posix', 'Mutex semaphore default'],
      accepted: ['Mutex Default', 'Mutex sem', 'Mutex file:/tmp rewrite-map'],
    },
    ({ args }) => {
      const [mechanism] = knownValues(args.slice(0, 1));
      const word = mechanism?.replace(/:.*$/s, '') ?? 'default';
      return isMechanism(word) || /^(?:default|none|no|yes)$/i.test(word) ? undefined : `"${mechanism}", which is no mechanism for locks`;
    },
  ),
  refusedBy24(
    {
      names: ['ErrorLogFormat'],
      linePattern: /[^ \t]/,
      in24: 'refuses a % without a letter that says what to log, and a format whose kind is neither connection nor request',
      source24: 'server/core.c: set_errorlog_format, parse_errorlog_item; server/log.c: ap_register_log_hooks',
      at: 'server',
      examples: ['ErrorLogFormat "%h %M"', 'ErrorLogFormat "%M 100%"', 'ErrorLogFormat "%{Referer %M"', 'ErrorLogFormat host "%a"'],
      accepted: ['ErrorLogFormat "[%{u}t] [%-m:%l] [pid %P] %7F: %E: [client\\ %a] %M% ,\\ referer\\ %{Referer}i"', 'ErrorLogFormat Request "%+{c}L"'],
    },
    ({ args }) => {
      const kind = args.length === 2 ? knownValues(args.slice(0, 1))[0] : undefined;
      if (kind !== undefined && !/^(?:connection|request)$/i.test(kind)) return `a format for "${kind}", which is neither connection nor request`;
      const format = args.at(-1);
      const item = args.length > 2 || format === undefined ? undefined : unreadErrorItem(format.value);
      return item && `${item} in a format, where no letter behind the % says what to log`;
    },
  ),
]; // prettier-ignore
