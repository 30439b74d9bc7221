import { connect } from 'node:net';

/** A request without a body. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where to connect to, and from which address. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly localAddress?: string | undefined;
}

/**
 * Sends all requests at once over one connection, and over another one when the server closes it.
 * @returns the statuses, in the order of the requests
 * @throws Error where a connection brings no answer
 */
export async function statusesOf(to: Endpoint, requests: readonly PlainRequest[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let failedBefore = false; statuses.length < requests.length;) {
    const { answered, error } = await exchange(to, requests.slice(statuses.length));
    statuses.push(...answered);
    const isWithoutAnswer = answered.length === 0;
    if (isWithoutAnswer && (failedBefore || error !== undefined))
      throw error ?? new Error(`no answer from port ${to.port} to ${requests[statuses.length]!.path}`);
    failedBefore = isWithoutAnswer;
  }
  return statuses;
}

interface Exchange {
  readonly answered: readonly number[];
  readonly error?: Error;
}

/** Over one connection: the first answers, until it is closed. */
function exchange(to: Endpoint, requests: readonly PlainRequest[]): Promise<Exchange> {
  return new Promise((resolve) => {
    const answered: number[] = [];
    let text = '';
    let ended: Error | undefined;
    const socket = connect({ ...to, noDelay: true });
    const end = (): void => {
      socket.destroy();
      resolve({ answered, ...(ended === undefined ? {} : { error: ended }) });
    };
    const read = (isClosed: boolean): void => {
      let at = 0;
      while (answered.length < requests.length) {
        const answer = readAnswer(text, at, requests[answered.length]!.method, isClosed);
        if (answer === undefined) break;
        at = answer.end;
        // 100 to 199 come before the answer.
        if (answer.status < 200) continue;
        answered.push(answer.status);
        if (answer.isLast) return end();
      }
      text = text.slice(at);
      if (answered.length === requests.length) end();
    };
    const tryRead = (isClosed: boolean): void => {
      try {
        read(isClosed);
      } catch (error) {
        ended = error as Error;
        end();
      }
    };
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      text += data;
      tryRead(false);
    });
    socket.once('error', (error) => (ended = error));
    socket.once('close', () => {
      tryRead(true);
      end();
    });
    socket.write(requests.map(textOf).join(''), 'latin1');
  });
}

/** Methods for which no length is sent where there is no body. */
const WITHOUT_LENGTH = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function textOf({ method, path, headers }: PlainRequest): string {
  if (/[^!-\xff]/.test(path)) throw new Error(`not a path: ${JSON.stringify(path)}`);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = WITHOUT_LENGTH.has(method) ? '' : 'Content-Length: 0\r\n';
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}Connection: keep-alive\r\n\r\n`;
}

interface AnswerRead {
  readonly status: number;
  /** Where the next answer begins. */
  readonly end: number;
  /** The server answers no more on this connection. */
  readonly isLast: boolean;
}

/** @returns undefined as long as the answer is not whole */
function readAnswer(text: string, at: number, method: string, isClosed: boolean): AnswerRead | undefined {
  const body = text.indexOf('\r\n\r\n', at) + 4;
  if (body < 4) return undefined;
  const head = text.slice(at, body).toLowerCase();
  const status = Number(/^http\/1\.[01] (\d{3}) /.exec(head)?.[1]);
  if (Number.isNaN(status)) throw new Error(`not an answer: ${JSON.stringify(head)}`);
  const end = endOfBody(text, body, head, method, status, isClosed);
  if (end === undefined || end > text.length) return undefined;
  return { status, end, isLast: head.includes('\r\nconnection: close\r\n') };
}

function endOfBody(
  text: string,
  body: number,
  head: string,
  method: string,
  status: number,
  isClosed: boolean,
): number | undefined {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return body;
  if (head.includes('\r\ntransfer-encoding: chunked\r\n')) return endOfChunks(text, body);
  const length = /\r\ncontent-length: (\d+)\r\n/.exec(head)?.[1];
  if (length !== undefined) return body + Number(length);
  return isClosed ? text.length : undefined;
}

/** Without trailers: a server sends none that were not asked for. */
function endOfChunks(text: string, body: number): number | undefined {
  for (let at = body; ;) {
    const line = text.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(at, line), 16);
    at = line + 2 + size + 2;
    if (size === 0) return at;
  }
}
