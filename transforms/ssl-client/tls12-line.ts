import {
  type ConfigFile,
  conditionIn,
  insertionPointFor,
  lastInForce,
  linesOf,
  type Place,
  type Server,
  type Servers,
  serversOf,
} from '../../src/config';
import { appendArguments, type Edit, insertAt } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { isUnknown } from '../common/lines';
import { lastDirective, mayUseTls } from '../common/servers';

/** What leaves out TLS 1.3 in one server. */
export interface Tls12Line {
  readonly server: Server;
  readonly file: ConfigFile;
  /** Where the line stands, or beside what it comes. */
  readonly at: number;
  readonly edit: Edit;
  /** The words of `SSLProtocol` then. */
  readonly words: readonly string[];
}

const OFF = '-TLSv1.3';
/** Where nobody says (2.4 ssl_private.h: SSL_PROTOCOL_DEFAULT). */
const DEFAULT = ['all', '-SSLv3'];

/**
 * The one line by which lines that no client with TLS 1.3 gets through meet none, as on 2.2.
 * @param refusing the servers where such a line refuses clients: where there are several, a person knows best which are meant
 * @returns undefined where no plain line says it
 */
export function tls12LineFor(context: TransformContext, refusing: readonly Server[]): Tls12Line | undefined {
  const servers = serversOf(context.tree);
  const [server] = refusing;
  if (server === undefined || refusing.length > 1 || !isChosenFirst(context, servers, server))
    return undefined;
  const engine = lastInForce(server, ['SSLEngine']);
  if (engine === undefined || !standsPlainly(servers, engine)) return undefined;
  const inForce = lastDirective(server, 'SSLProtocol');
  const given = inForce?.node.args.map(({ value }) => value) ?? DEFAULT;
  if (given.length === 0 || given.some((word) => isUnknown(word) || /^\+?sslv[23]$/i.test(word)))
    return undefined;
  const words = [...given, OFF];
  const ownLines = linesOf(server, ['SSLProtocol']);
  if (inForce !== undefined && ownLines.includes(inForce)) {
    const { node, place } = inForce;
    if (!standsPlainly(servers, inForce)) return undefined;
    const edit = appendArguments(place.file.document, node, [OFF]);
    return { server, file: place.file, at: node.from, edit, words };
  }
  const point = insertionPointFor(servers, server, [['SSLEngine']]);
  const edit = insertAt(point.file.document, point, [`SSLProtocol ${words.join(' ')}`]);
  return { server, file: point.file, at: engine.node.from, edit, words };
}

/** Whether ssl-protocol-tls13 writes the one line that mends what a line does to these servers: for none of a `.htaccess`. */
export function isMendedAtServer(
  context: TransformContext,
  { root }: Place,
  refusing: readonly Server[],
): boolean {
  return root.role !== 'htaccess' && tls12LineFor(context, refusing) !== undefined;
}

/** Whether both versions read a line whenever they read its server, and in no other. */
function standsPlainly(servers: Servers, line: ReturnType<typeof linesOf>[number]): boolean {
  const { on22, on24 } = conditionIn(line);
  const isDirect = line.path.every(({ node }) => node.kind === 'directive');
  return isDirect && on22 === true && on24 === true && servers.isReachedOnce(line.place.file);
}

/** Whether a connection to a server is by its own `SSLProtocol`: before 2.4.42 by that of the first of an address. */
function isChosenFirst({ target }: TransformContext, { all }: Servers, server: Server): boolean {
  return holds('ssl-protocol-by-name', target) || all.every((other) => other === server || !mayUseTls(other));
}
