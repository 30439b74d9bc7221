import { type Place, type Server, linesOf, serversOf } from '../../src/config';
import { insertAfter, removeLine, replaceArgument } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../common/lines';
import { lastDirective } from '../common/servers';
import { hasOtherPort, withEveryPort } from './url-port';

/** A URL without a port covers the default port of its scheme, one with an empty port covers every port. */
const SCHEMES = ['http://:/', 'https://:/', 'ftp://:/'];

export default defineTransform({
  id: 'cache-enable',
  changes: ['R06', 'K02', 'K09'],
  title: 'CacheEnable for a cache in memory, or for a forward proxy',
  why: '2.4 has no mod_mem_cache: it accepts CacheEnable mem and CacheEnable fd, but caches nothing. A path covers only what the server itself serves; responses to a forward proxy are cached only for a URL with a scheme. A URL without a port covers every port in 2.2, and the default port of its scheme in 2.4; one with another port than that covers nothing in 2.2.',
  docs: ['mod_cache: CacheEnable', 'modules/cache/cache_util.c: uri_meets_conditions'],
  directives: ['CacheEnable'],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    context.directives(['CacheEnable'], (node, place) => {
      if (!isCarriedOver(place) || node.args.length !== 2) return;
      const server = servers.of(place);
      const type = node.args[0]?.value ?? '';
      if (type === 'mem' || type === 'fd') reportMemoryCache(context, node, place, server);
      // In a section, and in a .htaccess, 2.2 refuses it.
      else if (node.args[1]?.value === '/' && servers.isLine(place) && isForwardProxy(server))
        reportForwardProxy(context, node, place, server);
      else if (!isUnknown(node.args[1]?.value ?? '')) reportPort(context, node, place);
    });
  },
});

function reportPort(context: TransformContext, node: Directive, { file }: Place): void {
  const url = node.args[1]!;
  const everyPort = withEveryPort(url.value);
  if (everyPort !== undefined)
    context.report({
      file,
      at: node.from,
      level: 'warning',
      safety: 'safe',
      message: `without a port, ${url.value} covers every port in 2.2 and only the usual one in 2.4: ${everyPort} covers every port there`,
      edits: [replaceArgument(file.document, url, everyPort)],
    });
  else if (hasOtherPort(url.value))
    context.report({
      file,
      at: node.from,
      level: 'warning',
      message: `2.2 never caches what ${url.value} names, because of its port, and 2.4 does: delete this line if nothing from there is to be cached`,
    });
}

function reportMemoryCache(
  context: TransformContext,
  node: Directive,
  { file }: Place,
  server: Server,
): void {
  const [type, url] = node.args;
  const path = url?.value ?? '';
  const isCovered = linesOf(server, ['CacheEnable']).some(
    (line) => line.node.args[0]?.value === 'disk' && path.startsWith(line.node.args[1]?.value ?? ''),
  );
  const toDisk = !isCovered && lastDirective(server, 'CacheRoot') !== undefined;
  const assumption = toDisk
    ? 'this assumes that the cache on disk, which has a CacheRoot, can replace it'
    : isCovered
      ? 'this assumes that the cache on disk, which also covers this path, is enough'
      : 'this assumes that no cache is needed (mod_cache_disk or mod_cache_socache can replace it)';
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: 'review',
    message: `2.4 has no cache in memory and caches nothing for CacheEnable ${type!.value} ${path}; ${assumption}`,
    edits: [toDisk ? replaceArgument(file.document, type!, 'disk') : removeLine(file.document, node)],
  });
}

function reportForwardProxy(
  context: TransformContext,
  node: Directive,
  { file }: Place,
  server: Server,
): void {
  const type = node.args[0]!.value;
  // A block for 2.4 may contain these lines already.
  const cachedUrls = server.lines.flatMap((line) =>
    line.node.key === 'cacheenable' ? [line.node.args[1]?.value ?? ''] : [],
  );
  if (SCHEMES.every((url) => cachedUrls.some((cachedUrl) => cachedUrl.startsWith(url.slice(0, -2))))) return;
  const disabled = linesOf(server, ['CacheDisable']).filter((line) =>
    line.node.args[0]?.value.startsWith('/'),
  );
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: disabled.length > 0 ? 'manual' : 'review',
    message: `ProxyRequests is On here, and 2.4 caches what this forward proxy fetches only with ${SCHEMES.map((url) => `CacheEnable ${type} ${url}`).join(', ')}; ${disabled.length > 0 ? 'add these lines, and CacheDisable lines for the same URLs' : 'this assumes that all three are wanted'}`,
    edits:
      disabled.length > 0
        ? []
        : [
            insertAfter(
              file.document,
              node,
              SCHEMES.map((url) => `CacheEnable ${type} ${url}`),
            ),
          ],
  });
}

function isForwardProxy(server: Server): boolean {
  return lastDirective(server, 'ProxyRequests')?.node.args[0]?.value.toLowerCase() === 'on';
}
