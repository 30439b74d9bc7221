/** An answer without what differs between two servers that run one after the other: dates, ports, directories. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers of the connection, and those in which no two answers agree. */
const PASSING = new Set([
  'date',
  'server',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-powered-by',
  'x-pad',
]);

/** What no two answers have in common in some headers, or what docs/facts/every-server.md says of them. */
const REWRITTEN: Readonly<Record<string, (value: string) => string>> = {
  via: (value) => value.replace(/Apache\/[\d.]+/, 'Apache'),
  'www-authenticate': (value) => value.replace(/nonce="[^"]*"/, 'nonce'),
  'lock-token': () => 'given',
  age: () => 'given',
  'set-cookie': (value) => withoutUser(value),
  'set-cookie2': (value) => withoutUser(value),
  allow: (value) => value.split(/, ?/).toSorted().join(','),
  // 2.4 leaves out the last quotation mark of a page that it has chosen (http_etag.c, etag_end).
  etag: (value) => (value.startsWith('W/') ? 'weak' : value.replace(/(?<=;[0-9a-f-]*)"$/, '')),
  'content-type': (value) => value.replace(/boundary=\w+/, 'boundary=BOUNDARY'),
};

/** The cookie of mod_usertrack: 2.2 writes the address and the time into it, 2.4 a random number and the time. */
const withoutUser = (value: string): string =>
  value
    .replace(/(?<=^\w+=127\.0\.0\.1\.)\d+/, 'time')
    .replace(/(?<=^\w+=)[0-9a-f]{1,8}\.[0-9a-f]+(?=;)/, 'random')
    .replace(/(?<=expires=)\w{3}, \d\d-\w{3}-\d+ [\d:]{8} GMT/, 'later');

/** @param answer as it came, its body joined and unpacked */
export function plainAnswer({ status, headers: given, body: text }: RestAnswer): RestAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given))
    if (!PASSING.has(name)) headers[name] = REWRITTEN[name]?.(value) ?? value;
  if (given.expires !== undefined && given.date !== undefined)
    headers.expires = fromNow(Date.parse(given.expires) - Date.parse(given.date));
  // 2.4 sends these with every 304 that is about a file.
  if (status === 304) for (const name of ['last-modified', 'accept-ranges']) delete headers[name];
  const boundary = /; boundary=(\w+)/.exec(given['content-type'] ?? '')?.[1];
  const body = boundary === undefined ? plainBody(text) : text.replaceAll(boundary, 'BOUNDARY');
  // Whether a length is sent with what is no file depends on how fast it is written.
  if (body !== text || given['accept-ranges'] === undefined) delete headers['content-length'];
  return { status, headers, body };
}

/** A span of time in minutes, where it is not over. */
const fromNow = (milliseconds: number): string =>
  milliseconds < 0 ? 'over' : `${Math.round(milliseconds / 60_000)}`;

const ERROR_PAGE =
  /^<!DOCTYPE HTML PUBLIC "[^"]*"(?:\s+"[^"]*")?>\n<html(?: lang="en")?>\n?<head>\n<title>(\d{3}) [^<]*<\/title>/;
const LISTING_OR_MENU =
  /^<!DOCTYPE HTML PUBLIC "[^"]*"(?: "[^"]*")?>(?=\n<html>\n <head>\n {2}<title>Index of |\n<html><head>\n<title>Menu for )/;

/** An error page that httpd writes itself is its status; what it says of files by WebDAV, their names and statuses. */
function plainBody(body: string): string {
  const page = ERROR_PAGE.exec(body)?.[1];
  if (page !== undefined) return `page of httpd: ${page}`;
  if (body.includes('<D:multistatus'))
    return [...body.matchAll(/<D:(?:href|status)>([^<]*)/g)].map(([, text]) => text).join('\n');
  if (body.includes('<D:lockdiscovery>')) return 'locked';
  // What mod_status counts is another number each time.
  if (body.includes('\nScoreboard: ')) return body.replaceAll(/:.*/g, '');
  if (body.includes('<title>Apache Status</title>')) return 'status';
  return body.replaceAll(/Apache\/2\.[24]\S*(?: \(\w+\))?/g, 'Apache').replace(LISTING_OR_MENU, 'of httpd:');
}
