import type { ConfigTree, Place } from '../../src/config';
import type { Task, TransformContext } from '../../src/engine';
import { memo } from '../../src/maps';
import { type Argument, type Directive, type Section, hasPlaceholder } from '../../src/syntax';
import { atoi, perlIn } from '../common/lines';
import { OPTIONS, type StrictArgument } from './strict-argument-rows';

/** The values of arguments, but those that a macro or a template fills in. */
export function knownValues(args: readonly Argument[]): readonly string[] {
  return args.flatMap(({ value }) => (/[$@]|%%/.test(value) ? [] : [value]));
}

/** What is to be done about a line of a `.htaccess` that no httpd takes. */
const DEAD: Task = {
  text: 'correct or remove what httpd refuses in .htaccess files: where these are read, both versions answer 500',
};

/** A row about lines that no httpd takes, wherever it stands between 2.2 and 2.4. */
export function refusedByBoth(
  row: Omit<StrictArgument, 'refused' | 'level' | 'source22' | 'source24' | 'findingFor'> & {
    readonly source: string;
  },
  problemOf: (node: Directive | Section, place: Place, context: TransformContext) => string | undefined,
): StrictArgument {
  return {
    ...row,
    refused: true,
    level: 'error',
    source22: row.source,
    source24: row.source,
    findingFor(node, place, context) {
      const { name, rest } = node.kind === 'section' ? node.open : node;
      const problem = hasPlaceholder(rest) ? undefined : problemOf(node, place, context);
      if (problem === undefined) return undefined;
      const message = `refuses ${problem}, as 2.2 did`;
      // It answers 500 there in 2.2 already, and keeps no server from starting.
      return place.root.role === 'htaccess'
        ? { message, level: 'warning', task: { ...DEAD, subject: name } }
        : { message };
    },
  };
}

const LEVEL24 = /^(?:[^:]+:)?(?:emerg|alert|crit|error|warn|notice|info|debug|trace[1-8])$/i;

/** What mod_log_config, mod_logio and mod_ssl of either version register, each behind what may stand between it and the %. */
const LOG_ITEM = /%(?:%|(?:[!<>,0-9]|\{[^}]*\})*(?:[ABCDHILOPRSTUVXabcefhiklmnopqrstuvx]|\^FB|\^t[io]))/y;

/** The first % of a format that says nothing to log, with some of what follows it. */
function unreadItem(format: string): string | undefined {
  for (let at = 0; (at = format.indexOf('%', at)) >= 0; at = LOG_ITEM.lastIndex) {
    LOG_ITEM.lastIndex = at;
    if (!LOG_ITEM.test(format)) return format.slice(at, at + 20);
  }
  return undefined;
}

/** Whether files are texts that Perl fills in first: braces that are to stay stand behind backslashes there. */
const isForPerl = memo(({ files }: ConfigTree) => files.some(({ document }) => perlIn(document).length > 0));

/** A port, an address or both: what else stands there may be a word that some program replaces, such as `[PORT]`. */
const ADDRESS = /^[0-9.*]+$|:[0-9]+$|^\[[0-9a-f:.]+\]$/i;

const PORT = /(?:^|:)([0-9]+)$/;

function isPort(digits: string): boolean {
  const port = Number(digits);
  return port > 0 && port < 65536;
}

/** What a time of mod_expires begins with. */
const BASE = /^[ \t]*[amn]/i;

/** Arguments that neither version takes, by the kind of value: a server never started with them may be on its way to 2.4. */
export const REFUSED_BY_BOTH: readonly StrictArgument[] = [
  refusedByBoth(
    {
      names: ['LogLevel'],
      linePattern: /[a-z]/i,
      in22: 'refuses what is no level, too',
      in24: 'refuses what is no level, alone or behind the name of a module',
      source: 'server/core.c: set_loglevel',
      at: 'server',
      examples: ['LogLevel loud', 'LogLevel warning', 'LogLevel info core:loud', 'LogLevel trace9'],
      accepted: ['LogLevel WARN', 'LogLevel info core:trace8'],
    },
    ({ args }) => {
      const wrong = knownValues(args).find((value) => !LEVEL24.test(value) && !/[ \t]/.test(value));
      return wrong && `${wrong}, which is no level (emerg, alert, crit, error, warn, notice, info, debug)`;
    },
  ),
  refusedByBoth(
    {
      names: ['Options'],
      linePattern: /[^ \t]/,
      in22: 'refuses what is no option, too',
      in24: 'refuses what is no option',
      source: 'server/core.c: set_options',
      at: 'directory',
      examples: ['Options -Foo', 'Options Indexes MultiView'],
      accepted: ['Options RunScripts', 'Options +indexes -ExecCGI'],
    },
    ({ args }) => {
      const wrong = knownValues(args).find((value) => !OPTIONS.has(value.toLowerCase().replace(/^[-+]/, '')));
      return wrong === undefined ? undefined : `"${wrong}", which is no option`;
    },
  ),
  refusedByBoth(
    {
      names: ['Listen'],
      linePattern: /[^ \t]/,
      in22: 'refuses what does not end with a port from 1 to 65535, too',
      in24: 'refuses what does not end with a port from 1 to 65535',
      source: 'server/listen.c: ap_set_listener',
      at: 'server',
      examples: ['Listen 99999', 'Listen 127.0.0.1:0', 'Listen 127.0.0.1'],
      accepted: ['Listen 65535', 'Listen [::1]:8080'],
    },
    ({ args }) => {
      const [address] = knownValues(args.slice(0, 1));
      return address === undefined || !ADDRESS.test(address) || isPort(PORT.exec(address)?.[1] ?? '0')
        ? undefined
        : `Listen ${address}, which does not end with a port from 1 to 65535`;
    },
  ),
  refusedByBoth(
    {
      names: ['ServerName'],
      sections: ['VirtualHost'],
      linePattern: /:[0-9]/,
      in22: 'refuses a port that is not from 1 to 65535, too',
      in24: 'refuses a port that is not from 1 to 65535',
      source: 'server/vhost.c: get_addresses; server/core.c: server_hostname_port',
      at: 'server',
      examples: ['ServerName a.example:99999', '<VirtualHost *:65536>\n</VirtualHost>'],
      accepted: ['ServerName a.example:443', '<VirtualHost *:8443>\n</VirtualHost>'],
    },
    ({ args }) => {
      const wrong = knownValues(args).find((value) => !isPort(/:([0-9]+)$/.exec(value)?.[1] ?? '1'));
      return wrong && `${wrong}, whose port is not from 1 to 65535`;
    },
  ),
  refusedByBoth(
    {
      names: ['CustomLog', 'LogFormat'],
      linePattern: /%/,
      in22: 'refuses a % without a letter that says what to log, too',
      in24: 'refuses a % without a letter that says what to log',
      source: 'modules/loggers/mod_log_config.c: parse_log_item',
      at: 'server',
      examples: ['LogFormat "%h %{Referer"', 'LogFormat "%h %>"', 'LogFormat "%h 100%" percent'],
      accepted: ['LogFormat "%h %{%d/%b}t %!200,304{User-agent}i 100%%"', 'LogFormat "%^ti %^to %<s"'],
    },
    ({ key, args }, _place, { tree }) => {
      const [format] = args.slice(key === 'customlog' ? 1 : 0);
      const item = format && unreadItem(isForPerl(tree) ? format.value.replace(/\\([{}])/g, '$1') : format.value);
      return item && `${item} in a format, where no letter behind the % says what to log`;
    },
  ),
  refusedByBoth(
    {
      names: ['Redirect', 'RedirectMatch'],
      linePattern: /[ \t]/,
      in22: 'refuses a URL behind a status that is not from 300 to 399, too',
      in24: 'refuses a URL behind a status that is not from 300 to 399',
      source: 'modules/mappers/mod_alias.c: add_redirect_internal',
      at: 'server',
      examples: ['Redirect 999 /a /b', 'Redirect gone /a http://b.example/', 'RedirectMatch 404 ^/a /b'],
      accepted: ['Redirect 301 /a /b', 'Redirect 999 /a', 'Redirect seeother /a http://b.example/'],
    },
    ({ args }) => {
      const [status] = knownValues(args.slice(0, 1));
      if (args.length !== 3 || status === undefined || /^(?:permanent|temp|seeother)$/i.test(status)) return undefined;
      if (/^[0-9]/.test(status)) return leadsOn(status) ? undefined : `a URL behind the status ${status}`;
      return status.toLowerCase() === 'gone' ? 'a URL behind the status gone' : `${status}, which is no status, before a path and a URL`;
    },
  ),
  refusedByBoth(
    {
      names: ['Redirect', 'RedirectPermanent', 'RedirectTemp'],
      linePattern: /[ \t]/,
      in22: 'refuses to lead to what is neither a URL nor a path, too',
      in24: 'refuses to lead to what is neither a URL nor a path',
      source: 'modules/mappers/mod_alias.c: add_redirect_internal; server/util.c: ap_is_url',
      at: 'server',
      examples: ['Redirect /a b.example', 'RedirectPermanent /a www.b.example/', 'Redirect 303 /a b'],
      accepted: ['Redirect /a /b', 'Redirect gone /a', 'RedirectTemp /a ftp://b.example/'],
    },
    ({ key, args }) => {
      if (args.length < 2 || args.length > 3 || (args.length === 2 && /^(?:[0-9]|(?:gone|permanent|temp|seeother)$)/i.test(args[0]!.value) && key === 'redirect'))
        return undefined;
      const [target] = knownValues(args.slice(-1));
      return target === undefined || /^(?:[a-z0-9+.-]+:|\/)/i.test(target) ? undefined : `"${target}", which is neither a URL nor a path`;
    },
  ),
  refusedByBoth(
    {
      names: ['ExpiresDefault'],
      linePattern: /[^ \t]/,
      in22: 'refuses what is no time, too',
      in24: 'refuses a time that begins with neither A, M nor a word for one of them',
      source: 'modules/metadata/mod_expires.c: set_expiresdefault, check_code',
      at: 'directory',
      examples: ['ExpiresDefault 3600', 'ExpiresDefault "1 month"'],
      accepted: ['ExpiresDefault A3600', 'ExpiresDefault "now plus 1 day"', 'ExpiresDefault "access plus"'],
    },
    ({ args }) => {
      const [time] = knownValues(args.slice(0, 1));
      return time === undefined || args.length !== 1 || BASE.test(time) ? undefined : `"${time}", which begins with neither access, modification nor now`;
    },
  ),
  refusedByBoth(
    {
      names: ['ExpiresByType'],
      linePattern: /[^ \t]/,
      in22: 'refuses what is no type and no time, too',
      in24: 'refuses a type without a slash, and a time that begins with neither A, M nor a word for one of them',
      source: 'modules/metadata/mod_expires.c: set_expiresbytype, check_code',
      at: 'server',
      examples: ['ExpiresByType html A3600', 'ExpiresByType text/html 3600'],
      accepted: ['ExpiresByType text/html "now plus 1 day"', 'ExpiresByType text/* M60'],
    },
    ({ args }) => {
      const [type, time] = knownValues(args);
      if (args.length !== 2 || type === undefined || time === undefined) return undefined;
      if (!type.includes('/')) return `${type}, which is no type such as text/html`;
      return BASE.test(time) ? undefined : `"${time}", which begins with neither access, modification nor now`;
    },
  ),
]; // prettier-ignore

function leadsOn(status: string): boolean {
  const code = atoi(status);
  return code >= 300 && code < 400;
}
