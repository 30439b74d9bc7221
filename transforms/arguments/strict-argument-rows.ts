import type { Place } from '../../src/config';
import type { Edit } from '../../src/edit';
import { replaceArgument } from '../../src/edit';
import type { Level } from '../../src/engine';
import type { LifeSpan } from '../../src/httpd/release';
import { type Argument, type Directive, type Section, readWord } from '../../src/syntax';
import { isUnknown } from '../shared/lines';

/** What a row has to say of a line. */
export interface ArgumentFinding {
  readonly message: string;
  /** What makes 2.4 read what 2.2 read; without it a person has to choose. */
  readonly edits?: readonly Edit[];
  /** Where in the file it stands; the line, if nothing is said. */
  readonly at?: number;
}

/** An argument that releases of 2.4 take in another way than 2.2 does, or not at all. The life span is that of the difference. */
export interface StrictArgument extends LifeSpan {
  readonly names: readonly string[];
  /** Sections that are asked about, too. */
  readonly sections?: readonly string[];
  /** What such a line has in what follows its name: most lines have not, and are not taken apart. */
  readonly linePattern: RegExp;
  /** Whether 2.4 refuses the line: it does not start then, or answers 500 where the line stands in a `.htaccess`. */
  readonly refused: boolean;
  readonly level: Level;
  /** What a line in a configuration that was written for 2.4 means is known to its author: no row speaks of it there. */
  readonly onlyWhenUpgrading?: true;
  /** What 2.2 makes of it, and what 2.4 makes of it. */
  readonly in22: string;
  readonly in24: string;
  readonly source22: string;
  readonly source24: string;
  /** Where the examples stand: at server level, or in a `<Directory>`. */
  readonly at: 'server' | 'directory';
  /** Lines that the row is about. */
  readonly examples: readonly string[];
  /** Lines like them that both versions take alike. */
  readonly accepted: readonly string[];
  /** The rule that looks after what 2.4 says of the examples, where it says that of others' lines. */
  readonly messageRule?: string;
  /** Nothing for a line that is none of the row's. */
  readonly findingFor: (
    node: Directive | Section,
    place: Place,
  ) => ArgumentFinding | readonly ArgumentFinding[] | undefined;
}

/** Words after `AllowOverride Options=` (server/core.c: set_allow_opts, the same in both). */
const OPTIONS = new Set(
  'all execcgi followsymlinks includes includesnoexec indexes multiviews none runscripts symlinksifownermatch'.split(' '),
); // prettier-ignore

/** Above it the product with the factor by which bodies grow no longer fits a size_t of 64 bits. */
const MAX_XML_BODY = 3074457345618258601n;

const LEVELS = /^(?:emerg|alert|crit|error|warn|notice|info|debug)$/i;

/** As 2.2 reads LogLevel, AllowOverride and so on: a value that is known. */
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
    in22: 'reads the words after Options= up to the first that is no option, and says nothing',
    in24: 'refuses a word that is no option',
    source22: 'server/core.c: set_override does not look at what set_allow_opts returns',
    source24: 'CHANGES 2.4.64; server/core.c: set_override',
    at: 'directory',
    examples: ['AllowOverride Options=Foo', 'AllowOverride Options=Indexes,Foo,ExecCGI', 'AllowOverride FileInfo Options=+Indexes'],
    accepted: ['AllowOverride Options=Indexes,,MultiViews', 'AllowOverride Options=None', 'AllowOverride FileInfo Options'],
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
        : { message: `refuses ${unknownOption} after Options=, which is no option; 2.2 stopped reading there, so the words before it are what it let in`, edits };
    },
  },
  {
    names: ['LimitXMLRequestBody'],
    linePattern: /[0-9]{19}/,
    since: 53,
    refused: true,
    level: 'error',
    in22: 'takes any number',
    in24: `refuses more than ${MAX_XML_BODY}, where a size_t has 64 bits; 0 is that limit`,
    source22: 'server/core.c: set_limit_xml_req_body',
    source24: 'server/core.c: set_limit_xml_req_body, AP_MAX_LIMIT_XML_BODY',
    at: 'directory',
    examples: ['LimitXMLRequestBody 9223372036854775807', 'LimitXMLRequestBody 3074457345618258602'],
    accepted: ['LimitXMLRequestBody 3074457345618258601', 'LimitXMLRequestBody 0', 'LimitXMLRequestBody 1000000'],
    findingFor({ args: [limit] }, { file: { document } }) {
      const digits = /^[ \t]*\+?([0-9]+)/.exec(knownValue(limit) ?? '')?.[1];
      return limit === undefined || digits === undefined || BigInt(digits) <= MAX_XML_BODY
        ? undefined
        : { message: `refuses a LimitXMLRequestBody this large: 0 sets the largest`, edits: [replaceArgument(document, limit, '0')] };
    },
  },
  {
    names: ['LogLevel'],
    linePattern: /["']/,
    refused: true,
    level: 'error',
    in22: 'reads the first word inside of quotes',
    in24: 'reads all that the quotes hold as the level, and refuses it',
    source22: 'server/core.c: set_loglevel',
    source24: 'server/core.c: set_loglevel; server/log.c: ap_parse_log_level',
    at: 'server',
    examples: ['LogLevel "warn foo"', 'LogLevel "error "', 'LogLevel "info ssl:warn"'],
    accepted: ['LogLevel "warn"', 'LogLevel warn'],
    findingFor({ args }, { file: { document } }) {
      const [argument] = args;
      const value = knownValue(argument);
      const first = value === undefined ? undefined : readWord(value, 0)?.value;
      if (args.length !== 1 || first === undefined || first === value || !LEVELS.test(first)) return undefined;
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
    in22: 'reads a number that begins with 0x as hexadecimal and one that begins with 0 as octal',
    in24: 'reads decimal digits alone: 0x800 is 0',
    source22: 'server/mpm_common.c: ap_mpm_set_max_mem_free, ap_mpm_set_thread_stacksize (strtol with base 0)',
    source24: 'server/mpm_common.c: the same functions (base 10)',
    at: 'server',
    examples: ['MaxMemFree 0x800', 'MaxMemFree 010', 'ThreadStackSize 0x100000'],
    accepted: ['MaxMemFree 0', 'MaxMemFree 2048', 'MaxMemFree 00'],
    findingFor({ args: [size] }, { file: { document } }) {
      const number = /^[ \t]*\+?(?:0x([0-9a-f]+)|(0[0-7]*))/i.exec(knownValue(size) ?? '');
      if (size === undefined || number === null) return undefined;
      const [, hexadecimal, octal] = number;
      const size22 = hexadecimal === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hexadecimal, 16);
      const size24 = Number.parseInt(/[0-9]+/.exec(size.value)![0], 10);
      return size22 === size24 || !Number.isSafeInteger(size22)
        ? undefined
        : {
            message: `reads decimal digits only: this is ${size24}; 2.2 read ${hexadecimal === undefined ? 'an octal' : 'a hexadecimal'} number`,
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
    in22: 'logs to syslog where the name begins so, in any letter case',
    in24: 'logs to syslog for syslog and syslog:FACILITY in small letters; anything else is a file',
    source22: 'server/log.c: open_error_log',
    source24: 'server/log.c: open_error_log',
    at: 'server',
    examples: ['ErrorLog Syslog', 'ErrorLog SYSLOG:local1', 'ErrorLog syslogd'],
    accepted: ['ErrorLog syslog', 'ErrorLog syslog:local7', 'ErrorLog logs/error_log'],
    findingFor({ args: [log] }) {
      const value = knownValue(log) ?? '';
      if (!/^syslog/i.test(value) || /^syslog(?::|$)/.test(value)) return undefined;
      const colon = value.indexOf(':');
      return { message: `reads this as a file name; 2.2 logged to syslog: write syslog${colon < 0 ? '' : value.slice(colon)}` };
    },
  },
  {
    names: ['SSLEngine'],
    linePattern: /optional/i,
    since: 64,
    refused: false,
    level: 'warning',
    in22: 'offers the upgrade of a plain connection to TLS',
    in24: 'has a notice for it (AH10510), and the host speaks plain HTTP alone',
    source22: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLEngine',
    source24: 'CHANGES 2.4.64; modules/ssl/ssl_engine_config.c: ssl_cmd_SSLEngine',
    at: 'server',
    examples: ['SSLEngine optional', 'SSLEngine Optional'],
    accepted: ['SSLEngine off'],
    findingFor: ({ args: [word] }) =>
      knownValue(word)?.toLowerCase() === 'optional'
        ? { message: 'no longer upgrades a connection to TLS: this host speaks plain HTTP alone, and SSLRequireSSL keeps everybody out; give TLS a virtual host with SSLEngine on, and write off here' }
        : undefined,
  },
  {
    names: ['Header', 'RequestHeader'],
    linePattern: /expr=/,
    since: 10,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'sends a value that begins with expr= as it stands',
    in24: 'reads what follows expr= as an expression, and refuses one that it cannot read',
    source22: 'modules/metadata/mod_headers.c: parse_format_string',
    source24: 'modules/metadata/mod_headers.c: parse_format_string',
    at: 'server',
    examples: ['Header set X-Test expr=foo', 'Header always append X-Test "expr=a b"', 'RequestHeader add X-Test expr=1', 'Header edit X-Test a expr=1'],
    accepted: ['Header set X-Test "a expr=foo"', 'Header unset expr=', 'Header edit expr=a b c'],
    findingFor({ args }) {
      const value = headerValue(args);
      return value?.startsWith('expr=') === true && isAcceptedBy22(value)
        ? { message: `reads the text after expr= as an expression and sends its value; to send ${value} itself, write expr=${value}` }
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
    in22: 'puts in both percent signs of a %% that replaces a part of a header',
    in24: 'puts in one',
    source22: 'modules/metadata/mod_headers.c: parse_format_string leaves edit alone',
    source24: 'modules/metadata/mod_headers.c: parse_format_string',
    at: 'server',
    examples: ['Header edit X-Test a 100%%'],
    accepted: ['Header edit X-Test a b'],
    findingFor({ args }) {
      const value = isEdit(args) ? headerValue(args) : undefined;
      // A percent sign alone is rewritten, by another rule.
      return value?.includes('%%') === true && !value.replaceAll('%%', '').includes('%')
        ? { message: 'inserts one percent sign for %%: double them if this was not written for 2.4' }
        : undefined;
    },
  },
]; // prettier-ignore

/** The words of Header and RequestHeader without the condition before them. */
function headerWords(args: readonly Argument[]): readonly string[] {
  const words = args.map(({ value }) => value);
  return /^(?:always|onsuccess)$/i.test(words[0] ?? '') ? words.slice(1) : words;
}

function isEdit(args: readonly Argument[]): boolean {
  return /^edit\*?$/i.test(headerWords(args)[0] ?? '');
}

/** The value that Header sets, or puts in. */
function headerValue(args: readonly Argument[]): string | undefined {
  const words = headerWords(args);
  if (isEdit(args)) return words[3];
  return /^(?:add|append|merge|set)$/i.test(words[0] ?? '') ? words[2] : undefined;
}

/** False for a format that 2.2 refused: it was written for 2.4. */
function isAcceptedBy22(format: string): boolean {
  return !/%/.test(format.replace(/%(?:%|[tD]|\{[^}]*\}[es])/g, ''));
}
