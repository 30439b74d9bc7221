import { isAddress } from '../../../access/policy';
import type { AccessQuestion, Explanation } from '../../../access/explain';
import { suggest } from '../../options';
import { UsageError } from '../../trouble';

/** A request as given, read and checked. */
export interface AskedRequest {
  /** As it stood on the command line. */
  readonly text: string;
  readonly question: AccessQuestion;
  /** What was not said and is assumed, for people. */
  readonly assumed: readonly string[];
}

/** A request with what both versions make of it. */
export interface Explained {
  readonly asked: AskedRequest;
  readonly explanation: Explanation;
}

const KEYS = ['method', 'from', 'host', 'user', 'group', 'password', 'env', 'ssl', 'vhost'] as const;
type Key = (typeof KEYS)[number];

/** Of the block for documentation (RFC 5737): nobody's. */
const SOMEBODY = '192.0.2.1';

/** Reads `PATH[?key=value&…]`; `%XX` is decoded as in a URL. @throws UsageError */
export function parseQuestion(text: string): AskedRequest {
  const mark = text.indexOf('?');
  const path = decode(mark < 0 ? text : text.slice(0, mark));
  if (!path.startsWith('/')) throw invalidQuestion(text, 'the path must start with a slash');
  const values = readKeys(text, mark < 0 ? '' : text.slice(mark + 1));
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
      tls: ssl === 'on',
      vhost: last('vhost'),
    },
  };
}

function readKeys(text: string, query: string): Map<Key, string[]> {
  const values = new Map<Key, string[]>();
  for (const part of query.split('&')) {
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

/** Byte by byte: a byte string stays one. */
function decode(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function invalidQuestion(text: string, message: string): UsageError {
  return new UsageError(`--explain '${text}': ${message}`);
}
