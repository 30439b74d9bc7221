import { mkdirSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { join } from 'node:path';
import type { Authority, ClientIdentity } from '../httpd/certificates';
import { freePort } from '../httpd/config';
import { serveWhole } from '../httpd/whole';
import { PORTS, REQUESTS, type TlsRequest, type TlsServer } from './trees';

/** What a real 2.4 answers to all requests. @param htaccess the text of the file in `/p` */
export async function answers24(
  conf: string,
  htaccess: string,
  { dir }: Authority,
  alice: ClientIdentity,
): Promise<readonly string[]> {
  const ports = { plain: await freePort(), tls: await freePort(), rest: await freePort() };
  const server = await serveWhole((root) => {
    const docs = join(root.dir, 'htdocs');
    mkdirSync(join(docs, 'p/s'), { recursive: true });
    for (const path of ['', 'p', 'p/s'])
      for (const name of ['x.txt', 'y.txt']) writeFileSync(join(docs, path, name), `${name}\n`);
    if (htaccess !== '') writeFileSync(join(docs, 'p/.htaccess'), htaccess);
    let text = conf
      .replace(/^LoadModule .*\n/gm, '')
      .replaceAll('/DOCROOT', docs)
      .replaceAll('/PKI', dir);
    for (const [name, port] of Object.entries(PORTS))
      text = text
        .replaceAll(`Listen ${port}\n`, `Listen 127.0.0.1:${ports[name as TlsServer]}\n`)
        .replaceAll(`*:${port}`, `*:${ports[name as TlsServer]}`);
    return text;
  });
  try {
    const all: string[] = [];
    for (const request of REQUESTS) all.push(await ask(request, ports[request.server], alice));
    return all;
  } finally {
    await server.stop();
  }
}

function ask(
  { server, path, src, user, cert }: TlsRequest,
  port: number,
  alice: ClientIdentity,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      localAddress: src,
      path,
      agent: false,
      ...(user === undefined ? {} : { auth: `${user}:${user}` }),
      ...(cert ? alice : {}),
    };
    const sent =
      server === 'tls' ? tlsRequest({ ...options, rejectUnauthorized: false }) : plainRequest(options);
    sent.once('response', ({ statusCode = 0 }) => {
      resolve(
        statusCode === 200 ? 'P' : statusCode === 401 ? 'U' : statusCode === 403 ? 'F' : `${statusCode}`,
      );
      sent.destroy();
    });
    sent.once('error', reject);
    sent.end();
  });
}
