/** A line of an access log, in the common or combined format, with or without a virtual host before it (mod_log_config.c). */
interface AccessLogLine {
  readonly kind: 'access';
  /** `name:port`, as %v:%p has it. */
  readonly server: string | undefined;
  /** An address, or a name under HostnameLookups. */
  readonly client: string;
  readonly user: string | undefined;
  readonly method: string;
  /** The target as it was sent: a path with its query, or a URL. */
  readonly target: string;
  readonly status: number;
  /** The Referer, in the combined format: empty where the request had none. */
  readonly referer: string | undefined;
  readonly agent: string | undefined;
}

/** A line of an error log of 2.2 or of 2.4, in the default format (server/log.c). */
interface ErrorLogLine {
  readonly kind: 'error';
  readonly time: string | undefined;
  /** Without its port. */
  readonly client: string | undefined;
  /** Empty where the request had none. */
  readonly referer: string;
  /** What is said, without the heads and the number of the message. */
  readonly text: string;
}

export type LogLine = AccessLogLine | ErrorLogLine;

const ACCESS_LOG =
  /^(?:([^ "]+:[0-9]+) )?([^ "[]+) [^ "]+ ([^"[]+) \[[^\]]*\] "((?:[^"\\]|\\.)*)" ([0-9]{3})(?: [0-9-]+(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?)?/;

const TIME = /^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} |[0-9]{4}-[0-9]{2}-[0-9]{2})/;

/** Reads one line of a log of httpd; undefined for anything else. */
export function readLogLine(line: string): LogLine | undefined {
  return readAccess(line) ?? readError(line);
}

function readAccess(line: string): AccessLogLine | undefined {
  const [match, server, client = '', user = '', request = '', status, referer, agent] =
    ACCESS_LOG.exec(line) ?? [];
  if (match === undefined) return undefined;
  const [method = '', target = ''] = unescapeLog(request).split(' ');
  return {
    kind: 'access',
    server,
    client,
    user: user === '-' || user === '""' ? undefined : user,
    method,
    target,
    status: Number(status),
    referer: referer === undefined ? undefined : headerOf(referer),
    agent: agent === undefined ? undefined : headerOf(agent),
  };
}

function readError(line: string): ErrorLogLine | undefined {
  let rest = line;
  let time: string | undefined;
  let client: string | undefined;
  // 2.4 names the module before the level, and the port of the client.
  let hasPort = false;
  let known = false;
  for (;;) {
    // [time] [module:level] [pid 1:tid 2], a message of the system, [client 10.0.0.1:5555], the number of the message.
    const head = /^\[([^\]]*)\] ?/.exec(rest);
    const aside = head ?? /^(?:\([0-9]+\)[^:]*|AH[0-9]{5}): ?/.exec(rest);
    if (aside === null) break;
    rest = rest.slice(aside[0].length);
    known = true;
    const text = head?.[1];
    if (text === undefined) continue;
    if (TIME.test(text)) time = text;
    else if (/^[a-z0-9_-]*:[a-z0-9]+$/.test(text)) hasPort = true;
    else if (/^(?:client|remote) /.test(text)) {
      const address = text.slice(text.indexOf(' ') + 1);
      client = hasPort ? address.replace(/:[0-9]+$/, '') : address;
    }
  }
  if (!known) return undefined;
  const [, said = rest, referer = ''] = /^(.*), referer: ([^ ]*)$/.exec(rest) ?? [];
  return { kind: 'error', time, client, referer, text: unescapeLog(said) };
}

/** What mod_log_config prints of a header: `-` for one that is not there. */
function headerOf(text: string): string {
  return text === '-' ? '' : unescapeLog(text);
}

/** What ap_escape_logitem and ap_escape_errorlog_item have written (server/util.c). */
export function unescapeLog(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, hex: string | undefined, char: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return ESCAPES[char] ?? char;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v' };
