import { type IncomingHttpHeaders, request } from 'node:http';

/** What a test server answers; the body is latin1. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Asks a server at 127.0.0.1, on a connection of its own.
 * @throws Error where the connection is refused or breaks off
 */
export function fetchPage(
  port: number,
  path: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: Headers } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('latin1');
      response.on('data', (part: string) => (body += part));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.once('error', reject);
    sent.end();
  });
}

type Headers = Readonly<Record<string, string>>;

/** The body of a page, or the status where that is not 200. */
export async function fetchBody(port: number, path: string, headers: Headers = {}): Promise<string> {
  const { status, body } = await fetchPage(port, path, { headers });
  return status === 200 ? body : String(status);
}
