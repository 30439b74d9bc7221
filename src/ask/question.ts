import { isAddress } from '../access/policy';
import type { AccessQuestion, Explanation, Site } from '../access/explain';
import { type LoggedRequest, decode, loggedRequest, readLogLine, requestKeys, requestText } from '../log';
import { suggest } from '../suggest';
import type { MessageGroup } from './messages';

/** What was asked is no request. The message says why, on one line: a byte string. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
  /** The question as it was given. */
  readonly text: string;

  constructor(text: string, message: string) {
    super(message);
    this.text = text;
  }
}

/** A request as given, read and checked. */
export interface AskedRequest {
  /** The request as it stood on the command line. */
  readonly text: string;
  readonly question: AccessQuestion;
  /** What was not said and is assumed, for people. */
  readonly assumed: readonly string[];
  /** What became of the request in a line of a log, and how to ask for the same request in other words. */
  readonly logged?: { readonly answer: string; readonly again: string };
}

/** A request with what both versions make of it. */
export interface Explained {
  readonly asked: AskedRequest;
  readonly explanation: Explanation;
}

/** A line of a log that is about no request, and what is known of it. */
export interface ExplainedMessage {
  readonly text: string;
  readonly groups: readonly MessageGroup[];
}

const KEYS = [
  'method',
  'from',
  'host',
  'user',
  'group',
  'password',
  'env',
  'referer',
  'agent',
  'ssl',
  'vhost',
] as const;
type Key = (typeof KEYS)[number];

/** The address of a client that nobody is: of the block for documentation (RFC 5737). */
const SOMEBODY = '192.0.2.1';

/**
 * Reads `PATH[?key=value&…]`, `URL[ key=value …]`, `GET PATH from ADDRESS as USER`, as an explanation begins, or a line of an
 * access or error log; `%XX` is decoded as in a URL.
 * @returns undefined for a line of a log that is about no request
 * @throws QuestionError
 */
export function parseQuestion(text: string): AskedRequest | undefined {
  const sentence = inWords(text);
  if (sentence !== undefined) return sentence;
  if (/^https?:\/\//i.test(text)) return urlQuestion(text);
  if (text.startsWith('/')) {
    const mark = text.indexOf('?');
    const path = decode(mark < 0 ? text : text.slice(0, mark));
    return questionOf(text, path, readKeys(text, mark < 0 ? [] : text.slice(mark + 1).split('&')));
  }
  const line = readLogLine(text);
  if (line === undefined && !isMessage(text))
    throw invalidQuestion(text, 'is no path, which starts with a slash, no URL and no line of a log');
  const request = line && loggedRequest(line);
  return request && loggedQuestion(text, request);
}

/** `GET /private/ from 10.1.2.3 as alice of staff`, as an explanation says it. */
const SENTENCE =
  /^(?:([A-Z]+) )?(\/[^ ]*|https?:\/\/[^ ]+)((?: (?:from|as|of|host|vhost) [^ ]+| over TLS| without a password)*)$/i;

const PARTS: Readonly<Record<string, Key>> = {
  __proto__: null!,
  from: 'from',
  as: 'user',
  of: 'group',
  host: 'host',
  vhost: 'vhost',
};

/** A request said in words; undefined for a text that is none. */
function inWords(text: string): AskedRequest | undefined {
  const [, method, target, rest = ''] = SENTENCE.exec(text.trim()) ?? [];
  if (target === undefined) return undefined;
  // A path or a URL alone, or with its keys.
  if (method === undefined && (rest === '' || /^\/.*\?/.test(target))) return undefined;
  const keys = [...rest.matchAll(/ (from|as|of|host|vhost) ([^ ]+)/gi)].map(
    ([, word = '', value = '']) => `${PARTS[word.toLowerCase()]}=${encodeURIComponent(value)}`,
  );
  const password = / as /i.test(rest) && / without a password/i.test(rest) ? ['password=none'] : [];
  const all = [`method=${(method ?? 'GET').toUpperCase()}`, ...keys, ...password];
  const tls = / over TLS/i.test(rest);
  if (tls && /^http:/i.test(target)) throw invalidQuestion(text, 'a URL with http: is not asked over TLS');
  if (!target.startsWith('/')) return urlQuestion([target, ...all].join(' '));
  const [path = '', query] = target.split(/\?(.*)/s);
  const said = questionOf(text, decode(path), readKeys(text, tls ? [...all, 'ssl=on'] : all));
  const asked =
    query === undefined ? said : { ...said, assumed: [...said.assumed, `asked without its query, ${query}`] };
  const { question } = asked;
  // Whoever says no more asks the server that answers at the usual port.
  const site: Site = { host: undefined, port: tls ? 443 : 80 };
  return question.vhost === undefined ? { ...asked, question: { ...question, site } } : asked;
}

/** Whether a text that is no line of a log may be a message of httpd: `AH00526: …`, `httpd: Syntax error …`. */
function isMessage(text: string): boolean {
  return text.includes(': ') || text.includes(' ');
}

/** The keys stand behind the URL, as its query is its own. */
function urlQuestion(text: string): AskedRequest {
  const [url = '', ...words] = text.split(/[ \t\n]+/);
  const [, scheme = '', user, authority = '', rawPath = '', query = ''] =
    /^([a-z]+):\/\/(?:([^/?#@]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const values = readKeys(
    text,
    words.flatMap((word) => word.split('&')),
  );
  const tls = scheme.toLowerCase() === 'https';
  if (values.has('ssl'))
    throw invalidQuestion(text, `the URL says whether ssl is on: it is ${tls ? 'on' : 'off'}`);
  if (user !== undefined && user !== '' && !values.has('user'))
    values.set('user', [decode(user.replace(/:.*/, ''))]);
  const [, host = '', port] = /^(.*?)(?::([0-9]*))?$/.exec(authority) ?? [];
  if (host === '') throw invalidQuestion(text, 'the URL names no host');
  const site = siteOf(host, port, tls);
  const asked = questionOf(text, decode(rawPath === '' ? '/' : rawPath), values);
  const assumed =
    query === ''
      ? []
      : [`the query ${query} is the URL's own (from=, user= and the other keys stand behind a blank)`];
  return {
    ...asked,
    assumed: [...asked.assumed, ...assumed],
    question: { ...asked.question, tls, site: asked.question.vhost === undefined ? site : undefined },
  };
}

/** What a line of a log asks. @param text the line */
export function loggedQuestion(text: string, logged: LoggedRequest): AskedRequest {
  const { path, isFile, user, referer, agent, server, answer } = logged;
  const values = new Map<Key, string[]>(requestKeys(logged).map(([key, value]) => [key, [value]]));
  const asked = questionOf(text, path, values);
  const page = referer === undefined ? undefined : /^(https?):\/\/([^/:?#]+)(?::([0-9]+))?/i.exec(referer);
  const from =
    page === null || page === undefined
      ? undefined
      : siteOf(page[2]!, page[3], page[1]!.toLowerCase() === 'https');
  const [, host, port] = /^(.*):([0-9]+)$/.exec(server ?? '') ?? [undefined, server];
  const site =
    server === undefined ? from && { ...from, isReferer: true } : siteOf(host ?? server, port, false);
  const assumed = [
    ...(user === undefined ? [] : [`the password of ${user} is right`]),
    ...(site?.port === 443 || port !== undefined || isFile ? [] : ['the request came without TLS']),
  ];
  return {
    ...asked,
    assumed: [...asked.assumed, ...assumed],
    question: {
      ...asked.question,
      headers: headersOf(referer, agent),
      tls: site?.port === 443,
      isFile,
      site,
    },
    logged: { answer, again: requestText(logged) },
  };
}

function siteOf(host: string, port: string | undefined, tls: boolean): Site {
  return {
    host: host.toLowerCase(),
    port: port === undefined || port === '' ? (tls ? 443 : 80) : Number(port),
  };
}

function questionOf(text: string, path: string, values: ReadonlyMap<Key, string[]>): AskedRequest {
  const last = (key: Key): string | undefined => values.get(key)?.at(-1);
  const password = last('password') ?? 'ok';
  const ssl = last('ssl') ?? 'off';
  if (!/^(?:ok|none|wrong)$/.test(password))
    throw invalidQuestion(text, `password is ok or none, not '${password}'`);
  if (!/^(?:on|off)$/.test(ssl)) throw invalidQuestion(text, `ssl is on or off, not '${ssl}'`);
  const address = last('from');
  if (address !== undefined && !isAddress(address))
    throw invalidQuestion(text, `from wants an IP address, not '${address}'`);
  const method = last('method') ?? 'GET';
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) throw invalidQuestion(text, `'${method}' is no method`);
  const lists = (key: Key): string[] =>
    (values.get(key) ?? []).flatMap((value) => value.split(',')).filter(Boolean);
  const user = last('user');
  if (user === undefined && values.has('group')) throw invalidQuestion(text, 'group wants a user');
  return {
    text,
    assumed: address === undefined ? [`from ${SOMEBODY}, as no from= is given`] : [],
    question: {
      path,
      method,
      address: address ?? SOMEBODY,
      host: last('host'),
      user: password === 'ok' ? user : undefined,
      groups: new Set(lists('group')),
      env: new Set(lists('env').map((variable) => variable.replace(/=.*/, '').toLowerCase())),
      headers: headersOf(last('referer'), last('agent')),
      tls: ssl === 'on',
      vhost: last('vhost'),
    },
  };
}

function headersOf(
  referer: string | undefined,
  agent: string | undefined,
): NonNullable<AccessQuestion['headers']> {
  const headers = new Map<string, string>();
  if (referer !== undefined) headers.set('referer', referer);
  if (agent !== undefined) headers.set('user-agent', agent);
  return headers;
}

function readKeys(text: string, parts: readonly string[]): Map<Key, string[]> {
  const values = new Map<Key, string[]>();
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const key = decode(equals < 0 ? part : part.slice(0, equals)) as Key;
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (!KEYS.includes(key)) throw invalidQuestion(text, `unknown key '${key}'${suggest(key, KEYS)}`);
    if (value === '') throw invalidQuestion(text, `${key} has no value`);
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function invalidQuestion(text: string, message: string): QuestionError {
  return new QuestionError(text, message);
}
