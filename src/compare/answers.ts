/** What a server has answered. Texts are byte strings. */
export interface ServerAnswer {
  readonly status: number;
  /** Lower case name → values, joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes of the body; undefined where it was too long to be read. */
  readonly length: number | undefined;
}

/** One thing that two answers do not have in common. */
export interface AnsweredDifference {
  /** `status`, `length`, or the name of a header. */
  readonly what: string;
  /** Undefined for a header that is not there. */
  readonly old: string | undefined;
  readonly now: string | undefined;
}

/** Headers that every answer has anew, or that belong to the connection. */
const OF_THE_MOMENT =
  /^(?:date|server|connection|keep-alive|transfer-encoding|content-length|age|x-powered-by|proxy-connection|upgrade|x-request-id|x-runtime)$/;

/** Headers of which only counts whether they are there: their values hang on the file system, or are drawn by lot. */
const THERE_OR_NOT = /^(?:etag|last-modified|set-cookie)$/;

/**
 * How two answers to one request differ. Where one fails and the other does not, nothing else is told.
 * @param hosts names of the server itself, lower case: a redirect to any of them is one to itself
 */
export function differencesOf(
  old: ServerAnswer,
  now: ServerAnswer,
  hosts: ReadonlySet<string>,
): readonly AnsweredDifference[] {
  if (old.status !== now.status)
    return [{ what: 'status', old: String(old.status), now: String(now.status) }];
  const found: AnsweredDifference[] = [];
  const isError = old.status >= 400;
  for (const name of new Set([...old.headers.keys(), ...now.headers.keys()])) {
    if (OF_THE_MOMENT.test(name)) continue;
    // The text of an error page is that of the version.
    if (isError && /^(?:content-|accept-ranges|vary|last-modified|etag)/.test(name)) continue;
    const [a, b] = [valueOf(name, old, hosts), valueOf(name, now, hosts)];
    if (a !== b) found.push({ what: name, old: a, now: b });
  }
  const isPacked = old.headers.has('content-encoding') || now.headers.has('content-encoding');
  const isRedirect = old.status >= 300 && old.status < 400;
  if (!isError && !isRedirect && !isPacked && old.length !== now.length)
    found.push({ what: 'length', old: lengthText(old), now: lengthText(now) });
  return found;
}

function lengthText({ length }: ServerAnswer): string {
  return length === undefined ? 'too long to read' : `${length} bytes`;
}

function valueOf(name: string, { headers }: ServerAnswer, hosts: ReadonlySet<string>): string | undefined {
  const value = headers.get(name);
  if (value === undefined) return undefined;
  if (THERE_OR_NOT.test(name)) return '(there)';
  if (name === 'location' || name === 'content-location') return localTo(value, hosts);
  if (name === 'expires') return distance(value, headers.get('date'));
  // The order of a list does not matter.
  if (name === 'vary' || name === 'allow' || name === 'cache-control' || name === 'accept-ranges')
    return value
      .toLowerCase()
      .split(/[ \t]*,[ \t]*/)
      .sort()
      .join(', ');
  if (name === 'content-type')
    return value
      .toLowerCase()
      .replace(/[ \t]*;[ \t]*/g, '; ')
      .replaceAll('"', '');
  // A new nonce for every request.
  if (name === 'www-authenticate') return value.replace(/(nonce|opaque)="[^"]*"/g, '$1=...');
  return value;
}

/** A redirect to the server itself, whatever it is called here and at whatever port, is one to its scheme and path. */
function localTo(location: string, hosts: ReadonlySet<string>): string {
  const [, scheme, host = '', rest = ''] =
    /^([a-z]+):\/\/([^/?#:]*|\[[^\]]*\])(?::[0-9]+)?(.*)$/is.exec(location) ?? [];
  if (scheme === undefined || !hosts.has(host.toLowerCase())) return location;
  return `${scheme.toLowerCase()}://(this server)${rest}`;
}

/** When something expires, in seconds from the answer, in steps of ten: clocks differ. */
function distance(expires: string, date: string | undefined): string {
  const seconds = (Date.parse(expires) - Date.parse(date ?? '')) / 1000;
  return Number.isNaN(seconds) ? expires : `${Math.round(seconds / 10) * 10} s after the answer`;
}
