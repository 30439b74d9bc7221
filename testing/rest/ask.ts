import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { type RestAnswer, plainAnswer } from './plain';
import { identityOf } from './pki';
import { BACKEND, OLD, PORT, ROOT, type RestRequest, TLS_PORT } from './tree';

/** Where a tree is served. */
export interface Place {
  readonly root: string;
  readonly port: number;
  readonly tls: number;
  readonly backend: number;
}

/**
 * Asks a server on a connection of its own, which ends with the answer.
 * @throws Error where the server cannot be reached
 */
export async function askRest(place: Place, request: RestRequest): Promise<RestAnswer> {
  const fill = (text: string): string => withPlaces(text, place);
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${request.method} ${fill(request.path)} HTTP/${request.old === undefined ? '1.1' : OLD}`,
    ...(given.has('host') || request.old !== undefined
      ? []
      : [`Host: localhost:${request.tls === undefined ? place.port : place.tls}`]),
    ...request.headers.map(([name, value]) => `${name}: ${fill(value)}`),
    ...(request.body === undefined || given.has('content-length')
      ? []
      : [`Content-Length: ${request.body.length}`]),
    'Connection: close',
  ];
  const received = await exchange(place, request, `${lines.join('\r\n')}\r\n\r\n${request.body ?? ''}`);
  return answerOf(received, place);
}

/** The text of a tree at the place where it is served. */
export const withPlaces = (text: string, { root, port, tls, backend }: Place): string =>
  // In one pass: a port may have the digits of another.
  replaced(
    text,
    new Map([
      [ROOT, root],
      [PORT, `${port}`],
      [TLS_PORT, `${tls}`],
      [BACKEND, `${backend}`],
    ]),
  );

/** The text of an answer or of a log, as that of the tree. */
export const withoutPlaces = (text: string, { root, port, tls, backend }: Place): string =>
  replaced(
    text,
    new Map([
      [root, ROOT],
      [`${port}`, PORT],
      [`${tls}`, TLS_PORT],
      [`${backend}`, BACKEND],
    ]),
  );

/** Replaces directories, and ports where they stand for themselves: not the digits of a longer number or of a mark. */
function replaced(text: string, words: ReadonlyMap<string, string>): string {
  const names = [...words.keys()].map((name) => (name.startsWith('/') ? name : `\\b${name}\\b`));
  return text.replaceAll(new RegExp(names.join('|'), 'g'), (name) => words.get(name)!);
}

function exchange(place: Place, { tls, headers }: RestRequest, bytes: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const write = (): unknown => socket.write(bytes, 'latin1');
    const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1].replace(/:\d+$/, '');
    const socket =
      tls === undefined
        ? connect(place.port, '127.0.0.1', write)
        : connectTls(
            {
              host: '127.0.0.1',
              port: place.tls,
              servername: host ?? 'localhost',
              rejectUnauthorized: false,
              ...(tls === 'alice' && identityOf('alice')),
            },
            write,
          );
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    // A handshake that fails is an answer, too.
    socket.on('error', tls === undefined ? reject : () => resolve(Buffer.from('no answer')));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

function answerOf(received: Buffer, place: Place): RestAnswer {
  // The interim answer to Expect: 100-continue is none.
  const text = received.toString('latin1').replace(/^HTTP\/1\.1 1\d\d .*\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: {}, body: text };
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = withoutPlaces(line.slice(colon + 1).trim(), place);
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const isChunked = headers['transfer-encoding'] === 'chunked';
  const isZipped = headers['content-encoding']?.includes('gzip') ?? false;
  const raw = isChunked ? joined(text.slice(end + 4)) : text.slice(end + 4);
  const body = withoutPlaces(isZipped ? unzipped(raw) : raw, place);
  // A compressed body need not have the same length twice.
  if (isZipped || body !== raw) delete headers['content-length'];
  return plainAnswer({ status: Number(first.split(' ')[1]), headers, body });
}

function joined(chunks: string): string {
  let text = '';
  for (let at = 0; ;) {
    const line = chunks.indexOf('\r\n', at);
    const size = line < 0 ? 0 : Number.parseInt(chunks.slice(at, line), 16);
    if (!(size > 0)) return text;
    text += chunks.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}

function unzipped(text: string): string {
  try {
    return gunzipSync(Buffer.from(text, 'latin1')).toString('latin1');
  } catch {
    return text;
  }
}
