/**
 * Trees of everything but access: what both versions answer to the requests of small whole servers. They are texts in
 * `__fixtures__/rest/AREA.trees`, each of these parts:
 *
 *     === NAME
 *     lines of the server, behind those of {@link PREAMBLE}
 *     --- PATH of a further file below the ServerRoot
 *     its text
 *     ???
 *     METHOD /path | Header: value | =body
 *
 * A request with `| tls` comes by TLS, one with `| tls alice` with the certificate of alice besides. A tree that names
 * `conf/pki` gets the files of an authority there. One with `| 1.0` comes by HTTP/1.0, and without a Host of its own.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the trees are while they are converted. */
export const ROOT = '/usr/local/apache2';
/** The port of the server in the texts, and that of the HTTP server behind it. */
export const PORT = '8080';
/** The port for TLS of the server in the texts. */
export const TLS_PORT = '8443';
export const BACKEND = '8099';

export const HOME = resolve('__fixtures__/rest');

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** By TLS, with the certificate of alice or without one. */
  readonly tls?: 'alone' | 'alice';
  /** By HTTP/1.0, whose requests need no Host. */
  readonly old?: true;
}

export interface RestTree {
  readonly area: string;
  readonly name: string;
  /** Path below the ServerRoot → text; a text that begins with `#!` is a program. */
  readonly files: Readonly<Record<string, string>>;
  readonly requests: readonly RestRequest[];
}

/** The file of a tree that httpd is started with. */
export const CONFIG = 'conf/httpd.conf';

/** All trees, in the order of their files. */
export function readTrees(): readonly RestTree[] {
  const shared = parts(readFileSync(join(HOME, 'shared.tree'), 'latin1'))[0]!;
  return readdirSync(HOME)
    .filter((file) => file.endsWith('.trees'))
    .toSorted()
    .flatMap((file) =>
      parts(readFileSync(join(HOME, file), 'latin1')).map(({ name, conf, files, requests }) => ({
        area: file.slice(0, -'.trees'.length),
        name,
        files: { ...shared.files, ...files, [CONFIG]: shared.conf + conf },
        requests: [...requests, ...shared.requests],
      })),
    );
}

/** What marks a request by HTTP/1.0. */
export const OLD = '1.0';

interface Parts {
  readonly name: string;
  readonly conf: string;
  readonly files: Readonly<Record<string, string>>;
  readonly requests: readonly RestRequest[];
}

function parts(text: string): Parts[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const [configured = '', asked = ''] = part.slice(end + 1).split(/^\?\?\?\n/m);
      const [conf = '', ...files] = configured.split(/^--- /m);
      return {
        name: part.slice(0, end).trim(),
        conf,
        files: Object.fromEntries(
          files.map((file) => [file.slice(0, file.indexOf('\n')), file.slice(file.indexOf('\n') + 1)]),
        ),
        requests: asked
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(requestOf),
      };
    });
}

/** `METHOD /path | Header: value | =body | tls`; without a method it is GET. */
function requestOf(line: string): RestRequest {
  const [first = '', ...rest] = line.split(' | ');
  const [method, path] = first.startsWith('/') ? ['GET', first] : first.split(/ (.*)/s);
  const body = rest.find((word) => word.startsWith('='))?.slice(1);
  const tls = { tls: 'alone', 'tls alice': 'alice' } as const;
  const secured = rest.find((word): word is keyof typeof tls => word in tls);
  const headers = rest
    .filter((word) => !word.startsWith('=') && word !== secured && word !== OLD)
    .map((word) => [word.slice(0, word.indexOf(':')), word.slice(word.indexOf(':') + 1).trim()] as const);
  return {
    method: method!,
    path: path ?? '',
    headers,
    ...(body !== undefined && { body }),
    ...(secured !== undefined && { tls: tls[secured] }),
    ...(rest.includes(OLD) && { old: true }),
  };
}
