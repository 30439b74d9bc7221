import type { Place } from '../../src/config';
import type { Edit } from '../../src/edit';
import { replaceArgument } from '../../src/edit';
import type { Level, Task, TransformContext } from '../../src/engine';
import type { LifeSpan } from '../../src/httpd/release';
import { type Argument, type Directive, type Section, readWord } from '../../src/syntax';
import { isUnknown } from '../common/lines';

/** What a row reports about a line. */
export interface ArgumentFinding {
  /** Continues a sentence that begins with the releases. */
  readonly message: string;
  /** Edits that keep 2.2's meaning. Without them, a person has to choose. */
  readonly edits?: readonly Edit[];
  /** Offset in the file; by default the start of the line. */
  readonly at?: number;
  /** Instead of the level of the row. */
  readonly level?: Level;
  readonly task?: Task;
}

/** An argument that releases of 2.4 refuse, or read in another way than 2.2. The life span is that of the difference. */
export interface StrictArgument extends LifeSpan {
  readonly names: readonly string[];
  /** Sections that the row applies to as well. */
  readonly sections?: readonly string[];
  /** Matches the text after the name in every line that the row may be about. Other lines are not looked at further. */
  readonly linePattern: RegExp;
  /** Whether 2.4 refuses the line: it does not start, or answers 500 if the line is in a `.htaccess`. */
  readonly refused: boolean;
  readonly level: Level;
  /** The row is silent in a configuration that was written for 2.4, whose author knows what the line means. */
  readonly onlyWhenUpgrading?: true;
  /** What each version does with the argument, for the documentation: continues a sentence that begins with the version. */
  readonly in22: string;
  readonly in24: string;
  readonly source22: string;
  readonly source24: string;
  /** Where the examples belong: at server level, or in a `<Directory>`. */
  readonly at: 'server' | 'directory';
  /** Lines that the row is about. */
  readonly examples: readonly string[];
  /** Similar lines that both versions read alike. */
  readonly accepted: readonly string[];
  /** The rule that explains 2.4's error message for the examples, if it is not this one. */
  readonly messageRule?: string;
  /** @returns undefined for a line that the row is not about */
  readonly findingFor: (
    node: Directive | Section,
    place: Place,
    context: TransformContext,
  ) => ArgumentFinding | readonly ArgumentFinding[] | undefined;
}

/** Words that `AllowOverride Options=` accepts (server/core.c: set_allow_opts, the same in both versions). */
export const OPTIONS = new Set(
  'all execcgi followsymlinks includes includesnoexec indexes multiviews none runscripts symlinksifownermatch'.split(
    ' ',
  ),
);

/** AP_MAX_LIMIT_XML_BODY with a size_t of 64 bits: a sixth of the largest number, less one. */
const MAX_XML_BODY = 3074457345618258601n;

const LEVELS = /^(?:emerg|alert|crit|error|warn|notice|info|debug)$/i;

/** The value of an argument; undefined if there is none, or if it contains a variable. */
function knownValue(argument: Argument | undefined): string | undefined {
  return argument === undefined || isUnknown(argument.value) ? undefined : argument.value;
}

export const STRICT_ARGUMENTS: readonly StrictArgument[] = [
  {
    names: ['AllowOverride'],
    linePattern: /=/,
    since: 64,
    refused: true,
    level: 'error',
    in22: 'stops reading at the first word after Options= that is not an option, without a message',
    in24: 'refuses a word that is not an option',
    source22: 'server/core.c: set_override ignores what set_allow_opts returns',
    source24: 'CHANGES 2.4.64; server/core.c: set_override',
    at: 'directory',
    examples: [
      'AllowOverride Options=Foo',
      'AllowOverride Options=Indexes,Foo,ExecCGI',
      'AllowOverride FileInfo Options=+Indexes',
    ],
    accepted: [
      'AllowOverride Options=Indexes,,MultiViews',
      'AllowOverride Options=None',
      'AllowOverride FileInfo Options',
    ],
    findingFor(node, { file: { document } }) {
      let unknownOption: string | undefined;
      const edits = node.args.flatMap((argument) => {
        const [, key, list] = /^(options=)(.*)$/i.exec(knownValue(argument) ?? '') ?? [];
        const words = list?.split(',').filter((word) => word !== '') ?? [];
        const unknownAt = words.findIndex((word) => !OPTIONS.has(word.toLowerCase()));
        if (unknownAt < 0) return [];
        unknownOption ??= words[unknownAt];
        return [replaceArgument(document, argument, key + (words.slice(0, unknownAt).join(',') || 'None'))];
      });
      return unknownOption === undefined
        ? undefined
        : {
            message: `refuses ${unknownOption} after Options=, which is not an option; 2.2 ignored it and the words after it, so they are removed`,
            edits,
          };
    },
  },
  {
    names: ['LimitXMLRequestBody'],
    linePattern: /[0-9]{19}/,
    since: 53,
    refused: true,
    level: 'error',
    in22: 'accepts any number',
    in24: `refuses more than ${MAX_XML_BODY} if a size_t has 64 bits; 0 means that limit`,
    source22: 'server/core.c: set_limit_xml_req_body',
    source24: 'server/core.c: set_limit_xml_req_body, AP_MAX_LIMIT_XML_BODY',
    at: 'directory',
    examples: ['LimitXMLRequestBody 9223372036854775807', 'LimitXMLRequestBody 3074457345618258602'],
    accepted: [
      'LimitXMLRequestBody 3074457345618258601',
      'LimitXMLRequestBody 0',
      'LimitXMLRequestBody 1000000',
    ],
    findingFor({ args: [limit] }, { file: { document } }) {
      const digits = /^[ \t]*\+?([0-9]+)/.exec(knownValue(limit) ?? '')?.[1];
      return limit === undefined || digits === undefined || BigInt(digits) <= MAX_XML_BODY
        ? undefined
        : {
            message: `refuses such a large LimitXMLRequestBody: 0 sets the largest limit`,
            edits: [replaceArgument(document, limit, '0')],
          };
    },
  },
  {
    names: ['LogLevel'],
    linePattern: /["']/,
    refused: true,
    level: 'error',
    in22: 'reads the first word in the quotes',
    in24: 'reads everything in the quotes as the level, and refuses it',
    source22: 'server/core.c: set_loglevel',
    source24: 'server/core.c: set_loglevel; server/log.c: ap_parse_log_level',
    at: 'server',
    examples: ['LogLevel "warn foo"', 'LogLevel "error "', 'LogLevel "info ssl:warn"'],
    accepted: ['LogLevel "warn"', 'LogLevel warn'],
    findingFor({ args }, { file: { document } }) {
      const [argument] = args;
      const value = knownValue(argument);
      const first = value === undefined ? undefined : readWord(value, 0)?.value;
      if (args.length !== 1 || first === undefined || first === value || !LEVELS.test(first))
        return undefined;
      return {
        message: `reads everything in the quotes as the level and refuses it; 2.2 read ${first}`,
        edits: [replaceArgument(document, argument!, first)],
      };
    },
  },
  {
    names: ['MaxMemFree', 'ThreadStackSize'],
    linePattern: /0[0-9x]/i,
    refused: false,
    level: 'warning',
    in22: 'reads a number with a leading 0x as hexadecimal, and one with a leading 0 as octal',
    in24: 'reads decimal digits only: 0x800 is 0',
    source22:
      'server/mpm_common.c: ap_mpm_set_max_mem_free, ap_mpm_set_thread_stacksize (strtol with base 0)',
    source24: 'server/mpm_common.c: the same functions (base 10)',
    at: 'server',
    examples: ['MaxMemFree 0x800', 'MaxMemFree 010', 'ThreadStackSize 0x100000'],
    accepted: ['MaxMemFree 0', 'MaxMemFree 2048', 'MaxMemFree 00'],
    findingFor({ args: [size] }, { file: { document } }) {
      const number = /^[ \t]*\+?(?:0x([0-9a-f]+)|(0[0-7]*))/i.exec(knownValue(size) ?? '');
      if (size === undefined || number === null) return undefined;
      const [, hexadecimal, octal] = number;
      const size22 =
        hexadecimal === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hexadecimal, 16);
      const size24 = Number.parseInt(/[0-9]+/.exec(size.value)![0], 10);
      return size22 === size24 || !Number.isSafeInteger(size22)
        ? undefined
        : {
            message: `reads ${size.value} as a decimal number, ${size24}; 2.2 read it as ${hexadecimal === undefined ? 'an octal' : 'a hexadecimal'} number, ${size22}`,
            edits: [replaceArgument(document, size, String(size22))],
          };
    },
  },
  {
    names: ['ErrorLog'],
    linePattern: /syslog/i,
    since: 34,
    refused: false,
    level: 'warning',
    in22: 'logs to syslog if the name begins with syslog, in any letter case',
    in24: 'logs to syslog for syslog and syslog:FACILITY in lower case; any other name is a file',
    source22: 'server/log.c: open_error_log',
    source24: 'server/log.c: open_error_log',
    at: 'server',
    examples: ['ErrorLog Syslog', 'ErrorLog SYSLOG:local1', 'ErrorLog syslogd'],
    accepted: ['ErrorLog syslog', 'ErrorLog syslog:local7', 'ErrorLog logs/error_log'],
    findingFor({ args: [log] }) {
      const value = knownValue(log) ?? '';
      if (!/^syslog/i.test(value) || /^syslog(?::|$)/.test(value)) return undefined;
      const colon = value.indexOf(':');
      return {
        message: `reads ${value} as a file name; 2.2 logged to syslog: write syslog${colon < 0 ? '' : value.slice(colon)}`,
      };
    },
  },
  {
    names: ['AddOutputFilterByType'],
    linePattern: /["']/,
    refused: true,
    level: 'error',
    in22: 'does nothing with a filter whose only type is empty',
    in24: 'refuses it',
    source22: 'server/config.c: invoke_cmd, ITERATE2',
    source24: 'server/config.c: invoke_cmd; modules/filters/mod_filter.c: filter_bytype',
    at: 'directory',
    examples: ['AddOutputFilterByType DEFLATE ""'],
    accepted: ['AddOutputFilterByType DEFLATE "text/html"'],
    findingFor: ({ args: [filter, type, ...others] }) =>
      others.length === 0 && filter?.value !== '' && type?.value === ''
        ? { message: 'refuses a filter without a type, with which 2.2 did nothing: remove the line' }
        : undefined,
  },
  {
    names: ['SSLEngine'],
    linePattern: /optional/i,
    since: 64,
    refused: false,
    level: 'warning',
    in22: 'offers clients to upgrade a plain connection to TLS',
    in24: 'logs a notice (AH10510), and the host speaks plain HTTP only',
    source22: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLEngine',
    source24: 'CHANGES 2.4.64; modules/ssl/ssl_engine_config.c: ssl_cmd_SSLEngine',
    at: 'server',
    examples: ['SSLEngine optional', 'SSLEngine Optional'],
    accepted: ['SSLEngine off'],
    findingFor: ({ args: [word] }) =>
      knownValue(word)?.toLowerCase() === 'optional'
        ? {
            message:
              'no longer upgrades connections to TLS: this host speaks plain HTTP only, and SSLRequireSSL refuses every request; write SSLEngine off here, and add a virtual host with SSLEngine on',
          }
        : undefined,
  },
  {
    names: ['Header', 'RequestHeader'],
    linePattern: /expr=/,
    since: 10,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'sends a value that begins with expr= as it is written',
    in24: 'reads the text after expr= as an expression, and refuses the line if the expression is not valid',
    source22: 'modules/metadata/mod_headers.c: parse_format_string',
    source24: 'modules/metadata/mod_headers.c: parse_format_string',
    at: 'server',
    examples: [
      'Header set X-Test expr=foo',
      'Header always append X-Test "expr=a b"',
      'RequestHeader add X-Test expr=1',
      'Header edit X-Test a expr=1',
    ],
    accepted: ['Header set X-Test "a expr=foo"', 'Header unset expr=', 'Header edit expr=a b c'],
    findingFor({ args }) {
      const value = headerValue(args);
      return value?.startsWith('expr=') === true && isAcceptedBy22(value)
        ? {
            message: `reads the text after expr= as an expression and sends its value; to send ${value} itself, write expr=${value}`,
          }
        : undefined;
    },
  },
  {
    names: ['Header', 'RequestHeader'],
    linePattern: /%%/,
    since: 7,
    refused: false,
    level: 'info',
    onlyWhenUpgrading: true,
    in22: 'inserts both percent signs of a %% in the replacement of Header edit',
    in24: 'inserts one',
    source22: 'modules/metadata/mod_headers.c: parse_format_string leaves edit alone',
    source24: 'modules/metadata/mod_headers.c: parse_format_string',
    at: 'server',
    examples: ['Header edit X-Test a 100%%'],
    accepted: ['Header edit X-Test a b'],
    findingFor({ args }) {
      const value = isEdit(args) ? headerValue(args) : undefined;
      // Another rule rewrites a single percent sign.
      return value?.includes('%%') === true && !value.replaceAll('%%', '').includes('%')
        ? {
            message:
              'inserts one percent sign for %%, where 2.2 inserted both: double them if the line was written for 2.2',
          }
        : undefined;
    },
  },
];

/** The arguments of Header or RequestHeader without a leading `always` or `onsuccess`. */
function headerWords(args: readonly Argument[]): readonly string[] {
  const words = args.map(({ value }) => value);
  return /^(?:always|onsuccess)$/i.test(words[0] ?? '') ? words.slice(1) : words;
}

function isEdit(args: readonly Argument[]): boolean {
  return /^edit\*?$/i.test(headerWords(args)[0] ?? '');
}

function headerValue(args: readonly Argument[]): string | undefined {
  const words = headerWords(args);
  if (isEdit(args)) return words[3];
  return /^(?:add|append|merge|set)$/i.test(words[0] ?? '') ? words[2] : undefined;
}

/** False for a format that 2.2 refuses: such a line was written for 2.4. */
function isAcceptedBy22(format: string): boolean {
  return !/%/.test(format.replace(/%(?:%|[tD]|\{[^}]*\}[es])/g, ''));
}
