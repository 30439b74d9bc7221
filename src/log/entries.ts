import type { LoggedAccess } from '../access/replay';
import type { FieldName, LineFormat } from './formats';
import { unescapeLog } from './log-line';
import { decode } from './percent';
import { dayOf } from './times';

/** A line of an access log as a request: byte strings. */
export interface LogEntry extends LoggedAccess {
  /** The target as it was sent, without scheme and host. Empty where the request was about no path: `OPTIONS *`, `CONNECT`. */
  readonly target: string;
  readonly query: string;
  /** `HTTP/1.1`; empty for a request of HTTP/0.9, undefined where the log does not say. */
  readonly protocol: string | undefined;
  /** The request line has what no path may have: blanks in it, or no path at all. */
  readonly isMalformed: boolean;
}

/** Reads the lines of one log. */
export class EntryReader {
  readonly format: LineFormat;
  readonly #hosts: LoggedAccess['server'];
  readonly #hasUser: boolean;
  #time = '';
  #day: string | undefined;
  from: string | undefined;
  to: string | undefined;

  /** @param server the server whose log it is, for lines that do not say */
  constructor(format: LineFormat, server: LoggedAccess['server']) {
    this.format = format;
    this.#hosts = server;
    this.#hasUser = format.fields.has('user');
  }

  /** The request of a line; undefined where it is of another format. */
  read(line: string): LogEntry | undefined {
    const { pattern, fields } = this.format;
    const groups = pattern.exec(line);
    if (groups === null) return undefined;
    const valueOf = (field: FieldName): string | undefined => {
      const at = fields.get(field);
      return at === undefined ? undefined : groups[at];
    };
    const textOf = (field: FieldName): string | undefined => {
      const value = valueOf(field);
      return value?.includes('\\') === true ? unescapeLog(value) : value;
    };
    this.#note(valueOf('time'));
    const { method, target, protocol, isMalformed } = requestOf(textOf);
    const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
    const mark = local.search(/[?#]/);
    const path = mark < 0 ? local : local.slice(0, mark);
    const status = valueOf('status');
    return {
      method,
      target: path.startsWith('/') ? local : '',
      path: path.includes('%') ? decode(path) : path,
      query: textOf('query') ?? (mark < 0 ? '' : local.slice(mark)),
      protocol,
      isMalformed,
      client: valueOf('client'),
      user: this.#hasUser ? userOf(textOf('user')) : undefined,
      status: status === undefined || status === '-' ? undefined : Number(status),
      headers: headersOf(textOf('referer'), textOf('agent')),
      server: this.#serverOf(valueOf('server'), valueOf('port'), textOf('host')),
    };
  }

  /** Lines come in the order of time, more or less: most are of the minute of the line before. */
  #note(time: string | undefined): void {
    if (time === undefined) return;
    if (!time.startsWith(this.#time) || this.#time === '') {
      this.#time = time.slice(0, 12);
      this.#day = dayOf(time);
    }
    const day = this.#day;
    if (day === undefined) return;
    if (this.from === undefined || day < this.from) this.from = day;
    if (this.to === undefined || day > this.to) this.to = day;
  }

  #serverOf(
    name: string | undefined,
    port: string | undefined,
    host: string | undefined,
  ): LoggedAccess['server'] {
    const said = name ?? (host === '-' ? undefined : host);
    if (said === undefined || said === '') return this.#hosts;
    const [, bare = said, digits] = /^(.*?)(?::([0-9]+))?$/s.exec(said) ?? [];
    const number = Number(port ?? digits);
    return Number.isInteger(number) && number > 0
      ? { host: bare.toLowerCase(), port: number }
      : { name: bare.toLowerCase() };
  }
}

function userOf(text: string | undefined): string {
  return text === undefined || text === '-' || text === '""' ? '' : text;
}

function headersOf(referer: string | undefined, agent: string | undefined): LoggedAccess['headers'] {
  const headers = new Map<string, string>();
  if (referer !== undefined) headers.set('referer', referer === '-' ? '' : referer);
  if (agent !== undefined) headers.set('user-agent', agent === '-' ? '' : agent);
  return headers;
}

type RequestLine = Pick<LogEntry, 'method' | 'target' | 'protocol' | 'isMalformed'>;

function requestOf(textOf: (field: FieldName) => string | undefined): RequestLine {
  const request = textOf('request');
  if (request === undefined)
    return {
      method: textOf('method') ?? 'GET',
      target: textOf('path') ?? '',
      protocol: textOf('protocol'),
      isMalformed: false,
    };
  const first = request.indexOf(' ');
  if (first < 0) return { method: request, target: '', protocol: '', isMalformed: true };
  const method = request.slice(0, first);
  const last = request.lastIndexOf(' ');
  const end = request.slice(last + 1);
  const isVersion = last > first && /^HTTP\/[0-9.]+$/i.test(end);
  const target = request.slice(first + 1, isVersion ? last : undefined);
  const isMalformed =
    target === '' || /[\0-\x20]/.test(target) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method);
  // httpd takes the first word for the path.
  const path = /[ \t]/.test(target) ? target.trimStart().replace(/[ \t].*$/s, '') : target;
  return { method, target: path, protocol: isVersion ? end : '', isMalformed };
}
