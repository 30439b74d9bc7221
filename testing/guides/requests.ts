import { INTRANET, SHOP, WWW } from './sites';

/** A request to the server at the end of a guide, and what 2.2 answered. */
export interface GuideRequest {
  readonly host: string;
  readonly path: string;
  /** The client; any address is one of this machine's there. */
  readonly from: string;
  /** A name that is its own password. */
  readonly user?: string;
  readonly tls?: true;
  readonly method?: string;
  /**
   * `in`: anything but 401, 403 and 500. `run`: what a program makes of a file; 2.4 has nobody to give it to in the tests, and
   * says 503.
   */
  readonly answer: 'in' | 'run' | number;
}

export const OTHER = 'other.example.net';

const OFFICE_CLIENT = '10.1.0.5';
const ELSEWHERE = '198.51.100.7';

/** A request, from elsewhere if nothing else is said. */
export type Asked = readonly [
  host: string,
  path: string,
  answer: GuideRequest['answer'],
  ...more: readonly Partial<GuideRequest>[],
];

export const from = (address: string): Partial<GuideRequest> => ({ from: address });
const as = (user: string): Partial<GuideRequest> => ({ user });
const TLS: Partial<GuideRequest> = { tls: true };
const POST: Partial<GuideRequest> = { method: 'POST' };
const IN_OFFICE = from(OFFICE_CLIENT);

/** What the sites are asked on any platform, and what 2.2 answers. */
const ASKED: readonly Asked[] = [
  [WWW, '/', 200],
  ['example.org', '/', 200],
  [WWW, '/index.html', 200],
  [WWW, '/index.html', 200, { method: 'HEAD' }],
  [WWW, '/none.html', 404],
  [WWW, '/index', 200],
  [WWW, '/files/', 200],
  [WWW, '/files', 301],
  [WWW, '/files/a.txt', 200],
  [WWW, '/old/page.html', 301],
  [WWW, '/new/page.html', 200],
  [WWW, '/.htaccess', 403],
  [WWW, '/members/.htaccess', 403],
  [WWW, '/members/', 401],
  [WWW, '/members/', 200, as('alice')],
  [WWW, '/members/index.html', 401, IN_OFFICE],
  [WWW, '/members/index.html', 401, as('mallory')],
  [WWW, '/members/none', 401],
  [WWW, '/office/', 200, IN_OFFICE],
  [WWW, '/office/', 403],
  [WWW, '/office/index.html', 403],
  [WWW, '/office/index.html', 200, IN_OFFICE],
  [WWW, '/office/index.html', 403, from('10.2.0.5')],
  [WWW, '/uploads/', 403],
  [WWW, '/uploads/a.txt', 200],
  [WWW, '/uploads/a.php', 403],
  [WWW, '/uploads/a.php', 403, IN_OFFICE],
  [INTRANET, '/', 401],
  [INTRANET, '/', 200, IN_OFFICE],
  [INTRANET, '/', 200, as('alice')],
  [INTRANET, '/', 401, as('mallory')],
  [INTRANET, '/index.html', 401, from('10.2.0.5')],
  [INTRANET, '/none', 401],
  [INTRANET, '/none', 404, IN_OFFICE],
  [INTRANET, '/cgi-bin/hello.cgi', 200],
  [INTRANET, '/cgi-bin/hello.cgi', 200, POST],
  [INTRANET, '/cgi-bin/hello.cgi', 403, from('10.9.0.5')],
  [INTRANET, '/cgi-bin/none.cgi', 404],
  [INTRANET, '/cgi-bin/', 403],
  [SHOP, '/', 200],
  [SHOP, '/', 200, TLS],
  [SHOP, '/img/', 403],
  [SHOP, '/img/a.txt', 200],
  [SHOP, '/img/a.txt', 200, TLS],
  [SHOP, '/till/', 403],
  [SHOP, '/till/', 403, IN_OFFICE],
  [SHOP, '/till/index.html', 403],
  [SHOP, '/till/', 200, TLS],
  [SHOP, '/till/admin/', 403, TLS],
  [SHOP, '/till/admin/', 200, TLS, IN_OFFICE],
  [SHOP, '/till/admin/', 403, IN_OFFICE],
  [SHOP, '/none', 404, TLS],
];

export function requestsOf(more: readonly Asked[]): readonly GuideRequest[] {
  return [...ASKED, ...more].map(([host, path, answer, ...details]) =>
    Object.assign({ host, path, from: ELSEWHERE, answer }, ...details),
  );
}

/** That the server's status is for the machine itself. */
export const STATUS: readonly Asked[] = [
  [WWW, '/server-status', 403],
  [WWW, '/server-status', 200, from('127.0.0.1')],
];

/** That PHP's files are given to PHP. */
export const PHP: readonly Asked[] = [[WWW, '/app.php', 'run']];
